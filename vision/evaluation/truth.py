"""What a picture truly shows, in the one form that evaluation works on, whether photographed or rendered."""

from __future__ import annotations

from dataclasses import dataclass

from datasets.labels import LabelledPicture, LabelledTile
from datasets.photos import LabelledPhoto
from vision.readings import Corners, Kind

__all__ = ["NUMERAL_BAR", "PictureTruth", "counts"]

NUMERAL_BAR = 0.7
"""Least share of the numeral in view for a tile to count: with less of it, 6 and 8, or 1 and 11, are alike."""
VISIBLE_BAR = 0.5
"""Least share of a tile's back in view for it to count."""


@dataclass(frozen=True, slots=True, eq=False)
class PictureTruth:
    """The truth of one picture; coordinates in pixels of the upright picture."""

    name: str
    """What the picture is called in tables."""
    size_wh: tuple[int, int]
    """Width and height, pixels."""
    tiles: tuple[LabelledTile, ...]
    """Tiles of which any part is in view."""
    kind: Kind | None
    """What it shows; None where nobody said."""
    sets: tuple[tuple[int, ...], ...] | None
    """Indices into ``tiles`` in reading order; None where nobody said, or not surely."""
    upright: bool = True
    """True where corners begin at the tile's own upper left."""
    ignore_xy_px: tuple[Corners, ...] = ()
    """Faces that are neither right nor wrong to find."""
    place: str = ""
    """Place or family, for the summary."""
    scene: str = ""
    """Scene within the place, for the summary."""
    design: str = ""
    """The tile set's design, where it is known: of rendered ones the typeface."""

    @classmethod
    def of_photo(cls, photo: LabelledPhoto) -> PictureTruth:
        """Take the truth of a labelled photograph."""
        return cls(
            photo.name, photo.size_wh, photo.tiles, photo.kind, photo.sets, photo.upright,
            photo.ignore_xy_px, photo.place, photo.scene,
        )  # fmt: skip

    @classmethod
    def of_picture(cls, name: str, picture: LabelledPicture, place: str = "rendered") -> PictureTruth:
        """Take the truth of a rendered picture; tiles outside play belong to no set, and are ignored."""
        members: dict[int, list[tuple[int, int]]] = {}
        tiles: list[LabelledTile] = []
        ignore: list[Corners] = []
        for tile in picture.tiles:
            if tile.set_index is None and not tile.face_down:
                ignore.append(tile.corners_xy_px)
                continue
            if tile.set_index is not None:
                members.setdefault(tile.set_index, []).append((tile.place, len(tiles)))
            tiles.append(tile)
        sets = tuple(tuple(k for _, k in sorted(members[s])) for s in sorted(members))
        height, width = picture.image_bgr.shape[:2]
        return cls(
            name, (width, height), tuple(tiles), picture.kind, sets, True, tuple(ignore), place, place,
            picture.families.get("font", ""),
        )  # fmt: skip


def counts(tile: LabelledTile) -> bool:
    """Tell whether a tile counts; one cut off or buried beyond reading does not."""
    return tile.visible >= VISIBLE_BAR if tile.face_down else tile.numeral_visible >= NUMERAL_BAR
