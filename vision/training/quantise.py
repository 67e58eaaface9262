"""Make exported models compute in bytes: a net takes about half the time on processors of the last years.

``python -m vision.training.quantise --weights DIR --data .work/shards --out vision/weights``

What every convolution is given and gives lies in a byte, over the range that pictures of ``--data`` show there;
its weights lie in 7 bits, a step for each channel, since some processors overflow on 8. The first convolutions,
the last ones (the finder's tell corners, boxes and scores) and all behind them stay in single precision.

Source: Jacob et al. 2018, "Quantization and Training of Neural Networks for Efficient Integer-Arithmetic-Only
Inference"; done by ONNX Runtime's own tool.
"""

from __future__ import annotations

import argparse
import json
import tempfile
from collections.abc import Iterable, Iterator, Mapping
from itertools import islice
from pathlib import Path
from types import MappingProxyType
from typing import Any

import numpy as np
import onnx
import torch
from numpy.typing import NDArray
from onnx import TensorProto, helper, numpy_helper
from onnxruntime.quantization import CalibrationDataReader, CalibrationMethod, QuantFormat, QuantType
from onnxruntime.quantization import quantize_static as quantize
from onnxruntime.quantization.shape_inference import quant_pre_process

from vision.classify import tile_white
from vision.models import COLOURS
from vision.onnx_adapter import OnnxModel
from vision.training.classifier import Crops, augmented
from vision.training.export import cut_colours, write_manifest
from vision.training.finder import ShardPictures
from vision.training.refiner import collect
from vision.training.stored import finish

Inputs = dict[str, NDArray[Any]]

_OPERATORS = ["Conv", "MaxPool", "Concat", "Resize", "Add"]
_LARGE = 4096
_PICTURES, _PICTURE_PX, _BATCHES, _BATCH = 48, 640, 24, 64


def _whole(path: Path, out: Path) -> None:
    """Write an exported model without the casts of its stored weights."""
    model = onnx.load(path)
    held = {tensor.name: tensor for tensor in model.graph.initializer}
    nodes, kept = [], dict(held)
    for node in model.graph.node:
        if node.op_type == "Cast" and node.input[0] in held:
            values = numpy_helper.to_array(held[node.input[0]]).astype(np.float32)
            kept[node.output[0]] = numpy_helper.from_array(values, node.output[0])
            kept.pop(node.input[0], None)
        else:
            nodes.append(node)
    del model.graph.initializer[:], model.graph.node[:]
    model.graph.initializer.extend(kept.values())
    model.graph.node.extend(nodes)
    onnx.save(model, out)


def outer_layers(model: onnx.ModelProto) -> list[str]:
    """Return the names of the first and last convolutions, and of all that no convolution leads to or follows.

    The first are given pictures, whose steps are fine already; behind the last ones lie a model's answers.
    """
    makers = {name: node for node in model.graph.node for name in node.output}
    led_to: dict[str, bool] = {}
    leads_on: dict[str, bool] = {node.name: False for node in model.graph.node}
    for node in model.graph.node:
        before = [makers[name] for name in node.input if name in makers]
        led_to[node.name] = any(one.op_type == "Conv" or led_to[one.name] for one in before)
    for node in reversed(model.graph.node):
        if node.op_type == "Conv" or leads_on[node.name]:
            leads_on |= {makers[name].name: True for name in node.input if name in makers}
    return [node.name for node in model.graph.node if not (led_to[node.name] and leads_on[node.name])]


def in_bytes(path: Path) -> bool:
    """Say whether a model computes in bytes already."""
    return any(node.op_type == "QuantizeLinear" for node in onnx.load(path).graph.node)


class _Reader(CalibrationDataReader):
    def __init__(self, inputs: Iterable[Inputs]) -> None:
        self._inputs = iter(inputs)

    def get_next(self) -> Inputs | None:
        return next(self._inputs, None)


def quantise(
    path: Path, inputs: Iterable[Inputs], out: Path, metadata: Mapping[str, str] = MappingProxyType({})
) -> None:
    """Write ``path`` as a model that computes in bytes; ``inputs`` show the ranges of what it computes.

    ``metadata`` takes the place of what ``path`` tells by the same keys.
    """
    with tempfile.TemporaryDirectory() as folder:
        whole, ready = Path(folder) / "whole.onnx", Path(folder) / "ready.onnx"
        _whole(path, whole)
        quant_pre_process(str(whole), str(ready), skip_symbolic_shape=True)
        stay = outer_layers(onnx.load(ready))
        quantize(
            str(ready), str(out), _Reader(inputs), quant_format=QuantFormat.QDQ, per_channel=True,
            reduce_range=True, activation_type=QuantType.QUInt8, weight_type=QuantType.QInt8,
            op_types_to_quantize=_OPERATORS, nodes_to_exclude=stay,
            calibrate_method=CalibrationMethod.MinMax,
        )  # fmt: skip
    _matrices_in_bytes(out)
    finish(out, metadata)


