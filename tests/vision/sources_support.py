"""Small videos, cameras and servers made for the tests of the sources."""

from __future__ import annotations

import struct
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from fractions import Fraction
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import av
import cv2
import numpy as np
from numpy.typing import NDArray

from vision.sources.feed import FeedLostError, Shot
from vision.sources.frame import Frame, SourceNotice

SIZE_WH = (64, 48)


def numbered_picture(number: int, size_wh: tuple[int, int] = SIZE_WH) -> NDArray[np.uint8]:
    """A grey picture that shows its number as a row of bars and is white in its upper left."""
    width, height = size_wh
    image = np.full((height, width, 3), 90, np.uint8)
    image[: height // 4, : width // 4] = 250
    for bit in range(8):
        if number >> bit & 1:
            image[height // 2 :, bit * width // 8 : (bit + 1) * width // 8] = 220
    return image


def number_in(luma: NDArray[np.uint8]) -> int:
    """The number that a picture shows."""
    height, width = luma.shape
    row = luma[height * 3 // 4]
    return sum(1 << bit for bit in range(8) if row[(2 * bit + 1) * width // 16] > 150)


def write_video(
    path: Path,
    codec: str = "libx264",
    times_s: Sequence[float] | None = None,
    *,
    pix_fmt: str = "yuv420p",
    size_wh: tuple[int, int] = SIZE_WH,
    picture: Callable[[int], NDArray[np.uint8]] | None = None,
    container_options: dict[str, str] | None = None,
    gop: int = 8,
) -> list[float]:
    """Write a video whose frames show their number, and return the frames' times."""
    times_s = [number / 25 for number in range(30)] if times_s is None else times_s
    picture = picture or (lambda number: numbered_picture(number, size_wh))
    with av.open(str(path), "w", options=container_options or {}) as container:
        stream: Any = container.add_stream(codec, rate=25)
        stream.width, stream.height = size_wh
        stream.pix_fmt = pix_fmt
        stream.gop_size = gop
        stream.codec_context.time_base = Fraction(1, 1000)
        for number, t_s in enumerate(times_s):
            frame: Any = av.VideoFrame.from_ndarray(picture(number), format="bgr24")
            frame.pts, frame.time_base = round(t_s * 1000), Fraction(1, 1000)
            container.mux(stream.encode(frame))
        container.mux(stream.encode(None))
    return list(times_s)


def turn_mp4(path: Path, matrix: tuple[int, int, int, int]) -> None:
    """Write (a, b, c, d) into the track header's matrix, as phones do: (x, y) goes to (ax+cy, bx+dy)."""
    data = bytearray(path.read_bytes())
    start = data.index(struct.pack(">9i", 65536, 0, 0, 0, 65536, 0, 0, 0, 1 << 30), data.index(b"tkhd"))
    a, b, c, d = (part * 65536 for part in matrix)
    data[start : start + 36] = struct.pack(">9i", a, b, 0, c, d, 0, 0, 0, 1 << 30)
    path.write_bytes(data)


def frames_of(items: Iterator[Frame | SourceNotice]) -> tuple[list[Frame], list[SourceNotice]]:
    """Part what a source gave."""
    all_items = list(items)
    frames = [item for item in all_items if isinstance(item, Frame)]
    return frames, [item for item in all_items if isinstance(item, SourceNotice)]


class Clock:
    """Time that stands still until it is moved."""

    def __init__(self) -> None:
        self.now_s = 100.0

    def __call__(self) -> float:
        return self.now_s

    def pause(self, seconds: float) -> None:
        self.now_s += seconds


class ScriptedCamera:
    """A camera that plays a script: pictures, None (damaged), "unplug"; its clock moves on 0.1 s a picture.

    At the script's end it waits until it is interrupted, as a camera does that gives no more.
    """

    def __init__(self, script: Sequence[NDArray[np.uint8] | str | None], clock: Clock) -> None:
        self.clock = clock
        self.at_end = threading.Event()
        self.opened = self.closed = self.shots = 0
        self.pauses_s: list[float] = []
        self.refuse_opening = 0
        self._script = list(script)
        self._interrupted = threading.Event()
        self._gate = threading.Semaphore(0)
        self.stepwise = False

    def allow(self, pictures: int) -> None:
        self._gate.release(pictures)

    def read(self) -> Shot | None:
        if self.stepwise:
            self._gate.acquire()
        if not self._script:
            self.at_end.set()
            self._interrupted.wait()
            return None
        self.clock.now_s += 0.1
        item = self._script.pop(0)
        if isinstance(item, str):
            raise FeedLostError("unplugged", "The camera is unplugged.")
        self.shots += item is not None
        return None if item is None else Shot.of_bgr(item)

    def interrupt(self) -> None:
        self._interrupted.set()
        self._gate.release(1000)

    def close(self) -> None:
        self.closed += 1


def jpeg(image_bgr: NDArray[np.uint8]) -> bytes:
    return cv2.imencode(".jpg", image_bgr, [cv2.IMWRITE_JPEG_QUALITY, 95])[1].tobytes()


@contextmanager
def mjpeg_server(pictures: Sequence[bytes]) -> Iterator[str]:
    """Serve the pictures once to each client of ``/video``, then end the connection; ``/`` is a text."""

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            if self.path != "/video":
                self.send_response(200 if self.path == "/" else 404)
                self.send_header("Content-Type", "text/html")
                self.end_headers()
                self.wfile.write(b"<p>no video here</p>")
                return
            self.send_response(200)
            self.send_header("Content-Type", "multipart/x-mixed-replace; boundary=cut")
            self.end_headers()
            try:
                for data in pictures:
                    head = f"--cut\r\nContent-Type: image/jpeg\r\nContent-Length: {len(data)}\r\n\r\n"
                    self.wfile.write(head.encode() + data + b"\r\n")
                self.wfile.flush()
            except ConnectionError:
                pass  # the client has seen enough

        def log_message(self, format: str, *args: object) -> None:
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_address[1]}"
    finally:
        server.shutdown()
        server.server_close()
        thread.join()
