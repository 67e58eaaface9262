"""What sources are made of: clock, pauses, health, stills, and what a user's text names."""

from __future__ import annotations

import itertools
from pathlib import Path

import cv2
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sources_support import SIZE_WH, frames_of, jpeg, number_in, numbered_picture, write_video

from vision.errors import SourceError
from vision.sources.camera import CameraSource
from vision.sources.clock import FrameClock
from vision.sources.frame import SourceNotice
from vision.sources.health import Backoff, Health
from vision.sources.open import SourceOptions, open_source
from vision.sources.recording import RecordingSource
from vision.sources.settings import SourceSettings
from vision.sources.stills import StillsSource
from vision.sources.stream import StreamSource


@given(st.lists(st.none() | st.floats(-50, 50), min_size=1))
def test_times_strictly_increase_whatever_the_stamps(stamps_s: list[float | None]) -> None:
    clock = FrameClock(0.04)
    times_s = [clock.at(stamp_s) for stamp_s in stamps_s]
    assert all(a < b for a, b in itertools.pairwise(times_s))


@given(st.lists(st.floats(0.0001, 30), min_size=1))
def test_sound_stamps_pass_unchanged(gaps_s: list[float]) -> None:
    stamps_s = [0.0, *np.cumsum(gaps_s).tolist()]
    clock = FrameClock(0.04)
    assert [clock.at(stamp_s) for stamp_s in stamps_s] == stamps_s


def test_a_new_scale_goes_on_where_the_old_one_ended() -> None:
    clock = FrameClock(0.5)
    assert [clock.at(s) for s in (0.0, 5.0, None, 1.0, 2.0)] == [0.0, 5.0, 5.5, 6.0, 7.0]


@given(st.floats(0.01, 5), st.floats(5, 100), st.integers(1, 30))
def test_pauses_double_up_to_the_longest(first_s: float, longest_s: float, count: int) -> None:
    backoff = Backoff(first_s, longest_s)
    pauses_s = [backoff.pause_s() for _ in range(count)]
    assert pauses_s == [min(first_s * 2**n, longest_s) for n in range(count)]
    backoff.reset()
    assert backoff.pause_s() == first_s


@given(st.lists(st.sampled_from(["black", "same", "new", "gone", "damaged"]), max_size=40), st.booleans())
def test_notices_come_at_changes_only(events: list[str], live: bool) -> None:
    health = Health("The camera", SourceSettings(black_s=0.2, frozen_s=0.3), live=live)
    rng = np.random.default_rng(0)
    luma = np.full((30, 40), 100, np.uint8)
    said: list[SourceNotice] = []
    for number, event in enumerate(events):
        t_s = number / 10
        before = health.trouble
        if event in ("gone", "damaged"):
            notices = health.failure(t_s, "unplugged" if event == "gone" else "unreadable", "It is so.")
        else:
            if event == "new":
                luma = rng.integers(60, 200, (30, 40), dtype=np.uint8)
            picture = np.zeros((30, 40), np.uint8) if event == "black" else luma
            worth_it, notices = health.picture(t_s, picture)
            assert not (worth_it and event == "black")
            assert worth_it or event == "black" or (live and health.trouble == "frozen")
            if event == "new":
                assert worth_it
                assert health.trouble is None
        assert len(notices) == (health.trouble != before)
        said += notices
    for a, b in itertools.pairwise(said):
        assert a.code != b.code
        assert a.t_s <= b.t_s
    assert (said[-1].code if said else "back") == (health.trouble or "back")


def test_a_nearly_equal_picture_is_frozen_only_where_that_is_set() -> None:
    luma = np.full((300, 400), 100, np.uint8)
    other = luma.copy()
    other[::7, ::7] += 1
    for level, trouble in ((0.0, None), (0.1, "frozen")):
        health = Health("The camera", SourceSettings(frozen_s=1, frozen_level=level), live=True)
        for number in range(30):
            health.picture(number / 10, (luma, other)[number % 2])
        assert health.trouble == trouble


def test_a_bright_speck_does_not_make_a_picture_worth_while_but_a_few_tiles_do() -> None:
    health = Health("The camera", SourceSettings(), live=True)
    luma = np.full((480, 640), 20, np.uint8)
    luma[:20, :20] = 255
    assert not health.picture(0, luma)[0]
    luma[:100, :100] = 255
    assert health.picture(1, luma)[0]


def _stills(folder: Path, names: list[str]) -> None:
    for number, name in enumerate(names):
        (folder / name).write_bytes(cv2.imencode(Path(name).suffix, numbered_picture(number + 1))[1].tobytes())


