"""The camera's place: every settled picture is brought home, or is said to be lost."""

from __future__ import annotations

from functools import cache

import cv2
import numpy as np
import pytest

from vision.watch.place import Place

SIZE_WH = (640, 360)
TILE_PX = 24


@cache
def world(grain: float, seed: int = 0) -> np.ndarray:
    """A table far larger than the picture, brightness, with things around its edge."""
    rng = np.random.default_rng(seed)
    height, width = 720, 1280
    picture = np.full((height, width), 120, np.float32)
    noise = cv2.GaussianBlur(rng.normal(0, 1, (height, width)).astype(np.float32), (0, 0), 5, sigmaY=2)
    picture += grain * noise / noise.std()
    for _ in range(40):  # chairs, floor, a window: what lies outside of the table
        x, y = rng.uniform([0, 0], [width, height])
        if abs(x - width / 2) < 250 and abs(y - height / 2) < 130:
            continue
        size = rng.uniform(20, 70, 2)
        cv2.rectangle(picture, (int(x), int(y)), (int(x + size[0]), int(y + size[1])), rng.uniform(40, 220), -1)
    return picture


def lay(picture: np.ndarray, spots: np.ndarray) -> np.ndarray:
    """Lay tiles of differing figures at ``spots`` (N, 2)."""
    picture = np.clip(picture, 0, 255).astype(np.uint8)
    for k, (x, y) in enumerate(spots.astype(int)):
        cv2.rectangle(picture, (x, y), (x + TILE_PX - 2, y + 32), 225, -1)
        cv2.putText(picture, str(k % 13 + 1), (x + 2, y + 22), cv2.FONT_HERSHEY_SIMPLEX, 0.6, 50, 2)
    return picture.astype(np.float32)


