"""Games to be filmed: pieces, times and places hang together, and the truth agrees with the referee."""

import json
from collections import Counter
from dataclasses import replace
from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from datasets.games.choreography import Step, Tempo, act
from datasets.games.clips import CLIPS, TIMEOUTS, clip_plans, draw_clip
from datasets.games.composing import draw_script
from datasets.games.flat import Box, boxes_overlap, tiles_overlap
from datasets.games.fouls import CLIPS_ONLY, KINDS, illegal_kinds
from datasets.games.incidents import CLEAR_S
from datasets.games.make import main
from datasets.games.position import number
from datasets.games.script import GameScript, Move, Pose
from datasets.games.wishes import GameError
from datasets.games.write import RecordedGameError, Recording, load_game, load_games, write_game
from referee import judge_turn, parse_table
from referee.editions import edition as edition_of

games = st.builds(
    draw_script,
    st.integers(0, 10_000),
    players=st.integers(2, 4),
    edition=st.sampled_from(("ru", "ua", "en", "he", "cards", "pressman", "pressman2009", "xp")),
    turns=st.integers(8, 45),
    difficulty=st.sampled_from(("easy", "normal", "hard")),
    turn_seconds=st.sampled_from((None, 60.0)),
    signals=st.sampled_from(("all", "quiet", "none")),
    middle_game=st.booleans(),
    foul_rate=st.sampled_from((0.0, 0.2, 0.6)),
)


def tiles_of(text: str) -> Counter[str]:
    return Counter(str(seen) for seen in parse_table(text).tiles())


def events(script: GameScript) -> list[tuple[float, bool, Move]]:
    """Grasps (True) and releases, in the order in which they happen."""
    found = [(move.release_s, False, move) for move in script.moves]
    return sorted([*found, *((m.grasp_s, True, m) for m in script.moves)], key=lambda event: event[:2])


def told_by_moves(script: GameScript, until_s: float) -> Counter[str]:
    """The tiles that lie face up at a time, by what hands did."""
    names = {piece.key: str(piece.tile) for piece in script.pieces}
    lies = {lying.key for lying in script.lying if not lying.face_down}
    for t_s, grasped, move in events(script):
        if t_s <= until_s and not move.face_down:
            if grasped:
                lies.discard(move.key)
            elif move.end is not None:
                lies.add(move.key)
    return Counter(names[key] for key in lies)


@settings(deadline=None, max_examples=8)
@given(games)
def test_pieces_are_conserved_and_never_lie_on_each_other(script: GameScript) -> None:
    box = Counter(str(tile) for tile in edition_of(script.edition).rules.inventory.tiles())
    lies = {lying.key: lying.pose for lying in script.lying}
    assert len(lies) == len(script.lying)
    poses = list(lies.values())
    assert not any(tiles_overlap(a, b) for at, a in enumerate(poses) for b in poses[:at])
    held = set()
    for _, grasped, move in events(script):
        if grasped:
            assert lies.pop(move.key, None) == move.start
            assert move.key not in held
            held.add(move.key)
            continue
        held.remove(move.key)
        if move.end is not None:
            assert not any(tiles_overlap(move.end, other) for other in lies.values())
            assert abs(move.end.x) < script.half_size[0]
            assert abs(move.end.y) < script.half_size[1]
            lies[move.key] = move.end
    assert len({piece.key for piece in script.pieces}) == len(script.pieces)
    last = tiles_of(script.turns[-1].after)
    held_at_end = Counter(name for rack in script.racks for name in rack)
    assert not (last + held_at_end) - box
    names = {piece.key: str(piece.tile) for piece in script.pieces}
    face_down = {lying.key for lying in script.lying if lying.face_down}
    drawn = {move.key for move in script.moves if move.face_down}
    assert Counter(names[key] for key in lies if key not in face_down - drawn) == last


