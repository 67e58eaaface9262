"""The one place where training touches ultralytics: quiet, offline, and mended for torch's CPU build.

Nothing here is imported at the table.
"""

from __future__ import annotations

import os
from contextlib import AbstractContextManager
from typing import Any

os.environ.setdefault("YOLO_AUTOINSTALL", "false")
os.environ.setdefault("YOLO_OFFLINE", "true")
os.environ.setdefault("YOLO_VERBOSE", "false")

import torch


def mend_torchvision() -> None:
    """Declare torchvision's nms where its compiled operators are missing (CPU torch beside a CUDA torchvision).

    Without the declaration ``import torchvision`` fails, and with it ultralytics. Harmless elsewhere.
    """
    try:
        import torchvision  # noqa: F401
    except (RuntimeError, ImportError):
        library = torch.library.Library("torchvision", "DEF")
        library.define("nms(Tensor dets, Tensor scores, float iou_threshold) -> Tensor")
        library.define("qnms(Tensor dets, Tensor scores, float iou_threshold) -> Tensor")

        def nms(boxes: torch.Tensor, scores: torch.Tensor, iou_threshold: float) -> torch.Tensor:
            from ultralytics.utils.nms import TorchNMS

            return TorchNMS.nms(boxes, scores, iou_threshold)

        library.impl("nms", nms, "CPU")
        _keep.append(library)


# A Library object un-declares its operators when it is collected.
_keep: list[Any] = []

mend_torchvision()

from ultralytics.engine import trainer as _trainer  # noqa: E402
from ultralytics.models.yolo.pose import PoseTrainer  # noqa: E402
from ultralytics.nn.tasks import PoseModel  # noqa: E402
from ultralytics.utils import SETTINGS, YAML  # noqa: E402


def go_quiet() -> None:
    """Stop ultralytics from reporting usage."""
    if SETTINGS.get("sync"):
        SETTINGS.update(sync=False)


def use_cpu_bf16() -> None:
    """Let the trainer run in bf16 on a CPU, which doubles its speed where the CPU has bf16."""

    def autocast(*_args: Any, **_kwargs: Any) -> AbstractContextManager[None]:
        mode: AbstractContextManager[None] = torch.autocast("cpu", dtype=torch.bfloat16)
        return mode

    _trainer.autocast = autocast


__all__ = ["SETTINGS", "YAML", "PoseModel", "PoseTrainer", "go_quiet", "use_cpu_bf16"]
