"""The pool in view, from pictures: a back that is not found is not gone, one that is covered is not taken."""

from __future__ import annotations

from collections.abc import Sequence

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray
from pool_pictures import HEIGHT, HOME, PLACES, WIDTH, look, picture, quad, settled_pool

from vision.readings import Corners
from vision.watch.patches import HomePicture, PatchMemory
from vision.watch.pool import PoolKeeper
from vision.watch.pool_moves import pushed_out
from vision.watch.tracks import Fate


@pytest.fixture
def pool() -> PoolKeeper:
    return settled_pool()


def test_backs_that_the_finder_misses_are_still_there(pool: PoolKeeper) -> None:
    for missed in (3, 7, 11):
        assert look(pool, picture(PLACES), [p for k, p in enumerate(PLACES) if k != missed]) == (18, 0)


def test_a_place_that_looks_as_before_is_not_asked_about_where_its_back_was_not_found(pool: PoolKeeper) -> None:
    """On a checked cloth the finder sees now these and now those squares, fifty at a time."""
    asked: list[int] = []

    def fate_of(homes: Sequence[Corners]) -> list[Fate]:
        asked.append(len(homes))
        return ["covered"] * len(homes)

    pool.update([quad(place) for place in PLACES[:9]], fate_of, HomePicture(picture(PLACES), HOME))
    assert (pool.count, pool.taken, asked) == (18, 0, [])


def test_a_back_that_a_moved_camera_no_longer_shows_is_not_taken() -> None:
    """What lies beyond the picture's border looks like anything."""
    keeper, aside = PoolKeeper(), [(x - 80, y) for x, y in PLACES]
    way = np.array([[1, 0, -80], [0, 1, 0], [0, 0, 1]], np.float64)
    for _ in range(2):
        look(keeper, picture(PLACES), PLACES)
    in_view = [quad(place) for place, moved in zip(PLACES, aside, strict=True) if moved[0] >= 0]
    for _ in range(3):
        image = picture(aside)
        image[:, :8] = (60, 90, 50)  # beyond the border it goes on like that
        shown = HomePicture(image, way)
        keeper.update(in_view, lambda homes: ["unsure"] * len(homes), shown)
    assert (keeper.count, keeper.taken) == (18, 0)


def test_a_back_that_the_border_just_cuts_is_still_seen_to_go() -> None:
    keeper, way = PoolKeeper(), np.array([[1, 0, -62], [0, 1, 0], [0, 0, 1]], np.float64)
    aside = [(x - 62, y) for x, y in PLACES]
    for _ in range(2):
        keeper.update(
            [quad(p) for p in PLACES], lambda homes: ["covered"] * len(homes), HomePicture(picture(aside), way)
        )
    rest = HomePicture(picture(aside[1:]), way)
    for _ in range(2):
        keeper.update([quad(p) for p in PLACES[1:]], lambda homes: ["bare"] * len(homes), rest)
    assert (keeper.count, keeper.taken) == (17, 1)


def test_a_back_that_went_is_taken_once_two_looks_say_so(pool: PoolKeeper) -> None:
    rest = PLACES[:5] + PLACES[6:]
    assert look(pool, picture(rest), rest) == (18, 0)
    assert pool.unsure
    assert look(pool, picture(rest), rest) == (17, 1)
    assert not pool.unsure


def test_one_that_was_found_only_later_does_not_make_up_for_one_that_went() -> None:
    pool = PoolKeeper()
    for _ in range(2):
        look(pool, picture(PLACES), PLACES[:-1])
    rest = PLACES[1:]
    for _ in range(3):
        look(pool, picture(rest), rest)
    assert pool.taken == 1


def test_what_a_hand_covers_is_not_taken(pool: PoolKeeper) -> None:
    image = picture(PLACES)
    cv2.rectangle(image, (150, 40), (300, 200), (120, 150, 190), cv2.FILLED)
    shown = [p for p in PLACES if not (120 < p[0] < 300 and p[1] < 200)]
    for _ in range(3):
        look(pool, image, shown)
    assert pool.taken == 0
    assert look(pool, picture(PLACES), PLACES) == (18, 0)


def test_a_back_that_is_pushed_aside_is_not_taken(pool: PoolKeeper) -> None:
    aside = [*PLACES[:-1], (PLACES[-1][0] + 25, PLACES[-1][1] + 20)]
    for _ in range(3):
        look(pool, picture(aside), aside)
    assert pool.taken == 0


