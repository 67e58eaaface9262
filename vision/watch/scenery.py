"""What looks like a tile and was there before the game: motifs of a tablecloth, a box's lid, a phone's screen.

Where a tile is laid the picture changes. What is found later in a place that still looks as it did in the first
picture, when no set lay there, is a part of the table. A row of the first picture that nobody would lay, of all
colours and numbers, is printed on something, and stays that where the thing is moved; so is a row of another
size than the pool's tiles. Where more jokers lie about than a game has, they are a cloth's flowers, also those
beside sets, but for one that came to lie right beside a number. And where a motif reads otherwise though
nothing has reached in, it is on a screen: nothing that shows there or right beside is a tile.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence, Set
from dataclasses import dataclass
from functools import cache, partial
from types import EllipsisType

import cv2
import numpy as np
from numpy.typing import NDArray

from referee import Tile
from vision.layout.plane import slack_of_size, tile_frames
from vision.readings import Corners, stacked
from vision.watch.home_view import Mask
from vision.watch.look import Look, SeenFace, still_known, without_faces
from vision.watch.open_racks import is_set
from vision.watch.patches import PLACE_IN_PATCH, HomePicture, Patch, correlation
from vision.watch.track import top_of

__all__ = ["Scenery"]

_SURELY = 0.9
"""What reads as a number so surely counts as read."""
_PERHAPS = 0.05
"""Probability of a joker from which on a flower under another's edge may be one."""
_LEAST_ROW, _LEAST_READ = 3, 2
"""Tiles of a row that is none of the cloth, and how many of them were read, jokers left out."""
_BESIDE = 1.6
"""Tile widths within which a tile belongs to the row that lies there, though the finder missed it at first."""
_NEXT_TO = 1.3
"""The same of a joker that is one of a set, on a cloth of which the flowers read as jokers."""
_SAME_PLACE = 0.5
"""The same of what lay there alone."""
_ALIKE = 0.75
"""Correlation from which on a place shows what it showed."""
_UNLIKE = 0.4
"""Correlation under which something else lies there."""
_PLAIN_LEVELS = 4.0
"""Standard deviation of a place that shows no figure: of such a one nothing is said."""
_INNER = (slice(6, 18), slice(5, 15))
"""A tile's place in a patch, with its edges."""
_LEAST_BARE = 0.4
"""Share of a place that no other tile may cover for the rest to be compared alone."""
_MIXED = 3
"""So many colours and numbers in one row, all surely read, are no set, nor what somebody takes for one."""
_AS_FAR = 0.2
"""Share by which the distance between two of them may differ once the thing was moved: it is seen aslant."""
_ENOUGH_BACKS = 12
"""So many backs tell how large a tile is."""
_TILE_SIZES = (0.6, 1.5)
"""Areas of a row's tiles, as shares of the backs'; 250 rows in 18 games had 0.74 to 1.22."""
_ALL_OFF = 0.02
"""The backs on one side of a pool may seem larger by so much, as a logarithm: farther off that tells little."""
_LARGEST_SCREEN = 16
"""More motifs side by side than this are a tablecloth's."""


@dataclass(slots=True, eq=False)
class _Motif:
    """A place of the first picture that was found as a tile, though no set lay there."""

    home: Corners
    read: Tile | None
    """What it read as, surely; None where it did not."""
    on_screen: bool = False


