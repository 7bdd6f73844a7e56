"""Readings that something else scores anew, and which of them the graph is said to lack."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from evidence_assets.kgqa.paths.parses import PathParse, Rate, rated, said_to_lack
from evidence_assets.kgqa.paths.parsing import Parser
from evidence_assets.kgqa.paths.path_scoring import COVERAGE, PARTS, TYPE, ParsingOptions
from evidence_assets.kgqa.paths.relation_paths import RelationPath
from evidence_assets_tests.testing.parsing_samples import (
    answers,
    encoder,
    linked_question,
    museum,
    museum_data,
    museum_parser,
    museum_schema,
)

QUESTIONS = [linked_question(text, *names) for text, names, _ in museum_data()["questions"]]

# The graph does not say where it is kept.
GAP = linked_question("In which museum is Two Herons kept?", "Two Herons")


def same_scores(groups: Sequence[Sequence[PathParse]]) -> list[list[float]]:
    return [[parse.score for parse in group] for group in groups]


def turned(groups: Sequence[Sequence[PathParse]]) -> list[list[float]]:
    return [[-parse.score for parse in group] for group in groups]


def test_the_same_scores_change_nothing() -> None:
    # A rating is of all that it may choose from, and nothing is tried after it.
    parser = Parser(museum(), museum_schema(), encoder(), ParsingOptions(lengthened=0))

    def parse_groups(rate: Rate | None) -> list[list[tuple[object, ...]]]:
        parsed = parser.parse(QUESTIONS, rate)
        return [
            [(str(parse.query), parse.score, parse.exists, parse.answers.tolist()) for parse in group]
            for group in parsed
        ]

    assert parse_groups(same_scores) == parse_groups(None)


def test_readings_carry_the_question_as_it_was_masked() -> None:
    [[readings]] = museum_parser().path_parses([GAP])
    assert {parse.question for parse in readings} == {"In which museum is that painting kept?"}


def test_what_is_scored_anew_is_chosen_anew() -> None:
    question = linked_question("Who painted Blue Harbour?", "Blue Harbour")

    def museums_first(groups: Sequence[Sequence[PathParse]]) -> list[list[float]]:
        return [[float(str(parse.path) == "kept_in") for parse in group] for group in groups]

    first = museum_parser().parse([question], museums_first)[0][0]
    assert str(first.paths[0]) == "kept_in"
    assert first.score == 1
    assert answers(first) != ["Ines Alder"]


def test_the_order_is_the_new_scores_then_what_exists() -> None:
    [[readings]] = museum_parser().path_parses([GAP])
    [again] = rated([readings], turned)
    assert [parse.score for parse in again] == sorted((parse.score for parse in again), reverse=True)
    [alike] = rated([readings], lambda groups: [[0.0] * len(group) for group in groups])
    exist = [parse.exists for parse in alike]
    assert exist == sorted(exist, reverse=True)
    assert set(exist) == {True, False}
    assert {parse.place for parse in alike} == {parse.place for parse in readings}


def test_topics_without_readings_stay_so_and_scores_must_pair() -> None:
    [[readings]] = museum_parser().path_parses([linked_question("Who painted Blue Harbour?", "Blue Harbour")])
    assert rated([[], []], lambda groups: pytest.fail("nothing is to be scored")) == [[], []]
    assert [len(group) for group in rated([[], readings], same_scores)] == [0, len(readings)]
    with pytest.raises(ValueError, match="shorter"):
        rated([readings], lambda groups: [[1.0]])


def parse(path: str, score: float, exists: bool, type_: float, coverage: float) -> PathParse:
    values = {TYPE: type_, COVERAGE: coverage}
    steps = tuple((name, False) for name in path.split(" / "))
    return PathParse(
        0, RelationPath(steps), score, tuple(values.get(part, 0.0) for part in PARTS), exists, ()
    )


@pytest.mark.parametrize(
    ("score", "type_", "coverage", "lacks"),
    [
        (0.9, 1.0, 0.6, False),
        (0.9, 1.0, 0.5, True),
        (0.9, -1.0, 0.6, True),
        (0.7, 1.0, 0.6, True),
    ],
    ids=["says more of the words", "says no more of them", "ends otherwise", "fits far worse"],
)
def test_a_path_that_fits_better_and_exists_is_not_lacking(
    score: float, type_: float, coverage: float, lacks: bool
) -> None:
    lacking = parse("kept_in", 1.0, False, 1.0, 0.5)
    existing = parse("painted_by / born_in", score, True, type_, coverage)
    assert said_to_lack([lacking, existing], museum_schema(), 0.02) == (lacking if lacks else None)
