"""Every record that is left out is a row of its own; where they are too many, the others are counted."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evidence_assets.lake.declared_rows import conform
from evidence_assets.lake.schemas import REJECTED_RECORDS
from evidence_assets.sources import rejections
from evidence_assets.sources.records import RejectedRecord
from evidence_assets.sources.rejections import (
    OTHER_REASONS,
    Rejections,
    how_many,
    kind_of_reason,
    left_out_of,
    rejected_rows,
)

LOST = RejectedRecord("article 'Paris'", "an earlier article has the same key", "name a key")


def test_what_shares_place_and_reason_is_numbered() -> None:
    empty_article = RejectedRecord("article 'Paris'", "the article has no text", "none needed")
    numbered = RejectedRecord("article 'Paris' (2)", LOST.reason, "name a key")
    rows = conform(rejected_rows("s", "u", [LOST, numbered, empty_article, LOST, LOST]), REJECTED_RECORDS)
    assert [(row["record"], row["reason"]) for row in rows.to_pylist()] == [
        ("article 'Paris'", LOST.reason),
        ("article 'Paris' (2)", LOST.reason),
        ("article 'Paris'", empty_article.reason),
        ("article 'Paris' (3)", LOST.reason),
        ("article 'Paris' (4)", LOST.reason),
    ]
    assert {(row["source"], row["source_uri"]) for row in rows.to_pylist()} == {("s", "u")}


def test_nothing_left_out_is_no_row() -> None:
    assert rejected_rows("s", "u", []).num_rows == 0


def rejected(place: object, reason: str = "not JSON", records: int = 1) -> RejectedRecord:
    return RejectedRecord(f"line {place}", reason, f"mend what is {reason}", records)


@pytest.fixture
def few(monkeypatch: pytest.MonkeyPatch) -> None:
    """Limits that a handful of records reaches."""
    monkeypatch.setattr(rejections, "MOST_LISTED", 3)
    monkeypatch.setattr(rejections, "MOST_REASONS", 2)


def test_up_to_a_number_each_record_is_told_of() -> None:
    records = [rejected(number) for number in range(rejections.MOST_LISTED)]
    assert list(Rejections(records)) == records


@pytest.mark.usefixtures("few")
def test_past_it_the_others_are_counted_by_their_reasons() -> None:
    records = [rejected(number) for number in range(3)]
    more = [rejected(4), rejected(5, "empty"), rejected(6), rejected(7)]
    assert list(Rejections([*records, *more])) == [
        *records,
        RejectedRecord("and 3 more", "not JSON", "mend what is not JSON", 3),
        RejectedRecord("and 1 more", "empty", "mend what is empty", 1),
    ]


@pytest.mark.usefixtures("few")
def test_reasons_that_are_too_many_are_counted_as_one() -> None:
    *_, first, second, others = Rejections(
        rejected(number, f"reason {number % 7}") for number in range(1_003)
    )
    assert (first.reason, second.reason) == ("reason 3", "reason 4")
    assert (others.record, others.reason) == (f"and {others.records:,} more", OTHER_REASONS)
    assert others.remedy
    assert 3 + first.records + second.records + others.records == 1_003


def test_long_places_take_no_more_than_their_room(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(rejections, "MOST_CHARACTERS", 1_000)
    told = list(Rejections(rejected("x" * 600) for _ in range(50)))
    assert [record.record[:8] for record in told] == ["line xxx", "line xxx", "and 48 m"]
    assert how_many(told) == 50


@pytest.mark.usefixtures("few")
def test_what_was_counted_may_be_counted_again() -> None:
    """Of several sources each has told of its own."""
    told = [record for _ in range(2) for record in Rejections(rejected(number) for number in range(103))]
    assert how_many(Rejections(told)) == how_many(told) == 206


@given(
    st.lists(st.tuples(st.integers(0, 5), st.integers(0, 4), st.integers(1, 3))),
    st.integers(0, 4),
    st.integers(0, 3),
    st.integers(1, 200),
)
def test_no_record_is_lost_or_counted_twice(
    written: list[tuple[int, int, int]], listed: int, reasons: int, room: int
) -> None:
    records = [rejected(place, f"reason {reason}", count) for place, reason, count in written]
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(rejections, "MOST_LISTED", listed)
        patched.setattr(rejections, "MOST_REASONS", reasons)
        patched.setattr(rejections, "MOST_CHARACTERS", room)
        told = list(Rejections(records))
    assert how_many(told) == sum(count for _, _, count in written)
    assert len(told) <= listed + reasons + 1
    rows = conform(rejected_rows("s", "u", told), REJECTED_RECORDS)
    assert sum(row["records"] or 1 for row in rows.to_pylist()) == how_many(told)


def test_a_row_of_one_record_does_not_count_it() -> None:
    rows = rejected_rows("s", "u", [rejected(1), rejected(2, records=4)]).to_pylist()
    assert [row["records"] for row in rows] == [None, 4]


def test_places_that_all_repeat_are_each_told_of() -> None:
    count = rejections.MOST_LISTED
    places = rejected_rows("s", "u", [LOST] * count).column("record").to_pylist()
    assert places[-1] == f"{LOST.record} ({count})"
    assert len(set(places)) == count


@pytest.mark.parametrize(
    ("reason", "kind"),
    [
        ("byte 0, 0xff, is not UTF-8", "byte …, …, is not UTF-8"),
        ("a lone surrogate at character 1,204", "a lone surrogate at character …"),
        ("question id 'b1' was already used by line 1", "question id … was already used by line …"),
        ("the file's key isn't told", "the file's key isn't told"),
    ],
)
def test_the_kind_of_a_reason_is_what_it_says_without_its_numbers_and_names(reason: str, kind: str) -> None:
    assert kind_of_reason(reason) == kind


def test_what_was_left_out_of_a_source_is_told_in_a_line_with_its_first_reasons() -> None:
    reason = f"{LOST.record}: {LOST.reason}; remedy: {LOST.remedy}"
    assert left_out_of("shard s", [LOST]) == f"shard s: 1 record left out (see rejected_records): {reason}"
    line = left_out_of("shard s", [LOST] * 4)
    assert line == "shard s: 4 records left out (see rejected_records): " + f"{reason}; " * 3 + "…"
