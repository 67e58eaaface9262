"""Referee a recorded game: python examples/watch_recording.py [VIDEO PLAYER PLAYER...], or the bundled one."""

import sys

from referee import edition
from vision import Frame, Reader, TurnEnded, Watcher, WatchSetup, open_source


def main(video: str = "demo", players: tuple[str, ...] = ("Anna", "Boris", "Clara")) -> None:
    """Print every turn with its verdict, as soon as it is over."""
    setup = WatchSetup(players, edition="ru")
    watcher = Watcher(Reader.load(inventory=edition("ru").rules.inventory), setup)
    with open_source(video) as source:
        for taken in source.frames():
            happened = watcher.push(taken) if isinstance(taken, Frame) else watcher.notice(taken)
            tell(happened, players)
    tell(watcher.finish(), players)


def tell(happened: list, players: tuple[str, ...]) -> None:
    """Print the turns among what the watcher says."""
    for event in happened:
        if isinstance(event, TurnEnded):
            turn = event.record
            who = "?" if turn.seat is None else players[turn.seat]
            print(f"{turn.end_s:6.1f} s  {who}: {turn.action} {turn.verdict}: {turn.after}", flush=True)
            for said in (*turn.problems, *turn.questions):
                print(f"          {said.message}")


if __name__ == "__main__":
    main(*sys.argv[1:2], *((tuple(sys.argv[2:]),) if sys.argv[2:] else ()))