class Scenery:
    """Remembers the first picture, and where tiles lay in it."""

    def __init__(self, whole_pool: int | None = None, jokers: int = 2) -> None:
        """Begin without any picture; ``whole_pool``: backs before the first turn, where that may be to come.

        ``jokers``: how many the game has.
        """
        self._whole_pool, self._from_the_start = whole_pool, False
        self._jokers, self._has_flowers = jokers, False
        self._first: HomePicture | None = None
        self._tiles: list[Corners] = []
        self._alone: list[Corners] = []
        self._motifs: list[_Motif] = []
        self._places = stacked([])
        self._uncovered: list[tuple[Corners, Patch]] = []
        self._backs: Sequence[Corners] = ()
        self._has_prints = False
        self.took_sets_for_print = False
        """True where a good set of the pool's size was in view before the first turn."""
        self._begins = True

    def without(
        self,
        look: Look,
        now: HomePicture,
        *,
        again: bool,
        came: Callable[[Corners], bool] = lambda home: True,
        uncovered: Sequence[Corners] = (),
    ) -> Look:
        """Return the look without what was there before the game.

        ``again``: nothing moved since the last. ``came``: whether anything may have reached in to a place,
        (4, 2) at home, since then. ``uncovered``: places at home that show something since backs were taken up.
        """
        self._begins = self._begins and (again or self._first is None)
        self._first = self._first or now
        if len(look.backs) > len(self._backs):
            self._backs = look.backs
        of_other_size = cache(partial(self._of_other_size, look))
        if self._begins:
            self._begin(look, of_other_size)
        odd = [at for at, face in enumerate(look.faces) if not self._lay_here(face.home)]
        homes = [look.faces[at].home for at in odd]
        quads = stacked([face.home for face in look.faces])
        patches = [
            (at, before, after, _bare(quads, at, after.shape))
            for at, before, after in zip(odd, self._first.patches(homes), now.patches(homes), strict=True)
        ]
        there = {at for at, before, after, bare in patches if _looks_alike(before, after, bare)}
        self._uncover(uncovered, now)
        there |= self._still_uncovered(look, odd, now)
        if not self._begins:
            there -= self._laid_on(look, there, of_other_size)
        self._remember([look.faces[at] for at in there])
        screens = {at for at in odd if self._is_on_screen(look.faces[at], came)}
        there |= screens - _beside_tiles(look, screens)
        for printed in self._printed():
            there |= _moved_with(printed, look, [at for at in odd if at not in there])
        if self._has_prints:
            there |= of_other_size()
        flowers = self._flowers(look)
        laid = {at for at, old, new, bare in patches if at in flowers and _differs(old, new, bare)}
        return without_faces(look, there | (flowers - _jokers_beside(look, laid)))

    def _begin(self, look: Look, of_other_size: Callable[[], Set[int]]) -> None:
        """Take in which rows of a first look are sets, and which are printed on something.

        No set lies on the table before the first turn.
        """
        self._from_the_start |= len(look.backs) == self._whole_pool
        for members in (members for members, _ in look.sets if _is_row(look, members)):
            homes = [look.faces[at].home for at in members]
            read = [tile for at in members if (tile := _surely_read(look.faces[at])) is not None]
            if self._is_printed(members, of_other_size) or _is_mixed(read):
                alike = of_other_size().isdisjoint(members)
                self.took_sets_for_print |= alike and is_set(look.faces, members)
                # A look before this one may have read too few of them to tell, or seen too few backs.
                self._tiles = [
                    one for one in self._tiles if not _are_near(one, stacked(homes), _SAME_PLACE).any()
                ]
            else:
                self._tiles += homes

    def _uncover(self, homes: Sequence[Corners], now: HomePicture) -> None:
        """Take in how places look from which backs have just gone."""
        known = still_known(self._uncovered, [place for place, _ in self._uncovered], homes)
        self._uncovered = [*known, *zip(homes, now.patches(homes), strict=True)]

    def _still_uncovered(self, look: Look, among: Sequence[int], now: HomePicture) -> set[int]:
        """Return those of the faces, by index, that show what they showed when backs had gone from there."""
        places = stacked([place for place, _ in self._uncovered])
        here = {at: np.flatnonzero(_are_near(look.faces[at].home, places, _SAME_PLACE)) for at in among}
        known = [(at, *self._uncovered[near[0]]) for at, near in here.items() if len(near)]
        patches = now.patches([place for _, place, _ in known])
        return {
            at for (at, _, before), after in zip(known, patches, strict=True) if _looks_alike(before, after)
        }

    def _is_printed(self, members: Sequence[int], of_other_size: Callable[[], Set[int]]) -> bool:
        """Say whether a row of the first picture is no set: one of other tiles' size, which is remembered."""
        odd = not of_other_size().isdisjoint(members)
        self._has_prints |= odd
        return odd or self._from_the_start

    def _of_other_size(self, look: Look) -> set[int]:
        """Return the faces of rows that are, on the table's plane, much smaller or larger than the backs."""
        if len(self._backs) < _ENOUGH_BACKS or not look.faces:
            return set()
        count = len(self._backs)
        quads = np.asarray([*self._backs, *(face.home for face in look.faces)], np.float64)
        sizes = np.log(np.maximum(tile_frames(quads, np.arange(len(quads)) < count).size, 1e-6))
        middles = quads.mean(axis=1)
        low, high = np.log(_TILE_SIZES)
        odd: set[int] = set()
        for row in (np.array(members) for members, _ in look.sets if len(members) > 1):
            size, place = float(np.median(sizes[count + row])), middles[count + row].mean(axis=0)
            slack = slack_of_size(place[None], middles[:count], sizes[:count], _ALL_OFF)[0]
            if not low - slack < size < high + slack:
                odd.update(row.tolist())
        return odd

    def _flowers(self, look: Look) -> set[int]:
        """Return the faces that lie in no set and may read as jokers, where more do so than there can be."""
        rows = (members for members, _ in look.sets)
        alone = {at for row in rows if all(_joker(look.faces[at]) >= _PERHAPS for at in row) for at in row}
        surely = sum(_joker(look.faces[at]) >= _SURELY for at in alone)
        self._has_flowers |= surely > self._jokers
        return alone if self._has_flowers else set()

    def _remember(self, faces: Sequence[SeenFace]) -> None:
        """Note motifs that were not met before, and what they read as."""
        for face in faces:
            known = self._motif_at(face.home)
            if known is None:
                self._motifs.append(_Motif(face.home, _surely_read(face)))
                self._places = stacked([one.home for one in self._motifs])
            elif known.read is None:
                known.read = _surely_read(face)

    def _motif_at(self, home: Corners) -> _Motif | None:
        near = np.flatnonzero(_are_near(home, self._places, _SAME_PLACE))
        return self._motifs[near[0]] if len(near) else None

    def _printed(self) -> list[dict[Tile, Corners]]:
        """Return what is side by side in the first picture and no set: the numbers read there, and where."""
        groups, met = [], np.zeros(len(self._motifs), np.bool_)
        for at, one in enumerate(self._motifs):
            if met[at] or one.read is None:
                continue
            group = self._beside(one)
            met[group] = True
            motifs = [self._motifs[k] for k in group]
            read = {motif.read: motif.home for motif in motifs if motif.read is not None}
            if _is_mixed(read) and len(group) <= _LARGEST_SCREEN:
                groups.append(read)
        return groups

    def _is_on_screen(self, face: SeenFace, came: Callable[[Corners], bool]) -> bool:
        """True for what shows where a motif has changed by itself, and for its neighbours from then on."""
        motif = self._motif_at(face.home)
        if motif is None:
            return False
        read = _surely_read(face)
        if None not in (read, motif.read) and read != motif.read and not came(face.home):
            beside = self._beside(motif)
            for at in beside if len(beside) <= _LARGEST_SCREEN else ():
                self._motifs[at].on_screen = True
        return motif.on_screen

    def _beside(self, motif: _Motif) -> list[int]:
        """Return which motifs lie side by side with one, itself among them."""
        group = _are_near(motif.home, self._places, _SAME_PLACE)
        fresh = group
        while fresh.any():
            near = [_are_near(self._motifs[at].home, self._places, _BESIDE) for at in np.flatnonzero(fresh)]
            fresh = np.any(near, axis=0) & ~group
            group = group | fresh
        return np.flatnonzero(group).tolist()

    def _lay_here(self, home: Corners) -> bool:
        lay = ((self._tiles, _BESIDE), (self._alone, _SAME_PLACE))
        return any(_are_near(home, stacked(tiles), widths).any() for tiles, widths in lay)

    def _laid_on(self, look: Look, there: set[int], of_other_size: Callable[[], Set[int]]) -> set[int]:
        """Return those that are tiles all the same.

        They are a set that the first looks missed, or became one with tiles that were laid since.
        """
        tiles: set[int] = set()
        for members, _ in look.sets:
            own = there.intersection(members)
            if not own or not is_set(look.faces, members):
                continue
            if len(own) < len(members):
                own = {at for at in own if _is_read(look.faces[at])}
                self._alone += [look.faces[at].home for at in own]
            elif _is_row(look, members) and not self._is_printed(members, of_other_size):
                self._tiles += [look.faces[at].home for at in own]
            else:
                continue
            tiles |= own
        return tiles


