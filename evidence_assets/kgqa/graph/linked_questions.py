"""A question to a graph: its text, and the nodes that it names."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Topic:
    """A phrase of a question, its characters `start` to `end`, and the nodes that it may stand for.

    Two things of the same name are two nodes of one topic: the question's relations disambiguate them.
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
