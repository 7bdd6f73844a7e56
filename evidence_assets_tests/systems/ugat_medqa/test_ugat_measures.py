"""What speaks for an option: its paths, what they deny or contradict, what the walk raises, what is near."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import pytest

from evidence_assets.reading.extractive import PATH_MEASURES
from evidence_assets.reading.prompting.prompted import INSUFFICIENT_EVIDENCE
from evidence_assets.systems.ugat_medqa.arms import ARMS, ROUTES
from evidence_assets.systems.ugat_medqa.reading import candidates_of, cases_of
from evidence_assets_tests.testing.question_rows import question_row, question_table
from evidence_assets_tests.testing.ugat_reading import (
    ANSWERING,
    BOTH,
    EQUAL,
    FULL,
    NAMED,
    OPTIONS,
    alike,
    kidney_question,
    measures,
    read,
)
from evidence_assets_tests.testing.ugat_samples import (
    concept_table,
    node_row,
    node_table,
    path_row,
    path_table,
)


def denied(candidate: int, rank: int = 1, **changes: Any) -> dict[str, Any]:
    row = path_row("q1", candidate, rank, f"Asthma may contraindicate {OPTIONS[candidate]}.")
    return {**row, "denies": True, **changes}


def test_a_path_that_denies_is_no_support() -> None:
    lifts = [node_row("q1", 0, lift=3.0), node_row("q1", 1, lift=-1.0)]
    for arm in (FULL, ANSWERING):
        rows = read([kidney_question()], [denied(0), BOTH[1]], lifts, NAMED[:2], arm=arm)
        assert rows["predictions"][0]["predicted"] != "renal atrophy"
        assert measures(rows, 0)["path_lift"] == -1.0
        [chain] = [row for row in rows["chains"] if row["candidate"] == 0]
        assert chain["text"] == (
            "No path speaks for “renal atrophy”. "
            "Asthma may contraindicate renal atrophy (this does not speak for it) [E1]."
        )
    # Its passage is no evidence for any option, but it was given, and is cited.
    bare = read([kidney_question()], [denied(0), denied(1)], lifts, NAMED)
    assert bare["predictions"][0]["parse_status"] == INSUFFICIENT_EVIDENCE
    assert len(bare["selected_evidence"]) == 2


def test_a_path_that_denies_is_support_where_that_is_asked() -> None:
    lifts = [node_row("q1", 0, lift=-1.0), node_row("q1", 1, lift=3.0)]
    paths = [denied(0), BOTH[1]]
    for arm in (FULL, ANSWERING):
        rows = read([kidney_question("Which is contraindicated in asthma?")], paths, lifts, NAMED, arm=arm)
        assert rows["predictions"][0]["predicted"] != "renal failure"
    assert read([kidney_question("Which is contraindicated?")], paths, lifts, NAMED)["predictions"][0][
        "correct"
    ]
    # Where no path denies, paths say as much as ever.
    assert (
        read([kidney_question("Which is contraindicated?")], BOTH, lifts, NAMED)["predictions"][0][
            "predicted"
        ]
        == "renal failure"
    )


def test_the_exception_is_what_a_path_denies() -> None:
    lifts = [node_row("q1", 0, lift=3.0), node_row("q1", 1, lift=-1.0), node_row("q1", 2, lift=-3.0)]
    for arm in (FULL, ANSWERING):
        rows = read(
            [kidney_question("Which is NOT given in asthma?")], [denied(0), BOTH[1]], lifts, NAMED, arm=arm
        )
        assert rows["predictions"][0]["predicted"] == "renal atrophy"
        [chain] = [row for row in rows["chains"] if row["candidate"] == 0]
        assert chain["text"].startswith(
            "The question asks for the exception, and the graph says least for “renal atrophy”."
        )


def test_an_exception_that_no_path_leads_to_cites_the_others_paths() -> None:
    lifts = [node_row("q1", 0, lift=1.0), node_row("q1", 1, lift=2.0), node_row("q1", 2, lift=-3.0)]
    rows = read([kidney_question("Which does NOT harm the kidney?")], BOTH, lifts, NAMED)
    [chain] = [row for row in rows["chains"] if row["candidate"] == 2]
    assert chain["text"] == (
        "The question asks for the exception, and no path leads to “renal stone”. "
        "Stones cause atrophy (this leads to “renal atrophy”) [E1]. "
        "Stones cause failure (this leads to “renal failure”) [E2]."
    )
    assert chain["citation_status"] == "valid"
    cited = [row for row in rows["prediction_evidence"] if (row["role"], row["candidate"]) == ("cited", 2)]
    assert [row["evidence_id"] for row in cited] == chain["cited"]
    # Of what the graph does not know it cannot be said that no path leads there.
    [unknown] = read([kidney_question("Which does NOT harm the kidney?")], BOTH, lifts, NAMED[:2])[
        "predictions"
    ]
    assert unknown["predicted"] == "renal atrophy"


def test_a_contradicted_path_counts_half() -> None:
    full, half = (
        measures(read([kidney_question()], [{**BOTH[0], "conflicts": conflicts}, BOTH[1]]), 0)
        for conflicts in (0, 2)
    )
    assert (full["path_score"], half["path_score"]) == (0.5, 0.25)
    assert half["path_nearness"] == pytest.approx(full["path_nearness"] - np.log(2), abs=1e-6)
    assert half["path_hypothesis"] == full["path_hypothesis"]


@pytest.mark.parametrize(("third", "nearness"), [([], -1.5), ([denied(2)], -2.0)])
def test_without_a_path_an_option_counts_as_the_mean_and_opposed_as_the_least(
    third: list[dict[str, Any]], nearness: float
) -> None:
    paths = [path_row("q1", 0, 1, "A.", 0.5, 1.0), path_row("q1", 1, 1, "B.", 0.25, 2.0), *third]
    cases = cases_of(
        question_table(kidney_question()), concept_table(*NAMED), path_table(*paths), node_table()
    )
    [candidates] = candidates_of(cases, alike)
    assert candidates is not None
    assert candidates.paths is not None
    of_nearness = candidates.paths[:, PATH_MEASURES.index("path_nearness")]
    assert of_nearness.tolist() == [-1.0, -2.0, nearness]


def test_the_option_that_the_walk_raises_is_chosen() -> None:
    lifts = [node_row("q1", 0, lift=-1.0), node_row("q1", 1, lift=2.0), node_row("q1", 2, lift=0.5)]
    rows = read([kidney_question(answer=1)], BOTH, lifts, NAMED)
    [prediction] = rows["predictions"]
    assert (prediction["predicted"], prediction["correct"]) == ("renal failure", True)
    assert (measures(rows, 0)["path_lift"], measures(rows, 1)["path_lift"]) == (-1.0, 2.0)
    assert prediction["confidence"] > 1 / 3


def test_the_option_that_is_nearest_is_chosen() -> None:
    paths = [path_row("q1", 0, 1, "Far.", cost=5.0), path_row("q1", 2, 1, "Near.", cost=1.5)]
    rows = read([kidney_question()], paths)
    assert rows["predictions"][0]["predicted"] == "renal stone"
    assert (measures(rows, 0)["path_nearness"], measures(rows, 2)["path_nearness"]) == (-5.0, -1.5)


@pytest.mark.parametrize("costs", [(1.0, 4.0), (4.0, 1.0)])
def test_the_cheapest_of_an_options_paths_is_its_nearness_and_the_first_its_score(
    costs: tuple[float, float],
) -> None:
    paths = [
        path_row("q1", 0, 2, "Second.", score=0.3, cost=costs[1]),
        path_row("q1", 0, 1, "First.", score=0.7, cost=costs[0]),
        path_row("q1", 1, 1, "Other.", score=0.2, cost=2.0),
    ]
    values = measures(read([kidney_question()], paths), 0)
    assert (values["path_nearness"], values["path_score"]) == (-1.0, 0.7)


@pytest.mark.parametrize(
    "text",
    [
        "Which of these does NOT harm the kidney?",
        "Which is least likely to harm the kidney?",
        "All of these harm the kidney except",
    ],
)
def test_a_negated_question_takes_the_least_supported_option(text: str) -> None:
    lifts = [node_row("q1", 0, lift=1.0), node_row("q1", 1, lift=2.0), node_row("q1", 2, lift=-3.0)]
    assert read([kidney_question(text)], BOTH, lifts, NAMED)["predictions"][0]["predicted"] == "renal stone"
    assert read([kidney_question()], BOTH, lifts, NAMED)["predictions"][0]["predicted"] == "renal failure"


@pytest.mark.parametrize(
    ("changes", "expected"),
    [
        ({"lift": 1.25}, 1.25),
        ({"lift": -9.0}, -4.0),
        ({"lift": None, "score": 0.75}, -4.0),
        ({"lift": None, "score": 0.0, "hops": -1}, -4.0),
        ({"lift": 3.0, "hops": -1}, -4.0),
    ],
)
def test_an_options_lift_is_its_concepts(changes: dict[str, Any], expected: float) -> None:
    nodes = [node_row("q1", 0, **changes), node_row("q1", 1, lift=0.5)]
    assert measures(read([kidney_question()], BOTH, nodes, NAMED), 0)["path_lift"] == expected


@pytest.mark.parametrize("route", [name for name, route in ROUTES.items() if not route.walks])
def test_a_score_of_another_scale_stands_for_no_lift(route: str) -> None:
    """A cosine is no lift, nor is a concept outside the subgraph four nats below one that is within."""
    nodes = [
        node_row("q1", 0, lift=None, score=0.1, route=route),
        node_row("q1", 1, lift=None, score=0.9, route=route),
        node_row("q1", 2, lift=None, score=0.0, hops=-1, route=route),
    ]
    paths = [*BOTH, path_row("q1", 2, 1, "Stones are stones.")]
    concepts = [("q1", place, option, place, 0.5) for place, option in enumerate(EQUAL)]
    rows = read([question_row("q1", "What harms the kidney?", EQUAL, 0)], paths, nodes, concepts)
    assert [measures(rows, candidate)["path_lift"] for candidate in range(3)] == [0.0, 0.0, 0.0]
    assert rows["predictions"][0]["tie_break"] == "first of 3 equal scores"


@pytest.mark.parametrize(
    ("hops", "question", "answer", "rule"),
    [
        ((2, 1, 3), "What shrinks the kidney?", 1, "none"),
        # Outside of three hops is farther than all within; where the exception is asked for, the likelier.
        ((-1, 3, 3), "What shrinks the kidney?", 1, "first of 2 equal scores"),
        ((2, -1, 3), "Which does NOT shrink the kidney?", 1, "none"),
        # What names nothing in the graph is as far as the others in the mean.
        ((1, 3, None), "What shrinks the kidney?", 0, "none"),
        ((None, 3, 3), "What shrinks the kidney?", 0, "first of 3 equal scores"),
    ],
)
def test_the_shortest_path_counts_hops_and_nothing_else(
    hops: tuple[int | None, ...], question: str, answer: int, rule: str
) -> None:
    asked = question_row("q1", question, ["atrophy", "failure", "stone"], answer)
    named = [place for place, of_option in enumerate(hops) if of_option is not None]
    # Lifts say the opposite of no order, and paths lead to others: neither is looked at.
    nodes = [node_row("q1", place, lift=float(place), route="pagerank", hops=hops[place]) for place in named]
    concepts = [("q1", place, asked["options"][place], place, 0.5) for place in named]
    rows = read([asked], BOTH, nodes, concepts, arm=ARMS["shortest_path@nearest"])
    [prediction] = rows["predictions"]
    assert (prediction["predicted_index"], prediction["tie_break"]) == (answer, rule)
    assert rows["selected_evidence"] == []


@pytest.mark.parametrize(
    ("name", "negated", "answer"),
    [
        ("no_evidence@longest_option", False, 1),
        ("no_evidence@option_cosine", False, 0),
        ("pagerank@lift", False, 2),
        ("pagerank@lift", True, 1),
    ],
)
def test_a_baseline_looks_at_one_thing_alone(name: str, negated: bool, answer: int) -> None:
    """The longest option, the nearest, the one most raised: whatever paths lead to the others."""
    text = "Which does NOT shrink the kidney?" if negated else "What shrinks the kidney?"
    question = question_row("q1", text, ["atrophy", "failure of it", "stone"], answer)

    def encode(texts: Sequence[str]) -> np.ndarray:
        return np.array(
            [[1.0, 0.0] if text in (question["question"], "atrophy") else [0.0, 1.0] for text in texts]
        )

    nodes = [
        node_row("q1", place, lift=lift, route="pagerank") for place, lift in enumerate((0.0, -2.0, 1.0))
    ]
    concepts = [("q1", place, option, place, 0.5) for place, option in enumerate(question["options"])]
    rows = read([question], BOTH, nodes, concepts, arm=ARMS[name], encode=encode)
    [prediction] = rows["predictions"]
    assert (prediction["predicted_index"], prediction["correct"], prediction["confidence"]) == (
        answer,
        True,
        None,
    )
    assert rows["selected_evidence"] == []
    assert {row["citation_status"] for row in rows["chains"]} == {"nothing cited"}
    assert len(rows["chains"]) == 3


def test_an_options_lift_is_the_best_of_the_concepts_that_say_all_of_it() -> None:
    nodes = [node_row("q1", node, lift=lift) for node, lift in enumerate([0.5, 1.5, 9.0, 7.0, -1.0])]
    concepts = [
        ("q1", 0, "renal atrophy", 0, 0.5),
        ("q1", 0, "atrophy of the renal", 1, 0.5),
        ("q1", 0, "renal atrophy", 4, 0.5),
        # Only a part of the option, the question's, another question's.
        ("q1", 0, "atrophy", 2, 0.9),
        ("q1", -1, "renal atrophy", 2, 0.9),
        ("q2", 0, "renal atrophy", 3, 0.5),
        ("q1", 1, "renal failure", 0, 0.5),
    ]
    second = question_row("q2", "And the liver?", OPTIONS, None)
    rows = read([kidney_question(), second], BOTH, [*nodes, node_row("q2", 3, lift=7.0)], concepts)
    assert (measures(rows, 0)["path_lift"], measures(rows, 1)["path_lift"]) == (1.5, 0.5)


def test_function_words_need_not_be_said() -> None:
    question = question_row("q1", "What?", ["atrophy of the kidney", "failure"], 0)
    concepts = [("q1", 0, "kidney atrophy", 0, 0.5), ("q1", 0, "the kidney", 1, 0.5)]
    nodes = [node_row("q1", 0, lift=1.0), node_row("q1", 1, lift=9.0)]
    assert measures(read([question], BOTH, nodes, concepts), 0)["path_lift"] == 1.0


def test_an_option_of_which_the_graph_says_nothing_counts_as_the_mean_of_the_others() -> None:
    nodes = [node_row("q1", 0, lift=1.0), node_row("q1", 2, lift=4.0)]
    paths = [path_row("q1", 0, 1, "A.", 0.5, 1.0), path_row("q1", 1, 1, "B.", 0.25, 2.0)]
    # The question's own concept is no option's, though the last option says the same.
    nodes.append(node_row("q1", 9, lift=100.0))
    concepts = [NAMED[0], NAMED[2], ("q1", -1, "renal stone", 9, 0.5)]
    rows = read([kidney_question()], paths, nodes, concepts)
    assert measures(rows, 1)["path_lift"] == 2.5
    # Nothing of any option: nothing.
    bare = read([kidney_question()], paths)
    assert measures(bare, 0)["path_lift"] == measures(bare, 1)["path_lift"] == 0.0
