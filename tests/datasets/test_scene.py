"""The renderer's truth, drawn back on its pictures; procedural grounds only."""

from __future__ import annotations

from collections import Counter

import cv2
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from datasets import grounds, layouts
from datasets.camera import Camera, distortion_maps, undistort_coordinates
from datasets.design import sample_design
from datasets.face import render_face
from datasets.light import Lamp, Light
from datasets.render import PROFILES, render_picture
from datasets.scene import Block, Skin, flat_frame
from datasets.scene_paint import BARE, Canvas, face_corners, outline_mask, paint_block
from referee.tiles import ALL_TILES, Colour, Tile

SMALL = (480, 360)


pytestmark = pytest.mark.usefixtures("no_photographed_grounds")


def _plain_light() -> Light:
    return Light(
        (Lamp(np.array([[0.0, 0.0, 1.0]]), np.full(3, 0.6)),), np.full(3, 0.4), np.full(3, 0.2), np.zeros(3)
    )


def _quarter_skin(_: int) -> Skin:
    """Red upper left, green upper right, blue lower right, black lower left."""
    face = np.zeros((80, 60, 3), np.float32)
    face[:40, :30, 0] = face[:40, 30:, 1] = face[40:, 30:, 2] = 1
    return Skin(face)


@pytest.mark.parametrize("profile", list(PROFILES))
def test_every_profile_gives_a_picture_and_a_truth_that_agree(profile: str) -> None:
    picture = render_picture(5, profile=profile, size_wh=SMALL)
    assert picture.image_bgr.shape == (360, 480, 3)
    assert picture.image_bgr.dtype == np.uint8
    assert picture.families["profile"] == profile
    assert (picture.kind == "empty") == (not picture.tiles)
    if profile == "empty":
        assert not picture.tiles
    for tile in picture.tiles:
        assert tile.corners_xy_px.shape == (4, 2)
        assert 0 < tile.visible <= 1
        assert 0 <= tile.numeral_visible <= 1
        if tile.visible == 1:
            edges = np.linalg.norm(np.diff(tile.corners_xy_px, axis=0), axis=1)
            room = 2 + 0.12 * edges.max()  # the corners of a rounded face lie off it
            assert tile.corners_xy_px.min() > -room
            assert (tile.corners_xy_px.max(axis=0) < np.array(SMALL) + room).all()
        # Seen from its front a face runs clockwise; a mirrored one would not.
        x, y = tile.corners_xy_px.T
        assert float(x @ np.roll(y, -1) - y @ np.roll(x, -1)) > 0


def test_the_same_seed_gives_the_same_picture() -> None:
    first, second, other = (render_picture(seed, size_wh=SMALL) for seed in (11, 11, 12))
    assert np.array_equal(first.image_bgr, second.image_bgr)
    assert [t.tile for t in first.tiles] == [t.tile for t in second.tiles]
    assert not np.array_equal(first.image_bgr, other.image_bgr)


def _likeness(first: np.ndarray, second: np.ndarray) -> float:
    a, b = first - first.mean(), second - second.mean()
    return float((a * b).sum() / np.sqrt((a * a).sum() * (b * b).sum() + 1e-9))


@pytest.mark.parametrize("seed", [1, 4, 6, 9])
def test_what_the_corners_cut_out_is_the_labelled_tile_upright(seed: int) -> None:
    """A rectified tile is more like its own flat face than like that face upside down or another tile's."""
    picture = render_picture(seed, profile="scatter", size_wh=(960, 720))
    design = sample_design(np.random.default_rng([seed, 20]))  # the first thing that a picture draws
    read = [t for t in picture.tiles if t.tile is not None and t.visible > 0.98]
    assert read
    own_wins = []
    for tile in read:
        edge = tile.corners_xy_px[1] - tile.corners_xy_px[0]
        if tile.tile is None or tile.tile.is_joker or np.linalg.norm(edge) < 24:
            continue
        target = np.array([[0, 0], [45, 0], [45, 60], [0, 60]], np.float32) - 0.5
        warp = cv2.getPerspectiveTransform(tile.corners_xy_px, target)
        cut = cv2.cvtColor(cv2.warpPerspective(picture.image_bgr, warp, (45, 60)), cv2.COLOR_BGR2GRAY)
        seen = cut[4:56, 4:41].astype(np.float64)

        def flat(number: int, colour: Colour | None = tile.tile.colour) -> np.ndarray:
            face = render_face(design, Tile(colour, number), 60, np.random.default_rng(0)).rgb
            return cv2.resize(face.mean(axis=2), (45, 60)).astype(np.float64)[4:56, 4:41]

        number = tile.tile.number or 1
        own, other = flat(number), flat(number % 13 + 1)
        own_wins.append(_likeness(seen, own) > max(_likeness(seen, own[::-1, ::-1]), _likeness(seen, other)))
    assert own_wins
    # An 8 is an 8 upside down, and an 11 nearly a 1 twice: most must win, not all.
    assert np.mean(own_wins) >= 0.75


