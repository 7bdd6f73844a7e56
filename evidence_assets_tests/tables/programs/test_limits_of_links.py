"""A limit on a number is told from other bounds of a link."""

from __future__ import annotations

import pytest

from evidence_assets.tables.programs.links.linking import Link, limit_of


@pytest.mark.parametrize(
    ("bound", "limit"),
    [
        ("> 5", (">", 5.0)),
        ("<= -2.5", ("<=", -2.5)),
        (">= 1e+06", (">=", 1e6)),
        ("< Target", None),
        ("< 12.3.2024", None),
        ("< 15 May", None),
        ("= 5", None),
        ("", None),
    ],
)
def test_a_relation_to_a_number_is_a_limit(bound: str, limit: tuple[str, float] | None) -> None:
    assert limit_of(Link.of_column(0, 1, 0, frozenset(), bound)) == limit
