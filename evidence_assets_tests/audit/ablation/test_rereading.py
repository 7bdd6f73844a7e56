"""A made-up reader, whose answers are known for every set of evidence."""

from __future__ import annotations

from collections.abc import Callable
from itertools import combinations
from typing import Any

import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from evidence_assets.audit.ablation.plan import AblationSettings, Kind, Questioned, sampled
from evidence_assets.audit.ablation.rereading import Ablated, Rereading
from evidence_assets.audit.ablation.rows import ablation_rows
from evidence_assets.audit.ablation.scores import METRICS, ablation_score_rows
from evidence_assets.cli.ablate import score_lines
from evidence_assets.evidence.experiment import Answer, Experiment
from evidence_assets.stages.withholding import Source, Variants

PLACE = {"system": "s", "arm": "a@r", "benchmark": "b"}
NAMES = "abcdef"
# The sources an answer is left with to what is answered from them.
Rule = Callable[[frozenset[str]], bool]


def source(name: str) -> Source:
    return Source("articles", name)


def questioned(cited: str = "ab", key: str = "p", names: str = NAMES) -> Questioned:
    sources = tuple(map(source, names))
    evidence = {given_source: [f"e-{given_source.key}"] for given_source in sources}
    return Questioned(key, f"q-{key}", "yes", 0.9, sources, tuple(map(source, cited)), evidence)


def reader(stands: Rule, names: str = NAMES) -> Callable[[Variants], Experiment]:
    """A reader that answers yes where `stands` is true of what it is left with, else no."""

    def read(variants: Variants) -> Experiment:
        experiment = Experiment(PLACE["system"], PLACE["arm"], PLACE["benchmark"], "1")
        for variant in variants._variants:
            left = frozenset(names) - {source.key for source in variant.withheld}
            question: dict[str, Any] = {"question_id": variant.variant_id, "options": [], "answers": []}
            question["answer_index"] = None
            text = "yes" if stands(left) else "no"
            experiment.answer(question, {}, [], Answer(None, 0.1 * len(left), "r", text, text=text))
        return experiment

    return read


def ablated(stands: Rule, *predictions: Questioned, **settings: int) -> list[Ablated]:
    chosen = AblationSettings(**{"each": 9, **settings})
    return Rereading(reader(stands)).ablate(predictions or (questioned(),), chosen).ablated


def of_kind(rows: list[Ablated], kind: Kind) -> list[Ablated]:
    return [row for row in rows if row.removal.kind is kind]


def sources_left(row: Ablated) -> str:
    return "".join(source.key for source in row.questioned.given if source not in row.removal.sources)


def test_every_kind_of_removal_is_read_and_told_apart() -> None:
    rows = ablated(lambda left: "a" in left)
    ones = {next(iter(row.removal.sources)).key: row.changed for row in of_kind(rows, Kind.ONE)}
    assert ones == {"a": True, "b": False, "c": False, "d": False, "e": False, "f": False}
    [cited], [only_cited], [nothing] = (
        of_kind(rows, kind) for kind in (Kind.CITED, Kind.ONLY_CITED, Kind.ALL)
    )
    assert (sources_left(cited), cited.changed) == ("cdef", True)
    assert (sources_left(only_cited), only_cited.changed) == ("ab", False)
    assert (sources_left(nothing), nothing.changed) == ("", True)
    [least] = of_kind(rows, Kind.MINIMAL)
    assert (sources_left(least), least.changed) == ("a", False)


def test_random_sets_have_as_many_sources_as_are_cited_and_none_of_them() -> None:
    rows = ablated(lambda left: "a" in left, draws=5)
    for kind, size in ((Kind.RANDOM, 2), (Kind.ONLY_RANDOM, 4)):
        drawn = of_kind(rows, kind)
        assert len(drawn) == 5
        assert {len(row.removal.sources) for row in drawn} == {size}
    assert all(row.removal.sources.isdisjoint(row.questioned.cited) for row in of_kind(rows, Kind.RANDOM))
    assert all(
        not row.removal.sources.issuperset(row.questioned.uncited) for row in of_kind(rows, Kind.ONLY_RANDOM)
    )


def test_what_is_drawn_depends_on_the_prediction_and_the_seed_alone() -> None:
    first, second = questioned(key="p1"), questioned(key="p2")
    alone = {row.removal for row in ablated(lambda left: True, second, each=2)}
    among = {
        row.removal
        for row in ablated(lambda left: True, first, second, each=2)
        if row.questioned.prediction_id == "p2"
    }
    assert alone == among
    of_second = {row.removal for row in ablated(lambda left: True, second, each=2, seed=1)}
    assert of_second != alone


