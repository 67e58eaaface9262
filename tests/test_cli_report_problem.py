"""The last minute on disk, and ``tileref report-problem``, which packs it."""

from __future__ import annotations

import json
import zipfile
from dataclasses import dataclass, field
from pathlib import Path

import cv2
import numpy as np
import pytest
from cli_support import Desk
from hypothesis import given
from hypothesis import strategies as st

from referee import GameLog, StartMatch, import_log, parse_table
from vision.privacy import tiles_only
from vision.readings import as_corners
from vision.sources.frame import Frame, SourceNotice
from vision.watch.last_minute import FOLDER, RECORD, LastMinute, NotedWatcher
from vision.watch.minute_settings import MinuteSettings
from vision.watch.types import (
    Logged,
    LyingSet,
    LyingTable,
    LyingTile,
    Signal,
    TableSeen,
    WatchEvent,
    WatchNotice,
)

TILE = as_corners([[100, 100], [140, 100], [140, 156], [100, 156]])


@dataclass
class _Clock:
    """The clock on the wall, moved by hand."""

    now_s: float = 1_700_000_000.0

    def __call__(self) -> float:
        return self.now_s


def _frame(t_s: float, noisy: bool = True) -> Frame:
    rng = np.random.default_rng(round(t_s * 1000))
    image = rng.integers(0, 255, (240, 320, 3), np.uint8) if noisy else np.full((240, 320, 3), 99, np.uint8)
    return Frame.of_bgr(0, t_s, image)


def _ring(folder: Path, seconds: float, settings: MinuteSettings | None = None) -> list[Path]:
    clock = _Clock()
    minute = LastMinute(folder, settings, clock)
    for number in range(round(seconds * 10)):
        minute.frame(_frame(number / 10))
        clock.now_s += 0.1
    return sorted(folder.glob("*.jpg"))


def test_the_ring_keeps_one_minute_and_no_more(tmp_path: Path) -> None:
    kept = _ring(tmp_path, 70)
    assert 118 <= len(kept) <= 121
    assert 59_000 <= int(kept[-1].stem) - int(kept[0].stem) <= 60_000


def test_the_ring_keeps_within_its_room_and_goes_on_after_a_restart(tmp_path: Path) -> None:
    settings = MinuteSettings(room_mb=0.5, apart_s=0.1)
    kept = _ring(tmp_path, 5, settings)
    assert 2 <= len(kept) < 50
    assert sum(path.stat().st_size for path in kept) <= 0.5e6
    later = _Clock(1_700_000_100.0)
    LastMinute(tmp_path, settings, later).frame(_frame(0))
    assert [int(path.stem) for path in tmp_path.glob("*.jpg")] == [1_700_000_100_000]


def test_nothing_is_kept_where_nothing_is_wanted(tmp_path: Path) -> None:
    assert _ring(tmp_path / "none", 2, MinuteSettings(keep_s=0)) == []
    assert not (tmp_path / "none").exists()


