"""A question to a graph: its text, and what of the graph it names."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Topic:
    """A phrase of a question, its characters `start` to `end`, and the nodes that it may stand for.

    Two things of one name are two nodes of one topic: what is asked of them decides.
    """

    phrase: str
    start: int
    end: int
    nodes: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class LinkedQuestion:
    """A question's id and text, and the topics that it names."""

    question_id: str
    question: str
    topics: tuple[Topic, ...]