@given(
    heading=st.floats(-3.1, 3.1),
    elevation=st.floats(25, 90),
    roll=st.floats(0, 360),
    tile_px=st.floats(40, 150),
)
@settings(max_examples=25, deadline=None)
def test_a_block_is_painted_at_its_projected_corners(
    heading: float, elevation: float, roll: float, tile_px: float
) -> None:
    cam = Camera.look((0, 0), elevation, 15, roll, 50, tile_px, (400, 300))
    block = Block(
        flat_frame(0.1, -0.2, 0.3, heading), (1.0, 1.35, 0.3), _quarter_skin, bevel=0, gloss=0, label=7
    )
    canvas = Canvas(
        np.full((300, 400, 3), 0.5, np.float32), np.full((300, 400), BARE, np.int16), cam, _plain_light(), []
    )
    assert paint_block(canvas, block)
    quad, _ = cam.project(face_corners(block))
    middle = quad.mean(axis=0)
    for k, channel in ((0, 0), (1, 1), (2, 2)):
        x, y = np.round(middle + 0.6 * (quad[k] - middle)).astype(int)
        pixel = canvas.light[y, x]
        assert int(pixel.argmax()) == channel
        assert canvas.owners[y, x] == 7
    x, y = quad.T
    area = 0.5 * abs(float(x @ np.roll(y, 1) - y @ np.roll(x, 1)))
    assert (canvas.owners == 7).sum() == pytest.approx(area, rel=0.04, abs=25)
    outside = middle + 1.15 * (quad - middle)
    for x, y in np.round(outside).astype(int):
        if 0 <= x < 400 and 0 <= y < 300:
            assert canvas.owners[y, x] != 7


def test_a_covering_block_takes_its_share_of_visibility() -> None:
    picture_owner = np.full((300, 400), BARE, np.int16)
    cam = Camera.look((0, 0), 90, 0, 0, 30, 100, (400, 300))
    canvas = Canvas(np.zeros((300, 400, 3), np.float32), picture_owner, cam, _plain_light(), [])
    under = Block(flat_frame(0, 0, 0.3, 0), (1.0, 1.4, 0.3), _quarter_skin, radius=0, label=0)
    over = Block(flat_frame(0.5, 0, 0.32, 0), (1.0, 2.0, 0.01), _quarter_skin, radius=0)
    paint_block(canvas, under)
    alone = int((canvas.owners == 0).sum())
    paint_block(canvas, over)
    assert (canvas.owners == 0).sum() == pytest.approx(alone / 2, rel=0.05)


def test_coverage_of_a_polygon_adds_up_to_its_area() -> None:
    polygon = np.array([[10.3, 8.2], [41.7, 12.9], [36.1, 44.4], [6.6, 30.0]])
    x, y = polygon.T
    area = 0.5 * abs(float(x @ np.roll(y, 1) - y @ np.roll(x, 1)))
    assert float(outline_mask(polygon, (0, 0, 50, 50)).sum()) == pytest.approx(area, rel=0.02)


@given(k1=st.floats(-0.08, 0.1), x=st.floats(0, 639), y=st.floats(0, 479))
@settings(max_examples=40, deadline=None)
def test_distorted_points_undo_the_distortion_maps(k1: float, x: float, y: float) -> None:
    map_x, map_y = distortion_maps((640, 480), k1)
    source = np.array([map_x[int(y), int(x)], map_y[int(y), int(x)]], dtype=np.float64)
    found = undistort_coordinates(source, (640, 480), k1)
    assert found == pytest.approx([int(x), int(y)], abs=0.05)


@given(seed=st.integers(0, 10_000))
@settings(max_examples=20, deadline=None)
def test_sets_keep_their_order_and_the_stock(seed: int) -> None:
    rng = np.random.default_rng(seed)
    layout = layouts.Layout(1.35, 0.35)
    layouts.sets_on_table(layout, layouts.Deck(rng), rng, int(rng.integers(1, 12)))
    count = Counter(t.tile for t in layout.tiles)
    assert all(count[tile] <= 2 for tile in ALL_TILES)
    assert len(layout.tiles) == len(layout.taken)
    by_set: dict[int | None, list[layouts.PlacedTile]] = {}
    for tile in layout.tiles:
        by_set.setdefault(tile.set_index, []).append(tile)
    assert set(by_set) == set(range(layout.sets))
    for row in by_set.values():
        assert [t.place for t in row] == list(range(len(row)))
        spots = np.array([t.frame.origin for t in row])
        if len(row) > 1:
            steps = np.diff(spots, axis=0)
            way = spots[-1] - spots[0]
            assert (steps @ way > 0).all()
            # Most tiles stand upright along the reading direction.
            upright = [float(t.frame.u @ way) > 0 for t in row]
            assert 2 * sum(upright) > len(row)


def test_held_out_grounds_and_racks_stay_apart() -> None:
    rng = np.random.default_rng(1)
    train = {grounds.sample_ground(rng, "train").family for _ in range(150)}
    held = {grounds.sample_ground(rng, "heldout").family for _ in range(60)}
    assert not train & grounds.HELD_OUT
    assert held <= grounds.HELD_OUT


def test_rows_of_a_rack_read_from_left_to_right() -> None:
    picture = render_picture(3, profile="rack", size_wh=(960, 720))
    assert picture.racks_xy_px
    rows: dict[int, list[tuple[int, float]]] = {}
    for tile in picture.tiles:
        if tile.on_rack and tile.set_index is not None:
            along = picture.racks_xy_px[0][1] - picture.racks_xy_px[0][0]
            rows.setdefault(tile.set_index, []).append(
                (tile.place, float(tile.corners_xy_px.mean(axis=0) @ along))
            )
    assert rows
    for row in rows.values():
        spots = [where for _, where in sorted(row)]
        assert spots == sorted(spots)


def test_wrong_names_are_refused() -> None:
    with pytest.raises(ValueError, match="profile is one of"):
        render_picture(0, profile="moon")
    with pytest.raises(ValueError, match="split is"):
        render_picture(0, split="all")


def test_designs_of_both_splits_can_be_rendered() -> None:
    design = sample_design(np.random.default_rng(0), split="heldout")
    assert design.aspect > 1
    assert render_picture(1, split="heldout", size_wh=SMALL).image_bgr.any()
