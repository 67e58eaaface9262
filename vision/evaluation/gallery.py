"""Contact sheets of failures, one a kind: upright crops with the truth and what was read."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.evaluation.failures import Failures
from vision.evaluation.matching import Matches, match
from vision.evaluation.score import CORNERS_BAR, PictureScore, TileScore
from vision.evaluation.truth import PictureTruth, counts
from vision.readings import Corners, PhotoReading
from vision.rectify import Pyramid

__all__ = ["KINDS", "Gallery"]

KINDS = (
    "missed", "false", "split", "merged", "corners", "upside-down", "number", "colour", "joker", "back",
    "doubt", "sets",
)  # fmt: skip
"""Kinds of failure, each with a sheet of its own."""

_FACE_WH = (96, 120)
_CELL_WH = (132, 186)
_COLUMNS = 10
_MARGIN = 0.18
_WHITE, _GREY, _TRUE_BGR, _FOUND_BGR = (255, 255, 255), (170, 170, 170), (60, 200, 60), (255, 0, 255)


@dataclass(slots=True)
class Gallery:
    """Gathers failures while pictures are scored, and writes the sheets."""

    most: int = 60
    """Most failures of one kind that are kept."""
    failures: Failures = field(default_factory=Failures)
    """What became of every true tile, for the tables beside the sheets."""
    _cells: dict[str, list[NDArray[np.uint8]]] = field(default_factory=dict, init=False)
    _seen: dict[str, int] = field(default_factory=dict, init=False)

    def add(
        self,
        image_bgr: NDArray[np.uint8],
        truth: PictureTruth,
        reading: PhotoReading,
        score: PictureScore,
        matches: Matches,
    ) -> None:
        """Keep the failures of one picture; ``score`` and ``matches`` as :func:`score` returns them."""
        pyramid = Pyramid(image_bgr)
        self.failures.add(pyramid, truth, reading, score, matches)
        found = [*(tile.corners_xy_px for tile in reading.tiles), *reading.unreadable]
        for tile in score.tiles:
            for kind in _kinds_of(tile):
                face = pyramid.crop(found[tile.found_index], _FACE_WH, _MARGIN)
                off = f", off {tile.corner_mean:.2f}" if kind == "corners" else ""
                self._keep(kind, face, truth.name, f"{tile.true} -> {_read_text(tile)}{off}")
        missed = _missed(truth, score)
        for k in missed:
            what = truth.tiles[k].tile
            self._keep(
                "missed", pyramid.crop(truth.tiles[k].corners_xy_px, _FACE_WH, _MARGIN), truth.name, f"{what}"
            )
        for k in matches.unmatched(len(found)):
            read = str(reading.tiles[k].tile) if k < len(reading.tiles) else "??"
            odd = k in matches.split or k in matches.merged
            text = f"{'part' if k in matches.split else 'several'} -> {read}" if odd else f"nothing -> {read}"
            kind = ("split" if k in matches.split else "merged") if odd else "false"
            self._keep(kind, pyramid.crop(found[k], _FACE_WH, _MARGIN), truth.name, text)
        self._add_backs(pyramid, truth, reading)
        if score.sets_known and not score.all_sets_right:
            self._keep(
                "sets",
                _sets_picture(image_bgr, truth, reading),
                truth.name,
                f"{score.sets_right}/{score.sets_true} right",
            )

    def write(self, folder: Path) -> list[Path]:
        """Write one PNG a kind of failure that occurred, and the tables; return the PNGs' paths.

        OSError where it cannot.
        """
        folder.mkdir(parents=True, exist_ok=True)
        self.failures.write(folder)
        paths = []
        for kind in KINDS:
            cells = self._cells.get(kind, [])
            if not cells:
                continue
            path = folder / f"{kind}.png"
            _, data = cv2.imencode(".png", _sheet(cells, f"{kind}: {self._seen[kind]}, {len(cells)} shown"))
            path.write_bytes(data.tobytes())
            paths.append(path)
        return paths

    def _add_backs(self, pyramid: Pyramid, truth: PictureTruth, reading: PhotoReading) -> None:
        """Keep backs that were not found, and what was taken for one."""
        true = [tile.corners_xy_px for tile in truth.tiles if tile.face_down and counts(tile)]
        free = [tile.corners_xy_px for tile in truth.tiles if not counts(tile)] + list(truth.ignore_xy_px)
        of = match(reading.face_down_xy_px, true, free, truth.size_wh)
        for k in of.unmatched(len(reading.face_down_xy_px)):
            face = pyramid.crop(reading.face_down_xy_px[k], _FACE_WH, _MARGIN)
            self._keep("back", face, truth.name, "no back -> back")
        for k in sorted(set(range(len(true))) - set(of.true_of.values())):
            self._keep("back", pyramid.crop(true[k], _FACE_WH, _MARGIN), truth.name, "back -> nothing")

    def _keep(self, kind: str, patch: NDArray[np.uint8], name: str, text: str) -> None:
        self._seen[kind] = self._seen.get(kind, 0) + 1
        if self._seen[kind] <= self.most:
            self._cells.setdefault(kind, []).append(_cell(patch, name, text))


def _kinds_of(tile: TileScore) -> Iterator[str]:
    if tile.corner_mean > CORNERS_BAR:
        yield "corners"
    if tile.turned:
        yield "upside-down"
    if tile.right:
        return
    if tile.read is None or tile.doubt:
        yield "doubt"
    elif tile.true.is_joker or tile.read.is_joker:
        yield "joker"
    else:
        if not tile.number_right:
            yield "number"
        if not tile.colour_right:
            yield "colour"


def _read_text(tile: TileScore) -> str:
    return "??" if tile.read is None else f"{tile.read}{'?' if tile.doubt else ''}"


def _missed(truth: PictureTruth, score: PictureScore) -> list[int]:
    found = {tile.true_index for tile in score.tiles}
    return [k for k, tile in enumerate(truth.tiles) if not tile.face_down and counts(tile) and k not in found]


def _sets_picture(
    image_bgr: NDArray[np.uint8], truth: PictureTruth, reading: PhotoReading
) -> NDArray[np.uint8]:
    """The whole picture, small, with true sets joined in green and read ones in magenta."""
    scale = min((_CELL_WH[0] * 2 - 4) / image_bgr.shape[1], (_CELL_WH[1] * 2 - 60) / image_bgr.shape[0])
    resized = cv2.resize(image_bgr, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA)
    small = np.asarray(resized, np.uint8)
    faces = [tile.corners_xy_px for tile in reading.tiles]
    for one in truth.sets or ():
        _join(small, [truth.tiles[k].corners_xy_px * scale for k in one], _TRUE_BGR, -3)
    for read in reading.sets:
        quads = [faces[k] if k >= 0 else reading.unreadable[-1 - k] for k in read.members]
        _join(small, [quad * scale for quad in quads], _FOUND_BGR, 3)
    return small


def _join(canvas: NDArray[np.uint8], quads: list[Corners], colour: tuple[int, int, int], shift: int) -> None:
    middles = [(quad.mean(axis=0) + shift).astype(int) for quad in quads]
    for middle in middles:
        cv2.circle(canvas, (int(middle[0]), int(middle[1])), 3, colour, -1)
    if len(middles) > 1:
        cv2.polylines(canvas, [np.array(middles, np.int32)], False, colour, 2)


def _cell(patch: NDArray[np.uint8], name: str, text: str) -> NDArray[np.uint8]:
    """Put a patch on a cell with two lines of text; a wide patch gets a double cell."""
    double = patch.shape[1] > _CELL_WH[0] or patch.shape[0] > _CELL_WH[1] - 30
    width, height = (_CELL_WH[0] * 2, _CELL_WH[1] * 2) if double else _CELL_WH
    if not double:
        scale = min((width - 4) / patch.shape[1], (height - 36) / patch.shape[0])
        patch = np.asarray(cv2.resize(patch, None, fx=scale, fy=scale), np.uint8)
    cell = np.zeros((height, width, 3), np.uint8)
    left = (width - patch.shape[1]) // 2
    cell[2 : 2 + patch.shape[0], left : left + patch.shape[1]] = patch
    shown = name if len(name) <= 20 else "…" + name[-19:]
    for line, colour, up in ((shown.encode("ascii", "replace").decode(), _GREY, 20), (text, _WHITE, 6)):
        cv2.putText(cell, line, (3, height - up), cv2.FONT_HERSHEY_SIMPLEX, 0.38, colour, 1, cv2.LINE_AA)
    return cell


def _sheet(cells: list[NDArray[np.uint8]], title: str) -> NDArray[np.uint8]:
    height, width = cells[0].shape[:2]
    columns = min(_COLUMNS if width == _CELL_WH[0] else _COLUMNS // 2, max(len(cells), 3))
    rows = -(-len(cells) // columns)
    sheet = np.zeros((24 + rows * height, columns * width, 3), np.uint8)
    cv2.putText(sheet, title, (6, 17), cv2.FONT_HERSHEY_SIMPLEX, 0.5, _WHITE, 1, cv2.LINE_AA)
    for k, cell in enumerate(cells):
        top, left = 24 + (k // columns) * height, (k % columns) * width
        sheet[top : top + height, left : left + width] = cell
    return sheet
