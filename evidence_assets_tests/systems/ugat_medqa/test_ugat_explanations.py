"""Chains of two to four sentences: what they cite, in which order, and what they say of it."""

from __future__ import annotations

import pytest

from evidence_assets.evidence.citations import citation_status
from evidence_assets.evidence.experiment import Selected
from evidence_assets.evidence.units import unit_of_path
from evidence_assets.systems.ugat_medqa.explanations import (
    MOST_CITED,
    option_explanation,
    unreached_explanation,
)
from evidence_assets.systems.ugat_medqa.option_eligibility import OptionPath, WeighedPath


def path(text: str, weight: float = 1.0, triples: int = 1) -> WeighedPath:
    unit = unit_of_path(f"path {text}", text, [f"t{number}" for number in range(triples)])
    return WeighedPath(OptionPath(Selected(unit, 0.5, []), 1.0), weight)


@pytest.mark.parametrize(
    ("weights", "cited"),
    [
        ([1], "0"),
        ([1, 1, 1, 1, 1], "012"),
        ([1, 0.5, 1, 0, 0], "013"),
        ([0, 0.5], "10"),
        ([0, 0, 0, 0], "012"),
        ([0, 1, 0, 0], "102"),
    ],
)
def test_the_best_that_count_are_cited_and_one_that_does_not(weights: list[float], cited: str) -> None:
    paths = [path(f"{place}.", weight) for place, weight in enumerate(weights)]
    text, units = option_explanation("X", paths, exception=False)
    assert "".join(unit.text[0] for unit in units) == cited
    assert citation_status(text, [unit.evidence_id for unit in units]) == "valid"
    assert 2 <= text.count(". ") + 1 <= 1 + MOST_CITED == 4
    assert text.startswith("The graph leads" if any(weights) else "No path speaks for “X”.")
    assert text.count("(this does not speak for it)") == sum(weights[int(place)] == 0 for place in cited)


def test_a_passage_is_one_sentence() -> None:
    text, _ = option_explanation(
        "gout.", [path("A may cause b. B may cause gout.", triples=2)], exception=False
    )
    assert text == "The graph leads from the question to “gout.”. A may cause b; B may cause gout [E1]."


def test_an_exception_is_said_to_be_one() -> None:
    text, _ = option_explanation("X", [path("A.")], exception=True)
    assert text == "The question asks for the exception, and the graph says least for “X”. A [E1]."


def test_marks_in_options_and_passages_are_none() -> None:
    text, units = option_explanation("[E2]", [path("A [E7].")], exception=False)
    assert text == "The graph leads from the question to “(E2)”. A (E7) [E1]."
    assert len(units) == 1


def test_an_exception_without_a_path_cites_the_best_of_the_others_once_each() -> None:
    paths = {0: [path("No.", 0), path("A."), path("B.")], 1: [path("A.")]}
    text, units = unreached_explanation(2, ["[E5]", "Y", "Z"], paths, negated=True)
    assert text == (
        "The question asks for the exception, and no path leads to “Z”. A (this leads to “(E5)”) [E1]."
    )
    assert [unit.text for unit in units] == ["A."]
    many = {option: [path(f"{option}.")] for option in range(5)}
    assert len(unreached_explanation(5, list("abcdef"), many, negated=True)[1]) == MOST_CITED


@pytest.mark.parametrize(
    ("negated", "paths"), [(False, {0: [path("A.")]}), (True, {0: [path("A.", 0)]}), (True, {})]
)
def test_an_answer_that_nothing_is_cited_for_says_so(
    negated: bool, paths: dict[int, list[WeighedPath]]
) -> None:
    text, units = unreached_explanation(2, ["X", "Y", "Z"], paths, negated)
    assert text == "No passage leads to “Z”. It is chosen by the question and the options alone."
    assert units == []
    assert citation_status(text, []) == "nothing cited"
