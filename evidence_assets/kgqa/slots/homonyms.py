"""Names that several nodes share, told apart by nouns beside them: "the train Kestrel", "Varnholt station".

Where no noun tells them apart they all stay: which of them a relation is of is found where it is composed.
"""

from __future__ import annotations

from dataclasses import replace

from evidence_assets.kgqa.graph.linked_questions import LinkedQuestion, Topic
from evidence_assets.kgqa.slots.lexicon import Lexicon
from evidence_assets.kgqa.words.derivations import is_plural
from evidence_assets.kgqa.words.word_classes import ASKED_BY
from evidence_assets.reading.accounting import spans
from evidence_assets.text.words import word_set

# What may stand between a noun and its name: "the town of Leeds", "a ship called Merlin".
_NAMING = word_set("of called named")
# The longest noun of a type, in words.
_LONGEST = 3


def told_apart(question: LinkedQuestion, lexicon: Lexicon) -> LinkedQuestion:
    """Return a question whose names stand only for nodes of the type that a noun beside them says.

    The noun is part of the name then.
    """
    return replace(
        question,
        topics=tuple(
            _with_noun_after(question, topic, lexicon, of_the_like=True)
            if len(topic.nodes) < 2
            else _with_noun_after(question, _with_noun_before(question, topic, lexicon), lexicon)
            for topic in question.topics
            if not _is_part_of_number(question.question, topic)
        ),
    )


def _is_part_of_number(text: str, topic: Topic) -> bool:
    """Return whether a name is less than the number that it stands in: the "2" of "2.5"."""
    return topic.start < topic.end and any(
        start <= topic.start and topic.end <= end and (start, end) != (topic.start, topic.end)
        for start, end in spans(text)
        if text[start].isdigit()
    )


def _with_noun_before(question: LinkedQuestion, topic: Topic, lexicon: Lexicon) -> Topic:
    """Return a name with the noun that it follows: none of a plural, nor of what is asked for."""
    places = [(start, end) for start, end in spans(question.question) if end <= topic.start]
    before = [question.question[start:end].lower() for start, end in places]
    end = len(before) - bool(_NAMING & {*before[-1:]})
    parted = bool(places) and "," in question.question[places[-1][1] : topic.start]
    if not end or parted or is_plural(before[end - 1]):
        return topic
    for start in range(max(1, end - _LONGEST), end):
        widths = lexicon.types(before[start], before[start + 1 : end])
        types = {sense.type for sense, width in widths if width == end - start}
        nodes = lexicon.names.of_types(topic.nodes, types)
        if nodes and before[start - 1] not in ASKED_BY:
            return replace(topic, nodes=nodes, start=places[start][0])
    return topic


def _with_noun_after(
    question: LinkedQuestion, topic: Topic, lexicon: Lexicon, of_the_like: bool = False
) -> Topic:
    """Return a name with the noun that it stands before as its own: none of a plural.

    `of_the_like`: only with one that could else say a relation to another of the type: "the Marmot hut", of a
    hut called Marmot, where huts have a nearest hut.
    """
    places = [(start, end) for start, end in spans(question.question) if start >= topic.end][:_LONGEST]
    after = [question.question[start:end].lower() for start, end in places]
    if not after or question.question[topic.end : places[0][0]].strip():
        return topic
    for sense, width in lexicon.types(after[0], after[1:]):
        nodes = lexicon.names.of_types(topic.nodes, {sense.type})
        fits = not of_the_like or lexicon.says_the_like(after[:width], sense.type)
        if nodes and fits and not is_plural(after[width - 1]):
            return replace(topic, nodes=nodes, end=places[width - 1][1])
    return topic
