"""Recordings: every frame in order, upright, with its own time; and what is wrong with one."""

from __future__ import annotations

import gc
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from sources_support import SIZE_WH, frames_of, number_in, numbered_picture, turn_mp4, write_video

from vision.av_adapter import VideoWriter
from vision.errors import SourceError
from vision.sources.recording import RecordingSource
from vision.sources.settings import SourceSettings

UNEVEN_S = [0.0, 0.04, 0.05, 0.31, 0.32, 0.9, 1.7, 1.74, 1.76, 2.4]


@pytest.mark.parametrize(
    ("name", "codec", "pix_fmt"),
    [
        ("a.mp4", "libx264", "yuv420p"),
        ("a.mp4", "libx265", "yuv420p"),
        ("a.mov", "libx264", "yuv422p"),
        ("a.mkv", "libx264", "yuv420p10le"),
        ("a.mkv", "ffv1", "bgr0"),
        ("a.webm", "libvpx", "yuv420p"),
        ("a.avi", "mjpeg", "yuvj420p"),
    ],
)
def test_every_frame_comes_in_order_with_its_own_time(
    tmp_path: Path, name: str, codec: str, pix_fmt: str
) -> None:
    times_s = write_video(tmp_path / name, codec, pix_fmt=pix_fmt)
    with RecordingSource(tmp_path / name) as source:
        assert not source.live
        assert source.duration_s == pytest.approx(1.2, abs=0.1)
        frames, notices = frames_of(source.frames())
    assert [number_in(frame.luma) for frame in frames] == list(range(30))
    assert [frame.index for frame in frames] == list(range(30))
    assert [frame.t_s for frame in frames] == pytest.approx(times_s, abs=0.002)
    assert not notices
    image_bgr = frames[7].image_bgr
    assert image_bgr.shape == (SIZE_WH[1], SIZE_WH[0], 3)
    assert np.abs(image_bgr.astype(int) - numbered_picture(7)).mean() < 12


@pytest.mark.parametrize("name", ["a.mp4", "a.mkv"])
def test_uneven_times_are_kept(tmp_path: Path, name: str) -> None:
    write_video(tmp_path / name, times_s=UNEVEN_S)
    frames, _ = frames_of(RecordingSource(tmp_path / name).frames())
    assert [frame.t_s for frame in frames] == pytest.approx(UNEVEN_S, abs=0.002)


def test_the_first_frame_is_at_zero(tmp_path: Path) -> None:
    write_video(tmp_path / "a.mkv", times_s=[5.0, 5.1, 5.3])
    frames, _ = frames_of(RecordingSource(tmp_path / "a.mkv").frames())
    assert [frame.t_s for frame in frames] == pytest.approx([0, 0.1, 0.3], abs=0.002)


