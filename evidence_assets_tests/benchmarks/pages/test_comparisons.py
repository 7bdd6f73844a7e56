"""Ours beside the strongest cheap baseline: which one that is, and where ours is not above it."""

from __future__ import annotations

import json
import re
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import yaml

from benchmarks.pages.comparison_picture import comparison_picture
from benchmarks.pages.comparisons import Measured, below, compared, mark, paired, undecided
from benchmarks.pages.figures import best, bounded, percent, share, strongest, turned, unpaired
from benchmarks.pages.page import FOLDER, areas
from benchmarks.result_files import RESULTS
from evidence_assets.systems.registry import SYSTEMS

ESTIMATES: dict[str, Any] = {
    "ours": [0.4, 0.35, 0.45],
    "chance": 0.25,
    "cosine": {"value": 0.42, "low": 0.38, "high": 0.46},
    "minus cosine": [-0.02, -0.04, 0.01],
    "nothing": None,
}


NOWHERE = Measured({}, {"accuracy": {}}, {})


def comparison(measured: Measured = NOWHERE, **changes: Any) -> dict[str, Any]:
    row = {
        "area": "Area",
        "what": "accuracy",
        "questions": "quiz",
        "metric": "accuracy",
        "ours": {"default": "ours"},
        "baselines": {"chance": "chance", "cosine": "cosine", "not measured": "nothing"},
        "differences": {"cosine": "minus cosine"},
        "n": "500",
        "tuned": "nothing",
        "command": "`make bench`",
    }
    return compared({**row, **changes}, ESTIMATES.__getitem__, str, measured)


def test_the_strongest_baseline_is_the_highest_and_its_paired_difference_is_taken() -> None:
    row = comparison()
    assert row["ours"] == "default 40.0 [35.0, 45.0]"
    assert row["baseline"] == "cosine 42.0 [38.0, 46.0]"
    assert (row["value"], row["low"], row["high"]) == (-0.02, -0.04, 0.01)
    assert row["paired"]


def test_without_a_paired_difference_the_interval_is_made_of_both() -> None:
    row = comparison(differences={"chance": "minus cosine"})
    assert not row["paired"]
    assert row["value"] == pytest.approx(-0.02)
    assert row["low"] == pytest.approx(-0.02 - (0.05**2 + 0.04**2) ** 0.5)


SCORES = [
    {
        "benchmark": "quiz",
        "arm": "full",
        "metric": "chance_accuracy",
        "value": 0.25,
        "low": None,
        "high": None,
    },
    {"benchmark": "quiz", "arm": "near@nearest", "metric": "accuracy", "value": 0.3, "low": 0.2, "high": 0.4},
    {"benchmark": "quiz", "arm": "near@nearest", "metric": "mrr", "value": 0.9, "low": 0.8, "high": 1.0},
    {"benchmark": "other", "arm": "far@nearest", "metric": "accuracy", "value": 0.8, "low": 0.7, "high": 0.9},
]
TITLES = {
    "accuracy": {
        "near@nearest": "nearest",
        "far@nearest": "farthest",
        "longest": "longest",
        "chance": "chance",
    },
    "mrr": {"near@nearest": "nearest"},
}


def test_cheap_baselines_are_those_that_any_result_has_of_the_questions() -> None:
    elsewhere = [
        {"benchmark": "the quiz", "baseline": "longest", "n": 100, "accuracy": 0.5},
        {"benchmark": "quiz", "baseline": "nothing of ours", "n": 100, "accuracy": 0.9},
        {"benchmark": "quiz", "arm": "near@nearest", "metric": "accuracy", "value": 0.2, "low": 0, "high": 1},
    ]
    by_subject = [{"benchmark": "quiz", "baseline": "longest", "n": 10, "accuracy": 0.8}]
    results = {"a": {"scores": SCORES}, "b": {"baselines": elsewhere, "by_subject": by_subject}}
    measured = Measured(results, TITLES, {"the quiz": "quiz"})
    half = share(0.5, 100)
    assert measured("quiz") == {"nearest": SCORES[1], "chance": SCORES[0], "longest": half}
    assert measured("the quiz") == measured("quiz")
    assert measured("quiz", "mrr") == {"nearest": SCORES[2]}
    row = comparison(measured)
    assert row["baseline"].startswith("longest 50.0")
    assert not row["paired"]


