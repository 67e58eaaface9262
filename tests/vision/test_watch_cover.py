"""Hidden or gone: the ground where a tile lay, whatever the light, is not a hand."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from vision.watch.cover import Ground
from vision.watch.cover_place import Cover

SIZE_WH = (640, 360)
TILE_WH = (24, 33)
HOME = np.eye(3)
GROUNDS = {"wood": (90, 130, 175), "felt": (60, 95, 35), "grey": (150, 150, 150), "black": (34, 32, 32)}
SKIN = {"fair": (150, 175, 225), "dark": (50, 70, 110)}
SLEEVE = (140, 50, 30)


def bare_table(name: str) -> np.ndarray:
    """A table of one colour with grain, float32 BGR."""
    rng = np.random.default_rng(4)
    grain = cv2.GaussianBlur(rng.normal(0, 1, SIZE_WH[::-1]).astype(np.float32), (0, 0), 8, sigmaY=1.5)
    return np.float32(GROUNDS[name]) * (1 + 0.06 * grain / grain.std())[..., None]


def quads(count: int = 12) -> list[np.ndarray]:
    """Two rows of tiles."""
    found = []
    for k in range(count):
        x, y = 200 + 26 * (k % 6), 110 + 90 * (k // 6)
        found.append(np.float32([[0, 0], [1, 0], [1, 1], [0, 1]]) * TILE_WH + [x, y])
    return found


def lay(picture: np.ndarray, places: list[np.ndarray], figure: bool = True) -> np.ndarray:
    """Lay tiles, or blank ones, each with its shadow."""
    picture = picture.copy()
    shade = np.zeros(SIZE_WH[::-1], np.float32)
    for quad in places:
        cv2.fillConvexPoly(shade, np.round((quad + 2) * 16).astype(np.int32), 1, cv2.LINE_AA, 4)
    picture *= (1 - 0.3 * cv2.GaussianBlur(shade, (0, 0), 1.5))[..., None]
    for quad in places:
        cv2.fillConvexPoly(picture, np.round(quad * 16).astype(np.int32), (205, 220, 226), cv2.LINE_AA, 4)
        if figure:
            low = quad[0] + [7, 8]
            mark = (int(low[0]), int(low[1])), (int(low[0]) + 9, int(low[1]) + 14)
            cv2.rectangle(picture, *mark, (40, 40, 200), 3)
    return picture


def reach_in(picture: np.ndarray, tip_xy: tuple[float, float], skin: str) -> np.ndarray:
    """An arm from below: a hand over ``tip_xy``, a sleeve behind it."""
    x, y = tip_xy
    picture = picture.copy()
    hand = np.array([[x - 30, y - 25], [x + 30, y - 25], [x + 45, y + 70], [x - 25, y + 70]])
    arm = np.array([[x - 32, y + 65], [x + 52, y + 65], [x + 80, y + 400], [x - 10, y + 400]])
    for outline, colour in ((hand, SKIN[skin]), (arm, SLEEVE)):
        mask = np.zeros(SIZE_WH[::-1], np.float32)
        cv2.fillConvexPoly(mask, np.round(outline * 16).astype(np.int32), 1, cv2.LINE_AA, 4)
        round_ = (0.75 + 0.3 * cv2.GaussianBlur(mask, (0, 0), 8))[..., None]
        picture = picture * (1 - mask[..., None]) + np.float32(colour) * round_ * mask[..., None]
    return picture


def shoot(picture: np.ndarray, seed: int = 0, gain: float | np.ndarray = 1.0) -> np.ndarray:
    noise = np.random.default_rng(seed).normal(0, 2, picture.shape[:2])[..., None]
    return np.clip(np.round(cv2.GaussianBlur(picture * gain, (0, 0), 0.7) + noise), 0, 255).astype(np.uint8)


def learnt(name: str, seen_bare: bool) -> Ground:
    """A ground that has seen the table with its tiles, and before that, if told so, without."""
    ground = Ground()
    table = bare_table(name)
    for k in range(3):
        if seen_bare:
            ground.learn(shoot(table, k), [], HOME)
    for k in range(3):
        ground.learn(shoot(lay(table, quads()), 10 + k), quads(), HOME)
    return ground


def shadow() -> np.ndarray:
    x = np.arange(SIZE_WH[0])
    return (1 - 0.45 * np.exp(-(((x - 240) / 90) ** 2)))[None, :, None]


def lamp() -> np.ndarray:
    """Warm light over a part of the table, out to its border (n04)."""
    x, y = np.meshgrid(np.arange(SIZE_WH[0]), np.arange(SIZE_WH[1]))
    spot = np.exp(-((x - 200) ** 2 + (y - 60) ** 2) / (2 * 110**2))[..., None]
    return 1 + spot * np.array([0.25, 0.55, 0.75])


LIGHTS = {
    "as before": 1.0,
    "darker": 0.65,
    "brighter": 1.25,
    "in a soft shadow": shadow(),
    "under a lamp": lamp(),
}


def kinds(covers: list[Cover]) -> list[str]:
    return [cover.kind for cover in covers]


@pytest.mark.parametrize("seen_bare", [True, False])
@pytest.mark.parametrize("light", LIGHTS)
@pytest.mark.parametrize("name", GROUNDS)
def test_a_tile_that_was_taken_away_leaves_bare_ground(name, light, seen_bare):
    ground = learnt(name, seen_bare)
    gone, left = quads()[::4], [quad for k, quad in enumerate(quads()) if k % 4]
    image = shoot(lay(bare_table(name), left), 20, LIGHTS[light])
    covers = ground.look(image, gone, left, HOME)
    assert kinds(covers) == ["bare"] * 3
    assert not ground.occluders(image, left, HOME).mask.any()


@pytest.mark.parametrize("light", LIGHTS)
@pytest.mark.parametrize("aside", [24, 25])
@pytest.mark.parametrize("name", GROUNDS)
def test_so_does_one_beside_ground_that_was_never_seen(name, aside, light):
    """A tile that was put back for a fault was taken for hidden for half a minute (cf03)."""
    ground, table = learnt(name, seen_bare=False), bare_table(name)
    left, place = quads()[:5], quads()[5] + np.float32([aside, 0])
    ground.learn(shoot(lay(table, [*left, place]), 20), [*left, place], HOME)
    image = shoot(lay(table, left), 21, LIGHTS[light])
    assert kinds(ground.look(image, [place], left, HOME)) == ["bare"]


@pytest.mark.parametrize("light", ["as before", "under a lamp"])
@pytest.mark.parametrize("seen_bare", [True, False])
@pytest.mark.parametrize("skin", SKIN)
@pytest.mark.parametrize("name", GROUNDS)
def test_a_hand_that_rests_hides_and_reaches_in(name, skin, seen_bare, light):
    ground = learnt(name, seen_bare)
    places = quads()
    tip = places[8].mean(axis=0)
    image = shoot(reach_in(lay(bare_table(name), places), (tip[0], tip[1]), skin), 20, LIGHTS[light])
    seen = [quad for k, quad in enumerate(places) if k < 6]
    assert ground.look(image, [places[8]], seen, HOME)[0].kind == "covered"
    over = ground.occluders(image, seen, HOME)
    assert over.reaching_in
    assert 0.04 < over.share < 0.25


@pytest.mark.parametrize(("keeps_grain", "reaches_in"), [(True, False), (False, True)])
def test_another_colour_with_an_edge_is_no_arm_where_the_ground_shows_its_grain(keeps_grain, reaches_in):
    """A film that is packed tightly loses the colours of dark places, block by block (composer AJ's aj01)."""
    ground, table = learnt("wood", True), lay(bare_table("wood"), quads())
    block = (slice(0, 110), slice(20, 130))
    seen = table[block] if keeps_grain else table[block].mean(axis=(0, 1))
    table[block] = seen * np.float32([1.25, 1.0, 0.85])
    over = ground.occluders(shoot(table, 20), quads(), HOME)
    assert over.reaching_in is reaches_in


@pytest.mark.parametrize("at_border", [False, True])
def test_a_mat_under_the_tiles_is_ground_from_the_first_picture_on(at_border: bool) -> None:
    """A board of green felt on grey marble was no ground, and what was taken back from it stayed (bh02)."""
    table, mat = bare_table("grey"), bare_table("felt")
    on_mat = np.zeros(SIZE_WH[::-1], np.uint8)
    if at_border:
        cv2.rectangle(on_mat, (150, 60), (430, SIZE_WH[1]), 1, cv2.FILLED)
    else:
        cv2.ellipse(on_mat, (290, 180), (150, 110), 0, 0, 360, 1, cv2.FILLED)
    scene = np.where(on_mat[..., None] > 0, mat, table)
    ground = Ground()
    for k in range(3):
        ground.learn(shoot(lay(scene, quads()), k), quads(), HOME)
    told = ground.look(shoot(lay(scene, quads()[2:]), 9), quads()[:2], quads()[2:], HOME)
    assert [cover.foreign_share for cover in told] == [0.0, 0.0]
    assert "covered" not in kinds(told)


def test_a_table_with_a_wooden_rim_all_around_is_ground() -> None:
    """What goes round the table, and differs from it, was an arm over all of it (cb01)."""
    scene = np.broadcast_to(np.float32([45, 60, 95]), (*SIZE_WH[::-1], 3)).copy()
    scene[14:-14, 14:-14] = bare_table("grey")[14:-14, 14:-14]
    ground = Ground()
    for k in range(3):
        ground.learn(shoot(lay(scene, quads()), k), quads(), HOME)
    told = ground.look(shoot(lay(scene, quads()[2:]), 9), quads()[:2], quads()[2:], HOME)
    assert [cover.foreign_share for cover in told] == [0.0, 0.0]
    hand = shoot(reach_in(lay(scene, quads()[2:]), (226, 125), "fair"), 9)
    assert kinds(ground.look(hand, quads()[:2], quads()[2:], HOME)) == ["covered"] * 2


def test_a_mug_stands_and_does_not_reach_in():
    ground = learnt("wood", True)
    places = quads()
    picture = lay(bare_table("wood"), places)
    middle = tuple(int(v) for v in places[8].mean(axis=0))
    cv2.circle(picture, middle, 34, (190, 120, 60), -1)
    cv2.circle(picture, middle, 26, (25, 35, 50), -1)
    seen = [quad for quad in places if np.linalg.norm(quad.mean(axis=0) - middle) > 60]
    image = shoot(picture)
    assert ground.look(image, [places[8]], seen, HOME)[0].kind == "covered"
    over = ground.occluders(image, seen, HOME)
    assert over.standing
    assert not over.reaching_in


def test_a_mug_that_stays_long_never_becomes_bare_ground():
    ground = learnt("wood", False)
    places = quads()
    picture = lay(bare_table("wood"), places)
    middle = tuple(int(v) for v in places[8].mean(axis=0))
    cv2.circle(picture, middle, 34, (190, 120, 60), -1)
    seen = [quad for quad in places if np.linalg.norm(quad.mean(axis=0) - middle) > 60]
    for k in range(40):
        ground.learn(shoot(picture, k), seen, HOME)
    assert ground.look(shoot(picture, 50), [places[8]], seen, HOME)[0].kind == "covered"
    assert not ground.occluders(shoot(picture, 51), seen, HOME).standing, "it is part of the scene by now"


def test_paper_over_tiles_hides_them():
    ground = learnt("felt", True)
    places = quads()
    picture = lay(bare_table("felt"), places)
    cv2.rectangle(picture, (180, 180), (400, 260), (240, 242, 240), -1)
    assert set(kinds(ground.look(shoot(picture), places[6:], places[:6], HOME))) == {"covered"}


@pytest.mark.parametrize("name", ["wood", "felt", "black"])
def test_a_blank_tile_in_the_place_is_called_a_tile(name):
    ground = learnt(name, True)
    places = quads()
    picture = lay(lay(bare_table(name), places[1:]), places[:1], figure=False)
    assert kinds(ground.look(shoot(picture), places[:1], places[1:], HOME)) == ["tile"]


def test_a_tile_that_the_finder_missed_is_not_learnt_as_ground():
    ground = learnt("wood", False)
    places = quads()
    image = shoot(lay(bare_table("wood"), places), 30)
    for _ in range(20):
        ground.learn(image, places[1:], HOME)
    assert kinds(ground.look(image, places[:1], places[1:], HOME)) == ["tile"]


def test_a_hand_in_the_first_pictures_is_forgotten_when_it_has_left():
    ground = Ground()
    table = bare_table("wood")
    ground.learn(shoot(reach_in(lay(table, quads()), (500, 200), "dark"), 1), quads(), HOME)
    for k in range(4):
        ground.learn(shoot(lay(table, quads()), 2 + k), quads(), HOME)
    assert not ground.occluders(shoot(lay(table, quads()), 9), quads(), HOME).mask.any()
    hand = reach_in(lay(table, quads()), (500, 200), "dark")
    assert ground.occluders(shoot(hand, 9), quads(), HOME).reaching_in


def test_a_camera_that_was_turned_is_no_reason_to_see_things():
    ground = learnt("wood", True)
    turn = np.vstack([cv2.getRotationMatrix2D((320, 180), 4, 1.0), [0, 0, 1]])
    turn[:2, 2] += [9, -6]
    scene = lay(bare_table("wood"), quads()[1:])
    picture = cv2.warpPerspective(scene, turn, SIZE_WH, borderMode=cv2.BORDER_REFLECT)
    there = [cv2.perspectiveTransform(quad[None], turn)[0] for quad in quads()]
    to_home = np.linalg.inv(turn)
    image = shoot(picture)
    assert kinds(ground.look(image, there[:1], there[1:], to_home)) == ["bare"]
    assert not ground.occluders(image, there[1:], to_home).mask.any()
    assert ground.occluders(shoot(reach_in(picture, (330, 240), "dark")), there[1:7], to_home).reaching_in


def test_what_the_picture_does_not_show_is_unsure():
    ground = learnt("wood", True)
    away = np.array([[1.0, 0, 300], [0, 1, 0], [0, 0, 1]])  # home lies to the right of what is seen
    place = quads()[0] - np.float32([300, 0])
    image = shoot(bare_table("wood"))
    assert kinds(ground.look(image, [place], [], away)) == ["unsure"]


def test_only_the_area_counts_for_the_share():
    area = np.float32([[0, 0], [200, 0], [200, 360], [0, 360]])
    ground = Ground(area_home_px=area)
    for k in range(3):
        ground.learn(shoot(bare_table("felt"), k), [], HOME)
    over = ground.occluders(shoot(reach_in(bare_table("felt"), (500, 200), "fair")), [], HOME)
    assert over.share == 0


PHONE = np.float32([[300, 260], [370, 260], [370, 360], [300, 360]])


def with_phone(picture: np.ndarray, shift_xy: tuple[float, float]) -> np.ndarray:
    picture = picture.copy()
    cv2.fillConvexPoly(
        picture, np.round((PHONE + shift_xy) * 16).astype(np.int32), (30, 28, 26), cv2.LINE_AA, 4
    )
    return picture


@pytest.mark.parametrize("name", ["wood", "felt", "grey"])
def test_where_a_phone_lay_at_the_border_nothing_reaches_in_once_it_is_moved(name: str) -> None:
    """It had been learned as table, as dark as it was (composer AX's second)."""
    ground, table = Ground(), bare_table(name)
    for k in range(5):
        ground.learn(shoot(with_phone(table, (0, 0)), k), [], HOME)
    moved = shoot(with_phone(table, (-60, -90)), 9)
    over = ground.occluders(moved, [], HOME)
    assert over.standing
    assert not over.reaching_in
    hand = shoot(reach_in(with_phone(table, (-60, -90)), (330, 250), "fair"), 10)
    assert ground.occluders(hand, [], HOME).reaching_in, "an arm that comes in over that place is one"
    ground.learn(moved, [], HOME)
    assert not ground.occluders(shoot(table, 11), [], HOME).share, "the other place was never ground"


def test_a_hand_of_the_cloths_own_colour_over_a_motif_teaches_nothing() -> None:
    """In the light of a dim lamp (composer AP's first)."""
    ground, table = Ground(), bare_table("wood")
    cloth = table.copy()
    cv2.ellipse(cloth, (300, 180), (34, 22), 0, 0, 360, (30, 43, 58), cv2.FILLED)
    under = cloth.copy()
    under[160:200, 290:320] = table[160:200, 290:320]
    for k in range(8):
        ground.learn(shoot(cloth, k), [], HOME)
    for k in range(4):
        ground.learn(shoot(under, 10 + k), [], HOME)
    place = np.float32([[0, 0], [1, 0], [1, 1], [0, 1]]) * TILE_WH + [292, 164]
    [cover] = ground.look(shoot(cloth, 20), [place], [], HOME)
    assert cover.kind == "bare"


def woven(colour: tuple[float, float, float], strength: float) -> np.ndarray:
    """A weave, float32 BGR: no two places of it are alike."""
    specks = np.random.default_rng(7).normal(0, 1, SIZE_WH[::-1]).astype(np.float32)
    weave = cv2.GaussianBlur(specks, (0, 0), 2.2)
    return np.float32(colour) * np.exp(strength * weave / weave.std())[..., None]


def rug() -> np.ndarray:
    return woven((140, 146, 150), 0.35)


def test_a_pale_cloth_beside_a_tile_is_bare_where_its_own_fine_grain_shows() -> None:
    """Its colour is the tiles', and its stripes run where a tile that was taken back had its edges (cq02)."""
    table, ground = woven((188, 204, 210), 0.05), Ground()
    left, gone = quads()[:4], quads()[4:5]
    y0, (x1, y1) = int(gone[0][0, 1]), gone[0][2].astype(int)
    table[:, x1 - 1 : x1 + 3] *= 0.8
    for y in (y0, y1):
        table[y - 2 : y + 2] *= 0.8
    for k in range(4):
        ground.learn(shoot(table, k), [], HOME)
    ground.learn(shoot(lay(table, [*left, *gone]), 10), [*left, *gone], HOME)
    covers = ground.look(shoot(lay(table, left), 99), gone, left, HOME)
    assert kinds(covers) == ["bare"]
    blank = lay(lay(table, left), gone, figure=False)
    assert kinds(ground.look(shoot(blank, 99), gone, left, HOME)) != ["bare"]


def head(left_x: int, right_x: int) -> np.ndarray:
    """A hard shadow between two columns."""
    lit = np.ones(SIZE_WH[::-1], np.float32)
    lit[:, left_x:right_x] = 0.3
    return cv2.GaussianBlur(lit, (0, 0), 1)[..., None] * np.float32([1.0, 0.95, 0.9])


def on_a_rug_seen_in_the_shade() -> Ground:
    """The rug was seen bare in the shade; since tiles lie there, the sun has come to all around them."""
    ground = Ground()
    for k in range(6):
        ground.learn(shoot(rug(), k, head(170, 380)), [], HOME)
    for k in range(30):
        ground.learn(shoot(lay(rug(), quads()), 10 + k, head(500, 620)), quads(), HOME)
    return ground


def test_ground_that_shows_the_grain_of_that_very_place_is_bare_in_whatever_light() -> None:
    """21860: a rug was seen in the shade of a head; a tile was taken away from there in the sun, and "may be
    covered": the place had become much brighter than what lay around it.
    """
    ground = on_a_rug_seen_in_the_shade()
    left, gone = quads()[:4], quads()[4:]
    covers = ground.look(shoot(lay(rug(), left), 99, head(500, 620)), gone, left, HOME)
    assert [(cover.kind, cover.own_grain) for cover in covers] == [("bare", True)] * len(gone)


def test_a_shadows_edge_across_a_tile_is_not_the_grounds_grain() -> None:
    """Nor is the same shadow's edge across the ground a grain to be known again."""
    ground = Ground()
    for k in range(6):
        ground.learn(shoot(rug(), k, head(290, 420)), [], HOME)
    lie = quads()
    blank = lay(rug(), lie, figure=False)
    for k in range(3):
        ground.learn(shoot(blank, 10 + k, head(290, 420)), lie, HOME)
    missed = [quad for quad in lie if quad[0, 0] < 290 < quad[1, 0]]
    found = [quad for quad in lie if all(quad is not one for one in missed)]
    covers = ground.look(shoot(blank, 99, head(290, 420)), missed, found, HOME)
    assert missed
    assert not any(cover.own_grain for cover in covers)
