"""What lies by itself and is not like the tiles is rather a print that looks like one, or a flower."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from vision.classify import NO_NUMERAL_CLASS, FaceReadings
from vision.odd_ones import guesses_of_odd_size, of_odd_size, without_look_alikes, without_odd_bodies


def quad(x: float, y: float, width: float, turn: float = 0.0) -> NDArray[np.float32]:
    local = np.array([[-0.5, -0.7], [0.5, -0.7], [0.5, 0.7], [-0.5, 0.7]]) * width
    c, s = np.cos(turn), np.sin(turn)
    return (local @ np.array([[c, s], [-s, c]]) + [x, y]).astype(np.float32)


def table(rows: int = 3, slope: float = 0.05) -> list[NDArray[np.float32]]:
    """Rows of four touching tiles, nearer ones larger."""
    return [
        quad(100 + k * (40 + slope * 150 * line), 100 + 150 * line, 40 + slope * 150 * line)
        for line in range(rows)
        for k in range(4)
    ]


@pytest.mark.parametrize(
    ("find", "odd"),
    [
        (quad(500, 250, 22), True),
        (quad(500, 250, 48), False),
        (quad(500, 400, 55, 0.7), False),
        (quad(500, 400, 95), True),
        (quad(100, 130, 22), False),
    ],
    ids=["a card's corner", "a lone tile", "a nearer one, turned", "a plate", "a small one beside a tile"],
)
def test_what_lies_alone_has_to_be_of_the_size_that_is_due_there(find: NDArray[np.float32], odd: bool) -> None:
    assert of_odd_size(np.stack([*table(), find])).tolist() == [*[False] * 12, odd]


def test_few_tiles_tell_no_size() -> None:
    few = [quad(100, 100, 40), quad(140, 100, 40), quad(180, 100, 40), quad(500, 400, 90)]
    assert not of_odd_size(np.stack(few)).any()
    assert not of_odd_size(np.zeros((0, 4, 2), np.float32)).any()


def test_such_a_find_is_a_guess_however_clearly_it_reads() -> None:
    corners = np.stack([*table(), quad(500, 250, 22)])
    number = np.full((13, 15), 0.01 / 14)
    number[:, 2] = 0.99
    sure = np.tile([1.0, 0, 0, 0], (13, 1))
    told = guesses_of_odd_size(FaceReadings(number, sure, sure, sure), corners).number
    assert told[:-1] == pytest.approx(number[:-1])
    assert told[-1].sum() == pytest.approx(1)
    assert told[-1, NO_NUMERAL_CLASS] > 0.5
    assert told[-1].argsort()[-2] == 2


@given(st.integers(1, 4), st.floats(0, 0.1), st.floats(0.1, 20), st.floats(-3, 3))
def test_tiles_of_one_set_are_never_odd_at_any_scale_and_turn(
    rows: int, slope: float, scale: float, turn: float
) -> None:
    c, s = np.cos(turn), np.sin(turn)
    quads = (np.stack(table(rows, slope)) @ np.array([[c, s], [-s, c]]) * scale).astype(np.float32)
    assert not of_odd_size(quads).any()


PINK, WHITE, SHADED, TARTAN = (205, 190, 240), (225, 228, 230), (90, 92, 91), (40, 40, 190)


def kept(finds: list[tuple[float, tuple[int, ...], float]], sure: float = 0.99) -> NDArray[np.float64]:
    """Which of a table's twelve tiles and of finds are left, and how probably they are no tile.

    A find is how clearly it reads, its body's colour and where it lies.
    """
    corners = np.stack([*table(), *(quad(at, 250, 48) for _, _, at in finds)])
    bodies = np.array([*[WHITE, (222, 226, 229), (228, 229, 233)] * 4, *(body for _, body, _ in finds)], float)
    clear = np.array([*[sure] * 12, *(worth for worth, _, _ in finds)])
    number = np.zeros((len(clear), 15))
    number[:, 2], number[:, NO_NUMERAL_CLASS] = clear, 1 - clear
    four = np.zeros((len(clear), 4))
    told, left = without_odd_bodies(FaceReadings(number, four, four, four), corners, clear, lambda: bodies)
    assert len(left) == len(told.number)
    assert np.array_equal(left[:12], corners[:12])
    assert (told.number[:12, NO_NUMERAL_CLASS] == number[:12, NO_NUMERAL_CLASS]).all()
    return np.asarray(told.number[12:, NO_NUMERAL_CLASS])


@pytest.mark.parametrize(
    ("clear", "body", "at", "odd"),
    [
        (0.1, PINK, 500, True),
        (0.1, WHITE, 500, False),
        (0.1, SHADED, 500, False),
        (0.6, PINK, 500, False),
        (0.1, PINK, 290, False),
    ],
    ids=["a flower", "a tile under glare", "one in the shade", "what reads half", "beside tiles"],
)
def test_a_flower_that_reads_as_nothing_is_nothing(
    clear: float, body: tuple[int, ...], at: float, odd: bool
) -> None:
    assert len(kept([(clear, body, at)])) == (0 if odd else 1)
    assert len(kept([(clear, body, at)], sure=0.5)) == 1, "too few tiles are sure to tell their body"


def test_two_flowers_beside_each_other_are_nothing() -> None:
    assert not len(kept([(0.1, PINK, 500), (0.2, PINK, 550)]))


@pytest.mark.parametrize(
    ("body", "at", "guess"),
    [(TARTAN, 500, True), (PINK, 500, False), (TARTAN, 290, False)],
    ids=["lines of a red cloth", "a paler tint", "beside tiles"],
)
def test_a_print_on_quite_another_ground_is_a_guess_however_clearly_it_reads(
    body: tuple[int, ...], at: float, guess: bool
) -> None:
    (none,) = kept([(0.98, body, at)])
    assert (none > 0.5) == guess


@pytest.mark.parametrize(
    ("clear", "none", "at", "left"),
    [
        (0.99, 0.1, 500, "sure"),
        (0.99, 0.85, 500, "guess"),
        (0.99, 0.97, 500, "nothing"),
        (0.8, 0.92, 500, "nothing"),
        (0.5, 0.75, 500, "nothing"),
        (0.5, 0.6, 500, "sure"),
        (0.2, 0.6, 500, "nothing"),
        (0.2, 0.4, 500, "sure"),
        (0.2, 0.5, 500, "sure"),
        (0.99, 0.9, 340, "sure"),
        (0.99, 0.97, 350, "nothing"),
        (0.99, 0.97, 340, "guess"),
    ],
    ids=[
        "a tile",
        "rather a print",
        "a print",
        "one that reads less",
        "an unclear print",
        "an unclear find",
        "hardly read",
        "hardly read and a body",
        "nothing known of its body",
        "edge to edge with a tile",
        "a flower that a set touches",
        "flush with a tile",
    ],
)
def test_what_has_no_body_is_a_guess_or_nothing(clear: float, none: float, at: float, left: str) -> None:
    corners = np.stack([*table(1, 0.0), quad(at - 80, 100, 40)])
    number = np.zeros((5, 15))
    number[:, 2] = [*[0.99] * 4, clear]
    number[:, 4:13] = (1 - number[:, 2:3]) / 9
    sure = np.tile([1.0, 0, 0, 0], (5, 1))
    bodies = np.array([0.02, 0.02, 0.02, 0.02, none])
    told, where = without_look_alikes(FaceReadings(number, sure, sure, sure), corners, bodies)
    assert np.array_equal(where[:4], corners[:4])
    assert (told.number[:4] == number[:4]).all()
    if left == "nothing":
        assert len(where) == 4
    else:
        assert (told.number[4, NO_NUMERAL_CLASS] > 0.5) == (left == "guess")


def test_three_in_a_row_that_read_clearly_are_hardly_nothing() -> None:
    """White tiles on a white table: none of their bodies tells."""
    corners = np.stack([quad(100 + 40 * k, 100, 40) for k in range(3)] + [quad(400, 100, 40)])
    number = np.full((4, 15), 0.001)
    number[:, 2] = 1 - 14 * 0.001
    sure = np.tile([1.0, 0, 0, 0], (4, 1))
    readings = FaceReadings(number, sure, sure, sure)
    _, left = without_look_alikes(readings, corners, np.full(4, 0.93))
    assert np.array_equal(left, corners[:3])
    _, left = without_look_alikes(readings, corners, np.full(4, 0.97))
    assert not len(left)


@pytest.mark.parametrize(
    ("clear", "width", "left"),
    [(0.89, 40, 3), (0.3, 40, 2), (0.89, 80, 2)],
    ids=["it reads", "it hardly reads", "it is too large"],
)
def test_what_the_border_cuts_is_a_guess_if_it_is_as_large_as_tiles(
    clear: float, width: float, left: int
) -> None:
    worth = np.array([0.999, 0.999, clear])
    number = np.repeat((1 - worth)[:, None] / 14, 15, axis=1)
    number[:, 2] = worth
    sure = np.tile([1.0, 0, 0, 0], (3, 1))
    quads = np.stack([quad(100, 100, 40), quad(140, 100, 40), quad(300, 100, width)])
    cut = np.array([False, False, True])
    readings = FaceReadings(number, sure, sure, sure)
    told, where = without_look_alikes(readings, quads, np.array([0.02, 0.02, 0.97]), cut)
    assert len(where) == left
    assert (told.number[2:, NO_NUMERAL_CLASS] > 0.5).all()
    if left == 3:
        alone = without_look_alikes(readings.only(cut), quads[cut], np.array([0.97]), np.ones(1, np.bool_))
        assert not len(alone[1]), "without a tile in view nothing tells how large they are"


@pytest.mark.parametrize(
    ("off", "worth", "none", "left", "guess"),
    [
        (12, 0.85, 0.92, 3, False),
        (12, 0.99, 0.96, 2, False),
        (0, 0.65, 0.96, 2, False),
        (0, 0.85, 0.98, 3, True),
    ],
    ids=["it may be one", "a flower", "a flower in line", "a joker of words in line"],
)
def test_what_plainly_has_no_body_is_none_beside_a_tile_too(
    off: float, worth: float, none: float, left: int, guess: bool
) -> None:
    """A flower of the cloth that a set touches was a joker of it; a joker at the end of a row was no tile."""
    quads = np.stack([quad(100 + 40 * k, 100 + off * (k == 2), 40) for k in range(3)])
    clear = np.array([0.999, 0.999, worth])
    number = np.repeat((1 - clear)[:, None] / 14, 15, axis=1)
    number[:, 2] = clear
    sure = np.tile([1.0, 0, 0, 0], (3, 1))
    readings = FaceReadings(number, sure, sure, sure)
    told, where = without_look_alikes(readings, quads, np.array([0.02, 0.02, none]))
    assert len(where) == left
    assert (told.number != number[:left]).any(axis=1).tolist() == (
        [False, False, guess] if left == 3 else [False] * 2
    )
