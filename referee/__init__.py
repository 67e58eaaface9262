"""Rules, turns, games and scores of Rummikub; it never sees a picture."""

from __future__ import annotations

from referee.axes import AXES, Axis, AxisValue, Rules, RulesError
from referee.cases import CaseError, judge_case, judge_line, judge_lines, judgement_json
from referee.editions import (
    EDITIONS,
    VARIANTS,
    Clause,
    Edition,
    Faces,
    edition,
    plain_suits,
    show_text,
    show_tile,
)
from referee.errors import NotationError, RefereeError
from referee.events import (
    EVENT_KINDS,
    HEADER,
    Correct,
    Count,
    Deal,
    Declare,
    Draw,
    DrawForStart,
    Event,
    EventError,
    Pass,
    Play,
    Racks,
    StartMatch,
    TakeOver,
    TimeOut,
    event_from_json,
    event_line,
    event_to_json,
    export_log,
    import_log,
)
from referee.game import correction, replay
from referee.gamelog import GameLog
from referee.gamestate import Change, GameState, Outcome, Replay, replay_json
from referee.jokers import JokerMove
from referee.match import GameResult, Standing, games_in_round, standing
from referee.messages import Note, Problem, Question, Verdict
from referee.putback import PutBackStep, put_back
from referee.rack import JOKER_ON_RACK, PointRange, TotalCheck, check_total, rack_points, tile_points
from referee.rack_remarks import rack_remarks
from referee.readings import STANDARD_SETS, Reading, SetRules
from referee.scoring import ScoreLine, ScoreSheet, check_scores, score_sheet
from referee.seen import ANY_TILE, SeenTile, parse_tiles, print_tiles
from referee.sets import SetJudgement, TableJudgement, judge_set, judge_table
from referee.table import Table, TileSet, parse_table
from referee.texts import ENGLISH
from referee.tiles import ALL_TILES, JOKER, NATURAL_TILES, STANDARD, XP, Colour, Inventory, Tile
from referee.timeouts import TimeoutJudgement, judge_timeout
from referee.turns import TurnJudgement, judge_turn

__all__ = [
    "ALL_TILES",
    "ANY_TILE",
    "AXES",
    "EDITIONS",
    "ENGLISH",
    "EVENT_KINDS",
    "HEADER",
    "JOKER",
    "JOKER_ON_RACK",
    "NATURAL_TILES",
    "STANDARD",
    "STANDARD_SETS",
    "VARIANTS",
    "XP",
    "Axis",
    "AxisValue",
    "CaseError",
    "Change",
    "Clause",
    "Colour",
    "Correct",
    "Count",
    "Deal",
    "Declare",
    "Draw",
    "DrawForStart",
    "Edition",
    "Event",
    "EventError",
    "Faces",
    "GameLog",
    "GameResult",
    "GameState",
    "Inventory",
    "JokerMove",
    "NotationError",
    "Note",
    "Outcome",
    "Pass",
    "Play",
    "PointRange",
    "Problem",
    "PutBackStep",
    "Question",
    "Racks",
    "Reading",
    "RefereeError",
    "Replay",
    "Rules",
    "RulesError",
    "ScoreLine",
    "ScoreSheet",
    "SeenTile",
    "SetJudgement",
    "SetRules",
    "Standing",
    "StartMatch",
    "Table",
    "TableJudgement",
    "TakeOver",
    "Tile",
    "TileSet",
    "TimeOut",
    "TimeoutJudgement",
    "TotalCheck",
    "TurnJudgement",
    "Verdict",
    "check_scores",
    "check_total",
    "correction",
    "edition",
    "event_from_json",
    "event_line",
    "event_to_json",
    "export_log",
    "games_in_round",
    "import_log",
    "judge_case",
    "judge_line",
    "judge_lines",
    "judge_set",
    "judge_table",
    "judge_timeout",
    "judge_turn",
    "judgement_json",
    "parse_table",
    "parse_tiles",
    "plain_suits",
    "print_tiles",
    "put_back",
    "rack_points",
    "rack_remarks",
    "replay",
    "replay_json",
    "score_sheet",
    "show_text",
    "show_tile",
    "standing",
    "tile_points",
]
