"""Rules, turns, games and scores of Rummikub; it never sees a picture."""

from __future__ import annotations

from referee.axes import AXES, Axis, Rules, RulesError
from referee.editions import EDITIONS, Clause, Edition, edition, show_tile
from referee.errors import NotationError, RefereeError
from referee.jokers import JokerMove
from referee.messages import Problem, Question, Verdict
from referee.rack import JOKER_ON_RACK, PointRange, TotalCheck, check_total, rack_points, tile_points
from referee.readings import STANDARD_SETS, Reading, SetRules
from referee.seen import ANY_TILE, SeenTile, parse_tiles, print_tiles
from referee.sets import SetJudgement, TableJudgement, judge_set, judge_table
from referee.table import Table, TileSet, parse_table
from referee.tiles import ALL_TILES, JOKER, NATURAL_TILES, STANDARD, XP, Colour, Inventory, Tile
from referee.turns import TurnJudgement, judge_turn

__all__ = [
    "ALL_TILES",
    "ANY_TILE",
    "AXES",
    "EDITIONS",
    "JOKER",
    "JOKER_ON_RACK",
    "NATURAL_TILES",
    "STANDARD",
    "STANDARD_SETS",
    "XP",
    "Axis",
    "Clause",
    "Colour",
    "Edition",
    "Inventory",
    "JokerMove",
    "NotationError",
    "PointRange",
    "Problem",
    "Question",
    "Reading",
    "RefereeError",
    "Rules",
    "RulesError",
    "SeenTile",
    "SetJudgement",
    "SetRules",
    "Table",
    "TableJudgement",
    "Tile",
    "TileSet",
    "TotalCheck",
    "TurnJudgement",
    "Verdict",
    "check_total",
    "edition",
    "judge_set",
    "judge_table",
    "judge_turn",
    "parse_table",
    "parse_tiles",
    "print_tiles",
    "rack_points",
    "show_tile",
    "tile_points",
]
