"""Which way a round digit is up, where only its neighbours can tell; and crops that are read again."""

import numpy as np

from vision.classify import Classifier, neighbours_facing
from vision.models import load_weights

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


def test_crops_read_anew_by_themselves_settle_the_same_colours_as_all_read_anew() -> None:
    classifier = Classifier(load_weights(1))
    assert classifier.can_settle_colours
    before, after = np.random.default_rng(5).integers(0, 256, (2, 7, 64, 48, 3), dtype=np.uint8)
    rows = np.array([1, 4, 5])
    mixed = before.copy()
    mixed[rows] = after[rows]
    got = classifier.with_others(classifier.logits(before), rows, after[rows])
    want = classifier.logits(mixed)
    assert got.keys() == want.keys()
    for name, values in want.items():
        assert np.allclose(got[name], values, atol=1e-3), name
    assert not np.allclose(got["colour"], classifier.logits(before)["colour"], atol=1e-3)
