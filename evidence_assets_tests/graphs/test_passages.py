"""Paths read out: what their sentences say, in which direction, and what speaks against them."""

from __future__ import annotations

import pytest

from evidence_assets.graphs.graph import Graph
from evidence_assets.graphs.passages import TRIPLES_PER_STEP, Passage, in_one_sentence, path_passage
from evidence_assets.text.verbalisation import templates
from evidence_assets_tests.testing.graph_samples import Row, graph_of, number_of

BIOMEDICAL = templates("biomedical")
ROWS: list[Row] = [
    ("smoking", "is_a_risk_factor_of", "emphysema", None),
    ("emphysema", "may_cause", "dyspnea", None),
    ("emphysema", "is_associated_with", "dyspnea", 3.0),
    ("dyspnea", "is_a_finding_in", "emphysema", 2.0),
    ("dyspnea", "see_also", "emphysema", 0.5),
    ("aspirin", "may_treat", "fever", None),
    ("aspirin", "is_not_indicated_for", "fever", None),
    ("fever", "may_contraindicate", "morphine", None),
    ("rash", "is_not_a_finding_in", "fever", None),
    ("gene", "is_not_expressed_in", "rash", None),
    ("fever", "may_cause", "fever", None),
    ("fever", "may_cause", "HIV-like wasting", None),
]


@pytest.fixture(scope="module")
def graph() -> Graph:
    return graph_of(ROWS)


def passage_of(graph: Graph, *labels: str, contradicted: frozenset[str] = frozenset()) -> Passage:
    return path_passage(graph, [number_of(graph, label) for label in labels], BIOMEDICAL, contradicted)


def test_a_triple_reads_from_head_to_tail_whichever_way_it_is_walked(graph: Graph) -> None:
    forwards, backwards = passage_of(graph, "smoking", "emphysema"), passage_of(graph, "emphysema", "smoking")
    assert forwards.text == backwards.text == "Smoking is a risk factor for emphysema."
    assert forwards.triple_ids == backwards.triple_ids == ("t0",)
    assert (forwards.backwards, backwards.backwards) == ((False,), (True,))
    assert forwards.path_id != backwards.path_id


def test_triples_that_join_two_nodes_are_read_out_the_heaviest_first(graph: Graph) -> None:
    passage = passage_of(graph, "smoking", "emphysema", "dyspnea")
    assert TRIPLES_PER_STEP == 3
    assert passage.text == (
        "Smoking is a risk factor for emphysema. Emphysema is associated with dyspnea. "
        "Dyspnea is a finding in emphysema. Emphysema may cause dyspnea."
    )
    assert passage.triple_ids == ("t0", "t2", "t3", "t1")
    assert passage.backwards == (False, False, True, False)
    back = passage_of(graph, "dyspnea", "emphysema", "smoking")
    assert back.triple_ids == ("t2", "t3", "t1", "t0")
    assert back.backwards == (True, False, True, True)


def test_a_path_is_known_by_its_triples_their_order_and_direction(graph: Graph) -> None:
    paths = [
        ("smoking", "emphysema"),
        ("emphysema", "smoking"),
        ("smoking", "emphysema", "dyspnea"),
        ("dyspnea", "emphysema", "smoking"),
        ("emphysema", "dyspnea"),
    ]
    ids = [passage_of(graph, *labels).path_id for labels in paths]
    assert len(set(ids)) == len(paths)
    assert ids == [passage_of(graph, *labels).path_id for labels in paths]
    passage, turned_passage = (
        Passage("", ("a", "b"), turned, False, 0) for turned in ((True, False), (False, True))
    )
    assert passage.path_id != turned_passage.path_id
    assert Passage("", ("b", "a"), (True, False), False, 0).path_id not in (
        passage.path_id,
        turned_passage.path_id,
    )
    assert Passage("other words", ("a", "b"), (True, False), True, 1).path_id == passage.path_id


