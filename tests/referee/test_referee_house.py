"""The referee's own house: what it imports, what it says, and what it shows."""

from __future__ import annotations

import ast
import dataclasses
import importlib
import inspect
import re
import string
import sys
from pathlib import Path

import pytest

import referee
from referee import AXES, ENGLISH

FOLDER = Path(referee.__file__).parent
MODULES = sorted(path.stem for path in FOLDER.glob("*.py") if path.stem != "__init__")
OWN = [name for name in MODULES if not name.startswith("solver")]


@pytest.mark.parametrize("name", OWN)
def test_only_the_standard_library_is_imported(name: str) -> None:
    """The solver apart, which nothing else imports."""
    for node in ast.walk(ast.parse((FOLDER / f"{name}.py").read_text("utf-8"))):
        names = (
            [alias.name for alias in node.names]
            if isinstance(node, ast.Import)
            else [node.module or ""]
            if isinstance(node, ast.ImportFrom)
            else []
        )
        for imported in names:
            top, _, rest = imported.partition(".")
            assert top == "referee" or top in sys.stdlib_module_names, imported
            assert not rest.startswith("solver"), imported


def codes_in_source() -> set[str]:
    """Every text that is the first argument of a Problem or Question, or of a helper that makes one."""
    found = set()
    # Whoever watches a game asks in the referee's words, too.
    watching = sorted((FOLDER.parent / "vision" / "watch").glob("*.py"))
    for path in [*(FOLDER / f"{name}.py" for name in OWN), *watching]:
        text = path.read_text("utf-8")
        found |= set(re.findall(r"(?:Note|Problem|Question)\(\s*\"([a-z?-]+)\"", text))
        for code in re.findall(r"_strict\(\s*\"([a-z?-]+)\"", text):
            found |= {code, f"{code}?"}
    return found


BUILT = {
    *(f"not-{phase}" for phase in ("no-match", "set-up", "playing", "ended")),
    *(f"put-back-{kind}" for kind in ("to-rack", "to-set", "to-new-set", "from-rack")),
    *("lowest-in-doubt", "equal-lowest-sum", "equal-lowest-tiles", "no-set", "no-completion"),
}
"""Codes that the source puts together."""


def test_every_code_has_a_sentence_and_every_sentence_a_code() -> None:
    ours = {code for code in ENGLISH if not code.startswith("moves-")}
    assert codes_in_source() | BUILT >= ours - solver_codes()
    assert codes_in_source() | BUILT <= set(ENGLISH)


def solver_codes() -> set[str]:
    """Sentences that only the solver speaks."""
    text = "".join(path.read_text("utf-8") for path in FOLDER.glob("solver*.py"))
    return {code for code in ENGLISH if f'"{code}"' in text}


@pytest.mark.parametrize("code", ENGLISH)
def test_sentences_are_complete(code: str) -> None:
    sentence = ENGLISH[code]
    assert sentence[0].isupper() or sentence.startswith("{")
    assert sentence.endswith((".", "?"))
    assert (code.endswith("?") is False) or sentence.endswith("?")
    assert all(name is None or name.isidentifier() for _, name, _, _ in string.Formatter().parse(sentence))


@pytest.mark.parametrize("name", OWN)
def test_every_module_and_public_name_is_documented(name: str) -> None:
    module = importlib.import_module(f"referee.{name}")
    assert module.__doc__
    for public in getattr(module, "__all__", ()):
        value = getattr(module, public)
        if inspect.isclass(value) or inspect.isfunction(value):
            assert value.__doc__, public
        if inspect.isclass(value) and dataclasses.is_dataclass(value):
            assert_fields_documented(module, public)


def assert_fields_documented(module: object, name: str) -> None:
    """A text under each field, as the house does it."""
    tree = ast.parse(inspect.getsource(getattr(module, name)).lstrip())
    (body,) = [node.body for node in tree.body if isinstance(node, ast.ClassDef)]
    for node, following in zip(body, [*body[1:], None], strict=True):
        if isinstance(node, ast.AnnAssign):
            told = isinstance(following, ast.Expr) and isinstance(following.value, ast.Constant)
            assert told, f"{name}.{ast.unparse(node.target)}"


def test_the_public_surface() -> None:
    assert sorted(referee.__all__) == sorted(set(referee.__all__))
    for name in referee.__all__:
        assert hasattr(referee, name), name


def test_the_handbook_names_every_axis_and_edition() -> None:
    text = (FOLDER.parent / "docs" / "referee.md").read_text("utf-8")
    for name in (*AXES, *referee.EDITIONS, *referee.VARIANTS, *referee.EVENT_KINDS):
        assert f"`{name}`" in text, name
