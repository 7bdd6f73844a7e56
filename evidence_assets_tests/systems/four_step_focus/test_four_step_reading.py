"""From readings to ranked answers: what backs them, what follows unbacked, what is said of the first."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from evidence_assets.evidence.experiment import RANKED_EXPERIMENT_TABLES, Experiment
from evidence_assets.kgqa.answers.document_search import DocumentedGraph, Search
from evidence_assets.kgqa.graph.node_types import node_types
from evidence_assets.kgqa.graph.schema import derived_schema
from evidence_assets.kgqa.queries.conjunctive import ConjunctiveQuery, Constant, Triplet, Variable
from evidence_assets.kgqa.queries.serialization import ABSENT, PARSED, QueryRecord
from evidence_assets.kgqa.understanding.knowledge_base import KnowledgeBase
from evidence_assets.lake.declared_rows import conform
from evidence_assets.lake.schemas import TABLES_BY_NAME
from evidence_assets.models.generation.protocol import Request
from evidence_assets.models.pair_scorer import EncoderSimilarity
from evidence_assets.systems.four_step_focus.arms import ARMS, SYSTEM, Arm, arms
from evidence_assets.systems.four_step_focus.reading import Case, by_meaning, cases, read_case
from evidence_assets.systems.four_step_focus.reranking import (
    generator_scores,
    likelihood_scores,
    scorer_scores,
)
from evidence_assets_tests.testing.counting_likelihoods import Counting
from evidence_assets_tests.testing.graph_samples import SignEncoder, graph_of, number_of
from evidence_assets_tests.testing.scripted_generator import ScriptedGenerator, recorded

ROWS = [
    ("Alien", "directed_by", "Ridley Scott", 1.0),
    ("Blade Runner", "directed_by", "Ridley Scott", 1.0),
    ("Blade Runner", "written_by", "Philip Dick", 1.0),
    ("Heat", "directed_by", "Michael Mann", 1.0),
]
TEMPLATES = {"directed_by": "{head} was directed by {tail}", "written_by": "{head} was written by {tail}"}
FULL, NOTHING = ARMS["full@extractive"], ARMS["no_triplets@nearest"]


def _graph() -> DocumentedGraph:
    graph = graph_of(ROWS)
    labels = graph.labels.to_pylist()
    schema = derived_schema(graph, None, TEMPLATES)
    base = KnowledgeBase(graph, schema, node_types(graph, None, schema), TEMPLATES)
    documents = [f"About {label}." for label in labels]
    return DocumentedGraph(base, documents, [f"d{node}" for node in range(len(labels))])


def _asks(name: str, *relations: str) -> QueryRecord:
    """The films of which a name is the director, or the writer."""
    graph = graph_of(ROWS)
    nodes = (number_of(graph, name),) if name in graph.labels.to_pylist() else ()
    triplets = tuple(Triplet(Variable("answer"), relation, Constant(name, nodes)) for relation in relations)
    return QueryRecord(ConjunctiveQuery(triplets, "answer"), PARSED, 1.0, "")


QUESTION: dict[str, Any] = {
    "question_id": "q",
    "question": "what did Ridley Scott direct",
    "options": [],
    "answer_index": None,
    "answers": ["Blade Runner", "Alien"],
}


def _cases(
    readings: Sequence[QueryRecord], arm: Arm, graph: DocumentedGraph, levels: Any = None
) -> list[Case]:
    encoder = SignEncoder()
    documents = encoder.encode(list(graph.documents))
    question = encoder.encode([QUESTION["question"]])
    near = (documents @ question[0]).round(6)
    order = np.lexsort((np.arange(len(near)), -near))
    pool = [(int(node), float(near[node])) for node in order]
    search = Search({"q": pool}, question, documents)
    return list(cases([QUESTION], {"q": list(readings)}, graph.base, search, arm, levels=levels))


def _tables(readings: Sequence[QueryRecord], arm: Arm = FULL) -> Mapping[str, list[dict[str, Any]]]:
    graph = _graph()
    ranked_cases = _cases(readings, arm, graph)
    experiment = Experiment(SYSTEM, arm.name, "films", "1", ranks=True)
    looks = (
        scorer_scores(ranked_cases, graph, EncoderSimilarity(SignEncoder()), arm) if arm.reranks else [None]
    )
    read_case(experiment, ranked_cases[0], graph, arm, looks[0])
    tables = experiment.tables()
    for table in RANKED_EXPERIMENT_TABLES:
        conform(tables[table.name], TABLES_BY_NAME[table.name])
    return {name: rows.to_pylist() for name, rows in tables.items()}


def test_what_meets_the_conditions_stands_first_backed_and_the_nearest_others_follow() -> None:
    ranked = _tables([_asks("Ridley Scott", "directed_by")])["ranked_answers"]

    assert {row["answer"] for row in ranked[:2]} == {"Alien", "Blade Runner"}
    assert [row["supported"] for row in ranked] == [True, True, False, False, False, False]
    assert [row["returned"] for row in ranked] == [True, True, False, False, False, False]


def test_an_answer_is_argued_from_the_triples_that_back_it_and_cites_them() -> None:
    tables = _tables([_asks("Philip Dick", "written_by")])

    (chain,) = tables["chains"]
    evidence = {row["evidence_id"]: row for row in tables["evidence"]}
    assert chain["text"] == "Blade Runner: Blade Runner was written by Philip Dick. [E1]"
    assert [evidence[evidence_id]["kind"] for evidence_id in chain["cited"]] == ["triple"]
    assert evidence[chain["cited"][0]]["source_key"] == "t2"
    assert chain["citation_status"] == "valid"
    (prediction,) = tables["predictions"]
    assert (prediction["predicted"], prediction["correct"]) == ("Blade Runner", True)


def test_every_evidence_id_of_a_ranking_resolves() -> None:
    tables = _tables([_asks("Ridley Scott", "directed_by")])

    evidence_ids = {row["evidence_id"] for row in tables["evidence"]}
    assert {
        evidence_id for row in tables["ranked_answers"] for evidence_id in row["evidence"]
    } <= evidence_ids
    assert {row["kind"] for row in tables["evidence"]} == {"triple", "document"}


def test_a_name_that_matches_nothing_drops_its_condition_alone() -> None:
    both = QueryRecord(
        ConjunctiveQuery(
            (
                *_asks("Ridley Scott", "directed_by").query.triplets,
                *_asks("Nobody", "written_by").query.triplets,
            ),
            "answer",
        ),
        PARSED,
        1.0,
        "",
    )

    ranked = _tables([both])["ranked_answers"]

    assert {row["answer"] for row in ranked if row["supported"]} == {"Alien", "Blade Runner"}


@pytest.mark.parametrize(
    "readings",
    [
        [],
        [_asks("Nobody", "directed_by")],
        [QueryRecord(_asks("Heat", "directed_by").query, ABSENT, 1.0, "")],
        [QueryRecord(ConjunctiveQuery((), "answer"), PARSED, 0.0, "")],
    ],
    ids=["unread", "unknown name", "absent from the graph", "no condition"],
)
def test_without_a_backed_answer_the_nearest_documents_answer_marked(readings: list[QueryRecord]) -> None:
    tables = _tables(readings)

    assert not any(row["supported"] for row in tables["ranked_answers"])
    assert [row["returned"] for row in tables["ranked_answers"]] == [True] + [False] * 5
    cited = tables["chains"][0]["cited"]
    kinds = {row["evidence_id"]: row["kind"] for row in tables["evidence"]}
    assert [kinds[evidence_id] for evidence_id in cited] == ["document"]


def test_what_fills_the_list_up_is_of_the_type_that_is_asked_for() -> None:
    kinds = {"Alien": "film", "Blade Runner": "film", "Heat": "film"}
    graph = graph_of(ROWS)
    kind_of = [kinds.get(label, "person") for label in graph.labels.to_pylist()]
    schema = derived_schema(graph, kind_of, TEMPLATES)
    base = KnowledgeBase(graph, schema, node_types(graph, kind_of, schema), TEMPLATES)
    documented = replace(_graph(), base=base)
    asks = replace(_asks("Ridley Scott", "directed_by"), answer_type="film")

    (case,) = _cases([asks], FULL, documented)

    labels = [base.label(candidate.node) for candidate in case.candidates]
    assert set(labels[:2]) == {"Alien", "Blade Runner"}
    # Nobody who is no film follows.
    assert labels[2:] == ["Heat"]


def test_an_arm_that_searches_by_hops_supports_nothing() -> None:
    arm = ARMS["shortest_path@nearest"]
    graph = _graph()
    heat, mann = (graph.base.graph.labels.to_pylist().index(name) for name in ("Heat", "Michael Mann"))
    levels = {"q": [np.array([heat], dtype=np.int32)]}
    ranked_cases = _cases([], arm, graph, levels)
    experiment = Experiment(SYSTEM, arm.name, "films", "1", ranks=True)
    read_case(experiment, ranked_cases[0], graph, arm, None)

    ranked = experiment.tables()["ranked_answers"].to_pylist()
    assert (ranked[0]["answer"], ranked[0]["returned"]) == ("Heat", True)
    assert not any(row["supported"] for row in ranked)
    assert mann in [row["node"] for row in ranked[1:]]


def test_without_triplets_the_order_is_that_of_the_pool() -> None:
    ranked = _tables([], NOTHING)["ranked_answers"]

    (case,) = _cases([], NOTHING, _graph())
    assert [row["node"] for row in ranked] == [candidate.node for candidate in case.candidates]
    assert not any(row["supported"] for row in ranked)


def test_loose_edges_take_any_relation_and_direction() -> None:
    strict = _tables([_asks("Ridley Scott", "written_by")])["ranked_answers"]
    loose = _tables([_asks("Ridley Scott", "written_by")], ARMS["loose_edges@extractive"])["ranked_answers"]

    assert not any(row["supported"] for row in strict)
    assert {row["answer"] for row in loose if row["supported"]} == {"Alien", "Blade Runner"}


def test_equal_answers_are_a_tie_and_the_rule_that_chose_is_told() -> None:
    graph = _graph()
    (case,) = _cases([_asks("Ridley Scott", "directed_by")], FULL, graph)
    experiment = Experiment(SYSTEM, FULL.name, "films", "1", ranks=True)
    level = {candidate.node: 0.5 for candidate in case.candidates}
    even = Case(
        case.question,
        [type(candidate)(candidate.node, candidate.reading, 0.0) for candidate in case.candidates],
        case.backing,
    )
    read_case(experiment, even, graph, FULL, level)

    ranked = experiment.tables()["ranked_answers"].to_pylist()
    assert ranked[0]["score"] == ranked[1]["score"] > ranked[2]["score"]
    (prediction,) = experiment.tables()["predictions"].to_pylist()
    assert prediction["tie_break"] == "first of 2 by node"


def test_names_matched_by_meaning_stand_for_the_one_nearest_label() -> None:
    graph, encoder = _graph(), SignEncoder()
    readings = {"q": [_asks("Ridley Scott", "directed_by")]}

    matched = by_meaning(readings, encoder.encode(graph.base.graph.labels.to_pylist()), encoder)

    (constant,) = matched["q"][0].query.constants()
    assert constant.nodes == (graph.base.graph.labels.to_pylist().index("Ridley Scott"),)


def _model(tmp_path: Path, script: Any) -> tuple[ScriptedGenerator, Any]:
    generator = ScriptedGenerator(script)
    return generator, recorded(generator, tmp_path)[0]


def test_a_language_model_scores_each_backed_answer_with_its_triples_and_document(tmp_path: Path) -> None:
    arm = arms(["scripted"])["full@scripted"]
    graph = _graph()
    ranked_cases = _cases([_asks("Ridley Scott", "directed_by")], arm, graph)

    def script(request: Request) -> str:
        return '{"score": 0.9}' if "About Blade Runner." in request.user else '{"score": 0.2}'

    generator, model = _model(tmp_path, script)
    looks = generator_scores(ranked_cases, graph, model, arm)
    experiment = Experiment(SYSTEM, arm.name, "films", "1", ranks=True)
    read_case(experiment, ranked_cases[0], graph, arm, looks[0], model.generator.generator_id)

    tables = experiment.tables()
    assert [row["answer"] for row in tables["ranked_answers"].to_pylist()][:2] == ["Blade Runner", "Alien"]
    assert len(generator.requests) == 2
    assert all("was directed by Ridley Scott" in request.user for request in generator.requests)
    assert tables["predictions"].column("model").to_pylist() == ["memory:scripted@1"]


def test_what_backs_an_answer_makes_it_likelier(tmp_path: Path) -> None:
    arm = arms(["small"])["full_likelihood@small"]
    graph, model = _graph(), Counting()
    ranked_cases = _cases([_asks("Philip Dick", "written_by"), _asks("Nobody", "directed_by")], arm, graph)
    [scores] = likelihood_scores(ranked_cases, graph, model, arm)
    film = number_of(graph.base.graph, "Blade Runner")
    # Both of its words stand in the triple that backs it, and not in the question.
    assert scores == {film: 3.0}
    assert any("Blade Runner was written by Philip Dick." in text for text in model.prefixes)
    assert likelihood_scores(_cases([], arm, graph), graph, model, arm) == [{}]


def test_a_score_that_cannot_be_read_leaves_the_answer_behind_those_of_its_reading(tmp_path: Path) -> None:
    arm = arms(["scripted"])["full@scripted"]
    graph = _graph()
    ranked_cases = _cases([_asks("Ridley Scott", "directed_by")], arm, graph)

    def script(request: Request) -> str:
        return '{"score": 7}' if "About Blade Runner." in request.user else '{"score": 0.0}'

    _, model = _model(tmp_path, script)
    (look,) = generator_scores(ranked_cases, graph, model, arm)
    experiment = Experiment(SYSTEM, arm.name, "films", "1", ranks=True)
    read_case(experiment, ranked_cases[0], graph, arm, look)

    assert list(look.values()) == [0.0]
    ranked = experiment.tables()["ranked_answers"].to_pylist()
    assert [row["answer"] for row in ranked][:2] == ["Alien", "Blade Runner"]
    assert ranked[1]["supported"]
