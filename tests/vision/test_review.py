"""Reviewing a recording: what is kept, what is told, and going on after an interruption."""

from __future__ import annotations

import csv
import json
import math
import re
from collections.abc import Callable, Sequence
from html.parser import HTMLParser
from pathlib import Path

import pytest
from review_support import ScriptedRecording, ScriptedWatcher, a_game, lying_table, turn

from referee import Event, GameLog, import_log, parse_table, replay
from vision.review.folder import ReviewError, ReviewFolder, turns_csv
from vision.review.pictures import turn_window
from vision.review.racks import RacksError, read_racks
from vision.review.report import clock, report_html
from vision.review.run import Progress, Review, ReviewJob, StoppedError
from vision.review.signals import SignalsError, read_signals
from vision.review.summary import Summary
from vision.review.turn import ReviewedTurn, reviewed
from vision.watch.setup import WatchSetup
from vision.watch.types import Signal

SETUP = WatchSetup(("Ann", "Борис"))
GAME = a_game(SETUP)


class Table:
    """A place to review the scripted game, again and again."""

    def __init__(self, folder: Path, setup: WatchSetup = SETUP) -> None:
        self.folder = folder
        self.setup = setup
        self.watchers: list[ScriptedWatcher] = []
        self.told: list[ReviewedTurn] = []

    def review(
        self,
        *,
        signals: tuple[Signal, ...] = (),
        from_s: float = 0.0,
        to_s: float = math.inf,
        cut_off: bool = False,
        fresh: bool = False,
        stopped: Callable[[], bool] = lambda: False,
        told: Callable[[ReviewedTurn], None] | None = None,
        progressed: Callable[[Progress], None] = lambda progress: None,
    ) -> Review:
        def make_watcher(setup: WatchSetup, events: Sequence[Event]) -> ScriptedWatcher:
            self.watchers.append(ScriptedWatcher(setup, a_game(setup), events))
            return self.watchers[-1]

        return Review(
            ReviewJob(
                "game.mp4",
                self.folder,
                self.setup,
                signals,
                fresh=fresh,
                keep_places=True,
                from_s=from_s,
                to_s=to_s,
            ),
            lambda recording, start_s: ScriptedRecording(14.0, start_s, cut_off=cut_off),
            make_watcher,
            told=told or self.told.append,
            progressed=progressed,
            stopped=stopped,
        )

    def run(self, **options: bool) -> Summary:
        return self.review(**options).run()  # type: ignore[arg-type]

    def kept(self) -> tuple[str, str, list[str]]:
        """Log, turns and places as they lie in the folder."""
        places = (self.folder / "seen.jsonl").read_text("utf-8").splitlines()
        return (
            (self.folder / "game.json").read_text("utf-8"),
            (self.folder / "turns.csv").read_text("utf-8"),
            places,
        )


@pytest.fixture
def table(tmp_path: Path) -> Table:
    return Table(tmp_path / "review")


def test_a_review_leaves_log_turns_and_report(table: Table) -> None:
    summary = table.run()
    assert (summary.turns, summary.fouls, summary.questions, summary.finished) == (6, 1, 1, True)
    events = import_log((table.folder / "game.json").read_text("utf-8"))
    assert replay(events).state.players == SETUP.players
    rows = list(csv.DictReader((table.folder / "turns.csv").read_text("utf-8").splitlines()))
    assert [row["verdict"] for row in rows] == ["legal", "illegal", "legal", "legal", "legal", "ask"]
    assert rows[1]["violations"] == "too-few opening-too-low"
    assert rows[5]["questions"] == "doubtful-tile"
    assert rows[3]["inferred"] == "yes"
    assert rows[0]["opening_points"] == "33"
    assert (table.folder / "report.html").stat().st_size > 10_000
    assert len(list((table.folder / "pictures").glob("turn-*.jpg"))) == 12


