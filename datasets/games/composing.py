"""Draws whole games to be filmed: players, fouls, put-backs, time-outs, layout, hands and what else happens."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence

from datasets.games.composer import Composer
from datasets.games.fouls import illegal_kinds, make_foul
from datasets.games.players import opening, play
from datasets.games.position import Position, deal, keys_of
from datasets.games.script import Difficulty, GameScript
from datasets.games.wishes import GameError, Signals, Wishes
from referee.axes import Rules


def draw_script(
    seed: int,
    players: int = 3,
    edition: str = "ru",
    turns: int = 30,
    difficulty: Difficulty = "normal",
    fouls: Sequence[str] | None = None,
    turn_seconds: float | None = None,
    pace: float = 1.0,
    half_size: tuple[float, float] | None = None,
    signals: Signals = "all",
    middle_game: bool = False,
    *,
    foul_rate: float = 0.15,
    pool_in_view: bool | None = None,
) -> GameScript:
    """Draw a game; the same arguments give the same game.

    A game ends with its last turn, when a player goes out (only in the last quarter of it), or when all pass.
    Raises GameError for what cannot be played, RulesError for an edition that there is not.
    """
    wishes = Wishes(
        seed, players, edition, turns, difficulty, None if fouls is None else tuple(fouls), foul_rate,
        turn_seconds, pace, half_size, signals, middle_game, pool_in_view,
    )  # fmt: skip
    rules = wishes.check()
    if rules.rearrange != "yes":
        raise GameError(f"the edition {edition} does not rearrange the table: only clips are made of it")
    chance = random.Random(f"game {seed}")
    position = deal(chance, players, rules)
    if middle_game:
        position = _played_on(position, chance, rules)
    game = Composer(wishes, position, rules, chance)
    game.begin()
    _play_out(game, _seats(players))
    return game.script(pace=str(pace))


def _seats(players: int) -> Iterator[int]:
    while True:
        yield from range(players)


def _play_out(game: Composer, seats: Iterator[int]) -> None:
    wishes, chance = game.wishes, game.chance
    kinds = illegal_kinds(game.rules) if wishes.fouls is None else wishes.fouls
    passes = 0
    while len(game.turns) < wishes.turns and passes < wishes.players and all(game.position.racks):
        seat = next(seats)
        left = wishes.turns - len(game.turns)
        if game.wishes.turn_seconds is not None and left > 1 and chance.random() < 0.1 and game.time_out(seat):
            passes = 0
            continue
        if kinds and left > 1 and chance.random() < wishes.foul_rate and _foul(game, seat, kinds):
            passes = 0
            continue
        willing = chance.random() < 0.88
        if willing and game.legal_turn(seat, may_end=left <= max(2, wishes.turns // 4)):
            passes = 0
            continue
        game.quiet_turn(seat)
        passes = passes + 1 if game.turns[-1].action == "pass" else 0


def _foul(game: Composer, seat: int, kinds: Sequence[str]) -> bool:
    """A foul of some kind that can be made here; those made least often come first."""
    made = [turn.foul for turn in game.turns]
    order = sorted(game.chance.sample(list(kinds), len(kinds)), key=made.count)
    for kind in order:
        foul = make_foul(game.position, seat, kind, game.chance, game.rules, pool_in_view=bool(game.pool))
        if foul is not None and game.foul_turn(seat, foul):
            return True
    return False


def _played_on(position: Position, chance: random.Random, rules: Rules) -> Position:
    """A position some way into a game; at times with a pool that is nearly empty."""
    late = chance.random() < 0.35
    goal = chance.randint(30, 50) if late else chance.randint(12, 36)
    seats = _seats(len(position.racks))
    for _ in range(200):
        seat = next(seats)
        enough = len(keys_of(position.table)) >= goal and (not late or len(position.pool) <= 6)
        if enough and seat == 0:
            break
        table = None
        if len(keys_of(position.table)) < goal and chance.random() < 0.7:
            if position.opened[seat]:
                table = play(position, seat, chance, rules, keep=3, solver=0.1)
            else:
                table = opening(position, seat, chance, rules)
        if table is not None:
            position.lay(seat, table)
            position.opened[seat] = True
        elif position.pool:
            position.racks[seat].append(position.pool.pop())
        elif seat == len(position.racks) - 1:
            break
    return position
