"""Which tiles lie where: sets on a table, scatter, a pool of backs, a box. Racks: ``datasets.layouts_rack``.

Positions are in tile widths on the table, see ``datasets.camera``.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.random import Generator
from numpy.typing import NDArray

from datasets.scene import Frame, flat_frame
from referee.tiles import ALL_TILES, JOKER, Colour, Tile

__all__ = ["Deck", "Layout", "PlacedTile", "add_pool", "box_of_tiles", "scatter", "sets_on_table"]

Array = NDArray[Any]  # float64
NO_PLANE = 1_000  # raised tiles: no shadow plane fits them


@dataclass(slots=True, eq=False)
class PlacedTile:
    """One tile and where it is."""

    tile: Tile | None
    """None shows its back."""
    frame: Frame
    """Its top face."""
    set_index: int | None = None
    """See ``datasets.labels.LabelledTile``."""
    place: int = 0
    """Place in reading order."""
    on_rack: bool = False
    """Stands on a rack."""
    group: int = 0
    """Painting group; 0 for a group of its own."""
    rank: float = 0.0
    """Order within the group."""
    lift: float = 0.0
    """See ``datasets.scene.Solid``."""
    plane: int = 1
    """Shadow plane of its face; 1 is the top of tiles that lie on the table."""


@dataclass(slots=True, eq=False)
class Layout:
    """Tiles on a table and on racks."""

    aspect: float
    """Height of a tile."""
    thickness: float
    """Thickness of a tile."""
    tiles: list[PlacedTile] = field(default_factory=list)
    """All tiles."""
    sets: int = 0
    """How many sets and rack rows there are so far."""
    taken: list[Array] = field(default_factory=list)
    """Footprints (4, 2) that are occupied."""

    def free(self, corners: Array, gap: float = 0.0) -> bool:
        """Tell whether a convex quad (4, 2) keeps ``gap`` from everything that is taken."""
        return not self.taken or not _overlap(corners, np.array(self.taken), gap).any()


def _overlap(quad: Array, others: Array, gap: float) -> NDArray[np.bool_]:
    """Return (N,) whether convex quads (N, 4, 2) come closer to ``quad`` (4, 2) than ``gap``."""
    apart = np.zeros(len(others), bool)
    for source in (np.broadcast_to(quad, others.shape), others):
        for k in (0, 1):
            edge = source[:, k + 1] - source[:, k]
            axis = edge / np.linalg.norm(edge, axis=1, keepdims=True)
            mine = np.einsum("pc,nc->np", quad, axis)
            theirs = np.einsum("npc,nc->np", others, axis)
            apart |= mine.min(1) > theirs.max(1) + gap
            apart |= theirs.min(1) > mine.max(1) + gap
    return ~apart


def footprint(x: float, y: float, heading: float, w: float, h: float) -> Array:
    """Return the corners (4, 2) of a rectangle turned clockwise by ``heading``."""
    c, s = np.cos(heading), np.sin(heading)
    local = np.array([[-w, -h], [w, -h], [w, h], [-w, h]]) / 2
    result: Array = local @ np.array([[c, s], [-s, c]]) + [x, y]
    return result


class Deck:
    """A box of 106 tiles to draw from; refilled when it runs dry, as with two boxes on one table."""

    def __init__(self, rng: Generator) -> None:
        self._rng = rng
        self._left = {tile: 2 for tile in ALL_TILES}

    def take(self, tile: Tile) -> bool:
        """Take ``tile`` if there is one left."""
        if self._left[tile] == 0:
            return False
        self._left[tile] -= 1
        return True

    def draw(self) -> Tile:
        """Take any tile."""
        pool = [tile for tile, count in self._left.items() for _ in range(count)]
        if not pool:
            self._left = {tile: 2 for tile in ALL_TILES}
            return self.draw()
        tile = pool[int(self._rng.integers(len(pool)))]
        self._left[tile] -= 1
        return tile

    def make_set(self, legal_share: float) -> list[Tile]:
        """Take a group or a run, or (one less ``legal_share``) any row of tiles."""
        rng = self._rng
        if rng.random() > legal_share:
            return [self.draw() for _ in range(int(rng.integers(2, 8)))]
        if rng.random() < 0.45:
            number = int(rng.integers(1, 14))
            colours = list(Colour)
            rng.shuffle(colours)
            wanted = [Tile(colour, number) for colour in colours[: int(rng.integers(3, 5))]]
        else:
            length = int(np.clip(3 + rng.geometric(0.4) - 1, 3, 13))
            start = int(rng.integers(1, 15 - length))
            colour = list(Colour)[int(rng.integers(4))]
            wanted = [Tile(colour, n) for n in range(start, start + length)]
        if rng.random() < 0.14:
            wanted[int(rng.integers(len(wanted)))] = JOKER
        if rng.random() < 0.1:  # nearly right
            wanted[int(rng.integers(len(wanted)))] = self.draw()
        return [tile if self.take(tile) else self.draw() for tile in wanted]


@dataclass(frozen=True, slots=True)
class Care:
    """How neatly sets are laid."""

    gap: float
    """Mean gap between neighbours, tile widths."""
    gap_spread: float
    """Its spread."""
    turn: float
    """Spread of each tile's turn, radians."""
    shift: float
    """Spread of each tile's shift up or down."""
    flipped: float
    """Share of tiles that lie upside down in their set."""


