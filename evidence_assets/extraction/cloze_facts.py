"""Facts that a masked language model completes for a question: clozes of relations about its topics.

Parametric memory made explicit, as K-Bloom does, for one entity: each relation's sentence with the topic in
one place and a mask in the other; the words that the model finds likeliest there are facts. No triple of the
graph is looked at, only the names of its relations.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import islice

import numpy as np

from evidence_assets.extraction.probing import HEAD, TAIL, PromptError, cloze
from evidence_assets.models.encoder import Encode
from evidence_assets.models.masked_lm import MaskedLanguageModel
from evidence_assets.progress import blocks
from evidence_assets.reading.prompting.background import Background, StatedTriple, keep
from evidence_assets.text.function_words import function_words
from evidence_assets.text.verbalisation import verbalise
from evidence_assets.text.words import words

# Of the relations, each in both directions, those nearest to the question; of each, the likeliest words.
RELATIONS_TRIED, FILLS = 4, 3
_ROWS_AT_ONCE = 256
_DECIMALS = 6
NO_TOPIC = "the question has no topic"


@dataclass(frozen=True, slots=True)
class _Gap:
    """One cloze: a question's topic at one end of a relation, the other end open."""

    question: int
    topic: str
    relation: str
    topic_is_head: bool
    row: tuple[int, ...]
    place: int


def cloze_background(
    questions: Sequence[str],
    topics: Sequence[Sequence[str]],
    sentences: Mapping[str, str],
    model: MaskedLanguageModel,
    encode: Encode,
) -> list[Background]:
    """Return a masked language model's facts for each question, the likeliest first.

    `topics`: the names of what each question is about. `sentences`: the template of each relation, with
    `{head}` and `{tail}`; by `encode` those that are nearest to the question are taken.

    A fill is one word of the model's vocabulary: names of several words are out of reach. Function words and
    the topic's own words are no fills. The likelihood is the model's probability of the word there.
    """
    gaps = [
        gap
        for number, directions in enumerate(_directions(questions, topics, sentences, encode))
        for topic in topics[number]
        for relation, topic_is_head in directions
        if (gap := _gap(model, number, topic, relation, sentences[relation], topic_is_head)) is not None
    ]
    facts: list[list[StatedTriple]] = [[] for _ in questions]
    by_length: dict[int, list[_Gap]] = {}
    for gap in gaps:
        by_length.setdefault(len(gap.row), []).append(gap)
    for same_length in by_length.values():
        for block in blocks(same_length, _ROWS_AT_ONCE):
            for gap, stated in _filled(model, block):
                facts[gap.question].append(stated)
    return [
        keep(sorted(stated, key=lambda fact: (-fact.likelihood, fact.text)))
        if names
        else Background(status=NO_TOPIC)
        for stated, names in zip(facts, topics, strict=True)
    ]


def _directions(
    questions: Sequence[str], topics: Sequence[Sequence[str]], sentences: Mapping[str, str], encode: Encode
) -> list[list[tuple[str, bool]]]:
    """Return the relations that each question is nearest to, each with whether its topic is the head."""
    ways = [(relation, topic_is_head) for relation in sorted(sentences) for topic_is_head in (True, False)]
    if not questions or not ways:
        return [[] for _ in questions]
    texts = [
        verbalise(sentences[relation], *(("this", "what") if topic_is_head else ("what", "this")))
        for relation, topic_is_head in ways
    ]
    cosines = (
        encode([_masked(*pair) for pair in zip(questions, topics, strict=True)]) @ encode(texts).T
    ).round(_DECIMALS)
    return [
        [ways[place] for place in np.argsort(-row, kind="stable")[:RELATIONS_TRIED].tolist()]
        for row in cosines
    ]


def _masked(question: str, topics: Sequence[str]) -> str:
    for topic in sorted(topics, key=len, reverse=True):
        question = question.replace(topic, "this")
    return question


def _gap(
    model: MaskedLanguageModel, question: int, topic: str, relation: str, sentence: str, topic_is_head: bool
) -> _Gap | None:
    """Return a cloze; None for a topic of no token, or one that the model cannot take, as its mask."""
    tokens = model.entity_tokens(topic)
    counts = (len(tokens), 1) if topic_is_head else (1, len(tokens))
    if not tokens or model.mask_id in tokens:
        return None
    try:
        known = cloze(model, verbalise(sentence, HEAD, TAIL), *counts)
    except PromptError:
        return None
    topic_places, open_ = (known.head, known.tail) if topic_is_head else (known.tail, known.head)
    row = list(known.tokens)
    for place, token in zip(topic_places, tokens, strict=True):
        row[place] = token
    return _Gap(question, topic, relation, topic_is_head, tuple(row), open_[0])


def _filled(model: MaskedLanguageModel, gaps: Sequence[_Gap]) -> list[tuple[_Gap, StatedTriple]]:
    likely = model.word_log_probabilities([gap.row for gap in gaps], [gap.place for gap in gaps])
    facts = []
    for gap, row in zip(gaps, likely.round(_DECIMALS), strict=True):
        excluded = {*words(gap.topic), *function_words()}
        order = (int(place) for place in np.argsort(-row, kind="stable"))
        open_places = (place for place in order if model.words[place] not in excluded)
        for place in islice(open_places, FILLS):
            word, log_probability = model.words[place], float(row[place])
            ends = (gap.topic, gap.relation, word) if gap.topic_is_head else (word, gap.relation, gap.topic)
            facts.append((gap, StatedTriple(*ends, likelihood=round(math.exp(log_probability), _DECIMALS))))
    return facts
