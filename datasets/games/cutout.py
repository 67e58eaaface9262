"""The looks of real tiles and real tables, cut out of labelled photographs.

The white of every tile is set to one ivory, and the grounds of a photograph follow its own tiles, so that tiles
and table of different photographs share one light.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final, Literal

import cv2
import numpy as np
from numpy.typing import NDArray

from datasets.games.cutout_faces import ASPECT, Cutout, bare_back, cut_out_all, opacity
from datasets.games.cutout_grounds import CutoutGround, grounds_of
from datasets.games.sprites import Rgba
from datasets.light import to_linear, to_srgb
from datasets.photos import load_photos
from referee.tiles import ALL_TILES, Tile

__all__ = ["CutoutError", "CutoutGround", "CutoutLooks", "load_cutouts"]

Map = NDArray[Any]  # float32

IVORY: Final = to_linear(np.array([237, 229, 208], np.float32) / 255)
"""Shape (3,): the body of every tile, linear light."""
_COPIES: Final = 2
"""Cut-outs kept of each face."""
_SAME_PLACE: Final = 3.0
"""So much better a tile of another place must be seen to be preferred: one box looks best as of one place."""


class CutoutError(Exception):
    """The photographs do not hold what a film needs; one sentence for the user."""


@dataclass(frozen=True, slots=True, eq=False)
class CutoutLooks:
    """Tiles cut out of photographs, all in one light; satisfies ``TileLooks``.

    The photographs show no backs: the back is made of the bare body of the fronts.
    """

    name: str
    """Names the part of the photographs and the seed."""
    cutouts: dict[Tile, tuple[Cutout, ...]]
    """Of each of the 53 faces, best first; a copy beyond their number begins again."""
    borrowed: tuple[Tile, ...]
    """Faces that the part asked for does not show, taken from the other part."""
    back_print: Map
    """Shape (H, W, 3): the back's light over that of a bare body."""
    aspect: float = ASPECT
    """Height of a tile over its width."""
    _made: dict[tuple[int, int, int], Rgba] = field(default_factory=dict, repr=False)

    def face(self, tile: Tile, copy: int, width_px: float) -> Rgba:
        """Return the face upright, ``width_px`` wide (rounded), as uint8 RGBA of shape (H, W, 4); do not write
        into it."""
        cutouts = self.cutouts[tile]
        copy %= len(cutouts)
        return self._sprite((tile.index, copy), cutouts[copy].print, width_px)

    def back(self, width_px: float) -> Rgba:
        """Return the back in the same way."""
        return self._sprite((-1, 0), self.back_print, width_px)

    def _sprite(self, which: tuple[int, int], print_: Map, width_px: float) -> Rgba:
        width = max(1, round(width_px))
        key = (*which, width)
        if key not in self._made:
            self._made[key] = _sprite(print_, width, max(1, round(width_px * self.aspect)))
        return self._made[key]


def load_cutouts(
    folder: Path, split: Literal["train", "test", "all"], seed: int
) -> tuple[CutoutLooks, list[CutoutGround]]:
    """Return the tiles and the tables that labelled photographs show.

    Args:
        folder: laid out as ``datasets.photos`` says, with truth text that says which way is up.
        split: the part whose tiles and tables are used; a face that it does not show well enough comes
            from the other part, and is named in ``CutoutLooks.borrowed``. A reader that learned from one part
            is tested on the other.
        seed: settles which of the cut-outs that are about as good are used.

    Raises:
        PhotoLabelsError: the folder cannot be used.
        CutoutError: a face is shown nowhere well enough, or there is no table.
    """
    photos = load_photos(folder)
    inside = [photo for photo in photos if split == "all" or photo.split == split]
    outside = [photo for photo in photos if split != "all" and photo.split != split]
    rng = np.random.default_rng((seed, 0xC07))
    own = cut_out_all(inside)
    missing = set(ALL_TILES) - {cutout.tile for cutout in own}
    other = [cutout for cutout in cut_out_all(outside) if cutout.tile in missing] if missing else []
    nowhere = missing - {cutout.tile for cutout in other}
    if nowhere:
        names = ", ".join(map(str, sorted(nowhere)))
        raise CutoutError(f"{folder} shows nowhere well enough: {names}.")
    places = [cutout.place for cutout in own]
    home = max(sorted(set(places)), key=places.count)
    chosen = {tile: _best([c for c in (*own, *other) if c.tile == tile], home, rng) for tile in ALL_TILES}
    grounds = grounds_of(inside, IVORY)
    if not grounds:
        raise CutoutError(f"{folder} shows no table in its part {split!r}.")
    firsts = [one[0] for tile, one in chosen.items() if one[0].place == home]
    width = round(float(np.median([c.print.shape[1] for c in firsts])))
    looks = CutoutLooks(f"cutout-{split}-{seed}", chosen, tuple(sorted(missing)), bare_back(firsts, width))
    return looks, grounds


def _best(cutouts: list[Cutout], home: str, rng: np.random.Generator) -> tuple[Cutout, ...]:
    """Return the best cut-outs of one face; of a joker, one in each ink."""
    marks = {
        id(c): c.score * (_SAME_PLACE if c.place == home else 1.0) * float(rng.uniform(0.9, 1.0))
        for c in cutouts
    }
    ranked = sorted(cutouts, key=lambda c: -marks[id(c)])
    first = ranked[0]
    if first.tile.is_joker and len(ranked) > 1:
        away = [float(np.linalg.norm(c.ink - first.ink)) for c in ranked]
        other = [c for c, far in zip(ranked, away, strict=True) if far > 0.6 * max(away)]
        return (first, *other[: _COPIES - 1])
    # The best cut-out twice looks less real than a fair one beside it, but a poor one is worse than either.
    good = [c for c in ranked if marks[id(c)] > 0.45 * marks[id(first)]]
    return tuple(good[:_COPIES])


def _sprite(print_: Map, width: int, height: int) -> Rgba:
    """Return a print on the common body as sRGB with its opacity."""
    shrinks = width <= print_.shape[1]
    size = (width, height)
    light = cv2.resize(print_, size, interpolation=cv2.INTER_AREA if shrinks else cv2.INTER_CUBIC) * IVORY
    rgb = np.clip(to_srgb(light) * 255 + 0.5, 0, 255)
    alpha = np.clip(opacity(width, height) * 255 + 0.5, 0, 255)
    sprite = np.dstack([rgb, alpha]).astype(np.uint8)
    sprite.setflags(write=False)
    return sprite
