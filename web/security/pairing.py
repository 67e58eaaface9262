"""Pairing: a code gives a phone its role. Codes are made here, and kept with the data."""

from __future__ import annotations

import hmac
import secrets
import threading
from dataclasses import dataclass
from typing import Any, Final

from web.desk.who import Role, Who
from web.errors import Refused
from web.store.kept import Kept

__all__ = ["Code", "Pairing"]

_LETTERS: Final = "ABCDEFGHJKLMNPQRSTUVWXYZ23456789"
"""Neither I and 1, nor O and 0: they are read for each other."""
_LENGTH: Final = 8
"""40 bits: with a few tries a minute nobody guesses one."""
_SEATS: Final = 6


@dataclass(frozen=True, slots=True)
class Code:
    """One pairing code."""

    role: Role
    """The role that it gives."""
    seat: int | None
    """A player's seat."""
    code: str
    """What is typed, or read from the QR code."""

    @property
    def who(self) -> Who:
        """Whom it makes of one who has it."""
        return Who(self.role, self.seat)


class Pairing:
    """The codes in force. New codes end what the old ones gave."""

    def __init__(self, kept: Kept) -> None:
        """Take the codes that are kept, or make the first."""
        self._kept = kept
        self._lock = threading.Lock()
        self._now: dict[str, Any] = kept.get("pairing") or self._made(1)

    def _made(self, epoch: int) -> dict[str, Any]:
        names = ["referee", "spectator", *(f"player-{seat}" for seat in range(_SEATS))]
        made = {
            "epoch": epoch,
            "codes": {name: "".join(secrets.choice(_LETTERS) for _ in range(_LENGTH)) for name in names},
        }
        self._kept.set("pairing", made)
        return made

    @property
    def epoch(self) -> int:
        """Grows with every renewal; a cookie of an older epoch is worth nothing."""
        return int(self._now["epoch"])

    def codes(self, players: int) -> tuple[Code, ...]:
        """Return the codes for a match of so many players."""
        codes = self._now["codes"]
        seats = tuple(Code("player", seat, codes[f"player-{seat}"]) for seat in range(min(players, _SEATS)))
        return (Code("referee", None, codes["referee"]), *seats, Code("spectator", None, codes["spectator"]))

    def redeem(self, text: str) -> Who:
        """Return whom a code makes of one who has it; Refused for a wrong one. Takes as long for each."""
        wanted = "".join(text.split()).replace("-", "").upper().encode("utf-8", "replace")
        found = None
        for one in self.codes(_SEATS):
            if hmac.compare_digest(one.code.encode(), wanted):
                found = one.who
        if found is None:
            raise Refused("wrong-code")
        return found

    def renew(self) -> None:
        """Make new codes; phones have to pair again."""
        with self._lock:
            self._now = self._made(self.epoch + 1)
