"""Labelled photographs of physical tiles.

A folder holds ``images/NAME.jpg``, ``labels/NAME.txt`` (one line a tile: ``class x1 y1 x2 y2 ...``, a polygon
in fractions of width and height) and ``classes.txt`` (the name of each class, one a line). Outlines say
neither which way is up nor which tiles form sets; the *truth text* says that, see ``datasets/truth``. It is
taken from the file asked for, else from ``truth.jsonl`` in the folder, else from the committed text where name,
size and tiles agree. Photographs with truth text need no outlines.

Convention: (x, y) in pixels of the upright picture (EXIF applied), pixel centres at integers; corners clockwise
from the tile's own upper left.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Literal, cast

import cv2
import numpy as np
from numpy.typing import NDArray
from PIL import Image, ImageOps

from datasets.labels import LabelledPicture, LabelledTile
from referee.errors import NotationError
from referee.tiles import Tile

__all__ = ["COMMITTED_TRUTH", "LabelledPhoto", "PhotoLabelsError", "Split", "load_photos"]

COMMITTED_TRUTH = Path(__file__).parent / "truth" / "photos.jsonl"
"""The truth text that comes with the repository."""

_ENDINGS = (".jpg", ".jpeg", ".png", ".webp")
_GREY = (114, 114, 114)
_KINDS = ("table", "rack", "empty")
_TRANSPOSED = (5, 6, 7, 8)
# ultralytics, once loaded, puts itself before Image.open, and fails on a broken file for want of a decoder.
_UNREADABLE = (OSError, SyntaxError, ValueError, ImportError)

PhotoKind = Literal["table", "rack", "empty"]
Split = Literal["train", "test"]


class PhotoLabelsError(Exception):
    """A folder of photographs, or what is written about them, cannot be used; one sentence for the user."""


@dataclass(frozen=True, slots=True, eq=False)
class LabelledPhoto:
    """A photograph with its truth; the picture itself is read when asked for."""

    name: str
    """File name without its ending."""
    path: Path
    """Where the picture is."""
    size_wh: tuple[int, int]
    """Width and height of the upright picture, pixels."""
    tiles: tuple[LabelledTile, ...]
    """The labelled tiles; one that the border cuts beyond reading has ``numeral_visible`` 0."""
    upright: bool
    """True where corners begin at the tile's own upper left; else they begin anywhere."""
    kind: PhotoKind | None = None
    """What it shows; None where nobody said."""
    sets: tuple[tuple[int, ...], ...] | None = None
    """Indices into ``tiles`` in reading order, every tile once; None where unknown or unsure."""
    ignore_xy_px: tuple[NDArray[np.float32], ...] = ()
    """Faces, shape (4, 2) each, that are cut before any numeral: neither right nor wrong to find."""
    place: str = ""
    """Where it was taken; empty where unknown."""
    scene: str = ""
    """Photographs of one scene belong together, and are never split."""
    split: Split | None = None
    """The part of the data it belongs to; None where nobody said."""

    def image_bgr(self) -> NDArray[np.uint8]:
        """Read the upright picture, uint8 of shape (H, W, 3); PhotoLabelsError where it is damaged."""
        try:
            with Image.open(self.path) as image:
                rgb = np.asarray(ImageOps.exif_transpose(image).convert("RGB"))
        except _UNREADABLE as error:
            raise PhotoLabelsError(f"{self.path} cannot be read as a picture: {error}.") from error
        return np.ascontiguousarray(rgb[:, :, ::-1])

    def picture(self) -> LabelledPicture:
        """Read it as a labelled picture; ValueError where its truth text is missing.

        The regions of ``ignore_xy_px`` are not in it.
        """
        if self.kind is None or not self.upright:
            raise ValueError(f"nobody has said which way is up in {self.name}")
        families = {"place": self.place, "scene": self.scene}
        return LabelledPicture(self.image_bgr(), self.tiles, (), self.kind, families=families)

    def masked(self) -> LabelledPicture:
        """Read it with the regions of ``ignore_xy_px`` greyed out; ValueError as for :meth:`picture`."""
        picture = self.picture()
        image = picture.image_bgr.copy()
        for quad in self.ignore_xy_px:
            cv2.fillConvexPoly(image, np.round(quad).astype(np.int32), _GREY)
        return replace(picture, image_bgr=image)