def test_an_answer_that_no_evidence_changes_needs_none() -> None:
    [least] = of_kind(ablated(lambda left: True), Kind.MINIMAL)
    assert sources_left(least) == ""


def test_a_prediction_that_is_not_read_alike_is_told_and_left_out() -> None:
    result = Rereading(reader(lambda left: False)).ablate([questioned()], AblationSettings())
    assert [unlike.prediction_id for unlike in result.unlike] == ["p"]
    assert result.ablated == []


@given(st.sets(st.frozensets(st.sampled_from(NAMES), min_size=1), min_size=1, max_size=4))
def test_the_least_evidence_stands_and_no_source_of_it_can_go(enough: set[frozenset[str]]) -> None:
    def stands(left: frozenset[str]) -> bool:
        return any(needed <= left for needed in enough)

    [least] = of_kind(ablated(stands), Kind.MINIMAL)
    left = frozenset(sources_left(least))
    assert stands(left)
    assert not any(stands(frozenset(some)) for some in combinations(sorted(left), len(left) - 1))


def test_scores_are_shares_within_predictions_beside_random_evidence() -> None:
    rows = ablation_rows(
        PLACE, ablated(lambda left: "a" in left, questioned("ab", "p1"), questioned("c", "p2"))
    )
    scores = {row["metric"]: row for row in ablation_score_rows(PLACE, rows).to_pylist()}
    # Of p1's two citations one does nothing; p2's only one does nothing. Five of six sources do nothing.
    assert scores["cited_inert"]["value"] == pytest.approx((0.5 + 1) / 2)
    assert scores["cited_inert"]["control"] == pytest.approx(5 / 6)
    # Of p1's uncited sources none is used; of p2's five, one.
    assert scores["used_uncited"]["value"] == pytest.approx((0 + 1 / 5) / 2)
    assert scores["comprehensiveness"]["value"] == 0.5
    assert scores["sufficiency"]["value"] == 0.5
    assert scores["needs_no_evidence"]["value"] == 0.0
    assert scores["minimal_share"]["value"] == pytest.approx(1 / 6)
    assert scores["minimal_cited"]["value"] == 0.5
    assert {row["n"] for row in scores.values()} == {2}
    assert scores["comprehensiveness"]["low"] < 0.5 < scores["comprehensiveness"]["high"]


@pytest.mark.parametrize(("abstaining", "measured"), [(("p1", "p2"), False), (("p1",), True), ((), True)])
def test_a_reader_that_abstains_without_evidence_has_no_share_of_answers_that_need_none(
    abstaining: tuple[str, ...], measured: bool
) -> None:
    rows = ablation_rows(PLACE, ablated(bool, questioned("ab", "p1"), questioned("c", "p2")))
    edited = [
        {**row, "abstained_without": row["kind"] == Kind.ALL and row["prediction_id"] in abstaining}
        for row in rows.to_pylist()
    ]
    scores = ablation_score_rows(PLACE, pa.Table.from_pylist(edited, schema=rows.schema)).to_pylist()
    metrics = {row["metric"] for row in scores}
    assert ("needs_no_evidence" in metrics) is measured
    assert metrics | {"needs_no_evidence"} == set(METRICS)
    line = "needs_no_evidence  not measured: the reader abstains without evidence"
    assert (line in score_lines(scores).splitlines()) is not measured


def test_a_draw_stands_for_the_sources_that_it_was_drawn_from() -> None:
    rows = of_kind(ablated(lambda left: True, each=2), Kind.ONE)
    weights = {row.removal.is_cited: row.removal.weight for row in rows}
    assert weights == {True: 1.0, False: 2.0}


def test_rows_name_the_evidence_and_what_the_confidence_lost() -> None:
    rows = {
        row["removed"]: row for row in ablation_rows(PLACE, ablated(lambda left: "a" in left)).to_pylist()
    }
    assert rows["e-a"]["predicted_without"] == "no"
    assert rows["e-a"]["sources"] == ["articles/a"]
    assert rows["e-b"]["confidence_change"] == pytest.approx(0.5 - 0.9)
    assert rows["cited_removed"]["evidence_ids"] == ["e-a", "e-b"]
    assert rows["random_removed 1"]["removed_sources"] == 2
    assert len({(row["prediction_id"], row["removed"]) for row in rows.values()}) == len(rows)


def test_a_sample_is_of_its_size_in_order_and_the_same_again() -> None:
    predictions = [questioned(key=f"p{number}") for number in range(20)]
    chosen = sampled(predictions, AblationSettings(sample=5))
    assert len(chosen) == 5
    assert chosen == [prediction for prediction in predictions if prediction in chosen]
    assert chosen == sampled(predictions, AblationSettings(sample=5))
    assert sampled(predictions, AblationSettings()) == predictions
