"""The table of reading times, with readers that take no time; and OpenVINO beside ONNX Runtime."""

from __future__ import annotations

import importlib.util

import numpy as np
import pytest

from vision.errors import WeightsError
from vision.evaluation.speed import measure_speed, speed_scene, speed_table
from vision.onnx_adapter import OnnxModel
from vision.picture import Picture
from vision.readings import PhotoReading


class _Reader:
    """Says what it was shown, and that finding took a millisecond more each time."""

    def __init__(self) -> None:
        self.shown: list[tuple[int, int]] = []

    def __call__(self, picture: Picture) -> PhotoReading:
        self.shown.append(picture.size_wh)
        ms = {"find": float(len(self.shown)), "refine": 2.0, "classify": 3.0, "layout": 1.0}
        return PhotoReading(picture.size_wh, "empty", ms=ms)


def test_every_reader_sees_every_picture_equally_often_and_medians_leave_the_first_runs_out() -> None:
    readers = {("one", 1): _Reader(), ("two", 2): _Reader()}
    scene = np.zeros((40, 60, 3), np.uint8)
    rows = list(measure_speed(readers, {5: scene, 7: scene}, 3, [(30, 20), (60, 40)]))
    assert [(r.size_wh, r.tiles, r.backend, r.threads) for r in rows] == [
        (size, tiles, *key) for size in ((30, 20), (60, 40)) for tiles in (5, 7) for key in readers
    ]
    for reader in readers.values():
        assert reader.shown == [(30, 20)] * 10 + [(60, 40)] * 10
    # Two runs that do not count come before the three that do: 3, 4, 5.
    assert rows[0].ms["find"] == 4.0
    assert rows[0].read == 0
    assert 0 <= rows[0].fastest_ms <= rows[0].ms["whole"]
    lines = speed_table(rows).splitlines()
    assert len(lines) == 2 + len(rows)
    assert lines[2].startswith("| 30 x 20 | 5 | 0 | one | 1 | 4 | 2 | 3 |")
    assert {line.count("|") for line in lines} == {13}


@pytest.mark.parametrize("tiles", [0, 107])
def test_no_more_tiles_are_laid_than_a_box_holds(tiles: int) -> None:
    with pytest.raises(ValueError, match="106"):
        speed_scene(tiles)


def test_a_scene_is_a_picture_of_the_size_asked_for() -> None:
    assert speed_scene(3, (160, 120)).shape == (120, 160, 3)


# Only measured beside ONNX Runtime: nothing needs it, so the test command does not install it.
@pytest.mark.skipif(importlib.util.find_spec("openvino") is None, reason="needs the extra openvino")
@pytest.mark.filterwarnings("ignore")
def test_openvino_says_what_onnx_runtime_says() -> None:
    from importlib import resources

    from vision.openvino_adapter import OpenVinoModel

    data = (resources.files("vision") / "weights" / "stance.onnx").read_bytes()
    one, other = OnnxModel(data, "stance.onnx", 1), OpenVinoModel(data, "stance.onnx", 1)
    assert other.outputs == one.outputs
    squares = np.random.default_rng(0).random((3, 3, 64, 64), np.float32)
    first = other({"squares": squares})["stance"]
    assert np.allclose(first, one({"squares": squares})["stance"], atol=1e-3)
    kept = first.copy()
    other({"squares": squares[::-1].copy()})
    assert np.array_equal(first, kept), "a later run wrote over an earlier one's outputs"
    with pytest.raises(WeightsError, match=r"broken\.onnx"):
        OpenVinoModel(b"no weights", "broken.onnx", 1)
