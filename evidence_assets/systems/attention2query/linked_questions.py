"""Rows of `questions` and `question_concepts` as what is asked of a graph: tokens and topics."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import pyarrow as pa

from evidence_assets.kgqa.graph.linked_questions import LinkedQuestion
from evidence_assets.systems.attention2query.facts import QuestionLinks, Token
from evidence_assets.text.function_words import function_words
from evidence_assets.text.queries import NO_OPTION
from evidence_assets.text.words import words

# Words of a text that name no node and are linked by their vectors instead: the most of them.
_MISSING = 2


def question_links(
    questions: pa.Table, concepts: pa.Table, about: Iterable[LinkedQuestion] = (), every_word: bool = False
) -> list[QuestionLinks]:
    """Return the questions with the tokens of their texts, linked to the nodes that they name.

    `questions`, `concepts`: rows of `questions` and of `question_concepts`. `about`: what each question
    without options is about. `every_word`: telling words that no concept covers are tokens too; else only
    where a text has no concept at all.
    """
    linked: dict[str, dict[int, list[dict[str, Any]]]] = {}
    columns = ["question_id", "candidate", "char_start", "char_end", "phrase", "relevance", "node"]
    order = [("question_id", "ascending"), ("relevance", "descending"), ("char_start", "ascending")]
    for row in concepts.select(columns).sort_by([*order, ("node", "ascending")]).to_pylist():
        linked.setdefault(row["question_id"], {}).setdefault(row["candidate"], []).append(row)
    topics = {topic.question_id: topic for topic in about}
    questions_linked = []
    for row in questions.select(["question_id", "question", "options"]).to_pylist():
        concept_rows = linked.get(row["question_id"], {})
        questions_linked.append(
            QuestionLinks(
                row["question_id"],
                row["question"],
                row["options"],
                tokens_of(row["question"], concept_rows.get(NO_OPTION, []), every_word),
                {
                    candidate: tokens_of(option, concept_rows.get(candidate, []), every_word)
                    for candidate, option in enumerate(row["options"])
                },
                topics.get(row["question_id"]),
            )
        )
    return questions_linked


def tokens_of(text: str, concepts: Sequence[Mapping[str, Any]], every_word: bool = False) -> list[Token]:
    """Return a text's tokens: a phrase a token with all its nodes, then words that no concept covers."""
    phrases: dict[tuple[int, int], list[int]] = {}
    for row in concepts:
        phrases.setdefault((row["char_start"], row["char_end"]), []).append(row["node"])
    tokens = [Token(text[start:end], tuple(dict.fromkeys(nodes))) for (start, end), nodes in phrases.items()]
    if tokens and not every_word:
        return tokens
    covered = {word for token in tokens for word in words(token.text)}
    missing = [word for word in words(text) if word not in covered and word not in function_words()]
    return [*tokens, *(Token(word) for word in list(dict.fromkeys(missing))[:_MISSING])]
