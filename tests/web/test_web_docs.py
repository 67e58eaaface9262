"""What docs/dashboard-api.md and SECURITY.md promise is what the program has."""

from __future__ import annotations

import re
from pathlib import Path

from web_support import House, begin

from vision.settings import rows
from web.desk.actions import ACTIONS
from web.desk.words import SAID
from web.routes.actions import PROGRAM
from web.settings import ServeSettings

ROOT = Path(__file__).resolve().parents[2]
API = (ROOT / "docs" / "dashboard-api.md").read_text("utf-8")


def test_every_action_and_every_page_is_documented(house: House) -> None:
    table = API.partition("## Actions")[2].partition("## Snapshot")[0]
    told = {name for line in table.splitlines() if line.startswith("| `") for name in
            re.findall(r"`([a-z-]+)`", line.split("|")[1])}  # fmt: skip
    assert {*ACTIONS, *PROGRAM} == told
    for rule in house.app.url_map.iter_rules():
        path = re.sub(r"<(?:\w+:)?(\w+)>", "<", rule.rule).partition("<")[0].rstrip("/") or "/"
        assert f"`{path}" in API or f" {path}" in API or rule.endpoint == "static", rule.rule


def test_the_snapshot_has_the_documented_fields(house: House) -> None:
    begin(house.referee)
    shape = API.partition("## Snapshot")[2].partition("## Stream")[0]
    for name in house.referee.state:
        assert re.search(rf"\b{name}\b", shape), name


def test_limits_that_are_promised_are_settings() -> None:
    known = {f"serve.{row.name}" for row in rows(ServeSettings)}
    for paper in (API, (ROOT / "SECURITY.md").read_text("utf-8")):
        assert set(re.findall(r"`(serve\.\w+)`", paper)) <= known
    assert "turn-begins" in SAID
