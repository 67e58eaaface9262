"""The classifier: number and colour of upright crops, and which way they are up.

Input ``crops``: (N, 3, 64, 48) float32 in RGB 0..1, all tiles of *one* picture; colour is decided for the whole
table, by attention over its tiles. The tile's own white is found in the graph's input ``white`` (N, 3): the
bright tone of each crop, RGB 0..1.
Outputs: ``number`` (N, 15) logits 1..13, joker, no numeral; ``colour`` (N, 4) logits R B K O, decided jointly;
``colour_alone`` (N, 4), each crop on its own; ``turn`` (N, 4), quarter turns by which the crop is off upright.
"""

from __future__ import annotations

import math
from collections.abc import Mapping

import torch
from torch import nn
from torch.nn import functional as F
from torch.optim.swa_utils import AveragedModel, get_ema_multi_avg_fn

FEATURES = 192
TOKEN = 64


def conv(cin: int, cout: int, stride: int = 1) -> nn.Sequential:
    """Return a 3x3 convolution with batch norm and ReLU."""
    return nn.Sequential(
        nn.Conv2d(cin, cout, 3, stride, 1, bias=False), nn.BatchNorm2d(cout), nn.ReLU(inplace=True)
    )


class Residual(nn.Module):
    """Two 3x3 convolutions around a shortcut."""

    def __init__(self, width: int) -> None:
        """Keep ``width`` channels."""
        super().__init__()
        self.one = conv(width, width)
        self.two = nn.Sequential(nn.Conv2d(width, width, 3, 1, 1, bias=False), nn.BatchNorm2d(width))

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        """Return the same shape."""
        return F.relu(x + self.two(self.one(x)))


