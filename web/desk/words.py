"""What the dashboard itself says, by code, in English; ``referee.texts`` has what the referee says.

A translation is another mapping of the same codes. Every argument comes in under its own name.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

__all__ = ["ENGLISH_OF_DESK", "ERRORS", "SAID"]

SAID: Final[Mapping[str, str]] = MappingProxyType(
    {
        "match-begins": "A new match begins.",
        "starter-drawn": "{player} starts.",
        "draw-again": "Level: {players} draw again.",
        "game-begins": "The game begins: it is the turn of {player}.",
        "turn-begins": "It is the turn of {player}.",
        "verdict-legal": "The turn of {player} is legal. Next is {next}.",
        "verdict-illegal": "The turn of {player} is not legal. Please put it back.",
        "verdict-ask": "The turn of {player} raises a question.",
        "refused": "That does not count.",
        "drew": "{player} draws. Next is {next}.",
        "passed": "{player} passes. Next is {next}.",
        "was-put-back": "{player} has put the tiles back. Next is {next}.",
        "declared": "{player} calls Rummikub!",
        "timed-out": "The time of {player} is up.",
        "went-out": "{player} has played the last tile.",
        "game-over": "The game is over. The racks are counted.",
        "game-scored": "The game is scored: {player} wins it.",
        "match-won": "{player} wins the match.",
        "undone": "The last step was taken back.",
        "restored": "It counts again.",
        "corrected": "An earlier step was corrected.",
        "answered": "The answer is written down.",
        "counted": "The count is written down.",
        "cell-edited": "The score sheet was changed.",
        "winner-agreed": "{player} wins the match by agreement.",
        "paused": "The clock stands still.",
        "paused-away": "The program was away, so the clock was stopped.",
        "resumed": "The clock runs again.",
        "extended": "{seconds} seconds more.",
        "match-opened": "The match goes on.",
        "match-closed": "The match is closed.",
        "match-deleted": "The match and its pictures are deleted.",
        "rack-read": "The rack of {player} was read.",
        "rack-note": "{why}",
        "rack-accepted": "The rack of {player} is accepted.",
        "settings-changed": "The settings were changed.",
        "camera-starting": "The camera starts.",
        "camera-ended": "The recording is at its end.",
        "camera-missing": "Camera {number} cannot be opened: there is none, or another program uses it.",
        "camera-lost": "The camera gives no picture: {why}",
        "camera-off": "The camera is off.",
        "camera-notice": "{why}",
        "resynchronised": "The referee looked at the table anew.",
    }
)
"""What is announced and spoken."""

ERRORS: Final[Mapping[str, str]] = MappingProxyType(
    {
        "bad-request": "The request could not be understood: {why}.",
        "no-token": "The page has been open for too long, or was sent from elsewhere: load it again.",
        "wrong-host": "This address does not lead to this program.",
        "not-allowed": "That is for the referee, or for the player whose turn it is.",
        "not-paired": "Enter the pairing code that the referee shows.",
        "wrong-code": "This pairing code is not valid.",
        "too-often": "That was tried too often: wait {seconds} seconds.",
        "too-many-streams": "Too many pages are open from this device.",
        "too-large": "That is too large: at most {limit} are taken.",
        "no-such-page": "There is no such page.",
        "no-such-match": "There is no such match.",
        "no-such-picture": "There is no such picture.",
        "no-such-event": "There is no event {number}.",
        "no-such-question": "This question is not open any more.",
        "no-such-answer": "{answer} is no answer to this question.",
        "no-such-tile": "There is no such tile any more.",
        "no-such-cell": "There is no such cell on the score sheet.",
        "no-such-seat": "There is no seat {seat}.",
        "no-such-action": "There is no action {action}.",
        "no-such-recording": "There is no such recording.",
        "not-a-recording": "A recording is a file such as {kinds}.",
        "bad-moment": "{text} is no time of a recording: write it as 1:35, or 1:02:30.",
        "ends-first": "The game would be over before it begins.",
        "no-such-review": "There is no such review.",
        "no-match": "No match is open.",
        "moved-on": "The game has moved on since this page was drawn: look again.",
        "nothing-to-undo": "There is nothing to take back.",
        "nothing-to-restore": "Event {number} was not taken back.",
        "wrong-mode": "That belongs to another kind of match.",
        "wrong-phase": "That does not belong to this moment of the game.",
        "tiles-laid": "Tiles were laid in this turn: end it with them, or put them back first.",
        "not-confirmed": "Deleting was not confirmed.",
        "match-open": "This match is open: close it first.",
        "bad-notation": "That is not in the notation: {why}.",
        "bad-rules": "These rules cannot be: {why}.",
        "bad-players": "2 to {most} players need a name each, no two the same.",
        "scores-needed": "Every score but one is needed, and the winner.",
        "points-needed": "Enter the points as a whole number: nothing was changed.",
        "photo-missing": "No photograph was sent.",
        "photo-unusable": "{why}",
        "no-reader": "Photographs cannot be read: {why}",
        "no-camera": "No camera is on.",
        "source-unusable": "{why}",
        "store-unusable": "{path} cannot be used: {why}.",
        "folder-taken": "{path} is in use by another tileref: end it, or choose another folder with --data.",
        "store-newer": "{path} was written by a newer version of this program.",
        "backup-failed": "The backup {path} cannot be written: {why}.",
        "backup-exists": "{path} exists already: choose another name.",
        "log-unusable": "This log cannot be used: {why}.",
        "port-taken": "Port {port} is in use: stop the other program, or choose another with --port.",
        "no-address": "The server cannot listen at {address}: {why}.",
        "went-wrong": "Something went wrong in the program; what was confirmed is safe.",
        "review-failed": "The recording cannot be reviewed: {why}",
        "recording-ended": "The recording has been watched.",
    }
)
"""What is refused, and why."""

ENGLISH_OF_DESK: Final[Mapping[str, str]] = MappingProxyType({**SAID, **ERRORS})
"""Every sentence of the dashboard's back end."""