def load_photos(
    folder: str | Path, truth: str | Path | None = None, split: Split | None = None
) -> list[LabelledPhoto]:
    """Return the labelled photographs of ``folder`` in the order of their names, numbers counted as numbers.

    Args:
        folder: laid out as the module says.
        truth: a truth text to use instead of the folder's own and the committed one.
        split: only this part; photographs without a part then fall away.

    Raises:
        PhotoLabelsError: a missing folder, no pictures, a photograph without labels, labels that cannot be.
    """
    folder = Path(folder)
    paths = _picture_paths(folder)
    own = Path(truth) if truth is not None else folder / "truth.jsonl"
    said = _records(own) if truth is not None or own.exists() else {}
    committed = _records(COMMITTED_TRUTH) if truth is None and COMMITTED_TRUTH.exists() else {}
    outlines = _Outlines(folder)
    photos = []
    for path in paths:
        size_wh = _size_wh(path)
        record = said.get(path.stem)
        if record is None and path.stem in committed:
            record = _same_photo(committed[path.stem], size_wh, outlines.tile_names(path.stem))
        if record is not None:
            photos.append(_from_record(record, path, size_wh))
        else:
            photos.append(_from_outlines(outlines, path, size_wh))
    return [photo for photo in photos if split is None or photo.split == split]


def _picture_paths(folder: Path) -> list[Path]:
    if not folder.is_dir():
        raise PhotoLabelsError(f"There is no folder {folder}.")
    images = folder / "images"
    if not images.is_dir():
        raise PhotoLabelsError(
            f"{folder} holds no folder 'images', so it is not a set of labelled photographs."
        )
    paths = [path for path in images.iterdir() if path.suffix.lower() in _ENDINGS]
    if not paths:
        raise PhotoLabelsError(f"{images} holds no photographs ({', '.join(_ENDINGS)}).")
    names = [path.stem for path in paths]
    twice = sorted({name for name in names if names.count(name) > 1})
    if twice:
        raise PhotoLabelsError(f"{images} holds two pictures of the name {twice[0]}.")
    return sorted(paths, key=lambda path: _natural(path.stem))


def _natural(name: str) -> tuple[tuple[int, str], ...]:
    """Sort key: ``rummy2-9`` before ``rummy2-10``."""
    parts: list[str] = []
    for letter in name:
        if parts and letter.isdecimal() == parts[-1][-1].isdecimal():
            parts[-1] += letter
        else:
            parts.append(letter)
    return tuple((int(part), "") if part.isdecimal() else (-1, part) for part in parts)


def _size_wh(path: Path) -> tuple[int, int]:
    """Read the upright size from the file's head."""
    try:
        with Image.open(path) as image:
            width, height = image.size
            turned = image.getexif().get(0x0112, 1) in _TRANSPOSED
    except _UNREADABLE as error:
        raise PhotoLabelsError(f"{path} cannot be read as a picture: {error}.") from error
    return (height, width) if turned else (width, height)


