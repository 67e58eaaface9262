"""How tiles lie: sets in rows or scattered over a table, loose tiles, face-down pools, and rows on a rack.

A tile's own frame has its origin in the middle of its underside, x to its right, y up its face, z out of it.
All lengths are mm.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Final

import numpy as np
from numpy.typing import NDArray

from datasets.traced.designs import Design
from datasets.traced.meshes import Floats, Material, Part, move, pose, slab

__all__ = ["Layout", "Placed", "footprint", "free", "lay_rack", "lay_table"]

Rng = np.random.Generator
Quad = NDArray[np.float64]

LETTERS: Final = "RBKO"


@dataclass(frozen=True, eq=False)
class Placed:
    """One tile where it lies; ``tile`` is None where it lies face down."""

    tile: str | None
    matrix: Floats


@dataclass(eq=False)
class Layout:
    """The tiles, which of them make up sets (in reading order), the ground they cover, a rack's own parts."""

    placed: list[Placed] = field(default_factory=list)
    sets: list[list[int]] = field(default_factory=list)
    taken: list[Quad] = field(default_factory=list)
    rack: list[Part] = field(default_factory=list)


def footprint(x: float, y: float, width: float, height: float, turn: float) -> Quad:
    """Return the corners of a turned rectangle."""
    half = np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]]) * (width / 2, height / 2)
    c, s = np.cos(turn), np.sin(turn)
    return np.asarray(half @ np.array([[c, s], [-s, c]]) + (x, y))


def _apart(one: Quad, two: Quad) -> bool:
    """Whether a straight line parts two convex quadrilaterals."""
    for a, b in ((one, two), (two, one)):
        edge = np.roll(a, -1, 0) - a
        normal = np.column_stack([edge[:, 1], -edge[:, 0]])
        reach = np.einsum("ij,kj->ik", normal, b) - np.sum(normal * a, 1)[:, None]
        if (reach.min(1) > 0).any():
            return True
    return False


def free(quad: Quad, taken: Sequence[Quad]) -> bool:
    """Whether ``quad`` keeps clear of all in ``taken``."""
    return all(_apart(quad, other) for other in taken)


def _stock() -> list[str]:
    return [f"{c}{n}" for c in LETTERS for n in range(1, 14)] * 2 + ["J", "J"]


def _pick_set(rng: Rng, stock: list[str]) -> list[str] | None:
    """Take a run or a group out of the stock; None where the luck of the draw gives none."""
    if rng.random() < 0.5:
        length = int(rng.choice([3, 3, 3, 4, 4, 5, 6, 8]))
        start, letter = int(rng.integers(1, 15 - length)), LETTERS[rng.integers(4)]
        wanted = [f"{letter}{n}" for n in range(start, start + length)]
    else:
        number = int(rng.integers(1, 14))
        wanted = [f"{c}{number}" for c in rng.permutation(list(LETTERS))[: rng.choice([3, 3, 4])]]
    if rng.random() < 0.12 and "J" in stock:
        wanted[rng.integers(len(wanted))] = "J"
    if any(stock.count(t) < wanted.count(t) for t in wanted):
        return None
    for tile in wanted:
        stock.remove(tile)
    return wanted


def _row(
    rng: Rng, tiles: Sequence[str], design: Design, crooked: float
) -> tuple[list[tuple[float, float, float]], float]:
    """Places (x, y, turn) of a set's tiles along x, its middle at 0, and its length."""
    gap = rng.choice([0.2, 0.6, 1.5, 3.0], p=[0.35, 0.35, 0.2, 0.1])
    x, before, out = 0.0, 0.0, []
    for _ in tiles:
        turn = rng.normal(0, np.radians(1.8 * crooked))
        x += design.width / 2 + (abs(turn) + before) * design.height / 2 + gap * rng.uniform(0.5, 1.5)
        out.append((x, rng.normal(0, 0.8 * crooked), turn))
        x += design.width / 2
        before = abs(turn)
    return [(px - x / 2, py, turn) for px, py, turn in out], x


def _put(
    layout: Layout,
    tiles: Sequence[str],
    places: Sequence[tuple[float, float, float]],
    at: tuple[float, float, float],
) -> None:
    """Lay one set down at (x, y, turn)."""
    x, y, turn = at
    c, s = np.cos(turn), np.sin(turn)
    first = len(layout.placed)
    for tile, (px, py, own) in zip(tiles, places, strict=True):
        layout.placed.append(Placed(tile, pose(x + c * px - s * py, y + s * px + c * py, 0, turn + own)))
    layout.sets.append(list(range(first, first + len(tiles))))


