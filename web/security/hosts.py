"""Under which names this program answers: a stranger's name that leads here (DNS rebinding) is refused."""

from __future__ import annotations

import contextlib
import ipaddress
import socket

__all__ = ["HostCheck", "certificate_names", "is_loopback", "own_addresses"]

_LOCAL = ("localhost", "127.0.0.1", "::1")


def host_only(host: str) -> str:
    """Return the name in a Host header, without its port, in lower case."""
    if host.startswith("["):
        return host[1:].partition("]")[0].lower()
    return host.partition(":")[0].lower().rstrip(".")


def is_loopback(address: str | None) -> bool:
    """True for an address of this computer itself."""
    try:
        return ipaddress.ip_address(address or "").is_loopback
    except ValueError:
        return False


def own_addresses() -> tuple[str, ...]:
    """Return this computer's addresses in the local network, the likeliest first; nothing is sent."""
    found = []
    for family, target in ((socket.AF_INET, "192.0.2.1"), (socket.AF_INET6, "2001:db8::1")):
        try:
            with socket.socket(family, socket.SOCK_DGRAM) as probe:
                probe.connect((target, 9))  # a datagram socket only looks up the route
                found.append(probe.getsockname()[0])
        except OSError:
            continue
    with contextlib.suppress(OSError):
        found += [str(info[4][0]) for info in socket.getaddrinfo(socket.gethostname(), None)]
    plain = [address.partition("%")[0] for address in found]
    return tuple(dict.fromkeys(one for one in plain if not is_loopback(one)))


def certificate_names(names: tuple[str, ...]) -> tuple[str, ...]:
    """Return everything that a certificate for this computer should name."""
    mine = socket.gethostname().lower()
    return tuple(dict.fromkeys((*_LOCAL, mine, f"{mine}.local", *own_addresses(), *names)))


class HostCheck:
    """Says whether a Host header names this program."""

    def __init__(self, lan: bool, names: tuple[str, ...] = ()) -> None:
        """Take whether the local network may ask, and further names that lead here."""
        self._lan = lan
        mine = socket.gethostname().lower()
        extra = (mine, f"{mine}.local") if lan else ()
        self._names = {*_LOCAL, *extra, *(name.lower() for name in names)}

    def allows(self, host: str) -> bool:
        """True for a name of this program; in the local network for any bare address, none can be rebound."""
        name = host_only(host)
        if name in self._names:
            return True
        if not self._lan:
            return False
        try:
            ipaddress.ip_address(name)
        except ValueError:
            return False
        return True