def test_a_disk_that_cannot_be_written_never_stops_the_game(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    minute = LastMinute(tmp_path / "file" / "folder", None, _Clock())
    minute.frame(_frame(0))
    minute.said({"what": "pressed"})


def test_the_record_is_shortened(tmp_path: Path) -> None:
    minute = LastMinute(tmp_path, None, _Clock())
    for number in range(2100):
        minute.said({"what": "hands", "t_s": number})
    lines = (tmp_path / RECORD).read_text("utf-8").splitlines()
    assert 1000 <= len(lines) <= 1200
    assert json.loads(lines[-1])["t_s"] == 2099


@dataclass
class _Watcher:
    """Says what it was told to say."""

    says: list[WatchEvent] = field(default_factory=list)

    def push(self, frame: Frame) -> list[WatchEvent]:
        return self.says

    def notice(self, notice: SourceNotice) -> list[WatchEvent]:
        return []

    def signal(self, signal: Signal) -> list[WatchEvent]:
        return []

    def finish(self) -> list[WatchEvent]:
        return []


START = StartMatch(("Anna", "Boris"), "ru")


def _watched(folder: Path) -> None:
    """Keep two seconds in which one tile was read."""
    table = parse_table("B4")
    tile = LyingTile(1, table.sets[0][0], TILE, 0.99)
    seen = TableSeen(LyingTable(0.5, (tile,), (LyingSet((1,)),)), "ask")
    said: list[WatchEvent] = [seen, Logged(START), WatchNotice(0.5, "camera-moved", "Anna moved the camera.")]
    clock = _Clock()
    watcher = NotedWatcher(_Watcher(said), LastMinute(folder / FOLDER, None, clock))
    for number in range(4):
        assert watcher.push(_frame(number / 2)) == said
        clock.now_s += 0.5
    watcher.signal(Signal(2.0, "draw"))


def test_a_report_holds_pictures_readings_events_and_versions(desk: Desk, tmp_path: Path) -> None:
    _watched(tmp_path)
    with GameLog(tmp_path / "game.json") as log:
        log.append(START)
    out = tmp_path / "report.zip"
    status, objects = desk.run_json(
        "report-problem", "--game", str(tmp_path), "--out", str(out), "--what", "Hm."
    )
    assert (status, objects[0]["pictures"], objects[0]["events"]) == (0, 4, 1)
    with zipfile.ZipFile(out) as archive:
        about = json.loads(archive.read("about.json"))
        lines = [json.loads(line) for line in archive.read(RECORD).decode().splitlines()]
        assert import_log(archive.read("game.jsonl").decode()) == (START,)
        first = archive.read(next(name for name in archive.namelist() if name.startswith("pictures/")))
    assert about["told"] == "Hm."
    assert {"tileref", "numpy"} <= set(about["versions"])
    assert {line["what"] for line in lines} == {"picture", "reading", "event", "notice", "pressed"}
    kept = min((tmp_path / FOLDER).glob("*.jpg"))
    assert first == kept.read_bytes()
    status, _, err = desk.run("report-problem", "--game", str(tmp_path), "--out", str(out))
    assert status == 2
    assert "there already" in err


def test_blurred_reports_name_nobody_and_show_the_tiles_alone(desk: Desk, tmp_path: Path) -> None:
    _watched(tmp_path)
    with GameLog(tmp_path / "game.json") as log:
        log.append(START)
    out = tmp_path / "report.zip"
    status, told, _ = desk.run(
        "report-problem", "--blur", "--game", str(tmp_path), "--out", str(out), "--what", "Boris saw it."
    )
    assert status == 0
    assert "Look at the pictures before you share them" in told
    with zipfile.ZipFile(out) as archive:
        for name in ("about.json", RECORD, "game.jsonl"):
            text = archive.read(name).decode()
            assert "Anna" not in text
            assert "Boris" not in text
            assert "Player " in text
        name = min(one for one in archive.namelist() if one.startswith("pictures/"))
        blurred = cv2.imdecode(np.frombuffer(archive.read(name), np.uint8), cv2.IMREAD_COLOR)
    assert blurred is not None
    assert blurred[5:60, 5:60].std() < 25 < blurred[110:146, 110:130].std()


def test_a_report_without_a_game_says_so(desk: Desk, tmp_path: Path) -> None:
    out = tmp_path / "report.zip"
    status, told, _ = desk.run("report-problem", "--data", str(tmp_path / "none"), "--out", str(out))
    assert status == 0
    assert "No picture was kept" in told
    with zipfile.ZipFile(out) as archive:
        assert "game.jsonl" not in archive.namelist()


def test_what_is_no_log_is_refused(desk: Desk, tmp_path: Path) -> None:
    (tmp_path / "game.json").write_text("no log\n")
    status, _, err = desk.run("report-problem", "--game", str(tmp_path), "--out", str(tmp_path / "a.zip"))
    assert status == 2
    assert "no log of a game" in err


@given(x=st.integers(-50, 330), y=st.integers(-50, 250), seed=st.integers(0, 9))
def test_no_detail_is_left_away_from_tiles(x: int, y: int, seed: int) -> None:
    image = np.random.default_rng(seed).integers(0, 255, (240, 320, 3), np.uint8)
    corners = as_corners([[x, y], [x + 30, y], [x + 30, y + 42], [x, y + 42]])
    shown = tiles_only(image, [corners])
    same = (shown == image).all(axis=2)
    same[max(y - 8, 0) : max(y + 51, 0), max(x - 6, 0) : max(x + 37, 0)] = False
    assert same.mean() < 0.01
    assert tiles_only(image, []).std() < 12


@pytest.mark.parametrize("shape", [(1, 1, 3), (3, 900, 3)])
def test_odd_pictures_are_blurred_too(shape: tuple[int, int, int]) -> None:
    assert tiles_only(np.zeros(shape, np.uint8), []).shape == shape
