"""What a look at the table shows, made by hand: tiles in rows, one tile width apart."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

import numpy as np

from referee import Tile, parse_tiles
from vision.readings import Corners
from vision.watch.lay import SetKeeper, lying_table
from vision.watch.look import Look, SeenFace
from vision.watch.tracks import Fate, Tracker

__all__ = ["WIDTH", "always", "face", "look", "quad", "row", "table"]

WIDTH = 50.0
HOME = np.eye(3)


def quad(x: float, y: float) -> Corners:
    """An upright tile with its middle at (x, y), in tile widths."""
    middle = np.array([x, y]) * WIDTH
    return np.asarray(middle + np.array([[-25, -34], [25, -34], [25, 34], [-25, 34]]), np.float32)


def face(text: str, x: float, y: float, p: float = 0.999) -> SeenFace:
    """A tile that reads as the first of ``text``; the others share what is left."""
    tiles = [seen.tile for seen in parse_tiles(text)]
    listed: Mapping[Tile, float] = {tile: p if at == 0 else 1 - p for at, tile in enumerate(tiles)}
    return SeenFace(listed, quad(x, y), quad(x, y))


def look(*rows: Sequence[SeenFace], t_s: float = 0.0, doubts: Sequence[bool] = ()) -> Look:
    """A look at rows that the layout reads as sets."""
    faces = [face for row in rows for face in row]
    places = iter(range(len(faces)))
    sets = tuple((tuple(next(places) for _ in row), bool(doubts) and doubts[at]) for at, row in enumerate(rows))
    return Look(t_s, tuple(faces), sets, (), HOME)


def always(fate: Fate) -> Callable[[Sequence[Corners]], list[Fate]]:
    return lambda quads: [fate] * len(quads)


def row(texts: str, x: float, y: float) -> list[SeenFace]:
    return [face(text, x + at, y) for at, text in enumerate(texts.split())]


def table(tracker: Tracker, keeper: SetKeeper, seen: Look, fate: Fate = "covered") -> str:
    """Take a look in, and return the table as it is known then."""
    keys = tracker.update(seen, always(fate))
    sets = keeper.update(seen, keys, tracker)
    return str(lying_table(0.0, tracker, sets, None, bar=0.9, alternative_bar=0.01).table)