def spots(seed: int = 1, count: int = 24) -> np.ndarray:
    rng = np.random.default_rng(seed)
    return np.array(
        [[400 + 30 * (k % 8) + 60 * (k // 16), 230 + 60 * (k // 8)] for k in range(count)]
    ) + rng.integers(-3, 4, (count, 2))


def camera(turn_deg=0.0, grow=1.0, dx=0.0, dy=0.0, tilt=(0.0, 0.0)) -> np.ndarray:
    """From the world to the picture: the middle of the world, moved as told."""
    middle = np.array(SIZE_WH) / 2
    turn = np.vstack([cv2.getRotationMatrix2D(tuple(middle), turn_deg, grow), [0, 0, 1]])
    tilted = np.array([[1, 0, dx], [0, 1, dy], [tilt[0] / SIZE_WH[0], tilt[1] / SIZE_WH[1], 1]])
    return tilted @ turn @ np.array([[1, 0, -320.0], [0, 1, -180.0], [0, 0, 1]])


def shoot(scene: np.ndarray, way: np.ndarray, gain: float = 1.0, seed: int = 0) -> np.ndarray:
    seen = cv2.warpPerspective(scene, way, SIZE_WH, flags=cv2.INTER_AREA) * gain
    noisy = seen + np.random.default_rng(seed).normal(0, 2, seen.shape)
    return np.clip(np.round(noisy), 0, 255).astype(np.uint8)


def error_px(to_home: np.ndarray, way: np.ndarray) -> float:
    """How far points of the table's middle come to lie from where they are at home."""
    points = np.array([[[200.0, 100]], [[440, 100]], [[440, 260]], [[200, 260]]])
    there = cv2.perspectiveTransform(points, way @ np.linalg.inv(camera()))
    return float(np.abs(cv2.perspectiveTransform(there, to_home) - points).max())


MOVES = {
    "breath": (camera(dx=0.3, dy=-0.2), "same"),
    "sag": (camera(dy=6, turn_deg=0.2), "nudged"),
    "bump": (camera(dx=30, dy=-18, turn_deg=2), "moved"),
    "turn": (camera(turn_deg=15, dx=40, dy=-20, grow=0.95, tilt=(0.02, 0.03)), "moved"),
    "upside": (camera(turn_deg=170), "moved"),
}


@pytest.mark.parametrize("grain", [0.0, 10.0])
@pytest.mark.parametrize("name", MOVES)
def test_a_moved_camera_is_followed_while_tiles_move_and_the_light_changes(name, grain):
    way, kind = MOVES[name]
    before = spots()
    after = before.copy()
    after[::4] += np.random.default_rng(3).integers(-30, 30, after[::4].shape)
    place = Place()
    home = place.settle(shoot(lay(world(grain), before), camera()), 0.0)
    assert (home.kind, home.support) == ("same", 1.0)
    assert np.array_equal(home.to_home, np.eye(3))
    found = place.settle(shoot(lay(world(grain), after), way, gain=0.8, seed=1), 1.0)
    assert found.kind == kind
    assert error_px(found.to_home, way) < 0.12 * TILE_PX


def test_nothing_moved_gives_the_very_same_place():
    place = Place()
    scene = lay(world(10.0), spots())
    place.settle(shoot(scene, camera()), 0.0)
    for k in range(1, 4):
        found = place.settle(shoot(scene, camera(), seed=k), float(k))
        assert found.kind == "same"
        assert np.array_equal(found.to_home, np.eye(3))


def test_a_sagging_camera_is_followed_without_errors_adding_up():
    place = Place()
    kinds = []
    for k in range(25):
        laid = spots()
        laid[: k // 2] += 40  # the game goes on meanwhile
        way = camera(dy=0.8 * k, turn_deg=0.05 * k)
        found = place.settle(shoot(lay(world(6.0), laid), way, seed=k), float(k))
        kinds.append(found.kind)
        assert error_px(found.to_home, way) < 0.12 * TILE_PX
    assert "nudged" in kinds
    assert set(kinds) <= {"same", "nudged"}


@pytest.mark.parametrize("quad_px", [8, 60])
def test_shifts_are_measured_in_tiles(quad_px):
    quad = np.array([[0, 0], [1, 0], [1, 1.4], [0, 1.4]], np.float32)[None] * quad_px
    place = Place()
    scene = lay(world(10.0), spots())
    place.settle(shoot(scene, camera()), 0.0, quad)
    found = place.settle(shoot(scene, camera(dx=5)), 1.0, quad)
    assert found.shift_px == pytest.approx(5, abs=0.5)
    assert found.kind == ("nudged" if quad_px == 8 else "same")


def test_a_covered_lens_and_another_view_are_lost_and_home_is_found_again():
    place = Place()
    scene = lay(world(10.0), spots())
    place.settle(shoot(scene, camera()), 0.0)
    way = camera(dx=12, dy=5)
    known = place.settle(shoot(scene, way), 1.0)
    covered = place.settle(shoot(np.full((720, 1280), 14, np.float32), camera()), 2.0)
    assert covered.kind == "lost"
    assert np.array_equal(covered.to_home, known.to_home)
    other = lay(world(20.0, seed=9), spots(5) + np.array([90, -40]))
    assert place.settle(shoot(other, camera(turn_deg=40)), 3.0).kind == "lost"
    back = place.settle(shoot(scene, camera(turn_deg=5), seed=4), 4.0)
    assert back.kind != "lost"
    assert error_px(back.to_home, camera(turn_deg=5)) < 0.12 * TILE_PX


def test_a_picture_of_another_size_is_a_new_home():
    place = Place()
    luma = shoot(lay(world(10.0), spots()), camera())
    place.settle(luma, 0.0)
    found = place.settle(np.ascontiguousarray(luma[:180, :320]), 1.0)
    assert found.kind == "moved"
    assert np.array_equal(found.to_home, np.eye(3))


def test_a_table_that_fills_up_tile_by_tile_stays_in_its_place_and_is_followed():
    table = world(3.0)
    place = Place()
    place.settle(shoot(table, camera()), 0.0)
    everywhere = spots(count=64) - [60, 60]
    for k in range(4, 65, 4):
        placed = place.settle(shoot(lay(table, everywhere[:k]), camera(), seed=k), float(k))
        assert (placed.kind, placed.shift_px) == ("same", 0.0), k
    way, kind = MOVES["bump"]
    placed = place.settle(shoot(lay(table, everywhere), way), 70.0)
    assert placed.kind == kind
    assert error_px(placed.to_home, way) < 1.0


def plain() -> np.ndarray:
    """A table without any grain, that fills the picture."""
    return np.full((720, 1280), 150, np.float32)


def test_a_plain_table_is_in_its_place_bare_and_with_tiles_that_come_and_go():
    place = Place()
    place.settle(shoot(plain(), camera()), 0.0)
    few, others = spots(count=3), spots(count=6) - [120, 60]
    for at, scene in enumerate([plain(), lay(plain(), few), lay(plain(), others), plain()]):
        placed = place.settle(shoot(scene, camera(), seed=at), 1.0 + at)
        assert (placed.kind, placed.shift_px) == ("same", 0.0), at
        assert np.array_equal(placed.to_home, np.eye(3))


def test_tiles_on_a_plain_table_tell_of_a_camera_that_moved():
    place, laid = Place(), lay(plain(), spots())
    place.settle(shoot(plain(), camera()), 0.0)
    place.settle(shoot(laid, camera()), 1.0)
    way, kind = MOVES["bump"]
    placed = place.settle(shoot(laid, way), 2.0)
    assert placed.kind == kind
    assert error_px(placed.to_home, way) < 0.12 * TILE_PX


def test_a_bumped_camera_is_followed_into_the_dark():
    """Noise is in every patch then, and only a few of the tiles' edges are more than that."""
    rng = np.random.default_rng(0)

    def dim(scene: np.ndarray, way: np.ndarray, gain: float, noise: float) -> np.ndarray:
        seen = cv2.resize(shoot(scene, way, gain), (1920, 1080), interpolation=cv2.INTER_LINEAR)
        return np.asarray(np.clip(seen + rng.normal(0, noise, seen.shape), 0, 255), np.uint8)

    place, laid = Place(), lay(plain(), spots())
    place.settle(dim(laid, camera(), 1.0, 3.0), 0.0)
    way = camera(dx=8, dy=-6, turn_deg=1)
    placed = place.settle(dim(laid, way, 0.45, 12.0), 1.0)
    assert placed.kind == "nudged"
    large = np.diag([3.0, 3.0, 1.0])
    assert error_px(np.linalg.inv(large) @ placed.to_home @ large, way) < 0.12 * TILE_PX


def test_another_view_of_a_plain_table_that_has_filled_up_is_lost():
    place, laid = Place(), lay(plain(), spots(count=48))
    place.settle(shoot(plain(), camera()), 0.0)
    assert place.settle(shoot(laid, camera()), 1.0).kind == "same"
    assert place.settle(shoot(plain() - 100, camera()), 2.0).kind == "lost"
    assert place.settle(shoot(laid, camera(), seed=3), 3.0).kind == "same"
