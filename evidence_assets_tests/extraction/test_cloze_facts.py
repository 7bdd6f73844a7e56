"""What a masked language model states for a question: known fills, ranks, bad input."""

from __future__ import annotations

import math

import numpy as np

from evidence_assets.extraction.cloze_facts import FILLS, NO_TOPIC, RELATIONS_TRIED, cloze_background
from evidence_assets.reading.prompting.background import Background
from evidence_assets_tests.testing.kaping_samples import bag
from evidence_assets_tests.testing.masked_lm_samples import HashedModel

SENTENCES = {"directed_by": "{head} was directed by {tail}", "made_of": "{head} is made of {tail}"}
KNOWN = ["alien", "scott", "mann", "steel", "the", "was", "directed", "made", "is", "by", "of", "glass"]


class Knowing(HashedModel):
    """Says "scott" wherever the row holds "directed", "steel" where it holds "made"."""

    def logits(self, row: tuple[int, ...], place: int) -> np.ndarray:
        logits = np.linspace(0.0, 0.1, len(self.vocabulary))
        if "directed" in {self.vocabulary[token] for token in row}:
            logits[self.vocabulary.index("scott")] = 8.0
        if "made" in {self.vocabulary[token] for token in row}:
            logits[self.vocabulary.index("steel")] = 4.0
            # Function words are likelier still, and say nothing.
            logits[self.vocabulary.index("the")] = 9.0
        return logits


def state(question: str, *topics: str, model: HashedModel | None = None) -> Background:
    [background] = cloze_background([question], [topics], SENTENCES, model or Knowing(KNOWN), bag)
    return background


def test_the_likeliest_fill_of_the_nearest_relation_is_stated_first() -> None:
    background = state("by whom was alien directed", "alien")
    first = background.triples[0]
    assert (first.head, first.relation, first.tail) in {
        ("alien", "directed_by", "scott"),
        ("scott", "directed_by", "alien"),
    }
    likelihoods = [triple.likelihood for triple in background.triples]
    assert likelihoods == sorted(likelihoods, reverse=True)
    assert first.likelihood == round(math.exp(math.log(first.likelihood)), 6) > 0.9


def test_function_words_and_the_topics_own_words_are_no_fills() -> None:
    background = state("what is alien made of", "alien")
    stated = {end for triple in background.triples for end in (triple.head, triple.tail)}
    assert "the" not in stated
    assert all((triple.head == "alien") != (triple.tail == "alien") for triple in background.triples)
    assert any(triple.tail == "steel" for triple in background.triples if triple.relation == "made_of")


def test_no_more_is_stated_than_the_relations_and_words_asked_for() -> None:
    model = HashedModel(KNOWN, seed=1)
    background = state("of what is the alien in the dark made", "alien", model=model)
    assert 0 < len(background.triples) <= RELATIONS_TRIED * FILLS
    assert model.rows_run == RELATIONS_TRIED


def test_a_question_without_a_topic_has_nothing_and_says_why() -> None:
    background = state("who was it")
    assert (background.triples, background.status) == ([], NO_TOPIC)
    assert cloze_background([], [], SENTENCES, Knowing(KNOWN), bag) == []
    assert cloze_background(["a"], [["alien"]], {}, Knowing(KNOWN), bag)[0].triples == []


def test_a_topic_that_the_model_cannot_take_is_passed_over() -> None:
    short = Knowing(KNOWN, max_tokens=10)
    assert state("who directed it", "x" * 40, model=short).triples == []
    assert state("who directed it", " ").triples == []
    assert state("who directed [MASK]", "[MASK]").triples == []


def test_each_question_gets_its_own_whatever_stands_beside_it() -> None:
    questions = ["who directed alien", "what is a very strange glass made of", "who directed steel mann"]
    topics = [["alien"], ["very strange glass"], ["steel mann"]]
    model = HashedModel(KNOWN, seed=3)
    together = cloze_background(questions, topics, SENTENCES, model, bag)
    alone = [
        cloze_background([question], [question_topics], SENTENCES, model, bag)[0]
        for question, question_topics in zip(questions, topics, strict=True)
    ]
    assert together == alone
