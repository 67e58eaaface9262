"""Keeping a match: the log is the game."""

from __future__ import annotations

import dataclasses
import json
import random
from collections import Counter
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from legal_games import Game

from referee import parse_table, parse_tiles
from referee.events import (
    Correct,
    Count,
    Deal,
    Declare,
    Draw,
    DrawForStart,
    Event,
    EventError,
    Pass,
    Play,
    Racks,
    StartMatch,
    TakeOver,
    TimeOut,
    event_from_json,
    event_to_json,
    export_log,
    import_log,
)
from referee.game import correction, replay
from referee.gamelog import GameLog
from referee.gamestate import GameState, replay_json

START: list[Event] = [StartMatch(("Ann", "Ben"), "ru"), Deal(0, t_s=0)]
THIRTY = "R10 B10 K10"


def last(*events: Event, start: list[Event] = START) -> tuple[str, list[str]]:
    outcome = replay([*start, *events]).outcomes[-1]
    return outcome.verdict, [problem.code for problem in outcome.problems]


def test_the_deal() -> None:
    state = replay(START).state
    assert (state.phase, state.turn, state.racks, state.pool) == ("playing", 0, (14, 14), 106 - 28)
    assert state.tiles == 106


@pytest.mark.parametrize(
    ("edition", "rules", "players", "total"), [("xp", (), 6, 160), ("ru", (("rack_size", 16),), 4, 106)]
)
def test_other_boxes(edition: str, rules: tuple[tuple[str, int], ...], players: int, total: int) -> None:
    names = tuple("abcdef"[:players])
    state = replay([StartMatch(names, edition, rules), Deal(1)]).state
    assert state.tiles == total
    assert sum(state.racks) + state.pool == total


def test_who_starts() -> None:
    match: Event = StartMatch(("Ann", "Ben", "Cas"), "ru")
    assert replay([match, DrawForStart(("R7", "B12", "K3")), Deal()]).state.turn == 1
    tie = [match, DrawForStart(("R12", "B12", "K3"))]
    assert replay(tie).state.drawing == (0, 1)
    assert replay([*tie, DrawForStart(("R2", "B5")), Deal()]).state.turn == 1
    assert last(DrawForStart(("R2", "B5", "K9")), start=tie)[0] == "illegal"
    assert last(Deal(), start=tie) == ("illegal", ["no-starter"])
    assert replay([match, DrawForStart(("J", "B12", "K3"))]).outcomes[-1].verdict == "ask"


def test_turns_go_round() -> None:
    state = replay([*START, Draw(0), Play(1, THIRTY), Draw(0), Play(1, f"{THIRTY} O10")]).state
    assert (state.turn, state.racks, state.pool) == (0, (16, 14 - 4), 106 - 28 - 2)
    assert state.opened == (False, True)
    assert str(state.table) == "R10 B10 K10 O10"
    assert last(Draw(1)) == ("illegal", ["not-your-turn"])


def test_a_faulty_play_changes_nothing() -> None:
    assert last(Play(0, "R9 B9 K9")) == ("illegal", ["opening-too-low"])
    state = replay([*START, Play(0, "R9 B9 K9")]).state
    assert (state.turn, str(state.table), state.racks) == (0, "", (14, 14))
    assert last(Play(0, "R9 B9 K9", ruling="legal")) == ("legal", [])
    assert last(Play(0, THIRTY, ruling="illegal")) == ("illegal", ["ruled-illegal"])
    assert last(Play(0, "")) == ("illegal", ["no-play"])


def test_a_question_counts_until_it_is_ruled_otherwise() -> None:
    played = replay([*START, Play(0, "R10 R12 R11")])
    assert played.outcomes[-1].verdict == "ask"
    assert str(played.state.table) == "R10 R12 R11"
    assert last(Play(0, "R10 R12 R11", ruling="legal")) == ("legal", [])


def test_no_more_than_the_rack_holds() -> None:
    small: list[Event] = [StartMatch(("Ann", "Ben"), "ru", (("rack_size", 2),)), Deal(0)]
    assert last(Play(0, THIRTY), start=small) == ("illegal", ["more-than-rack"])
    assert "rack-size-differs" in last(Play(0, THIRTY, rack="R10 B10 K10 O1"))[1]


