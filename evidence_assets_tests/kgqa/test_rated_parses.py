"""Readings that something else scores anew, before they are chosen and joined."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from evidence_assets.kgqa.parses import PathParse, rated
from evidence_assets_tests.testing.parsing_samples import answers, asked, museum_data, museum_parser

QUESTIONS = [asked(text, *names) for text, names, _ in museum_data()["questions"]]

# The graph does not say where it is kept.
GAP = asked("In which museum is Two Herons kept?", "Two Herons")


def own_scores(groups: Sequence[Sequence[PathParse]]) -> list[list[float]]:
    return [[one.score for one in own] for own in groups]


def turned(groups: Sequence[Sequence[PathParse]]) -> list[list[float]]:
    return [[-one.score for one in own] for own in groups]


def test_the_same_scores_change_nothing() -> None:
    def told(rate: object) -> list[list[tuple[object, ...]]]:
        parsed = museum_parser().parse(QUESTIONS, rate)
        return [
            [(str(one.query), one.score, one.exists, one.answers.tolist()) for one in own] for own in parsed
        ]

    assert told(own_scores) == told(None)


def test_readings_carry_the_question_as_it_was_masked() -> None:
    [[readings]] = museum_parser().path_parses([GAP])
    assert {one.question for one in readings} == {"In which museum is that painting kept?"}


def test_what_is_scored_anew_is_chosen_anew() -> None:
    question = asked("Who painted Blue Harbour?", "Blue Harbour")

    def museums_first(groups: Sequence[Sequence[PathParse]]) -> list[list[float]]:
        return [[float(str(one.path) == "kept_in") for one in own] for own in groups]

    first = museum_parser().parse([question], museums_first)[0][0]
    assert str(first.paths[0]) == "kept_in"
    assert first.score == 1
    assert answers(first) != ["Ines Alder"]


def test_the_order_is_the_new_scores_then_what_exists() -> None:
    [[readings]] = museum_parser().path_parses([GAP])
    [again] = rated([readings], turned)
    assert [one.score for one in again] == sorted((one.score for one in again), reverse=True)
    [alike] = rated([readings], lambda groups: [[0.0] * len(own) for own in groups])
    exist = [one.exists for one in alike]
    assert exist == sorted(exist, reverse=True)
    assert set(exist) == {True, False}
    assert {one.place for one in alike} == {one.place for one in readings}


def test_topics_without_readings_stay_so_and_scores_must_pair() -> None:
    [[readings]] = museum_parser().path_parses([asked("Who painted Blue Harbour?", "Blue Harbour")])
    assert rated([[], []], lambda groups: pytest.fail("nothing is to be scored")) == [[], []]
    assert [len(own) for own in rated([[], readings], own_scores)] == [0, len(readings)]
    with pytest.raises(ValueError, match="shorter"):
        rated([readings], lambda groups: [[1.0]])
