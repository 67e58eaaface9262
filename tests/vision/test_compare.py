"""The simpler readers that the reader is compared with, and the names that their training needs."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path

import cv2
import numpy as np

from datasets.labels import LabelledPicture, LabelledTile
from referee.tiles import ALL_TILES, Tile
from vision.evaluation.classical import ClassicalReader, described, tile_quads
from vision.evaluation.compare import compare, comparison_table, score_boxes
from vision.evaluation.plain_detector import PlainDetector
from vision.evaluation.truth import PictureTruth
from vision.picture import Picture, picture_from_array
from vision.readings import PhotoReading, TileReading
from vision.rectify import Pyramid
from vision.training.knn import reading_crops, remember
from vision.training.named_boxes import named_boxes
from vision.training.shards import ShardWriter

INKS = {"R": (40, 40, 200), "B": (200, 80, 30), "K": (30, 30, 30), "O": (30, 140, 240)}


def drawn(names: list[str], seed: int = 0) -> LabelledPicture:
    """Tiles apart on a dark ground, with their truth."""
    rng = np.random.default_rng(seed)
    image = np.full((480, 640, 3), (60, 80, 50), np.uint8)
    tiles = []
    for k, name in enumerate(names):
        x, y = 40 + (k % 6) * 95, 50 + (k // 6) * 130
        cv2.rectangle(image, (x, y), (x + 60, y + 84), (235, 245, 245), -1)
        ink = (20, 200, 20) if name == "J" else INKS[name[0]]
        cv2.putText(image, name[1:] or "J", (x + 8, y + 52), cv2.FONT_HERSHEY_SIMPLEX, 1.1, ink, 3)
        corners = np.array([[x, y], [x + 60, y], [x + 60, y + 84], [x, y + 84]], np.float32)
        tiles.append(LabelledTile(Tile.parse(name), corners, set_index=0, place=k))
    noisy = np.clip(image + rng.normal(0, 3, image.shape), 0, 255).astype(np.uint8)
    return LabelledPicture(noisy, tuple(tiles), (), "table")


NAMES = ["R3", "B3", "K3", "O8", "R13", "B5", "K11", "J", "O4", "R7"]


def shard(folder: Path, pictures: int = 6) -> Path:
    folder.mkdir(parents=True, exist_ok=True)
    writer = ShardWriter()
    for k in range(pictures):
        writer.add(drawn(NAMES[k % 3 :], k), np.random.default_rng(k))
    writer.write(folder / "train-000000")
    return folder / "train-000000"


def test_a_shards_boxes_get_their_names_back(tmp_path: Path) -> None:
    shown = list(named_boxes(shard(tmp_path)))
    assert len(shown) == 6
    for k, one in enumerate(shown):
        truth = drawn(NAMES[k % 3 :], k).tiles
        assert [str(ALL_TILES[c]) for c in one.classes] == [str(t.tile) for t in truth]
        want = [[*t.corners_xy_px[0], *t.corners_xy_px[2]] for t in truth]
        assert np.allclose(one.boxes_xyxy_px, want)


def test_the_classical_reader_reads_what_it_remembers(tmp_path: Path) -> None:
    shard(tmp_path / "data", 30)
    assert remember([tmp_path / "data"], tmp_path / "knn.npz", 1000) > 40
    reader = ClassicalReader(tmp_path / "knn.npz")
    truth = drawn(NAMES, 99)
    reading = reader.read(picture_from_array(truth.image_bgr, "p"))
    one = score_boxes(PictureTruth.of_picture("p", truth), reading, 1.0)
    assert (one.true, one.found, one.right) == (10, 10, 10)
    assert reader.read(picture_from_array(np.full((200, 300, 3), 90, np.uint8), "empty")).tiles == ()


def test_rows_that_touch_are_cut_at_a_tiles_width() -> None:
    image = np.full((300, 500, 3), 40, np.uint8)
    cv2.rectangle(image, (50, 100), (50 + 4 * 60, 184), (240, 240, 240), -1)
    quads = sorted(tile_quads(image), key=lambda q: float(q[:, 0].mean()))
    assert [round(float(q[:, 0].mean())) // 10 * 10 for q in quads] == [80, 140, 200, 260]


def test_descriptions_are_of_one_length_and_tell_inks_apart() -> None:
    truth = drawn(["R3", "B3"])
    crops = Pyramid(truth.image_bgr).crops([t.corners_xy_px for t in truth.tiles])
    shape, ink = described(crops)
    assert shape.shape == (2, 1260)
    assert np.linalg.norm(ink[0] - ink[1]) > 0.5
    assert described(crops[:0])[0].shape == (0, 1260)


def test_stored_crops_are_cut_as_at_the_table() -> None:
    truth = drawn(["R3"])
    pyramid = Pyramid(truth.image_bgr)
    corners = truth.tiles[0].corners_xy_px
    again = reading_crops(pyramid.crop(corners, (66, 88), 0.22)[None])[0]
    assert np.abs(again.astype(int) - pyramid.crop(corners)).mean() < 6


class OneBox:
    """A network that sees a B7 twice at one place, and something it is not sure of."""

    def __call__(self, inputs: Mapping[str, np.ndarray]) -> dict[str, np.ndarray]:
        assert inputs["image_bgr"].shape[1] % 32 == inputs["image_bgr"].shape[2] % 32 == 0
        out = np.zeros((1, 57, 3), np.float32)
        out[0, :4, 0], out[0, :4, 1], out[0, :4, 2] = (100, 60, 40, 56), (102, 61, 40, 56), (300, 60, 40, 56)
        seven = 4 + Tile.parse("B7").index
        out[0, seven, :] = 0.9, 0.8, 0.1
        return {"objects": out}


def test_the_plain_detector_names_each_place_once() -> None:
    detector = PlainDetector(OneBox(), size_px=320)
    reading = detector.read(picture_from_array(np.zeros((480, 640, 3), np.uint8), "p"))
    assert [str(tile.tile) for tile in reading.tiles] == ["B7"]
    assert np.allclose(reading.tiles[0].corners_xy_px[[0, 2]], [[160, 64], [240, 176]], atol=1)


def test_the_table_counts_each_reader_on_the_same_pictures() -> None:
    truth = PictureTruth.of_picture("p", drawn(NAMES))
    right = tuple(TileReading(t.tile, 0.9, False, t.corners_xy_px) for t in truth.tiles if t.tile is not None)
    wrong = (TileReading(Tile.parse("K9"), 0.9, False, right[0].corners_xy_px), *right[1:])
    readings = {"all": right, "one wrong": wrong, "none": ()}

    def telling(tiles: tuple[TileReading, ...]) -> Callable[[Picture], PhotoReading]:
        return lambda picture: PhotoReading(truth.size_wh, "table", tiles)

    readers = {name: telling(tiles) for name, tiles in readings.items()}
    picture = picture_from_array(drawn(NAMES).image_bgr, "p")
    scores = compare([(truth, picture)], readers)
    assert [scores[name][0].right for name in readings] == [10, 9, 0]
    lines = comparison_table(scores, "here").splitlines()
    assert [line.split("|")[2].strip() for line in lines[2:]] == ["1.0000", "0.9000", "0.0000"]
    assert [line.split("|")[8].strip().split(" ")[0] for line in lines[2:]] == ["1/1", "0/1", "0/1"]
