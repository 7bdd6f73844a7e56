"""Which end of a relation does what the words of its sentences say."""

from __future__ import annotations

import pytest

from evidence_assets.kgqa.graph.agents import agents
from evidence_assets.kgqa.graph.schema import RelationSchema


@pytest.mark.parametrize(
    ("name", "sentence", "word", "head_does"),
    [
        ("apprenticed_to", "{head} was apprenticed to {tail}", "the apprentice", True),
        ("apprenticed_to", "{head} was apprenticed to {tail}", "apprentic to", True),
        ("apprenticed_to", "{head} was apprenticed to {tail}", "apprentic under", True),
        ("taught_by", "{head} was a pupil of {tail}", "the pupil", True),
        ("taught_by", "{tail} is the teacher of {head}", "the teacher", False),
        ("taught_by", "{head} learned the trade from {tail}", "do learn from", True),
        ("taught_by", "{head} was taught by {tail}", "teach", False),
        ("made_of", "{head} is made of {tail}", "make of", True),
    ],
)
def test_sentences_tell_which_end_does_it(name: str, sentence: str, word: str, head_does: bool) -> None:
    relation = RelationSchema(name, "person", "person", (sentence,))
    assert agents(relation, authored=True)[word] is head_does


def test_what_sentences_say_of_both_ends_is_told_of_none() -> None:
    sentences = ("{head} was a pupil of {tail}", "{tail} was a pupil of {head}")
    assert "the pupil" not in agents(RelationSchema("met", "person", "person", sentences), authored=True)


def test_what_flows_into_something_is_not_told_of_what_flows_from_it() -> None:
    relation = RelationSchema("flows_into", "river", "lake", ("{head} flows into {tail}",))
    directions = agents(relation, authored=True)
    assert directions["flow into"] and "flow from" not in directions


@pytest.mark.parametrize(
    ("name", "head", "tail", "verb", "head_does"),
    [
        ("supervises", "person", "person", "supervis", True),
        ("carries", "ship", "cargo", "carri", True),
        ("suburbs", "town", "town", "suburb", None),
        # Firms sponsor races, whichever end of the relation they are at.
        ("sponsors", "race", "firm", "sponsor", None),
        ("sponsors", "sponsor", "race", "sponsor", True),
        ("has_members", "club", "person", "member", None),
    ],
)
def test_a_name_of_one_verb_tells_what_its_head_does(
    name: str, head: str, tail: str, verb: str, head_does: bool | None
) -> None:
    relation = RelationSchema(name, head, tail, (f"{{head}} {name.replace('_', ' ')} {{tail}}",))
    assert agents(relation, authored=False).get(verb) is head_does
