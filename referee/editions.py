"""The editions: which sheet says what, in its own words.

An edition states only where it speaks or differs; every other axis keeps the default of ``Rules``. Where a
sheet is silent, or contradicts itself, the clause says so, and the axis is in ``set_up``: to be asked before
the first game.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Final, Literal

from referee.axes import AxisValue, Rules, RulesError
from referee.tiles import Tile

__all__ = [
    "EDITIONS",
    "VARIANTS",
    "Clause",
    "Edition",
    "Faces",
    "edition",
    "plain_suits",
    "show_text",
    "show_tile",
]

Faces = Literal["numbers", "cards"]
"""What is printed on the tiles: numbers, or the ranks and suits of playing cards."""


@dataclass(frozen=True, slots=True)
class Clause:
    """What an edition says on one axis."""

    axis: str
    """The axis."""
    value: AxisValue
    """Its value; None where it is left open."""
    words: str
    """The sheet's own words, or in brackets where the value comes from."""


@dataclass(frozen=True, slots=True)
class Edition:
    """One rule sheet as data."""

    code: str
    """Its name in files and on the command line."""
    sheet: str
    """Which sheet it is."""
    clauses: tuple[Clause, ...]
    """What it says."""
    set_up: tuple[str, ...] = ()
    """Axes on which the sheet is unclear: ask at set-up."""
    limits: tuple[str, ...] = ()
    """What of the edition is not covered, one sentence each."""
    faces: Faces = "numbers"
    """How the tiles look; the notation is the same for all."""

    @property
    def rules(self) -> Rules:
        """The edition's rules, house rules aside."""
        return _RULES[self.code]

    def words(self, axis: str) -> str | None:
        """The sheet's words on ``axis``; None where it does not speak."""
        return next((clause.words for clause in self.clauses if clause.axis == axis), None)


_BOX_106: Final = "8 наборов фишек четырёх цветов… и 2 джокера"

_RU: Final = Edition(
    "ru",
    "Russian edition, Style of Life/Lemada, 2012 and 2014",
    (
        Clause("copies", 2, _BOX_106),
        Clause("jokers", 2, _BOX_106),
        Clause("players_max", 4, "вчетвером… вдвоём"),
        Clause("run_order", "ask", "по возрастанию"),
        Clause("opening_points", 30, "не менее 30"),
        Clause("opening_joker", "yes", "любые… включая джокера"),
        Clause("opening_build", "no", "в свои последующие ходы"),
        Clause("rack_tile", "yes", "хотя бы одну фишку"),
        Clause("joker_freed", "figures", "любой подходящей фишкой [figures 2-4 show it freed unreplaced]"),
        Clause("joker_reuse", "new+rack", "для этого хотя бы одну фишку"),
        Clause("group_of_three", "one", "фишку любого недостающего цвета"),
        Clause("turn_seconds", 60, "[1 min]"),
        Clause("timeout_untouched", 1, "берёт одну фишку"),
        Clause("timeout_restorable", 1, "берёт одну фишку"),
        Clause("timeout_unrestorable", 3, "[three tiles where the table cannot be put back]"),
        Clause("timeout_strays", "pool", "в „магазин“ в случайном порядке"),
        Clause("pool_empty", "stuck", "пока игроки могут делать ходы"),
        Clause("none_out", "sum", "[lowest sum wins, the others lose the difference]"),
        Clause("match_by", "games", "[most games, a tie falls back on points]"),
    ),
)

