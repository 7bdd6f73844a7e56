"""The figures of UCRET and UCRET-JS, as their tables print them."""

from __future__ import annotations

import csv
from collections import Counter
from pathlib import Path

import pytest

from evidence_assets.evaluation import published
from evidence_assets.sources.questions.registry import BENCHMARKS
from evidence_assets.systems.ucret.arms import arms as arms_read_by
from evidence_assets.systems.ucret.reading import VERDICTS

PATH = Path(published.__file__).parent / "published" / "ucret.csv"
KEY = ("system", "arm", "benchmark", "metric", "source", "table_number")
MODELS = {"qwen2.5-14b", "qwen2.5-72b", "llama3.3-70b"}
SETTINGS = {"full", "no_column_filtering", "no_explanations"}
OWN = {"ucret", "ucret_js"}
Figures = list[dict[str, str]]


@pytest.fixture(scope="module")
def rows() -> Figures:
    return list(csv.DictReader(PATH.read_text(encoding="utf-8").splitlines()))


def values(rows: Figures, table: str, **wanted: str) -> dict[str, float]:
    return {
        row["arm"]: float(row["value"])
        for row in rows
        if row["table_number"] == table and all(row[name] == value for name, value in wanted.items())
    }


def test_every_figure_has_a_key_of_its_own_and_is_a_share(rows: Figures) -> None:
    keys = Counter(tuple(row[name] for name in KEY) for row in rows)
    assert [key for key, count in keys.items() if count > 1] == []
    assert {row["source"] for row in rows} == {"thesis-vo-2026"}
    assert all(0 < float(row["value"]) < 1 for row in rows)


def test_every_table_is_transcribed_whole(rows: Figures) -> None:
    own = [row for row in rows if row["system"] in OWN]
    assert Counter(row["table_number"] for row in own) == {"3.3": 18, "3.5": 54, "4.1": 9, "4.2": 4}
    others = [row for row in rows if row["system"] not in OWN]
    assert Counter(row["table_number"] for row in others) == {"3.3": 8, "4.1": 5}
    for row in own:
        setting, model = row["arm"].split("@")
        assert setting in SETTINGS
        assert model in ({"none"} if row["table_number"] == "4.2" else MODELS)


def test_figures_stand_where_ours_are_found(rows: Figures) -> None:
    arms = arms_read_by(MODELS)
    asked = [row for row in rows if row["system"] in OWN and row["table_number"] != "4.2"]
    assert {row["arm"] for row in asked} <= set(arms)
    assert {row["benchmark"] for row in asked} <= set(BENCHMARKS)
    named = {f"{metric}:{label}" for metric in ("precision", "recall", "f1") for label in VERDICTS}
    assert {row["metric"] for row in rows if row["table_number"] == "3.5"} == named
    assert {row["metric"] for row in rows if row["table_number"] != "3.5"} == {"accuracy"}


def test_what_the_text_says_of_the_tables_is_so(rows: Figures) -> None:
    """Sections 3.4.4 and 4.4.3 repeat differences between figures; one differs (5.22, by the table 6.22)."""
    for model, health, science in (
        ("qwen2.5-14b", 5.18, 6.36),
        ("qwen2.5-72b", 5.67, 11.11),
        ("llama3.3-70b", 7.16, 6.22),
    ):
        for benchmark, drop in (("pubhealthtab", health), ("scitab", science)):
            found = values(rows, "3.3", system="ucret", benchmark=benchmark)
            lost = found[f"full@{model}"] - found[f"no_column_filtering@{model}"]
            assert round(100 * lost, 2) == drop
    refuted = values(rows, "3.5", benchmark="scitab", metric="f1:REFUTES")
    assert (refuted["full@llama3.3-70b"], refuted["no_column_filtering@llama3.3-70b"]) == (0.5984, 0.3333)
    first = values(rows, "4.2", system="ucret_js")
    assert round(100 * (first["full@none"] - first["no_column_filtering@none"]), 2) == 8.34
    assert round(100 * (first["full@none"] - first["no_explanations@none"]), 2) == 4.67
    assert values(rows, "4.2", system="ucret") == {"full@none": 0.6933}


def test_each_f1_is_that_of_its_precision_and_recall_but_those_printed_otherwise(rows: Figures) -> None:
    """Two are printed that do not follow: 54.46 where 56.45 would, and 85.15 where 84.95 would."""
    odd = set()
    for benchmark in ("pubhealthtab", "scitab"):
        for label in VERDICTS:
            told = [
                values(rows, "3.5", benchmark=benchmark, metric=f"{metric}:{label}")
                for metric in ("precision", "recall", "f1")
            ]
            for arm in told[0]:
                precision, recall, score = (one[arm] for one in told)
                if abs(2 * precision * recall / (precision + recall) - score) > 0.0002:
                    odd.add((arm.partition("@")[0], benchmark, label))
    assert odd == {
        ("no_column_filtering", "scitab", "SUPPORTS"),
        ("full", "pubhealthtab", "NOT ENOUGH INFORMATION"),
    }
