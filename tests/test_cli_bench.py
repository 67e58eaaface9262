"""``tileref bench``: what it reports, with a reader that takes no time."""

from __future__ import annotations

import pytest
from cli_support import Desk

from tileref.commands import bench


@pytest.fixture
def no_cold_start(monkeypatch: pytest.MonkeyPatch) -> None:
    """A fresh process would load the real reader; its timing is checked where there are weights."""
    monkeypatch.setattr(bench, "_cold_start", lambda photo, passed_on: 1.25)


@pytest.mark.usefixtures("no_cold_start")
def test_every_stage_is_reported_with_the_machine(desk: Desk) -> None:
    photo = desk.photo("a.png", "B4 B5 ??")
    status, objects = desk.run_json("bench", photo)
    figures = objects[0]
    assert status == 0
    assert (figures["tiles"], figures["size"], figures["runs"]) == (3, [400, 300], 20)
    assert list(figures["median_ms"]) == ["load", "find", "classify", "whole"]
    assert figures["median_ms"]["find"] == 1.0
    assert figures["median_ms"]["whole"] >= figures["median_ms"]["load"] > 0
    assert figures["cold_start_s"] == 1.25
    assert figures["threads"] >= 1
    assert figures["machine"]["processor"]
    assert figures["peak_memory_mb"] is None or 20 < figures["peak_memory_mb"] < 20_000
    _, out, _ = desk.run("bench", photo, "--set", "read.threads=3")
    assert "median of 20 runs" in out
    assert "3 threads" in out
    assert "peak memory" in out


def test_too_few_runs_and_bad_pictures_are_refused(desk: Desk) -> None:
    with pytest.raises(SystemExit) as left:
        desk.run("bench", "--runs", "5")
    assert left.value.code == 2
    assert desk.run("bench", "gone.jpg")[0] == 2


def test_the_speed_table_and_the_dashboard_are_not_timed_at_once(desk: Desk) -> None:
    with pytest.raises(SystemExit) as left:
        desk.run("bench", "--web", "--speed-table")
    assert left.value.code == 2
