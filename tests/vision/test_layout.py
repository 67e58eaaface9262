"""Which tiles lie together, with perfect corners and jittered ones."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from vision.evaluation.layout_classes import CLASSES, rectangles
from vision.evaluation.layout_tables import LaidTable, draw_rack, draw_table, photograph
from vision.layout import Layout, read_layout
from vision.layout.jokers import jokers_upright
from vision.layout.plane import tile_frames

HEIGHT = 1.4


def row(x: float, y: float, count: int, gap: float = 0.03, turn_deg: float = 0.0) -> np.ndarray:
    """Poses of a straight set whose first tile's centre is (x, y), tile widths."""
    turn = np.deg2rad(turn_deg)
    along = np.arange(count) * (1.0 + gap)
    return np.column_stack([x + along * np.cos(turn), y + along * np.sin(turn), np.full(count, turn)])


def corners_of(*sets: np.ndarray) -> np.ndarray:
    """Corners in a picture taken straight from above, 40 px a tile width."""
    return rectangles(np.vstack(sets), HEIGHT) * 40.0 + [300.0, 200.0]


def members(layout: Layout) -> set[tuple[int, ...]]:
    return {laid.members for laid in layout.sets}


def sure(layout: Layout) -> bool:
    return not any(laid.doubt for laid in layout.sets)


def test_two_rows_touching_above_each_other_are_two_sets() -> None:
    layout = read_layout(corners_of(row(0, 0, 4), row(0.3, HEIGHT, 5)))
    assert [laid.members for laid in layout.sets] == [(0, 1, 2, 3), (4, 5, 6, 7, 8)]
    assert layout.kind == "table"
    assert sure(layout)


def test_end_to_end_sets_are_cut_where_the_gap_is_clearly_larger() -> None:
    layout = read_layout(corners_of(row(0, 0, 3), row(3.4, 0, 4), row(0, 2, 5)))
    assert members(layout) == {(0, 1, 2), (3, 4, 5, 6), (7, 8, 9, 10, 11)}


def test_the_same_gap_within_a_loosely_laid_set_is_no_cut() -> None:
    layout = read_layout(corners_of(row(0, 0, 5, 0.4), row(0, 2, 4, 0.45), row(0, 4, 6, 0.35)))
    assert members(layout) == {(0, 1, 2, 3, 4), (5, 6, 7, 8), (9, 10, 11, 12, 13, 14)}


@pytest.mark.parametrize(
    ("gap", "offset", "turn_deg"),
    [(0.1, 0.36, 8.9), (0.11, 0.13, -18.0), (0.27, -0.15, 3.3)],
    ids=["a child's seven", "a turned six", "a two a little apart"],
)
def test_a_crooked_set_among_neat_ones_is_one_all_the_same(gap: float, offset: float, turn_deg: float) -> None:
    """As they lay in the games bx02 and bx03; gaps in tile widths, offsets in tile heights."""
    neat = [row(x, y, 3) for x in (0, 6) for y in (0, 2.4, 4.8)]
    turn = np.deg2rad(turn_deg)
    crooked = row(0, 8, 3)
    crooked[0] = [crooked[1, 0] - 1.0 - gap - HEIGHT / 2 * abs(np.sin(turn)), 8 + offset * HEIGHT, turn]
    assert members(read_layout(corners_of(*neat, crooked))) == {(k, k + 1, k + 2) for k in range(0, 21, 3)}


@pytest.mark.parametrize(("gap", "sets"), [(0.2, 2), (0.33, 3)])
def test_a_gap_that_could_be_either_is_a_doubt_on_both_sides(gap: float, sets: int) -> None:
    gaps = [0.02, 0.1, gap, 0.02, 0.12, 0.05]
    places = np.concatenate([[0.0], np.cumsum(1.0 + np.array(gaps))])
    line = np.column_stack([places, np.zeros((len(places), 2))])
    layout = read_layout(corners_of(line, row(0, 3, 3)))
    unsure = {tile for laid in layout.sets if laid.doubt for tile in laid.members}
    assert {2, 3} <= unsure
    assert not unsure & {7, 8, 9}
    assert len(layout.sets) == sets


