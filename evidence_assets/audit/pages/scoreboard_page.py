"""A benchmark's scoreboard: every experiment with its interval, what is chance, and what papers print."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from evidence_assets.audit.pages.drawing import MOST_CURVES, Curve, reliability_plot, risk_coverage_plot
from evidence_assets.audit.pages.rendering import INDEX, folder_of, linked, page
from evidence_assets.evaluation.published import published_rows, setup_rows
from evidence_assets.evaluation.scores import answered_of, with_key
from evidence_assets.evaluation.selective import reliability_bins, risk_coverage
from evidence_assets.lake.schemas import (
    BENCHMARK_SCORES,
    EVIDENCE_PAGES,
    PREDICTIONS,
    QUESTIONS,
    SCORE_DIFFERENCES,
)

if TYPE_CHECKING:
    import pyarrow as pa

    from evidence_assets.lake.lake import Partition, TableReader
    from evidence_assets.systems.system import System

Row = Mapping[str, Any]
# Metrics that an experiment is known by, and what each is called; higher is better.
HEADLINES = {
    "accuracy": "Accuracy",
    "hits@1": "Hits@1: the first answer is right",
    "answer_mrr": "Mean reciprocal rank of the right answer",
    "answer_f1": "F1 of the set of answers",
    "selective_accuracy": "Accuracy of what was answered",
}
_CHANCE = ("chance_accuracy", "majority_accuracy")
# Below it, a corrected p is more than chance.
_LEVEL = 0.05
_MOST_PUBLISHED, _MOST_DIFFERENCES = 60, 80


@dataclass(frozen=True)
class ScoredArm:
    """One experiment of a scoreboard; `page`: its index, from here, empty where it has no pages."""

    system: str
    arm: str
    page: str
    is_baseline: bool
    scores: Mapping[str, Row]
    predictions: pa.Table
    code_versions: Mapping[str, int]

    @property
    def name(self) -> str:
        """System and arm."""
        return f"{self.system} / {self.arm}"

    @property
    def of_several_versions(self) -> bool:
        """Whether its answers were made by more than one code version: they have no score in common."""
        return len(self.code_versions) > 1


@dataclass(frozen=True, slots=True)
class Published:
    """A published figure with ours of the same variant, if there is one, and what differs."""

    row: Row
    ours: Row | None
    page: str
    differs: str


def _read(
    tables: TableReader, systems: Sequence[System], benchmark: str
) -> tuple[list[ScoredArm], list[Row]]:
    """Return every experiment of a benchmark that was made, and the paired differences between them."""
    answered_places, scored_places, page_places = (
        [place for place in tables.partitions(table) if place["benchmark"] == benchmark]
        for table in (PREDICTIONS, BENCHMARK_SCORES, EVIDENCE_PAGES)
    )
    for place in page_places:
        tables.version(EVIDENCE_PAGES, place)
    compared = tables.partitions(SCORE_DIFFERENCES)
    arms: list[ScoredArm] = []
    differences: list[Row] = []
    for system in systems:
        for place in answered_places:
            if place["system"] == system.name:
                scores = tables.read(BENCHMARK_SCORES, place).to_pylist() if place in scored_places else []
                arms.append(_scored(tables, system, place, scores, place in page_places))
        where = {"system": system.name, "benchmark": benchmark}
        if where in compared:
            differences += tables.read(SCORE_DIFFERENCES, where).to_pylist()
    return arms, differences


def _scored(
    tables: TableReader, system: System, place: Partition, scores: Sequence[Row], has_pages: bool
) -> ScoredArm:
    columns = ["prediction_id", "gold", "correct", "abstained", "confidence", "code_version"]
    predictions = tables.read(PREDICTIONS, place, columns)
    target = folder_of(place["system"], place["arm"], place["benchmark"]).split("/")[2:]
    return ScoredArm(
        place["system"],
        place["arm"],
        linked("/".join(("..", *target, INDEX))) if has_pages else "",
        place["arm"] in system.baselines,
        {row["metric"]: row for row in scores},
        predictions,
        dict(sorted(Counter(predictions.column("code_version").to_pylist()).items())),
    )


def scoreboard_page(tables: TableReader, systems: Sequence[System], benchmark: str) -> bytes:
    """Return a benchmark's scoreboard.

    Raises:
        MissingPartitionError: its questions were never read.
    """
    columns = ["question_id", "options", "source_uri", "licence"]
    questions = tables.read(QUESTIONS, {"benchmark": benchmark}, columns)
    arms, differences = _read(tables, systems, benchmark)
    single_version = [arm for arm in arms if not arm.of_several_versions]
    return page(
        "scoreboard",
        benchmark=benchmark,
        questions=questions.num_rows,
        sources=sorted(
            {(row["source_uri"], row["licence"]) for row in questions.select(columns[2:]).to_pylist()}
        )[:6],
        boards=_boards(single_version),
        chance=_chance(single_version),
        differences=_headline_differences(differences)[:_MOST_DIFFERENCES],
        plots=list(_plots(systems, single_version)),
        published=_published(benchmark, single_version)[:_MOST_PUBLISHED],
        mixed=[arm for arm in arms if arm.of_several_versions],
        unscored=[arm for arm in single_version if not arm.scores],
        partial=[
            (arm, arm.predictions.num_rows) for arm in arms if arm.predictions.num_rows != questions.num_rows
        ],
        arms=arms,
    )


def _boards(arms: Sequence[ScoredArm]) -> list[dict[str, Any]]:
    """Return for each headline metric the arms that have it, the best first."""
    boards = []
    for metric, title in HEADLINES.items():
        rows = [(arm, arm.scores[metric]) for arm in arms if metric in arm.scores]
        rows = [(arm, score) for arm, score in rows if score["value"] is not None]
        if rows:
            rows.sort(key=lambda row: (-row[1]["value"], row[0].name))
            boards.append({"metric": metric, "title": title, "rows": rows})
    return boards


def _chance(arms: Sequence[ScoredArm]) -> Row | None:
    """Return the higher of what chance and the commonest answer reach on all that arms are scored on.

    None where neither is scored, or on some of the questions alone, as where others have no options.
    """
    rows = [
        arm.scores[metric]
        for arm in arms
        for metric in _CHANCE
        if {metric, "accuracy"} <= arm.scores.keys()
        and arm.scores[metric]["n"] == arm.scores["accuracy"]["n"]
    ]
    return max(rows, key=lambda row: row["value"] or 0.0, default=None)


def _headline_differences(rows: Sequence[Row]) -> list[dict[str, Any]]:
    """Return the differences in accuracy, else in Hits@1, to each arm's strongest cheap baseline first."""
    chosen = [row for row in rows if row["metric"] in ("accuracy", "hits@1")]
    chosen.sort(key=lambda row: (not row["is_strongest_baseline"], row["system"], -row["value"], row["arm"]))
    return [{**row, "verdict": _verdict(row)} for row in chosen]