@settings(deadline=None, max_examples=8)
@given(games)
def test_turns_follow_each_other_and_show_what_hands_did(script: GameScript) -> None:
    assert script.turns[0].start_s == 0
    assert [turn.turn for turn in script.turns] == list(range(1, len(script.turns) + 1))
    for one, other in pairwise(script.turns):
        assert other.start_s == one.end_s < other.end_s
        assert other.before == one.after
        # After a foul the same player puts back, and nobody else does.
        fouled = one.verdict == "illegal" or one.foul == "out-of-order"
        assert (other.action == "put-back") == fouled
        if fouled:
            assert other.player == one.player
    for turn in script.turns:
        assert told_by_moves(script, turn.end_s + 0.8) == tiles_of(turn.after)
        if turn.action in ("draw", "pass"):
            assert turn.before == turn.after
        limit = script.turn_seconds
        if limit is not None and turn.action != "put-back":
            long_s = turn.end_s - turn.start_s
            assert long_s == pytest.approx(limit, abs=0.01) if turn.action == "time-out" else long_s < limit


@settings(deadline=None, max_examples=8)
@given(games)
def test_hands_come_and_go_within_their_turn(script: GameScript) -> None:
    longest_s = 2.5 if script.difficulty == "hard" else 1.5
    for reach, after in pairwise(script.reaches):
        assert reach.enter_s < reach.leave_s <= after.enter_s
    for move in script.moves:
        around = [r for r in script.reaches if r.enter_s <= move.grasp_s and move.release_s <= r.leave_s + 1e-9]
        assert [reach.seat for reach in around] == [move.seat]
    for turn in script.turns:
        own = [r for r in script.reaches if turn.start_s <= r.enter_s < turn.end_s]
        assert all(script.players[reach.seat] == turn.player for reach in own)
        assert all(b.enter_s - a.leave_s <= longest_s for a, b in pairwise(own))
        if own:
            assert own[0].enter_s - turn.start_s >= 2.0
            late_s = turn.end_s - own[-1].leave_s
            assert -0.8 < late_s < 1.6  # a time-out may find the hand over the table


@settings(deadline=None, max_examples=8)
@given(games)
def test_signals_are_as_chosen(script: GameScript) -> None:
    wanted = {
        "all": [t for t in script.turns if t.action != "time-out"],
        "quiet": [t for t in script.turns if t.action in ("draw", "pass")],
        "none": [],
    }[script.options["signals"]]
    assert [t_s for t_s, _ in script.signals] == [turn.end_s for turn in wanted]
    kinds = [turn.action if turn.action in ("draw", "pass") else "end-turn" for turn in wanted]
    assert [kind for _, kind in script.signals] == kinds


@settings(deadline=None, max_examples=8)
@given(games)
def test_incidents_leave_the_ends_of_turns_in_view(script: GameScript) -> None:
    for incident in script.incidents:
        assert 0 <= incident.start_s <= incident.end_s <= script.duration_s
        if incident.kind in ("lean", "hand-rests") and script.difficulty != "hard":
            assert not any(
                incident.start_s - CLEAR_S < turn.end_s < incident.end_s for turn in script.turns[:-1]
            )
        if incident.kind == "mug" and incident.where is not None:
            for move in script.moves:
                if incident.start_s < move.release_s and move.grasp_s < incident.end_s:
                    for pose in (move.start, move.end):
                        where = incident.where
                        assert pose is None or (pose.x - where.x) ** 2 + (pose.y - where.y) ** 2 > 4


def check_truth(script: GameScript) -> None:
    """Every turn's truth, which nobody judged, is what the referee says."""
    rules = edition_of(script.edition).rules
    opened = dict(zip(script.players, script.options["opened"].split(","), strict=True))
    legal_before = script.turns[0].before
    for turn in script.turns:
        # A put-back is a turn anew, from the table before the foul.
        before = legal_before if turn.action == "put-back" else turn.before
        judged = judge_turn(
            parse_table(before),
            parse_table(turn.after),
            opened=opened[turn.player] == "yes",
            rules=rules,
            drew=turn.foul == "played-after-drawing",
        )
        assert (judged.verdict, sorted({p.code for p in judged.problems})) == (
            turn.verdict,
            sorted(turn.violations),
        ), turn
        assert sorted(map(str, judged.played)) == sorted(turn.played)
        if turn.verdict != "illegal" and turn.played:
            opened[turn.player] = "yes"
        legal_before = before