def test_going_out_and_scoring() -> None:
    three: list[Event] = [StartMatch(("Ann", "Ben"), "ru", (("rack_size", 3),)), Deal(0)]
    out = [*three, Declare(0), Play(0, THIRTY)]
    state = replay(out).state
    assert (state.phase, state.out, state.turn) == ("ended", 0, None)
    scored = replay([*out, Racks(("", "J R5 B2"))])
    assert scored.state.results[0].scores == (37, -37)
    assert scored.state.phase == "set-up"
    assert scored.state.standing is not None
    assert scored.state.standing.leader == 0
    assert last(Racks(("", "J R5")), start=out) == ("legal", ["rack-size-differs"])
    assert last(Racks(("", "J R5 B?")), start=out)[0] == "ask"
    assert last(Racks(("", "J J J")), start=out) == ("legal", ["too-many-copies-shown"])
    assert last(Racks(("R4", "J R5 B2")), start=out) == ("legal", ["out-holds-tiles"])
    assert last(Racks(("",)), start=out) == ("illegal", ["wrong-number-of-racks"])
    assert last(Draw(1), start=out) == ("illegal", ["not-playing"])


def test_rummikub_called_too_early() -> None:
    assert last(Declare(0), Play(0, THIRTY)) == ("legal", ["declared-too-early"])


