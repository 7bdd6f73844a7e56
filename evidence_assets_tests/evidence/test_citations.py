"""Citation marks against the evidence that was given."""

from __future__ import annotations

import re

import pytest
from hypothesis import given as drawn
from hypothesis import strategies as st

from evidence_assets.evidence.citations import VALID, citation_status, mark, quoted, renumbered
from evidence_assets_tests.testing.profiles import examples


def test_marks_count_from_one() -> None:
    assert [mark(number) for number in (1, 2, 12)] == ["[E1]", "[E2]", "[E12]"]


@pytest.mark.parametrize(
    ("text", "cited", "expected"),
    [
        ("It rains [E1].", ["a"], VALID),
        ("It rains [E2], hence [E1][E2].", ["a", "b"], VALID),
        ("".join(mark(number) for number in range(1, 13)), list("abcdefghijkl"), VALID),
        ("It rains.", [], "nothing cited"),
        ("E1 and [e1] and [E] and (E1)", [], "nothing cited"),
        ("It rains [E1].", [], "marks without evidence: [E1]"),
        ("[E3] [E1] [E0] [E3]", ["a"], "marks without evidence: [E0], [E3]"),
        ("[E4] [E10]", ["a"], "marks without evidence: [E4], [E10]"),
        ("It rains.", ["a"], "evidence never marked: [E1]"),
        ("It rains [E2].", ["a", "b", "c"], "evidence never marked: [E1], [E3]"),
        ("[E2] is wrong", ["a"], "marks without evidence: [E2]"),  # the graver fault is named
    ],
)
def test_citations_have_their_status(text: str, cited: list[str], expected: str) -> None:
    assert citation_status(text, cited) == expected


def test_a_quoted_text_cites_nothing() -> None:
    text = "as shown in [E9], and [E12][E1]; [e1] and [E] are no marks"
    assert quoted(text) == "as shown in (E9), and (E12)(E1); [e1] and [E] are no marks"
    assert citation_status(f"{quoted(text)} [E1]", ["a"]) == VALID


def test_several_marks_in_one_pair_of_brackets_are_quoted_too() -> None:
    assert quoted("[E1, E2] and [ E3;E4 ]") == "(E1, E2) and ( E3;E4 )"


@pytest.mark.parametrize(
    ("text", "evidence_count", "expected", "cited"),
    [
        ("It rains [E3], hence [E1][E3].", 3, "It rains [E1], hence [E2][E1].", [2, 0]),
        ("It rains [E2, E1; E2].", 2, "It rains [E1][E2][E1].", [1, 0]),
        ("It rains [ E2 ].", 2, "It rains [E1].", [1]),
        ("It rains [E02].", 2, "It rains [E1].", [1]),
        ("It rains.", 2, "It rains.", []),
        ("It rains [E1].", 0, "It rains [E1].", []),
        ("It rains [E4], hence [E0][E2].", 3, "It rains [E4], hence [E0][E1].", [1]),
        ("It rains [e1] (E1) [E] [1] [E1 and E2].", 2, "It rains [e1] (E1) [E] [1] [E1 and E2].", []),
    ],
)
def test_an_argument_is_numbered_anew_by_first_use(
    text: str, evidence_count: int, expected: str, cited: list[int]
) -> None:
    assert renumbered(text, evidence_count) == (expected, cited)


def test_a_number_of_thousands_of_digits_is_no_mark() -> None:
    """Python refuses to read such a number; a reply may hold one."""
    text = f"It rains [E{'9' * 5_000}] [E2]."
    assert renumbered(text, 2) == (text.replace("[E2]", "[E1]"), [1])
    assert citation_status(f"[E1] [E{'9' * 5_000}]", ["a"]) == VALID


@examples(300)
@drawn(
    pieces=st.lists(
        st.sampled_from(["[E1]", "[E2]", "[E5]", "[E9]", "[E0]", "[E1, E3]", "[E4; E9 ]", " rain "]),
        max_size=8,
    ),
    evidence_count=st.integers(0, 5),
)
def test_every_mark_stands_for_what_it_stood_for(pieces: list[str], evidence_count: int) -> None:
    before = "".join(pieces)
    after, cited = renumbered(before, evidence_count)
    old = [int(number) for number in re.findall(r"E(\d)", before)]
    new = [int(number) for number in re.findall(r"\[E(\d)\]", after)]
    known = list(dict.fromkeys(number for number in old if 1 <= number <= evidence_count))
    assert cited == [number - 1 for number in known]
    assert new == [known.index(number) + 1 if number in known else number for number in old]
    strange = [number for number in old if number not in known]
    assert (citation_status(after, [str(place) for place in cited]) == VALID) == (bool(cited) and not strange)
