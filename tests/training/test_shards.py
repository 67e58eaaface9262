"""Shards of pictures: look-alikes teach refiner and classifier, and never come to the finder or to names."""

import importlib.util
from pathlib import Path

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from datasets.labels import LabelledPicture, LabelledTile
from datasets.render import render_picture
from referee.tiles import Tile
from vision.training.generate import generate
from vision.training.named_boxes import named_boxes
from vision.training.shards import NO_NUMERAL_CLASS, NOTHING, RACK, TILE, ShardWriter, shard_stems

TILE_AT, RACK_AT = (60, 40), (40, 300)


def quad_at(x: float, y: float) -> NDArray[np.float32]:
    return np.array([[x, y], [x + 60, y], [x + 60, y + 84], [x, y + 84]], np.float32)


def picture(decoys: int) -> LabelledPicture:
    """One tile, one rack, and ``decoys`` look-alikes, each of its own grey."""
    image = np.full((480, 1280, 3), 60, np.uint8)
    cv2.rectangle(image, TILE_AT, (TILE_AT[0] + 60, TILE_AT[1] + 84), (235, 245, 245), -1)
    quads = [quad_at(200 + 80 * (k % 12), 40 + 120 * (k // 12)) for k in range(decoys)]
    for k, quad in enumerate(quads):
        tone = 120 + 5 * k
        cv2.fillConvexPoly(image, quad.astype(np.int32), (tone, tone, tone))
    tile = LabelledTile(Tile.parse("R3"), quad_at(*TILE_AT), set_index=0)
    return LabelledPicture(image, (tile,), (quad_at(*RACK_AT),), "table", decoys_xy_px=tuple(quads))


def written(folder: Path, *decoys: int) -> Path:
    """A shard of one picture for each number of look-alikes."""
    folder.mkdir(parents=True, exist_ok=True)
    writer = ShardWriter()
    for k, count in enumerate(decoys):
        writer.add(picture(count), np.random.default_rng(k))
    writer.write(folder / "train-000000")
    return folder / "train-000000"


def without_nothing(stem: Path) -> None:
    """Write the shard anew as it was before look-alikes had rows."""
    with np.load(stem.with_suffix(".npz")) as shard:
        arrays = dict(shard)
    arrays["objects"] = arrays["objects"][arrays["objects"][:, 1] != NOTHING]
    np.savez(stem.with_suffix(".npz"), **arrays)


def test_look_alikes_are_rows_of_their_own_class_and_crops_without_a_numeral(tmp_path: Path) -> None:
    with np.load(written(tmp_path, 2, 20).with_suffix(".npz")) as shard:
        objects, crops, crop_rows = shard["objects"], shard["crops"], shard["crop_rows"]
    for index, rows, cut in ((0, 2, 2), (1, 12, 3)):
        here = objects[objects[:, 0] == index]
        nothing = here[here[:, 1] == NOTHING]
        assert sorted(here[:, 1]) == [TILE, RACK] + [NOTHING] * rows
        truth = picture((2, 20)[index]).decoys_xy_px
        assert all(any(np.array_equal(row[4:].reshape(4, 2), q) for q in truth) for row in nothing)
        blank = crops[(crop_rows[:, 0] == index) & (crop_rows[:, 1] == NO_NUMERAL_CLASS)]
        # The middle of a look-alike's crop has its grey. One more crop may be cut anywhere but from tiles.
        middles = np.abs(blank[:, 30:60, 20:46].mean(axis=(1, 2, 3)) - 60) > 30
        assert middles.sum() in (cut, cut + 1)


def test_names_come_back_beside_look_alikes(tmp_path: Path) -> None:
    (shown,) = named_boxes(written(tmp_path, 5))
    assert shown.classes.tolist() == [Tile.parse("R3").index]


def test_seeds_start_where_they_are_told_to(tmp_path: Path) -> None:
    assert generate(tmp_path, 2, "train", 1, first=199) == 2
    assert [stem.name for stem in shard_stems(tmp_path)] == ["train-000001", "train-000002"]
    with np.load(tmp_path / "train-000002.npz") as shard:
        objects = shard["objects"]
    tiles = [t for t in render_picture(200, split="train").tiles if t.visible >= 0.3]
    truth = np.array([t.corners_xy_px.ravel() for t in tiles]).reshape(-1, 8)
    assert np.allclose(objects[objects[:, 1] < RACK][:, 4:], truth, atol=1e-3)
    assert generate(tmp_path, 2, "train", 1, first=199) == 0


def test_the_designs_may_be_of_another_split_than_the_rest(tmp_path: Path) -> None:
    for designs in (None, "ship"):
        generate(tmp_path / str(designs), 1, "train", 1, first=3, designs=designs)
    one, other = (np.load(tmp_path / name / "train-000000.npz")["crops"] for name in ("None", "ship"))
    assert one.shape[1:] == other.shape[1:]
    assert not np.array_equal(one, other)


# On a user's machine `go.py test` installs no torch (900 MB); where CI runs, all of these run.
needs_training = pytest.mark.skipif(
    any(importlib.util.find_spec(name) is None for name in ("torch", "ultralytics")),
    reason="needs the training extra",
)


@needs_training
@pytest.mark.filterwarnings("ignore")
def test_the_finder_is_shown_no_look_alike(tmp_path: Path) -> None:
    from vision.training.finder import ShardPictures

    written(tmp_path, 12, 0)
    pictures = ShardPictures([tmp_path], 320)
    kinds = {float(kind) for _ in range(5) for k in range(2) for kind in pictures[k]["cls"].ravel()}
    assert kinds <= {TILE, RACK}
    assert TILE in kinds


@needs_training
@pytest.mark.filterwarnings("ignore")
def test_the_refiner_is_told_that_look_alikes_are_neither(tmp_path: Path) -> None:
    from vision.training.refiner import collect

    stem = written(tmp_path, 4)
    squares, corners, kinds = collect([tmp_path], 0)
    # Squares around nothing at all are grey as the ground: no edge in them.
    seen = np.array([int(s.max()) - int(s.min()) > 40 for s in squares])
    assert sorted(kinds[seen]) == [0, 2, 2, 2, 2]
    assert not corners[kinds == 2].any()
    assert corners[kinds == 0].any()
    without_nothing(stem)
    squares, _, kinds = collect([tmp_path], 0)
    assert (kinds == 0).sum() == 1
    assert not any(int(s.max()) - int(s.min()) > 40 for s in squares[kinds == 2])


@needs_training
@pytest.mark.filterwarnings("ignore")
def test_refiner_training_starts_from_weights_of_half_precision(tmp_path: Path) -> None:
    import torch
    from safetensors.torch import save_file

    from vision.training.refiner import Refiner, train_refiner

    written(tmp_path / "data", 3)
    torch.manual_seed(1)
    state = Refiner().state_dict()
    save_file(
        {k: (v.half() if v.is_floating_point() else v) for k, v in state.items()}, tmp_path / "r.safetensors"
    )
    path = train_refiner([tmp_path / "data"], tmp_path / "out", 0.0, warm=tmp_path / "r.safetensors")
    after = torch.load(path, weights_only=True)
    assert all(torch.allclose(after[k].float(), v.float(), atol=1e-2) for k, v in state.items())


@needs_training
def test_the_average_of_a_short_training_is_its_end_and_not_its_beginning() -> None:
    import torch

    from vision.training.net import averaged

    net = torch.nn.Linear(1, 1, bias=False)
    mean = averaged(net, 0.9995)
    for step in range(200):
        torch.nn.init.constant_(net.weight, float(step))
        mean.update_parameters(net)
    assert 150 < mean.module.weight.item() < 199