def emptied(edition: str, players: int = 4) -> list[Event]:
    """A game in which the pool runs dry at once: everyone holds nearly all there is."""
    names = tuple("abcd"[:players])
    size = {4: 20, 2: 20}[players]
    house = (("rack_size", size), ("copies", 2 if players == 4 else 1), ("draw", 3))
    start: list[Event] = [StartMatch(names, edition, house), Deal(0)]
    pool = replay(start).state.pool
    return [*start, *(Draw(at % players) for at in range(-(-pool // 3)))]


@pytest.mark.parametrize(("edition", "turns"), [("he", 4), ("ru", 4), ("ua", 4), ("pressman", 4)])
def test_e11_the_pool_runs_dry(edition: str, turns: int) -> None:
    """HE: one turn each; RU, UA, PW: until four passes in a row. A play in between tells them apart."""
    start = emptied(edition)
    state = replay(start).state
    assert (state.pool, state.phase) == (0, "playing")
    first = state.turn
    assert first is not None
    assert last(Draw(first), start=start) == ("illegal", ["pool-empty"])
    passes: list[Event] = [Pass((first + at) % 4) for at in range(turns)]
    assert replay([*start, *passes]).state.phase == "ended"
    assert replay([*start, *passes[:-1]]).state.phase == "playing"
    played: list[Event] = [passes[0], passes[1], Play((first + 2) % 4, THIRTY), passes[3]]
    assert replay([*start, *played]).state.phase == ("ended" if edition == "he" else "playing")


def test_e08_level_racks_are_settled_by_the_players() -> None:
    start = emptied("ru")
    first = replay(start).state.turn or 0
    start += [Pass((first + at) % 4) for at in range(4)]
    racks = ("R7", "B7", "R13", "B13 K1")
    assert replay([*start, Racks(racks)]).outcomes[-1].verdict == "ask"
    settled = replay([*start, Racks(racks, winner=1)])
    assert settled.state.results[0].scores == (0, 13, -6, -7)
    assert settled.state.results[0].winner == 1


def test_passing_needs_an_empty_pool() -> None:
    assert last(Pass(0)) == ("illegal", ["pool-not-empty"])


def test_time_outs() -> None:
    opened = [*START, Play(0, THIRTY, t_s=20)]
    state = replay([*opened, TimeOut(1, f"{THIRTY} | B1 B2", t_s=80)]).state
    assert (str(state.table), state.racks, state.pool, state.turn) == (THIRTY, (11, 15), 77, 0)
    stands = replay([*START, TimeOut(0, THIRTY)]).state
    assert (stands.racks, str(stands.table)) == ((11, 14), THIRTY)
    assert stands.opened == (True, False)
    strays = replay([*opened, TimeOut(1, "R10 B10 | K10 K9", known=False, own="K9")]).state
    assert (str(strays.table), strays.racks, strays.pool) == ("", (11, 17), 78 + 3 - 3)
    assert strays.tiles == 106


def test_a_penalty_that_no_sheet_gives() -> None:
    start: list[Event] = [StartMatch(("Ann", "Ben"), "pressman"), Deal(0)]
    assert replay([*start, TimeOut(0, "B1 B2")]).outcomes[-1].verdict == "ask"
    answered = replay([*start, TimeOut(0, "B1 B2", penalty=3)])
    assert (answered.outcomes[-1].verdict, answered.state.racks) == ("legal", (17, 14))


def test_the_clock() -> None:
    assert last(Draw(0, t_s=61)) == ("legal", ["overtime"])
    assert last(Draw(0, t_s=60)) == ("legal", [])
    assert replay([*START, Draw(0, t_s=30)]).state.seconds_left(40) == 50


def test_counting() -> None:
    assert last(Count("pool", 78)) == ("legal", [])
    assert last(Count("pool", 77)) == ("illegal", ["count-differs"])
    assert last(Count("rack", 14, 1)) == ("legal", [])
    assert last(Count("rack", 14)) == ("illegal", ["whose-rack"])


def test_a_tile_lost_by_ruling_is_reported() -> None:
    events = [*START, Play(0, THIRTY), Play(1, "R10 B10 | B1 B2 B3", ruling="legal")]
    outcome = replay(events).outcomes[-1]
    assert "not-conserved" in [problem.code for problem in outcome.problems]
    assert outcome.problems[-1].message.endswith("hold 105 tiles together, and the box has 106.")


# --- the River variant ------------------------------------------------------------------------------------

RIVER: list[Event] = [StartMatch(("Ann", "Ben"), "pressman", variant="river"), Deal(0)]


def test_v01_draw_two_and_discard_one() -> None:
    state = replay([*RIVER, Draw(0, discard="K5"), Draw(1, discard="O2")]).state
    assert (state.pool, state.racks) == (78 - 4, (15, 15))
    assert list(map(str, state.river)) == ["K5", "O2"]
    assert state.tiles == 106
    assert last(Draw(0), start=RIVER) == ("illegal", ["wrong-discard"])
    assert last(Draw(0, discard="K5")) == ("illegal", ["wrong-discard"])


def test_v02_taking_up_the_river() -> None:
    laid: list[Event] = [
        *RIVER,
        Draw(0, discard="O2"),
        Draw(1, discard="K10"),
        Draw(0, discard="B3"),
    ]
    state = replay([*laid, Play(1, THIRTY, river_from=1)]).state
    assert list(map(str, state.river)) == ["O2"]
    assert state.racks == (16, 15 - 2 + 1)  # two of its own tiles laid, B3 taken up, the key played
    assert (state.turn, state.tiles) == (0, 106)
    assert last(Play(1, "R10 B10 O10", river_from=1), start=laid) == ("illegal", ["key-not-played"])
    assert last(Play(1, THIRTY, river_from=3), start=laid) == ("illegal", ["no-such-river-tile"])
    assert last(Play(0, THIRTY, river_from=0)) == ("illegal", ["no-such-river-tile"])
    # What is taken beyond the key goes to the rack unplayed.
    rack = " ".join(["R10 B10", *["R1"] * 13])
    assert last(Play(1, f"{THIRTY} | B3 R3 O3", rack=rack, river_from=1), start=laid)[0] == "illegal"
    assert last(Play(1, THIRTY, rack=rack, river_from=1), start=laid) == ("legal", [])


# --- corrections ------------------------------------------------------------------------------------------


def test_a_misread_tile_is_corrected_and_what_follows_is_judged_anew() -> None:
    log = [*START, Play(0, "R10 B10 K9"), Play(0, THIRTY), Play(1, f"{THIRTY} O10")]
    assert [outcome.verdict for outcome in replay(log).outcomes[2:]] == ["illegal", "legal", "illegal"]
    fix = Correct(4, Play(1, f"{THIRTY} | R11 B11 K11"))
    (change,) = correction(log, fix)
    assert (change.number, change.before.verdict, change.after.verdict) == (4, "illegal", "legal")
    assert replay([*log, fix]).state.opened == (True, True)


def test_an_event_that_never_happened() -> None:
    log = [*START, Draw(0), Draw(1), Draw(0)]
    changes = correction(log, Correct(2, None))
    assert [(change.number, change.after.verdict) for change in changes] == [(3, "illegal")]
    assert replay([*log, Correct(2, None)]).state.racks == (15, 14)


@pytest.mark.parametrize("fix", [Correct(9, None), Correct(3, None), Correct(0, Correct(0, None))])
def test_what_cannot_be_corrected(fix: Correct) -> None:
    assert last(Correct(2, None), fix, start=[*START, Draw(0)]) == ("illegal", ["nothing-to-correct"])


# --- the log ----------------------------------------------------------------------------------------------


def whole_match(seed: int) -> list[Event]:
    """A random legal game as events, shown racks and all."""
    game = Game(random.Random(seed))
    events: list[Event] = [StartMatch(("Ann", "Bén", "Кот"), "ru", (("turn_seconds", None),)), Deal(0)]
    for at, turn in enumerate(game.turns()):
        seat = at % 3
        rack = " ".join(turn.rack)
        events.append(Play(seat, turn.after, rack, t_s=at * 7.5) if turn.played else Draw(seat, t_s=at * 7.5))
    return events


@pytest.mark.parametrize("seed", [1])
def test_a_whole_game_is_kept_and_conserved(seed: int) -> None:
    events = whole_match(seed)
    kept = replay(events)
    assert {outcome.verdict for outcome in kept.outcomes} == {"legal"}
    assert not any(outcome.problems for outcome in kept.outcomes)
    assert kept.state.tiles == 106
    for upto in range(2, len(events), 9):
        assert replay(events[:upto]).state.tiles == 106


def test_export_and_import_are_exact() -> None:
    events = whole_match(3)
    text = export_log(events)
    assert import_log(text) == tuple(events)
    assert export_log(import_log(text)) == text
    one, other = (json.dumps(replay_json(replay(log))) for log in (events, import_log(text)))
    assert one == other
    assert replay(import_log(text)).state == replay(events).state


def test_a_replay_tells_the_whole_state() -> None:
    plain = replay_json(replay([*START, Play(0, THIRTY), Play(1, "R1 B1 K1")]))
    assert (plain["table"], plain["racks"], plain["turn"]) == (THIRTY, [11, 14], 1)
    assert plain["outcomes"][-1]["problems"][0]["code"] == "tile-vanished"
    told = {f.name for f in dataclasses.fields(GameState)} - {"rules"}
    assert told <= set(plain)


def test_notation_is_made_canonical() -> None:
    (event,) = import_log(export_log([Play(0, "B4.B5.B6|k8 r8 J", rack="b1.B2")]))
    assert event == Play(0, "B4 B5 B6 | K8 R8 J", rack="B1 B2")


names = st.text(min_size=1, max_size=5)
seats = st.integers(0, 5)
times = st.none() | st.integers(0, 9999) | st.floats(0, 9999)
texts = st.sampled_from(["", "B4 B5 B6", "R3 B3 J | ?? ~B6", "R3 R4#1 R5 | R4#1 K4 B4"])
racks = st.sampled_from(["", "B4", "J R5 B?"])
rulings = st.sampled_from([None, "legal", "illegal"])
plain_events = st.one_of(
    st.builds(
        StartMatch, st.lists(names, max_size=4).map(tuple), names, st.just((("jokers", 4),)), st.none() | names
    ),
    st.builds(DrawForStart, st.lists(racks, max_size=3).map(tuple), st.none() | st.lists(seats).map(tuple)),
    st.builds(Deal, st.none() | seats, times),
    st.builds(Play, seats, texts, st.none() | racks, st.none() | seats, rulings, times),
    st.builds(Draw, seats, st.none() | racks, times),
    st.builds(Pass, seats, rulings, times),
    st.builds(TimeOut, seats, texts, st.booleans(), racks, st.none() | seats, rulings, times),
    st.builds(Declare, seats, times),
    st.builds(Racks, st.lists(racks, max_size=4).map(tuple), st.none() | seats),
    st.builds(
        Count, st.sampled_from(["pool", "rack", "river"]), st.integers(0, 106), st.none() | seats, st.booleans()
    ),
    st.builds(
        TakeOver,
        texts,
        seats,
        st.lists(st.booleans(), min_size=2, max_size=4).map(tuple),
        st.none() | st.lists(st.integers(0, 20), min_size=2, max_size=4).map(tuple),
        st.none() | st.integers(0, 106),
        times,
    ),
)
events = plain_events | st.builds(Correct, st.integers(0, 12), st.none() | plain_events)


@given(events)
def test_events_go_to_json_and_back(event: Event) -> None:
    assert event_from_json(json.loads(json.dumps(event_to_json(event)))) == event


@settings(max_examples=80)
@given(st.lists(events, max_size=12))
def test_any_log_replays_and_exports_exactly(log: list[Event]) -> None:
    text = export_log([*START, *log])
    read = import_log(text)
    assert export_log(read) == text
    first, second = replay([*START, *log]), replay(read)
    assert first.state == second.state
    assert len(first.outcomes) == len(log) + 2
    for outcome in first.outcomes:
        assert bool(outcome.problems) or outcome.verdict != "illegal"
        for told in (*outcome.problems, *outcome.questions):
            assert told.message.endswith((".", "?"))


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("", "line 1"),
        ('{"format":"tileref-game","version":2}\n', "line 1"),
        ("no\n", "line 1: this is not JSON"),
    ],
)
def test_what_is_no_log(text: str, says: str) -> None:
    with pytest.raises(EventError, match=says):
        import_log(text)


@pytest.mark.parametrize(
    ("line", "says"),
    [
        ("[]", "a JSON object"),
        ('{"event":"jump"}', "no event 'jump'"),
        ('{"event":"draw"}', "needs the field 'seat'"),
        ('{"event":"draw","seat":0,"tiles":1}', "no field 'tiles'"),
        ('{"event":"draw","seat":-1}', "seat of draw"),
        ('{"event":"draw","seat":null}', "seat of draw"),
        ('{"event":"draw","seat":true}', "seat of draw"),
        ('{"event":"play","seat":0,"table":"G4"}', "'G4' is not a tile"),
        ('{"event":"play","seat":0,"table":null}', "table of play"),
        ('{"event":"play","seat":0,"table":"","ruling":"maybe"}', "ruling of play"),
        ('{"event":"count","what":"box","tiles":3}', "what of count"),
        ('{"event":"deal","t_s":-1}', "t_s of deal"),
        ('{"event":"start-match","players":["\\ud800"],"edition":"ru"}', "players of start-match"),
    ],
)
def test_what_is_no_event(line: str, says: str) -> None:
    with pytest.raises(EventError, match="line 2") as raised:
        import_log(export_log([]) + line + "\n")
    assert says in str(raised.value)


def test_the_log_on_disk(tmp_path: Path) -> None:
    path = tmp_path / "game.jsonl"
    match = whole_match(4)[:20]
    with GameLog(path) as log:
        for event in match[:10]:
            log.append(event)
        assert path.read_text("utf-8") == export_log(match[:10])  # on disk with every event
    with GameLog(path) as log:
        assert log.events == tuple(match[:10])
        for event in match[10:]:
            log.append(event)
    assert path.read_text("utf-8") == export_log(match)


def test_a_line_cut_off_by_a_crash_is_dropped(tmp_path: Path) -> None:
    path = tmp_path / "game.jsonl"
    whole = export_log([*START, Draw(0)])
    for cut in (5, len(whole) - 3, len(whole) - 1):
        path.write_text(whole[:cut], "utf-8")
        with GameLog(path) as log:
            log.append(Draw(1))
        assert import_log(path.read_text("utf-8"))[-1] == Draw(1)


def test_a_file_that_is_no_log_is_left_alone(tmp_path: Path) -> None:
    for text in ("shopping list", "shopping\nlist\n"):
        path = tmp_path / "other.txt"
        path.write_text(text, "utf-8")
        with pytest.raises(EventError, match=r"line 1|no log"):
            GameLog(path)
        assert path.read_text("utf-8") == text


def test_an_event_that_cannot_be_is_not_written(tmp_path: Path) -> None:
    with GameLog(tmp_path / "game.jsonl") as log:
        with pytest.raises(EventError, match="is not a tile"):
            log.append(Play(0, "G4"))
        assert log.events == ()


def test_racks_of_the_random_game_agree_with_the_log() -> None:
    game = Game(random.Random(9))
    events: list[Event] = [StartMatch(("a", "b", "c"), "ru"), Deal(0)]
    for at, turn in enumerate(game.turns()):
        events.append(Play(at % 3, turn.after) if turn.played else Draw(at % 3))
    state = replay(events).state
    assert state.racks == tuple(map(len, game.racks))
    laid = Counter(map(str, state.table.tiles()))
    assert laid == Counter(map(str, parse_table(turn.after).tiles()))
    assert len(parse_tiles(" ".join(game.racks[0]))) == state.racks[0]


def test_refereeing_begins_in_mid_game() -> None:
    start = StartMatch(("Ann", "Bo"), "ru")
    over = TakeOver("B4 B5 B6", 1, (False, True), (14, 9))
    kept = replay([start, over, Play(1, "B4 B5 B6 B7")])
    assert [outcome.verdict for outcome in kept.outcomes[1:]] == ["legal", "legal"]
    assert kept.state.racks == (14, 8)
    assert kept.state.pool == 106 - 3 - 14 - 9
    assert kept.state.turn == 0


def test_a_count_that_is_agreed_on_holds() -> None:
    start = [StartMatch(("Ann", "Bo"), "ru"), Deal(0)]
    told = replay([*start, Count("rack", 16, 0)])
    assert (told.outcomes[-1].verdict, told.state.racks) == ("illegal", (14, 14))
    agreed = replay([*start, Count("rack", 16, 0, agreed=True)])
    assert (agreed.outcomes[-1].verdict, agreed.state.racks) == ("legal", (16, 14))
    assert agreed.state.tiles == told.state.tiles


def test_a_pass_that_is_ruled_legal_counts_though_the_pool_was_thought_full() -> None:
    start = [StartMatch(("Ann", "Bo"), "ru"), Deal(0)]
    assert replay([*start, Pass(0)]).state.turn == 0
    assert replay([*start, Pass(0, ruling="legal")]).state.turn == 1