def test_stills_come_in_natural_order_and_a_broken_one_is_said(tmp_path: Path) -> None:
    _stills(tmp_path, ["t2.png", "t10.jpg", "T1.png", "t9.webp"])
    (tmp_path / "t3.jpg").write_bytes(jpeg(numbered_picture(5))[:200])
    (tmp_path / "notes.txt").write_text("not a picture")
    with StillsSource(tmp_path, SourceSettings(stills_interval_s=2)) as source:
        assert not source.live
        assert source.duration_s == 8
        frames, notices = frames_of(source.frames())
    assert [(number_in(f.luma), f.index, f.t_s) for f in frames] == [(3, 0, 0), (1, 1, 2), (4, 3, 6), (2, 4, 8)]
    assert [(notice.code, notice.t_s) for notice in notices] == [("unreadable", 4)]
    assert "t3.jpg" in notices[0].message
    assert np.array_equal(frames[0].image_bgr, numbered_picture(3))


def test_stills_take_their_times_from_the_list(tmp_path: Path) -> None:
    _stills(tmp_path, ["a.png", "b.png", "c.png", "extra.png"])
    (tmp_path / "times.csv").write_text("file,t_s\nc.png,1.5\na.png,2.25\nb.png,9\ngone.png,4\n")
    frames, notices = frames_of(StillsSource(tmp_path).frames())
    assert [(number_in(f.luma), f.t_s) for f in frames] == [(3, 1.5), (1, 2.25), (2, 9)]
    assert ["extra.png" in notices[0].message, "gone.png" in notices[1].message] == [True, True]
    rest, _ = frames_of(StillsSource(tmp_path, start_s=2.25).frames())
    assert [(number_in(f.luma), f.index) for f in rest] == [(1, 1), (2, 3)]


@pytest.mark.parametrize(
    "text",
    [
        "a.png,1\n",
        "file,t_s\na.png\n",
        "file,t_s\na.png,soon\n",
        "file,t_s\na.png,nan\n",
        "file,t_s\na.png,-1\n",
        "file,t_s\n../a.png,1\n",
        "file,t_s\na.png,1\na.png,2\n",
        "file,t_s\na.png,1\nb.png,1\n",
        "file,t_s\n",
    ],
)
def test_a_list_of_times_that_is_wrong_is_refused(tmp_path: Path, text: str) -> None:
    _stills(tmp_path, ["a.png", "b.png"])
    (tmp_path / "times.csv").write_text(text)
    with pytest.raises(SourceError) as caught:
        StillsSource(tmp_path)
    assert str(caught.value).endswith(".")
    assert "\n" not in str(caught.value)


def test_what_a_text_names(tmp_path: Path) -> None:
    write_video(tmp_path / "a.mp4")
    _stills(tmp_path, ["b.png"])
    for text, kind in (
        ("0", CameraSource),
        ("/dev/video2", CameraSource),
        (str(tmp_path / "a.mp4"), RecordingSource),
        (str(tmp_path), StillsSource),
        ("rtsp://127.0.0.1/x", StreamSource),
        ("HTTP://127.0.0.1:1/x.mjpg", StreamSource),
    ):
        with open_source(text) as source:
            assert type(source) is kind
            assert source.live == (kind in (CameraSource, StreamSource))
    later = open_source(str(tmp_path / "a.mp4"), SourceOptions(start_s=0.8))
    frames, _ = frames_of(later.frames())
    assert frames[0].index == 20
    assert frames[0].size_wh == SIZE_WH


def test_what_a_text_cannot_name_is_said(tmp_path: Path) -> None:
    _stills(tmp_path, ["b.png"])
    (tmp_path / "none").mkdir()
    for text, words in (
        ("", "without a name"),
        ("-1", "no file or folder -1"),
        (str(tmp_path / "c.mp4"), "There is no file or folder"),
        ("ftp://ann:secret@127.0.0.1/x", "ftp://127.0.0.1/x is no address"),
        (str(tmp_path / "b.png"), "single picture"),
        (str(tmp_path / "none"), "no pictures in the folder"),
    ):
        with pytest.raises(SourceError) as caught:
            open_source(text)
        assert words in str(caught.value)


def test_settings_are_held_to_their_ranges() -> None:
    with pytest.raises(ValueError, match="retry_longest_s"):
        SourceSettings(retry_first_s=10, retry_longest_s=5)
    with pytest.raises(ValueError, match="black_level must be a whole number"):
        SourceSettings(black_level=3.5)  # type: ignore[arg-type]
