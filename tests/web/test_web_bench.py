"""The dashboard under load: what is measured, on a small room."""

from __future__ import annotations

import pytest
from web_support import picture_bgr

from tileref.commands.bench import _spread
from web.bench.load import BenchError, Load, measure
from web.live.picture import encode


def test_every_page_sees_every_action_and_the_pictures() -> None:
    jpegs = (encode(picture_bgr(), 400), encode(picture_bgr() + 9, 400))
    load = Load(3, with_stills=1, tablets=1, actions=4, apart_s=0.3, camera_jpegs=jpegs)
    figures = measure(load)
    assert len(figures.answered_ms) == len(figures.all_saw_ms) == 4
    assert all(0 < answered <= 30_000 for answered in figures.answered_ms)
    assert figures.sent_bytes > 4 * 4 * 1000  # four states to four pages
    assert figures.live_pictures > 0


def test_a_program_that_does_not_start_is_told() -> None:
    with pytest.raises(BenchError, match=r"does not answer\.$"):
        measure(Load(1, 0, 0), ("true",))


def test_the_spread_of_times() -> None:
    assert _spread([float(ms) for ms in range(1, 101)]) == {"median": 50.5, "p95": 95.0, "max": 100.0}
    assert _spread([7.0]) == {"median": 7.0, "p95": 7.0, "max": 7.0}
