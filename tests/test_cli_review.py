"""``tileref review`` and ``tileref watch``: what they print, write and return."""

from __future__ import annotations

import csv
import json
import os
import signal
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from review_support import ScriptedRecording, ScriptedWatcher, a_game

from referee import Event, GameLog, Inventory, Play, StartMatch, TakeOver, import_log
from tileref.cli import main
from tileref.commands.review import progress_line
from vision.av_adapter import VideoWriter
from vision.errors import SourceError
from vision.picture import Picture
from vision.readings import PhotoReading
from vision.review import work
from vision.review.run import Progress
from vision.settings import ReadSettings
from vision.sources import open as opening
from vision.sources.open import SourceOptions
from vision.watch import watcher
from vision.watch.setup import WatchSetup

GAME = ("--players", "Ann,Борис")


class BlankReader:
    """Sees an empty table; pickle can name it, so it also works in another process."""

    def read(self, picture: Picture, *, quick: bool = False) -> PhotoReading:
        height, width = picture.image_bgr.shape[:2]
        return PhotoReading((width, height), "empty")


def blank_reader(settings: ReadSettings, inventory: Inventory) -> BlankReader:
    return BlankReader()


def scripted_source(text: str, options: SourceOptions | None = None) -> ScriptedRecording:
    if "gone" in text:
        raise SourceError(f"There is no file {text}.")
    return ScriptedRecording(14.0, options.start_s if options else 0.0, cut_off="cut" in text)


def scripted_watcher(
    reader: object, setup: WatchSetup, settings: object, events: Sequence[Event], **others: object
) -> ScriptedWatcher:
    return ScriptedWatcher(setup, a_game(setup), events)


