"""The papers: generated parts are current, links lead somewhere, and pictures show what is said of them."""

from __future__ import annotations

import importlib.util
import re
from pathlib import Path
from types import ModuleType

import pytest

from referee import export_log, import_log, replay
from tileref.cli import COMMANDS

ROOT = Path(__file__).resolve().parents[1]
PAGES = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *sorted((ROOT / "docs").glob("*.md"))]


@pytest.fixture(scope="module")
def papers() -> ModuleType:
    spec = importlib.util.spec_from_file_location("papers", ROOT / "docs" / "papers.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.mark.parametrize("name", ["rules", "game", "library", "record"])
def test_generated_parts_are_current(papers: ModuleType, name: str) -> None:
    page, parts = {
        "rules": ("rules.md", papers.rules_parts()),
        "game": ("game-record.md", papers.game_parts()),
        "library": ("library.md", papers.library_parts()),
        "record": ("record.md", papers.record_parts()),
    }[name]
    text = (ROOT / "docs" / page).read_text("utf-8")
    assert papers.filled(text, parts) == text, "run: python docs/papers.py"


def test_the_example_log_replays_to_what_the_page_says(papers: ModuleType) -> None:
    text = (ROOT / "docs" / "game-record.md").read_text("utf-8")
    block = re.search(r"<!-- log: begin -->\n```json\n(.*?)```", text, re.DOTALL)
    assert block is not None
    events = import_log(block[1])
    assert events == papers.example_game()
    assert export_log(events) == block[1]
    assert [one.verdict for one in replay(events).outcomes].count("illegal") == 1


def test_the_guides_pictures_are_small_and_all_there(papers: ModuleType) -> None:
    from datasets.guide import SHOTS

    files = {path.stem: path.stat().st_size for path in (ROOT / "docs" / "guide").glob("*.jpg")}
    assert set(files) == {shot.name for shot in SHOTS}
    assert max(files.values()) < 120_000


def test_doctor_says_of_the_guides_pictures_what_the_guide_says(papers: ModuleType) -> None:
    """Grades to the letter; figures may differ a little from processor to processor."""
    text = (ROOT / "docs" / "guide.md").read_text("utf-8")
    readings = papers.guide_readings()
    now = papers.filled(text, {"pictures": papers.guide_rows(readings)})
    assert _without_figures(now) == _without_figures(text), "run: python docs/papers.py"
    for name, (grade, findings) in readings.items():
        what, _, wanted = name.partition("-")
        assert grade == (wanted or "good"), name
        if wanted:
            assert (wanted, what) in {(one, named) for one, named, _ in findings}


def _without_figures(text: str) -> str:
    return re.sub(r"\d+(\.\d+)?%?", "#", text)


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_links_lead_somewhere(page: Path) -> None:
    text = page.read_text("utf-8")
    for target in re.findall(r"\]\(([^)\s]+)\)", text) + re.findall(r'src="([^"]+)"', text):
        if re.match(r"https?://|mailto:", target):
            continue
        path, _, anchor = target.partition("#")
        there = (page.parent / path).resolve() if path else page
        assert there.exists(), target
        if anchor:
            assert anchor in _anchors(there), target


def _anchors(page: Path) -> set[str]:
    heads = re.findall(r"^#+ (.*)$", page.read_text("utf-8"), re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", head.lower()).replace(" ", "-") for head in heads}


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_commands_and_options_in_the_papers_exist(page: Path) -> None:
    """Every ``tileref COMMAND --option`` that stands in a paper is one that the program takes."""
    import argparse
    import importlib

    from tileref.cli import _add_common

    for command, rest in re.findall(r"tileref ([a-z][a-z-]+)([^`\n|]*)", _code(page.read_text("utf-8"))):
        assert command in COMMANDS, f"{page.name}: tileref {command}"
        parser = argparse.ArgumentParser(add_help=True)
        importlib.import_module(f"tileref.commands.{command.replace('-', '_')}").add_arguments(parser)
        _add_common(parser)
        known = parser.format_help()
        for option in re.findall(r"(?<!\S)--[a-z][a-z-]*", rest):
            assert option in known, f"{page.name}: tileref {command} {option}"


def _code(text: str) -> str:
    """What stands in code: blocks, and spans within a line."""
    blocks = re.findall(r"```(?:sh|console)\n(.*?)```", text, re.DOTALL)
    spans = re.findall(r"`([^`\n]+)`", re.sub(r"```.*?```", "", text, flags=re.DOTALL))
    return "\n".join([*blocks, *spans])


def test_the_architectures_rooms_and_names_exist() -> None:
    """A page that names what was renamed or moved misleads whoever inherits the code."""
    import importlib

    text = (ROOT / "docs" / "architecture.md").read_text("utf-8")
    for package, _, name in re.findall(r"\b(vision|web|referee|tileref|datasets)([./])([a-z]\w+)", text):
        path = ROOT / package / name
        there = path.is_dir() or path.with_suffix(".py").is_file()
        assert there or hasattr(importlib.import_module(package), name), f"{package}.{name}"