def test_hops_name_the_set_of_questions() -> None:
    rows = [{"hops": 2, "arm": "longest", "accuracy": [0.3, 0.2, 0.4]}]
    assert Measured({"a": {"ablations": rows}}, TITLES, {})("metaqa_2hop") == {"longest": [0.3, 0.2, 0.4]}


def test_paired_differences_are_those_of_the_arm_by_the_baselines_titles() -> None:
    row = {"benchmark": "quiz", "arm": "full", "metric": "accuracy", "value": 0.1, "low": 0.0, "high": 0.2}
    rows = [{**row, "baseline_arm": baseline} for baseline in ("near@nearest", "chance", "default")]
    others = [{**rows[0], "arm": "less"}, {**rows[0], "metric": "mrr"}, {**rows[0], "benchmark": "other"}]
    assert paired([*others, *rows], "quiz", "full", TITLES) == {"nearest": rows[0], "chance": rows[1]}


def test_a_difference_to_another_measurement_of_the_baseline_is_not_taken() -> None:
    row = comparison(differences={"cosine": "ours"})
    assert not row["paired"]
    assert row["value"] == pytest.approx(-0.02)


def test_a_mapping_may_be_one_expression_and_what_is_none_does_not_count() -> None:
    values = {**ESTIMATES, "all": {"cosine": ESTIMATES["cosine"]}, "differences": {"cosine": None}}
    row: dict[str, Any] = {"area": "", "what": "", "n": "1", "tuned": "", "command": ""}
    row |= {
        "ours": {"default": "ours"},
        "questions": None,
        "metric": "accuracy",
        "baselines": "all",
        "differences": "differences",
    }
    made = compared(row, values.__getitem__, str, NOWHERE)
    assert made["baseline"].startswith("cosine")
    assert not made["paired"]


SUMMARY = yaml.safe_load((FOLDER / "areas" / "summary.yaml").read_text(encoding="utf-8"))["comparisons"]
NAMES = yaml.safe_load((FOLDER / "page.yaml").read_text(encoding="utf-8"))["names"]


def figures_of(part: Any, questions: str, metric: str) -> Iterator[float]:
    """Yield, from anywhere in a result, what cheap baselines reach on a set of questions in a metric."""
    if isinstance(part, list):
        for inner in part:
            yield from figures_of(inner, questions, metric)
    if not isinstance(part, dict):
        return
    for inner in part.values():
        yield from figures_of(inner, questions, metric)
    about = NAMES["sets"].get(part.get("benchmark", ""), part.get("benchmark"))
    called = [name for name in (part.get("arm"), part.get("baseline")) if isinstance(name, str)]
    is_constant = part.get("metric") in (f"chance_{metric}", f"majority_{metric}")
    if about != questions or "subject" in part:
        return
    if is_constant or (part.get("metric") == metric and set(called) & set(NAMES["cheap"][metric])):
        yield part["value"]
    elif metric in part and set(called) & set(NAMES["cheap"][metric]):
        estimate = part[metric]
        yield estimate["value"] if isinstance(estimate, dict) else estimate


@pytest.fixture(scope="module")
def results() -> dict[str, Any]:
    return {file.stem: json.loads(file.read_text(encoding="utf-8")) for file in RESULTS.glob("*.json")}


# Where nothing is named, a part of a set is asked, or none.
@pytest.mark.parametrize(
    ("questions", "metric"),
    sorted({(row["questions"], row["metric"]) for row in SUMMARY if row["questions"]}),
)
def test_no_cheap_baseline_of_the_same_questions_is_left_out_of_the_summary(
    results: dict[str, Any], questions: str, metric: str
) -> None:
    measured = Measured(results, NAMES["cheap"], NAMES["sets"])(questions, metric)
    reached = [bounded(estimate)[0] for estimate in measured.values()]
    everywhere = list(figures_of(results, NAMES["sets"].get(questions, questions), metric))
    assert max(reached) >= max(everywhere, default=0)


