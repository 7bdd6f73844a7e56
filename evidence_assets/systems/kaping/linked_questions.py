"""The topics of questions, as nodes and as names, from which facts are retrieved."""

from __future__ import annotations

from collections.abc import Sequence

from evidence_assets.kgqa.linked_questions import LinkedQuestion
from evidence_assets.kgqa.walk_retrieval import EntityQuestion


def entity_questions(questions: Sequence[LinkedQuestion]) -> list[EntityQuestion]:
    """Return every question with the nodes of its topics, each with the name that it bears there."""
    return [
        EntityQuestion(
            question.question_id,
            question.question,
            tuple(dict.fromkeys((topic.phrase, node) for topic in question.topics for node in topic.nodes)),
        )
        for question in questions
    ]


def topic_names(questions: Sequence[LinkedQuestion]) -> list[list[str]]:
    """Return the names of each question's topics, in the graph or not."""
    return [list(dict.fromkeys(topic.phrase for topic in question.topics)) for question in questions]
