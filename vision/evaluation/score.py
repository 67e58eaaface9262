"""The score of one picture, stage by stage.

Doubts are told both ways: a doubt counts as right where its best reading is right, and the figures named
``sure`` count every doubt as wrong. Tiles that are cut off or buried beyond reading never count, neither as
missed nor, when read, as false.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np

from referee.tiles import Tile
from vision.evaluation.matching import Matches, corner_errors, match
from vision.evaluation.truth import PictureTruth, counts
from vision.readings import PhotoReading

__all__ = ["CORNERS_BAR", "PictureScore", "TileScore", "score"]

CORNERS_BAR = 0.1
"""Mean corner error in tile widths from which on corners are called off."""


@dataclass(frozen=True, slots=True)
class TileScore:
    """A true tile that was found, and what was made of it."""

    true_index: int
    """Index into the truth's tiles."""
    found_index: int
    """Index into the reading's tiles; from ``len(tiles)`` on, into its unreadable faces."""
    true: Tile
    """What it is."""
    read: Tile | None
    """What it was read as; None for an unreadable face."""
    doubt: bool
    """True where the reading is a doubt, or there is none."""
    corner_mean: float
    """Mean corner error, tile widths."""
    corner_max: float
    """Largest corner error, tile widths."""
    turned: bool
    """True where the tile's upright was taken wrongly."""

    @property
    def right(self) -> bool:
        """True where the best reading is right."""
        return self.read == self.true

    @property
    def number_right(self) -> bool:
        """True where the number is right; a joker's number is that it is one."""
        return self.read is not None and self.read.number == self.true.number

    @property
    def colour_right(self) -> bool:
        """True where the colour is right; a joker has none."""
        return self.read is not None and self.read.colour == self.true.colour


@dataclass(frozen=True, slots=True)
class PictureScore:
    """How one picture was read. Counts, unless said otherwise."""

    name: str
    """The picture's name."""
    place: str
    """Its place or family."""
    scene: str
    """Its scene."""
    kind_true: str | None
    """What it shows."""
    kind_read: str
    """What it was taken for; ``error`` where it could not be read at all."""
    true: int
    """True tiles that count."""
    read: int
    """Tiles with a reading that count."""
    missed: int
    """True tiles that were not found."""
    false: int
    """Faces found where no true one is, those without a reading included."""
    false_read: int
    """Those of them that have a reading."""
    split_merged: int
    """Those of them that are part of a tile, or several tiles in one."""
    tiles: tuple[TileScore, ...]
    """True tiles that were found."""
    upright_known: bool
    """True where the truth knows which way is up."""
    backs_true: int
    """Tiles that show their back."""
    backs_read: int
    """Faces-down in the reading that count."""
    backs_right: int
    """Those of them that are right."""
    sets_known: bool
    """True where the truth surely knows the sets."""
    sets_true: int = 0
    """True sets with a tile that counts."""
    sets_right: int = 0
    """Sets read with exactly the right tiles in the right order, whatever the tiles were read as."""
    all_sets_right: bool = False
    """True where every set is right and there is no other."""
    layout_right: bool = False
    """The same among the true tiles that were found: the layout apart from the finding."""
    sets_doubted: int = 0
    """Sets whose cut is in doubt."""
    ms: dict[str, float] = field(default_factory=dict)
    """Milliseconds by stage."""
    error: str = ""
    """Why it could not be read; empty where it could."""

    @property
    def found(self) -> int:
        """True tiles that were found."""
        return len(self.tiles)

    @property
    def right(self) -> int:
        """Tiles whose best reading is right."""
        return sum(tile.right for tile in self.tiles)

    @property
    def sure_right(self) -> int:
        """Tiles read right and surely."""
        return sum(tile.right and not tile.doubt for tile in self.tiles)

    @property
    def wrong_sure(self) -> int:
        """Tiles read wrong without a doubt being flagged."""
        return sum(not tile.right and not tile.doubt for tile in self.tiles)

    @property
    def doubts(self) -> int:
        """True tiles whose reading is a doubt."""
        return sum(tile.doubt for tile in self.tiles)

    @property
    def doubts_right(self) -> int:
        """Doubts whose best reading is right."""
        return sum(tile.doubt and tile.right for tile in self.tiles)

    @property
    def turned(self) -> int:
        """Tiles whose upright was taken wrongly."""
        return sum(tile.turned for tile in self.tiles) if self.upright_known else 0

    @property
    def all_tiles_right(self) -> bool:
        """True where every tile is found and right, and nothing else is read."""
        return self.right == self.true and self.false_read == 0 and not self.error

    @property
    def all_tiles_sure(self) -> bool:
        """The same, with doubts counted as wrong."""
        return self.sure_right == self.true and self.false_read == 0 and not self.error

    @property
    def everything_right(self) -> bool:
        """True where every tile and every set is right."""
        return self.all_tiles_right and self.all_sets_right

    @property
    def kind_right(self) -> bool | None:
        """True where the kind is right; None where nobody said what it is."""
        return None if self.kind_true is None else self.kind_true == self.kind_read

    def corner_figures(self) -> tuple[float, float]:
        """Return the mean and the largest corner error, tile widths; NaN where no tile was found."""
        means = [tile.corner_mean for tile in self.tiles if not np.isnan(tile.corner_mean)]
        most = [tile.corner_max for tile in self.tiles if not np.isnan(tile.corner_max)]
        return (float(np.mean(means)), float(np.max(most))) if means else (float("nan"), float("nan"))


