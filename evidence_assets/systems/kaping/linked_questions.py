"""What each question is about, as facts are looked for around it."""

from __future__ import annotations

from collections.abc import Sequence

from evidence_assets.kgqa.linked_questions import LinkedQuestion
from evidence_assets.kgqa.walk_retrieval import EntityQuestion


def inquiries(asked: Sequence[LinkedQuestion]) -> list[EntityQuestion]:
    """Return every question with the nodes of its topics, each with the name that it bears there."""
    return [
        EntityQuestion(
            one.question_id,
            one.question,
            tuple(dict.fromkeys((topic.phrase, node) for topic in one.topics for node in topic.nodes)),
        )
        for one in asked
    ]


def topic_names(asked: Sequence[LinkedQuestion]) -> list[list[str]]:
    """Return the names of each question's topics, in the graph or not."""
    return [list(dict.fromkeys(topic.phrase for topic in one.topics)) for one in asked]
