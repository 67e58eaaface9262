"""The recording once more, with what was seen: tiles outlined and named, whose turn it is, every verdict."""

from __future__ import annotations

import json
import math
import unicodedata
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from referee import Faces, plain_suits, show_text
from vision.av_adapter import VideoWriter
from vision.review.folder import FILM, SEEN, ReviewError, ReviewFolder, ReviewState
from vision.review.run import StoppedError
from vision.review.turn import ReviewedTurn
from vision.sources.frame import Source, SourceNotice
from vision.sources.held import held
from vision.watch.setup import WatchSetup

__all__ = ["annotate"]

WIDEST_PX = 1280
_VERDICT_S = 4.0
"""How long a verdict stays in the picture."""
_SURE_BGR, _DOUBT_BGR, _MOVING_BGR = (90, 200, 60), (0, 190, 255), (190, 190, 190)
_PLATES_BGR = {"legal": (50, 110, 30), "illegal": (40, 30, 170), "ask": (0, 95, 150)}
_WORDS = {"legal": "legal", "illegal": "FOUL", "ask": "question"}


@dataclass(frozen=True, slots=True)
class _Seen:
    """What the watching knew from one moment on."""

    t_s: float
    tiles: list[tuple[str, NDArray[np.float32]]]
    moving: bool


def annotate(
    source: Source,
    folder: ReviewFolder,
    state: ReviewState,
    setup: WatchSetup,
    *,
    to_s: float = math.inf,
    stopped: Callable[[], bool] = lambda: False,
) -> Path:
    """Write the film of a finished review, and return its path.

    ``source`` is the recording from the beginning of what was reviewed, ``to_s`` the end of it. SourceError or
    ReviewError where the film cannot be made, StoppedError where ``stopped`` says so; it is then as long as it
    came.
    """
    path = folder.path / FILM
    seen = _read(folder.path / SEEN)
    now = _Seen(0.0, [], False)
    writer: VideoWriter | None = None
    begun_s = 0.0
    try:
        for frame in held(source.frames(), to_s):
            if isinstance(frame, SourceNotice):
                continue
            if stopped():
                raise StoppedError
            while seen and seen[0].t_s <= frame.t_s:
                now = seen.pop(0)
            image = _drawn(frame.image_bgr, now, frame.t_s, state, setup)
            if writer is None:
                writer, begun_s = VideoWriter(path, (image.shape[1], image.shape[0])), frame.t_s
            writer.write(frame.t_s - begun_s, image)
    finally:
        if writer is not None:
            writer.close()
    return path


def _read(path: Path) -> list[_Seen]:
    """What was seen, in order; tiles stay known while something moves."""
    found: list[_Seen] = []
    tiles: list[tuple[str, NDArray[np.float32]]] = []
    moving = False
    for plain in _lines(path):
        if "moving" in plain:
            moving = plain["moving"]
        else:
            tiles = [(text, np.array(corners, np.float32)) for text, corners in plain["tiles"]]
        found.append(_Seen(plain["t_s"], tiles, moving))
    return sorted(found, key=lambda one: one.t_s)


def _lines(path: Path) -> Iterator[dict[str, Any]]:
    try:
        text = path.read_text("utf-8")
    except OSError as error:
        raise ReviewError(f"{path} cannot be read: {error.strerror}.") from error
    for line in text.splitlines():
        yield json.loads(line)


