"""Readings that something else scores anew, before they are chosen and joined."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from evidence_assets.kgqa.parses import PathParse, rated
from evidence_assets_tests.testing.parsing_samples import answers, linked_question, museum_data, museum_parser

QUESTIONS = [linked_question(text, *names) for text, names, _ in museum_data()["questions"]]

# The graph does not say where it is kept.
GAP = linked_question("In which museum is Two Herons kept?", "Two Herons")


def same_scores(groups: Sequence[Sequence[PathParse]]) -> list[list[float]]:
    return [[parse.score for parse in group] for group in groups]


def turned(groups: Sequence[Sequence[PathParse]]) -> list[list[float]]:
    return [[-parse.score for parse in group] for group in groups]


def test_the_same_scores_change_nothing() -> None:
    def parse_groups(rate: object) -> list[list[tuple[object, ...]]]:
        parsed = museum_parser().parse(QUESTIONS, rate)
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
