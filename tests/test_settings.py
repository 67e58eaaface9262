"""Settings: one table, four sources in order, and a page that is current."""

from __future__ import annotations

from dataclasses import fields
from pathlib import Path

import pytest

from tileref.settings import ROOMS, SettingsError, load_settings, settings_markdown, settings_table
from vision.settings import ReadSettings, TextSetting

ROOT = Path(__file__).resolve().parents[1]


def test_the_page_is_current() -> None:
    assert (ROOT / "docs" / "settings.md").read_text("utf-8") == settings_markdown(), (
        "run: tileref settings --markdown > docs/settings.md"
    )


def test_every_row_is_whole() -> None:
    table = settings_table()
    assert len(table) == sum(len(fields(kind)) for kind in ROOMS.values())
    for name, row in table.items():
        assert isinstance(row, TextSetting) or row.low <= row.default <= row.high, name
        assert row.unit, name
        assert row.help.endswith("."), name


def test_later_sources_win(tmp_path: Path) -> None:
    file = tmp_path / "mine.toml"
    file.write_text("[read]\ntile_bar = 0.6\nthreads = 3\nfind_score = 0.4\n")
    assert load_settings(None, {}).read == ReadSettings()
    assert load_settings(file, {}).read.tile_bar == 0.6
    assert load_settings(None, {"TILEREF_SETTINGS": str(file)}).read.threads == 3
    both = load_settings(file, {"TILEREF_READ_TILE_BAR": "0.7", "PATH": "x"}).read
    assert (both.tile_bar, both.threads) == (0.7, 3)
    all_three = load_settings(file, {"TILEREF_READ_TILE_BAR": "0.7"}, ["read.tile_bar=0.8"]).read
    assert (all_three.tile_bar, all_three.find_score) == (0.8, 0.4)


@pytest.mark.parametrize(
    ("toml", "message"),
    [
        ("[read]\ntile_bra = 0.9", "Did you mean read.tile_bar"),
        ("[raed]\ntile_bar = 0.9", "Did you mean read.tile_bar"),
        ("[read]\ntile_bar = 1.5", "between 0.5 and 1, not 1.5"),
        ("[read]\ntile_bar = 'high'", "must be a number"),
        ("[read]\ntile_bar = true", "must be a number"),
        ("[read]\ntile_bar = nan", "between 0.5 and 1"),
        ("[read]\ntile_bar = [1]", "must be a number"),
        ("[read]\nthreads = 1.5", "whole number"),
        ("[read]\nthreads = inf", "threads must be a whole number"),
        ("[read]\nthreads = nan", "threads must be a whole number"),
        ("[read]\ntile_set = 7", "tile_set must be a text"),
        ('[read]\ntile_set = "a\\nb"', "one line"),
        ("tile_bar = 0.9", "outside a table"),
        ("[read", "not valid TOML"),
        ("[read]\nsomething_else_entirely = 1", "lists them all"),
    ],
)
def test_wrong_files_are_refused_in_a_sentence(tmp_path: Path, toml: str, message: str) -> None:
    file = tmp_path / "mine.toml"
    file.write_text(toml)
    with pytest.raises(SettingsError, match=message) as caught:
        load_settings(file, {})
    assert str(file) in str(caught.value)


def test_other_wrong_sources(tmp_path: Path) -> None:
    with pytest.raises(SettingsError, match="cannot be read"):
        load_settings(tmp_path / "gone.toml", {})
    with pytest.raises(SettingsError, match="TILEREF_READ_THREADS"):
        load_settings(None, {"TILEREF_REED_THREADS": "1"})
    with pytest.raises(SettingsError, match="NAME=VALUE"):
        load_settings(None, {}, ["read.tile_bar"])
    with pytest.raises(SettingsError, match="command line"):
        load_settings(None, {}, ["read.tile_bar=much"])


def test_settings_check_themselves() -> None:
    with pytest.raises(ValueError, match="tile_bar must lie between"):
        ReadSettings(tile_bar=0.1)
    with pytest.raises(ValueError, match="whole number"):
        ReadSettings(threads=0.5)  # type: ignore[arg-type]