def sample_care(rng: Generator) -> Care:
    """Draw how neatly a table's sets are laid."""
    gap, spread = [(0.0, 0.003), (0.015, 0.015), (0.06, 0.05), (0.2, 0.12)][
        int(rng.choice(4, p=[0.35, 0.3, 0.2, 0.15]))
    ]
    turn = [0.004, 0.02, 0.05, 0.12][int(rng.choice(4, p=[0.35, 0.35, 0.2, 0.1]))]
    shift = [0.004, 0.02, 0.06, 0.15][int(rng.choice(4, p=[0.3, 0.4, 0.2, 0.1]))]
    return Care(gap, spread, turn, shift, float(rng.choice([0.0, 0.08, 0.3], p=[0.8, 0.12, 0.08])))


def _lay(
    layout: Layout, row: list[Tile], x: float, y: float, heading: float, care: Care, rng: Generator
) -> None:
    """Lay a set with the middle of its left end at (x, y)."""
    along = np.array([np.cos(heading), np.sin(heading)])
    across = np.array([-np.sin(heading), np.cos(heading)])
    at = 0.5
    upside_down = rng.random(len(row)) < care.flipped
    # Most tiles stand upright along the reading direction, or it would be another one.
    upside_down[np.flatnonzero(upside_down)[max(0, (len(row) - 1) // 2) :]] = False
    for place, tile in enumerate(row):
        turn = rng.normal(0, care.turn)
        # Neighbours touch but do not sink into one another: a turned tile needs more room.
        room = 0.5 * layout.aspect * abs(np.sin(turn)) * 0.6
        at += room
        spot = np.array([x, y]) + at * along + rng.normal(0, care.shift) * across
        flip = np.pi if upside_down[place] else 0.0
        frame = flat_frame(float(spot[0]), float(spot[1]), layout.thickness, heading + turn + flip)
        layout.tiles.append(PlacedTile(tile, frame, layout.sets, place))
        layout.taken.append(footprint(float(spot[0]), float(spot[1]), heading + turn, 1.0, layout.aspect))
        at += 1.0 + room + max(0.0, rng.normal(care.gap, care.gap_spread))
    layout.sets += 1


def _length(row: list[Tile], care: Care) -> float:
    return len(row) * (1 + care.gap + 0.4 * care.turn) + 0.1


def sets_on_table(layout: Layout, deck: Deck, rng: Generator, count: int) -> None:
    """Lay ``count`` sets: in rows, at one slant, or at any angle."""
    care = sample_care(rng)
    legal = float(rng.choice([1.0, 0.8, 0.3]))
    rows = [deck.make_set(legal) for _ in range(count)]
    style = str(rng.choice(["rows", "slanted", "right_angles", "any"], p=[0.42, 0.2, 0.13, 0.25]))
    if style == "rows":
        _in_rows(layout, rows, care, rng)
        return
    total = sum(_length(row, care) * layout.aspect for row in rows)
    side = np.sqrt(total * rng.uniform(1.4, 3.4)) + 2
    lean = rng.uniform(-np.pi, np.pi)
    for row in rows:
        for attempt in range(60):
            heading = {
                "slanted": lean + rng.normal(0, 0.12),
                "right_angles": lean * 0.05
                + rng.choice([0, np.pi / 2, np.pi, -np.pi / 2])
                + rng.normal(0, 0.02),
                "any": rng.uniform(-np.pi, np.pi),
            }[style]
            grow = 1 + attempt / 30
            centre = rng.uniform(-0.5, 0.5, 2) * [side * 1.2 * grow, side * grow]
            length = _length(row, care)
            quad = footprint(centre[0], centre[1], heading, length, layout.aspect + 4 * care.shift)
            if layout.free(quad, float(rng.choice([0.02, 0.3, 0.8]))):
                left = centre - 0.5 * length * np.array([np.cos(heading), np.sin(heading)])
                _lay(layout, row, left[0], left[1], heading, care, rng)
                break


def _in_rows(layout: Layout, rows: list[list[Tile]], care: Care, rng: Generator) -> None:
    """Level rows: sets end to end with gaps, rows from touching to far apart."""
    # Between sets there is more room than within them, or a person could not tell them apart either.
    set_gap = float(rng.choice([0.2, 0.35, 0.8, 1.6])) + care.gap + 3 * care.gap_spread
    row_gap = float(rng.choice([0.0, 0.08, 0.3, 0.9], p=[0.2, 0.2, 0.3, 0.3])) + 2 * care.shift
    total = sum(_length(row, care) + set_gap for row in rows)
    wide = max(np.sqrt(total * (layout.aspect + row_gap) * rng.uniform(0.8, 2.2)), 5.0)
    tilt = rng.normal(0, 0.03)
    x, y = 0.0, 0.0
    for row in rows:
        length = _length(row, care)
        if x > 0 and x + length > wide:
            x, y = rng.uniform(0, 1.0), y + layout.aspect * 1.02 + row_gap
        heading = tilt + rng.normal(0, 0.01)
        way = 0.0
        left = np.array([x, y])
        if rng.random() < 0.08:  # laid by the player opposite
            way, left = np.pi, np.array([x + length, y])
        c, s = np.cos(tilt), np.sin(tilt)
        spot = np.array([left[0] * c - left[1] * s, left[0] * s + left[1] * c])
        _lay(layout, row, spot[0], spot[1], heading + way, care, rng)
        x += length + set_gap * rng.uniform(0.8, 1.5)


def scatter(
    layout: Layout, deck: Deck, rng: Generator, count: int, backs: float = 0.0, overlap: float = 0.0
) -> None:
    """Throw single tiles on the table; ``backs`` of them face down, ``overlap`` of them on top of others."""
    crowd = rng.uniform(1.3, 3.4)
    side = np.sqrt(count * layout.aspect * crowd) + 0.5
    upright = rng.random() < 0.25
    loose_sets = overlap == 0
    gap = float(rng.choice([0.01, 0.15])) if not loose_sets else float(rng.choice([0.02, 0.4]))
    for _ in range(count):
        tile = None if rng.random() < backs else deck.draw()
        on_top = rng.random() < overlap and bool(layout.taken)
        for attempt in range(40):
            heading = rng.normal(0, 0.25) if upright else rng.uniform(-np.pi, np.pi)
            x, y = rng.uniform(-0.5, 0.5, 2) * side * (1 + attempt / 25)
            quad = footprint(x, y, heading, 1.0, layout.aspect)
            if on_top or layout.free(quad, gap):
                break
        else:
            continue
        up, lean, way, lift = layout.thickness, 0.0, 0.0, 0.0
        if on_top and not layout.free(quad, 0.0):
            # Lies half on its neighbours: raised, and tipped towards the free side.
            under = np.array(layout.taken)[_overlap(quad, np.array(layout.taken), 0.0)]
            away = np.array([x, y]) - under.mean(axis=(0, 1))
            lean, way = float(np.arcsin(min(0.6 * layout.thickness, 0.5))), float(np.arctan2(away[1], away[0]))
            up, lift = layout.thickness * 1.65, 1.5
        frame = flat_frame(x, y, up, heading, lean, way)
        alone = loose_sets and gap > 0.3 and tile is not None
        plane = 1 if up == layout.thickness else NO_PLANE
        layout.tiles.append(PlacedTile(tile, frame, layout.sets if alone else None, lift=lift, plane=plane))
        layout.sets += int(alone)
        layout.taken.append(quad)


def add_pool(layout: Layout, rng: Generator, count: int) -> None:
    """Put ``count`` face-down tiles beside what is there: strewn, in neat rows, or stacked."""
    taken = np.array(layout.taken).reshape(-1, 2) if layout.taken else np.zeros((1, 2))
    low, high = taken.min(axis=0), taken.max(axis=0)
    side = np.sqrt(count * layout.aspect * 1.4)
    way = rng.uniform(0, 2 * np.pi)
    reach = (high - low) / 2 + side / 2 + rng.uniform(0.2, 2.0)
    middle = (low + high) / 2 + reach * [np.cos(way), np.sin(way)]
    style = str(rng.choice(["strewn", "rows", "stacks"], p=[0.6, 0.2, 0.2]))
    heading = rng.uniform(-np.pi, np.pi)
    columns = max(int(side), 1)
    for k in range(count):
        if style == "strewn":
            for _ in range(20):
                x, y = middle + rng.uniform(-0.6, 0.6, 2) * side
                turn = rng.uniform(-np.pi, np.pi)
                if layout.free(footprint(x, y, turn, 1.0, layout.aspect), 0.01):
                    break
            else:
                continue
            level = 0
        else:
            high_stack = 1 if style == "rows" else 4
            cell = k // high_stack
            level = k % high_stack
            a = (cell % columns - columns / 2) * 1.05
            b = (cell // columns - columns / 2) * layout.aspect * 1.05
            x = middle[0] + a * np.cos(heading) - b * np.sin(heading) + rng.normal(0, 0.03)
            y = middle[1] + a * np.sin(heading) + b * np.cos(heading) + rng.normal(0, 0.03)
            turn = heading + rng.normal(0, 0.03)
            if level == 0 and not layout.free(footprint(x, y, turn, 1.0, layout.aspect), 0.0):
                continue
        frame = flat_frame(x, y, layout.thickness * (1 + level), turn)
        layout.tiles.append(PlacedTile(None, frame, lift=0.7 * level, plane=NO_PLANE if level else 1))
        layout.taken.append(footprint(x, y, turn, 1.0, layout.aspect))


def box_of_tiles(layout: Layout, deck: Deck, rng: Generator, count: int, size: tuple[float, float]) -> None:
    """Jumble tiles in a box of inner ``size``, several deep, tipped at all angles; faces and backs."""
    backs = rng.uniform(0.2, 0.6)
    for k in range(count):
        x, y = rng.uniform(-0.5, 0.5, 2) * (np.array(size) - 1.1)
        depth = k / count
        up = layout.thickness * (1 + 2.5 * depth)
        frame = flat_frame(
            x, y, up, rng.uniform(-np.pi, np.pi), abs(rng.normal(0, 0.3)), rng.uniform(-np.pi, np.pi)
        )
        tile = None if rng.random() < backs else deck.draw()
        layout.tiles.append(PlacedTile(tile, frame, lift=8.0 * depth, plane=NO_PLANE))
