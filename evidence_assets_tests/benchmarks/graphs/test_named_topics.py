"""Names of nodes in a question's words."""

from __future__ import annotations

from benchmarks.graphs.named_topics import named_topics
from evidence_assets_tests.kgqa.graph.test_topics import linker


def test_a_possessive_ending_is_no_part_of_a_name() -> None:
    [topic] = named_topics("What is Tonalism's origin?", linker())
    assert (topic.phrase, topic.start, topic.end) == ("Tonalism", 8, 16)
