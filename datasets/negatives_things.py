"""Lays look-alikes of tiles on a table, singly, in rows as sets lie, strewn and in heaps."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.random import Generator
from numpy.typing import NDArray

from datasets import negatives_games as games
from datasets import negatives_prints as prints
from datasets.layouts import NO_PLANE
from datasets.negatives_sheet import BRIGHT, Look, Pens, Tone
from datasets.scene import Block, Frame, Scene, Skin, flat_frame

__all__ = ["Place", "Put", "pieces", "sheet", "solid"]

Array = NDArray[Any]  # float64


def _shown(look: Look) -> Callable[[int], Skin]:
    skin = Skin(look.rgb, None, look.alpha)
    return lambda _: skin


@dataclass(slots=True, eq=False)
class Place:
    """Where on the table a thing is put, and what is known of it then."""

    scene: Scene
    """Takes the solids."""
    pens: Pens
    """What it is drawn with."""
    x: float
    """Middle, tile widths."""
    y: float
    """Middle, tile widths."""
    heading: float
    """Radians, clockwise from above."""
    decoys: list[tuple[Block, Array]] = field(default_factory=list)
    """What tempts a finder: a block, and corners (4, 3) in the world of it or of a part of it."""

    def lay(
        self,
        a: float,
        b: float,
        turn: float,
        size: tuple[float, float, float],
        look: Look,
        *,
        up: float = 0.0,
        radius: float = 0.05,
        bevel: float = 0.03,
        gloss: float = 0.3,
        side: Tone | None = None,
        group: int | None = None,
        rank: float = 0.0,
        lift: float = 0.0,
        whole: bool = True,
    ) -> Block:
        """Lay a block ``a`` right and ``b`` down of the middle; ``whole`` says that all of it tempts."""
        c, s = np.cos(self.heading), np.sin(self.heading)
        at = (float(self.x + a * c - b * s), float(self.y + a * s + b * c))
        r, g, bl = (float(v) for v in look.rgb[:: look.rgb.shape[0] - 1].mean(axis=(0, 1)))
        edge = (r, g, bl) if side is None else (side[0] / 255, side[1] / 255, side[2] / 255)
        block = Block(
            flat_frame(*at, up + size[2], self.heading + turn), size, _shown(look),
            side_rgb=edge, radius=radius, bevel=bevel, gloss=gloss, casts=size[2] > 0.02,
            plane=NO_PLANE if up + size[2] > 0.1 else 0,
            group=self.scene.new_group() if group is None else group, rank=rank, lift=lift,
        )  # fmt: skip
        self.scene.solids.append(block)
        parts = [*look.cells, *([(0.0, 0.0, 1.0, 1.0)] if whole else [])]
        for x1, y1, x2, y2 in parts:
            spots = ((x1, y1), (x2, y1), (x2, y2), (x1, y2))
            corners = [block.frame.point((u - 0.5) * size[0], (v - 0.5) * size[1]) for u, v in spots]
            self.decoys.append((block, np.array(corners)))
        return block


Put = Callable[[Place], None]


def _spread(rng: Generator, count: int, pitch: tuple[float, float]) -> list[tuple[float, float, float]]:
    """Return places (right, down, turn) of like things: in a row, in a block of rows, or strewn."""
    style = rng.random()
    columns = count if style < 0.45 else max(2, round(np.sqrt(count)))
    gap = float(rng.choice([0.0, 0.03, 0.25]))
    careless = float(rng.choice([0.005, 0.04]))
    if style < 0.7:
        return [
            (
                (k % columns - (min(columns, count) - 1) / 2) * (pitch[0] + gap) + rng.normal(0, careless),
                (k // columns - (count // columns - 1) / 2) * (pitch[1] + gap) + rng.normal(0, careless),
                rng.normal(0, careless) + (np.pi if rng.random() < 0.1 else 0.0),
            )
            for k in range(count)
        ]
    reach = float(np.hypot(*pitch))
    found: list[tuple[float, float, float]] = []
    for _ in range(20 * count):
        a, b = rng.normal(0, 0.55 * reach * np.sqrt(count), 2)
        if all(np.hypot(a - c, b - d) > reach for c, d, _ in found):
            found.append((float(a), float(b), float(rng.uniform(0, 2 * np.pi))))
        if len(found) == count:
            break
    return found


def pieces(
    make: Callable[[Pens], Look],
    size: tuple[float, float, float],
    count: tuple[int, int],
    *,
    radius: float = 0.08,
    bevel: float = 0.05,
    gloss: float = 0.4,
    round_ones: bool = False,
) -> Put:
    """Return how to lay some like pieces, ``size`` tile widths each."""

    def put(place: Place) -> None:
        rng = place.pens.rng
        scale = float(rng.uniform(0.85, 1.2))
        w, h, t = (v * scale for v in size)
        edge = 0.495 * w if round_ones else radius * scale
        for a, b, turn in _spread(rng, int(rng.integers(count[0], count[1] + 1)), (w, h)):
            place.lay(a, b, turn, (w, h, t), make(place.pens), radius=edge, bevel=bevel, gloss=gloss)

    return put


def solid(make: Callable[[Pens], Look], width: float, thick: float, gloss: float = 0.3) -> Put:
    """Return how to lay one thick thing ``width`` tile widths wide, whose parts tempt."""

    def put(place: Place) -> None:
        look = make(place.pens)
        wide = width * float(place.pens.rng.uniform(0.8, 1.25))
        size = (wide, wide * look.rgb.shape[0] / look.rgb.shape[1], thick)
        place.lay(0, 0, 0, size, look, radius=0.08 * min(size[:2]), gloss=gloss, whole=False, lift=-8.0)

    return put


def sheet(make: Callable[[Pens], Look], width: float, *, whole: bool = False, most: int = 1) -> Put:
    """Return how to lay up to ``most`` leaves of paper ``width`` tile widths wide."""

    def put(place: Place) -> None:
        rng = place.pens.rng
        group = place.scene.new_group()
        wide = width * float(rng.uniform(0.75, 1.3))
        for k in range(int(rng.integers(1, most + 1))):
            look = make(place.pens)
            size = (wide, wide * look.rgb.shape[0] / look.rgb.shape[1], 0.01)
            a, b = rng.normal(0, 0.8 * wide, 2) if k else (0.0, 0.0)
            place.lay(
                a, b, float(rng.normal(0, 0.3)) if k else 0.0, size, look, up=0.004 * k, radius=0.02, bevel=0,
                gloss=0.05, group=group, rank=k, lift=-40.0, whole=whole,
            )  # fmt: skip

    return put


def cards(make: Callable[[Pens], Look]) -> Put:
    """Return how to lay cards: fanned, in a row, overlapping or strewn."""

    def put(place: Place) -> None:
        rng = place.pens.rng
        style, group = int(rng.integers(3)), place.scene.new_group()
        step = float(rng.uniform(0.5, 2.6))
        count = int(rng.integers(1, 8))
        for k in range(count):
            middle = k - (count - 1) / 2
            a, b, turn = (
                (step * middle, 0.0, rng.normal(0, 0.02)),
                (2.2 * np.sin(0.2 * middle), -2.2 * np.cos(0.2 * middle) + 2.2, 0.2 * middle),
                (*rng.normal(0, 2.2, 2), rng.uniform(0, 2 * np.pi)),
            )[style]
            place.lay(
                float(a), float(b), float(turn), (2.4, 3.4, 0.012), make(place.pens), up=0.005 * k, radius=0.16,
                bevel=0, group=group, rank=k, lift=-30.0,
            )  # fmt: skip

    return put


def _cube(place: Place, a: float, b: float, turn: float, edge: float, faces: list[Look], side: Tone) -> None:
    """Lay a cube that shows ``faces``: its top and its four sides."""
    group = place.scene.new_group()
    body = place.lay(
        a, b, turn, (edge, edge, edge), faces[0], radius=0.14 * edge, bevel=0.1 * edge, gloss=0.6, side=side,
        group=group,
    )  # fmt: skip
    f = body.frame
    inside = 0.76 * edge
    for look, out in zip(faces[1:], (f.u, -f.u, f.v, -f.v), strict=True):
        along = np.cross(out, f.n)
        frame = Frame(f.origin + (edge / 2 + 0.002) * out - 0.5 * edge * f.n, along, -f.n, out)
        place.scene.solids.append(
            Block(
                frame, (inside, inside, 0.001), _shown(look), bevel=0, radius=0.2 * inside,
                gloss=0.4, casts=False, plane=NO_PLANE, group=group, rank=1.0,
            )
        )  # fmt: skip


_OPPOSITE = (
    (1, 2, 5, 3, 4),
    (2, 1, 6, 3, 4),
    (3, 1, 6, 2, 5),
    (4, 1, 6, 2, 5),
    (5, 1, 6, 3, 4),
    (6, 2, 5, 3, 4),
)
_DICE: tuple[tuple[Tone, Tone], ...] = (
    ((246, 244, 236), (24, 24, 28)), ((246, 244, 236), (24, 24, 28)), ((200, 30, 40), (248, 246, 240)),
    ((30, 80, 170), (248, 246, 240)), ((24, 24, 26), (248, 246, 240)), ((240, 200, 60), (24, 24, 28)),
)  # fmt: skip


def dice(*, figures: bool) -> Put:
    """Return how to throw dice."""

    def put(place: Place) -> None:
        rng = place.pens.rng
        edge = float(rng.uniform(0.45, 1.05))
        base, ink = _DICE[int(rng.integers(len(_DICE)))]
        for a, b, turn in _spread(rng, int(rng.integers(1, 7)), (1.2 * edge, 1.2 * edge)):
            shown = _OPPOSITE[int(rng.integers(6))]
            faces = [games.die(place.pens, value, base, ink, figures=figures) for value in shown]
            _cube(place, a, b, turn, edge, faces, base)

    return put


def letter_blocks(place: Place) -> None:
    """Lay a child's wooden blocks with letters and numbers."""
    rng = place.pens.rng
    edge, wood = float(rng.uniform(0.9, 1.6)), (222, 190, 140)
    for a, b, turn in _spread(rng, int(rng.integers(1, 6)), (1.15 * edge, 1.15 * edge)):
        ink = BRIGHT[int(rng.integers(len(BRIGHT)))]
        faces = [
            games.letter(place.pens, wood, ink, value=False) if rng.random() < 0.5
            else games.puzzle_piece(place.pens, int(rng.integers(0, 10)), wood, ink)
            for _ in range(5)
        ]  # fmt: skip
        _cube(place, a, b, turn, edge, faces, wood)


