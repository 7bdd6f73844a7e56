"""Small tables, questions about them, and an encoder that counts words: what UCRET's tests read."""

from __future__ import annotations

import zlib
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa

from evidence_assets.audit.integrity import check_lineage, check_rows
from evidence_assets.evidence.experiment import EXPERIMENT_TABLES, Experiment
from evidence_assets.lake.lake import Lake
from evidence_assets.lake.schemas import QUESTIONS
from evidence_assets.models.encoder import FloatArray
from evidence_assets.systems.ucret.collapsing import collapse
from evidence_assets.tables.column_filters import FILTERS
from evidence_assets.tables.hygiene import make_table
from evidence_assets.tables.table import Table
from evidence_assets.text.words import words
from evidence_assets_tests.testing.experiment_rows import rows_of
from evidence_assets_tests.testing.question_rows import question_row

BENCHMARK = "b"
THREE = ["SUPPORTS", "REFUTES", "NOT ENOUGH INFORMATION"]
TWO = ["SUPPORTS", "REFUTES"]
MEASLES = make_table(
    "measles",
    "Measles outbreaks in Canada",
    [["Province", "Year", "Number of cases", "Duration (weeks)"]],
    [["Quebec", "2007", "94", "24"], ["Ontario", "2008", "53", "11"], ["Alberta", "2011", "678", "33"]],
)
ANIMALS = make_table(
    "animals",
    "What animals eat",
    [["Animal", "Diet", "Habitat"]],
    [
        ["Otter", "sea urchins", "kelp forest"],
        ["Vole", "grass and roots", "meadow"],
        ["Arctic fox", "lemmings", "tundra"],
    ],
)
STONES = make_table(
    "stones",
    "What stones are made of",
    [["Stone", "Made of"]],
    [["Quartz", "silicon and oxygen"], ["Rock salt", "sodium and chlorine"]],
)
Rows = list[dict[str, Any]]


class WordEncoder:
    """Unit vectors of counted words; keeps what it was asked."""

    def __init__(self, dimension: int = 64) -> None:
        self.dimension = dimension
        self.calls: list[list[str]] = []

    def __call__(self, texts: Sequence[str]) -> FloatArray:
        self.calls.append(list(texts))
        vectors = np.zeros((len(texts), self.dimension), dtype=np.float32)
        vectors[:, 0] = 1
        for row, text in enumerate(texts):
            for word in words(text):
                vectors[row, zlib.crc32(word.encode()) % self.dimension] += 1
        units: FloatArray = vectors / np.linalg.norm(vectors, axis=1, keepdims=True)
        return units


def question(
    key: str, text: str, options: Sequence[str], answer: int | None = 0, table: str | None = "measles"
) -> dict[str, Any]:
    of_table: dict[str, Any] = {"benchmark": BENCHMARK, "answers": [], "table_id": table, "gold_cells": []}
    return question_row(key, text, options, answer if options else None, **of_table)


def claims(*texts: str, labels: Sequence[str] = THREE, table: str = "measles") -> Rows:
    return [question(f"q{number}", text, labels, table=table) for number, text in enumerate(texts)]


def prepared(rows: Rows, tables: Sequence[Table], name: str) -> tuple[pa.Table, dict[str, Table], pa.Table]:
    """Rows of `questions`, the tables by id, and the rows of `collapsed_tables`."""
    by_id = {table.table_id: table for table in tables}
    collapsed = collapse(rows, by_id, WordEncoder(), FILTERS[name], BENCHMARK)
    return pa.Table.from_pylist(rows, schema=QUESTIONS.schema), by_id, collapsed


class ResultRows:
    """An experiment's rows; those that belong to a question by its id."""

    def __init__(self, experiment: Experiment) -> None:
        self.tables = experiment.tables()
        self.rows = rows_of(experiment)
        self.predictions = {row["question_id"]: row for row in self.rows["predictions"]}
        self.evidence = {row["evidence_id"]: row for row in self.rows["evidence"]}

    def chains(self, key: str) -> dict[int, dict[str, Any]]:
        return {row["candidate"]: row for row in self.rows["chains"] if row["question_id"] == key}

    def cited(self, key: str, candidate: int) -> list[tuple[int | None, int | None]]:
        """The rows and columns of what a chain cites."""
        places = [
            self.evidence[evidence_id]["locator"] for evidence_id in self.chains(key)[candidate]["cited"]
        ]
        return [(place["row"], place["column"]) for place in places]

    def used(self, key: str, role: str) -> list[dict[str, Any]]:
        wanted = self.predictions[key]["prediction_id"]
        uses = [row for row in self.rows["prediction_evidence"] if row["prediction_id"] == wanted]
        return [self.evidence[row["evidence_id"]] for row in uses if row["role"] == role]


def findings(experiment: Experiment, folder: Path) -> list[str]:
    """What is wrong with the rows and the lineage of an experiment, once it is written."""
    lake = Lake(str(folder / "lake"))
    place: Mapping[str, str] = {
        "system": experiment.system,
        "arm": experiment.arm,
        "benchmark": experiment.benchmark,
    }
    made = experiment.tables()
    for table in EXPERIMENT_TABLES:
        lake.write(table, place, made[table.name])
    row_findings = [finding for table in EXPERIMENT_TABLES for finding in check_rows(lake, table, place)]
    return [*row_findings, *check_lineage(lake, place)]