def test_other_light_takes_nothing(pool: PoolKeeper) -> None:
    for gain in (0.8, 0.6, 1.1):
        look(pool, picture(PLACES, gain), PLACES[::2])
    assert pool.taken == 0


BLOCK = [(60 + WIDTH * column, 60 + HEIGHT * row) for row in range(4) for column in range(5)]
"""Edge to edge."""


def looks(
    keeper: PoolKeeper, times: int, image: NDArray[np.uint8], found: list[tuple[int, int]]
) -> tuple[int, int]:
    """Look so many times; return what is counted and taken after the last."""
    return [look(keeper, image, found) for _ in range(times)][-1]


def sleeve_over_block(x: int, y: int) -> NDArray[np.uint8]:
    """A close block of which everything right of ``x`` and below ``y`` is covered."""
    image = picture(BLOCK)
    cv2.rectangle(image, (x, y), (330, 240), (120, 150, 190), cv2.FILLED)
    return image


def test_backs_of_a_close_block_that_the_finder_never_saw_are_there_and_are_missed_when_taken() -> None:
    keeper = PoolKeeper()
    shown = [place for k, place in enumerate(BLOCK) if k not in (6, 7, 13, 19)]
    assert looks(keeper, 3, picture(BLOCK), shown) == (20, 0)
    assert looks(keeper, 2, picture(BLOCK[:19]), shown) == (19, 1)


def test_first_looks_that_show_more_and_more_of_a_pool_ask_for_another_one() -> None:
    keeper = PoolKeeper()
    for shown in (PLACES[:6], PLACES[:12], PLACES):
        look(keeper, picture(PLACES), shown)
        assert keeper.learning
    look(keeper, picture(PLACES), PLACES)
    assert not keeper.learning, "nothing new was seen"
    more = [(x, y + 300) for x, y in PLACES]
    for at in range(6):
        look(keeper, picture(PLACES), [*PLACES, *more[: at + 1]])
    assert not keeper.learning, "a pool that is known is not learnt for ever"


def test_a_table_that_looks_like_the_backs_is_no_pool() -> None:
    keeper = PoolKeeper()
    image = np.full((300, 400, 3), (200, 215, 220), np.uint8)
    for _ in range(3):
        assert look(keeper, image, BLOCK[:6])[0] <= 6


def test_a_sleeve_over_a_block_is_no_back() -> None:
    keeper = PoolKeeper()
    looks(keeper, 3, picture(BLOCK), BLOCK)
    looks(keeper, 2, sleeve_over_block(150, 40), [place for place in BLOCK if place[0] + WIDTH <= 150])
    assert looks(keeper, 3, picture(BLOCK), BLOCK) == (20, 0)


def test_what_looked_like_a_back_in_one_look_is_not_taken() -> None:
    keeper = PoolKeeper()
    looks(keeper, 3, picture(BLOCK), BLOCK)
    beside = (BLOCK[4][0] + WIDTH, BLOCK[4][1])
    look(keeper, picture([*BLOCK, beside]), BLOCK)
    assert looks(keeper, 3, picture(BLOCK), BLOCK) == (20, 0)


def test_a_hand_over_backs_that_were_never_found_leaves_them_there() -> None:
    keeper = PoolKeeper()
    shown = [place for k, place in enumerate(BLOCK) if k not in (6, 7, 13)]
    looks(keeper, 8, picture(BLOCK), shown)
    beside = [place for place in shown if place[1] + HEIGHT <= 100]
    for _ in range(2):
        assert look(keeper, sleeve_over_block(40, 90), beside) == (20, 0)
    assert look(keeper, picture(BLOCK), shown) == (20, 0)


def test_two_tiles_taken_from_side_by_side_have_gone_and_a_sleeve_over_both_hides_them() -> None:
    """Each is a part of what lies around the other, so half of that may change on bare ground."""
    pair = [(120, 120), (120 + WIDTH, 120)]
    homes = [quad(place) for place in pair]
    memory = PatchMemory()
    memory.see(homes, HomePicture(picture(pair), HOME))
    memory.keep(homes)
    bare = picture([])
    sleeve = bare.copy()
    sleeve[80:220, 90:230] = (70, 80, 60)
    for image, gone in ((bare, True), (sleeve, False)):
        memory.see([], HomePicture(image, HOME))
        assert [memory.gone(home, HomePicture(image, HOME), like_ground=True) for home in homes] == [gone] * 2
        memory.keep(homes)