def test_a_turns_line_has_the_agreed_keys(table: Table) -> None:
    summary = table.run()
    lines = [json.loads(json.dumps(turn.line())) for turn in table.told]
    assert list(lines[0]) == [
        "turn",
        "player",
        "start_s",
        "end_s",
        "action",
        "inferred",
        "before",
        "after",
        "played",
        "verdict",
        "violations",
        "questions",
    ]
    assert lines[1]["violations"] == ["too-few", "opening-too-low"]
    assert lines[1]["played"] == ["R9", "K9", "O9", "J"]
    assert lines[5]["questions"] == [
        {
            "code": "doubtful-tile",
            "message": "One tile reads as B11/B12. Which tile is it?",
            "answers": ["B11", "B12"],
        }
    ]
    last = summary.line()["summary"]
    assert last["turns"] == 6
    assert last["frames"] == 141
    assert last["video_s"] == 14.0
    assert [player["tiles"] for player in last["players"]] == [4, 3]


def test_turns_are_kept_as_json_and_come_back_the_same(table: Table) -> None:
    table.run()
    for turn_ in table.told:
        assert ReviewedTurn.from_json(json.loads(json.dumps(turn_.to_json()))) == turn_


def marked(turn_: ReviewedTurn, mark: str, *, before: bool = False) -> list[str]:
    sets = turn_.sets_before if before else turn_.sets_after
    return [tile.text for one in sets for tile in one if mark in tile.marks]


def test_new_gone_faulty_and_doubtful_tiles_are_marked(table: Table) -> None:
    table.run()
    foul, restored, _, added, asked = table.told[1:]
    assert marked(foul, "new") == ["R9", "K9", "O9", "J"]
    assert marked(foul, "fault") == ["R9", "K9", "O9", "J"]
    assert marked(restored, "gone", before=True) == ["R9", "K9", "O9", "J"]
    assert marked(added, "new") == ["O11"]
    assert marked(asked, "doubt") == ["B11/B12"]
    assert marked(asked, "fault") == []
    assert foul.put_back == tuple(f"Take {tile} from {lies} back to the rack." for tile, lies in _plan())
    assert restored.put_back == ()
    places = [tile.corners_xy for one in foul.sets_after for tile in one]
    assert all(len(corners) == 4 and all(0 <= v <= 1 for c in corners for v in c) for corners in places)


def _plan() -> list[tuple[str, str]]:
    return [("R9", "R9 K9 O9"), ("K9", "K9 O9"), ("O9", "O9"), ("J", "J")]


def test_only_the_set_at_fault_is_marked() -> None:
    record = turn(1, 0, 2.0, "play", "B4 B5 B6", "B4 B5 B6 | R9 K9", setup=SETUP)
    assert marked(reviewed(record, SETUP.players, SETUP.rules), "fault") == ["R9", "K9"]


def test_covered_tiles_stay_and_doubtful_ones_make_no_plan() -> None:
    covered = turn(1, 0, 2.0, "play", "B4 B5 B6", "B4 ~B5 B6 | R9 K9", setup=SETUP)
    plan = reviewed(covered, SETUP.players, SETUP.rules).put_back
    assert plan == ("Take R9 from R9 K9 back to the rack.", "Take K9 from K9 back to the rack.")
    doubtful = turn(1, 0, 2.0, "play", "B4 B5/B6 B6", "B4 B5 B6 | R9 K9", setup=SETUP)
    kept = reviewed(doubtful, SETUP.players, SETUP.rules)
    assert (kept.verdict, kept.put_back) == ("illegal", ())


def test_a_tile_that_only_moved_is_not_new(table: Table) -> None:
    """Two tiles alike: the key says which of them came."""
    record = turn(1, 0, 2.0, "play", "B4 B5 B6", "B3 B4 B5 B6 | B4 R4 K4", setup=SETUP)
    kept = reviewed(record, SETUP.players, SETUP.rules)
    assert sorted(marked(kept, "new")) == ["B3", "B4", "K4", "R4"]
    assert kept.sets_after[0][0].corners_xy == ()  # without a window there are no places


# --- stopping and going on -------------------------------------------------------------------------------


def after(frames: int) -> Callable[[], bool]:
    """Stops a review after so many frames."""
    left = [frames]

    def stopped() -> bool:
        left[0] -= 1
        return left[0] < 0

    return stopped