def test_tiles_stacked_along_their_own_upright_are_no_set() -> None:
    column = np.column_stack([np.zeros(4), np.arange(4) * HEIGHT, np.zeros(4)])
    assert members(read_layout(corners_of(column))) == {(0,), (1,), (2,), (3,)}


def test_a_set_seen_from_the_side_is_still_a_set() -> None:
    layout = read_layout(corners_of(row(0, 0, 4, turn_deg=90)))
    assert members(layout) == {(0, 1, 2, 3)}


def test_sets_that_meet_at_a_right_angle_stay_apart() -> None:
    standing = row(3.55, -0.2, 3, turn_deg=90)
    assert members(read_layout(corners_of(row(0, 0, 3), standing))) == {(0, 1, 2), (3, 4, 5)}


def test_the_majority_facing_decides_the_reading_order() -> None:
    one = row(0, 0, 4)
    one[2, 2] += np.pi
    other = row(0, 3, 5)
    other[[0, 2, 3, 4], 2] += np.pi
    assert members(read_layout(corners_of(one, other))) == {(0, 1, 2, 3), (8, 7, 6, 5, 4)}


def test_at_a_tie_the_facing_that_is_upright_in_the_picture_decides() -> None:
    pair = row(0, 0, 4)
    pair[:2, 2] += np.pi
    assert members(read_layout(corners_of(pair))) == {(0, 1, 2, 3)}


def test_sets_come_in_rows_of_the_picture() -> None:
    layout = read_layout(corners_of(row(6, 0.2, 3), row(0, 3, 3), row(0, 0, 3)))
    assert [laid.members[0] for laid in layout.sets] == [6, 0, 3]


def test_a_missing_tile_leaves_the_other_sets_whole() -> None:
    corners = np.delete(corners_of(row(0, 0, 5), row(0, 1.45, 5), row(0, 2.9, 5)), 7, axis=0)
    found = members(read_layout(corners))
    assert {(0, 1, 2, 3, 4), (9, 10, 11, 12, 13)} <= found


def test_a_false_find_leaves_the_sets_whole() -> None:
    true = corners_of(row(0, 0, 5), row(0, 2, 4), row(0, 4, 6))
    huge = np.array([[[100, 100], [420, 60], [500, 330], [90, 380]]])
    found = members(read_layout(np.concatenate([true, huge])))
    assert {(0, 1, 2, 3, 4), (5, 6, 7, 8), (9, 10, 11, 12, 13, 14)} <= found


def test_no_tiles_is_an_empty_layout() -> None:
    assert read_layout(np.zeros((0, 4, 2))) == Layout("empty")


def test_one_tile_is_a_set_of_one() -> None:
    assert members(read_layout(corners_of(row(0, 0, 1, turn_deg=33)))) == {(0,)}


@pytest.mark.parametrize("shape", [(4, 2), (3, 4, 3), (2, 8)])
def test_wrong_shapes_are_refused(shape: tuple[int, ...]) -> None:
    with pytest.raises(ValueError, match="shape"):
        read_layout(np.zeros(shape))


def test_values_that_are_not_finite_are_refused() -> None:
    with pytest.raises(ValueError, match="finite"):
        read_layout(np.full((2, 4, 2), np.nan))


def test_quads_without_area_still_come_out_once_each() -> None:
    layout = read_layout(np.zeros((3, 4, 2)))
    assert sorted(tile for laid in layout.sets for tile in laid.members) == [0, 1, 2]


def test_tiles_on_a_rack_are_read_as_its_rows() -> None:
    corners = corners_of(row(0, 0, 2), row(4.2, 0, 1), row(1.1, 1.45, 3, 0.7))
    front = np.array([[-1, -0.8], [9, -0.8], [9, 2.3], [-1, 2.3]]) * 40.0 + [300.0, 200.0]
    layout = read_layout(corners, [front])
    assert layout.kind == "rack"
    assert [laid.members for laid in layout.sets] == [(0, 1, 2), (3, 4, 5)]
    assert layout.on_rack == (0, 1, 2, 3, 4, 5)


