"""How exported weights are stored: in half the space or a quarter, turned back on load."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import numpy as np
import onnx
from onnx import TensorProto, helper, numpy_helper

__all__ = ["finish"]

_SMALL = 512
"""Fewer numbers are stored as they are."""


def finish(path: Path, metadata: Mapping[str, str], *, small: bool = False) -> None:
    """Store big weights of single precision as half floats, turned back on load; write the metadata.

    ``small``: as bytes, with a scale for each of the first axis, for nets of which little depends on the last
    digit. What else the file tells of itself stays.
    """
    model = onnx.load(path)
    helper.set_model_props(model, {told.key: told.value for told in model.metadata_props} | dict(metadata))
    kept, back = [], []
    for tensor in model.graph.initializer:
        values = numpy_helper.to_array(tensor)
        if tensor.data_type != TensorProto.FLOAT or values.size < _SMALL or np.abs(values).max() > 6e4:
            kept.append(tensor)
        elif small:
            # Cast and multiplied, not "dequantised", so that it is done once on load.
            most = np.abs(values).reshape(len(values), -1).max(axis=1)
            scale = (np.maximum(most, 1e-12) / 127).astype(np.float32).reshape(-1, *[1] * (values.ndim - 1))
            kept.append(
                numpy_helper.from_array(np.rint(values / scale).astype(np.int8), f"{tensor.name}_bytes")
            )
            kept.append(numpy_helper.from_array(scale, f"{tensor.name}_scale"))
            cast, names = f"{tensor.name}_cast", [one.name for one in kept[-2:]]
            back.append(helper.make_node("Cast", names[:1], [cast], to=TensorProto.FLOAT))
            back.append(helper.make_node("Mul", [cast, names[1]], [tensor.name]))
        else:
            half = numpy_helper.from_array(values.astype(np.float16), f"{tensor.name}_half")
            kept.append(half)
            back.append(helper.make_node("Cast", [half.name], [tensor.name], to=TensorProto.FLOAT))
    del model.graph.initializer[:]
    model.graph.initializer.extend(kept)
    nodes = [*back, *model.graph.node]
    del model.graph.node[:]
    model.graph.node.extend(nodes)
    onnx.checker.check_model(model)
    onnx.save(model, path)
