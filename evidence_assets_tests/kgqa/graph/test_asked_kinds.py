"""Which types are of persons, by the meaning of their nouns and by what their members are called."""

from __future__ import annotations

import pytest

from evidence_assets.kgqa.graph.asked_kinds import KindExamples
from evidence_assets_tests.testing.parsing_samples import encoder

_COLLECTORS = ("Ada Hallam", "Boris Lindqvist", "Cyril Marr", "Dora Quist")


def test_nouns_for_persons_are_told_from_those_for_things() -> None:
    nouns = ["journalist", "lawyer", "newspaper", "harbour"]
    assert KindExamples(encoder()).are_persons(nouns) == [True, True, False, False]


@pytest.mark.parametrize(
    "names", [_COLLECTORS, ("Amelie Bauer", "Bartek Nowak", "Carmen Ortega", "Daniel Hughes")]
)
def test_names_of_persons_are_told(names: tuple[str, ...]) -> None:
    assert KindExamples(encoder()).are_called_as_persons(names)


@pytest.mark.parametrize(
    "names",
    [
        ("Great Osmund", "Old Tobias", "Black Meg", "Curfew", "Gloria", "Magdalen"),
        ("Abbey Tower", "Market Tower", "North Tower"),
        ("oak", "larch", "elm", "ash"),
        _COLLECTORS[:2],
    ],
)
def test_other_names_and_too_few_are_none_of_persons(names: tuple[str, ...]) -> None:
    assert not KindExamples(encoder()).are_called_as_persons(names)


def test_members_that_are_called_as_persons_are_what_who_asks_for_and_no_things() -> None:
    nouns = {"collector": "collector", "tower": "tower"}
    by_nouns = KindExamples(encoder()).asked_kinds(nouns, {})
    assert "collector" in by_nouns.things and not by_nouns.persons
    kinds = KindExamples(encoder()).asked_kinds(
        nouns, {"collector": _COLLECTORS, "tower": ["Abbey Tower"] * 3}
    )
    assert kinds.persons == {"collector"}
    assert kinds.things == by_nouns.things - {"collector"}