_UA_CLAUSES: Final = (
    Clause("copies", 2, "106 плиток… 2 плитки-джокери"),
    Clause("jokers", 2, "106 плиток… 2 плитки-джокери"),
    Clause("players_max", 4, "2 - 4"),
    Clause("opening_points", 30, "не менше, ніж 30"),
    Clause("opening_joker", "ask", "Не можна використовувати джокер та плитки, що вже…"),
    Clause("opening_build", "ask", "тепер може грати"),
    Clause("rack_tile", "yes", "принаймні одну плитку"),
    Clause("joker_freed", "figures", "числом і кольором [the same figures 2-4 show it freed unreplaced]"),
    Clause("joker_reuse", "new", "новий набір"),
    Clause("group_of_three", "one", "будь-якого з відсутніх"),
    Clause("turn_seconds", 60, "[1 min]"),
    Clause("timeout_untouched", 1, "взяти плитку"),
    Clause("timeout_restorable", 3, "[one tile and three for one overrun: one if nothing needs undoing]"),
    Clause("timeout_unrestorable", 3, "[three tiles]"),
    Clause("timeout_strays", "pool", "всі невиконані набори кладуть у запас"),
    Clause("pool_empty", "stuck", "[as long as players can move]"),
    Clause("none_out", "sum", "[lowest sum wins, the others lose the difference]"),
    Clause("match_by", "games", "[most games, a tie falls back on points]"),
)

_UA: Final = Edition(
    "ua",
    "Ukrainian edition",
    _UA_CLAUSES,
    set_up=("opening_joker", "opening_build", "timeout_restorable"),
)

_EN: Final = Edition(
    "en",
    "English retail sheet D-2600-1236, parent of the Russian and Ukrainian ones",
    (
        Clause("opening_joker", "yes", "[jokers are allowed in the opening]"),
        *(clause for clause in _UA_CLAUSES if clause.axis != "opening_joker"),
    ),
    set_up=("opening_build", "timeout_restorable"),
    limits=("The sheet was seen through a transcription: its words are quoted in Ukrainian.",),
)

_HE_CLAUSES: Final = (
    Clause("jokers", 2, "שני ג'וקרים (צבעם חסר משמעות)"),
    Clause("opening_points", 30, "30… לכל הפחות"),
    Clause("opening_joker", "yes", "כערך האבן שאת מקומה הוא ממלא"),
    Clause("opening_build", "no", "או במהלכו"),
    Clause("rack_tile", "yes", "לפחות אבן משחק אחת"),
    Clause("joker_freed", "any", "בעזרת תמרונים"),
    Clause("joker_reuse", "new", "אסור לקחת אותו חזרה"),
    Clause("joker_sets", "free", "מותר לתמרן"),
    Clause("group_of_three", "one", "רק באחת משתי"),
    Clause("turn_seconds", 60, "לדקה אחת"),
    Clause("timeout_untouched", None, "[silent on a player who moved nothing; one tile is likely]"),
    Clause("timeout_restorable", 3, "שלוש אבנים"),
    Clause("timeout_unrestorable", 3, "שלוש אבנים"),
    Clause("timeout_strays", "pool", "בתוך הקופה"),
    Clause("pool_empty", "one-turn", "במשך תור אחד"),
    Clause("none_out", "sum", "[lowest sum wins, the others lose the difference]"),
    Clause("match_by", "games", "[most games, a tie falls back on points]"),
)

_HE: Final = Edition("he", "Hebrew edition, Lemada 2014", _HE_CLAUSES, set_up=("timeout_untouched",))

_CARDS: Final = Edition(
    "cards",
    "Classic Rummy, tiles with the faces of playing cards",
    (
        Clause("copies", 2, "по 2 шт. каждой масти: 2 Джокера"),
        Clause("jokers", 2, "по 2 шт. каждой масти: 2 Джокера"),
        Clause("run_order", "ask", "по возрастанию"),
        Clause("opening_points", 30, "не менее 30"),
        Clause("opening_joker", "ask", "нельзя использовать до… начальный ход"),
        Clause("opening_build", "no", "Во время начального хода нельзя"),
        Clause("rack_tile", "ask", "[implied only]"),
        Clause("joker_freed", "replaced", "подходящей плиткой"),
        Clause("joker_reuse", "any", "в какой либо комбинации"),
        Clause("joker_sets", "free", "можно делить"),
        Clause("group_of_three", "one", "одной из двух мастей"),
        Clause("turn_seconds", 60, "ровно одна минута"),
        Clause("timeout_untouched", None, "[no text for a player who touched nothing; one tile is likely]"),
        Clause("timeout_restorable", 3, "[three tiles]"),
        Clause("timeout_unrestorable", 3, "[three tiles]"),
        Clause("timeout_strays", "pool", "перемешать их с плитками из запаса"),
        Clause("pool_empty", None, "[silent]"),
        Clause("none_out", "sum", "[lowest sum wins, the others lose the difference]"),
        Clause("match_by", "points", "[points total]"),
    ),
    set_up=("opening_joker", "pool_empty", "timeout_untouched"),
    faces="cards",
)