@pytest.mark.parametrize("frames", [0, 19, 20, 21, 39, 40, 41, 55, 60, 61, 79, 99, 100, 119, 121, 139])
def test_a_stopped_review_goes_on_to_the_same_end(tmp_path: Path, frames: int) -> None:
    whole = Table(tmp_path / "whole")
    whole.run()
    table = Table(tmp_path / "stopped")
    with pytest.raises(StoppedError):
        table.review(stopped=after(frames)).run()
    so_far = replay(import_log((table.folder / "game.json").read_text("utf-8")))
    assert len(so_far.outcomes) <= 7
    assert "not finished" in (table.folder / "report.html").read_text("utf-8")
    again = table.review()
    assert again.resumed == (frames >= 20)
    summary = again.run()
    assert table.kept() == whole.kept()
    assert summary.turns == 6
    assert [t.turn for t in again.state.turns] == [1, 2, 3, 4, 5, 6]
    if again.resumed:
        assert table.watchers[-1].events  # the watcher was told what the log holds


def test_a_review_never_goes_on_between_a_foul_and_its_put_back(table: Table) -> None:
    with pytest.raises(StoppedError):
        table.review(stopped=after(50)).run()
    assert [t.verdict for t in table.told] == ["legal", "illegal"]
    again = table.review()
    assert len(again.state.turns) == 1
    assert again.start_s == 2.0


class _PowerCut(Exception):
    pass


@pytest.mark.parametrize("fatal", [1, 2, 4, 6])
def test_a_crash_in_the_middle_of_a_turn_loses_nothing(tmp_path: Path, fatal: int) -> None:
    whole = Table(tmp_path / "whole")
    whole.run()
    table = Table(tmp_path / "crashed")

    def crash(turn_: ReviewedTurn) -> None:
        if turn_.turn == fatal:
            raise _PowerCut

    with pytest.raises(_PowerCut):
        table.review(told=crash).run()
    table.run()
    assert table.kept() == whole.kept()


def test_only_the_same_recording_by_the_same_options_goes_on(table: Table) -> None:
    with pytest.raises(StoppedError):
        table.review(stopped=after(60)).run()
    assert table.review(fresh=True).resumed is False
    with pytest.raises(StoppedError):
        table.review(stopped=after(60)).run()
    table.setup = WatchSetup(("Ann", "Cy"))
    assert table.review().resumed is False
    table.run()
    assert table.review().resumed is False  # a finished review is made anew


def test_a_damaged_state_begins_anew(table: Table) -> None:
    with pytest.raises(StoppedError):
        table.review(stopped=after(60)).run()
    (table.folder / "review.json").write_text('{"version": 1, "turns": [3', encoding="utf-8")
    again = table.review()
    assert again.resumed is False
    assert again.run().turns == 6


def test_the_log_of_a_game_watched_live_is_never_overwritten(table: Table) -> None:
    table.folder.mkdir()
    with GameLog(table.folder / "game.json") as log:
        log.append(SETUP.start)
    for fresh in (False, True):
        with pytest.raises(ReviewError, match="watched live"):
            table.review(fresh=fresh)
    assert len(import_log((table.folder / "game.json").read_text("utf-8"))) == 1


def test_a_recording_that_cannot_be_opened_leaves_no_folder(tmp_path: Path) -> None:
    def refuse(recording: str, start_s: float) -> ScriptedRecording:
        raise ReviewError("There is no such recording.")

    job = ReviewJob("gone.mp4", tmp_path / "review", SETUP)
    review = Review(job, refuse, lambda setup, events: ScriptedWatcher(setup, []))
    with pytest.raises(ReviewError, match="no such recording"):
        review.run()
    assert not (tmp_path / "review").exists()


# --- notices, signals, progress --------------------------------------------------------------------------


def test_a_recording_that_is_cut_off_counts_and_says_so(table: Table) -> None:
    summary = table.run(cut_off=True)
    assert summary.turns == 6
    assert summary.cut_off
    assert "The recording ends in the middle" in (table.folder / "report.html").read_text("utf-8")


def test_signals_reach_the_watcher_in_time(table: Table) -> None:
    signals = (Signal(3.0, "end-turn"), Signal(7.5, "draw"), Signal(99.0, "pass"))
    seen: list[int] = []
    table.review(
        signals=signals, progressed=lambda progress: seen.append(len(table.watchers[-1].signals))
    ).run()
    assert table.watchers[-1].signals == list(signals)  # also those after the last frame
    assert seen[29:31] == [0, 1]
    assert seen[74:76] == [1, 2]