def _matrices_in_bytes(path: Path) -> None:
    """Store the big matrices of fully connected layers, which stay in single precision, in a byte each.

    Casting and multiplying are folded when a session opens; ``DequantizeLinear`` would be run each time.
    """
    model = onnx.load(path)
    held = {tensor.name: tensor for tensor in model.graph.initializer}
    for product in [node for node in model.graph.node if node.op_type == "Gemm"]:
        name = product.input[1]
        values = numpy_helper.to_array(held[name])
        by_rows = any(one.name == "transB" and one.i for one in product.attribute)
        if values.dtype != np.float32 or values.size < _LARGE or not by_rows:
            continue
        step = np.maximum(np.abs(values).max(axis=1, keepdims=True) / 127, 1e-12).astype(np.float32)
        whole = np.round(values / step).astype(np.int8)
        model.graph.initializer.remove(held[name])
        model.graph.initializer.append(numpy_helper.from_array(whole, f"{name}_whole"))
        model.graph.initializer.append(numpy_helper.from_array(step, f"{name}_step"))
        cast = helper.make_node("Cast", [f"{name}_whole"], [f"{name}_steps"], to=TensorProto.FLOAT)
        model.graph.node.insert(0, helper.make_node("Mul", [f"{name}_steps", f"{name}_step"], [name]))
        model.graph.node.insert(0, cast)
    onnx.save(model, path)


def finder_inputs(folders: list[Path], count: int = _PICTURES) -> Iterator[Inputs]:
    """Yield pictures of shards as the finder sees them."""
    pictures = ShardPictures(folders, _PICTURE_PX)
    rng = np.random.default_rng(0)
    for k in rng.permutation(len(pictures))[:count]:
        rgb = pictures.varied(int(k), rng)["img"].numpy()
        yield {"image_bgr": np.ascontiguousarray(rgb.transpose(1, 2, 0)[None, :, :, ::-1])}


def refiner_inputs(folders: list[Path], batches: int = _BATCHES) -> Iterator[Inputs]:
    """Yield batches of squares of shards."""
    squares = collect(folders, 0, 20)[0]
    order = np.random.default_rng(0).permutation(len(squares))
    for k in range(batches):
        some = squares[order[k * _BATCH : (k + 1) * _BATCH]]
        if len(some):
            yield {"squares": np.ascontiguousarray(some.transpose(0, 3, 1, 2)[:, ::-1] / np.float32(255))}


def classifier_inputs(folders: list[Path], batches: int = _BATCHES) -> Iterator[Inputs]:
    """Yield crops of shards, those of a picture together."""
    data = Crops.load(folders, "cpu")
    generator = torch.Generator().manual_seed(0)
    order = np.random.default_rng(0).permutation(len(data.count))
    for k in islice(order, batches * 4):
        span = slice(int(data.first[k]), int(data.first[k] + data.count[k]))
        crops = augmented(data.crops[span], True, generator)[0].numpy()
        bgr = np.round(crops[:, ::-1].transpose(0, 2, 3, 1) * 255).astype(np.uint8)
        yield {"crops": crops, "white": tile_white(bgr)}


_INPUTS = {"finder": finder_inputs, "refiner": refiner_inputs, "classifier": classifier_inputs}


def _differences(before: Path, after: Path, inputs: Iterable[Inputs]) -> dict[str, float]:
    """Return by how much two models' outputs differ in the mean, in shares of their standard deviation."""
    one, other = OnnxModel.from_file(before), OnnxModel.from_file(after)
    found: dict[str, list[float]] = {}
    for given in inputs:
        was, now = one(given), other(given)
        for name, values in was.items():
            apart = float(np.abs(values - now[name]).mean()) / max(float(values.std()), 1e-9)
            found.setdefault(name, []).append(apart)
    return {name: float(np.mean(apart)) for name, apart in found.items()}


def main() -> None:
    """Run from the command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--weights", type=Path, required=True, help="folder with exported models")
    parser.add_argument("--data", type=Path, nargs="+", required=True, help="shards")
    parser.add_argument(
        "--roles", nargs="+", default=list(_INPUTS), choices=list(_INPUTS),
        help="others, and those that compute in bytes already, are taken over",
    )  # fmt: skip
    parser.add_argument("--out", type=Path, required=True)
    args = parser.parse_args()
    if args.out.resolve() == args.weights.resolve():
        parser.error("--out has to be another folder than --weights")
    args.out.mkdir(parents=True, exist_ok=True)
    old = json.loads((args.weights / "manifest.json").read_text("utf-8"))
    differences: dict[str, dict[str, float]] = {}
    for role in [name for name in old if "file" in old[name]]:
        source, target = args.weights / old[role]["file"], args.out / old[role]["file"]
        if role not in args.roles or in_bytes(source):
            target.write_bytes(source.read_bytes())
            differences[role] = old[role].get("export_difference", {})
            continue
        quantise(source, _INPUTS[role](args.data), target, old["about"])
        differences[role] = _differences(source, target, _INPUTS[role](args.data, 8))
    if COLOURS not in old:
        cut_colours(args.out / "classifier.onnx", args.out / f"{COLOURS}.onnx")
    temperatures = {role: one["temperatures"] for role, one in old.items() if "temperatures" in one}
    write_manifest(args.out, temperatures, differences, old["about"])
    print(json.dumps(differences, indent=2))


if __name__ == "__main__":
    main()
