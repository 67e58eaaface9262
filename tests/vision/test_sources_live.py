"""Live sources: one thread, the newest picture wins, trouble is said once and retried."""

from __future__ import annotations

import itertools
import threading
from collections.abc import Iterator

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from sources_support import (
    SIZE_WH,
    Clock,
    ScriptedCamera,
    frames_of,
    jpeg,
    mjpeg_server,
    number_in,
    numbered_picture,
)

from vision.errors import SourceError
from vision.sources.camera import CameraSource
from vision.sources.feed import Feed
from vision.sources.frame import Frame, SourceNotice
from vision.sources.live import LiveSource
from vision.sources.pushed import PushedSource
from vision.sources.settings import SourceSettings
from vision.sources.stream import StreamSource

BLACK = np.zeros((SIZE_WH[1], SIZE_WH[0], 3), np.uint8)
SETTINGS = SourceSettings(
    black_s=0.25, frozen_s=0.35, silence_s=0.35, retry_first_s=1.0, retry_longest_s=4.0, read_timeout_s=1.0
)


@pytest.fixture(autouse=True)
def _no_thread_is_left() -> Iterator[None]:
    before = set(threading.enumerate())
    yield
    # One that is just ending counts as ended, on a busy machine too.
    for thread in set(threading.enumerate()) - before:
        thread.join(5.0)
    assert set(threading.enumerate()) <= before


def played(camera: ScriptedCamera, clock: Clock) -> list[Frame | SourceNotice]:
    """Play a script to its end with a consumer that comes last: all notices, and the newest frame."""

    def pause(seconds: float) -> None:
        camera.pauses_s.append(seconds)
        clock.pause(seconds)

    def open_feed() -> Feed:
        if camera.opened and camera.refuse_opening:
            camera.refuse_opening -= 1
            raise SourceError("It cannot be opened.")
        camera.opened += 1
        return camera

    source = LiveSource("The camera", open_feed, SETTINGS, clock=clock, pause=pause)
    items: list[Frame | SourceNotice] = []
    with source:
        iterator = source.frames()
        items.append(next(iterator))
        camera.at_end.wait()
        while not (isinstance(items[-1], Frame) and items[-1].index == camera.shots - 1):
            items.append(next(iterator))
    assert list(iterator) == []
    return items


def codes(items: list[Frame | SourceNotice]) -> list[str]:
    return [item.code for item in items if isinstance(item, SourceNotice)]


def test_an_unplugged_camera_is_said_once_retried_and_comes_back() -> None:
    clock = Clock()
    camera = ScriptedCamera([numbered_picture(1), "unplug", numbered_picture(2), numbered_picture(3)], clock)
    camera.refuse_opening = 3
    items = played(camera, clock)
    assert codes(items) == ["unplugged", "retrying", "back"]
    assert camera.pauses_s == [1, 2, 4, 4]
    last = items[-1]
    assert isinstance(last, Frame)
    assert number_in(last.luma) == 3
    assert last.t_s > 11  # time went on while there was nothing to see
    assert camera.closed == camera.opened == 2


def test_after_coming_back_the_pauses_begin_anew() -> None:
    clock = Clock()
    script = [numbered_picture(1), "unplug", numbered_picture(2), "unplug", numbered_picture(3)]
    camera = ScriptedCamera(script, clock)
    items = played(camera, clock)
    assert codes(items) == ["unplugged", "retrying", "back"] * 2
    assert camera.pauses_s == [1, 1]


def test_a_black_camera_is_said_and_its_pictures_are_withheld() -> None:
    clock = Clock()
    camera = ScriptedCamera([BLACK, numbered_picture(1), *[BLACK] * 9, numbered_picture(2)], clock)
    items = played(camera, clock)
    assert codes(items) == ["black", "back"]
    assert all(number_in(item.luma) in (1, 2) for item in items if isinstance(item, Frame))
    assert camera.opened == 1  # opening a camera anew does not light the room


def test_a_frozen_camera_is_opened_anew() -> None:
    clock = Clock()
    camera = ScriptedCamera([numbered_picture(1)] * 8 + [numbered_picture(2)], clock)
    items = played(camera, clock)
    assert codes(items) == ["frozen", "retrying", "back"]
    assert camera.opened > 1
    last = items[-1]
    assert isinstance(last, Frame)
    assert number_in(last.luma) == 2


def test_sensor_noise_is_no_freezing() -> None:
    clock = Clock()
    pictures = [numbered_picture(1) for _ in range(20)]
    for number, picture in enumerate(pictures):
        picture[20, number] += 1
    assert codes(played(ScriptedCamera(pictures, clock), clock)) == []


def test_only_damaged_pictures_are_said() -> None:
    clock = Clock()
    camera = ScriptedCamera(
        [numbered_picture(1), None, numbered_picture(2), *[None] * 6, numbered_picture(3)], clock
    )
    assert codes(played(camera, clock)) == ["unreadable", "retrying", "back"]


def test_what_cannot_be_opened_at_first_is_an_error() -> None:
    def open_feed() -> Feed:
        raise SourceError("There is no camera.")

    with pytest.raises(SourceError, match="no camera"):
        next(LiveSource("The camera", open_feed).frames())


def test_a_camera_that_does_not_exist_is_an_error(capfd: pytest.CaptureFixture[str]) -> None:
    with CameraSource(977) as source, pytest.raises(SourceError, match="Camera 977 cannot be opened"):
        next(source.frames())
    with CameraSource(0, backend="x11") as source, pytest.raises(SourceError, match="backend"):
        next(source.frames())
    assert capfd.readouterr() == ("", "")


