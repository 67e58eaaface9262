"""Which way a round digit is up, where only its neighbours can tell; and crops that are read again."""

from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from vision.classify import Classifier, FaceReadings, read_faces
from vision.cuts import COUNT, nearby_cuts
from vision.facing import in_row, neighbours_facing
from vision.models import load_weights
from vision.rectify import Pyramid

TILE = np.float32([[0, 0], [10, 0], [10, 14], [0, 14]])


def row(*flipped: bool) -> np.ndarray:
    """Tiles side by side, some upside down."""
    quads = [TILE + np.float32([11 * k, 0]) for k in range(len(flipped))]
    return np.stack([np.roll(q, 2, axis=0) if f else q for q, f in zip(quads, flipped, strict=True)])


def by_neighbours(quads: NDArray[np.float32], known: NDArray[np.bool_]) -> NDArray[np.float64]:
    return neighbours_facing(quads, known, in_row(quads), np.zeros(len(quads), np.bool_))


def test_neighbours_speak_for_their_own_way_up() -> None:
    known = np.array([True, False, True])
    assert by_neighbours(row(False, False, False), known)[1] > 2
    assert by_neighbours(row(False, True, False), known)[1] < -2


def test_a_tile_is_no_witness_for_itself() -> None:
    assert by_neighbours(row(False), np.array([True]))[0] == 0


def test_round_numbers_do_not_tell_by_themselves_which_way_they_lie() -> None:
    number = np.eye(15)[[3, 5, 7, 8, 12, 14]]
    turn = np.tile([0.97, 0.0, 0.03, 0.0], (6, 1))
    readings = FaceReadings(number, np.full((6, 4), 0.25), np.full((6, 4), 0.25), turn)
    assert readings.way_known.tolist() == [True, False, False, False, True, False], "nor does what has no face"


def test_disagreeing_neighbours_cancel() -> None:
    odds = by_neighbours(row(False, False, True), np.array([True, False, True]))
    assert abs(odds[1]) < 1e-6


def test_far_tiles_count_for_less_than_near_ones() -> None:
    near = row(False, False)
    far = near.copy()
    far[1] += np.float32([300, 0])
    known = np.array([False, True])
    assert 0 < by_neighbours(far, known)[0] < by_neighbours(near, known)[0]


def test_crops_read_anew_by_themselves_settle_the_same_colours_as_all_read_anew() -> None:
    classifier = Classifier(load_weights(1))
    assert classifier.can_settle_colours
    before, after = np.random.default_rng(5).integers(0, 256, (2, 7, 64, 48, 3), dtype=np.uint8)
    rows = np.array([1, 4, 5])
    mixed = before.copy()
    mixed[rows] = after[rows]
    got = classifier.with_others(classifier.logits(before), rows, classifier.logits(after[rows]))
    want = classifier.logits(mixed)
    assert got.keys() == want.keys()
    for name, values in want.items():
        assert np.allclose(got[name], values, atol=1e-3), name
    assert not np.allclose(got["colour"], classifier.logits(before)["colour"], atol=1e-3)


def test_other_cuts_of_a_tile_lie_near_it_on_every_side() -> None:
    corners = row(False, True)
    cuts = nearby_cuts(corners)
    assert cuts.shape == (COUNT, 2, 4, 2)
    apart = np.linalg.norm(cuts - corners, axis=3)
    assert apart.max(axis=(1, 2)).min() > 0
    assert apart.max() < 0.1 * 14, "a tenth of the tile's height"
    assert np.allclose(cuts.mean(axis=(0, 2)), corners.mean(axis=1), atol=1e-4), "to no side more than another"


def test_a_face_in_several_cuts_is_told_by_their_mean_and_the_others_stay() -> None:
    classifier = Classifier(load_weights(1))
    crops = np.random.default_rng(6).integers(0, 256, (5, 64, 48, 3), dtype=np.uint8)
    cuts = np.random.default_rng(7).integers(0, 256, (3, 2, 64, 48, 3), dtype=np.uint8)
    rows = np.array([0, 3])
    before = classifier.logits(crops)
    mean = classifier.averaged(before, rows, classifier.logits(cuts.reshape(-1, 64, 48, 3)))
    for name in ("number", "turn", "colour_alone"):
        each = [before[name][3], *(classifier.logits(cut)[name][1] for cut in cuts)]
        assert np.allclose(mean[name][3], np.mean(each, axis=0), atol=1e-3), name
        assert np.array_equal(mean[name][[1, 2, 4]], before[name][[1, 2, 4]]), name
    same = classifier.averaged(before, rows, classifier.logits(np.concatenate([crops[rows]] * 2)))
    for name in before:
        assert np.allclose(same[name], before[name], atol=1e-3), name


class RoundDigits:
    """Reads a six where a crop is brighter above, else a nine; which way is up it cannot say."""

    can_settle_colours = False

    def logits_at(self, pyramid: Pyramid, corners: NDArray[np.float32]) -> NDArray[np.bool_]:
        crops_bgr = pyramid.crops(corners)
        half = crops_bgr.shape[1] // 2
        return crops_bgr[:, :half].mean(axis=(1, 2, 3)) > crops_bgr[:, half:].mean(axis=(1, 2, 3))

    def readings(self, six: NDArray[np.bool_]) -> FaceReadings:
        number = np.full((len(six), 15), 1e-6)
        number[np.arange(len(six)), np.where(six, 5, 8)] = 1
        colour = np.full((len(six), 4), 0.25)
        return FaceReadings(number, colour, colour, np.tile([0.5, 0.0, 0.5, 0.0], (len(six), 1)))


@pytest.mark.parametrize(("turned", "number"), [(False, 5), (True, 8)])
def test_a_round_digit_read_again_by_itself_still_lies_as_the_faces_beside_it(
    turned: bool, number: int
) -> None:
    picture = np.full((100, 200, 3), 60, np.uint8)
    picture[:50] = 220
    quad = np.float32([[20, 10], [70, 10], [70, 90], [20, 90]])
    beside = np.roll(quad, 2 if turned else 0, axis=0) + np.float32([52, 0])
    classifier: Any = RoundDigits()
    alone, _ = read_faces(Pyramid(picture), quad[None], classifier)
    told, _ = read_faces(Pyramid(picture), quad[None], classifier, facing=beside[None])
    assert alone.number.max() == pytest.approx(0.5, abs=0.01)
    assert told.number.argmax() == number
    assert told.number.max() > 0.9
