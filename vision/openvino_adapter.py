"""The one adapter to OpenVINO, which runs the same files as ONNX Runtime. It needs the extra ``openvino``.

The table does not use it; ``tileref bench --speed-table`` times it beside ONNX Runtime.
"""

from __future__ import annotations

import sys
from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from vision.errors import WeightsError

# OpenVINO reports already that it is imported to its makers, by a package of its own; where that cannot be
# imported, it does without. None is how Python is told so, though its type stubs leave that out, and the
# import has to come after.
sys.modules.setdefault("openvino_telemetry", None)  # type: ignore[arg-type]

import openvino  # noqa: E402


class OpenVinoModel:
    """A loaded ONNX file; stands in for :class:`vision.onnx_adapter.OnnxModel`."""

    def __init__(self, data: bytes, name: str, threads: int) -> None:
        """Load from ``data``; ``threads`` 0 takes all cores. WeightsError where it is no such model."""
        # Single precision: by itself OpenVINO computes in half of it where the processor can.
        how = {
            "PERFORMANCE_HINT": "LATENCY",
            "INFERENCE_PRECISION_HINT": "f32",
            "INFERENCE_NUM_THREADS": threads,
        }
        try:
            core = openvino.Core()
            compiled = core.compile_model(core.read_model(data), "CPU", how)
        except RuntimeError as error:
            raise WeightsError(f"The weights {name} cannot be loaded: {error}") from error
        self._request = compiled.create_infer_request()
        self._outputs = [next(iter(port.get_names())) for port in compiled.outputs]
        self.outputs: frozenset[str] = frozenset(self._outputs)

    def __call__(self, inputs: Mapping[str, NDArray[Any]]) -> dict[str, NDArray[np.float32]]:
        """Run once; inputs and outputs by the names in the file."""
        values = self._request.infer(dict(inputs), share_inputs=True, share_outputs=True)
        # Copied, because the next run writes over them.
        return {name: np.array(values[k]) for k, name in enumerate(self._outputs)}
