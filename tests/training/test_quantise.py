"""Models that compute in bytes say nearly what their sources say, and can be trained on. Needs the extra."""

import importlib.util
import re
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

# Looked for, not imported: the adapter has to import it first.
for _name in ("torch", "ultralytics"):
    if importlib.util.find_spec(_name) is None:
        pytest.skip(f"needs the training extra: {_name}", allow_module_level=True)


pytestmark = pytest.mark.filterwarnings("ignore")


def _squares(count: int) -> Iterator[dict[str, np.ndarray]]:
    rng = np.random.default_rng(0)
    for _ in range(count):
        yield {"squares": rng.random((8, 3, 64, 64), np.float32)}


def test_a_refiner_in_bytes_agrees_nearly_is_smaller_and_trains_on(tmp_path: Path) -> None:
    import onnx
    import torch

    from vision.onnx_adapter import OnnxModel
    from vision.training.export import export_squares
    from vision.training.quantise import quantise
    from vision.training.refiner import Refiner
    from vision.training.unfused import unfuse

    torch.manual_seed(0)
    net, file, small = Refiner(), tmp_path / "r.onnx", tmp_path / "r8.onnx"
    export_squares(net, file, ["corners", "kind"], {"recipe": "test"})
    quantise(file, _squares(4), small)
    one, other = OnnxModel.from_file(file), OnnxModel.from_file(small)
    assert other.metadata["recipe"] == "test"
    assert small.stat().st_size < 0.65 * file.stat().st_size
    given = next(_squares(1))
    was, now = one(given), other(given)
    for name, values in was.items():
        # Seven bits of weight and eight of what lies between: some hundredths of what the outputs span.
        assert np.abs(now[name] - values).max() < 0.1 * (np.ptp(values) + 1e-6), name
    # Corners and kinds are told in single precision: as many values as faces, not 256 steps.
    nodes = {node.name: node for node in onnx.load(small).graph.node}
    last = [n for n in nodes.values() if set(n.output) & {"corners", "kind"} or "corners" in n.name]
    assert not [n for n in last if n.op_type == "QuantizeLinear"]
    again = Refiner()
    unfuse(small, again)
    for (name, value), read in zip(net.state_dict().items(), again.state_dict().values(), strict=True):
        if name.endswith("weight") and value.ndim > 1:
            assert (value - read).abs().max() <= value.abs().max() / 60, name


def test_a_finder_in_bytes_tells_boxes_scores_and_corners_in_single_precision_and_trains_on(
    tmp_path: Path,
) -> None:
    import onnx
    import torch
    from ultralytics.utils import YAML

    from vision import ultralytics_adapter as ultra
    from vision.onnx_adapter import OnnxModel
    from vision.training.export import export_finder
    from vision.training.finder import MODEL
    from vision.training.quantise import quantise
    from vision.training.unfused import unfuse

    def fresh(seed: int) -> torch.nn.Module:
        torch.manual_seed(seed)
        shape = {**YAML.load(MODEL), "scale": "n"}
        return ultra.PoseModel(shape, nc=3, data_kpt_shape=(4, 2), verbose=False).eval()

    rng = np.random.default_rng(0)
    shown = [{"image_bgr": rng.integers(0, 255, (1, 96, 128, 3)).astype(np.uint8)} for _ in range(3)]
    model = fresh(0)
    wanted = model.state_dict()
    export_finder(model.fuse(verbose=False), tmp_path / "f.onnx", {})
    quantise(tmp_path / "f.onnx", iter(shown), tmp_path / "f8.onnx")
    one, other = OnnxModel.from_file(tmp_path / "f.onnx"), OnnxModel.from_file(tmp_path / "f8.onnx")
    was, now = one(shown[0])["objects"], other(shown[0])["objects"]
    assert was.shape == now.shape
    # A cell is 8 pixels and more: decoding in bytes would be off by half a picture's 256th.
    assert np.abs(was[:, 7:] - now[:, 7:]).mean() < 0.5
    assert np.abs(was[:, :4] - now[:, :4]).mean() < 0.5
    assert np.abs(was[:, 4:7] - now[:, 4:7]).max() < 0.01
    graph = onnx.load(tmp_path / "f8.onnx").graph
    last = [node for node in graph.node if re.fullmatch(r".*/model\.23/cv\d\.\d/cv\d\.\d\.2/Conv", node.name)]
    told = {name for node in last for name in node.output}
    assert len(last) == 9  # boxes, scores and corners at three scales
    assert not [n for n in graph.node if n.op_type == "QuantizeLinear" and n.input[0] in told]
    again = fresh(1)
    unfuse(tmp_path / "f8.onnx", again)
    halves = "model.2.cv1.conv.weight"
    gain = (wanted["model.2.cv1.bn.weight"] / (wanted["model.2.cv1.bn.running_var"] + 1e-3).sqrt())[
        :, None, None, None
    ]
    folded = wanted[halves] * gain
    assert (again.state_dict()[halves] - folded).abs().max() <= folded.abs().max() / 60


def test_a_classifier_in_bytes_agrees_nearly_is_averaged_and_gives_its_colours_away(tmp_path: Path) -> None:
    import torch

    from vision.onnx_adapter import OnnxModel
    from vision.training.average import average
    from vision.training.export import cut_colours, export_classifier
    from vision.training.net import TileNet
    from vision.training.quantise import quantise

    torch.manual_seed(0)
    net, file, small = TileNet(), tmp_path / "c.onnx", tmp_path / "c8.onnx"
    export_classifier(net, file, {})
    rng = np.random.default_rng(0)
    shown = [
        {
            "crops": rng.random((9, 3, 64, 48), np.float32),
            "white": rng.uniform(0.5, 1, (9, 3)).astype(np.float32),
        }
        for _ in range(4)
    ]
    quantise(file, iter(shown), small)
    was, now = OnnxModel.from_file(file)(shown[0]), OnnxModel.from_file(small)(shown[0])
    for name, values in was.items():
        assert np.abs(now[name] - values).mean() < 0.1 * values.std(), name
    # Colours are settled behind the last convolution: in single precision, and the same by themselves.
    assert cut_colours(small, tmp_path / "colours.onnx")
    told = {"features": now["features"], "colour_alone": now["colour_alone"], "white": shown[0]["white"]}
    assert np.allclose(OnnxModel.from_file(tmp_path / "colours.onnx")(told)["colour"], now["colour"], atol=1e-4)
    again = average(small, small)
    assert (again["number.weight"] - net.number.weight).abs().max() < net.number.weight.abs().max() / 250


def test_a_start_from_a_like_model_takes_what_fits_and_refuses_another_one(tmp_path: Path) -> None:
    import torch

    from vision.training.export import export_squares
    from vision.training.refiner import Refiner
    from vision.training.unfused import unfuse

    torch.manual_seed(0)
    export_squares(Refiner(), tmp_path / "r.onnx", ["corners", "kind"], {})
    like = Refiner()
    like.kind = torch.nn.Linear(256, 5)
    with pytest.raises(ValueError, match="holds no kind"):
        unfuse(tmp_path / "r.onnx", like)
    unfuse(tmp_path / "r.onnx", like, partly=True)
    exact = Refiner()
    unfuse(tmp_path / "r.onnx", exact)
    assert torch.equal(like.corners.weight, exact.corners.weight)
    with pytest.raises(ValueError, match="not of this model"):
        unfuse(tmp_path / "r.onnx", torch.nn.Sequential(torch.nn.Conv2d(3, 3, 1)), partly=True)
