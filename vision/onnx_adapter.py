"""The one adapter to ONNX Runtime: a session is a function from named arrays to named arrays."""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from vision.errors import WeightsError

# ONNX Runtime from 1.29 on reports every use to its makers, unless told not to before it is loaded.
os.environ["ORT_DISABLE_TELEMETRY"] = "1"

import onnxruntime

onnxruntime.disable_telemetry_events()  # Windows, which knows no such variable


class OnnxModel:
    """A loaded ONNX file."""

    def __init__(self, data: bytes, name: str, threads: int) -> None:
        """Load from ``data``; ``threads`` 0 takes all cores. WeightsError where it is no such model."""
        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = threads
        options.log_severity_level = 3
        # A plan of memory is kept for every shape there was, and parts of pictures have all shapes.
        options.enable_mem_pattern = False
        # Each model has its own threads. What waits busily for more work of one model takes the cores from the
        # next one: that was 40 % of a read, and twice its processor time.
        options.add_session_config_entry("session.force_spinning_stop", "1")
        # Work is handed out in smaller shares, so that a thread that was held up holds nobody up.
        options.add_session_config_entry("session.dynamic_block_base", "4")
        try:
            self._session = onnxruntime.InferenceSession(data, options, providers=["CPUExecutionProvider"])
        except _ONNX_ERRORS as error:
            raise WeightsError(f"The weights {name} cannot be loaded: {error}") from error
        self._outputs = [o.name for o in self._session.get_outputs()]
        self.outputs: frozenset[str] = frozenset(self._outputs)
        self.metadata: dict[str, str] = dict(self._session.get_modelmeta().custom_metadata_map)

    @classmethod
    def from_file(cls, path: Path, threads: int = 0) -> OnnxModel:
        """Load an ONNX file that no manifest vouches for, such as one's own."""
        return cls(path.read_bytes(), path.name, threads)

    def __call__(self, inputs: Mapping[str, NDArray[Any]]) -> dict[str, NDArray[np.float32]]:
        """Run once; inputs and outputs by the names in the file."""
        values = self._session.run(self._outputs, dict(inputs))
        return {name: np.asarray(v) for name, v in zip(self._outputs, values, strict=True)}


def _onnx_errors() -> tuple[type[Exception], ...]:
    state = onnxruntime.capi.onnxruntime_pybind11_state
    names = ("Fail", "InvalidProtobuf", "InvalidGraph", "NoSuchFile", "InvalidArgument", "NotImplemented")
    return tuple(getattr(state, name) for name in names if hasattr(state, name))


_ONNX_ERRORS = _onnx_errors()
