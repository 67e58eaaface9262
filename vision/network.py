"""What a library that runs the weights must do; one adapter module for each such library."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

__all__ = ["Network", "OpenNetwork"]


class Network(Protocol):
    """A loaded ONNX file."""

    outputs: frozenset[str]
    """The names of its outputs."""

    def __call__(self, inputs: Mapping[str, NDArray[Any]]) -> dict[str, NDArray[np.float32]]:
        """Run once; inputs and outputs by the names in the file."""
        ...


OpenNetwork = Callable[[bytes, str, int], Network]
"""Opens a file's content, by the name to call it in messages, with so many threads (0: one a core).

WeightsError where it is no such file.
"""