def _beside_tiles(look: Look, screens: Set[int]) -> set[int]:
    """Return those that make a set with tiles beside them: it was a motif after all, and a tile lies on it."""
    sets = (members for members, _ in look.sets if not screens >= {*members})
    return {at for members in sets if is_set(look.faces, members) for at in members if at in screens}


def _jokers_beside(look: Look, among: Set[int]) -> set[int]:
    """Return those of some faces that surely are jokers, right beside a number."""
    numbers = stacked([face.home for face in look.faces if _is_read(face)])
    surely = (at for at in among if _joker(look.faces[at]) >= _SURELY)
    return {at for at in surely if _are_near(look.faces[at].home, numbers, _NEXT_TO).any()}


def _is_row(look: Look, members: Sequence[int]) -> bool:
    """Say whether so many tiles of a row were read that it is none of motifs."""
    return len(members) >= _LEAST_ROW and sum(_is_read(look.faces[at]) for at in members) >= _LEAST_READ


def _is_read(face: SeenFace) -> bool:
    return _surely_read(face) is not None


def _surely_read(face: SeenFace) -> Tile | None:
    """Return the number that a face surely reads as."""
    if not face.listed:
        return None
    tile, share = top_of(face.listed)
    return tile if share >= _SURELY and not tile.is_joker else None