_PRESSMAN: Final = Edition(
    "pressman",
    "Pressman 1998 rules (Sabra), as Wikipedia gives them",
    (
        Clause("players_max", 4, "2–4 игроков"),
        Clause("rack_size", 14, "14 или 16"),
        Clause("opening_points", 30, "не менее 30 очков"),
        Clause("opening_sets", "several", "сет (или сет в некоторых версиях)"),
        Clause("opening_joker", "yes", "принимает значение плитки, которую она заменяет"),
        Clause("opening_build", "no", "в течение одного хода"),
        Clause("rack_tile", "yes", "одну или несколько"),
        Clause("joker_freed", "any", "любым возможным способом"),
        Clause("joker_reuse", "new", "часть нового набора"),
        Clause("group_of_three", "one", "любого из недостающих"),
        Clause("turn_seconds", None, "[silent]"),
        Clause("timeout_untouched", None, "[silent]"),
        Clause("timeout_restorable", None, "[silent]"),
        Clause("timeout_unrestorable", None, "[silent]"),
        Clause("pool_empty", "stuck", "пока ни один… не сможет"),
        Clause("none_out", "tiles", "[fewest tiles]"),
        Clause("match_by", "points", "наименьшее количество очков"),
        Clause("never_opened", "opponents", "[his points are added to each other player]"),
    ),
    set_up=("rack_size", "opening_sets", "turn_seconds", "timeout_restorable"),
)

_XP_SHEET: Final = "[3 copies x 4 colours x 13 + 4 jokers]"

_XP: Final = Edition(
    "xp",
    "Goliath XP and Mini XP sheets, 160 tiles for five or six players",
    (
        Clause("copies", 3, _XP_SHEET),
        Clause("jokers", 4, _XP_SHEET),
        Clause("players_max", 6, "для 5-х чи 6-х… всі 160 [the Ukrainian sheet]"),
        Clause("pool_empty", "must-play", "[each must play at least one tile]"),
        Clause("match_by", "points", "[points]"),
        *(clause for clause in _HE_CLAUSES if clause.axis not in ("jokers", "pool_empty", "match_by")),
    ),
    set_up=("timeout_untouched",),
    limits=("Up to four players use the small box: set copies 2 and jokers 2.",),
)

_PRESSMAN_2009: Final = Edition(
    "pressman2009",
    "Pressman 2009",
    (
        Clause("opening_joker", "yes", "[a joker counts as the tile it stands for]"),
        Clause("joker_freed", "exact-rack", "[its exact tile, from the rack]"),
        Clause("joker_reuse", "new+2rack", "[a new set with two tiles from the rack]"),
        Clause("joker_strict", "fault", "[the text allows nothing else]"),
        Clause("turn_seconds", 120, "[2 min]"),
        Clause("timeout_untouched", 1, "[as the Ukrainian sheet]"),
        Clause("timeout_restorable", 3, "[as the Ukrainian sheet]"),
        Clause("timeout_unrestorable", 3, "[three tiles]"),
        Clause("none_out", "sum", "[lowest sum]"),
        Clause("match_by", "points", "[to agreed points]"),
    ),
)

