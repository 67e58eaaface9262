"""Judge a turn without any picture: python examples/judge_turn.py."""

from referee import edition, judge_turn, parse_table, parse_tiles, put_back


def main() -> None:
    """Print what the referee says of a foul and of a doubtful turn, and how the foul is put back."""
    rules = edition("ru").rules
    before = parse_table("R3 R4 R5 | B7 K7 O7")
    after = parse_table("R3 R4 R5 | B7 K7 O7 K7")
    judgement = judge_turn(before, after, opened=True, rules=rules, rack=parse_tiles("K7 B1"))
    print(judgement.verdict, [problem.message for problem in judgement.problems])
    for step in put_back(after, before):
        print(f"{step.kind} {step.tile}: {step.table}")

    # A tile that was not read surely: a question, never an accusation.
    doubtful = judge_turn(before, parse_table("R3 R4 R5 R6/R9 | B7 K7 O7"), opened=True, rules=rules)
    print(doubtful.verdict, [question.message for question in doubtful.questions])


if __name__ == "__main__":
    main()
