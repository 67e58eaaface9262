import json
from collections import Counter, defaultdict
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from datasets.photos import COMMITTED_TRUTH, PhotoLabelsError, load_photos


def folder_of(tmp_path: Path, names: dict[str, str], size: tuple[int, int] = (200, 100)) -> Path:
    (tmp_path / "images").mkdir()
    (tmp_path / "labels").mkdir()
    (tmp_path / "classes.txt").write_text("K1\nB4\nJ\n")
    for name, labels in names.items():
        Image.new("RGB", size, (200, 100, 50)).save(tmp_path / "images" / f"{name}.png")
        (tmp_path / "labels" / f"{name}.txt").write_text(labels)
    return tmp_path


def record(**changes: object) -> str:
    corners = [[0.25, 0.2], [0.5, 0.2], [0.5, 0.8], [0.25, 0.8]]
    value = {
        "name": "a", "size": [200, 100], "kind": "table", "place": "desk", "scene": "desk-1", "split": "test",
        "tiles": [{"tile": "B4", "corners": corners}, {"tile": "J", "corners": corners, "cut": True}],
        "sets": [[1, 0]], "sets_unsure": False,
    }  # fmt: skip
    return json.dumps(value | changes)


def test_truth_text_gives_corners_in_pixels_with_centres_at_integers(tmp_path):
    folder = folder_of(tmp_path, {"a": ""})
    (folder / "truth.jsonl").write_text(record())
    (photo,) = load_photos(folder)
    np.testing.assert_allclose(photo.tiles[0].corners_xy_px[2], [99.5, 79.5])
    assert [str(tile.tile) for tile in photo.tiles] == ["B4", "J"]
    assert [tile.numeral_visible for tile in photo.tiles] == [1.0, 0.0]
    assert [(tile.set_index, tile.place) for tile in photo.tiles] == [(0, 1), (0, 0)]
    assert (photo.sets, photo.kind, photo.split, photo.upright) == (((1, 0),), "table", "test", True)
    assert photo.picture().image_bgr[0, 0].tolist() == [50, 100, 200]
    assert load_photos(folder, split="train") == []


def test_a_tile_that_hangs_over_the_border_is_partly_visible(tmp_path):
    folder = folder_of(tmp_path, {"a": ""})
    corners = [[-0.1, 0.2], [0.3, 0.2], [0.3, 0.8], [-0.1, 0.8]]
    (folder / "truth.jsonl").write_text(record(tiles=[{"tile": "B4", "corners": corners}], sets=[[0]]))
    assert load_photos(folder)[0].tiles[0].visible == pytest.approx(0.75, abs=0.01)


def test_unsure_sets_are_unknown(tmp_path):
    folder = folder_of(tmp_path, {"a": ""})
    (folder / "truth.jsonl").write_text(record(sets_unsure=True))
    (photo,) = load_photos(folder)
    assert photo.sets is None
    assert photo.tiles[0].set_index is None


def test_outlines_alone_say_what_but_not_which_way_up(tmp_path):
    folder = folder_of(tmp_path, {"a10": "1 0.1 0.1 0.3 0.1 0.3 0.5 0.1 0.5\n", "a9": "2 .1 .1 .3 .1 .3 .5"})
    nine, ten = load_photos(folder)
    assert (nine.name, ten.name) == ("a9", "a10")
    assert str(ten.tiles[0].tile) == "B4"
    assert (ten.upright, ten.kind, ten.sets) == (False, None, None)
    low, high = ten.tiles[0].corners_xy_px.min(axis=0), ten.tiles[0].corners_xy_px.max(axis=0)
    np.testing.assert_allclose([*low, *high], [19.5, 9.5, 59.5, 49.5], atol=0.01)
    with pytest.raises(ValueError, match="which way is up"):
        ten.picture()


def test_an_empty_label_file_means_an_empty_photograph(tmp_path):
    (photo,) = load_photos(folder_of(tmp_path, {"a": ""}))
    assert (photo.kind, photo.tiles) == ("empty", ())


def test_the_size_is_that_of_the_upright_picture(tmp_path):
    folder = folder_of(tmp_path, {"a": ""})
    exif = Image.Exif()
    exif[0x0112] = 6
    Image.new("RGB", (200, 100)).save(folder / "images" / "b.jpg", exif=exif)
    (folder / "labels" / "b.txt").write_text("")
    photo = load_photos(folder)[1]
    assert photo.size_wh == (100, 200)
    assert photo.image_bgr().shape == (200, 100, 3)


