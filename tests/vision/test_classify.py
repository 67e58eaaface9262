"""Which way a round digit is up, where only its neighbours can tell."""

import numpy as np

from vision.classify import neighbours_facing

TILE = np.float32([[0, 0], [10, 0], [10, 14], [0, 14]])


def row(*flipped: bool) -> np.ndarray:
    """Tiles side by side, some upside down."""
    quads = [TILE + np.float32([11 * k, 0]) for k in range(len(flipped))]
    return np.stack([np.roll(q, 2, axis=0) if f else q for q, f in zip(quads, flipped, strict=True)])


def test_neighbours_speak_for_their_own_way_up() -> None:
    known = np.array([True, False, True])
    assert neighbours_facing(row(False, False, False), known)[1] > 2
    assert neighbours_facing(row(False, True, False), known)[1] < -2


def test_a_tile_is_no_witness_for_itself() -> None:
    assert neighbours_facing(row(False), np.array([True]))[0] == 0


def test_disagreeing_neighbours_cancel() -> None:
    odds = neighbours_facing(row(False, False, True), np.array([True, False, True]))
    assert abs(odds[1]) < 1e-6


def test_far_tiles_count_for_less_than_near_ones() -> None:
    near = row(False, False)
    far = near.copy()
    far[1] += np.float32([300, 0])
    known = np.array([False, True])
    assert 0 < neighbours_facing(far, known)[0] < neighbours_facing(near, known)[0]
