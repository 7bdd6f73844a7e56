"""What a model proposes: schemas that end, what an expression says, and rank by accounting and agreement."""

from __future__ import annotations

import jsonschema
import pytest

from evidence_assets.evidence.accounting import Accounting, Binding, Role
from evidence_assets.reading.proposals import (
    SAMPLES,
    Proposal,
    Word,
    account_for,
    alternatives,
    kind_of,
    leaves,
    one_of,
    pair_of,
    ranked,
    samplings,
)


def accounting(*roles: Role) -> Accounting:
    return Accounting(tuple(Binding(place, place + 1, "w", role) for place, role in enumerate(roles)))


WHOLE, HALF = accounting(Role.EVIDENCE, Role.EVIDENCE), accounting(Role.EVIDENCE, Role.UNACCOUNTED)


def test_samples_are_drawn_by_seeds_of_their_own_and_the_first_greedily() -> None:
    first, *drawn = samplings()
    assert first.temperature == 0
    assert len({sampling.seed for sampling in drawn}) == len(drawn) == SAMPLES - 1
    assert all(sampling.temperature > 0 for sampling in drawn)


def test_a_schema_takes_expressions_of_its_kinds_and_no_others() -> None:
    leaf = {"$ref": "#/$defs/leaf"}
    kinds = alternatives({"leaf": [kind_of("name", text=one_of(["a", "b"]))]})
    schema = {"anyOf": [leaf, kind_of("and", parts=pair_of(leaf))], "$defs": kinds}
    name = {"kind": "name", "text": "a"}
    jsonschema.validate({"kind": "and", "parts": [name, name]}, schema)
    for wrong in (
        {"kind": "and", "parts": [name]},
        {"kind": "name", "text": "c"},
        {"kind": "name"},
        {**name, "more": 1},
    ):
        with pytest.raises(jsonschema.ValidationError):
            jsonschema.validate(wrong, schema)


def test_an_expressions_texts_numbers_and_flags_are_told_with_their_fields() -> None:
    value = {"kind": "and", "parts": [{"text": "Quebec", "bound": 2.0}, {"greatest": False, "highest": True}]}
    assert list(leaves(value)) == [
        ("kind", "and"),
        ("text", "Quebec"),
        ("bound", "2"),
        ("greatest", "not greatest"),
        ("highest", "highest"),
    ]


def test_a_word_is_bound_by_a_name_before_an_operator_and_only_where_it_carries_content() -> None:
    words = [Word(0, 4, "most", carries=True), Word(5, 10, "weigh", carries=True), Word(11, 13, "of", False)]
    targets = {"weigh": (Role.EVIDENCE, "weight"), "of": (Role.EVIDENCE, "of")}
    bound = account_for("most weigh of", words, targets, {"most": "highest", "weigh": "sum"})
    assert [(binding.text, binding.role, binding.target) for binding in bound.bindings] == [
        ("most", Role.OPERATOR, "highest"),
        ("weigh", Role.EVIDENCE, "weight"),
        ("of", Role.EMPTY, ""),
    ]


def test_what_accounts_for_more_and_agrees_with_more_is_first_and_equal_expressions_stand_once() -> None:
    drawn = [
        Proposal("a", 1, "yes", HALF, "r1"),
        Proposal("b", 2, "yes", WHOLE, "r2"),
        Proposal("a", 1, "yes", HALF, "r3"),
        Proposal("c", 3, "no", WHOLE, "r4"),
    ]
    proposals = ranked(drawn)
    assert [(proposal.expression, proposal.agreement, proposal.score) for proposal in proposals] == [
        ("b", 0.75, 0.75),
        ("a", 0.75, 0.375),
        ("c", 0.25, 0.25),
    ]
    assert proposals[1].request_hash == "r1"
    assert proposals[0].parts == {"accounted": 1.0, "agreement": 0.75}
    assert ranked([]) == []
