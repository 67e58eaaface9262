"""From oriented corners to sets and rows."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from vision.layout.links import candidate_links, greedy, within_probability
from vision.layout.plane import Floats, TileFrames, tile_frames
from vision.layout.racks import rack_rows, standing_on
from vision.readings import Kind

Ints = NDArray[np.intp]

JOIN_AT = 0.5
"""Probability from which two neighbours are read as one set."""
DOUBT_BAND = (0.12, 0.88)
"""Probabilities between which a join or a cut is a doubt."""


@dataclass(frozen=True, slots=True)
class LaidSet:
    """Tiles that lie together."""

    members: tuple[int, ...]
    """Indices of tiles, in reading order."""
    doubt: bool = False
    """True where a cut beside or within the set is uncertain."""


@dataclass(frozen=True, slots=True)
class Layout:
    """How the tiles of a picture lie."""

    kind: Kind
    """Table, rack or empty."""
    sets: tuple[LaidSet, ...] = ()
    """On a table: its sets, a loose tile being a set of one, then the rows of racks in view.

    On a rack: its rows, top step first, then what lies beside it."""
    on_rack: tuple[int, ...] = ()
    """The tiles that stand on a rack; no set holds such and others."""


def read_layout(
    corners_xy_px: ArrayLike, racks_xy_px: Sequence[ArrayLike] = (), size_wh: tuple[int, int] | None = None
) -> Layout:
    """Read which tiles lie together, by geometry alone.

    ``corners_xy_px``: shape (N, 4, 2), pixels, each tile's corners clockwise from its own upper left; any
    order of tiles. ``racks_xy_px``: fronts of racks in view, each (4, 2). ``size_wh``: the picture's size; if
    given, tiles that touch the border do not shape the estimate of the table plane.

    Kind: ``rack`` needs a rack in ``racks_xy_px`` on which most of the tiles stand; the sets of tiles off it
    then follow the rows, which else follow the sets. Without a rack in view the picture is a ``table``: tiles
    in straight rows are what a tidy table shows as well, and calling a table a rack would leave it unjudged.
    ``empty`` where there are no tiles.

    Reading order within a set is left to right in the tiles' own upright; where tiles face both ways the
    majority's facing decides, and at a tie the facing that is more upright in the picture. Sets come in rows
    of the picture, top to bottom, each left to right.

    Raises ValueError for a wrong shape or values that are not finite.
    """
    corners = np.asarray(corners_xy_px, dtype=np.float64)
    if corners.size == 0:
        return Layout("empty")
    if corners.ndim != 3 or corners.shape[1:] != (4, 2):
        raise ValueError(f"corners must have shape (N, 4, 2), not {corners.shape}")
    racks = [np.asarray(rack, dtype=np.float64) for rack in racks_xy_px]
    for rack in racks:
        if rack.shape != (4, 2):
            raise ValueError(f"a rack must have shape (4, 2), not {rack.shape}")
    if not all(np.isfinite(values).all() for values in (corners, *racks)):
        raise ValueError("corners must be finite numbers")
    whole = np.ones(len(corners), dtype=bool)
    if size_wh is not None:
        limit = np.array(size_wh, dtype=np.float64) - 2.0
        whole = np.asarray(((corners > 1.0) & (corners < limit)).all(axis=(1, 2)))
    owner = standing_on(corners, racks)
    standing = np.flatnonzero(owner >= 0)
    lying = np.flatnonzero(owner < 0)
    sets = _in_rows(_table_sets(corners[lying], whole[lying], lying), corners)
    rows: list[LaidSet] = []
    for index in _top_down([rack.mean(axis=0) for rack in racks]):
        tiles = np.flatnonzero(owner == index)
        if len(tiles):
            found = rack_rows(tile_frames(corners[tiles], whole[tiles]))
            rows += [LaidSet(tuple(int(tiles[place]) for place in row), doubt) for row, doubt in found]
    on_rack = tuple(int(tile) for tile in standing)
    if 2 * len(standing) <= len(corners):
        return Layout("table", tuple(sets + rows), on_rack)
    return Layout("rack", tuple(rows + sets), on_rack)


def _table_sets(corners: Floats, whole: NDArray[np.bool_], names: Ints) -> list[LaidSet]:
    """Group tiles on a table; ``names`` are their indices in the picture."""
    if len(corners) == 0:
        return []
    frames = tile_frames(corners, whole)
    chains, unsure = _chains(frames)
    return [
        LaidSet(tuple(int(names[tile]) for tile in _reading_order(chain, frames, corners)), bool(doubt))
        for chain, doubt in zip(chains, unsure, strict=True)
    ]


def _chains(frames: TileFrames) -> tuple[list[list[int]], list[bool]]:
    """Return the tiles in chains, each in order from one end to the other, and which of them are in doubt."""
    count = len(frames.centre_xy)
    links = candidate_links(frames)
    next_to: list[list[int]] = [[] for _ in range(count)]
    doubtful = np.zeros(count, dtype=bool)
    if len(links):
        sample = greedy(links, -links.plain_cost, count)
        likely = within_probability(links, sample, frames.noise)
        worth = np.where(likely > 0.01, np.log(likely + 1e-12) - np.log1p(1e-12 - likely), -50.0)
        for index in greedy(links, worth, count):
            one, other = (int(side) // 2 for side in links.sides[index])
            if likely[index] >= JOIN_AT:
                next_to[one].append(other)
                next_to[other].append(one)
            if DOUBT_BAND[0] < likely[index] < DOUBT_BAND[1]:
                doubtful[[one, other]] = True
    chains: list[list[int]] = []
    seen = np.zeros(count, dtype=bool)
    for start in range(count):
        if seen[start] or len(next_to[start]) > 1:
            continue
        chain, tile = [], start
        while True:
            seen[tile] = True
            chain.append(tile)
            onward = [neighbour for neighbour in next_to[tile] if not seen[neighbour]]
            if not onward:
                break
            tile = onward[0]
        chains.append(chain)
    return chains, [bool(doubtful[chain].any()) for chain in chains]


def _reading_order(chain: list[int], frames: TileFrames, corners: Floats) -> list[int]:
    """Turn a chain so that it reads left to right in the upright of most of its tiles."""
    if len(chain) == 1:
        return chain
    course = frames.centre_xy[chain[-1]] - frames.centre_xy[chain[0]]
    agree = np.sign(frames.right_xy[chain] @ course)
    votes = float(agree.sum())
    if votes == 0:
        down = corners[chain, 3, 1] + corners[chain, 2, 1] - corners[chain, 0, 1] - corners[chain, 1, 1]
        votes = float((agree * down).sum())
    return chain if votes >= 0 else chain[::-1]


def _in_rows(sets: list[LaidSet], corners: Floats) -> list[LaidSet]:
    """Sort sets into reading order of the picture."""
    if not sets:
        return []
    middles = [corners[list(laid.members)].mean(axis=(0, 1)) for laid in sets]
    return [
        sets[index] for index in _top_down(middles, 0.6 * float(np.median(np.ptp(corners[..., 1], axis=1))))
    ]


def _top_down(middles: Sequence[Floats], band: float = 0.0) -> list[int]:
    """Return the order of points by rows of height ``band``, top to bottom, left to right."""
    order = sorted(range(len(middles)), key=lambda index: (float(middles[index][1]), float(middles[index][0])))
    result: list[int] = []
    while order:
        top = float(middles[order[0]][1])
        row = [index for index in order if float(middles[index][1]) <= top + band]
        result += sorted(row, key=lambda index: float(middles[index][0]))
        order = [index for index in order if index not in row]
    return result