def letters(choices: tuple[tuple[Tone, Tone], ...], *, value: bool) -> Put:
    """Return how to lay letter tiles in one of ``choices`` (plastic, ink)."""

    def put(place: Place) -> None:
        rng = place.pens.rng
        base, ink = choices[int(rng.integers(len(choices)))]
        edge = float(rng.uniform(0.65, 0.95))
        for a, b, turn in _spread(rng, int(rng.integers(2, 12)), (edge, edge)):
            look = games.letter(place.pens, base, ink, value=value)
            place.lay(a, b, turn, (edge, edge, 0.18), look, radius=0.06, bevel=0.04, gloss=0.3)

    return put


def number_puzzle(place: Place) -> None:
    """Lay a sliding puzzle: fifteen squares in a frame."""
    rng = place.pens.rng
    pens, side, group = place.pens, 4, place.scene.new_group()
    edge = float(rng.uniform(0.6, 1.1))
    base: Tone = pens.pick((244, 240, 228), (222, 190, 140), (30, 34, 40), (190, 40, 44), (250, 250, 250))
    ink: Tone = (250, 248, 240) if sum(base) < 380 else pens.ink(0.5)
    frame = Look(np.full((8, 8, 3), np.float32(rng.uniform(0.05, 0.8)), np.float32))
    outer = side * edge + 0.5
    place.lay(0, 0, 0, (outer, outer, 0.14), frame, radius=0.12, group=group, whole=False, lift=-3.0)
    order = rng.permutation(side * side) if rng.random() < 0.5 else np.roll(np.arange(side * side), -1)
    for k, number in enumerate(order):
        if number == 0:
            continue
        place.lay(
            (k % side - 1.5) * edge, (k // side - 1.5) * edge, 0.0, (0.96 * edge, 0.96 * edge, 0.12),
            games.puzzle_piece(pens, int(number), base, ink), up=0.14, group=group, rank=1, lift=-3.0,
        )  # fmt: skip


def open_book(make: Callable[[Pens], Look]) -> Put:
    """Return how to lay an opened book: two pages on a thick block each."""

    def put(place: Place) -> None:
        rng = place.pens.rng
        wide, thick = float(rng.uniform(3.6, 6.5)), float(rng.uniform(0.05, 0.6))
        for k, way in enumerate((-0.5, 0.5)):
            look = make(place.pens)
            tall = wide * look.rgb.shape[0] / look.rgb.shape[1]
            place.lay(
                way * wide, 0, 0, (wide, tall, max(0.05, thick * (1 - 0.4 * k))), look, radius=0.04, bevel=0.02,
                gloss=0.05, side=(236, 230, 214), whole=False, lift=-20.0,
            )  # fmt: skip

    return put


def buttons(holes: int) -> Put:
    """Return how to strew buttons."""

    def put(place: Place) -> None:
        rng = place.pens.rng
        wide = float(rng.uniform(0.45, 1.2))
        look = prints.button(place.pens, holes)
        for a, b, turn in _spread(rng, int(rng.integers(2, 10)), (1.1 * wide, 1.1 * wide)):
            place.lay(a, b, turn, (wide, wide, 0.12), look, radius=0.495 * wide, bevel=0.06, gloss=0.5)

    return put
