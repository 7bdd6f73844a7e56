"""Citation marks against the evidence that was given."""

from __future__ import annotations

import pytest

from evidence_assets.reasoning.citations import VALID, citation_status, mark, quoted


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
def test_status(text: str, cited: list[str], expected: str) -> None:
    assert citation_status(text, cited) == expected


def test_a_quoted_text_cites_nothing() -> None:
    text = "as shown in [E9], and [E12][E1]; [e1] and [E] are no marks"
    assert quoted(text) == "as shown in (E9), and (E12)(E1); [e1] and [E] are no marks"
    assert citation_status(f"{quoted(text)} [E1]", ["a"]) == VALID
