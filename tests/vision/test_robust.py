"""Quantiles are numpy's."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import array_shapes, arrays

from vision.robust import quantile


@given(
    arrays(
        np.float32, array_shapes(min_dims=1, max_dims=2, max_side=40), elements=st.floats(-1e3, 1e3, width=32)
    ),
    st.floats(0, 1),
)
def test_a_quantile_of_each_row_is_numpys(values: np.ndarray, share: float) -> None:
    assert quantile(values, share) == pytest.approx(np.quantile(values, share, axis=-1), abs=1e-3)