def test_a_rack_beside_a_table_leaves_the_table_a_table() -> None:
    corners = corners_of(row(0, 0, 5), row(0, 2, 5), row(0, 8, 3))
    front = np.array([[-1, 7.2], [9, 7.2], [9, 8.8], [-1, 8.8]]) * 40.0 + [300.0, 200.0]
    layout = read_layout(corners, [front])
    assert layout.kind == "table"
    assert layout.on_rack == (10, 11, 12)
    assert [laid.members for laid in layout.sets] == [(0, 1, 2, 3, 4), (5, 6, 7, 8, 9), (10, 11, 12)]


def test_a_misshapen_rack_is_refused() -> None:
    with pytest.raises(ValueError, match="rack"):
        read_layout(np.zeros((1, 4, 2)), [np.zeros((3, 2))])


def share_right(name: str, jitter: float, tables: int = 12) -> float:
    right = 0
    for seed in range(tables):
        table = draw_table(np.random.default_rng([11, seed]), name, jitter, 0.0)
        right += set(table.sets) == members(read_layout(table.corners_xy_px))
    return right / tables


@pytest.mark.parametrize("name", [name for name in CLASSES if "upside" not in name])
def test_every_class_of_table_is_read_from_perfect_corners(name: str) -> None:
    assert share_right(name, 0.0, 5 if "full" in name else 12) == 1.0


@pytest.mark.parametrize("name", ["any angle", "loose (gaps to 0.6), any angle", "end to end, gap 0.3-0.8"])
def test_tables_are_read_from_jittered_corners(name: str) -> None:
    assert share_right(name, 0.03) >= 0.9


def test_racks_are_read_from_jittered_corners() -> None:
    for seed in range(30):
        table, front = draw_rack(np.random.default_rng([12, seed]), 0.02)
        layout = read_layout(table.corners_xy_px, [front])
        assert layout.kind == "rack"
        assert members(layout) == set(table.sets), f"seed {seed}"


seeds = st.integers(0, 2**31)


def small_table(seed: int) -> LaidTable:
    rng = np.random.default_rng(seed)
    name = ["near level, a tile apart", "any angle", "sets and stray tiles", "curved rows"][seed % 4]
    return draw_table(rng, name, 0.02, 0.0)


@settings(max_examples=25, deadline=None)
@given(seeds, st.floats(0, 6.3), st.floats(0.2, 5.0), st.floats(-3000, 3000), st.floats(-3000, 3000))
def test_turning_shifting_and_scaling_change_no_set(
    seed: int, angle: float, scale: float, x: float, y: float
) -> None:
    table = small_table(seed)
    turn = np.array([[np.cos(angle), np.sin(angle)], [-np.sin(angle), np.cos(angle)]])
    moved = table.corners_xy_px @ turn * scale + [x, y]
    before, after = read_layout(table.corners_xy_px), read_layout(moved)
    assert members(before) == members(after)


@settings(max_examples=25, deadline=None)
@given(seeds, st.randoms(use_true_random=False))
def test_the_order_of_the_tiles_does_not_matter(seed: int, random: object) -> None:
    table = small_table(seed)
    order = list(range(len(table.corners_xy_px)))
    random.shuffle(order)  # type: ignore[attr-defined]
    before = members(read_layout(table.corners_xy_px))
    after = members(read_layout(table.corners_xy_px[order]))
    assert {tuple(order[tile] for tile in laid) for laid in after} == before


@settings(max_examples=60, deadline=None)
@given(seeds, st.integers(1, 40), st.floats(0.0, 3.0))
def test_every_tile_is_in_exactly_one_set(seed: int, count: int, spread: float) -> None:
    rng = np.random.default_rng(seed)
    poses = np.column_stack([rng.normal(0, 0.1 + spread, (count, 2)), rng.uniform(-4, 4, count)])
    corners = photograph(rng, rectangles(poses, 1.4)) + rng.normal(0, 3.0, (count, 4, 2))
    layout = read_layout(corners, size_wh=(1000, 1000))
    assert sorted(tile for laid in layout.sets for tile in laid.members) == list(range(count))