@pytest.mark.parametrize(("mug", "gone"), [(False, True), (True, False)])
def test_a_mug_as_grey_as_the_table_that_came_to_stand_over_a_tile_has_not_taken_it(
    mug: bool, gone: bool
) -> None:
    """It differs little from the table around the tile; what is bare there is just as it was."""
    home = quad((120, 120))
    memory = PatchMemory()
    memory.see([home], HomePicture(picture([(120, 120)]), HOME))
    memory.keep([home])
    image = picture([])
    if mug:
        over = image[60:200, 60 : 120 + WIDTH]
        over[:] = np.clip(over.astype(int) + 35, 0, 255)
    memory.see([], HomePicture(image, HOME))
    assert memory.gone(home, HomePicture(image, HOME), beside=True) is gone
    assert memory.gone(home, HomePicture(image, HOME))


def test_a_drawn_tile_that_one_look_sees_carried_past_is_drawn_once() -> None:
    """A second one gone would be no draw (o01)."""
    pool, lying, past = PoolKeeper(), [place for place in PLACES if place[0] < 120], (350, 240)
    for _ in range(2):
        look(pool, picture(lying), lying)
    left = lying[1:]
    look(pool, picture([*left, past]), [*left, past])
    assert [look(pool, picture(left), left)[1] for _ in range(3)] == [1, 1, 1]


@pytest.mark.parametrize("nudge", [8, 10, 12, 16, 20])
def test_a_back_that_is_nudged_aside_is_not_taken(pool: PoolKeeper, nudge: int) -> None:
    """About half its width: it is found again, and cloth shows where a part of it lay."""
    moved = [(PLACES[0][0] - nudge, PLACES[0][1]), *PLACES[1:]]
    for _ in range(3):
        assert look(pool, picture(moved), moved) == (len(PLACES), 0)


@pytest.mark.parametrize("nudge", [14, 16, 20])
def test_a_back_that_is_nudged_and_shows_no_gap_is_one_back_not_two(nudge: int) -> None:
    """White on white: its old place looks as it did (m01, made small)."""
    pale, pool = [PLACES[0], *PLACES[3:]], PoolKeeper()

    def see(found: list[tuple[int, int]]) -> tuple[int, int]:
        image = np.full((300, 400, 3), 205, np.uint8)
        homes = [quad(place) for place in found]
        pool.update(homes, lambda lost: ["covered"] * len(lost), HomePicture(image, HOME))
        return pool.count or 0, pool.taken

    for _ in range(4):
        see(pale)
    for _ in range(3):
        assert see([(PLACES[0][0] - nudge, PLACES[0][1]), *pale[1:]]) == (len(pale), 0)


def with_seams(lying: list[tuple[int, int]]) -> NDArray[np.uint8]:
    """The same block on a pale table, with dark seams between its backs, as light from one side shows them."""
    image = picture(lying)
    for x, y in BLOCK:
        if (x, y) not in lying:
            cv2.rectangle(image, (x, y), (x + WIDTH, y + HEIGHT), (165, 180, 185), cv2.FILLED)
        cv2.rectangle(image, (x, y), (x + WIDTH, y + HEIGHT), (120, 130, 125), 4)
    return image


@pytest.mark.parametrize("at", [0, 7, 19])
@pytest.mark.parametrize("off", [(0, 0), (9, -10), (-8, 9)])
def test_a_find_over_the_gap_of_a_drawn_back_hides_no_draw(at: int, off: tuple[int, int]) -> None:
    """The gap in a close block has the outline of a tile, a little off at times, and is found as one."""
    pool = PoolKeeper()
    left = [place for place in BLOCK if place != BLOCK[at]]

    def see(found: list[tuple[int, int]], lying: list[tuple[int, int]]) -> None:
        pool.update(
            [quad(place) for place in found],
            lambda homes: ["bare"] * len(homes),
            HomePicture(with_seams(lying), HOME),
        )

    for _ in range(5):
        see(BLOCK, BLOCK)
    gap = (BLOCK[at][0] + off[0], BLOCK[at][1] + off[1])
    for _ in range(3):
        see([*left, gap], left)
    assert (pool.count, pool.taken) == (len(BLOCK) - 1, 1)


