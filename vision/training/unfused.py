"""The finder's training model out of its ONNX file, so that a warm start needs no second copy of the weights.

An exported finder has its batch norms folded into its convolutions. Here each gets a batch norm that changes
nothing, and then that batch norm is given the mean and spread that the convolution shows on real pictures: what
the model says stays the same, and training goes on from there as if it had never been folded.
"""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

import onnx
import torch
from onnx import numpy_helper
from torch import nn

__all__ = ["spread_norms", "unfuse"]

_PREFIX = "model."
_HALF = "_half"


def unfuse(file: Path, model: nn.Module) -> None:
    """Load an exported finder into ``model``, a fresh one; ValueError where they do not match."""
    stored = {
        tensor.name.removesuffix(_HALF).removeprefix(_PREFIX): torch.from_numpy(
            numpy_helper.to_array(tensor).copy()
        ).float()
        for tensor in onnx.load(file).graph.initializer
    }
    with torch.no_grad():
        for name, module in model.named_modules():
            if not isinstance(module, nn.Conv2d):
                continue
            if not {f"{name}.weight", f"{name}.bias"} <= set(stored):
                if module.weight.requires_grad:
                    raise ValueError(f"{file} holds no {name}: it is not of this model.")
                continue  # a fixed sum that export writes otherwise
            module.weight.copy_(stored[f"{name}.weight"])
            bias = stored[f"{name}.bias"]
            if module.bias is not None:
                module.bias.copy_(bias)
                continue
            norm = _norm_after(model, name)
            norm.running_mean.zero_()
            norm.running_var.fill_(1.0)
            norm.weight.fill_((1 + norm.eps) ** 0.5)
            norm.bias.copy_(bias)


def spread_norms(model: nn.Module, batches: Iterable[torch.Tensor]) -> None:
    """Give unfused batch norms the mean and spread that ``batches`` (B, 3, H, W) show; outputs stay."""
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
        for batch in batches:
            model(batch)
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


def _norm_after(model: nn.Module, conv: str) -> nn.BatchNorm2d:
    norm = model.get_submodule(f"{conv.rpartition('.')[0]}.bn")
    assert isinstance(norm, nn.BatchNorm2d)
    return norm