@pytest.mark.parametrize("quarter", [0, 1, 3])
def test_a_joker_lies_as_its_shape_on_the_plane_tells(quarter: int) -> None:
    """Seen aslant, so that the far row, where the joker lies, looks broader than high."""
    flat = corners_of(row(0, 0, 3), row(-2, 6, 6), row(4, 3, 3))
    depth = 1.0 + 0.002 * (flat[..., 1].max() - flat[..., 1:])
    seen = (np.concatenate([flat[..., :1] - 300, 0.6 * flat[..., 1:]], axis=2) / depth).astype(np.float32)
    jokers = [at == 1 for at in range(len(seen))]
    given = seen.copy()
    given[1] = np.roll(seen[1], quarter, axis=0)
    assert np.array_equal(jokers_upright(given, jokers), seen)


def test_three_sets_in_one_line_seen_from_straight_above_are_whole_tiles() -> None:
    """By sizes alone the table fell away by six percent a tile, and two of the sets were no tiles (co02)."""
    quads = np.array([
        [[295, 607], [345, 605], [350, 676], [300, 679]],
        [[348, 605], [397, 602], [401, 675], [352, 677]],
        [[402, 598], [449, 598], [450, 673], [403, 672]],
        [[989, 621], [1041, 618], [1045, 691], [993, 693]],
        [[1042, 619], [1094, 616], [1097, 689], [1044, 692]],
        [[1095, 614], [1147, 614], [1148, 687], [1097, 688]],
        [[1419, 598], [1471, 600], [1469, 672], [1417, 670]],
        [[1472, 595], [1522, 600], [1520, 672], [1470, 667]],
        [[1523, 603], [1574, 606], [1571, 679], [1519, 676]],
    ], np.float64)  # fmt: skip
    assert not tile_frames(quads).unlike().any()


def test_a_word_laid_sideways_lies_as_the_faces_beside_it() -> None:
    """A joker that is a word from foot to head, in the first row of two sets seen from near and low."""
    seen = np.array([
        [[342, 835], [837, 851], [679, 1483], [175, 1464]],
        [[1422, 834], [1971, 868], [1964, 1544], [1399, 1509]],
        [[877, 837], [1394, 864], [1284, 1517], [757, 1487]],
        [[1248, 162], [1674, 192], [1580, 608], [1147, 574]],
        [[676, 502], [849, 102], [1227, 169], [1055, 574]],
        [[1693, 221], [2156, 259], [2095, 704], [1624, 660]],
        [[456, 60], [828, 90], [636, 477], [263, 440]],
    ], np.float32)  # fmt: skip
    upright = jokers_upright(seen, [at == 4 for at in range(len(seen))])
    assert np.array_equal(upright[4], np.roll(seen[4], -1, axis=0))
    assert np.array_equal(np.delete(upright, 4, axis=0), np.delete(seen, 4, axis=0))


@pytest.mark.parametrize("quarter", [0, 1, 3])
def test_what_looks_square_lies_as_the_face_beside_it(quarter: int) -> None:
    """The corners of what does not read are set badly: 1.05 by 1.14 widths for a tile of 1 by 1.4."""
    seen = corners_of(row(0, 0, 4), row(1, 3, 3)).astype(np.float32)
    middle = seen[1].mean(axis=0)
    square = (seen[1] - middle) * np.array([1.05, 1.14 / HEIGHT], np.float32) + middle
    seen[1] = np.roll(square, quarter, axis=0)
    upright = jokers_upright(seen, [at == 1 for at in range(len(seen))])
    assert upright[1] == pytest.approx(square)


def test_a_joker_beside_tiles_that_lie_across_stays_as_it_lies() -> None:
    seen = corners_of(row(-1.3, 0, 1), row(0, 0, 4, turn_deg=90)).astype(np.float32)
    assert np.array_equal(jokers_upright(seen, [True, False, False, False, False]), seen)
