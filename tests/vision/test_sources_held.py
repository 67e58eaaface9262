"""Pictures that come seldom are held, so that a folder with one a turn is watched as a film is."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from vision.picture import taken_s
from vision.sources.frame import Frame, SourceNotice
from vision.sources.held import held
from vision.sources.settings import SourceSettings
from vision.sources.stills import StillsSource


def picture(number: int, t_s: float) -> Frame:
    return Frame.of_bgr(number, t_s, np.full((8, 8, 3), number, np.uint8))


def shown(frames: list[Frame | SourceNotice]) -> list[tuple[int, float]]:
    return [(frame.index, round(frame.t_s, 6)) for frame in frames if isinstance(frame, Frame)]


def test_a_picture_that_is_followed_late_is_held_until_then() -> None:
    given = list(held([picture(0, 0.0), picture(1, 1.0), picture(2, 1.5)]))
    assert shown(given) == [(0, 0.0), (0, 0.2), (0, 0.4), (0, 0.6), (0, 0.8), (1, 1.0), (2, 1.5)]
    assert [frame.unseen_s for frame in given if isinstance(frame, Frame)] == [0, 0, 0, 0, 0, 1.0, 0]
    assert all(frame.image_bgr[0, 0, 0] == frame.index for frame in given if isinstance(frame, Frame))


def test_the_last_of_pictures_that_come_seldom_is_held_as_long_as_the_one_before() -> None:
    given = shown(list(held([picture(0, 0.0), picture(1, 2.0)])))
    assert [number for number, _ in given] == [0] * 10 + [1] * 10
    assert [t_s for _, t_s in given] == pytest.approx([step * 0.2 for step in range(20)])


def test_nothing_is_held_over_a_long_pause_for_ever_nor_out_of_order_of_time() -> None:
    notice = SourceNotice(5.0, "unreadable", "It cannot be read.")
    given = list(held([picture(0, 0.0), notice, picture(1, 3600.0)]))
    times = [item.t_s for item in given]
    assert times == sorted(times)
    assert given[25] is notice
    held_s = [t_s for number, t_s in shown(given) if number == 0]
    assert held_s[-1] == pytest.approx(12.0)


def test_a_film_is_left_as_it_is() -> None:
    frames = [picture(number, number / 5) for number in range(20)]
    assert list(held(frames)) == frames


def save(path: Path, taken: str | None, part: str | None = None) -> None:
    exif = Image.Exif()
    about = exif.get_ifd(0x8769)
    if taken is not None:
        about[0x9003] = taken
    if part is not None:
        about[0x9291] = part
    Image.fromarray(np.full((32, 32, 3), 200, np.uint8)).save(path, exif=exif)


@pytest.mark.parametrize("suffix", ["jpg", "webp"])
def test_a_photograph_says_when_it_was_taken(tmp_path: Path, suffix: str) -> None:
    for name, taken, part in (("a", "2026:11:20 23:59:59", "25"), ("b", "2026:11:21 00:00:09", None)):
        save(tmp_path / f"{name}.{suffix}", taken, part)
    first, second = taken_s(tmp_path / f"a.{suffix}"), taken_s(tmp_path / f"b.{suffix}")
    assert first is not None
    assert second is not None
    assert second - first == pytest.approx(9.75)


@pytest.mark.parametrize("taken", [None, "", "0000:00:00 00:00:00", "yesterday", "2026:11:21"])
def test_a_photograph_that_does_not_say_when_it_was_taken_is_no_error(
    tmp_path: Path, taken: str | None
) -> None:
    save(tmp_path / "a.jpg", taken)
    assert taken_s(tmp_path / "a.jpg") is None
    (tmp_path / "b.jpg").write_bytes(b"\xff\xd8\xff rubbish")
    assert taken_s(tmp_path / "b.jpg") is None
    assert taken_s(tmp_path / "gone.jpg") is None


@pytest.mark.parametrize(
    ("times", "expected"),
    [
        (["12:00:00", "12:00:40", "12:02:00"], [0, 40, 120]),
        (["12:00:00", "12:00:00", "12:02:00"], [0, 1, 2]),
        (["12:00:00", "11:00:40", "12:02:00"], [0, 1, 2]),
        (["12:00:00", None, "12:02:00"], [0, 120]),
        (["12:00:00", None, None, "12:02:00", None], [0, 1, 2, 3, 4]),
        ([None, None], [0, 1]),
    ],
)
def test_stills_take_their_times_from_the_camera_where_most_tell_and_in_order(
    tmp_path: Path, times: list[str | None], expected: list[float]
) -> None:
    for number, at in enumerate(times):
        save(tmp_path / f"{number}.jpg", at and f"2026:11:21 {at}")
    with StillsSource(tmp_path) as source:
        given = list(source.frames())
    assert [frame.t_s for frame in given if isinstance(frame, Frame)] == expected
    said = [item.message for item in given if isinstance(item, SourceNotice)]
    if expected == [0, 40, 120]:
        assert not said
    elif expected == [0, 120]:
        assert said == [f"There is no time for 1.jpg in {tmp_path}: left out."]
    else:
        assert ["do not say when they were taken: 1 s" in message for message in said] == [True]


def test_whoever_sets_how_far_stills_are_apart_is_told_nothing(tmp_path: Path) -> None:
    for number in range(2):
        save(tmp_path / f"{number}.jpg", None)
    with StillsSource(tmp_path, SourceSettings(stills_interval_s=20)) as source:
        assert [item.t_s for item in source.frames() if isinstance(item, Frame)] == [0, 20]