def _drawn(
    image_bgr: NDArray[np.uint8], seen: _Seen, t_s: float, state: ReviewState, setup: WatchSetup
) -> NDArray[np.uint8]:
    scale = min(1.0, WIDEST_PX / image_bgr.shape[1])
    size = (round(image_bgr.shape[1] * scale), round(image_bgr.shape[0] * scale))
    canvas: Any = cv2.resize(image_bgr, size, interpolation=cv2.INTER_AREA) if scale < 1 else image_bgr.copy()
    for text, corners in seen.tiles:
        _outline(canvas, text, corners * scale, seen.moving, setup.faces)
    running = next((turn for turn in state.turns if turn.start_s <= t_s < turn.end_s), None)
    ended = next((turn for turn in reversed(state.turns) if turn.end_s <= t_s), None)
    high = max(18, round(size[1] * 0.045))
    if running is not None:
        _plate(canvas, f"Turn {running.turn}   {_name(running, setup)}", 0, high, (45, 42, 40))
    if ended is not None and t_s - ended.end_s < _VERDICT_S:
        done = " ".join([ended.action, *(_shown(tile, setup.faces) for tile in ended.played)])
        text = f"{ended.turn} {_name(ended, setup)}: {done} - {_WORDS[ended.verdict]}"
        told = [*(fault.message for fault in ended.faults), *(asked.message for asked in ended.questions)]
        _plate(canvas, text, size[1] - high * (1 + bool(told)), high, _PLATES_BGR[ended.verdict])
        if told:
            _plate(canvas, _shown(told[0], setup.faces), size[1] - high, high, _PLATES_BGR[ended.verdict])
    drawn: NDArray[np.uint8] = canvas
    return drawn


def _name(turn: ReviewedTurn, setup: WatchSetup) -> str:
    if turn.seat is None:
        return "?"
    name = "".join(letter for letter in setup.players[turn.seat] if letter.isprintable())[:24]
    # OpenCV 4 draws ASCII alone, OpenCV 5 also other letters, but always from left to right.
    leftward = any(unicodedata.bidirectional(letter) in ("R", "AL") for letter in name)
    drawable = name.isascii() or (hasattr(cv2, "FontFace") and not leftward)
    return name if drawable else f"Player {turn.seat + 1}"


def _shown(text: str, faces: Faces) -> str:
    """Tiles as their faces show them; OpenCV draws no suits."""
    return plain_suits(show_text(text, faces))


def _outline(canvas: Any, text: str, corners: NDArray[np.float32], moving: bool, faces: Faces) -> None:
    colour = _MOVING_BGR if moving else _SURE_BGR if text.isalnum() else _DOUBT_BGR
    points = np.round(corners).astype(np.int32)
    cv2.polylines(canvas, [points], True, colour, 1 if moving else 2, cv2.LINE_AA)
    if moving:
        return
    wide = float(np.linalg.norm(corners[1] - corners[0]))
    middle = corners.mean(axis=0) * 0.4 + (corners[2] + corners[3]) * 0.3
    named = _shown(text, faces)
    short = named if len(named) <= 7 else f"{named[:5]}.."
    _text(canvas, short, (float(middle[0]), float(middle[1])), max(9.0, wide * 0.36), (255, 255, 255), colour)


def _plate(canvas: Any, text: str, top: int, high: int, colour: tuple[int, int, int]) -> None:
    """A bar across the picture with a text in it."""
    cv2.rectangle(canvas, (0, top), (canvas.shape[1], top + high), colour, -1)
    white, at = (255, 255, 255), (8, round(top + high * 0.72))
    if hasattr(cv2, "FontFace"):
        pen: Any = cv2.putText  # OpenCV 5's second form, which older type stubs do not know
        pen(canvas, text, at, white, cv2.FontFace("sans"), round(high * 0.62), 400)
    else:
        cv2.putText(canvas, text, at, cv2.FONT_HERSHEY_SIMPLEX, high / 48, white, 1, cv2.LINE_AA)


def _text(
    canvas: Any,
    text: str,
    middle_xy: tuple[float, float],
    size_px: float,
    ink_bgr: tuple[int, int, int],
    plate_bgr: tuple[int, int, int],
) -> None:
    """A short name on a plate of its own, around a point."""
    scale = size_px / 30
    (width, height), below = cv2.getTextSize(text, cv2.FONT_HERSHEY_SIMPLEX, scale, 1)
    left, base = round(middle_xy[0] - width / 2), round(middle_xy[1] + height / 2)
    dark = tuple(part // 3 for part in plate_bgr)
    cv2.rectangle(canvas, (left - 2, base - height - 2), (left + width + 2, base + below), dark, -1)
    cv2.putText(canvas, text, (left, base), cv2.FONT_HERSHEY_SIMPLEX, scale, ink_bgr, 1, cv2.LINE_AA)
