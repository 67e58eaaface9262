"""The finder's answer from its network's raw output: merged, ordered, in the full picture's pixels."""

from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from vision.find import find_tiles, in_picture, look_again
from vision.finder_looks import windows
from vision.quads import with_neighbours
from vision.recall import Recall

QUAD = np.float32([[100, 100], [140, 100], [140, 156], [100, 156]])


class ScriptedModel:
    """Objects at fixed places of the full picture, as the network would say them of any scaled part."""

    def __init__(
        self,
        picture_wh: tuple[int, int],
        objects: list[tuple[NDArray, tuple[float, float, float]]],
        least_px: float = 0.0,
    ):
        """What is narrower than ``least_px`` in the copy that is shown is not seen."""
        self.picture_wh, self.objects, self.least_px = picture_wh, objects, least_px
        self.asked: list[tuple[int, int]] = []

    def raw(self, image_bgr: NDArray[np.uint8]) -> NDArray[np.float32]:
        # The picture's own pixels say where this part lies: see coordinates().
        self.asked.append((image_bgr.shape[1], image_bgr.shape[0]))
        h, w = image_bgr.shape[:2]
        ys, xs = np.mgrid[0:h, 0:w]
        inside = image_bgr[:, :, 2] == 200
        full_x, full_y = image_bgr[:, :, 0].astype(float) * 8, image_bgr[:, :, 1].astype(float) * 8
        ax = np.polyfit(xs[inside], full_x[inside], 1)
        ay = np.polyfit(ys[inside], full_y[inside], 1)
        columns = []
        for quad, scores in self.objects:
            seen = np.column_stack([(quad[:, 0] - ax[1]) / ax[0], (quad[:, 1] - ay[1]) / ay[0]])
            if seen.max(axis=0).min() < 0 or seen[:, 0].min() > w or seen[:, 1].min() > h:
                continue
            if np.ptp(seen[:, 0]) < self.least_px:
                continue
            centre, size = seen.mean(axis=0), np.ptp(seen, axis=0)
            columns.append([*centre, *size, *scores, *seen.ravel()])
        return np.float32(columns).T if columns else np.zeros((15, 0), np.float32)


def coordinates(width: int, height: int) -> NDArray[np.uint8]:
    """A picture whose blue and green tell x and y (in eighths); red marks it as picture, not padding."""
    image = np.empty((height, width, 3), np.uint8)
    image[:, :, 0] = np.arange(width)[None] / 8
    image[:, :, 1] = np.arange(height)[:, None] / 8
    image[:, :, 2] = 200
    return image


def find(objects: list, wh: tuple[int, int] = (800, 600), **kw: object):
    return find_tiles(coordinates(*wh), ScriptedModel(wh, objects), **kw)


def test_corners_come_back_in_the_full_picture() -> None:
    found = find([(QUAD, (0.9, 0.0, 0.0))], size=400)
    assert len(found.tiles) == 1
    assert np.abs(found.tiles[0].corners_xy_px - QUAD).max() < 8
    assert not found.tiles[0].face_down


def test_many_finds_of_one_tile_are_one_and_vote_on_up() -> None:
    noise = np.random.default_rng(1).normal(0, 1, (5, 4, 2)).astype(np.float32)
    objects = [(QUAD + n, (0.8, 0.0, 0.0)) for n in noise[:4]]
    objects.append((np.roll(QUAD + noise[4], 2, axis=0), (0.82, 0.0, 0.0)))
    found = find(objects)
    assert len(found.tiles) == 1
    # Four against one: the likeliest find alone would have had it upside down.
    assert np.linalg.norm(found.tiles[0].corners_xy_px[0] - QUAD[0]) < 12


def test_touching_neighbours_stay_two() -> None:
    found = find([(QUAD, (0.9, 0, 0)), (QUAD + np.float32([40, 0]), (0.7, 0, 0))])
    assert len(found.tiles) == 2