class Attend(nn.Module):
    """One pre-norm transformer layer over the tiles of a picture, written out so that it exports plainly."""

    def __init__(self, width: int = TOKEN, heads: int = 4) -> None:
        """Use ``heads`` heads of ``width / heads``."""
        super().__init__()
        self.heads = heads
        self.norm_a, self.norm_b = nn.LayerNorm(width), nn.LayerNorm(width)
        self.qkv, self.out = nn.Linear(width, 3 * width), nn.Linear(width, width)
        self.mlp = nn.Sequential(nn.Linear(width, 2 * width), nn.ReLU(), nn.Linear(2 * width, width))

    def forward(self, x: torch.Tensor, absent: torch.Tensor | None) -> torch.Tensor:
        """``x`` is (B, T, width); ``absent`` (B, T) is true for padding."""
        b, t, w = x.shape
        q, k, v = self.qkv(self.norm_a(x)).reshape(b, t, 3, self.heads, w // self.heads).permute(2, 0, 3, 1, 4)
        scores = (q @ k.transpose(-1, -2)) * (w // self.heads) ** -0.5
        if absent is not None:
            scores = scores.masked_fill(absent[:, None, None, :], -1e4)
        mixed = (scores.softmax(-1) @ v).transpose(1, 2).reshape(b, t, w)
        x = x + self.out(mixed)
        return x + self.mlp(self.norm_b(x))


class TileNet(nn.Module):
    """See the module."""

    def __init__(self) -> None:
        """Build with fresh weights."""
        super().__init__()
        # Widths are multiples of 32: others are several times slower on a CPU in bf16.
        self.trunk = nn.Sequential(
            conv(3, 32, 2), conv(32, 64, 2), Residual(64), conv(64, 128, 2), Residual(128), Residual(128),
            conv(128, 128, 2),
        )  # fmt: skip
        self.squeeze = nn.Sequential(nn.Flatten(), nn.Linear(128 * 4 * 3, FEATURES), nn.ReLU())
        self.drop = nn.Dropout(0.1)
        self.number = nn.Linear(FEATURES, 15)
        self.colour_alone = nn.Linear(FEATURES, 4)
        self.turn = nn.Linear(FEATURES, 4)
        self.token = nn.Linear(FEATURES + 4 + 6, TOKEN)
        self.layers = nn.ModuleList([Attend(), Attend()])
        self.colour = nn.Sequential(nn.LayerNorm(TOKEN), nn.Linear(TOKEN, 4))

    def features(
        self, crops: torch.Tensor, white: torch.Tensor
    ) -> tuple[torch.Tensor, dict[str, torch.Tensor]]:
        """Return the features (N, 192) and the outputs that each crop has on its own."""
        relative = (crops / white[:, :, None, None].clamp(min=0.04)).clamp(max=1.6)
        f = self.drop(self.squeeze(self.trunk(relative * 2 - 1.4)))
        own = {"number": self.number(f), "colour_alone": self.colour_alone(f), "turn": self.turn(f)}
        return f, own

    def together(
        self, f: torch.Tensor, alone: torch.Tensor, white: torch.Tensor, absent: torch.Tensor | None
    ) -> torch.Tensor:
        """Return joint colour logits (B, T, 4) of B pictures of T tiles."""
        log_white = white.clamp(min=0.02).log()
        if absent is None:
            middle = log_white.mean(dim=1, keepdim=True)
        else:
            present = (~absent).unsqueeze(-1).to(log_white.dtype)
            middle = (log_white * present).sum(1, keepdim=True) / present.sum(1, keepdim=True).clamp(min=1)
        x = self.token(torch.cat([f, alone, log_white, log_white - middle], dim=-1))
        for layer in self.layers:
            x = layer(x, absent)
        logits: torch.Tensor = self.colour(x)
        return logits

    def forward(self, crops: torch.Tensor, white: torch.Tensor) -> tuple[torch.Tensor, ...]:
        """Read all tiles of one picture; see the module for the outputs."""
        f, own = self.features(crops, white)
        joint = self.together(f[None], own["colour_alone"][None], white[None], None)[0]
        return own["number"], joint, own["colour_alone"], own["turn"]


def tile_white(crops: torch.Tensor) -> torch.Tensor:
    """Return the tile's own white of crops (N, 3, H, W): per channel the 85th percentile of the inner part.

    :func:`vision.classify.tile_white` does the same at the table.
    """
    height, width = crops.shape[2:]
    inner = crops[:, :, height // 5 : -(height // 5) : 2, width // 5 : -(width // 5) : 2].flatten(2)
    k = int(0.85 * (inner.shape[2] - 1)) + 1
    return inner.kthvalue(k, dim=2).values


def annealed(done: float) -> float:
    """Return the share of the learning rate when this share of a training is done: warm-up, then a cosine."""
    return min(done / 0.03, 1.0) * (0.01 + 0.99 * 0.5 * (1 + math.cos(math.pi * done)))


def averaged(net: nn.Module, decay: float) -> AveragedModel:
    """Return a copy of ``net`` for its weights' moving average: ``update_parameters(net)`` after every step.

    The average reaches back over a tenth of the steps so far, at most over 1 / (1 - ``decay``) of them: a short
    training that starts warm must not end as mostly the weights it began with.
    """

    def move(mean: list[torch.Tensor], now: list[torch.Tensor], steps: torch.Tensor | int) -> None:
        get_ema_multi_avg_fn(min(decay, (1 + int(steps)) / (10 + int(steps))))(mean, now, steps)

    return AveragedModel(net, multi_avg_fn=move, use_buffers=True)


def between(
    began: Mapping[str, torch.Tensor], ended: Mapping[str, torch.Tensor], share: float
) -> dict[str, torch.Tensor]:
    """Return the mean of two states of a net, to this ``share`` of the latter; counts stay as they began.

    A net trained on forgets least so: Wortsman et al. 2022, "Robust fine-tuning of zero-shot models".
    """
    return {
        name: torch.lerp(value, ended[name], share) if value.is_floating_point() else value
        for name, value in began.items()
    }