@settings(max_examples=25, deadline=None, suppress_health_check=list(HealthCheck))
@given(st.lists(st.integers(1, 4), min_size=1, max_size=12))
def test_the_newest_picture_wins_and_time_never_goes_back(bursts: list[int]) -> None:
    """The camera runs ahead by a burst before each look, and what is looked at is its last picture."""
    clock = Clock()
    camera = ScriptedCamera([numbered_picture(n + 1) for n in range(sum(bursts))], clock)
    camera.stepwise = True
    seen: list[Frame] = []
    shown = 0
    with LiveSource("The camera", lambda: camera, clock=clock) as source:
        iterator = source.frames()
        for burst in bursts:
            camera.allow(burst)
            shown += burst
            while not seen or number_in(seen[-1].luma) < shown:
                item = next(iterator)
                assert isinstance(item, Frame)
                seen.append(item)
    assert all(a.t_s < b.t_s and a.index < b.index for a, b in itertools.pairwise(seen))
    assert [number_in(frame.luma) for frame in seen] == [frame.index + 1 for frame in seen]


def test_a_silent_feed_is_said_though_its_driver_hangs() -> None:
    clock = Clock()
    camera = ScriptedCamera([numbered_picture(1)], clock)
    with LiveSource("The camera", lambda: camera, SourceSettings(silence_s=0.1), clock=clock) as source:
        iterator = source.frames()
        assert isinstance(next(iterator), Frame)
        camera.at_end.wait()
        clock.now_s += 1
        notice = next(iterator)
    assert isinstance(notice, SourceNotice)
    assert notice.code == "unplugged"


def test_closing_ends_a_waiting_consumer() -> None:
    source = PushedSource()
    given_out: list[Frame | SourceNotice] = []
    consumer = threading.Thread(target=lambda: given_out.extend(source.frames()))
    consumer.start()
    source.push_jpeg(jpeg(numbered_picture(9)))
    while not given_out:
        pass
    source.close()
    source.close()
    consumer.join()
    frames, notices = frames_of(iter(given_out))
    assert [number_in(frame.luma) for frame in frames] == [9]
    assert not notices


def test_pushed_pictures_are_held_to_their_limits() -> None:
    with PushedSource(SourceSettings(push_max_mb=0.1, max_megapixels=0.1)) as source:
        with pytest.raises(SourceError, match="not a JPEG"):
            source.push_jpeg(b"GIF89a")
        with pytest.raises(SourceError, match=r"more than the 0\.1 MB"):
            source.push_jpeg(b"\xff\xd8\xff" + bytes(100_000))
        iterator = source.frames()
        source.push_jpeg(jpeg(numbered_picture(1))[:300])  # cut short: passed over
        source.push_jpeg(jpeg(numbered_picture(1, (640, 480))))  # 0.3 megapixels: passed over
        source.push_jpeg(jpeg(numbered_picture(2)))
        item = next(iterator)
        assert isinstance(item, Frame)
        assert number_in(item.luma) == 2
        assert item.image_bgr.shape == (SIZE_WH[1], SIZE_WH[0], 3)


def test_pushing_from_many_threads_never_goes_backwards_per_thread() -> None:
    pictures = [jpeg(numbered_picture(n)) for n in range(40)]
    with PushedSource() as source:
        iterator = source.frames()
        threads = [
            threading.Thread(target=lambda k=k: [source.push_jpeg(p) for p in pictures[k::4]]) for k in range(4)
        ]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        source.push_jpeg(jpeg(numbered_picture(99)))
        seen: list[Frame] = []
        while not seen or number_in(seen[-1].luma) != 99:
            item = next(iterator)
            assert isinstance(item, Frame)
            seen.append(item)
    for k in range(4):
        mine = [n for n in (number_in(frame.luma) for frame in seen) if n < 40 and n % 4 == k]
        assert mine == sorted(set(mine))


def test_an_mjpeg_address_is_read_and_its_end_is_said() -> None:
    pictures = [jpeg(numbered_picture(n)) for n in range(30)]
    quick = SourceSettings(retry_first_s=0.05, read_timeout_s=1)
    with mjpeg_server(pictures) as base, StreamSource(f"{base}/video", quick) as source:
        items: list[Frame | SourceNotice] = []
        for item in source.frames():
            items.append(item)
            if codes(items)[-1:] == ["back"] and isinstance(item, Frame):
                break
    assert codes(items) == ["unplugged", "retrying", "back"]
    frames = [item for item in items if isinstance(item, Frame)]
    assert frames[0].size_wh == SIZE_WH
    assert frames[0].image_bgr.shape == (SIZE_WH[1], SIZE_WH[0], 3)
    assert {number_in(frame.luma) for frame in frames} <= set(range(30))


@pytest.mark.parametrize(("path", "words"), [("/", "not a video"), ("/missing", "No pictures come from")])
def test_an_address_without_video_is_an_error(path: str, words: str) -> None:
    with mjpeg_server([]) as base:
        address = base.replace("http://", "http://ann:secret@") + path
        with StreamSource(address, SETTINGS) as source, pytest.raises(SourceError) as caught:
            next(source.frames())
    assert words in str(caught.value)
    assert "secret" not in str(caught.value)


@pytest.mark.parametrize("scheme", ["http", "rtsp"])
def test_an_address_where_nothing_answers_is_an_error(scheme: str) -> None:
    with (
        StreamSource(f"{scheme}://127.0.0.1:1/video", SETTINGS) as source,
        pytest.raises(SourceError, match="nothing answers"),
    ):
        next(source.frames())
