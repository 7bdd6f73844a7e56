"""Questions that say days and months of a year, of graphs whose literals are days."""

from __future__ import annotations

from functools import cache

import pytest

from evidence_assets.kgqa.understanding.knowledge_base import KnowledgeBase
from evidence_assets_tests.testing.railway_questions import base_of_typed, outcome, read

_CASTS = [
    ("Otter", "Anna Roe", "2022-03-04", "kiln"),
    ("Heron", "Anna Roe", "2022-03-31", "kiln"),
    ("Marten", "Bo Lind", "2022-04-01", "pit"),
    ("Badger", "Bo Lind", "2022-09-19", "kiln"),
    ("Stoat", "Cy Marr", "2023-01-15", "pit"),
]


def _rows(day: str | None) -> list[tuple[str, str, str, str, str | None]]:
    """Bells, who cast them and when; `day`: the type of days."""
    return [
        row
        for bell, founder, cast_on, place in _CASTS
        for row in (
            (bell, "cast_by", founder, "bell", "founder"),
            (bell, "cast_on", cast_on, "bell", day),
            (bell, "cast_at", place, "bell", "place"),
        )
    ]


@cache
def foundry(day: str | None = "date") -> KnowledgeBase:
    return base_of_typed(_rows(day))


def asked(text: str, day: str | None = "date") -> list[str] | str:
    return outcome(read(text, foundry(day)), foundry(day))


@pytest.mark.parametrize("day", ["date", "day", None])
@pytest.mark.parametrize(
    ("text", "answers"),
    [
        ("Which bell was cast on 19 September 2022?", ["Badger"]),
        ("Which bells were cast in March 2022?", ["Heron", "Otter"]),
        ("Which bells were cast before April 1st, 2022?", ["Heron", "Otter"]),
        ("Which bells were cast after 31 March 2022?", ["Badger", "Marten", "Stoat"]),
        ("Which bells were cast by 1 April 2022?", ["Heron", "Marten", "Otter"]),
        ("Which bells were cast between 31 March 2022 and 19 September 2022?", ["Badger", "Heron", "Marten"]),
        ("How many bells did Anna Roe cast in March 2022?", "2"),
        ("Was Otter cast on 4 March 2022?", "yes"),
        ("Was Otter cast on 5 March 2022?", "no"),
    ],
)
def test_days_and_months_are_compared_as_values(text: str, answers: list[str] | str, day: str | None) -> None:
    assert asked(text, day) == answers


@pytest.mark.parametrize("noun", ["day", "date"])
@pytest.mark.parametrize("day", ["date", "day", "cast_day"])
def test_a_day_is_asked_for_by_either_noun(noun: str, day: str) -> None:
    assert asked(f"On what {noun} was Marten cast?", day) == ["2022-04-01"]


@pytest.mark.parametrize(
    "text",
    [
        "Which bell was cast on 19 September?",
        "Which bell was cast in the middle of March 2022?",
        "Which bell was cast in late March 2022?",
        "Which bell was cast on 19 September 1822?",
        "How many bells a day did Anna Roe cast?",
        "Where was Anna Roe on the day of the first cast?",
    ],
)
def test_what_no_day_of_the_graph_tells_is_not_answered(text: str) -> None:
    assert asked(text) == "abstained"


def test_a_reading_shows_days() -> None:
    reading = read("Which bell was cast on 19 September 2022?", foundry())
    assert "whose cast_on >= 2022-09-19) whose cast_on < 2022-09-20" in str(reading.query)


@pytest.mark.parametrize("now", ["at the moment", "right now", "at present"])
def test_that_something_is_so_now_is_what_a_graph_tells(now: str) -> None:
    assert asked(f"Which bells have been cast by Bo Lind {now}?") == ["Badger", "Marten"]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Was Otter built in June 1986?", "abstained"),
        ("Which boats were built before 3 May 1986?", "abstained"),
        ("How many boats were built after May 1986?", "abstained"),
        # Whatever the month was, that of another year is none of it.
        ("Which boats were built after June 1988?", ["Marten"]),
        ("Was Otter built in June 1988?", "no"),
    ],
)
def test_years_alone_tell_no_months(text: str, expected: list[str] | str) -> None:
    years = [("Otter", "1986"), ("Heron", "1986"), ("Badger", "1987"), ("Marten", "1990")]
    base = base_of_typed([(boat, "built_in", year, "boat", None) for boat, year in years])
    assert outcome(read(text, base), base) == expected