@settings(deadline=None, max_examples=20)
@given(games)
def test_the_truth_agrees_with_the_referee(script: GameScript) -> None:
    check_truth(script)


@pytest.mark.parametrize(("kind", "edition"), clip_plans())
def test_every_kind_of_foul_has_its_clip(kind: str, edition: str) -> None:
    for seed in range(3):
        script = draw_clip(kind, seed, edition, difficulty="hard")
        check_truth(script)
        first = script.turns[0]
        if kind not in TIMEOUTS:
            assert first.foul == kind
            assert first.verdict != "legal"
        else:
            assert first.action == "time-out"
        actions = [turn.action for turn in script.turns]
        puts_back = first.verdict == "illegal" or kind == "out-of-order"
        assert actions[1:-1] == (["put-back"] if puts_back else [])
        assert script.turns[-1].verdict == "legal"
        assert script.lying


def test_clips_know_every_kind() -> None:
    assert set(CLIPS) == set(KINDS)
    for code in ("ru", "pressman2009"):
        assert not set(illegal_kinds(edition_of(code).rules)) & set(CLIPS_ONLY)


def test_the_same_arguments_draw_the_same_game() -> None:
    assert draw_script(4, turns=12) == draw_script(4, turns=12)
    assert draw_script(4, turns=12) != draw_script(5, turns=12)
    assert draw_clip("gap", 1) == draw_clip("gap", 1)


def test_a_game_has_what_was_asked_for() -> None:
    script = draw_script(2, players=4, turns=30, fouls=("gap", "pair"), foul_rate=1.0, middle_game=True)
    assert {turn.foul for turn in script.turns} - {None} <= {"gap", "pair"}
    assert any(turn.foul for turn in script.turns)
    assert len(script.players) == 4
    assert len(script.turns) <= 31
    assert not any(turn.foul for turn in draw_script(2, turns=30, fouls=()).turns)
    assert all(number(name) for rack in script.racks for name in rack if name != "J")


@pytest.mark.parametrize(
    ("more", "word"),
    [
        ({"players": 5}, "2 to 4"),
        ({"turns": 0}, "one turn"),
        ({"fouls": ("nonsense",)}, "nonsense"),
        ({"turn_seconds": 5.0}, "25 s"),
        ({"pace": 0.0}, "pace"),
        ({"edition": "american"}, "rearrange"),
        ({"half_size": (3.0, 2.0), "middle_game": True}, "too small"),
    ],
)
def test_what_cannot_be_played_is_said(more: dict, word: str) -> None:
    with pytest.raises(GameError, match=word):
        draw_script(1, **more)


def test_a_clip_of_what_is_allowed_is_refused() -> None:
    with pytest.raises(GameError, match="no fault"):
        draw_clip("joker-to-old-set", 0, "cards")
    with pytest.raises(GameError, match="nonsense"):
        draw_clip("nonsense", 0)


def test_boxes_overlap_by_their_corners() -> None:
    assert boxes_overlap(Box(0, 0, 1, 1, 0), Box(2.3, 0, 1, 1, 45))
    assert not boxes_overlap(Box(0, 0, 1, 1, 0), Box(2.2, 2.2, 1, 1, 45))
    assert not boxes_overlap(Box(0, 0, 1, 1, 0), Box(2.0, 0, 1, 1, 0))


def test_a_tile_from_the_rack_comes_with_its_own_reach() -> None:
    import random

    steps = [Step(1, None, Pose(0, 0), 0), Step(2, None, Pose(5, 0), 1), Step(3, Pose(1, 3), Pose(9, 3), 2)]
    acted = act(steps, 1, Tempo(), random.Random(1))
    first, second = (next(m for m in acted.moves if m.key == key) for key in (1, 2))
    entries = [reach.enter_s for reach in acted.reaches]
    assert first.grasp_s in entries
    assert second.grasp_s in entries
    assert acted.end_s == acted.reaches[-1].leave_s