def test_what_looks_like_a_back_far_from_all_that_are_found_is_none() -> None:
    """Guesses begin at what is found in a row; a tile on a rack is alone."""
    rack = [(330, 60 + HEIGHT * row) for row in range(4)]
    keeper = PoolKeeper()
    assert looks(keeper, 3, picture([*BLOCK, *rack]), [*BLOCK, rack[0]]) == (21, 0)
    assert looks(keeper, 3, picture([*BLOCK, *rack[1:]]), BLOCK) == (20, 1)


def test_a_back_whose_place_lies_bare_is_taken_though_something_new_stands_around_it(pool: PoolKeeper) -> None:
    image = picture(PLACES[:-1])
    x, y = PLACES[-1]
    bare = image[y - 1 : y + HEIGHT + 1, x - 1 : x + WIDTH + 1].copy()
    cv2.rectangle(image, (x - 12, y - 18), (x + 60, y + 70), (40, 30, 150), cv2.FILLED)
    image[y - 1 : y + HEIGHT + 1, x - 1 : x + WIDTH + 1] = bare
    for _ in range(2):
        pool.update(
            [quad(place) for place in PLACES[:-1]],
            lambda homes: ["bare"] * len(homes),
            HomePicture(image, HOME),
        )
    assert (pool.count, pool.taken) == (17, 1)


def test_a_table_that_a_bright_light_makes_look_like_backs_adds_none(pool: PoolKeeper) -> None:
    for _ in range(5):
        look(pool, picture(PLACES), PLACES)
    glaring = picture(PLACES)
    glaring[:, 316:] = picture(PLACES)[70:71, 70:71]
    for _ in range(3):
        assert look(pool, glaring, PLACES) == (18, 0)
    assert look(pool, picture(PLACES[1:]), PLACES[1:])[0] == 18
    assert look(pool, picture(PLACES[1:]), PLACES[1:]) == (17, 1)


def test_a_draw_in_dim_light_is_seen_and_a_gap_stays_one() -> None:
    """A lamp goes out: what backs and table differ by is halved, and is as telling as before."""

    def dim(places: list[tuple[int, int]], gain: float) -> NDArray[np.uint8]:
        image = np.full((300, 400, 3), (119, 120, 126), np.float32)
        for x, y in places:
            cv2.rectangle(image, (x, y), (x + WIDTH, y + HEIGHT), (135, 142, 145), cv2.FILLED)
        noise = np.random.default_rng(len(places)).normal(0, 1, image.shape)
        return np.asarray(np.clip(image * gain + noise, 0, 255), np.uint8)

    keeper, left = PoolKeeper(), BLOCK[:14] + BLOCK[15:]
    assert looks(keeper, 3, dim(BLOCK, 1.0), BLOCK) == (20, 0)
    assert looks(keeper, 3, dim(left, 1.0), left) == (19, 1)
    assert looks(keeper, 3, dim(left, 0.5), left) == (19, 1)
    assert looks(keeper, 2, dim(left[1:], 0.5), left[1:]) == (18, 2)


def test_a_white_back_drawn_from_a_pale_cloth_is_seen_to_go() -> None:
    def pale(places: list[tuple[int, int]]) -> NDArray[np.uint8]:
        image = np.full((300, 400, 3), (203, 202, 200), np.float32)
        for x, y in places:
            cv2.rectangle(image, (x, y), (x + WIDTH, y + HEIGHT), (216, 215, 213), cv2.FILLED)
        noise = np.random.default_rng(len(places)).normal(0, 2, image.shape)
        return np.asarray(np.clip(image + noise, 0, 255), np.uint8)

    keeper = PoolKeeper()
    assert looks(keeper, 3, pale(PLACES), PLACES) == (18, 0)
    assert looks(keeper, 2, pale(PLACES[1:]), PLACES[1:]) == (17, 1)


def test_more_backs_pushed_aside_than_ever_go_at_once_are_not_taken_and_a_draw_among_them_is(
    pool: PoolKeeper,
) -> None:
    """A hand makes its way through a heap (composer W's w02)."""
    pushed = (12, 13, 14, 16)
    lying = [(x, y + 45) if k in pushed else (x, y) for k, (x, y) in enumerate(PLACES) if k != 3]
    looks(pool, 2, picture(lying), lying)
    assert (pool.count, pool.taken) == (17, 1)