def test_backs_and_racks_are_told_apart() -> None:
    rack = np.float32([[20, 20], [700, 20], [700, 300], [20, 300]])
    found = find([(QUAD, (0.1, 0.8, 0)), (rack, (0, 0, 0.9))])
    assert [t.face_down for t in found.tiles] == [True]
    assert len(found.racks_xy_px) == 1


def test_unsure_finds_are_left_out() -> None:
    assert find([(QUAD, (0.2, 0.1, 0.0))], score=0.3).tiles == ()


def test_small_tiles_in_a_big_picture_get_a_nearer_look() -> None:
    wh = (2000, 1500)
    quads = [QUAD + np.float32([x, y]) for x in range(0, 1500, 60) for y in (0, 400, 800)]
    model = ScriptedModel(wh, [(q, (0.9, 0.0, 0.0)) for q in quads])
    found = find_tiles(coordinates(*wh), model, size=640)
    assert len(model.asked) > 1
    assert len(found.tiles) == len(quads)


def test_a_picture_is_shown_at_once_where_two_parts_of_it_would_be_most_of_it_twice() -> None:
    wh = (1632, 928)
    model = ScriptedModel(wh, [(QUAD + np.float32([x, 400]), (0.9, 0.0, 0.0)) for x in range(0, 1400, 60)])
    assert len(find_tiles(coordinates(*wh), model, size=640, tile_px=44.0).tiles) == 24
    assert max(model.asked) == wh
    assert len(model.asked) == 4


def test_parts_are_no_larger_than_they_have_to_be() -> None:
    """Three of 1280 would be shown three times where they overlap."""
    spans = sorted({(x0, x1) for x0, _, x1, _ in windows((0, 0, 2400, 2400), 1280)})
    assert [high - low for low, high in spans] == [971, 971, 971]
    overlaps = [one[1] - other[0] for one, other in pairwise(spans)]
    assert min(overlaps) >= 255, "a fifth of 1280"


def test_where_it_is_known_how_large_tiles_are_grains_bring_no_nearer_look() -> None:
    wh = (2000, 1500)
    grains = [QUAD / 5 + np.float32([x, 400]) for x in range(0, 1500, 60)]
    nearer, known = (ScriptedModel(wh, [(q, (0.9, 0.0, 0.0)) for q in grains]) for _ in range(2))
    find_tiles(coordinates(*wh), nearer, size=640)
    find_tiles(coordinates(*wh), known, size=640, tile_px=160.0)
    assert len(known.asked) < len(nearer.asked)


def test_a_thing_that_looks_like_a_large_tile_does_not_hide_the_small_ones() -> None:
    """Two mugs in the picture, and of 60 tiles none was read (ag01)."""
    wh = (1600, 1200)
    mug = np.float32([[200, 700], [350, 700], [350, 830], [200, 830]])
    row = [(QUAD + np.float32([45 * at, 0]), (0.9, 0.0, 0.0)) for at in range(6)]
    model = ScriptedModel(wh, [(mug, (0.6, 0.0, 0.0)), *row], least_px=20)
    assert len(find_tiles(coordinates(*wh), model, size=640).tiles) == 7
    first = ScriptedModel(wh, [(mug, (0.6, 0.0, 0.0)), *row[:3]], least_px=20)
    assert len(find_tiles(coordinates(*wh), first, size=640).tiles) == 4, "the first set of a game"


def test_a_crowd_of_blank_backs_alone_on_the_table_gets_a_still_nearer_look() -> None:
    """Seen as large as tiles are seen best, they run together: 64 backs of a far pool were not there at all."""
    backs = [(QUAD + np.float32([45.0 * at, 0]), (0, 0.9, 0)) for at in range(10)]
    model = ScriptedModel((1280, 720), backs, least_px=50)
    found = find_tiles(coordinates(1280, 720), model, size=640)
    assert len(found.tiles) == 10
    assert all(tile.face_down for tile in found.tiles)


def seeing(image: NDArray[np.uint8]) -> Recall:
    """What knows the first picture of a film."""
    recall = Recall()
    recall.see(image)
    return recall