def _joker(face: SeenFace) -> float:
    """Return how probably a face is a joker's."""
    return sum(share for tile, share in (face.listed or {}).items() if tile.is_joker)


def _is_mixed(tiles: Collection[Tile]) -> bool:
    return min(len({tile.colour for tile in tiles}), len({tile.number for tile in tiles})) >= _MIXED


def _moved_with(printed: Mapping[Tile, Corners], look: Look, among: Sequence[int]) -> set[int]:
    """Return the faces that are what was printed beside each other in the first picture, moved together."""
    read = {at: tile for at in among if (tile := _surely_read(look.faces[at])) is not None and tile in printed}

    def keep_apart(one: int, other: int) -> bool:
        was = _apart(printed[read[one]], printed[read[other]])
        return abs(_apart(look.faces[one].home, look.faces[other].home) - was) <= _AS_FAR * was

    rows = ({at for at in read if keep_apart(at, first)} for first in read)
    return {at for row in rows if _is_mixed({read[at] for at in row}) for at in row}


def _apart(one: Corners, other: Corners) -> float:
    return float(np.linalg.norm(one.mean(axis=0) - other.mean(axis=0)))


def _are_near(home: Corners, tiles: NDArray[np.float32], widths: float) -> Mask:
    """Say of which tiles, (N, 4, 2), the middle lies within so many of their widths of a place's."""
    away = np.linalg.norm(tiles.mean(axis=1) - home.mean(axis=0), axis=1)
    return np.asarray(away <= widths * np.linalg.norm(tiles[:, 1] - tiles[:, 0], axis=1))


def _bare(quads: NDArray[np.float32], at: int, shape: tuple[int, ...]) -> Mask:
    """Return what of a find's place, shape (12, 10), lies under no other: a tile was laid beside a motif.

    ``quads`` (N, 4, 2) are the places of all finds at home, ``shape`` is a patch's.
    """
    near = _are_near(quads[at], quads, _BESIDE)
    near[at] = False
    over = np.zeros(shape[:2], np.uint8)
    if near.any():
        to_patch = cv2.getPerspectiveTransform(quads[at], PLACE_IN_PATCH)
        for quad in cv2.perspectiveTransform(quads[near], to_patch):
            cv2.fillConvexPoly(over, np.round(quad).astype(np.int32), 1)
    bare = over[_INNER] == 0
    return np.asarray(bare if bare.mean() >= _LEAST_BARE else np.ones_like(bare))


def _looks_alike(before: Patch, after: Patch, bare: Mask | EllipsisType = ...) -> bool:
    """Say whether a place shows the figure that it showed, in whatever light, where it lies ``bare``."""
    old, new = (patch.mean(axis=2)[_INNER][bare] for patch in (before, after))
    return min(float(old.std()), float(new.std())) >= _PLAIN_LEVELS and correlation(old, new) >= _ALIKE


def _differs(before: Patch, after: Patch, bare: Mask) -> bool:
    """Say whether a place surely shows another figure than it did, where it lies ``bare``."""
    old, new = (patch.mean(axis=2)[_INNER][bare] for patch in (before, after))
    return float(new.std()) >= _PLAIN_LEVELS and correlation(old, new) < _UNLIKE