def test_a_pool_that_is_pushed_together_has_lost_nothing(pool: PoolKeeper) -> None:
    """Both hands swept it up, one back lay far from where it had lain, and a play was asked about (bb03)."""
    looks(pool, 8, picture(PLACES), PLACES)
    swept = [(x + 290, y) if x == 60 else (x, y + 75) if y == 180 and x < 240 else (x, y) for x, y in PLACES]
    swept = [(x, y + 30) if y == 120 and x in (150, 195) else (x, y) for x, y in swept]
    looks(pool, 3, picture(swept), swept)
    assert (pool.count, pool.taken) == (18, 0)


@pytest.mark.parametrize(("off_px", "out"), [(6, 0), (12, 1), (36, 2)])
def test_a_back_that_is_pushed_to_where_none_lay_was_under_none(off_px: int, out: int) -> None:
    """One alone tells that the pool was only stirred (cj01); of those that are nudged it takes two."""
    assert pushed_out([quad((285 + off_px, 180))], [quad(place) for place in PLACES]) == out


def test_a_row_of_the_pool_that_is_closed_up_has_lost_nothing(pool: PoolKeeper) -> None:
    """Two of its backs went farther than anything that is nudged (ci03)."""
    looks(pool, 8, picture(PLACES), PLACES)
    closed = [(x - 225, y + 50) if y == 180 and x >= 240 else (x, y) for x, y in PLACES]
    looks(pool, 3, picture(closed), closed)
    assert (pool.count, pool.taken) == (18, 0)


def test_a_long_row_that_slid_on_by_one_to_close_a_gap_has_lost_nothing() -> None:
    """Each came to lie where the next one had lain: one end seemed to go, farther than any is pushed (co02)."""
    places = [(60 + 31 * column, 60 + 42 * row) for row in range(3) for column in range(8)]
    keeper = PoolKeeper()
    looks(keeper, 8, picture(places), places)
    drawn = [place for place in places if place != (60 + 31 * 6, 144)]
    looks(keeper, 2, picture(drawn), drawn)
    assert keeper.taken == 1
    closed = [place for place in places if place != (60, 144)]
    looks(keeper, 3, picture(closed), closed)
    assert (keeper.count, keeper.taken) == (23, 1)


@pytest.mark.parametrize("column", [0, 3])
def test_a_back_drawn_from_a_row_at_whose_end_another_is_put_down_was_taken(column: int) -> None:
    places = [(60 + 31 * at, 60 + 42 * row) for row in range(3) for at in range(8)]
    keeper = PoolKeeper()
    looks(keeper, 8, picture(places), places)
    lying = [place for place in places if place != (60 + 31 * column, 60)] + [(60 + 31 * 8, 60)]
    looks(keeper, 3, picture(lying), lying)
    assert (keeper.count, keeper.taken) == (24, 1)


def test_a_back_that_goes_after_another_was_put_down_beside_it_was_taken(pool: PoolKeeper) -> None:
    fewer = [place for place in PLACES if place != PLACES[8]]
    looks(pool, 3, picture(fewer), fewer)
    look(pool, picture(PLACES), PLACES)
    fewer = [place for place in PLACES if place != PLACES[9]]
    looks(pool, 3, picture(fewer), fewer)
    assert (pool.count, pool.taken) == (17, 2)


def test_a_pool_of_which_one_look_finds_nothing_is_still_there(pool: PoolKeeper) -> None:
    looks(pool, 2, picture([]), [])
    assert looks(pool, 2, picture(PLACES), PLACES) == (18, 0)


@pytest.mark.parametrize("drawn", [0, 8])
def test_a_back_that_goes_after_the_first_look_of_all_was_taken(drawn: int) -> None:
    keeper, fewer = PoolKeeper(), [place for place in PLACES if place != PLACES[drawn]]
    look(keeper, picture(PLACES), PLACES)
    looks(keeper, 3, picture(fewer), fewer)
    assert (keeper.count, keeper.taken) == (17, 1)


def test_a_back_that_was_seen_to_come_before_it_was_seen_to_have_left_was_pushed(pool: PoolKeeper) -> None:
    """A row closed up by one: where it had lain something as pale still lay in the first look (co02)."""
    looks(pool, 8, picture(PLACES), PLACES)
    drawn = [place for place in PLACES if place != (105, 180)]
    looks(pool, 2, picture(drawn), drawn)
    assert pool.taken == 1
    closed = [(x + 45, y) if y == 180 and x < 105 else (x, y) for x, y in drawn]
    look(pool, picture([*closed, (60, 180)]), closed)
    looks(pool, 3, picture(closed), closed)
    assert (pool.count, pool.taken) == (17, 1)


