"""Films a game as a webcam or a phone over the table would, and tells where its tiles are."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from pathlib import Path
from typing import Any

import av
import numpy as np
from numpy.typing import NDArray

from datasets.games.film_motion import Motion
from datasets.games.film_shot import Shot, shot_of
from datasets.games.film_view import sample_view, tile_corners
from datasets.games.script import GameScript
from datasets.games.sprites import TableLooks, TileLooks

__all__ = ["corners_of", "film", "frame_times", "shot_of"]

_TICKS = 90_000
_BT601 = 6
_LIMITED = 1


def frame_times(duration_s: float, fps: float, variable_rate: bool = False, seed: int = 0) -> Iterator[float]:
    """Yield the times of the frames in seconds, from 0.

    With ``variable_rate`` the frames come as from a phone: unevenly around ``fps``, slower for whiles (as in
    the dark), now and then some are missing.
    """
    if not variable_rate:
        count = max(1, round(duration_s * fps))
        yield from (k / fps for k in range(count))
        return
    rng = np.random.default_rng([seed, 91])
    t_s, slow, until_s = 0.0, 1.0, 0.0
    while t_s < duration_s:
        yield t_s
        if t_s >= until_s:
            slow = float(rng.choice([1.0, rng.uniform(1.1, 2.0)], p=[0.7, 0.3]))
            until_s = t_s + float(rng.uniform(2, 15))
        gap = slow * (1 + 0.08 * float(rng.standard_normal())) / fps
        if rng.random() < 0.005:
            gap *= float(rng.integers(2, 6))
        # Never two frames at one tick.
        t_s = round((t_s + max(gap, 0.3 / fps)) * _TICKS) / _TICKS


def film(
    script: GameScript,
    tile_looks: TileLooks,
    table_looks: TableLooks,
    out_path: Path,
    size_wh: tuple[int, int] = (1280, 720),
    fps: float = 30,
    seed: int = 0,
    variable_rate: bool = False,
    rotate: int = 0,
    quality: int = 23,
    begin_s: float = 0.0,
    end_s: float | None = None,
) -> None:
    """Film a game into an mp4 file.

    ``size_wh`` is the upright picture, both even. ``rotate`` (0, 90, 180, 270) stores the frames turned, with
    the note that a player is to turn them back, as phones do. ``quality`` is x264's constant rate factor,
    lower is better. ``begin_s`` and ``end_s`` cut a piece out, whose times then begin at 0. The same arguments
    give the same frames.

    Raises ValueError for a size or a rotation that cannot be, OSError where the file cannot be written.
    """
    if size_wh[0] % 2 or size_wh[1] % 2 or min(size_wh) < 64:
        raise ValueError(f"a film's sides must be even and at least 64 pixels, not {size_wh[0]}x{size_wh[1]}")
    if rotate not in (0, 90, 180, 270):
        raise ValueError(f"a film is rotated by 0, 90, 180 or 270 degrees, not {rotate}")
    shot = shot_of(script, tile_looks, table_looks, size_wh, seed)
    long_s = (script.duration_s if end_s is None else end_s) - begin_s
    rate = Fraction(fps).limit_denominator(1001)
    base = Fraction(1, _TICKS) if variable_rate else 1 / rate
    w, h = size_wh if rotate in (0, 180) else size_wh[::-1]
    with av.open(str(out_path), "w", format="mp4", options={"movflags": "faststart"}) as file:
        # Cameras that encode as they film use no B frames.
        options = {"preset": "veryfast", "crf": str(quality), "bf": "0"}
        stream = file.add_stream("libx264", rate=rate, options=options)
        stream.width, stream.height, stream.pix_fmt = w, h, "yuv420p"
        stream.codec_context.thread_count = 1
        stream.codec_context.time_base = base
        stream.codec_context.color_range = _LIMITED
        stream.codec_context.colorspace = _BT601
        stream.codec_context.gop_size = round(10 * fps)
        stream.time_base = base
        if rotate:
            stream.set_display_rotation(rotate)
        for number, t_s in enumerate(frame_times(long_s, fps, variable_rate, seed)):
            frame = _frame(shot, begin_s + t_s, rotate)
            frame.pts = round(t_s * _TICKS) if variable_rate else number
            frame.time_base = base
            file.mux(stream.encode(frame))
        file.mux(stream.encode(None))


def _frame(shot: Shot, t_s: float, rotate: int) -> av.VideoFrame:
    planes = shot.planes(t_s)
    if rotate:
        planes = tuple(np.rot90(plane, -(rotate // 90)) for plane in planes)  # type: ignore[assignment]
    h, w = planes[0].shape
    frame = av.VideoFrame(w, h, "yuv420p")
    for plane, pixels in zip(frame.planes, planes, strict=True):
        rows = np.frombuffer(memoryview(plane), np.uint8).reshape(plane.height, plane.line_size)
        rows[:, : plane.width] = pixels
    frame.colorspace, frame.color_range = _BT601, _LIMITED
    return frame


def corners_of(
    script: GameScript,
    t_s: float,
    tile_looks: TileLooks,
    size_wh: tuple[int, int] = (1280, 720),
    seed: int = 0,
) -> dict[int, NDArray[Any]]:
    """Return where the pieces that lie at a time are in the upright picture of the same film.

    For each key the face's corners (4, 2), (x, y) pixels, clockwise from the tile's own upper left; a face-down
    piece's, too. What lies there may be hidden by a hand, or outside the picture.
    """
    view = sample_view(script, size_wh, seed)
    motion = Motion(script, view.border, view.thickness, seed)
    return {
        key: view.project(tile_corners(rest.pose, tile_looks.aspect, view.thickness), t_s)
        for key, rest in motion.rests(t_s).items()
    }
