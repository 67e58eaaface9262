"""Cut-outs and grounds, from small photographs that are drawn here."""

import json
from pathlib import Path

import cv2
import numpy as np
import pytest

from datasets.games.cutout import IVORY, CutoutError, load_cutouts
from datasets.games.cutout_quilt import Sample, quilt
from datasets.light import to_linear
from datasets.photos import PhotoLabelsError
from referee.tiles import ALL_TILES, JOKER, Colour, Tile

INKS = {Colour.RED: (200, 30, 40), Colour.BLUE: (20, 60, 190), Colour.BLACK: (30, 30, 30),
        Colour.ORANGE: (240, 130, 30), None: (20, 20, 20)}  # fmt: skip
GROUND = (110, 60, 40)
BODY = (230, 220, 200)
WIDTH, HEIGHT = 60, 84


def drawn_tile(tile: Tile, body: tuple[int, int, int]) -> np.ndarray:
    face = np.zeros((HEIGHT, WIDTH, 3), np.uint8)
    face[:] = body
    text = "J" if tile.is_joker else str(tile.number)
    size = cv2.getTextSize(text, cv2.FONT_HERSHEY_SIMPLEX, 1.0, 4)[0][0]
    ink = tuple(int(i * b / 255) for i, b in zip(INKS[tile.colour], body, strict=True))
    cv2.putText(face, text, ((WIDTH - size) // 2, 45), cv2.FONT_HERSHEY_SIMPLEX, 1.0, ink, 4, cv2.LINE_AA)
    return face


def photograph(folder: Path, name: str, tiles: list[Tile], split: str, **how: object) -> dict[str, object]:
    """Draw a table of tiles, and return what is true of it; labelled corners are two pixels off."""
    picture = np.zeros((600, 800, 3), np.uint8)
    rng = np.random.default_rng(len(tiles))
    body = how.get("body", BODY)
    picture[:] = np.array(GROUND) * body / np.array(BODY)  # another body means other light, also on the ground
    picture[:] = np.clip(picture + rng.normal(0, 8, (600, 800, 1)), 0, 255)
    corners = []
    for k, tile in enumerate(tiles):
        x, y = 15 + k % 10 * 78, 12 + k // 10 * 98
        picture[y : y + HEIGHT, x : x + WIDTH] = drawn_tile(tile, body)
        if k == how.get("covered"):
            picture[y + 40 : y + HEIGHT, x : x + WIDTH] = (40, 120, 60)
        quad = np.array([[x, y], [x + WIDTH, y], [x + WIDTH, y + HEIGHT], [x, y + HEIGHT]], float)
        corners.append((quad + np.array([[1, -2], [2, 1], [-1, 2], [2, 1]])) / [800, 600])
    cv2.imwrite(str(folder / "images" / f"{name}.png"), picture[:, :, ::-1])
    truth = [{"tile": str(t), "corners": c.tolist()} for t, c in zip(tiles, corners, strict=True)]
    return {"name": name, "size": [800, 600], "kind": "table", "place": how.get("place", "oak"),
            "scene": name, "split": split, "tiles": truth, "sets": None, "sets_unsure": True}  # fmt: skip


@pytest.fixture(scope="module")
def folder(tmp_path_factory) -> Path:
    folder = tmp_path_factory.mktemp("photos")
    (folder / "images").mkdir()
    most = list(ALL_TILES[:-1])
    records = [
        photograph(folder, "a", most[:40], "test"),
        photograph(folder, "b", [*most[40:], ALL_TILES[0]], "test", body=(180, 190, 230), covered=12),
        photograph(folder, "c", [ALL_TILES[3], JOKER], "train"),
    ]
    (folder / "truth.jsonl").write_text("\n".join(map(json.dumps, records)))
    return folder


@pytest.fixture(scope="module")
def test_part(folder):
    return load_cutouts(folder, "test", 0)


def test_every_face_has_a_cutout_and_only_what_the_part_lacks_is_borrowed(test_part):
    looks, _ = test_part
    assert set(looks.cutouts) == set(ALL_TILES)
    assert looks.borrowed == (JOKER,)
    parts = {tile: {cutout.split for cutout in one} for tile, one in looks.cutouts.items()}
    assert parts.pop(JOKER) == {"train"}
    assert set().union(*parts.values()) == {"test"}


def test_all_parts_together_borrow_nothing(folder):
    looks, _ = load_cutouts(folder, "all", 0)
    assert looks.borrowed == ()


def test_a_covered_tile_is_not_cut_out(test_part):
    looks, _ = test_part
    # Red 1 lies in both photographs, and is covered in the second.
    assert [cutout.photo for cutout in looks.cutouts[ALL_TILES[0]]] == ["a"]


def test_a_face_is_as_wide_as_asked_for_and_always_the_same(test_part):
    looks, _ = test_part
    face = looks.face(Tile.parse("B7"), 0, 41.3)
    assert face.dtype == np.uint8
    assert face.shape == (round(41.3 * looks.aspect), 41, 4)
    np.testing.assert_array_equal(face, looks.face(Tile.parse("B7"), 0, 41.3))
    assert looks.back(30).shape == (round(30 * looks.aspect), 30, 4)


def test_opacity_is_a_rounded_tile(test_part):
    looks, _ = test_part
    alpha = looks.face(JOKER, 1, 80)[..., 3]
    assert alpha[0, 0] == 0
    assert alpha[-1, -1] == 0
    assert (alpha[3:-3, 3:-3][10:-10] == 255).all()
    assert alpha[0, 40] > 200


@pytest.mark.parametrize("name", ["R2", "O13"])
def test_tiles_of_different_light_share_one_white_and_nothing_of_the_ground(test_part, name):
    looks, _ = test_part
    face = looks.face(Tile.parse(name), 0, 60).astype(np.float32)
    rgb, alpha = face[..., :3] / 255, face[..., 3]
    rim = np.ones(alpha.shape, bool)
    rim[6:-6, 6:-6] = False
    light = to_linear(rgb)[rim & (alpha > 0)]
    np.testing.assert_allclose(np.median(light, axis=0), IVORY, rtol=0.05)
    # The ground is three times darker.
    assert (light.mean(axis=1) > 0.75 * IVORY.mean()).all()


def test_the_numeral_keeps_its_ink(test_part):
    looks, _ = test_part
    middle = looks.face(Tile.parse("R8"), 0, 60)[15:50, 10:50, :3].astype(int)
    red = (middle[..., 0] - middle[..., 2] > 80) & (middle[..., 0] - middle[..., 1] > 80)
    assert 0.05 < red.mean() < 0.5


def test_the_back_is_bare(test_part):
    looks, _ = test_part
    back = looks.back(60)[8:-8, 8:-8, :3].astype(np.float32) / 255
    np.testing.assert_allclose(to_linear(back).mean(axis=(0, 1)), IVORY, rtol=0.05)
    assert back.std(axis=(0, 1)).max() < 0.02


def test_a_ground_shows_the_table_and_no_tile(test_part):
    _, grounds = test_part
    assert [ground.name for ground in grounds] == ["oak"]
    picture = grounds[0].ground((420, 260), 40.0, np.random.default_rng(1))
    assert picture.shape == (260, 420, 3)
    assert picture.dtype == np.uint8
    # As dark beside a tile as in the photograph, in spite of the tiles' new white.
    wanted = to_linear(np.array(GROUND) / 255) / to_linear(np.array(BODY) / 255) * IVORY
    light = to_linear(picture.astype(np.float32) / 255)
    np.testing.assert_allclose(np.median(light, axis=(0, 1)), wanted, rtol=0.25)
    assert (light.mean(axis=2) < 0.5 * IVORY.mean()).all()
    again = grounds[0].ground((420, 260), 40.0, np.random.default_rng(1))
    np.testing.assert_array_equal(picture, again)


def test_faces_that_are_shown_nowhere_are_named(tmp_path):
    (tmp_path / "images").mkdir()
    record = photograph(tmp_path, "a", list(ALL_TILES[:-2]), "test")
    (tmp_path / "truth.jsonl").write_text(json.dumps(record))
    with pytest.raises(CutoutError, match=r"shows nowhere well enough: O13, J\."):
        load_cutouts(tmp_path, "test", 0)


def test_a_missing_folder_is_told(tmp_path):
    with pytest.raises(PhotoLabelsError):
        load_cutouts(tmp_path / "none", "all", 0)


def test_a_quilt_keeps_the_first_sample_and_goes_on_with_its_texture():
    x = np.mgrid[0:120, 0:120][1]
    stripes = np.repeat(np.where(x // 6 % 2, 0.8, 0.2)[..., None], 3, axis=2).astype(np.float32)
    usable = np.ones((120, 120), bool)
    stripes[50:70, 50:70] = (1, 0, 0)
    usable[44:76, 44:76] = False
    picture = quilt([Sample(stripes, usable)], (200, 160), 30, np.random.default_rng(0))
    assert picture.shape == (160, 200, 3)
    assert np.ptp(picture, axis=2).max() < 0.1, "what is not usable must not be seen"
    along = np.abs(np.diff(picture[..., 0], axis=0))
    across = np.abs(np.diff(picture[..., 0], axis=1))
    assert across.mean() > 5 * along.mean(), "the stripes must go on upright"


def test_a_quilt_of_nothing_is_refused():
    with pytest.raises(ValueError, match="no sample is usable"):
        quilt(
            [Sample(np.zeros((50, 50, 3), np.float32), np.zeros((50, 50), bool))],
            (60, 60),
            20,
            np.random.default_rng(0),
        )
