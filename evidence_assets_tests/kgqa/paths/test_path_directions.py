"""Which end of a relation between things of one type a question's topic is."""

from __future__ import annotations

import pytest

from evidence_assets.kgqa.graph.linked_questions import LinkedQuestion, Topic
from evidence_assets.kgqa.graph.schema import RelationSchema, Schema
from evidence_assets.kgqa.graph.vocabulary import Vocabulary
from evidence_assets.kgqa.paths.masking import masked
from evidence_assets.kgqa.paths.path_directions import Directions

SCHEMA = Schema(
    {
        "owns": RelationSchema(
            "owns", "company", "company", ("{head} owns {tail}", "{tail} is a subsidiary of {head}")
        ),
        "supplies": RelationSchema("supplies", "company", "company", ("{head} supplies {tail}",)),
        "falls_under": RelationSchema(
            "falls_under", "company", "company", ("{head} falls under the company {tail}",)
        ),
        "taken_over_by": RelationSchema(
            "taken_over_by",
            "company",
            "company",
            ("{head} was acquired by {tail}", "{head} was taken over by {tail}", "{tail} bought {head}"),
        ),
        "partner_of": RelationSchema("partner_of", "company", "company", ("{head} is a partner of {tail}",)),
        "child_of": RelationSchema(
            "child_of", "person", "person", ("{head}'s mother is {tail}", "{tail} raised {head}")
        ),
        "works_with": RelationSchema("works_with", "company", "company", ("{head} works with {tail}",)),
        "led_by": RelationSchema("led_by", "company", "person", ("{head} is led by {tail}",)),
    },
    {"company": ("company",), "person": ("person", "who")},
    authored=True,
)


def directions(text: str, topic: str, type_: str, schema: Schema = SCHEMA) -> dict[str, float]:
    start = text.index(topic)
    linked = LinkedQuestion("asked", text, (Topic(topic, start, start + len(topic), (0,)),))
    return Directions(schema).of(masked(linked, 0, [type_], Vocabulary(schema)))


@pytest.mark.parametrize(
    ("text", "relation", "head"),
    [
        ("What does Norbo own?", "owns", True),
        ("Which companies are owned by Norbo?", "owns", True),
        ("By which company is Norbo owned?", "owns", False),
        ("Who owns Norbo?", "owns", False),
        ("What is the company that owns Norbo?", "owns", False),
        ("Norbo's subsidiaries?", "owns", True),
        ("List the subsidiaries of Norbo.", "owns", True),
        ("Of which company is Norbo a subsidiary?", "owns", False),
        ("Whose subsidiary is Norbo?", "owns", False),
        ("Which company acquired Norbo?", "taken_over_by", True),
        ("Norbo was acquired by which company?", "taken_over_by", True),
        ("What did Norbo acquire?", "taken_over_by", False),
        ("Which companies were acquired by Norbo?", "taken_over_by", False),
        ("Which firms has Norbo taken over?", "taken_over_by", False),
        ("Which firm took over Norbo?", "taken_over_by", True),
        ("By whom was Norbo bought?", "taken_over_by", True),
        ("Norbo was bought when?", "taken_over_by", True),
        ("When was it that Norbo bought anything?", "taken_over_by", False),
        ("Which company does Norbo fall under?", "falls_under", True),
        ("Under which company does Norbo fall?", "falls_under", True),
    ],
)
def test_the_order_of_words_tells_the_end(text: str, relation: str, head: bool) -> None:
    assert directions(text, "Norbo", "company") == {relation: 1.0 if head else -1.0}


def test_a_verb_is_said_of_what_is_possessed_and_not_of_the_possessor() -> None:
    text = "Which companies does Norbo's subsidiary supply?"
    assert directions(text, "Norbo", "company") == {"owns": 1.0, "supplies": 1.0}


@pytest.mark.parametrize(
    ("text", "head"),
    [
        ("Who is the mother of Ada?", True),
        ("Who is Ada's mother?", True),
        ("Whose mother is Ada?", False),
        ("Whom did Ada raise?", False),
        ("Who raised Ada?", True),
    ],
)
def test_a_possessive_turns_the_order(text: str, head: bool) -> None:
    assert directions(text, "Ada", "person") == {"child_of": 1.0 if head else -1.0}


@pytest.mark.parametrize(
    ("text", "topic", "type_"),
    [
        ("Who are the partners of Norbo?", "Norbo", "company"),
        ("With whom does Norbo work?", "Norbo", "company"),
        ("Who leads Norbo?", "Norbo", "company"),
        ("Where is Norbo?", "Norbo", "company"),
    ],
)
def test_nothing_is_told_of_ends_of_two_types_or_of_what_holds_both_ways_round(
    text: str, topic: str, type_: str
) -> None:
    assert directions(text, topic, type_) == {}


def test_a_noun_that_is_nobodys_tells_no_direction() -> None:
    assert directions("Where did Norbo appear in its ownership?", "Norbo", "company") == {}
    assert directions("Is Norbo listed as a subsidiary of others?", "Norbo", "company") == {"owns": -1.0}


def test_sentences_that_disagree_tell_nothing() -> None:
    sentences = ("{head} follows {tail}", "{tail} follows {head}")
    schema = Schema({"follows": RelationSchema("follows", "person", "person", sentences)}, SCHEMA.types, True)
    assert directions("Who follows Ada?", "Ada", "person", schema) == {}
