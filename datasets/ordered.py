"""Pictures of one tile set: its faces laid in order, as a new set is learnt, and the same set in play."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np
from numpy.random import Generator

from datasets.design import Design
from datasets.grounds import sample_ground
from datasets.labels import LabelledPicture
from datasets.layouts import Layout, PlacedTile, footprint
from datasets.profiles_types import Plan
from datasets.render import render_picture
from datasets.scene import Scene, ShadowPlane, flat_frame
from referee.tiles import JOKER, Colour, Tile

__all__ = ["learning_pictures", "ordered_rows", "picture_of_rows"]

_UP = np.array([0.0, 0.0, 1.0])


def ordered_rows(colours: Sequence[Colour], jokers: int = 0) -> list[list[Tile]]:
    """Return a row of 1..13 for each colour, and a last row of jokers where there are any."""
    rows = [[Tile(colour, number) for number in range(1, 14)] for colour in colours]
    return [*rows, [JOKER] * jokers] if jokers else rows


def _arranged(rows: Sequence[Sequence[Tile]]) -> Callable[[Design, Generator, str], Plan]:
    def arrange(design: Design, rng: Generator, split: str) -> Plan:
        layout = Layout(design.aspect, design.thickness)
        gap, apart = float(rng.uniform(0.0, 0.15)), design.aspect * float(rng.uniform(1.1, 1.6))
        careless = float(rng.uniform(0.0, 0.03))
        for line, row in enumerate(rows):
            for place, tile in enumerate(row):
                x = (place - 6) * (1 + gap) + rng.normal(0, careless) * 0.5
                y = (line - len(rows) / 2) * apart + rng.normal(0, careless)
                turn = float(rng.normal(0, careless))
                frame = flat_frame(float(x), float(y), layout.thickness, turn)
                layout.tiles.append(PlacedTile(tile, frame, line, place))
                layout.taken.append(footprint(float(x), float(y), turn, 1.0, design.aspect))
            layout.sets += 1
        scene = Scene()
        scene.planes = [ShadowPlane(np.zeros(3), _UP), ShadowPlane(np.array([0, 0, design.thickness]), _UP)]
        points = [
            t.frame.point(a, b)
            for t in layout.tiles
            for a, b in ((-0.6, -0.9), (0.6, 0.9), (0.6, -0.9), (-0.6, 0.9))
        ]
        # Who is asked for such photographs takes them from above, with everything in the frame.
        return Plan(
            layout, scene, sample_ground(rng, split), sample_ground(rng, split, 0.2), "table", np.array(points),
            lambda r: float(r.uniform(62, 90)), lambda r: float(r.normal(0, 8)),
            lambda r: float(r.normal(0, 4)), lambda r: 0.2, fill=0.9, drift=0.01,
        )  # fmt: skip

    return arrange


def picture_of_rows(
    rows: Sequence[Sequence[Tile]],
    seed: int,
    design: Design,
    *,
    split: str = "heldout",
    size_wh: tuple[int, int] = (1280, 960),
) -> LabelledPicture:
    """Render tiles of ``design`` in rows, seen from above; each row is a set of the truth."""
    return render_picture(seed, split=split, size_wh=size_wh, design=design, arrange=_arranged(rows))


def learning_pictures(
    seed: int, design: Design, *, split: str = "heldout", size_wh: tuple[int, int] = (1280, 960)
) -> tuple[LabelledPicture, LabelledPicture]:
    """Render the two pictures a set is learnt from: two colours each, in a drawn order, the joker last."""
    rng = np.random.default_rng([seed, 53])
    colours = [list(Colour)[k] for k in rng.permutation(4)]
    one, two = ordered_rows(colours[:2]), ordered_rows(colours[2:], jokers=1)
    return (
        picture_of_rows(one, 2 * seed, design, split=split, size_wh=size_wh),
        picture_of_rows(two, 2 * seed + 1, design, split=split, size_wh=size_wh),
    )