def _rows(rng: Rng, layout: Layout, sets: Sequence[Sequence[str]], design: Design) -> None:
    """Sets in rows, read from the owner's side or, some, from the far side."""
    crooked = float(rng.choice([0.3, 1.0, 2.0]))
    laid = [(tiles, *_row(rng, tiles, design, crooked)) for tiles in sets]
    area = sum(length + 30 for _, _, length in laid) * design.height * 1.4
    wide = max(np.sqrt(area * rng.uniform(0.9, 2.0)), max(length for _, _, length in laid))
    pitch = design.height * rng.uniform(1.15, 1.7)
    far = float(rng.choice([0, 0, 0.15, 0.5]))
    skew = np.radians(rng.choice([0.3, 2, 5]))
    x, y = 0.0, 0.0
    for tiles, places, length in laid:
        if x > 0 and x + length > wide:
            x, y = rng.uniform(0, 12), y - pitch
        for _ in range(60):
            turn = rng.normal(0, skew)
            middle = (x + length / 2 + rng.uniform(-4, 4), y + rng.normal(0, 2.5))
            quad = footprint(*middle, length + design.width, design.height + 4, turn)
            if free(quad, layout.taken):
                break
            y -= 2.0
        layout.taken.append(quad)
        _put(layout, tiles, places, (*middle, turn + np.pi * (rng.random() < far)))
        x += length + design.width + rng.uniform(4, 40)


def _scatter(rng: Rng, layout: Layout, sets: Sequence[Sequence[str]], design: Design) -> None:
    """Sets at any angle, as when players sit on all sides."""
    crooked = float(rng.choice([0.4, 1.2, 2.2]))
    reach = 45 + 17 * np.sqrt(sum(len(s) + 1.5 for s in sets))
    square = rng.random() < 0.5
    for tiles in sets:
        places, length = _row(rng, tiles, design, crooked)
        for trial in range(400):
            turn = np.pi / 2 * rng.integers(4) + rng.normal(0, 0.12) if square else rng.uniform(0, 2 * np.pi)
            x, y = rng.normal(0, reach * (1 + trial / 120), 2) * (1.2, 0.9)
            quad = footprint(x, y, length + 0.8 * design.width, design.height * 1.25, turn)
            if free(quad, layout.taken):
                layout.taken.append(quad)
                _put(layout, tiles, places, (x, y, turn))
                break


def _loose(
    rng: Rng,
    layout: Layout,
    tiles: Sequence[str | None],
    design: Design,
    middle: tuple[float, float],
    clear: float,
) -> None:
    """Single tiles about ``middle``; face-up ones keep ``clear`` mm from all others."""
    reach = 20 + 9 * np.sqrt(len(tiles))
    for tile in tiles:
        room = clear if tile else 1.0
        for trial in range(300):
            x, y = rng.normal(0, reach * (1 + trial / 60), 2) + middle
            turn = rng.uniform(0, 2 * np.pi)
            if free(footprint(x, y, design.width + room, design.height + room, turn), layout.taken):
                layout.taken.append(footprint(x, y, design.width + 1, design.height + 1, turn))
                if tile:
                    layout.sets.append([len(layout.placed)])
                layout.placed.append(Placed(tile, _lying(design, tile, x, y, 0, turn)))
                if tile is None and rng.random() < 0.12:
                    high = design.thick
                    for _ in range(int(rng.integers(1, 6))):
                        twist = turn + rng.normal(0, 0.05)
                        layout.placed.append(Placed(None, _lying(design, None, x, y, high, twist)))
                        high += design.thick
                break


def _lying(design: Design, tile: str | None, x: float, y: float, z: float, turn: float) -> Floats:
    """The pose of a tile that lies face up, or face down where it is None."""
    return pose(x, y, z, turn) if tile else pose(x, y, z + design.thick, turn, 0, True)


def lay_table(rng: Rng, design: Design, style: str) -> Layout:
    """Return a table; ``style`` is ``rows``, ``scatter``, ``heap`` or ``close``."""
    layout, stock = Layout(), _stock()
    top = {"rows": 80, "scatter": 60, "heap": 0, "close": 8}[style]
    goal = int(rng.integers(6, top + 1)) if top > 8 else int(rng.integers(2, 9))
    sets: list[list[str]] = []
    while style != "heap" and (left := goal - sum(map(len, sets))) >= 3:
        picked = _pick_set(rng, stock)
        if picked is None or len(picked) > left + 1:
            stock += picked or []
            continue
        sets.append(picked)
    if sets and (style == "rows" or (style == "close" and rng.random() < 0.6)):
        _rows(rng, layout, sets, design)
    elif sets:
        _scatter(rng, layout, sets, design)
    extent = np.concatenate(layout.taken) if layout.taken else np.zeros((1, 2))
    middle = extent.mean(0)
    layout.taken = [q - middle for q in layout.taken]
    for placed in layout.placed:
        placed.matrix[:2, 3] -= middle
    reach = float(np.abs(extent - middle).max())
    count = int(rng.integers(6, 30)) if style == "heap" else int(rng.choice([0, 0, 0, 1, 2, 4]))
    if style == "close":
        count = max(0, goal - len(layout.placed))
    singles = [stock.pop(int(rng.integers(len(stock)))) for _ in range(count)]
    angle = rng.uniform(0, 2 * np.pi)
    spot = (0.0, 0.0) if style == "heap" else (0.8 * reach * np.cos(angle), 0.7 * reach * np.sin(angle))
    _loose(rng, layout, singles, design, spot, 0.9 * design.width)
    if rng.random() < {"heap": 0.6, "close": 0.25}.get(style, 0.5):
        angle += rng.uniform(1, 5)
        spot = ((reach + 60) * np.cos(angle), (reach + 30) * np.sin(angle))
        _loose(
            rng, layout, [None] * int(rng.integers(3, 26)), design, (0.0, 0.0) if style == "heap" else spot, 1
        )
    return layout


