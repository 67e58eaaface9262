"""Every text exists in all four languages, none is left in English, arguments and plural forms are kept."""

import gettext
import re
from pathlib import Path

import pytest
from flask import Flask
from flask_babel import force_locale

from referee.texts import ENGLISH
from web import i18n
from web.desk.words import ENGLISH_OF_DESK
from web.i18n_build import read_catalogue, script_messages, source_catalogue

OTHERS = [code for code in i18n.LANGUAGES if code != "en"]
PLURALS = {"ru": 3, "uk": 3, "he": 2}

# What is the same in every language: names, notation, numbers.
SAME = {"Rummikub!", "CSV", "JSON"}

SCRIPTS = sorted((Path(i18n.__file__).parent / "static" / "js").glob("*.js"))
PAGES = sorted((Path(i18n.__file__).parent / "templates").glob("*.html"))


def arguments(text):
    return set(re.findall(r"%\((\w+)\)s|\{(\w+)\}", text))


def forms_of(template):
    return [words.split("|")[1:] for words in re.findall(r"\{\w+((?:\|[^{}|]*)+)\}", template)]


def source_ids():
    return {message.id for message in source_catalogue() if message.id}


@pytest.fixture
def app():
    app = Flask(__name__)
    app.secret_key = "test"
    i18n.init_i18n(app)
    return app


@pytest.mark.parametrize("code", OTHERS)
def test_every_message_is_translated(code):
    catalogue = read_catalogue(code)
    assert {message.id for message in catalogue if message.id} == source_ids(), "run: python -m web.i18n_build"
    for message in catalogue:
        if not message.id:
            continue
        strings = message.string if isinstance(message.string, tuple) else (message.string,)
        assert all(strings), f"{code}: {message.id} is not translated"
        assert not message.fuzzy, message.id
        if isinstance(message.id, tuple):
            assert len(strings) == PLURALS[code], message.id


@pytest.mark.parametrize("code", OTHERS)
def test_no_message_is_left_in_english(code):
    for message in read_catalogue(code):
        ids = message.id if isinstance(message.id, tuple) else (message.id,)
        strings = message.string if isinstance(message.string, tuple) else (message.string,)
        for string in strings:
            assert string not in ids or string in SAME or not string, f"{code}: {string}"


@pytest.mark.parametrize("code", OTHERS)
def test_messages_keep_their_arguments(code):
    for message in read_catalogue(code):
        if not message.id:
            continue
        ids = message.id if isinstance(message.id, tuple) else (message.id,)
        strings = message.string if isinstance(message.string, tuple) else (message.string,)
        for string in strings:
            assert arguments(string) == arguments(ids[-1]), f"{code}: {string}"


@pytest.mark.parametrize("code", OTHERS)
def test_compiled_messages_are_current(code):
    with (i18n.FOLDER / code / "LC_MESSAGES" / "messages.mo").open("rb") as file:
        made = gettext.GNUTranslations(file)
    for message in read_catalogue(code):
        if isinstance(message.id, tuple):
            assert {made.ngettext(*message.id, n) for n in (1, 2, 5)} == set(message.string)
        elif message.id:
            assert made.gettext(message.id) == message.string, "run: python -m web.i18n_build"


@pytest.mark.parametrize("code", OTHERS)
def test_every_sentence_of_the_referee_is_translated(code):
    english = i18n.templates_of("en")
    own = i18n._read(code)
    assert set(own) == set(english) >= set(ENGLISH) | set(ENGLISH_OF_DESK)
    for name, template in own.items():
        assert template != english[name] or template in SAME, f"{code}: {name} is English"
        if name != "set-up?":  # English says the axis by its meaning, the others by its question
            given = arguments(ENGLISH.get(name, english[name])) | arguments(english[name])
            assert arguments(template) <= given | {("", "axis")}, f"{code}: {name}"
            assert {"tiles"} & {pair[1] for pair in given} <= {pair[1] for pair in arguments(template)}, name


@pytest.mark.parametrize("code", [*OTHERS, "en"])
def test_words_that_depend_on_a_number_have_every_form(code):
    need = PLURALS.get(code, 2)
    for name, template in i18n.templates_of(code).items():
        for forms in forms_of(template):
            assert len(forms) == need, f"{code}: {name}: {forms}"


@pytest.mark.parametrize(
    ("code", "number", "text"),
    [
        ("en", 1, "1 tile"),
        ("en", 2, "2 tiles"),
        ("ru", 1, "1 фишка"),
        ("ru", 3, "3 фишки"),
        ("ru", 11, "11 фишек"),
        ("ru", 21, "21 фишка"),
        ("uk", 2, "2 плитки"),
        ("uk", 25, "25 плиток"),
        ("he", 1, "אבן 1"),
        ("he", 2, "2 אבנים"),
    ],
)
def test_plural_rules_of_messages(app, code, number, text):
    from flask_babel import ngettext

    with app.app_context(), force_locale(code):
        assert ngettext("%(num)s tile", "%(num)s tiles", number) == text


@pytest.mark.parametrize(("number", "word"), [(1, "секунду"), (2, "секунды"), (5, "секунд"), (22, "секунды")])
def test_plural_rules_of_sentences(app, number, word):
    with app.app_context(), force_locale("ru"):
        assert i18n.sentence("too-often", {"seconds": number}).endswith(f"{number} {word}.")


def test_words_of_the_referee_are_said_in_the_language(app):
    args = {"kind": "run", "limit": 13}
    with app.app_context(), force_locale("uk"):
        assert "ряд" in i18n.sentence("too-many", args, "B1 B2")
    with app.app_context(), force_locale("en"):
        assert i18n.sentence("too-many", args, "B1 B2") == "B1 B2 is too long: a run has at most 13 tiles."


def test_codes_that_nobody_knows_are_shown_as_they_are(app):
    with app.app_context():
        assert i18n.sentence("no-such-code") == "no-such-code"


@pytest.mark.parametrize(
    ("wanted", "code"), [("he", "he"), ("uk-UA,uk;q=0.9", "uk"), ("fr", "en"), ("iw", "he")]
)
def test_language_of_the_browser(app, wanted, code):
    with app.test_request_context(headers={"Accept-Language": wanted}):
        assert i18n.language() == code
        assert i18n.direction() == ("rtl" if code == "he" else "ltr")


def test_language_of_the_session_comes_first(app):
    with app.test_request_context(headers={"Accept-Language": "he"}) as context:
        context.session["language"] = "ru"
        assert i18n.language() == "ru"
        assert i18n.text_catalogue()["messages"]["Undo"] == "Отменить"


def test_scripts_find_all_their_messages():
    listed = {one for one, _ in script_messages()}
    called = re.compile(r"""(?<![\w.$])tn?\(\s*"((?:[^"\\]|\\.)*)\"""")
    for script in SCRIPTS:
        for text in called.findall(script.read_text(encoding="utf-8")):
            assert text in listed, f"{script.name}: {text}"


def test_pages_hold_no_text_outside_the_catalogue():
    """Words between tags that no gettext call wraps would stay English for everyone."""
    for page in PAGES:
        text = re.sub(r"\{#.*?#\}|\{%.*?%\}|\{\{.*?\}\}", " ", page.read_text(encoding="utf-8"), flags=re.S)
        text = re.sub(r"<(script|svg).*?</\1>", " ", text, flags=re.S)
        for words in re.findall(r">([^<>]+)<", text):
            bare = re.sub(r"tileref|CSV|JSON|MB|–:–|kbd|\b[A-Z]\b", " ", words)
            assert not re.search(r"[A-Za-z]{2,}", bare), f"{page.name}: {words.strip()}"
