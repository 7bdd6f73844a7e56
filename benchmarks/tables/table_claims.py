"""Authored claims over tables of several domains, through Dagster: of unseen ones, and of development data.

    python -m benchmarks table_claims

They stand in `benchmarks/authored/table_claims` with the rule that decides each. UCRET is given caption,
header, rows and the claim's words, and answers SUPPORTS, REFUTES or NOT ENOUGH INFORMATION.
"""

from __future__ import annotations

import json
import os
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

import yaml

from benchmarks import PROJECT
from benchmarks.authored.table_claims import Claim, load
from benchmarks.estimates import estimate_row
from benchmarks.real_lake import materialized, opened
from benchmarks.tables.table_sets import DEVELOPMENT_DOMAINS
from evidence_assets.evidence.estimates import proportion
from evidence_assets.lake.catalogue import rows_of
from evidence_assets.orchestration.home import home_of

BENCHMARK = "table_claims"
ARMS = (
    "full@extractive",
    "no_column_filtering@nearest",
    "no_table@claim_only",
    "no_table@majority",
    "no_table@chance",
)
SURE = 0.8
SUPPORTS, REFUTES, NEITHER = "SUPPORTS", "REFUTES", "NOT ENOUGH INFORMATION"
# A claim whose predicate no column tells must never be supported.
ABSENT = "absent_predicate"

Row = dict[str, Any]


def run() -> dict[str, Any]:
    """Materialise the baseline and the default arm; return what was verified rightly, by part and kind."""
    folder = PROJECT / "build" / BENCHMARK
    claims = load()
    _configure(folder, claims)
    seconds = materialized({BENCHMARK: [f"ucret/{arm}" for arm in ARMS]})
    by_id = {claim.id: claim for claim in claims}
    predictions = {arm: _predictions(arm) for arm in ARMS}
    parts = {
        part: {
            arm: _measured([row for row in rows if by_id[row["question_id"]].table.domain in domains], by_id)
            for arm, rows in predictions.items()
        }
        for part, domains in _parts(claims).items()
    }
    labels = Counter(claim.label for claim in claims)
    return {"claims": dict(labels), "parts": parts, "seconds_a_run": seconds}


def _parts(claims: Sequence[Claim]) -> dict[str, list[str]]:
    """Return the domains that took part in no choice, and those of development data, by the part's name."""
    domains = sorted({claim.table.domain for claim in claims})
    unseen = [domain for domain in domains if domain not in DEVELOPMENT_DOMAINS]
    seen = [domain for domain in domains if domain in DEVELOPMENT_DOMAINS]
    parts = {f"held out: {', '.join(unseen)}": unseen, f"development: {', '.join(seen)}": seen}
    return {name: part for name, part in parts.items() if part}


def _configure(folder: Path, claims: Sequence[Claim]) -> None:
    """Write the claims, their mapping and a configuration into a folder, and have runs read it."""
    folder.mkdir(parents=True, exist_ok=True)
    records = [
        {
            "id": claim.id,
            "claim": claim.text,
            "label": claim.label,
            "table": claim.table.name,
            "caption": claim.table.caption,
            "header": list(claim.table.header),
            "rows": [list(row) for row in claim.table.rows],
        }
        for claim in claims
    ]
    mapping = {
        "title": "Claims over tables of several domains",
        "task": "claim_verification",
        "splits": ["test"],
        "licence": "CC0-1.0",
        "where": "benchmarks/authored/table_claims",
        "format": "json",
        "id": "id",
        "question": "claim",
        "choices": {label: [label] for label in (SUPPORTS, REFUTES, NEITHER)},
        "key": "label",
        "table": {"key": "table", "caption": ["caption"], "columns": "header", "rows": "rows"},
    }
    configuration = {
        "benchmarks": {
            BENCHMARK: {
                "reader": f"{BENCHMARK}.yaml",
                "uri": f"{folder}/claims.json",
                "split": "test",
                "systems": ["ucret"],
            }
        }
    }
    (folder / "claims.json").write_text(json.dumps(records), encoding="utf-8")
    (folder / f"{BENCHMARK}.yaml").write_text(yaml.safe_dump(mapping), encoding="utf-8")
    (folder / "sources.yaml").write_text(yaml.safe_dump(configuration), encoding="utf-8")
    os.environ["EVIDENCE_SOURCES"] = str(folder / "sources.yaml")
    os.environ["EVIDENCE_LAKE"] = str(folder / "lake")
    os.environ.setdefault("DAGSTER_HOME", str(home_of(PROJECT)))


def _predictions(arm: str) -> list[Row]:
    with opened() as connection:
        result = connection.execute(
            "SELECT question_id, predicted, gold, correct, confidence, unaccounted FROM predictions "
            "WHERE system = 'ucret' AND benchmark = ? AND arm = ? ORDER BY question_id",
            [BENCHMARK, arm],
        )
        return rows_of(result)


def _measured(predictions: Sequence[Row], claims: Mapping[str, Claim]) -> dict[str, Any]:
    decided = [row for row in predictions if row["predicted"] in (SUPPORTS, REFUTES)]
    sure = [row for row in decided if (row["confidence"] or 0.0) >= SURE]
    neither = [row for row in predictions if row["gold"] == NEITHER]
    absent = [row for row in predictions if claims[row["question_id"]].kind == ABSENT]
    return {
        "all": _share(predictions, lambda row: row["correct"]),
        "decided": _share(predictions, lambda row: row in decided),
        "right_of_decided": _share(decided, lambda row: row["correct"]),
        "right_of_sure": _share(sure, lambda row: row["correct"]),
        "sure_and_wrong": _share(predictions, lambda row: row in sure and not row["correct"]),
        "not_enough_found": _share(neither, lambda row: row["correct"]),
        "absent_predicate_supported": _share(absent, lambda row: row["predicted"] == SUPPORTS),
        "by_kind": _by(predictions, lambda row: claims[row["question_id"]].kind),
    }


def _by(rows: Iterable[Row], name: Callable[[Row], str]) -> dict[str, Any]:
    groups: dict[str, list[Row]] = {}
    for row in rows:
        groups.setdefault(name(row), []).append(row)
    return {group: _share(members, lambda row: row["correct"]) for group, members in sorted(groups.items())}


def _share(rows: Sequence[Row], holds: Callable[[Row], bool]) -> dict[str, float | int] | None:
    """Return the share of rows for which something holds, with its 95 % interval; None of no row."""
    if not rows:
        return None
    return estimate_row(proportion(sum(map(bool, map(holds, rows))), len(rows)))


if __name__ == "__main__":
    print(json.dumps(run(), indent=2))