def _verdict(row: Row) -> str:
    """Return what a difference comes to: by its test, corrected for the comparisons; by its interval else."""
    p_value, comparisons = row.get("p_holm"), row.get("comparisons") or 1
    by_interval = row["low"] > 0 or row["high"] < 0
    direction = "better" if row["value"] > 0 else "worse"
    if p_value is None:
        return f"{direction}, by more than chance" if by_interval else "may be chance"
    chance = "p < 0.001" if p_value < 0.001 else f"p = {p_value:.3f}"
    test = f"{chance}, corrected for {comparisons} comparisons" if comparisons > 1 else chance
    return f"{direction}, by more than chance ({test})" if p_value < _LEVEL else f"may be chance ({test})"


def _plots(systems: Sequence[System], arms: Sequence[ScoredArm]) -> Iterator[dict[str, Any]]:
    """Yield each system's curves: of at most four arms, the most accurate of those that tell confidence."""
    for system in systems:
        answers = [(arm, answered_of(with_key(arm.predictions))) for arm in arms if arm.system == system.name]
        drawable = [(arm, answered) for arm, answered in answers if answered is not None]
        drawable.sort(key=lambda pair: (-float(pair[1].correct.mean()), pair[0].arm))
        if not drawable:
            continue
        risks, reliabilities = [], []
        for arm, answered in drawable[:MOST_CURVES]:
            risks.append(Curve(arm.arm, *risk_coverage(answered)))
            confidence, accuracy, sizes = reliability_bins(answered)
            reliabilities.append(Curve(arm.arm, confidence, accuracy, sizes.astype(np.float64)))
        names = ", ".join(curve.name for curve in risks)
        yield {
            "system": system.name,
            "names": [curve.name for curve in risks],
            "left_out": len(drawable) - len(risks),
            "risk": risk_coverage_plot(risks, f"Risk over coverage, {system.name}: {names}"),
            "reliability": reliability_plot(
                reliabilities, f"Accuracy over confidence, {system.name}: {names}"
            ),
        }


def _published(benchmark: str, arms: Sequence[ScoredArm]) -> list[Published]:
    """Return the figures that papers print of this benchmark, each beside ours of the same variant."""
    ours_by_variant = {(arm.system, arm.arm.partition("@")[0]): arm for arm in reversed(arms)}
    setups = {
        (setup_row["system"], setup_row["benchmark"], setup_row["source"]): setup_row
        for setup_row in setup_rows().to_pylist()
    }
    compared = []
    for row in published_rows().to_pylist():
        if row["benchmark"] != benchmark:
            continue
        variant, _, reader = row["arm"].partition("@")
        arm = ours_by_variant.get((row["system"], variant))
        score = arm.scores.get(row["metric"]) if arm is not None else None
        if arm is None or score is None:
            compared.append(Published(row, None, "", "no arm of ours of this variant was scored here"))
            continue
        our_reader = arm.arm.partition("@")[2]
        differs = [f"read by {our_reader}, theirs by {reader}"] if our_reader != reader else []
        setup = setups.get((row["system"], benchmark, row["source"]), {})
        their_questions = (
            f"theirs over {setup['questions']:,}"
            if setup.get("questions")
            else "the paper does not say of how many"
        )
        differs.append(f"ours over {score['n']:,} questions, {their_questions}")
        if setup.get("graph"):
            differs.append(f"their graph: {setup['graph']}")
        compared.append(Published(row, {**score, "arm": arm.arm}, arm.page, "; ".join(differs)))
    return compared