def test_the_committed_text_serves_only_its_own_photographs(tmp_path):
    first = json.loads(COMMITTED_TRUTH.read_text(encoding="utf-8").splitlines()[0])
    classes = sorted({tile["tile"] for tile in first["tiles"]})
    lines = "".join(f"{classes.index(t['tile'])} .1 .1 .3 .1 .3 .5\n" for t in first["tiles"])
    folder = folder_of(tmp_path, {first["name"]: lines}, tuple(first["size"]))
    (folder / "classes.txt").write_text("\n".join(classes))
    assert load_photos(folder)[0].scene == first["scene"]
    (folder / "labels" / f"{first['name']}.txt").write_text("0 .1 .1 .3 .1 .3 .5\n")
    assert load_photos(folder)[0].scene == ""


@pytest.mark.parametrize(
    ("labels", "complaint"),
    [
        ("7 0 0 1 0 1 1", "line 1: there is no class 7"),
        ("-1 0 0 1 0 1 1", "there is no class -1"),
        ("x 0 0 1 0 1 1", "is not 'class x1 y1"),
        ("0 0 0 1 0 1", "is not 'class x1 y1"),
        ("0 0 0 1 0", "at least three points"),
        ("0 0 0 1 0 1 nan", "at least three points"),
    ],
)
def test_labels_that_cannot_be_are_refused_with_their_line(tmp_path, labels, complaint):
    with pytest.raises(PhotoLabelsError, match=complaint):
        load_photos(folder_of(tmp_path, {"a": labels}))


@pytest.mark.parametrize(
    ("changes", "complaint"),
    [
        ({"sets": [[0]]}, "do not hold every tile once"),
        ({"sets": [[0, 1, 1]]}, "do not hold every tile once"),
        ({"kind": "box"}, "its kind is 'box'"),
        ({"split": "best"}, "its split is 'best'"),
        ({"tiles": [{"tile": "Z9", "corners": [[0, 0]] * 4}], "sets": [[0]]}, "Z9"),
        ({"tiles": [{"tile": "B4", "corners": [[0, 0]] * 3}], "sets": [[0]]}, "four points"),
        ({"tiles": [{"tile": "B4"}], "sets": [[0]]}, "lacks the field 'corners'"),
    ],
)
def test_truth_text_that_cannot_be_is_refused(tmp_path, changes, complaint):
    folder = folder_of(tmp_path, {"a": ""})
    (folder / "truth.jsonl").write_text(record(**changes))
    with pytest.raises(PhotoLabelsError, match=complaint):
        load_photos(folder)


def test_folders_that_are_not_labelled_photographs_are_refused(tmp_path):
    with pytest.raises(PhotoLabelsError, match="There is no folder"):
        load_photos(tmp_path / "nowhere")
    with pytest.raises(PhotoLabelsError, match="no folder 'images'"):
        load_photos(tmp_path)
    (tmp_path / "images").mkdir()
    with pytest.raises(PhotoLabelsError, match="holds no photographs"):
        load_photos(tmp_path)
    (tmp_path / "images" / "a.png").write_bytes(b"no picture")
    with pytest.raises(PhotoLabelsError, match="cannot be read as a picture"):
        load_photos(tmp_path)
    Image.new("RGB", (9, 9)).save(tmp_path / "images" / "a.png")
    with pytest.raises(PhotoLabelsError, match="photograph a has no labels"):
        load_photos(tmp_path)
    Image.new("RGB", (9, 9)).save(tmp_path / "images" / "a.jpg")
    with pytest.raises(PhotoLabelsError, match="two pictures of the name a"):
        load_photos(tmp_path)


def committed() -> list[dict]:
    return [json.loads(line) for line in COMMITTED_TRUTH.read_text(encoding="utf-8").splitlines()]


def test_the_committed_text_has_the_figures_that_its_readme_states():
    records = committed()
    assert Counter(one["kind"] for one in records) == {"table": 130, "rack": 20, "empty": 6}
    assert sum(len(one["tiles"]) for one in records) == 1078
    assert sum(tile.get("cut", False) for one in records for tile in one["tiles"]) == 6
    assert sum(not one["sets_unsure"] for one in records if one["kind"] == "table") == 92


def test_no_scene_is_split_and_every_place_is_tested():
    splits, places = defaultdict(set), defaultdict(set)
    for one in committed():
        splits[one["scene"]].add(one["split"])
        places[one["place"]].add(one["split"])
    assert all(len(parts) == 1 for parts in splits.values())
    assert all("test" in parts for parts in places.values())


def test_committed_corners_run_clockwise_around_a_tile_taller_than_wide():
    for one in committed():
        for tile in one["tiles"]:
            quad = np.array(tile["corners"]) * one["size"]
            edges = np.roll(quad, -1, axis=0) - quad
            turns = np.cross(np.c_[edges, [0] * 4], np.c_[np.roll(edges, -1, axis=0), [0] * 4])[:, 2]
            assert (turns > 0).all(), (one["name"], tile)  # y runs down, so clockwise is positive
            lengths = np.linalg.norm(edges, axis=1)
            assert lengths[[1, 3]].sum() > lengths[[0, 2]].sum(), (one["name"], tile)