def test_a_folder_gives_back_what_was_written(tmp_path) -> None:
    script = draw_script(7, turns=10, turn_seconds=60.0, middle_game=True)
    recording = Recording("drawn", "film.mp4", (640, 360), 15.0, "d", "t", ((0, 0), (9, 0), (9, 5), (0, 5)))
    folder = tmp_path / "game"
    folder.mkdir()
    (folder / "film.mp4").write_bytes(b"film")
    game = write_game(folder, script, recording)
    assert game == load_game(folder) == load_games(tmp_path)[0]
    assert game.turns == script.turns
    assert game.signals == script.signals
    assert game.racks == script.racks
    assert game.players == script.players
    assert game.recording == replace(recording)
    assert game.source.read_bytes() == b"film"
    assert game.opened == tuple(word == "yes" for word in script.options["opened"].split(","))
    assert (game.turn_seconds, game.seed, game.middle_game) == (60.0, 7, True)
    assert (folder / "signals.csv").read_text().startswith("t_s,signal\n")


def test_a_folder_that_is_no_game_is_said_so(tmp_path) -> None:
    with pytest.raises(RecordedGameError, match=r"game\.json"):
        load_game(tmp_path)
    with pytest.raises(RecordedGameError, match="no recorded game in"):
        load_games(tmp_path)
    folder = tmp_path / "game"
    with pytest.raises(RecordedGameError, match="film"):
        write_game(folder, draw_script(1, turns=2), Recording("drawn", "film.mp4", (640, 360), 15.0))
    (folder / "film.mp4").write_bytes(b"film")
    load_game(folder)
    with (folder / "turns.jsonl").open("a") as file:
        file.write('{"turn": 3, "nonsense": 1}\n')
    with pytest.raises(RecordedGameError, match="nonsense"):
        load_game(folder)
    (folder / "game.json").write_text("{}")
    with pytest.raises(RecordedGameError, match="format"):
        load_game(folder)


@pytest.mark.parametrize(
    ("told", "reason"),
    [
        ('"before": ["R5.R6.R7"]', "a table that is no text"),
        ('"before": "R5 R6 X7"', "X7"),
        ('"action": "open"', "'open' for its action"),
        ('"verdict": "wrong"', "'wrong' for its verdict"),
        ('"played": ["Q1"]', "Q1"),
    ],
)
def test_a_turn_that_cannot_be_compared_is_said_before_anything_is_watched(tmp_path, told, reason) -> None:
    """A maker wrote tables as lists; evaluation ended in a traceback after three minutes of watching (bh01)."""
    folder = tmp_path / "game"
    folder.mkdir()
    (folder / "film.mp4").write_bytes(b"film")
    write_game(folder, draw_script(1, turns=2), Recording("drawn", "film.mp4", (640, 360), 15.0))
    lines = (folder / "turns.jsonl").read_text().splitlines()
    turn = {**json.loads(lines[0]), **json.loads("{" + told + "}")}
    (folder / "turns.jsonl").write_text("\n".join([json.dumps(turn), *lines[1:]]))
    with pytest.raises(RecordedGameError, match=reason):
        load_game(folder)


def test_the_command_films_clips_and_goes_on_where_it_was(tmp_path, capsys) -> None:
    pytest.importorskip("av")
    asked = [
        "--out",
        str(tmp_path),
        "--clips",
        "--only",
        "gap",
        "--size",
        "160x90",
        "--fps",
        "1",
        "--pace",
        "3",
    ]
    assert main(asked) == 0
    assert "1 fouls" in capsys.readouterr().out
    (game,) = load_games(tmp_path)
    assert game.turns[0].violations == ("gap",)
    assert game.source.stat().st_size > 0
    assert main(asked) == 0
    assert capsys.readouterr().out == ""
    missing = [*asked[:2], "--kind", "cutout", "--photos", str(tmp_path / "nowhere")]
    assert main(missing) == 2
    assert str(tmp_path) in capsys.readouterr().err
