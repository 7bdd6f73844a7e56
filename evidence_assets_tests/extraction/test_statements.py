"""Statements of known truth: every second one has a tail that the graph does not state there."""

from __future__ import annotations

from evidence_assets.extraction.statements import stated_and_swapped

TRIPLES = [
    ("oak", "IsA", "tree"),
    ("rose", "IsA", "flower"),
    ("oak", "IsA", "plant"),
    ("cat", "IsA", "animal"),
    ("pen", "UsedFor", "writing"),
]
TEMPLATES = {"IsA": "{head} is a {tail}", "UsedFor": "{head} is used for {tail}"}


def test_half_are_stated_and_half_have_the_tail_of_another_of_their_relation() -> None:
    stated = {TEMPLATES[relation].format(head=head, tail=tail) for head, relation, tail in TRIPLES}
    statements = stated_and_swapped(TRIPLES, TEMPLATES, 4)
    assert [statement.is_stated for statement in statements] == [True, False, True, False]
    for statement in statements:
        assert (statement.text in stated) == statement.is_stated
    # A relation of a single triple has no other tail: it is only ever stated.
    swapped = [
        statement.text for statement in stated_and_swapped(TRIPLES, TEMPLATES, 10) if not statement.is_stated
    ]
    assert not any("pen" in text for text in swapped)


def test_the_order_of_the_triples_does_not_matter() -> None:
    assert stated_and_swapped(TRIPLES, TEMPLATES, 4) == stated_and_swapped(TRIPLES[::-1], TEMPLATES, 4)
    assert stated_and_swapped([], TEMPLATES, 4) == []