_NO_REARRANGING: Final = "[does not rearrange the table]"

_AMERICAN: Final = Edition(
    "american",
    "American variant",
    (
        Clause("players_max", 4, "[2 to 4]"),
        Clause("rack_size", 14, "[14 tiles]"),
        Clause("ace", "high-or-low", "[12-13-1 good, 13-1-2 not]"),
        Clause("opening_points", 0, "[no opening is given]"),
        Clause("rearrange", "no", _NO_REARRANGING),
    ),
    limits=(
        "Only the legality of sets carries over.",
        "Stacks of seven, the odd tile face up, and draw, meld and discard in every turn are not followed.",
        "A high 1 counts 1 point, for the dossier gives no other figure.",
    ),
)

_INTERNATIONAL: Final = Edition(
    "international",
    "International variant",
    (
        Clause("opening_points", 0, "[no opening is given]"),
        Clause("rearrange", "no", _NO_REARRANGING),
    ),
    limits=(
        "Only the legality of sets carries over.",
        "The 15 stacks of seven plus one and the concealed special hands are not followed.",
        "A game whose stacks run out has no winner, which is not followed either.",
    ),
)

EDITIONS: Final[Mapping[str, Edition]] = MappingProxyType(
    {
        sheet.code: sheet
        for sheet in (
            _RU,
            _UA,
            _EN,
            _HE,
            _CARDS,
            _PRESSMAN,
            _XP,
            _PRESSMAN_2009,
            _AMERICAN,
            _INTERNATIONAL,
        )
    }
)
"""Every edition by its code."""

_RULES: Final[Mapping[str, Rules]] = MappingProxyType(
    {
        code: Rules().with_house_rules({clause.axis: clause.value for clause in sheet.clauses})
        for code, sheet in EDITIONS.items()
    }
)


VARIANTS: Final[Mapping[str, Mapping[str, AxisValue]]] = MappingProxyType(
    {
        "river": MappingProxyType({"river": "yes", "draw": 2}),
        "french": MappingProxyType({"crossing": "yes"}),
    }
)
"""Variants that the Pressman rules describe, as changes to an edition."""


def edition(code: str) -> Edition:
    """Return the edition called ``code``; RulesError names those that there are."""
    if code not in EDITIONS:
        raise RulesError(f"there is no edition {code!r}; the editions are {', '.join(EDITIONS)}")
    return EDITIONS[code]


_SUITS: Final = MappingProxyType({"B": "♣", "R": "♥", "O": "♦", "K": "♠"})
_RANKS: Final = MappingProxyType({1: "A", 11: "J", 12: "Q", 13: "K"})


def show_tile(tile: Tile, faces: Faces = "numbers") -> str:
    """The tile as its face shows it, for display only: ``B11`` is ``J♣`` on cards."""
    if faces == "numbers" or tile.colour is None or tile.number is None:
        return str(tile)
    return _card(tile.colour.letter, str(tile.number))


_NAMED: Final = re.compile(r"(?<![\w?])([BRKO?])(1[0-3]|[1-9]|\?)(?!\w)")
_LETTERS: Final = str.maketrans("♣♥♦♠", "CHDS")


def show_text(text: str, faces: Faces = "numbers") -> str:
    """A text with every tile in it as its face shows it, for display only: ``B11 B?`` is ``J♣ ?♣`` on cards.

    A jack always stands before a suit or a question mark, so that a lone ``J`` is still the joker.
    """
    if faces == "numbers":
        return text
    return _NAMED.sub(lambda found: _card(found[1], found[2]), text)


def plain_suits(text: str) -> str:
    """A text with letters for suits (``JC``, ``10H``), where nothing but ASCII can be shown."""
    return text.translate(_LETTERS)


def _card(colour: str, number: str) -> str:
    rank = number if number == "?" else _RANKS.get(int(number), number)
    return f"{rank}{_SUITS.get(colour, '?')}"