def score(truth: PictureTruth, reading: PhotoReading | None, error: str = "") -> tuple[PictureScore, Matches]:
    """Score a reading; None, with the error, stands for a picture that could not be read.

    The matches are of the reading's tiles and then its unreadable faces, to the truth's tiles.
    """
    kind_read = reading.kind if reading is not None else "error"
    reading = reading or PhotoReading(truth.size_wh, "empty")
    faces = [k for k, tile in enumerate(truth.tiles) if not tile.face_down and counts(tile)]
    backs = [k for k, tile in enumerate(truth.tiles) if tile.face_down and counts(tile)]
    ignore = [tile.corners_xy_px for tile in truth.tiles if not counts(tile)] + list(truth.ignore_xy_px)
    corners = [tile.corners_xy_px for tile in truth.tiles]
    found = [*(tile.corners_xy_px for tile in reading.tiles), *reading.unreadable]
    local = match(found, [corners[k] for k in faces], ignore, truth.size_wh)
    matches = Matches({f: faces[t] for f, t in local.true_of.items()}, local.ignored, local.split, local.merged)
    of_backs = match(reading.face_down_xy_px, [corners[k] for k in backs], ignore, truth.size_wh)

    tiles = tuple(_tile(truth, reading, f, t) for f, t in sorted(matches.true_of.items()))
    false = matches.unmatched(len(found))
    sets = _Sets(truth, reading, matches, set(faces))
    picture = PictureScore(
        name=truth.name,
        place=truth.place,
        scene=truth.scene,
        kind_true=truth.kind,
        kind_read=kind_read,
        true=len(faces),
        read=sum(k not in matches.ignored for k in range(len(reading.tiles))),
        missed=len(faces) - len(tiles),
        false=len(false),
        false_read=sum(k < len(reading.tiles) for k in false),
        split_merged=len(matches.split | matches.merged),
        tiles=tiles,
        upright_known=truth.upright,
        backs_true=len(backs),
        backs_read=len(reading.face_down_xy_px) - len(of_backs.ignored),
        backs_right=len(of_backs.true_of),
        sets_known=truth.sets is not None,
        sets_true=len(sets.true),
        sets_right=len(sets.true & sets.read),
        all_sets_right=truth.sets is not None and not error and sets.true == sets.read,
        layout_right=truth.sets is not None and not error and sets.true_found == sets.read_found,
        sets_doubted=sum(one.doubt for one in reading.sets),
        ms=dict(reading.ms),
        error=error,
    )
    return picture, matches


def _tile(truth: PictureTruth, reading: PhotoReading, found: int, true: int) -> TileScore:
    readable = found < len(reading.tiles)
    corners = reading.tiles[found].corners_xy_px if readable else reading.unreadable[found - len(reading.tiles)]
    mean, most, turn = corner_errors(corners, truth.tiles[true].corners_xy_px, truth.size_wh)
    what = truth.tiles[true].tile
    assert what is not None, "only faces are matched"
    read = reading.tiles[found] if readable else None
    return TileScore(
        true, found, what, read.tile if read else None, read.doubt if read else True,
        mean, most, truth.upright and turn != 0,
    )  # fmt: skip


class _Sets:
    """True sets and read ones, both in true indices; what does not count is left out on both sides."""

    def __init__(
        self, truth: PictureTruth, reading: PhotoReading, matches: Matches, counting: set[int]
    ) -> None:
        found = set(matches.true_of.values())
        self.true = _without_empty([[k for k in one if k in counting] for one in truth.sets or ()])
        self.true_found = _without_empty([[k for k in one if k in found] for one in truth.sets or ()])
        read: list[list[int]] = []
        for one in reading.sets:
            indices = [k if k >= 0 else len(reading.tiles) - 1 - k for k in one.members]
            # A false tile is named by a negative number, so that its set equals no true one.
            read.append([matches.true_of.get(k, -1 - k) for k in indices if k not in matches.ignored])
        self.read = _without_empty(read)
        self.read_found = _without_empty([[k for k in one if k >= 0] for one in read])


def _without_empty(sets: Sequence[Sequence[int]]) -> frozenset[tuple[int, ...]]:
    return frozenset(tuple(one) for one in sets if one)