def test_what_hardly_looks_like_a_large_tile_does_not_hide_a_far_pool() -> None:
    """Mugs found weakly, and of 48 backs not one for half a minute; then one tile was seen surely (ax02)."""
    wh = (1600, 1200)
    mug = (np.float32([[200, 700], [350, 700], [350, 830], [200, 830]]), (0.32, 0.0, 0.0))
    backs = [(QUAD + np.float32([45.0 * at, 0]), (0, 0.9, 0)) for at in range(10)]
    alone = ScriptedModel(wh, [mug, *backs], least_px=40)
    film = find_tiles(coordinates(*wh), alone, size=640, recall=seeing(coordinates(*wh)))
    assert sum(tile.face_down for tile in film.tiles) == 10
    small = (QUAD * 0.9 + np.float32([0, 300]), (0.82, 0.0, 0.0))
    wide = [(quad * np.float32([1.05, 1]), scores) for quad, scores in (small, mug)]
    told = ScriptedModel(wh, [*wide, *backs], least_px=25)
    assert sum(tile.face_down for tile in find_tiles(coordinates(*wh), told, size=640).tiles) == 10


def squares(wide_px: float, count: int = 12) -> list[tuple[NDArray, tuple[float, float, float]]]:
    """A checked cloth, of which some squares are hardly found as large tiles."""
    square = np.float32([[0, 0], [wide_px, 0], [wide_px, 90], [0, 90]])
    places = [np.float32([150 * (at % 6), 350 + 120 * (at // 6)]) for at in range(count)]
    return [(square + place, (0.25 + 0.01 * at, 0.0, 0.0)) for at, place in enumerate(places)]


def test_squares_of_a_cloth_do_not_hide_the_backs_beside_it() -> None:
    """More than a few, none of them sure: of 52 backs not one was found for a game (cu01)."""
    backs = [(QUAD - np.float32([80, 80]) + np.float32([45.0 * at, 0]), (0, 0.9, 0)) for at in range(20)]
    model = ScriptedModel((1280, 720), [*squares(95.0), *backs], least_px=25)
    found = find_tiles(coordinates(1280, 720), model, size=640, score=0.2)
    assert sum(tile.face_down for tile in found.tiles) == 20


def test_a_few_rather_sure_tiles_tell_how_wide_tiles_are_among_a_cloth_s_squares() -> None:
    backs = [(QUAD - np.float32([80, 80]) + np.float32([45.0 * at, 0]), (0, 0.9, 0)) for at in range(20)]
    first = [(QUAD + np.float32([300.0 + 45 * at, 100]), (0.65, 0.0, 0.0)) for at in range(3)]

    class Nearer(ScriptedModel):
        """Sees backs only where they are as large as in the picture itself."""

        def raw(self, image_bgr: NDArray[np.uint8]) -> NDArray[np.float32]:
            whole, self.objects = self.objects, self.objects[: 15 if image_bgr.shape[1] < 1200 else None]
            try:
                return super().raw(image_bgr)
            finally:
                self.objects = whole

    model = Nearer((1280, 720), [*squares(95.0), *first, *backs])
    found = find_tiles(coordinates(1280, 720), model, size=640, score=0.2)
    assert sum(tile.face_down for tile in found.tiles) == 20


def shown_otherwise(image: NDArray[np.uint8], x: int, y: int) -> NDArray[np.uint8]:
    """The picture with something new of 40 pixels there."""
    other = image.copy()
    other[y : y + 40, x : x + 40, 2] = 120
    return other


def film(objects: list, wh: tuple[int, int], least_px: float = 20) -> tuple[ScriptedModel, Recall]:
    """What has read a film's first picture, whose size of tiles a look in between has told."""
    model, image = ScriptedModel(wh, objects, least_px=least_px), coordinates(*wh)
    recall = seeing(image)
    find_tiles(image, model, recall=recall)
    return model, recall


def test_in_a_film_little_is_looked_at_where_little_has_changed() -> None:
    """How large tiles are is known then, and the picture's first looks, too, are at what has changed only."""
    wh = (1600, 1200)
    row = [(QUAD + np.float32([45.0 * at, 0]), (0.9, 0.0, 0.0)) for at in range(10)]
    model, recall = film(row, wh)
    first, model.asked = model.asked, []
    model.objects = [*row, (QUAD + np.float32([1000, 800]), (0.9, 0.0, 0.0))]
    now = shown_otherwise(coordinates(*wh), 1100, 900)
    recall.see(now)
    found = find_tiles(now, model, recall=recall)
    assert len(found.tiles) == 11
    assert (640, 480) in first
    assert max(model.asked) < (480, 480)
    assert sum(w * h for w, h in model.asked) < 0.2 * sum(w * h for w, h in first)


def test_a_rack_in_a_film_is_looked_at_whole() -> None:
    rack = np.float32([[20, 700], [1580, 700], [1580, 1180], [20, 1180]])
    row = [(QUAD + np.float32([45.0 * at, 0]), (0.9, 0.0, 0.0)) for at in range(10)]
    model, recall = film([*row, (rack, (0.0, 0.0, 0.9))], (1600, 1200))
    model.asked = []
    now = shown_otherwise(coordinates(1600, 1200), 1100, 900)
    recall.see(now)
    assert len(find_tiles(now, model, recall=recall).racks_xy_px) == 1
    assert (640, 480) in model.asked


def test_changes_in_several_places_are_each_looked_at_with_what_is_around_them() -> None:
    """A find where one part was cut off is another part's, and none is found twice or lost."""
    wh = (1600, 1200)
    places = [(100.0 + 60 * column, 100.0 + 80 * line) for column in range(22) for line in range(12)]
    every = [(QUAD - 100 + np.float32(at), (0.9, 0.0, 0.0)) for at in places]
    model, recall = film(every, wh, least_px=5)
    now = coordinates(*wh)
    for x, y in ((150, 150), (400, 320), (900, 700), (1300, 200)):
        now = shown_otherwise(now, x, y)
    recall.see(now)
    found = find_tiles(now, model, recall=recall)
    middles = np.stack([tile.corners_xy_px.mean(axis=0) for tile in found.tiles])
    wanted = np.stack([quad.mean(axis=0) for quad, _ in every])
    away = np.linalg.norm(middles[:, None] - wanted[None], axis=2)
    assert len(middles) == len(wanted)
    assert away.min(axis=0).max() < 8


def test_looking_again_finds_the_same_tile() -> None:
    other = QUAD + np.float32([42, 0])
    wh = (800, 600)
    model = ScriptedModel(wh, [(QUAD, (0.9, 0, 0)), (other, (0.9, 0, 0))])
    first = find_tiles(coordinates(*wh), model).tiles
    again = look_again(coordinates(*wh), first[0], model)
    assert again is not None
    assert np.linalg.norm(again.corners_xy_px.mean(0) - first[0].corners_xy_px.mean(0)) < 8


def test_what_may_be_a_tile_is_one_edge_to_edge_with_a_sure_one_of_its_size() -> None:
    def quad(x: float, y: float, times: float = 1.0) -> np.ndarray:
        return np.float32([[0, 0], [40, 0], [40, 56], [0, 56]]) * times + np.float32([x, y])

    corners = np.stack([quad(0, 0), quad(40, 0), quad(80, 0), quad(400, 0), quad(0, 56, 2.0), quad(-40, 0)])
    sure = np.array([True, False, False, False, False, False])
    may = np.array([False, True, True, True, True, False])
    # Two in a chain; not the one far away, nor that of twice the size, nor what may not be one.
    assert with_neighbours(corners, sure, may).tolist() == [True, True, True, False, False, False]
    assert with_neighbours(corners, ~sure & False, may).tolist() == [False] * 6


def test_what_lies_beside_the_picture_has_no_part_in_it() -> None:
    image = coordinates(80, 60)
    assert in_picture(image, np.float32([-50, -40]), np.float32([-20, 30])) == (0, 0, 0, 30)
    assert in_picture(image, np.float32([90, 10.7]), np.float32([99, 70])) == (80, 10, 80, 60)
