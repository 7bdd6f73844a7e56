"""What a question is about: the names that its benchmark marks, else phrases that are linked to the graph."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc

from evidence_assets.graphs.names.linking import EMBEDDING, Linker
from evidence_assets.kgqa.graph.linked_questions import LinkedQuestion, Topic
from evidence_assets.kgqa.graph.vocabulary import Vocabulary
from evidence_assets.text.function_words import function_words
from evidence_assets.text.queries import NO_OPTION
from evidence_assets.text.words import words

# Conditions of one question; of more linked phrases the longest count, and all names in capitals.
MOST_TOPICS = 3


def linked_questions(
    questions: pa.Table, concepts: pa.Table, linker: Linker, vocabulary: Vocabulary
) -> list[LinkedQuestion]:
    """Return `questions` rows as questions with their topics.

    Where a benchmark marks a question's topics, these are taken; else the question's linked phrases
    (`question_concepts` rows) are.
    """
    linked: dict[str, list[Mapping[str, Any]]] = {}
    for row in concepts.filter(pc.equal(concepts.column("candidate"), NO_OPTION)).to_pylist():
        linked.setdefault(row["question_id"], []).append(row)
    with_topics = []
    for row in questions.select(["question_id", "question", "topics"]).to_pylist():
        question_id, text = row["question_id"], row["question"]
        if row["topics"]:
            topics = marked_topics(text, row["topics"], linker)
        else:
            topics = linked_topics(linked.get(question_id, []), vocabulary)
        with_topics.append(LinkedQuestion(question_id, text, topics))
    return with_topics


def marked_topics(question: str, names: Sequence[str], linker: Linker) -> tuple[Topic, ...]:
    """Return the topics that a benchmark names, each with the nodes of that label, else of those lemmas.

    Repeated names take successive places; one that is not in the text is placed at its end. A name that
    the graph lacks has no nodes.
    """
    exact = linker.by_label(names)
    links = {**linker.by_form(name for name in names if name not in exact), **exact}
    topics: list[Topic] = []
    for name in names:
        start, end = _span(question, name, topics)
        nodes = tuple(sorted({link.node for link in links.get(name, [])}))
        topics.append(Topic(name, start, end, nodes))
    return tuple(sorted(topics, key=lambda topic: (topic.start, topic.end, topic.phrase)))


def _span(question: str, name: str, placed: Sequence[Topic]) -> tuple[int, int]:
    """Return the span of a name outside those placed, whole words first; else an empty one at the end."""
    exact = re.escape(name)
    for pattern in (rf"(?<!\w){exact}(?!\w)", exact):
        for match in re.finditer(pattern, question, re.IGNORECASE) if name else ():
            if all(match.end() <= topic.start or match.start() >= topic.end for topic in placed):
                return match.span()
    return len(question), len(question)


def linked_topics(rows: Iterable[Mapping[str, Any]], vocabulary: Vocabulary) -> tuple[Topic, ...]:
    """Return the topics among one question's linked phrases (`question_concepts` rows), in its order.

    Of phrases that overlap the longest counts, of equals the one linked by form, then by score. A phrase of
    the schema's own words ("film", "drug", "directed") is no topic, unless nothing else is linked, or it is a
    name in capitals within the question: "the Moon", where moons are asked for. All nodes of a phrase are
    kept: the question's relations disambiguate them.
    """
    phrases: dict[tuple[int, int, str], list[Mapping[str, Any]]] = {}
    for row in rows:
        phrases.setdefault((row["char_start"], row["char_end"], row["phrase"]), []).append(row)
    telling = {
        (start, end, phrase): links
        for (start, end, phrase), links in phrases.items()
        if (start and _is_name(phrase, links)) or not _asks(phrase, vocabulary)
    } or phrases
    chosen: list[tuple[int, int, str]] = []
    for key in sorted(telling, key=lambda key: (key[0] - key[1], *_rank(telling[key]), key)):
        if all(key[1] <= start or key[0] >= end for start, end, _ in chosen):
            chosen.append(key)
    chosen.sort(key=lambda key: (*_rank(telling[key]), key[0] - key[1], key))
    names = [key for key in chosen[MOST_TOPICS:] if _is_name(key[2], telling[key])]
    return tuple(
        Topic(phrase, start, end, tuple(sorted({row["node"] for row in telling[start, end, phrase]})))
        for start, end, phrase in sorted([*chosen[:MOST_TOPICS], *names])
    )


def _rank(links: Sequence[Mapping[str, Any]]) -> tuple[bool, float]:
    return all(row["method"] == EMBEDDING for row in links), -max(row["score"] for row in links)


def _is_name(phrase: str, links: Sequence[Mapping[str, Any]]) -> bool:
    return phrase[:1].isupper() and any(row["label"] == phrase for row in links)


def _asks(phrase: str, vocabulary: Vocabulary) -> bool:
    """Return whether a phrase consists only of words of the schema and function words."""
    return all(
        word in function_words() or vocabulary.types_named(word) or vocabulary.says_relation(word)
        for word in words(phrase)
    )