def test_signal_files(tmp_path: Path) -> None:
    path = tmp_path / "signals.csv"
    path.write_text("t_s,signal\n\n7.5, draw\n3,end-turn\n", encoding="utf-8")
    assert read_signals(path) == (Signal(3.0, "end-turn"), Signal(7.5, "draw"))


@pytest.mark.parametrize("line", ["3", "3,stop", "x,draw", "-1,draw", "nan,draw", "1,draw,2"])
def test_a_bad_signal_is_named_with_its_line(tmp_path: Path, line: str) -> None:
    path = tmp_path / "signals.csv"
    path.write_text(f"t_s,signal\n1,draw\n{line}\n", encoding="utf-8")
    with pytest.raises(SignalsError, match="line 3"):
        read_signals(path)


def test_racks_score_a_game_that_came_to_its_end(tmp_path: Path) -> None:
    """Ann opens with all that she holds; what Борис holds is hers."""
    setup = WatchSetup(("Ann", "Борис"))
    sets = ["R1 R2 R3 R4 R5 R6 R7", "B7 B8 B9 B10 B11 B12 B13"]
    record = turn(1, 0, 2.0, "play", "", " | ".join(sets), setup=setup, opened=False)
    for script, scores, winner in (([record], [13, -13], "Ann"), ([GAME[0]], [None, None], None)):
        job = ReviewJob("game.mp4", tmp_path / str(winner), setup, racks=("", "K13"))
        review = Review(
            job,
            lambda recording, start_s: ScriptedRecording(4.0, start_s),
            lambda setup, events, script=script: ScriptedWatcher(setup, script, events),
        )
        summary = review.run()
        assert [player.score for player in summary.players] == scores
        assert summary.winner == winner
        assert any(notice.code == "not-scored" for notice in summary.notices) == (winner is None)


@pytest.mark.parametrize(
    "text", ["[]", '{"Ann": []}', '{"Ann": [], "Борис": [3]}', '{"Ann": "Q", "Борис": ""}', "{"]
)
def test_racks_that_cannot_be_used(tmp_path: Path, text: str) -> None:
    path = tmp_path / "racks.json"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(RacksError, match=re.escape(str(path))):
        read_racks(path, ("Ann", "Борис"))


def test_racks(tmp_path: Path) -> None:
    path = tmp_path / "racks.json"
    path.write_text('{"Борис": ["R4", "J"], "Ann": "-"}', encoding="utf-8")
    assert read_racks(path, ("Ann", "Борис")) == ("", "R4 J")


def test_the_time_left_follows_from_the_time_taken() -> None:
    assert Progress(30.0, 90.0, 10.0, 0.0, 2).left_s == 20.0
    assert Progress(50.0, 90.0, 5.0, 40.0, 2).left_s == 20.0  # what an earlier run did took no time now
    assert Progress(30.0, None, 10.0, 0.0, 2).left_s is None
    assert Progress(0.0, 90.0, 10.0, 0.0, 0).left_s is None


# --- the report ------------------------------------------------------------------------------------------


class _Page(HTMLParser):
    """Gathers what a page is made of."""

    def __init__(self) -> None:
        super().__init__()
        self.tags: list[str] = []
        self.attributes: list[tuple[str, str]] = []
        self.text: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        self.attributes += [(name, value or "") for name, value in attrs]

    def handle_data(self, data: str) -> None:
        self.text.append(data)


def page_of(text: str) -> _Page:
    page = _Page()
    page.feed(text)
    return page


def test_the_report_needs_nothing_else(table: Table) -> None:
    table.run()
    text = (table.folder / "report.html").read_text("utf-8")
    page = page_of(text)
    assert not {"script", "link", "iframe", "object"} & set(page.tags)
    assert "http://" not in text
    assert "https://" not in text
    for name, value in page.attributes:
        assert not name.startswith("on")
        if name == "src":
            assert value.startswith("data:image/jpeg;base64,")
        if name == "href":
            assert value.startswith("#")
            assert f'id="{value[1:]}"' in text
    assert page.tags.count("img") == 12
    assert page.tags.count("article") == 6


