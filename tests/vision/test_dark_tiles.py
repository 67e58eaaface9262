"""Tiles with dark bodies are read in a picture that is turned round, and nothing else is taken from one."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import cv2
import numpy as np
import pytest

from referee import Tile
from vision.dark_tiles import reads_better, sure_width, turned_round, worth_turning_round
from vision.picture import Picture, load_picture, picture_from_array
from vision.reader import Reader
from vision.readings import PhotoReading, SetReading, TileReading

SAMPLE = Path(__file__).resolve().parents[2] / "samples" / "table.jpg"
QUAD = np.array([[0, 0], [30, 0], [30, 42], [0, 42]], np.float32)


def reading(sure: int, doubts: int = 0, unreadable: int = 0) -> PhotoReading:
    tiles = tuple(
        TileReading(Tile.parse("R7"), 0.98 if at < sure else 0.4, at >= sure, QUAD)
        for at in range(sure + doubts)
    )
    members = tuple(range(len(tiles))) + tuple(-1 - at for at in range(unreadable))
    sets = (SetReading(members),) if members else ()
    return PhotoReading((400, 300), "table", tiles, sets, unreadable=(QUAD,) * unreadable)


@pytest.mark.parametrize(
    ("turned", "plain", "better"),
    [
        (reading(12), reading(0), True),
        (reading(12), reading(1, 5), True),
        (reading(3, 1), reading(1), True),
        (reading(41, 3), reading(6, 15), True),
        (reading(16, 12), reading(2, 9), True),
        (reading(30, 10), reading(16), False),
        (reading(2), reading(0), False),
        (reading(4), reading(1, 2), False),
        (reading(4, 9), reading(0), False),
        (reading(4, 1, 3), reading(0), False),
    ],
    ids=[
        "dark tiles",
        "some seen",
        "a set",
        "many seen in doubt",
        "numerals in yellow",
        "not twice as many sure",
        "too few",
        "not plainly more",
        "keys of a keyboard",
        "unreadable ones",
    ],
)
def test_a_picture_turned_round_counts_where_it_plainly_shows_tiles(
    turned: PhotoReading, plain: PhotoReading, better: bool
) -> None:
    assert reads_better(turned, plain) == better


@pytest.mark.parametrize(
    ("turned", "plain", "better"),
    [
        (reading(2, 6), reading(0), True),
        (reading(2, 6), reading(0, 1), False),
        (reading(2, 6), reading(0, 0, 1), False),
        (reading(2, 20), reading(0), False),
        (reading(1), reading(0), False),
        (reading(35, 41), reading(2, 3), True),
        (reading(35, 41), reading(8, 3), False),
        (reading(9, 10), reading(1), False),
        (reading(20, 60), reading(2), False),
    ],
    ids=[
        "a row in a dim light",
        "something is seen as it is",
        "or not read",
        "hardly any sure",
        "one",
        "a far table beside a white strip of numbers",
        "pale tiles, too",
        "a row",
        "keys",
    ],
)
def test_of_a_picture_that_shows_next_to_nothing_less_is_asked_where_bodies_are_known(
    turned: PhotoReading, plain: PhotoReading, better: bool
) -> None:
    assert reads_better(turned, plain, bodies=True) == better
    assert not reads_better(turned, plain)


def test_a_table_of_tiles_that_were_read_is_not_turned_round() -> None:
    assert worth_turning_round(reading(3, 9))
    assert not worth_turning_round(reading(4))
    assert worth_turning_round(reading(4), dim=lambda: True)
    assert not worth_turning_round(reading(12), dim=lambda: True)
    # Of black tiles some read surely as they are.
    assert worth_turning_round(reading(4, 7))
    assert worth_turning_round(reading(4, 0, 7))
    assert not worth_turning_round(reading(6, 6))
    assert worth_turning_round(reading(8, 16)), "on a bright cloth many are found, and few are sure"
    # Thirty doubtful ones are pale tiles in poor light: no picture turned round would show twice as many.
    assert not worth_turning_round(reading(10, 20))


def test_a_pool_of_backs_shows_that_tiles_are_pale() -> None:
    assert worth_turning_round(replace(reading(0), face_down_xy_px=(QUAD,) * 2))
    assert not worth_turning_round(replace(reading(0), face_down_xy_px=(QUAD,) * 8))


@pytest.mark.parametrize(
    ("ink_bgr", "hues"),
    [
        ((70, 225, 250), (40, 85)),  # yellow: an orange
        ((255, 190, 80), (-105, -60)),  # light blue: a blue
        ((90, 80, 235), (0, 45)),  # red stays red
    ],
    ids=["yellow", "light blue", "red"],
)
def test_bright_inks_on_black_come_out_as_inks_on_white(
    ink_bgr: tuple[int, int, int], hues: tuple[int, int]
) -> None:
    """Yellow came out nearly black, and was read so."""
    shown = np.full((40, 60, 3), (40, 28, 25), np.uint8)
    shown[10:30, 20:40] = ink_bgr
    turned = turned_round(picture_from_array(shown)).image_bgr
    lab = cv2.cvtColor(turned, cv2.COLOR_BGR2LAB).astype(float)
    body, ink = lab[5, 5], lab[20, 30]
    assert body[0] > 190
    assert 60 < ink[0] < body[0] - 35
    assert hues[0] < np.degrees(np.arctan2(ink[2] - 128, ink[1] - 128)) < hues[1]
    assert np.hypot(ink[1] - 128, ink[2] - 128) > 25


@pytest.mark.parametrize("white_bgr", [(240, 240, 240), (225, 240, 250), (250, 240, 230)])
def test_white_on_black_is_black_on_white_in_warm_and_cold_light(white_bgr: tuple[int, int, int]) -> None:
    shown = np.full((40, 60, 3), 25, np.uint8)
    shown[10:30, 20:40] = white_bgr
    lab = cv2.cvtColor(turned_round(picture_from_array(shown)).image_bgr, cv2.COLOR_BGR2LAB).astype(float)
    assert lab[20, 30, 0] < 40


def test_the_tiles_that_were_read_tell_how_large_tiles_are() -> None:
    assert sure_width(reading(2, 3)) == pytest.approx(30.0)
    assert sure_width(reading(0, 3)) is None


def test_turning_round_swaps_light_and_dark_and_leaves_hues() -> None:
    colours = np.array([[[250, 250, 250], [20, 20, 20], [60, 60, 200], [190, 120, 40]]], np.uint8)
    turned = turned_round(Picture(colours, False)).image_bgr[0].astype(int)
    assert turned[0].max() < 40
    assert turned[1].min() > 200
    assert turned[2].argmax() == 2
    assert turned[3].argmax() == 0


@pytest.mark.parametrize("sure", [0, 12])
def test_the_time_told_is_that_of_both_readings(monkeypatch: pytest.MonkeyPatch, sure: int) -> None:
    """Of a picture that was read twice, whichever reading counts."""
    spent = iter([replace(reading(0), ms={"find": 100.0}), replace(reading(sure), ms={"find": 120.0})])
    monkeypatch.setattr(Reader, "_read", lambda self, picture, **how: next(spent))
    told = Reader.load().read(Picture(np.zeros((30, 40, 3), np.uint8), False))
    assert len(told.tiles) == sure
    assert told.ms == {"find": 220.0}


def test_black_tiles_with_white_numerals_are_read() -> None:
    """The sample table turned round is one of black tiles: they are read as on the pale one."""
    reader, table = Reader.load(), load_picture(SAMPLE)
    pale, dark = reader.read(table), reader.read(turned_round(table))
    assert len(dark.tiles) == len(pale.tiles) > 20
    assert {str(tile.tile) for tile in dark.tiles if not tile.doubt} <= {str(tile.tile) for tile in pale.tiles}