@pytest.mark.parametrize(
    ("matrix", "white_corner"),
    [
        ((1, 0, 0, 1), (0, 0)),
        ((0, 1, -1, 0), (0, 1)),  # a quarter turn clockwise: upper left goes to upper right
        ((-1, 0, 0, -1), (1, 1)),
        ((0, -1, 1, 0), (1, 0)),
        ((-1, 0, 0, 1), (0, 1)),  # mirrored, as some front cameras are
    ],
)
def test_a_phone_s_orientation_is_applied(
    tmp_path: Path, matrix: tuple[int, int, int, int], white_corner: tuple[int, int]
) -> None:
    path = tmp_path / "a.mp4"
    write_video(path, times_s=[0, 0.1])
    turn_mp4(path, matrix)
    frames, _ = frames_of(RecordingSource(path).frames())
    width, height = SIZE_WH if matrix[0] else SIZE_WH[::-1]
    assert frames[0].size_wh == (width, height)
    for picture in (frames[0].luma, frames[0].image_bgr[:, :, 1]):
        row, column = 3 + white_corner[0] * (height - 6), 3 + white_corner[1] * (width - 6)
        assert picture[row, column] > 200
        assert picture[height // 2 - 4, width // 2 - 4] < 130


def test_brightness_is_a_view_that_cannot_be_written_to(tmp_path: Path) -> None:
    write_video(tmp_path / "a.mp4", size_wh=(66, 50))
    frames, _ = frames_of(RecordingSource(tmp_path / "a.mp4").frames())
    assert frames[0].size_wh == (66, 50)
    assert frames[0].luma.base is not None
    with pytest.raises(ValueError, match="read-only"):
        frames[0].luma[0, 0] = 1


@pytest.mark.parametrize("name", ["a.mp4", "a.mkv", "a.avi"])
def test_reading_can_begin_anywhere(tmp_path: Path, name: str) -> None:
    codec, pix_fmt = ("mjpeg", "yuvj420p") if name == "a.avi" else ("libx264", "yuv420p")
    write_video(tmp_path / name, codec, pix_fmt=pix_fmt)
    whole, _ = frames_of(RecordingSource(tmp_path / name).frames())

    @settings(max_examples=15, deadline=None, suppress_health_check=list(HealthCheck))
    @given(st.one_of(st.sampled_from(whole).map(lambda frame: frame.t_s), st.floats(0, 1.15)))
    def check(start_s: float) -> None:
        rest, notices = frames_of(RecordingSource(tmp_path / name, start_s=start_s).frames())
        expected = [frame for frame in whole if frame.t_s >= start_s - 1e-6]
        assert [(f.index, f.t_s) for f in rest] == [(f.index, f.t_s) for f in expected]
        assert all(np.array_equal(a.luma, b.luma) for a, b in zip(rest, expected, strict=True))
        assert not notices

    check()
    assert list(RecordingSource(tmp_path / name, start_s=99).frames()) == []


def test_a_cut_off_recording_counts_up_to_there(tmp_path: Path) -> None:
    options = {"a.mp4": {"movflags": "faststart"}, "a.mkv": {}, "a.mov": {"movflags": "faststart"}}
    rng = np.random.default_rng(1)
    noise = rng.integers(0, 30, (SIZE_WH[1], SIZE_WH[0], 3), dtype=np.uint8)
    for name, container_options in options.items():
        path = tmp_path / name
        times_s = [number / 10 for number in range(40)]
        picture = lambda number: numbered_picture(number) - np.roll(noise, 5 * number)  # noqa: E731
        write_video(path, times_s=times_s, picture=picture, container_options=container_options)
        data = path.read_bytes()
        path.write_bytes(data[: len(data) * 6 // 10])
        frames, notices = frames_of(RecordingSource(path).frames())
        assert 8 <= len(frames) < 39, name
        assert [number_in(frame.luma) for frame in frames] == list(range(len(frames))), name
        assert [notice.code for notice in notices] == ["cut-off"], name
        assert notices[0].t_s == frames[-1].t_s
        assert name in notices[0].message


def test_without_its_index_an_mp4_is_refused_by_name(tmp_path: Path) -> None:
    path = tmp_path / "game.mp4"
    write_video(path)
    path.write_bytes(path.read_bytes()[:600])
    with pytest.raises(SourceError, match=r"game\.mp4 .*cut off before its index"):
        RecordingSource(path)


def test_a_damaged_piece_is_said_and_passed_over(tmp_path: Path) -> None:
    path = tmp_path / "a.mkv"
    write_video(path, "mjpeg", pix_fmt="yuvj420p")
    data = bytearray(path.read_bytes())
    starts = [at for at in range(len(data)) if data[at : at + 3] == b"\xff\xd8\xff"]
    for start, end in pairwise(starts[10:14]):
        data[start : end - 8] = bytes(end - 8 - start)
    path.write_bytes(data)
    frames, notices = frames_of(RecordingSource(path).frames())
    assert [number_in(frame.luma) for frame in frames] == [n for n in range(30) if n not in (10, 11, 12)]
    assert [notice.code for notice in notices] == ["unreadable", "back"]
    assert frames[10].index == 13
    assert frames[10].t_s == pytest.approx(13 / 25, abs=0.002)


def test_what_is_no_video_is_refused_in_one_sentence(tmp_path: Path) -> None:
    (tmp_path / "empty.mp4").write_bytes(b"")
    (tmp_path / "text.mp4").write_text("not a video\n" * 200)
    (tmp_path / "list.m3u8").write_text("#EXTM3U\n#EXT-X-VERSION:3\n#EXTINF:5,\nother.ts\n")
    (tmp_path / "list.ffconcat").write_text("ffconcat version 1.0\nfile text.mp4\n")
    (tmp_path / "fol\nder").mkdir()
    for name, words in (
        ("empty.mp4", "is empty"),
        ("text.mp4", "not a video"),
        ("list.m3u8", "not a video"),
        ("list.ffconcat", "not a video"),
        ("none.mp4", "There is no file"),
        ("fol\nder", "is a folder"),
        ("a\0b", "There is no file"),
    ):
        with pytest.raises(SourceError) as caught:
            RecordingSource(tmp_path / name)
        message = str(caught.value)
        assert words in message
        assert "\n" not in message
        assert message.endswith(".")


def test_black_is_said_and_left_out_of_a_recording(tmp_path: Path) -> None:
    black = np.zeros((SIZE_WH[1], SIZE_WH[0], 3), np.uint8)
    picture = lambda number: black if 5 <= number < 20 else numbered_picture(number)  # noqa: E731
    write_video(tmp_path / "a.mp4", picture=picture)
    source = RecordingSource(tmp_path / "a.mp4", SourceSettings(black_s=0.3))
    frames, notices = frames_of(source.frames())
    assert [number_in(frame.luma) for frame in frames] == [*range(5), *range(20, 30)]
    assert [notice.code for notice in notices] == ["black", "back"]
    assert [notice.t_s for notice in notices] == pytest.approx([0.52, 0.8], abs=0.002)


def test_frozen_is_said_of_a_recording_but_its_frames_come(tmp_path: Path) -> None:
    picture = lambda number: numbered_picture(min(number, 3) if number < 28 else number)  # noqa: E731
    write_video(tmp_path / "a.mkv", "ffv1", pix_fmt="bgr0", picture=picture)
    frames, notices = frames_of(RecordingSource(tmp_path / "a.mkv", SourceSettings(frozen_s=0.5)).frames())
    assert len(frames) == 30
    assert [notice.code for notice in notices] == ["frozen", "back"]


def test_frames_are_let_go_of_at_once(tmp_path: Path) -> None:
    """Frames in circles would fill the memory with pixels before the collector comes."""
    write_video(tmp_path / "a.mp4", times_s=[number / 25 for number in range(100)])
    gc.collect()
    gc.disable()
    try:
        count = sum(1 for _ in RecordingSource(tmp_path / "a.mp4").frames())
        assert gc.collect() < count / 2
    finally:
        gc.enable()


def test_closing_ends_the_frames(tmp_path: Path) -> None:
    write_video(tmp_path / "a.mp4")
    source = RecordingSource(tmp_path / "a.mp4")
    items = source.frames()
    first = next(items)
    source.close()
    assert list(items) == []
    assert first.image_bgr.shape[2] == 3  # type: ignore[union-attr]
    assert list(source.frames()) == []


@settings(max_examples=10, deadline=None, suppress_health_check=list(HealthCheck))
@given(
    st.lists(st.integers(1, 900), min_size=1, max_size=12),
    st.integers(16, 61),
    st.integers(16, 61),
)
def test_what_the_writer_writes_is_read_back(
    tmp_path: Path, gaps_ms: list[int], width: int, height: int
) -> None:
    path = tmp_path / "film.mp4"
    times_s = list(np.cumsum([0, *gaps_ms]) / 1000)
    with VideoWriter(path, (width, height)) as writer:
        for number, t_s in enumerate(times_s):
            writer.write(t_s, numbered_picture(number, (width, height)))
    assert [file.name for file in tmp_path.iterdir()] == ["film.mp4"]
    assert path.read_bytes().index(b"moov") < path.read_bytes().index(b"mdat")
    frames, notices = frames_of(RecordingSource(path).frames())
    assert [frame.t_s for frame in frames] == pytest.approx(times_s, abs=1e-4)
    assert frames[0].size_wh == (width + width % 2, height + height % 2)
    assert (
        np.abs(
            frames[-1].image_bgr[:height, :width].astype(int)
            - numbered_picture(len(frames) - 1, (width, height))
        ).mean()
        < 25
    )
    assert not notices


def test_a_place_that_cannot_be_written_is_said(tmp_path: Path) -> None:
    with pytest.raises(SourceError, match="cannot be written"):
        VideoWriter(tmp_path / "missing" / "film.mp4", (64, 48))