@pytest.fixture
def scripted(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    """Every recording is the scripted game, and the working folder an empty one."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(work, "open_source", scripted_source)
    monkeypatch.setattr(work, "Watcher", scripted_watcher)
    monkeypatch.setattr(opening, "open_source", scripted_source)
    monkeypatch.setattr(watcher, "Watcher", scripted_watcher)
    return tmp_path


def run(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, str, str]:
    status = main(arguments, blank_reader)
    captured = capsys.readouterr()
    return status, captured.out, captured.err


def objects(out: str) -> list[dict[str, Any]]:
    return [json.loads(line) for line in out.splitlines()]


def test_one_object_a_turn_and_the_summary_last(scripted: Path, capsys: pytest.CaptureFixture[str]) -> None:
    status, out, err = run(capsys, "review", "game.mp4", *GAME, "--json")
    *turns, last = objects(out)
    assert status == 1
    assert [turn["verdict"] for turn in turns] == ["legal", "illegal", "legal", "legal", "legal", "ask"]
    assert [turn["turn"] for turn in turns] == [1, 2, 3, 4, 5, 6]
    assert turns[1]["player"] == "Борис"
    assert turns[1]["violations"] == ["too-few", "opening-too-low"]
    assert turns[3]["inferred"] is True
    assert last["summary"]["fouls"] == 1
    assert last["summary"]["finished"] is True
    assert err == ""  # nobody watches: no progress
    assert (scripted / "game-review" / "report.html").exists()


def test_a_person_reads_lines(scripted: Path, capsys: pytest.CaptureFixture[str]) -> None:
    status, out, err = run(capsys, "review", "cut.mp4", *GAME, "--out", "here")
    assert status == 1
    assert "  1  0:00-0:02     Ann: play R11 B11 K11, opening 33: legal" in out
    assert "     Fault: The opening is worth 27 points, and it takes 30." in out
    assert "     To put back: Take R9 from R9 K9 O9 back to the rack." in out
    assert "6 turns, 1 foul, 1 question in 0:14." in out
    assert f"The report is {Path('here') / 'report.html'}." in out
    assert "cut.mp4, 0:14: The recording ends in the middle" in err
    assert sorted(path.name for path in Path("here").iterdir()) == [
        "game.json",
        "pictures",
        "report.html",
        "review.json",
        "turns.csv",
    ]


def test_a_recording_that_cannot_be_used_is_one_sentence(
    scripted: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    status, out, err = run(capsys, "review", "gone.mp4", *GAME, "--json")
    assert (status, err) == (2, "tileref: There is no file gone.mp4.\n")
    assert objects(out) == [{"recording": "gone.mp4", "error": "There is no file gone.mp4."}]
    assert list(scripted.iterdir()) == []


def test_several_recordings_one_after_the_other(scripted: Path, capsys: pytest.CaptureFixture[str]) -> None:
    names = ("a/game.mp4", "gone.mp4", "b/game.mp4")
    status, out, _ = run(capsys, "review", *names, *GAME, "--json", "--jobs", "1", "--out", "all")
    assert status == 2
    told = objects(out)
    assert {one["recording"] for one in told} == set(names)
    assert sum("summary" in one for one in told) == 2
    assert sorted(path.name for path in Path("all").iterdir()) == ["game", "game-2"]


@pytest.mark.parametrize(
    ("wrong", "said"),
    [
        (("--players", "Ann"), "2 to 4 players"),
        (("--players", "Ann,Ann"), "twice"),
        (("--players", "Ann,"), "empty name"),
        (("--players", "A\udcff,B"), "cannot be read"),
        ((*GAME, "--rule", "opening_points=a lot"), "opening_points takes"),
        ((*GAME, "--rule", "luck=5"), "no house rule"),
        ((*GAME, "--turn-time", "0"), "no time for a turn"),
        ((*GAME, "--opened", "Cy"), "no player"),
        ((*GAME, "--area", "0,0", "10,0", "10,10", "here"), "no point"),
        ((*GAME, "--area", "0,0", "10,0", "20,0", "30,0"), "no area"),
        ((*GAME, "--jobs", "0"), "no number of recordings"),
        ((*GAME, "--signals", "gone.csv"), "cannot be read"),
        ((*GAME, "--from", "soon"), "no time"),
        ((*GAME, "--from", "1:30", "--to", "89"), "ends before it begins"),
    ],
)
def test_wrong_arguments_are_told_in_one_line(
    scripted: Path, capsys: pytest.CaptureFixture[str], wrong: tuple[str, ...], said: str
) -> None:
    try:
        status: object = main(("review", "game.mp4", *wrong), blank_reader)
    except SystemExit as left:
        status = left.code
    err = capsys.readouterr().err
    assert status == 2
    assert said in err
    assert err.count("\n") == 1


def test_the_bundled_game_is_played_by_three(scripted: Path, capsys: pytest.CaptureFixture[str]) -> None:
    status, out, err = run(capsys, "review", "demo", "--players", "Ann,Bo")
    assert (status, out) == (2, "")
    assert err == "tileref: The recorded game has 3 players: say --players Anna,Boris,Clara.\n"
    assert list(scripted.iterdir()) == []


def test_players_rules_and_area_reach_the_watcher(
    scripted: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    setups: list[WatchSetup] = []

    def made(reader: object, setup: WatchSetup, *others: object, **more: object) -> ScriptedWatcher:
        setups.append(setup)
        return ScriptedWatcher(setup, [])

    monkeypatch.setattr(work, "Watcher", made)
    (scripted / "pressed.csv").write_text("3,draw\n", encoding="utf-8")
    wishes = ("--edition", "ua", "--rule", "opening_points=50", "--turn-time", "90", "--button-only")
    area = ("--area", "0,0", "640,0", "640,360", "0,360", "--opened", "Ann", "--signals", "pressed.csv")
    status, _, _ = run(capsys, "review", "game.mp4", *GAME, *wishes, *area)
    assert status == 0
    (setup,) = setups
    assert (setup.rules.opening_points, setup.rules.turn_seconds) == (50, 90)
    assert (setup.edition, setup.automatic, setup.opened) == ("ua", False, (True, False))
    assert setup.area_xy_px is not None
    assert setup.area_xy_px.tolist() == [[0, 0], [640, 0], [640, 360], [0, 360]]


def test_the_progress_tells_the_time_left() -> None:
    one = Progress(30.0, 90.0, 10.0, 0.0, 2)
    assert progress_line([one]) == "0:30 of 1:30 · 33% · 2 turns · 0:20 left"
    assert progress_line([one, Progress(10.0, None, 10.0, 0.0, 0)]) == "0:40 · 2 turns"


SLOW = """
import sys, time
from pathlib import Path
sys.path.insert(0, {tests!r})
import test_cli_review as t
from review_support import ScriptedRecording
from vision.review import work

class Slow(ScriptedRecording):
    def frames(self):
        for frame in super().frames():
            yield frame
            if frame.t_s == 5.0:
                print("middle", file=sys.stderr, flush=True)
            time.sleep(0.1 if {slow} and frame.t_s >= 5.0 else 0)

work.open_source = lambda text, options: Slow(14.0, options.start_s)
work.Watcher = t.scripted_watcher
sys.exit(t.main(["review", "game.mp4", "--players", "Ann,Bo", "--json", "--out", "out"], t.blank_reader))
"""


def test_ctrl_c_keeps_what_is_done_and_the_same_command_goes_on(tmp_path: Path) -> None:
    def begin(slow: bool) -> subprocess.Popen[str]:
        script = SLOW.format(tests=str(Path(__file__).parent), slow=slow)
        root = Path(__file__).resolve().parents[1]
        return subprocess.Popen(
            [sys.executable, "-c", script],
            cwd=tmp_path,
            env={**os.environ, "PYTHONPATH": str(root)},
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            encoding="utf-8",
        )

    first = begin(slow=True)
    assert first.stderr is not None
    assert first.stderr.readline() == "middle\n"
    first.send_signal(signal.SIGINT)
    out, err = first.communicate(timeout=60)
    assert first.returncode == 130
    assert [one["turn"] for one in objects(out)] == [1, 2]
    assert "What is done is kept in out; the same command goes on from there." in err
    assert "Traceback" not in err
    again = begin(slow=False)
    out, err = again.communicate(timeout=60)
    assert "the review goes on at 0:02" in err
    *turns, last = objects(out)
    assert [one["turn"] for one in turns] == [1, 2, 3, 4, 5, 6]  # also those that were kept
    assert last["summary"]["finished"] is True
    assert len(list(csv.DictReader((tmp_path / "out" / "turns.csv").read_text("utf-8").splitlines()))) == 6


def a_film(path: Path) -> str:
    """A bare table for a second."""
    image = np.full((180, 320, 3), (70, 95, 60), np.uint8)
    image[::7, ::5] += 20
    with VideoWriter(path, (320, 180)) as film:
        for number in range(30):
            film.write(number / 30, image)
    return str(path)


def test_real_recordings_side_by_side_with_a_film_of_what_was_seen(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    names = [a_film(tmp_path / "a.mp4"), str(tmp_path / "gone.mp4"), a_film(tmp_path / "b.mp4")]
    (tmp_path / "text.mp4").write_text("no film", encoding="utf-8")
    names.append(str(tmp_path / "text.mp4"))
    out_folder = str(tmp_path / "out")
    status, out, err = run(
        capsys, "review", *names, *GAME, "--json", "--jobs", "2", "--out", out_folder, "--annotate"
    )
    told = {one["recording"]: one for one in objects(out)}
    assert status == 2
    assert told[names[0]]["summary"]["turns"] == 0
    assert told[names[2]]["summary"]["frames"] == 30
    assert "error" in told[names[1]]
    assert "error" in told[names[3]]
    assert "Traceback" not in err
    assert (tmp_path / "out" / "a" / "annotated.mp4").stat().st_size > 1000


# --- tileref watch ---------------------------------------------------------------------------------------


def test_watching_prints_a_line_a_turn_and_keeps_the_log(
    scripted: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    status, out, _ = run(capsys, "watch", "0", *GAME, "--out", "here", "--json")
    *turns, last = objects(out)
    assert status == 1
    assert [turn["turn"] for turn in turns] == [1, 2, 3, 4, 5, 6]
    assert last["summary"]["turns"] == 6
    assert len(import_log(Path("here/game.json").read_text("utf-8"))) == 7
    assert run(capsys, "watch", "0", *GAME)[1].startswith("  1  0:00-0:02     Ann: play R11 B11 K11")


def test_watching_goes_on_with_its_log_but_not_with_anothers(
    scripted: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    run(capsys, "watch", "0", *GAME, "--out", "here")
    told: list[Sequence[Event]] = []

    def made(
        reader: object, setup: WatchSetup, settings: object, events: Sequence[Event], **more: object
    ) -> Any:
        told.append(events)
        return ScriptedWatcher(setup, [], events)

    monkeypatch.setattr(watcher, "Watcher", made)
    status, _, err = run(capsys, "watch", "0", *GAME, "--out", "here")
    assert status == 0
    assert "goes on" in err
    assert len(told[0]) == 7
    status, _, err = run(capsys, "watch", "0", "--players", "Cy,Di", "--out", "here")
    assert status == 2
    assert "the log of another game" in err
    assert len(import_log(Path("here/game.json").read_text("utf-8"))) == 7


def test_watching_does_not_go_on_with_a_game_that_is_over(
    scripted: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Else the next game began on its table, with other turns and other faults than were made."""
    Path("here").mkdir()
    start = StartMatch(("Ann", "Борис"), "ru")
    last = "R1 R2 R3 R4"
    with GameLog(Path("here/game.json")) as log:
        for event in (
            start,
            TakeOver("R1 R2 R3", 0, (True, True), (1, 5), None, 0.0),
            Play(0, last, t_s=3.0),
        ):
            log.append(event)
    status, out, err = run(capsys, "watch", "0", *GAME, "--out", "here")
    assert (status, out) == (2, "")
    assert "is over: name another folder" in err
    assert len(import_log(Path("here/game.json").read_text("utf-8"))) == 3


def test_a_review_never_takes_the_place_of_a_live_log(
    scripted: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    run(capsys, "watch", "0", *GAME, "--out", "here")
    status, _, err = run(capsys, "review", "game.mp4", *GAME, "--out", "here")
    assert status == 2
    assert "watched live" in err
