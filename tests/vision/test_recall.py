"""A picture of a film is read as it would be by itself, and only what is otherwise than before is read."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from vision.network import Network
from vision.onnx_adapter import OnnxModel
from vision.picture import load_picture, picture_from_array
from vision.reader import Reader
from vision.readings import PhotoReading, TileReading
from vision.recall import Recall

SAMPLES = Path(__file__).parents[2] / "samples"
Image = NDArray[np.uint8]
shown: Counter[str] = Counter()
"""How much the networks were shown: pixels of whole pictures, or cut-outs."""


class Counting:
    """A network that counts what it is shown."""

    def __init__(self, data: bytes, name: str, threads: int) -> None:
        self._network: Network = OnnxModel(data, name, threads)
        self.outputs = self._network.outputs
        self.metadata = getattr(self._network, "metadata", {})

    def __call__(self, inputs: Mapping[str, NDArray[Any]]) -> dict[str, NDArray[np.float32]]:
        name, values = next(iter(inputs.items()))
        shown[name] += values.shape[1] * values.shape[2] if name == "image_bgr" else len(values)
        return self._network(inputs)


@pytest.fixture(scope="module")
def reader() -> Reader:
    return Reader.load(open_network=Counting)


@pytest.fixture(scope="module")
def table() -> Image:
    return load_picture(SAMPLES / "table.jpg").image_bgr


def alike(one: PhotoReading, other: PhotoReading) -> bool:
    """Say whether both read the same tiles in the same places, to some pixels, and doubt the same of them."""

    def shows(reading: PhotoReading, tile: TileReading) -> bool:
        at = tile.corners_xy_px.mean(axis=0)
        there = min(reading.tiles, key=lambda t: float(np.linalg.norm(t.corners_xy_px.mean(axis=0) - at)))
        near = np.linalg.norm(there.corners_xy_px.mean(axis=0) - at) < 10
        return bool(near) and (there.tile, there.doubt) == (tile.tile, tile.doubt)

    return len(one.tiles) == len(other.tiles) and all(shows(other, tile) for tile in one.tiles)


def noisy(image: Image, seed: int, light: float = 1.0) -> Image:
    noise = np.random.default_rng(seed).normal(0, 2, image.shape)
    return np.asarray(np.clip(image * light + noise, 0, 255), np.uint8)


def without(image: Image, reading: PhotoReading, at: int) -> Image:
    """The picture without one of its tiles."""
    mask = np.zeros(image.shape[:2], np.uint8)
    quad = reading.tiles[at].corners_xy_px
    middle = quad.mean(axis=0)
    cv2.fillConvexPoly(mask, np.round(middle + 1.1 * (quad - middle)).astype(np.int32), 1)
    return np.asarray(cv2.inpaint(image, mask, 5, cv2.INPAINT_TELEA), np.uint8)


def test_what_has_changed_is_read_and_nothing_else(reader: Reader) -> None:
    table = load_picture(SAMPLES / "bench.jpg").image_bgr
    recall = Recall()
    first = reader.read(picture_from_array(noisy(table, 1), recall=recall))
    other = noisy(without(table, first, 3), 2)
    shown.clear()
    alone = reader.read(picture_from_array(other))
    all_of_it = shown.copy()
    shown.clear()
    told = reader.read(picture_from_array(other, recall=recall))
    assert len(told.tiles) == len(first.tiles) - 1, "the tile is gone"
    assert alike(told, alone)
    assert shown["crops"] < 0.35 * all_of_it["crops"]
    assert shown["squares"] < 0.5 * all_of_it["squares"]
    assert shown["image_bgr"] < all_of_it["image_bgr"]
    back = noisy(table, 3)
    again = reader.read(picture_from_array(back, recall=recall))
    assert alike(again, reader.read(picture_from_array(back))), "and it comes back"


@pytest.mark.parametrize(
    ("light", "kept"), [(1.0, True), (1.05, True), (1.15, True), (0.85, True), (0.7, False)]
)
def test_a_little_more_light_is_the_same_picture_and_much_is_another(
    reader: Reader, table: Image, light: float, kept: bool
) -> None:
    recall = Recall()
    dim = (0.8 * table.astype(np.float32)).astype(np.uint8)  # so that nothing clips
    first = reader.read(picture_from_array(noisy(dim, 1), recall=recall))
    shown.clear()
    told = reader.read(picture_from_array(noisy(dim, 2, light), recall=recall))
    assert alike(told, first)
    assert (shown["crops"] < 0.2 * len(first.tiles)) == kept


def test_a_tile_of_another_colour_in_the_very_place_is_seen(reader: Reader, table: Image) -> None:
    recall = Recall()
    first = reader.read(picture_from_array(table, recall=recall))
    at = next(k for k, tile in enumerate(first.tiles) if str(tile.tile) == "O11")
    low, high = first.tiles[at].corners_xy_px.min(axis=0), first.tiles[at].corners_xy_px.max(axis=0)
    (x0, y0), (x1, y1) = np.round([low, high]).astype(int)
    other = table.copy()
    hsv = cv2.cvtColor(other[y0:y1, x0:x1], cv2.COLOR_BGR2HSV)
    inked = hsv[..., 1] > 90
    hsv[..., 0][inked] = 112  # blue ink of the same lightness
    other[y0:y1, x0:x1] = cv2.cvtColor(hsv, cv2.COLOR_HSV2BGR)
    told = reader.read(picture_from_array(other, recall=recall))
    assert alike(told, reader.read(picture_from_array(other)))
    assert not alike(told, first)


def changed_at(spots: list[tuple[int, int]], size_wh: tuple[int, int]) -> Recall:
    """What has seen a grey ground, and then one with bright spots of seven pixels around these y, x."""
    ground = np.full((size_wh[1], size_wh[0], 3), 90, np.uint8)
    recall = Recall()
    recall.see(ground)
    other = ground.copy()
    for y, x in spots:
        other[max(y - 3, 0) : y + 4, max(x - 3, 0) : x + 4] = 200
    recall.see(other)
    return recall


@pytest.mark.parametrize(("tile_px", "changed"), [(None, True), (12.0, True), (40.0, False)])
def test_a_speck_much_smaller_than_any_figure_on_a_tile_is_noise(tile_px: float | None, changed: bool) -> None:
    """On coarse cloth two dozen such specks had all of the picture read again (11835)."""
    ground = np.full((300, 480, 3), 90, np.uint8)
    recall = Recall()
    recall.see(ground, tile_px)
    other = ground.copy()
    other[100:104, 200:206] = 170
    recall.see(other, tile_px)
    assert bool(recall.touched(np.array([[195, 95, 215, 115]], np.float32))[0]) == changed


def test_a_figure_that_is_another_one_is_no_speck_nor_are_pieces_of_one_edge() -> None:
    ground = np.full((300, 480, 3), 90, np.uint8)
    recall = Recall()
    recall.see(ground, 40.0)
    other = ground.copy()
    other[100:120, 200:214:6] = 170  # strokes of a figure half as wide as its tile
    for at in range(4):
        other[200 + 8 * at : 206 + 8 * at, 300:304] = 130  # the edge of a back on backs, in pieces
    recall.see(other, 40.0)
    boxes = np.array([[195, 95, 220, 125], [295, 195, 310, 230]], np.float32)
    assert recall.touched(boxes).tolist() == [True, True]


def test_what_was_not_asked_for_in_the_picture_before_is_read_anew() -> None:
    grounds = [np.full((100, 200, 3), 90, np.uint8) for _ in range(3)]
    grounds[2][40:60, 40:60] = 200
    recall = Recall()
    read: list[int] = []

    def told(which: NDArray[np.intp]) -> dict[str, NDArray[np.float32]]:
        read.extend(which.tolist())
        return {"value": np.zeros(len(which), np.float32)}

    def ask() -> None:
        place = np.array([[40, 40, 60, 60]], np.float32)
        recall.rows("face", place, place, told)

    recall.see(grounds[0])
    ask()
    recall.see(grounds[1])
    recall.see(grounds[2])
    ask()
    assert len(read) == 2


def test_what_a_picture_did_not_ask_for_is_kept_with_all_that_changed_since() -> None:
    """The pool is looked at in every second picture where players press the button."""
    recall = Recall()
    grounds = [np.full((100, 200, 3), 90, np.uint8) for _ in range(3)]
    grounds[1][40:60, 40:60] = 200
    recall.see(grounds[0])
    recall.keep("pool", "its backs")
    recall.see(grounds[1])
    grounds[2][:] = grounds[1]
    grounds[2][10:30, 150:170] = 200
    recall.see(grounds[2])
    assert recall.whole("pool") == "its backs"
    boxes_now = np.float32([[40, 40, 60, 60], [150, 10, 170, 30], [90, 80, 100, 90]])
    assert recall.touched(boxes_now).tolist() == [False, True, False]
    assert recall.touched(boxes_now, "pool").tolist() == [True, True, False]
    assert len(recall.parts((0, 0, 200, 100), 5)) == 1
    assert len(recall.parts((0, 0, 200, 100), 5, "pool")) == 2
    for _ in range(3):
        recall.see(grounds[2])
    assert recall.whole("pool") is None, "not for ever"


@pytest.mark.parametrize(
    ("wanted", "taken"),
    [
        ([1.0, 1.1, 0.9], [1.0, 1.0, 1.0]),
        ([0.8, 1.1, 0.8, 1.12, 0.78], [0.8, 1.1, 1.1, 1.1, 1.1]),
        ([1.1, 0.8, 1.1, 0.8], [1.1, 0.8, 1.1, 1.1]),
        ([0.8, 1.1, 0.6, 0.8], [0.8, 1.1, 0.6, 0.8]),
        ([0.8, 2.0, 0.8], [0.8, 2.0, 0.8]),
    ],
)
def test_a_scale_stays_where_another_is_little_else_and_the_nearer_of_two_that_ask_for_each_other(
    wanted: list[float], taken: list[float]
) -> None:
    """Backs that lie sideways are as wide as they are long at one scale of two (composer DK's second)."""
    recall = Recall()
    assert [recall.steady_look("second", scale, 0.2) for scale in wanted] == taken


def test_a_length_is_what_it_was_where_it_is_much_the_same_and_else_what_is_measured() -> None:
    """A tile's side that was too long in one picture is none of the next."""
    recall = Recall()
    assert [recall.steady("side", length, 0.2) for length in (40.0, 42.0, 56.0, 40.0)] == [
        40.0,
        40.0,
        56.0,
        40.0,
    ]


def test_a_window_that_moves_a_little_stays_where_it_was() -> None:
    recall = Recall()
    recall.see(np.full((100, 200, 3), 90, np.uint8))
    assert recall.steady_window("pool", (10, 10, 110, 90)) == (10, 10, 110, 90)
    for wanted, got in (
        ((20, 15, 105, 90), (10, 10, 110, 90)),
        ((5, 15, 105, 90), (5, 15, 105, 90)),
        ((50, 15, 70, 50), (50, 15, 70, 50)),
    ):
        recall.see(np.full((100, 200, 3), 90, np.uint8))
        assert recall.steady_window("pool", wanted) == got


boxes = st.tuples(*[st.floats(-30, 230)] * 2, *[st.floats(0, 80)] * 2)


@given(spots=st.lists(st.tuples(st.integers(0, 99), st.integers(0, 199)), max_size=4), box=boxes)
def test_a_box_is_touched_by_what_has_changed_in_it(
    spots: list[tuple[int, int]], box: tuple[float, float, float, float]
) -> None:
    recall = changed_at(spots, (200, 100))
    x, y, width, height = box
    touched = bool(recall.touched(np.float32([[x, y, x + width, y + height]]))[0])
    inside = [(sx, sy) for sy, sx in spots if x <= sx <= x + width and y <= sy <= y + height]
    far = all(sx < x - 16 or sx > x + width + 16 or sy < y - 16 or sy > y + height + 16 for sy, sx in spots)
    assert touched or not inside
    if far and x + width >= 0 and y + height >= 0 and x < 200 and y < 100:
        assert not touched


@given(spots=st.lists(st.tuples(st.integers(0, 299), st.integers(0, 399)), min_size=1, max_size=6))
def test_the_parts_to_look_at_hold_all_that_has_changed(spots: list[tuple[int, int]]) -> None:
    recall = changed_at(spots, (400, 300))
    window = (10, 20, 391, 287)
    parts = recall.parts(window, 20)
    for y, x in spots:
        if 10 <= x < 391 and 20 <= y < 287:
            assert any(x0 <= x < x1 and y0 <= y < y1 for x0, y0, x1, y1 in parts)
    for x0, y0, x1, y1 in parts:
        assert window[0] <= x0 < x1 <= window[2]
        assert window[1] <= y0 < y1 <= window[3]
