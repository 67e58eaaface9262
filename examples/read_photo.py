"""Read a photograph of a table, and judge its sets: python examples/read_photo.py PHOTO."""

import sys

from referee import judge_table
from vision import read_photo, seen_table


def main(photo: str) -> None:
    """Print the sets with every doubt, and the verdict with its reasons."""
    reading = read_photo(photo)
    table = seen_table(reading)  # what the referee takes: a doubtful tile keeps all its candidates
    print(table)
    judgement = judge_table(table)
    print(judgement.verdict)
    for said in (*judgement.problems, *judgement.questions):
        print(said.message)


if __name__ == "__main__":
    main(sys.argv[1])