class _Outlines:
    """The polygons of a folder."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._classes: list[str] | None = None

    def tile_names(self, name: str) -> set[str] | None:
        """Names of the tiles outlined on a photograph; None without outlines."""
        if not self._path(name).exists():
            return None
        return {str(tile) for tile, _ in self.read(name)}

    def read(self, name: str) -> list[tuple[Tile, NDArray[np.float64]]]:
        """Tiles with polygons of shape (n, 2), in fractions of width and height."""
        path = self._path(name)
        if not path.exists():
            raise PhotoLabelsError(
                f"The photograph {name} has no labels: there is neither truth text for it nor {path}; "
                "an empty file would say that it shows no tile."
            )
        return [self._line(path, k, line) for k, line in enumerate(_lines(path), 1) if line.strip()]

    def _path(self, name: str) -> Path:
        return self._folder / "labels" / f"{name}.txt"

    def _line(self, path: Path, number: int, line: str) -> tuple[Tile, NDArray[np.float64]]:
        if self._classes is None:
            self._classes = _lines(self._folder / "classes.txt")
        where = f"{path}, line {number}"
        try:
            index, *values = line.split()
            if int(index) < 0:
                raise IndexError
            tile = Tile.parse(self._classes[int(index)])
            points = np.array(values, dtype=np.float64).reshape(-1, 2)
        except IndexError:
            raise PhotoLabelsError(f"{where}: there is no class {index} in classes.txt.") from None
        except NotationError as error:
            raise PhotoLabelsError(f"{where}: {error}.") from None
        except ValueError:
            raise PhotoLabelsError(f"{where} is not 'class x1 y1 x2 y2 ...'.") from None
        if len(points) < 3 or not np.isfinite(points).all():
            raise PhotoLabelsError(f"{where}: an outline has at least three points.")
        return tile, points


def _lines(path: Path) -> list[str]:
    try:
        return path.read_text(encoding="utf-8").splitlines()
    except OSError as error:
        raise PhotoLabelsError(f"{path} cannot be read: {error.strerror}.") from error
    except UnicodeDecodeError as error:
        raise PhotoLabelsError(f"{path} is not text.") from error


def _records(path: Path) -> dict[str, dict[str, Any]]:
    records = {}
    for number, line in enumerate(_lines(path), 1):
        if not line.strip():
            continue
        try:
            record = json.loads(line)
            records[str(record["name"])] = record
        except (json.JSONDecodeError, KeyError, TypeError) as error:
            raise PhotoLabelsError(f"{path}, line {number} is not a JSON object with a name.") from error
    return records


def _same_photo(
    record: dict[str, Any], size_wh: tuple[int, int], tile_names: set[str] | None
) -> dict[str, Any] | None:
    """Return the committed record where it is about this very photograph, not another of its name."""
    if tuple(record["size"]) != size_wh:
        return None
    if tile_names is not None and tile_names != {one["tile"] for one in record["tiles"]}:
        return None
    return record


def _from_record(record: Mapping[str, Any], path: Path, size_wh: tuple[int, int]) -> LabelledPhoto:
    name = path.stem
    try:
        if record["kind"] not in _KINDS:
            raise ValueError(f"its kind is {record['kind']!r}, not one of {', '.join(_KINDS)}")
        sets = [[int(k) for k in one] for one in record.get("sets") or []]
        known = "sets" in record and not record.get("sets_unsure", False)
        if known and sorted(k for one in sets for k in one) != list(range(len(record["tiles"]))):
            raise ValueError("its sets do not hold every tile once")
        where = {k: (s, place) for s, one in enumerate(sets) for place, k in enumerate(one)} if known else {}
        rack = record["kind"] == "rack"
        tiles = []
        for k, one in enumerate(record["tiles"]):
            corners = _pixels(one["corners"], size_wh)
            index, place = where.get(k, (None, 0))
            numeral = 0.0 if one.get("cut", False) else 1.0
            share = _share_in_frame(corners, size_wh)
            tiles.append(LabelledTile(Tile.parse(one["tile"]), corners, share, numeral, index, place, rack))
        ignore = tuple(_pixels(one, size_wh) for one in record.get("ignore", ()))
    except KeyError as error:
        raise PhotoLabelsError(f"The truth text about {name} lacks the field {error}.") from error
    except (ValueError, TypeError, NotationError) as error:
        raise PhotoLabelsError(f"The truth text about {name} cannot be used: {error}.") from error
    split = record.get("split")
    if split not in (None, "train", "test"):
        raise PhotoLabelsError(f"The truth text about {name} cannot be used: its split is {split!r}.")
    return LabelledPhoto(
        name, path, size_wh, tuple(tiles), True, record["kind"],
        tuple(tuple(one) for one in sets) if known else None,
        ignore, str(record.get("place", "")), str(record.get("scene", "")), cast("Split | None", split),
    )  # fmt: skip


def _pixels(fractions: Iterable[Iterable[float]], size_wh: tuple[int, int]) -> NDArray[np.float32]:
    corners = np.asarray(fractions, dtype=np.float64)
    if corners.shape != (4, 2) or not np.isfinite(corners).all():
        raise ValueError(f"corners must be four points, not an array of shape {corners.shape}")
    return (corners * size_wh - 0.5).astype(np.float32)


def _share_in_frame(corners_xy_px: NDArray[np.float32], size_wh: tuple[int, int]) -> float:
    """Share of a quadrilateral's area that lies in the picture."""
    area = abs(cv2.contourArea(corners_xy_px))
    width, height = size_wh
    frame = np.array([[0, 0], [width, 0], [width, height], [0, height]], np.float32) - np.float32(0.5)
    inside, _ = cv2.intersectConvexConvex(cv2.convexHull(corners_xy_px), frame)
    return float(np.clip(inside / area, 0.0, 1.0)) if area > 0 else 0.0


def _from_outlines(outlines: _Outlines, path: Path, size_wh: tuple[int, int]) -> LabelledPhoto:
    """Take the smallest rectangle around each outline, for want of better corners."""
    tiles = []
    for tile, points in outlines.read(path.stem):
        box = cv2.boxPoints(cv2.minAreaRect((points * size_wh - 0.5).astype(np.float32)))
        tiles.append(LabelledTile(tile, box.astype(np.float32)))
    return LabelledPhoto(path.stem, path, size_wh, tuple(tiles), False, None if tiles else "empty")
