"""What stands behind a verb and its preposition is no other relation's, nor is a number of a name a value."""

from __future__ import annotations

from functools import cache

import pytest

from evidence_assets.kgqa.understanding.knowledge_base import KnowledgeBase
from evidence_assets_tests.testing.railway_questions import base_of_typed, outcome, read

_ROWS: list[tuple[str, str, str, str, str | None]] = [
    ("Hansa", "builtIn", "1998", "ship", None),
    ("Vega", "builtIn", "2004", "ship", None),
    ("Hansa", "flag", "Norway", "ship", "country"),
    ("Vega", "flag", "Malta", "ship", "country"),
    ("Hansa", "captainedBy", "Ada Brook", "ship", "captain"),
    ("Vega", "captainedBy", "Ben Cole", "ship", "captain"),
    ("Hansa", "pilotedBy", "Cy Dunn", "ship", "pilot"),
    ("Vega", "pilotedBy", "Di Eve", "ship", "pilot"),
    ("Ada Brook", "bornIn", "1961", "captain", None),
    ("Ben Cole", "bornIn", "1972", "captain", None),
    ("Ada Brook", "citizenOf", "Norway", "captain", "country"),
    ("Ben Cole", "citizenOf", "Malta", "captain", "country"),
    ("Hansa", "moored_at", "Berth 1", "ship", "berth"),
    ("Vega", "moored_at", "Berth 2", "ship", "berth"),
    ("Berth 1", "at_quay", "Grain Quay", "berth", "quay"),
    ("Berth 2", "at_quay", "Coal Quay", "berth", "quay"),
    ("Grain Quay", "depth_m", "9", "quay", None),
    ("Coal Quay", "depth_m", "12", "quay", None),
]


@cache
def harbour() -> KnowledgeBase:
    return base_of_typed(_ROWS)


@pytest.mark.parametrize(
    "text",
    [
        # Years tell of no country, whatever else leads there.
        "Which ship was built in Norway?",
        "Which captain was born in Norway?",
        # No captain is a pilot.
        "Which ship was captained by a pilot?",
    ],
)
def test_what_a_verb_is_said_of_is_no_other_relations(text: str) -> None:
    assert outcome(read(text, harbour()), harbour()) == "abstained"


@pytest.mark.parametrize(
    "text", ["Which quay is Berth 9 at?", "Which ship is moored at berth 9?", "At which quay is Berth 7?"]
)
def test_a_number_of_a_name_that_is_lacking_is_no_value(text: str) -> None:
    assert outcome(read(text, harbour()), harbour()) == "abstained"


@pytest.mark.parametrize(
    ("text", "answer"),
    [
        ("Which ship was built in 1998?", ["Hansa"]),
        ("Which ship was captained by Ada Brook?", ["Hansa"]),
        ("Which captain is a citizen of Norway?", ["Ada Brook"]),
        ("Which quay is Berth 1 at?", ["Grain Quay"]),
        ("Which quay has a depth of 9 metres?", ["Grain Quay"]),
    ],
)
def test_what_is_told_is_answered(text: str, answer: list[str]) -> None:
    assert outcome(read(text, harbour()), harbour()) == answer