@pytest.mark.parametrize(
    ("labels", "denies"),
    [
        (("smoking", "emphysema"), False),
        (("emphysema", "dyspnea"), False),
        (("aspirin", "fever"), True),
        (("morphine", "fever"), True),
        (("rash", "fever"), True),
        (("gene", "rash"), True),
        (("aspirin", "fever", "rash"), True),
        (("aspirin", "fever", "HIV-like wasting"), True),
        (("HIV-like wasting", "fever"), False),
    ],
)
def test_what_denies_is_told(graph: Graph, labels: tuple[str, ...], denies: bool) -> None:
    assert passage_of(graph, *labels).denies is denies


def test_conflicts_are_counted(graph: Graph) -> None:
    path = ("aspirin", "fever", "morphine")
    assert passage_of(graph, *path).conflicts == 0
    assert passage_of(graph, *path, contradicted=frozenset({"t5", "t6", "t0"})).conflicts == 2
    assert passage_of(graph, *path, contradicted=frozenset({"t7"})).conflicts == 1


def test_a_contradicted_triple_says_so(graph: Graph) -> None:
    path = ("aspirin", "fever", "morphine")
    passage = passage_of(graph, *path, contradicted=frozenset({"t5", "t6", "t0"}))
    assert passage.text == (
        "Aspirin may treat fever (contradicted by another statement). "
        "Aspirin is not indicated for fever (contradicted by another statement). "
        "Fever may contraindicate morphine."
    )
    assert passage.path_id == passage_of(graph, *path).path_id


@pytest.mark.parametrize(
    "labels",
    [("smoking", "emphysema"), ("smoking", "emphysema", "dyspnea"), ("aspirin", "fever", "HIV-like wasting")],
)
def test_a_passage_in_one_sentence_has_its_triples_between_semicolons(
    graph: Graph, labels: tuple[str, ...]
) -> None:
    passage = passage_of(graph, *labels)
    sentence = in_one_sentence(passage.text, len(passage.triple_ids))
    assert f"{sentence.replace('; ', '. ')}." == passage.text
    assert sentence.count("; ") == len(passage.triple_ids) - 1


@pytest.mark.parametrize(
    ("text", "triples", "expected"),
    [
        ("One. two.", 1, "One. two"),
        ("X: see also what is pain? Pain may cause y.", 2, "X: see also what is pain?; Pain may cause y"),
        ("A. 5-HT acts on b.", 2, "A; 5-HT acts on b"),
        # Which full stop ends a sentence cannot be told.
        ("E. Coli may cause x. X may cause y.", 2, "E. Coli may cause x. X may cause y"),
        ("E. Coli may cause x.", 1, "E. Coli may cause x"),
        ("", 1, ""),
    ],
)
def test_names_are_left_as_they_are(text: str, triples: int, expected: str) -> None:
    assert in_one_sentence(text, triples) == expected


def test_a_loop_at_a_node_on_the_way_is_not_read_out(graph: Graph) -> None:
    passage = passage_of(graph, "aspirin", "fever", "rash")
    assert "Fever may cause fever." not in passage.text
    assert passage.triple_ids == ("t5", "t6", "t8")


def test_sentences_end_once_and_begin_with_a_capital() -> None:
    question_label = "what is pain?"
    graph = graph_of(
        [(question_label, "see_also", "étude a.b.", None), ("x", "see_also", question_label, None)]
    )
    nodes = [number_of(graph, label) for label in ("étude a.b.", question_label, "x")]
    passage = path_passage(graph, nodes, {"see_also": "{head}: see also {tail}"}, ())
    assert passage.text == "What is pain?: see also étude a.b. X: see also what is pain?"
    assert passage_of(graph_of(ROWS), "fever", "HIV-like wasting").text == "Fever may cause HIV-like wasting."
    assert (
        path_passage(graph, nodes[:2], {"see_also": "{tail} {head}"}, ()).text == "Étude a.b. what is pain?"
    )