def test_the_report_tells_every_reason_in_words(table: Table) -> None:
    table.run()
    words = " ".join(" ".join(page_of((table.folder / "report.html").read_text("utf-8")).text).split())
    for said in (
        "The opening is worth 27 points, and it takes 30.",
        "J is not enough for a set: a set has at least 3 tiles.",
        "Take R9 from R9 K9 O9 back to the rack.",
        "One tile reads as B11/B12. Which tile is it?",
        "opening of 33 points",
        "inferred",
    ):
        assert said in words


HOSTILE = ("<script>alert(1)</script>", '"><img src=x onerror=alert(2)>', "{{ 7*7 }}", "a\x00b\u202e")


def test_hostile_names_stay_names(tmp_path: Path) -> None:
    table = Table(tmp_path / "review", WatchSetup(HOSTILE))
    table.run()
    text = (table.folder / "report.html").read_text("utf-8")
    page = page_of(text)
    assert "script" not in page.tags
    assert page.tags.count("img") == 12
    assert "{{ 7*7 }}" in text
    assert "\x00" not in text
    assert "\u202e" not in text
    assert HOSTILE[0] in "".join(page.text)


def test_names_are_no_formulas_in_the_csv() -> None:
    record = turn(1, 0, 2.0, "draw", "", "", setup=WatchSetup(("=1+1", "B")))
    kept = reviewed(record, ("=1+1", "B"), SETUP.rules)
    assert turns_csv([kept]).splitlines()[1].startswith("1,'=1+1,")


def test_a_report_without_turns_or_pictures(table: Table) -> None:
    review = table.review()
    summary = review.run()
    review.state.turns = []
    assert "No turn was found" in report_html(review.state, SETUP, summary, table.folder)
    record = turn(1, None, 2.0, "unknown", "B4 B5 B6", "", setup=SETUP)
    review.state.turns = [reviewed(record, SETUP.players, SETUP.rules)]
    assert "Unknown player" in report_html(review.state, SETUP, summary, Path("nowhere"))


def test_a_report_shows_card_faces(table: Table) -> None:
    setup = WatchSetup(("Ann", "Ben"), "cards")
    review = table.review()
    summary = review.run()
    review.state.turns = [
        reviewed(turn(1, 0, 2.0, "play", "", "B11 B12 B13", setup=setup), setup.players, setup.rules)
    ]
    text = "".join(page_of(report_html(review.state, setup, summary, Path("nowhere"))).text)
    assert "J♣Q♣K♣" in "".join(text.split())
    assert "B11" not in text


def test_clock() -> None:
    assert [clock(t_s) for t_s in (0, 59.6, 125, 3725)] == ["0:00", "1:00", "2:05", "1:02:05"]


def test_the_window_holds_all_tiles_and_stays_in_the_picture() -> None:
    record = GAME[5]
    window = turn_window(record)
    assert window is not None
    left, top, width, height = window
    assert record.lying_after is not None
    for tile in lying_table(0, parse_table(str(record.after))).tiles:
        assert (tile.corners_xy_px >= (left, top)).all()
        assert (tile.corners_xy_px <= (left + width, top + height)).all()
    assert left >= 0
    assert top >= 0
    assert left + width <= 640
    assert top + height <= 360


def test_the_folder_must_be_one(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("x", encoding="utf-8")
    with pytest.raises(ReviewError, match=re.escape(str(tmp_path / "file"))):
        ReviewFolder(tmp_path / "file")


def test_only_the_game_itself_is_looked_at(table: Table) -> None:
    """The dealing before it and the packing up after it are on the recording, too."""
    whole = table.review(fresh=True)
    whole.run()
    ends_s = [turn.end_s for turn in table.told]
    table.told.clear()
    presses = tuple(Signal(t_s, "end-turn") for t_s in (1.0, ends_s[2], 13.5))
    part = table.review(signals=presses, from_s=ends_s[0] + 0.05, to_s=ends_s[3] + 0.05)
    summary = part.run()
    assert not part.resumed, "another stretch is another review"
    assert [turn.end_s for turn in table.told] == ends_s[1:4]
    assert [signal.t_s for signal in table.watchers[-1].signals] == [ends_s[2]]
    assert summary.watched_s == pytest.approx(ends_s[3] - ends_s[0], abs=0.2)
    assert summary.finished


def test_a_stretch_that_the_recording_does_not_show_is_one_sentence(table: Table) -> None:
    with pytest.raises(ReviewError, match="shows nothing from second 900 on"):
        table.review(from_s=900.0).run()
