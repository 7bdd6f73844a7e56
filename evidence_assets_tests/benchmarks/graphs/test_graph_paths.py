"""Questions asked again of a graph without their relation, and the weights that they fit."""

from __future__ import annotations

from functools import cache

from benchmarks.graphs.graph_paths import Parsed, asked_again, fitted, without
from benchmarks.graphs.other_graph_questions import museum_questions
from evidence_assets_tests.testing.parsing_samples import encoder


@cache
def parsed() -> list[Parsed]:
    base, cases = museum_questions()
    return asked_again(base, cases[:12], encoder(), every=True)


def test_a_question_has_no_right_answer_where_its_relation_is_lacking() -> None:
    known = [question for question in parsed() if not question.lacking]
    lacking = [question for question in parsed() if question.lacking]
    assert sum(question.right for question in known) > len(known) / 2
    assert lacking and not any(question.right for question in lacking)
    assert not any(question.lacking in question.relations for question in lacking)


def test_a_graph_without_a_relation_has_no_triple_of_it() -> None:
    base, _ = museum_questions()
    left = without(base, "kept_in")
    names = [left.graph.relation_names[relation] for relation in left.graph.relations]
    assert "kept_in" not in names and "kept_in" not in left.schema.relations
    assert len(names) == sum(
        base.graph.relation_names[relation] != "kept_in" for relation in base.graph.relations
    )
    assert left.graph.labels == base.graph.labels


def test_what_a_path_leaves_speaks_against_it() -> None:
    weights = fitted(parsed())
    assert weights["unsaid"] < 0 < weights["ends"]
