"""The English sentences, by code."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

__all__ = ["ENGLISH"]

ENGLISH: Final[Mapping[str, str]] = MappingProxyType(
    {
        # Problems of a set.
        "too-few": "{tiles} is not enough for a set: a set has at least 3 tiles.",
        "too-many": "{tiles} is too long: a {kind} has at most {limit} tiles.",
        "numbers-differ": "{tiles} does not fit the group: its other tiles show {number}.",
        "colour-repeated": "{tiles} share a colour: the colours of a group all differ.",
        "mixed-colours": "{tiles} does not fit the run: a run has one colour.",
        "number-repeated": "{tiles} repeats a number: every number comes once in a run.",
        "gap": "{tiles} has a gap at {missing} that nothing fills.",
        "wrap": "{tiles} goes round the corner: 1 never follows 13.",
        "no-place-for-joker": "There is no tile left in {tiles} that the joker could stand for.",
        "out-of-order": "{tiles} is a run only when sorted, and here it has to lie in order.",
        "no-set": "{tiles} is neither a group nor a run.",
        "no-completion": "However the doubtful tiles are read, {tiles} is neither a group nor a run.",
        # Problems of a table.
        "never-all-legal": "However {tiles} is read, the box lacks the copies, or a set is illegal.",
        "too-many-copies": "The table shows {tile} {count} times, and the box holds {limit}.",
        "too-many-copies-shown": "Table and racks show {tile} {count} times, and the box holds {limit}.",
        "tile-shared": "{tiles} lies in two sets at once, and only the French variant allows that.",
        "crossing-twice": "Two sets cross in more than one tile: {tiles}.",
        "crossing-same-kind": "{tiles} joins two runs or two groups, and only a group and a run may cross.",
        "crossing-joker": "{tiles} would stand for different tiles in its two sets.",
        # Problems of a turn.
        "tile-vanished": "{tiles} lay on the table before the turn and is gone.",
        "joker-pocketed": "A joker of the table is gone: no one may take it to the rack.",
        "nothing-played": "The table was changed, and no tile was added to it.",
        "played-after-drawing": "{tiles} was played after a tile was drawn, and drawing ends the turn.",
        "not-on-rack": "{tiles} was played, and the rack did not hold it.",
        "opening-too-low": "The opening is worth {points} points, and it takes {need}.",
        "joker-in-opening": "The opening holds a joker, and these rules allow none in it.",
        "built-before-opening": "The table was used in the turn of the opening, and these rules forbid it.",
        "joker-before-opening": "A joker of the table was freed by a player who had not opened.",
        "joker-frozen": "The joker of {tiles} was moved, and these rules keep it where it lies.",
        "joker-not-replaced": "The joker of {tiles} was taken without its own tile from the rack in its place.",
        "joker-needs-both": "The joker of {tiles} is free only when both missing colours are laid.",
        "joker-in-old-set": "The freed joker went to {tiles}, which is no new set.",
        "joker-without-rack-tile": "A freed joker went to {tiles}: {count} tiles from the rack must join it.",
        "joker-set-broken": "{tiles} was taken apart, and a set with a joker may only be added to.",
        "set-broken": "{tiles} was taken apart, and these rules leave sets as they lie.",
        "turn-never-legal": "However {tiles} is read, this turn is not legal.",
        # The racks against the table.
        "total-ok": "The racks hold {counted} points, as they must: {box} less the table is {expected}.",
        "total-mismatch": "The racks hold {counted} points, but {box} less the table is {expected}: "
        "a tile is missing, or was misread.",
        "total-unknown": "The racks hold {counted} points and {box} less the table is {expected}: "
        "the doubtful tiles leave open whether it adds up.",
        "scores-do-not-add-up": "The scores of this game sum to {sum}, and they must sum to {surplus}.",
        # Questions about scores.
        "two-out": "More than one rack is empty, but only one player can go out. Who was it?",
        "equal-lowest-sum": "Nobody went out. The lowest two sums are equal: who wins?",
        "equal-lowest-tiles": "Nobody went out. The lowest two numbers of tiles are equal: who wins?",
        "lowest-in-doubt": "Nobody went out. Doubtful tiles leave open who holds least: which tiles are they?",
        "match-tied": "Players {players} are level in games and in points. Who wins the match?",
        # Keeping a game.
        "not-no-match": "A match has begun already.",
        "not-set-up": "That belongs between two games, and none is being set up.",
        "not-playing": "No game is under way.",
        "not-ended": "The game is not over yet.",
        "not-your-turn": "It is not the turn of {player}.",
        "unusable-event": "This event cannot be used: {why}.",
        "wrong-number-of-players": "By these rules, 2 to {most} can play.",
        "box-too-small": "The box does not hold a full rack for everyone.",
        "wrong-draw-for-start": "One sure tile is needed for each who draws for the start: {players}.",
        "no-starter": "Nobody has been found to start the game.",
        "no-play": "The table is as it was: draw a tile, or pass if the pool is empty.",
        "no-such-river-tile": "There is no such tile in the river.",
        "key-not-played": "{tiles} was taken from the river and has to be played in the same turn.",
        "more-than-rack": "{tiles} came to the table, and the rack held only {held} tiles.",
        "rack-size-differs": "{player} holds {held} tiles, and by the log it should be {kept}.",
        "ruled-illegal": "The players ruled that this turn does not count.",
        "declared-too-early": "{player} called Rummikub with {left} tiles left.",
        "pool-empty": "The pool is empty: pass instead.",
        "pool-not-empty": "The pool still holds {pool} tiles: draw instead of passing.",
        "wrong-discard": "In the River variant one tile is discarded with every draw, and in no other game.",
        "overtime": "The turn took {seconds} seconds more than it may.",
        "wrong-number-of-racks": "A rack is needed for each of the {players} players.",
        "whose-rack": "It does not say whose rack was counted.",
        "count-differs": "The {where} was counted to hold {counted} tiles, and by the log it should be {kept}.",
        "not-conserved": "Table, racks, pool and river hold {count} tiles together, and the box has {total}.",
        "nothing-to-correct": "Event {number} is not an earlier event that can be corrected.",
        "joker-drawn-for-start": "A joker was drawn for the start. Who starts?",
        "out-holds-tiles": "By the log {player} went out, and this rack holds tiles: which is right?",
        "racks-in-doubt": "Doubtful tiles leave the score open. Which tiles are they?",
        "match-over": "The match is over: the agreed games are played, or the agreed points are reached.",
        "set-up?": "The sheet leaves a point open. {meaning} What are your rules?",
        "must-play?": "These rules oblige everyone to play who can. Was {player} really unable to play?",
        # Time-outs.
        "timeout-accepted": "The turn was complete and legal when the time ran out, so it stands.",
        "pool-too-small": "The penalty is {wanted} tiles and only {pool} are left: all of them are drawn.",
        "timeout-unwritten": "The rules do not say what such a time-out costs. How many do you draw?",
        # Steps of a put-back plan.
        "put-back-to-rack": "Take {tiles} from {lies_in} back to the rack.",
        "put-back-to-set": "Take {tiles} from {lies_in} and return it to {goes_to}.",
        "put-back-to-new-set": "Take {tiles} from {lies_in} and begin {goes_to} with it.",
        "put-back-from-rack": "Return {tiles}, which is not on the table, to {goes_to}.",
        # Questions about a set.
        "sort-or-slide": "{tiles} is no run as it lies. Is it meant as {answer}?",
        "only-jokers": "{tiles} holds nothing but jokers. Which tiles do they stand for?",
        "doubtful-tile": "One tile reads as {tile}. Which tile is it?",
        "hidden-tile": "Something covers {tiles}. Is it still what lay there before?",
        # Questions about a turn.
        "nothing-played?": "The table was changed, and no tile was added to it. Do your rules allow that?",
        "opening-slide?": "As it lies, the opening is worth {points} points; with the joker slid it is "
        "worth {most}, and it takes {need}. Is it meant so?",
        "group-or-run?": "The opening is worth {most} points or {points}, and it takes {need}. "
        "Is {tiles} meant as a run or as a group?",
        "joker-in-opening?": "The opening holds a joker. Do your rules allow that?",
        "built-in-opening?": "The table was used in the turn of the opening. Do your rules allow that?",
        "joker-frozen?": "The joker of {tiles} was moved. Do your rules allow that?",
        "joker-not-replaced?": "The joker of {tiles} was taken, and no tile replaces it. "
        "Do your rules allow that?",
        "joker-slides?": "The joker of {tiles} now stands for another tile of its own set. "
        "Do your rules allow that?",
        "joker-in-old-set?": "The freed joker went to {tiles}, which is no new set. Do your rules allow that?",
        "joker-without-rack-tile?": "The freed joker went to {tiles}, which holds too few tiles from the rack: "
        "your rules ask for {count}. Is that allowed?",
        "added-to-set?": "Tiles were added to {tiles}. Do your rules allow that?",
        "set-broken?": "{tiles} was taken apart. Do your rules allow that?",
        # Questions of a referee that watches.
        "has-opened?": "It was not seen for sure: had {player} opened before this turn?",
        "drew-first?": "It looks as if {player} took a tile from the pool before playing. Is that so?",
        "whose-turn?": "It was not seen surely whose turn this was. Was it the turn of {player}?",
        "nothing-seen?": "{player} ended the turn, and nothing seems changed. Was a tile laid out of sight?",
        "which-sets?": "It is not clear where {tiles} is cut into sets. Which tiles belong together?",
        "same-tile?": "{gone} lay on the table before, and now there is {tiles}. Is it the same tile?",
        "goes-beyond?": "{tiles} may go on beyond the picture. As it is seen it is a fault. Is that all of it?",
        "really-so?": "By what is seen this is a fault, but {tiles} is not seen surely enough. Is it so?",
        # Questions about a table.
        "hidden-copies": "{tile} shows {count} times with what is covered, and the box holds {limit}. "
        "Is the covered tile still {tile}?",
    }
)
