"""Training models out of their exported ONNX files, so that a warm start needs no second copy of the weights.

An exported model has its batch norms folded into its convolutions. Here each gets a batch norm that changes
nothing, and then that batch norm is given the mean and spread that the convolution shows on real pictures: what
the model says stays the same, and training goes on from there as if it had never been folded.
"""

from __future__ import annotations

from collections.abc import Callable
from itertools import islice
from pathlib import Path
from typing import Any

import numpy as np
import onnx
import torch
from google.protobuf.message import DecodeError
from numpy.typing import NDArray
from onnx import numpy_helper
from torch import nn

__all__ = ["begin_with", "spread_norms", "unfuse"]

_NORM_BATCHES = 8


def unfuse(file: Path, model: nn.Module, *, partly: bool = False) -> list[str]:
    """Load an exported model into a fresh one of its kind; ValueError where they do not match.

    ``partly``: what has no match stays fresh, so that a model begins with what a like one knows; of less than
    half of it, it would know nothing. Returns the names of such layers.
    """
    stored = _stored(file)
    layers = [
        (name, module)
        for name, module in model.named_modules()
        if isinstance(module, nn.Conv2d | nn.Linear | nn.LayerNorm)
    ]
    missing = []
    with torch.no_grad():
        for name, module in layers:
            weight, bias = stored.get(f"{name}.weight"), stored.get(f"{name}.bias")
            fits = weight is not None and bias is not None and weight.shape == module.weight.shape
            if not fits or weight is None or bias is None:
                # A sum that never learns is exported in another form.
                missing += [name] if module.weight.requires_grad else []
                continue
            module.weight.copy_(weight)
            if module.bias is not None:
                module.bias.copy_(bias)
                continue
            norm = _norm_after(model, name)
            norm.running_mean.zero_()
            norm.running_var.fill_(1.0)
            norm.weight.fill_((1 + norm.eps) ** 0.5)
            norm.bias.copy_(bias)
    if len(missing) > (len(layers) / 2 if partly else 0):
        raise ValueError(f"{file} is not of this model: it holds no {', '.join(missing[:3])}.")
    return missing


def spread_norms(model: nn.Module, run: Callable[[], object]) -> None:
    """Give unfused batch norms the mean and spread that they meet while ``run`` runs the model."""
    norms = [module for module in model.modules() if isinstance(module, nn.BatchNorm2d)]
    count = dict.fromkeys(norms, 0)
    total = {norm: torch.zeros_like(norm.bias, dtype=torch.float64) for norm in norms}
    square = {norm: torch.zeros_like(norm.bias, dtype=torch.float64) for norm in norms}

    def see(norm: nn.Module, given: tuple[torch.Tensor, ...]) -> None:
        assert isinstance(norm, nn.BatchNorm2d)
        x = given[0].double()
        count[norm] += x.numel() // x.shape[1]
        total[norm] += x.sum((0, 2, 3))
        square[norm] += x.pow(2).sum((0, 2, 3))

    hooks = [norm.register_forward_pre_hook(see) for norm in norms]
    model.eval()
    with torch.no_grad():
        run()
        for norm, hook in zip(norms, hooks, strict=True):
            hook.remove()
            if not count[norm]:
                continue
            mean = total[norm] / count[norm]
            variance = (square[norm] / count[norm] - mean**2).clamp(min=1e-6)
            # What it did so far: x * gain + shift.
            gain = norm.weight.double() / (norm.running_var.double() + norm.eps).sqrt()
            shift = norm.bias.double() - norm.running_mean.double() * gain
            norm.running_mean.copy_(mean)
            norm.running_var.copy_(variance)
            norm.weight.copy_(gain * (variance + norm.eps).sqrt())
            norm.bias.copy_(shift + mean * gain)


def begin_with(file: Path, trainer: Any) -> list[str]:
    """Give an ultralytics trainer's model what fits it of an exported one; return the layers that stay fresh.

    Its batch norms get the mean and spread of the first batches of its pictures.
    """
    model = trainer.model
    fresh = unfuse(file, model, partly=True)

    def look() -> None:
        for batch in islice(trainer.train_loader, _NORM_BATCHES):
            model(batch["img"].to(trainer.device).float() / 255)

    spread_norms(model, look)
    model.train()
    return fresh


def _stored(file: Path) -> dict[str, torch.Tensor]:
    """Return the parameters of a file by their names in the model that it was exported from."""
    try:
        graph = onnx.load(file).graph
    except DecodeError:
        raise ValueError(f"{file} is no ONNX file.") from None
    held = {tensor.name: numpy_helper.to_array(tensor) for tensor in graph.initializer}
    for node in graph.node:
        known = [held[name] for name in node.input if name in held]
        if node.op_type == "Identity" and known:
            held[node.output[0]] = known[0]
        elif node.op_type == "Cast" and known:
            held[node.output[0]] = known[0].astype(np.float32)
        elif node.op_type == "Mul" and len(known) == 2:
            held[node.output[0]] = known[0] * known[1]
        elif node.op_type == "DequantizeLinear" and len(known) == 3:
            axis = next((a.i for a in node.attribute if a.name == "axis"), 1)
            held[node.output[0]] = _dequantised(known[0], known[1], known[2], axis)
    found: dict[str, torch.Tensor] = {}
    for node in graph.node:
        values = [torch.from_numpy(held[i].copy()).float() for i in node.input if i in held]
        name = _module(node.name)
        if node.op_type in ("Conv", "Gemm", "LayerNormalization") and len(values) == 2:
            found[f"{name}.weight"], found[f"{name}.bias"] = values
        elif node.op_type == "MatMul" and values:
            found[f"{name}.weight"] = values[0].T
        elif node.op_type == "Add" and values:
            found[f"{name}.bias"] = values[0]
    return _joined(found)


def _dequantised(
    whole: NDArray[Any], step: NDArray[np.float32], zero: NDArray[Any], axis: int
) -> NDArray[np.float32]:
    """Return what whole steps mean; ``step`` and ``zero`` are one number or one for each index of ``axis``."""
    shape = [-1 if k == axis else 1 for k in range(whole.ndim)] if step.size > 1 else []
    off = whole.astype(np.float32) - zero.astype(np.float32).reshape(shape)
    return np.asarray(off * step.reshape(shape), np.float32)


def _joined(found: dict[str, torch.Tensor]) -> dict[str, torch.Tensor]:
    """Put convolutions together that were exported in two halves, ``cv1.parts.0`` and ``cv1.parts.1``."""
    whole = {name: value for name, value in found.items() if ".parts." not in name}
    for name, value in found.items():
        if ".parts.0." in name:
            other = found[name.replace(".parts.0.", ".parts.1.")]
            whole[name.replace(".parts.0.", ".conv.")] = torch.cat([value, other])
    return whole


def _module(node: str) -> str:
    """Return the module behind a node: ``/trunk/trunk.4/two/two.0/Conv`` is of ``trunk.4.two.0``."""
    parts = node.strip("/").split("/")[:-1]
    kept = [a for k, a in enumerate(parts) if not "".join(parts[k + 1 : k + 2]).startswith(f"{a}.")]
    return ".".join(kept)


def _norm_after(model: nn.Module, conv: str) -> nn.BatchNorm2d:
    """Return the batch norm that followed a convolution: ``bn`` beside it, or the next of its sequence."""
    parent, _, own = conv.rpartition(".")
    beside = model.get_submodule(parent)
    norm = beside[int(own) + 1] if isinstance(beside, nn.Sequential) else beside.get_submodule("bn")
    assert isinstance(norm, nn.BatchNorm2d)
    return norm
