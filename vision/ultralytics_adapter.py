"""The one adapter to ultralytics: quiet, offline, and mended for torch's CPU build.

Training goes through it, and whoever has a GPU may find tiles with it: :class:`UltralyticsFinder` stands in for
:class:`vision.finder_looks.OnnxFinder`. It needs the extra ``train``; nothing here is imported at the table
otherwise.
"""

from __future__ import annotations

import os
from contextlib import AbstractContextManager
from pathlib import Path
from typing import Any

os.environ.setdefault("YOLO_AUTOINSTALL", "false")
os.environ.setdefault("YOLO_OFFLINE", "true")
os.environ.setdefault("YOLO_VERBOSE", "false")

import numpy as np
import PIL.Image
import torch
from numpy.typing import NDArray


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

# Ultralytics replaces Pillow's own opening of files, for the whole process; we want it as it was.
_open_image = PIL.Image.open

from ultralytics.engine import trainer as _trainer  # noqa: E402
from ultralytics.models.yolo.detect import DetectionTrainer  # noqa: E402
from ultralytics.models.yolo.pose import PoseTrainer  # noqa: E402
from ultralytics.nn.tasks import PoseModel  # noqa: E402
from ultralytics.utils import SETTINGS  # noqa: E402

PIL.Image.open = _open_image


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


class UltralyticsFinder:
    """The finder on ultralytics and torch, from a training checkpoint; on a GPU where there is one."""

    def __init__(self, model: torch.nn.Module, device: str | None = None) -> None:
        """Take a pose model of three classes and four corners; ``device`` None takes a GPU if it can."""
        self._device = device or ("cuda" if torch.cuda.is_available() else "cpu")
        self._model = model.to(self._device).float().eval()

    @classmethod
    def load(cls, checkpoint: Path, device: str | None = None) -> UltralyticsFinder:
        """Open a checkpoint of this project's own training (a pickle: open none that you do not trust)."""
        go_quiet()
        saved = torch.load(checkpoint, map_location="cpu", weights_only=False)
        return cls(saved["ema"] or saved["model"], device)

    def raw(self, image_bgr: NDArray[np.uint8]) -> NDArray[np.float32]:
        """See :class:`vision.find.FinderModel`."""
        rgb = torch.from_numpy(np.ascontiguousarray(image_bgr[:, :, ::-1].transpose(2, 0, 1)))
        with torch.inference_mode():
            out = self._model(rgb[None].to(self._device).float() / 255)
        decoded = out[0] if isinstance(out, (tuple, list)) else out
        return np.asarray(decoded[0].float().cpu().numpy(), np.float32)


__all__ = ["DetectionTrainer", "PoseModel", "PoseTrainer", "UltralyticsFinder", "go_quiet", "use_cpu_bf16"]
