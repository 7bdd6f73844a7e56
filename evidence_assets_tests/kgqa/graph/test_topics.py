"""What a question is about: by its benchmark's marks, or by linked phrases."""

from __future__ import annotations

from typing import Any

import numpy as np
import pyarrow as pa
from hypothesis import given
from hypothesis import strategies as st

from evidence_assets.graphs.concepts.nodes import alias_rows
from evidence_assets.graphs.names.linking import Linker
from evidence_assets.kgqa.graph.linked_questions import Topic
from evidence_assets.kgqa.graph.topics import (
    MOST_TOPICS,
    linked_questions,
    linked_topics,
    marked_topics,
)
from evidence_assets.kgqa.graph.vocabulary import Vocabulary
from evidence_assets.text.queries import NO_OPTION
from evidence_assets_tests.testing.parsing_samples import museum_schema

VOCABULARY = Vocabulary(museum_schema())
LABELS = ["Blue Harbour", "Heat", "heat", "Tonalism"]


def linker() -> Linker:
    nodes = pa.table(
        {
            "kg": ["kb"] * len(LABELS),
            "node": pa.array(range(len(LABELS)), pa.int32()),
            "label": LABELS,
            "degree": pa.array([1] * len(LABELS), pa.int32()),
        }
    )
    return Linker(alias_rows(nodes), np.ones(len(LABELS), dtype=np.int32))


def link(text: str, phrase: str, node: int, method: str = "exact", score: float = 1.0) -> dict[str, Any]:
    start = text.index(phrase)
    return {
        "question_id": "q",
        "candidate": NO_OPTION,
        "char_start": start,
        "char_end": start + len(phrase),
        "phrase": phrase,
        "label": phrase,
        "node": node,
        "method": method,
        "score": score,
    }


def test_marked_names_keep_every_node() -> None:
    assert marked_topics("who made Heat", ["Heat"], linker()) == (Topic("Heat", 9, 13, (1, 2)),)


def test_marked_names_outside_the_text_and_the_graph() -> None:
    text = "who made it"
    assert marked_topics(text, ["Tonalism", "Nobody"], linker()) == (
        Topic("Nobody", 11, 11, ()),
        Topic("Tonalism", 11, 11, (3,)),
    )
    assert marked_topics(text, [], linker()) == ()


def test_a_marked_name_stands_as_a_whole_word_and_not_twice_in_one_place() -> None:
    topics = marked_topics("wheat and Heat and heat", ["Heat", "heat"], linker())
    assert [(topic.start, topic.end) for topic in topics] == [(10, 14), (19, 23)]


def test_the_longest_phrase_is_the_topic() -> None:
    text = "which painting is called Blue Harbour at Night"
    rows = [
        link(text, "Blue Harbour", 0),
        link(text, "Blue Harbour at Night", 7),
        link(text, "Night", 8),
        link(text, "painting", 9),
    ]
    start = text.index("Blue")
    assert linked_topics(rows, VOCABULARY) == (Topic("Blue Harbour at Night", start, len(text), (7,)),)


def test_words_of_the_schema_are_topics_only_where_nothing_else_is() -> None:
    text = "which painting was painted in Velden"
    rows = [link(text, "painting", 9), link(text, "painted", 5)]
    assert [topic.phrase for topic in linked_topics(rows, VOCABULARY)] == ["painting", "painted"]
    rows.append(link(text, "Velden", 3))
    assert [topic.phrase for topic in linked_topics(rows, VOCABULARY)] == ["Velden"]


def test_a_name_in_capitals_is_a_topic_though_the_schema_has_the_word() -> None:
    text = "Paintings of Velden that hang in Painting"
    rows = [link(text, "Paintings", 8), link(text, "Velden", 3), link(text, "Painting", 9)]
    rows[2] |= {"char_start": text.rindex("Painting"), "char_end": len(text)}
    assert [topic.phrase for topic in linked_topics(rows, VOCABULARY)] == ["Velden", "Painting"]
    # The graph has it in small letters.
    rows[2]["label"] = "painting"
    assert [topic.phrase for topic in linked_topics(rows, VOCABULARY)] == ["Velden"]


def test_at_most_so_many_and_links_by_form_first() -> None:
    text = "aaaa bbbb cccc dddddd"
    rows = [link(text, phrase, place) for place, phrase in enumerate(text.split()[:3])]
    rows.append(link(text, "dddddd", 9, "embedding", 0.9))
    topics = linked_topics(rows, VOCABULARY)
    assert len(topics) == MOST_TOPICS
    assert [topic.phrase for topic in topics] == ["aaaa", "bbbb", "cccc"]


def test_every_name_in_capitals_is_a_topic() -> None:
    text = "did Velden, Heat, Quist or Rhine come first"
    names = ["Velden", "Heat", "Quist", "Rhine"]
    rows = [link(text, name, place) for place, name in enumerate(names)]
    assert [topic.phrase for topic in linked_topics(rows, VOCABULARY)] == names


@given(order=st.permutations(range(4)))
def test_the_order_of_links_is_nothing(order: list[int]) -> None:
    text = "Night Ferry by Mira Quist"
    rows = [
        link(text, "Night Ferry", 1),
        link(text, "Night Ferry", 2),
        link(text, "Ferry", 3),
        link(text, "Mira Quist", 4, "fuzzy", 0.9),
    ]
    topics = linked_topics([rows[place] for place in order], VOCABULARY)
    assert topics == (Topic("Night Ferry", 0, 11, (1, 2)), Topic("Mira Quist", 15, 25, (4,)))


def test_marks_before_links_and_no_links_of_options() -> None:
    text = "who made Heat in Tonalism"
    questions = pa.table(
        {
            "question_id": ["q", "r"],
            "question": [text, text],
            "topics": pa.array([["Heat"], None], pa.list_(pa.string())),
        }
    )
    rows = [{**link(text, "Tonalism", 3), "question_id": name} for name in ("q", "r")]
    rows.append({**link(text, "Heat", 1), "question_id": "r", "candidate": 2})
    linked = linked_questions(questions, pa.Table.from_pylist(rows), linker(), VOCABULARY)
    assert [[topic.phrase for topic in question.topics] for question in linked] == [["Heat"], ["Tonalism"]]