def test_backs_that_went_nowhere_hide_no_later_draw(pool: PoolKeeper) -> None:
    """So many went at once that none is told of: they are no backs any more, and the next draw counts."""
    lying = PLACES[5:]
    for _ in range(5):
        look(pool, picture(lying), lying)
    assert (pool.count, pool.taken) == (13, 0)
    looks(pool, 2, picture(lying[1:]), lying[1:])
    assert (pool.count, pool.taken) == (12, 1)


def test_a_back_that_lay_half_under_one_that_is_drawn_is_still_there() -> None:
    """The finder misses it from then on."""
    under, over = (60, 60), (76, 60)
    lying = [under, over, *PLACES[6:]]
    shaded = picture(lying)
    shaded[60:100, 60:76] = (shaded[60:100, 60:76] * 0.93).astype(np.uint8)
    keeper = PoolKeeper()
    for _ in range(3):
        look(keeper, shaded, lying)
    for _ in range(2):
        look(keeper, picture([under, *PLACES[6:]]), PLACES[6:])
    assert (keeper.count, keeper.taken) == (13, 1)


def test_one_that_was_pushed_under_another_is_not_taken_with_the_one_that_was(pool: PoolKeeper) -> None:
    """A hand pushes a heap about and takes one: another one is not found any more (composer Y's y03)."""
    lying = [(x, y + 45) if k in (14, 15) else (x, y) for k, (x, y) in enumerate(PLACES) if k not in (13, 16)]
    looks(pool, 3, picture(lying), lying)
    assert (pool.count, pool.taken) == (16, 1)


def test_a_draw_right_before_or_after_too_many_went_counts(pool: PoolKeeper) -> None:
    """Nothing is concluded while the crowd is waited for, and nothing is forgotten of the one."""
    look(pool, picture(PLACES[1:]), PLACES[1:])
    looks(pool, 5, picture(PLACES[5:]), PLACES[5:])
    assert (pool.count, pool.taken) == (13, 1)
    after = PoolKeeper()
    looks(after, 2, picture(PLACES), PLACES)
    look(after, picture(PLACES[4:]), PLACES[4:])
    looks(after, 5, picture(PLACES[5:]), PLACES[5:])
    assert (after.count, after.taken) == (13, 1)


def test_nothing_is_guessed_to_lie_beside_backs_that_are_scattered() -> None:
    """A pale stripe of the cloth beside one of them looks as they do in the dusk (bo03)."""
    middles = [(60 + 80 * (at % 4), 60 + 80 * (at // 4)) for at in range(12)]
    scattered = [
        np.array(cv2.boxPoints((middle, (WIDTH, HEIGHT), 37.0 * at)), np.float32)
        for at, middle in enumerate(middles)
    ]
    stripe = scattered[5] + (scattered[5][1] - scattered[5][0])
    image = np.full((300, 400, 3), (60, 90, 50), np.uint8)
    for pale in (*scattered, stripe):
        cv2.fillConvexPoly(image, np.round(pale).astype(np.int32), (200, 215, 220))
    keeper = PoolKeeper()
    for _ in range(3):
        keeper.update(scattered, lambda homes: ["covered"] * len(homes), HomePicture(image, HOME))
    assert keeper.count == 12


def test_no_more_backs_are_guessed_than_a_pool_can_have() -> None:
    """The finder sees all of a block beside a place that looks like another one of its backs (bp03)."""
    lying = [*BLOCK, (BLOCK[-1][0] + WIDTH, BLOCK[-1][1])]
    assert [looks(PoolKeeper(whole), 3, picture(lying), BLOCK)[0] for whole in (None, len(BLOCK))] == [
        len(lying),
        len(BLOCK),
    ]


@pytest.mark.parametrize(("found_again", "taken"), [(True, 1), (False, 0)])
def test_what_was_found_in_the_first_look_alone_is_no_back_that_goes(found_again: bool, taken: int) -> None:
    """An edge in a heap; as the camera was knocked it looked otherwise (composer BT's bt02)."""
    pool = PoolKeeper()
    rest = PLACES[:7] + PLACES[8:]
    look(pool, picture(PLACES), PLACES)
    for _ in range(8):
        look(pool, picture(PLACES), PLACES if found_again else rest)
    for _ in range(2):
        seen = look(pool, picture(rest), rest)
    assert seen[1] == taken