def lay_rack(rng: Rng, design: Design) -> Layout:
    """Return a rack along x whose owner sits at -y, with 8 to 20 tiles in one or two tiers."""
    layout, stock = Layout(), _stock()
    tiers = int(rng.choice([1, 2, 2]))
    lean = np.radians(rng.uniform(14, 32))
    up, out = np.array([np.sin(lean), np.cos(lean)]), np.array([-np.cos(lean), np.sin(lean)])
    tall, count = design.height, int(rng.integers(8, 21)) if tiers == 2 else int(rng.integers(8, 15))
    room = (-(-count // tiers) + int(rng.integers(1, 5))) * (design.width + 0.8)
    tones = (
        (24, 24, 26),
        (70, 70, 74),
        (226, 222, 212),
        (150, 100, 58),
        (92, 54, 30),
        (36, 66, 140),
        (150, 26, 34),
        (30, 92, 60),
    )
    tone = tones[rng.integers(len(tones))]
    plastic = Material((tone[0], tone[1], tone[2]), float(rng.uniform(0.15, 0.5)))
    tilt = np.pi / 2 - lean

    def board(base: Floats, along: float, away: float, thick: float, wide: float, front: float = 0.0) -> None:
        """A board whose lower rear edge starts at ``base`` moved ``front`` towards the owner."""
        at = base + up * (away + along / 2) + out * front
        layout.rack.append(
            Part(move(slab(wide, along, thick, 1.5, 0.6), pose(0, at[0], at[1], 0, tilt)), plastic)
        )

    # A second tier stands a little behind the first, so that the lower tiles hide no numeral above.
    share = rng.dirichlet([12] * tiers)
    base = np.array([0.0, 7.0 + 3 * np.sin(lean)])
    for tier in range(tiers):
        wide = room + 8
        board(base - out * 3, tall * rng.uniform(0.95, 1.15) if tier == tiers - 1 else tall + 3.0, -3, 3, wide)
        board(base, 3.0, -3, design.thick + 2.5, wide)
        board(base, 6.0, -3, 2.0, wide, design.thick + 2.5)
        here = round(float(count * share[tier])) if tier == 0 else count - len(layout.placed)
        here = min(here, int(room // (design.width + 0.8)))
        spare = room - here * (design.width + 0.8)
        jumps = (
            rng.dirichlet([0.5] * (here + 1)) * spare
            if rng.random() < 0.7
            else np.append(np.zeros(here), spare)
        )
        x = -room / 2
        row = sorted(stock.pop(int(rng.integers(len(stock)))) for _ in range(here))
        if rng.random() < 0.4:
            rng.shuffle(row)
        indices = []
        for tile, jump in zip(row, jumps, strict=False):
            x += jump + design.width / 2 + 0.4
            wobble = float(rng.choice([0, 0, 0, rng.normal(0, 0.02)]))
            place = np.eye(4)
            place[:3, 0] = (1, 0, 0)
            place[1:3, 1], place[1:3, 2] = up, out
            place[:3, :3] = place[:3, :3] @ pose(0, 0, 0, wobble)[:3, :3]
            at = base + up * (tall / 2 + 0.2 + abs(wobble) * design.width / 2) + out * 0.2
            place[:3, 3] = (x, at[0], at[1])
            indices.append(len(layout.placed))
            layout.placed.append(Placed(tile, place))
            x += design.width / 2 + 0.4
        if indices:
            layout.sets.insert(0, indices)
        base = base + up * (tall + 3.5) - out * (design.thick + 3.0)
    # Two legs behind hold it up, leaning the other way.
    top = base - up * 8.0 + out * design.thick
    deep, high = float(base[0] + design.thick), float(top[1])
    for side in (-1, 1):
        leg = slab(12, high / np.cos(0.35), 3, 1.5, 0.6)
        middle = (side * (room / 2 - 25), float(top[0]) + high / 2 * np.tan(0.35) + 3, high / 2)
        layout.rack.append(Part(move(leg, pose(*middle, 0, np.pi / 2 + 0.35)), plastic))
    layout.taken.append(footprint(0, deep / 2, room + 30, deep + 60, 0))
    return layout
