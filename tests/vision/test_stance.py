"""Which tiles stand on a rack."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.typing import NDArray

from vision.layout import read_layout
from vision.rectify import Pyramid
from vision.stance import StanceNet, racks_around


def row(count: int, x: float, y: float) -> NDArray[np.float32]:
    """Tiles of 30 x 40 pixels edge to edge, the first one's upper left at (x, y)."""
    one = np.array([[0, 0], [30, 0], [30, 40], [0, 40]], np.float32)
    return np.stack([one + np.array([x + 30 * k, y], np.float32) for k in range(count)])


class Asked:
    """A net that says of every square how bright it is, and counts them."""

    outputs = frozenset({"stance"})

    def __init__(self) -> None:
        self.count = 0

    def __call__(self, inputs: dict[str, NDArray[np.float32]]) -> dict[str, NDArray[np.float32]]:
        bright = inputs["squares"].mean(axis=(1, 2, 3))
        self.count += len(bright)
        return {"stance": np.stack([np.zeros(len(bright)), 20 * bright - 10], axis=1).astype(np.float32)}


def test_tiles_that_all_stand_are_one_rack_whatever_gaps_they_have() -> None:
    tiles = np.concatenate([row(4, 100, 100), row(3, 260, 100), row(5, 100, 150)])
    racks = racks_around(np.full(12, 0.95), tiles)
    assert len(racks) == 1
    layout = read_layout(tiles, racks)
    assert layout.kind == "rack"
    assert [laid.members for laid in layout.sets] == [tuple(range(7)), tuple(range(7, 12))]


def test_rows_behind_rows_are_a_table_however_surely_they_seem_to_stand() -> None:
    """Seen from low, tiles show their fronts as on a rack; a table called a rack is not judged."""
    tiles = np.concatenate([row(4, 100 + 200 * (k % 2), 100 + 60 * k) for k in range(7)])
    assert not racks_around(np.full(28, 0.98), tiles)
    two_racks = np.concatenate([row(8, 100, 100 + down) for down in (0, 40, 100, 140)])
    assert len(racks_around(np.full(32, 0.95), two_racks)) == 1


def test_a_rack_beside_a_table_is_told_by_its_own_row() -> None:
    """Its tiles are in no set: judged as one they would be called illegal."""
    lying, standing = row(3, 100, 100), row(6, 100, 400)
    tiles = np.concatenate([lying, row(4, 400, 100), row(3, 250, 200), standing])
    on_rack = np.concatenate([np.full(10, 0.05), np.full(6, 0.98)])
    racks = racks_around(on_rack, tiles)
    layout = read_layout(tiles, racks)
    assert layout.kind == "table"
    assert layout.on_rack == tuple(range(10, 16))
    assert sorted(laid.members for laid in layout.sets) == [
        (0, 1, 2),
        (3, 4, 5, 6),
        (7, 8, 9),
        tuple(range(10, 16)),
    ]


@pytest.mark.parametrize(("count", "stands"), [(3, 0.99), (6, 0.94)], ids=["three tiles", "not surely"])
def test_three_tiles_and_a_row_that_may_lie_tell_no_rack(count: int, stands: float) -> None:
    tiles = np.concatenate([row(count, 100, 400), row(9, 100, 100)])
    assert not racks_around(np.concatenate([np.full(count, stands), np.full(9, 0.05)]), tiles)
    assert not racks_around(np.zeros(0), np.zeros((0, 4, 2), np.float32))


def test_of_many_tiles_the_others_are_asked_where_some_may_stand() -> None:
    image = np.zeros((700, 1000, 3), np.uint8)
    tiles = np.concatenate([row(30, 40, 60 * k + 40) for k in range(3)])
    net = Asked()
    assert (StanceNet(net).on_rack(Pyramid(image), tiles) < 0.01).all()
    assert net.count == 24
    image[400:] = 255
    tiles = np.concatenate([tiles, row(10, 40, 500)])
    net = Asked()
    told = StanceNet(net).on_rack(Pyramid(image), tiles)
    assert net.count == 100
    assert (told[:90] < 0.01).all()
    assert (told[90:] > 0.99).all()
