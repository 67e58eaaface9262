"""Backs on racks seen from behind are no pool: a tile played from there was not drawn (AM's am02)."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from watch_looks import look, quad, row

from vision.readings import Corners
from vision.watch.upright import without_upright

FACES = look(row("R6 R7 R8", 0, 0), row("B1 B2 B3", 0, 2))
POOL = tuple(quad(x, y) for x in range(6, 11) for y in (0.0, 1.4, 2.8, 4.2))


def standing(x: float, y: float) -> Corners:
    """Seen from aside: sheared, and narrow."""
    shear = np.float32([[0.4, 0], [-0.5, 1]])
    middle = quad(x, y).mean(axis=0)
    return np.asarray((quad(x, y) - middle) @ shear + middle, np.float32)


def turned(back: Corners) -> Corners:
    """By a quarter."""
    middle = back.mean(axis=0)
    return np.asarray((back - middle) @ np.float32([[0, 1], [-1, 0]]) + middle, np.float32)


RACK = tuple(standing(-4, y) for y in (0.0, 1.1, 2.2, 3.3, 4.4))


def test_backs_on_a_rack_at_the_side_are_no_pool() -> None:
    seen, upright = without_upright(replace(FACES, backs=(*POOL, *RACK)))
    assert len(seen.backs) == len(POOL)
    assert np.stack(upright).mean(axis=1).tolist() == pytest.approx(np.stack(RACK).mean(axis=1), abs=0.01)


@pytest.mark.parametrize(
    "pool",
    [
        (*POOL, RACK[0]),
        tuple(turned(back) if at % 2 else back for at, back in enumerate(POOL)),
        RACK,
    ],
    ids=["one that was found wrongly", "turned by a quarter", "few others to tell"],
)
def test_all_else_is_a_pool(pool: tuple[Corners, ...]) -> None:
    seen, upright = without_upright(replace(FACES, backs=pool))
    assert (len(seen.backs), upright) == (len(pool), [])