def test_no_default_that_is_below_a_cheap_baseline_is_left_out_of_the_summary(
    results: dict[str, Any],
) -> None:
    defaults = {system.name: system.default_arm for system in SYSTEMS}
    shown = {(row["questions"], title.strip("`")) for row in SUMMARY for title in row["ours"]}
    lower = [
        (NAMES["sets"].get(row["benchmark"], row["benchmark"]), row["arm"])
        for result in results.values()
        for row in result.get("differences", ())
        if "system" in row
        and row["arm"] == defaults[row["system"]]
        and row["baseline_arm"] in NAMES["cheap"].get(row["metric"], ())
        and row["value"] < 0
    ]
    assert len(lower) > 5
    assert not set(lower) - shown


def test_what_is_below_and_what_is_not_shown_to_be_above() -> None:
    rows = [
        {"what": "above", "value": 0.1, "low": 0.05},
        {"what": "below", "value": -0.1, "low": -0.2},
        {"what": "far below", "value": -0.3, "low": -0.4},
        {"what": "open", "value": 0.0, "low": -0.1},
        {"what": "no interval", "value": 0.1, "low": None},
    ]
    assert [row["what"] for row in below(rows)] == ["below", "far below"]
    assert [mark(row) for row in rows].count("") == 1
    assert [row["what"] for row in undecided(rows)] == ["open", "no interval"]


def test_a_baseline_without_an_interval_counts_as_exact() -> None:
    assert unpaired([0.4, 0.35, 0.45], 0.25) == pytest.approx([0.15, 0.1, 0.2])
    assert unpaired(0.5, 0.25) == [0.25, None, None]


def test_estimates_are_turned_scaled_and_bounded() -> None:
    assert turned([0.1, -0.2, 0.3]) == [-0.1, -0.3, 0.2]
    assert turned(0.1) == [-0.1, None, None]
    assert percent([50, 40, 60]) == [0.5, 0.4, 0.6]
    assert share(0.5, 100) == pytest.approx([0.5, 0.4038, 0.5962], abs=1e-4)
    assert share(None, 100) is None
    assert strongest({"a": 0.2, "b": 0.3}) == "b 30.0"
    with pytest.raises(ValueError, match="none of a has a figure"):
        best({"a": None})


def test_the_page_and_its_picture_say_where_ours_is_below(tmp_path: Path) -> None:
    def summary(results: Path) -> tuple[str, str]:
        area = next(areas(results))
        return " ".join(area.markdown().split()), comparison_picture(area.comparisons)

    def times_below(text: str) -> int:
        [times] = re.findall(r"below it in (\d+) \(▼\)", text)
        return int(times)

    results = Path(shutil.copytree(RESULTS, tmp_path / "results"))
    before, pictured = summary(results)
    file = results / "attention2query.json"
    result = json.loads(file.read_text(encoding="utf-8"))
    changed = {"cosine": 0.5, "accuracy": 0.25, "accuracy_low": 0.2, "accuracy_high": 0.3}
    changed |= {"minus_cosine": -0.25, "minus_cosine_low": -0.3, "minus_cosine_high": -0.2}
    result["weights"]["other"] |= changed
    file.write_text(json.dumps(result), encoding="utf-8")
    after, pictured_after = summary(results)
    assert "▼ -25.0 [-30.0, -20.0]" not in before
    assert "▼ -25.0 [-30.0, -20.0]" in after
    assert times_below(after) == times_below(before) + 1
    for text, drawn in ((before, pictured), (after, pictured_after)):
        assert f"below ({times_below(text)})" in drawn
        assert "Attention2Query, the default" in drawn


def test_a_difference_without_an_interval_is_drawn_as_a_point() -> None:
    row = {"what": "this & that", "age": "", "value": 0.1, "low": None, "high": None}
    drawn = comparison_picture([row])
    assert "this &amp; that" in drawn
    assert "not shown to be above (1)" in drawn
    assert drawn == comparison_picture([row])
