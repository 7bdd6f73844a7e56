"""What citations are worth: rows of `ablation_scores` from those of `evidence_ablations`."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

import numpy as np
import pyarrow as pa

from evidence_assets.audit.ablation.plan import Kind
from evidence_assets.evaluation.metrics import mean, paired_difference
from evidence_assets.evidence.estimates import Estimate, proportion
from evidence_assets.lake.schemas import ABLATION_SCORES

# A value of each prediction, and the same of random evidence where there is a control.
Pairs = Mapping[str, tuple[float, float | None]]
NEEDS_NONE = "needs_no_evidence"
METRICS: Mapping[str, str] = {
    "cited_inert": "of an answer's cited sources, the share whose removal alone leaves the answer; control: "
    "of all its sources",
    "used_uncited": "of the sources that an answer does not cite, the share whose removal alone changes it; "
    "control: of all its sources",
    "comprehensiveness": "answers that change when all they cite is removed; control: as many other sources",
    "sufficiency": "answers that stand on what they cite alone; control: on as many other sources",
    NEEDS_NONE: "answers that stand without any evidence",
    "minimal_share": "of an answer's sources, the share in the least set found on which it stands",
    "minimal_cited": "of that set, the share that the answer cites; control: of all its sources",
}


def ablation_score_rows(place: Mapping[str, str], ablations: pa.Table) -> pa.Table:
    """Return `ablation_scores` rows of one experiment (its system, arm and benchmark).

    Each is a mean over predictions, of a share within each; shares of yes and no have Wilson intervals, all
    others bootstrap intervals over predictions, and differences are paired. Left out is how many answers need
    no evidence where the reader abstains whenever it is given none: that says nothing of the answers.
    """
    columns = ["prediction_id", "kind", "cited", "weight", "changed", "sources"]
    columns += ["abstained_without", "given_sources", "cited_sources", "removed_sources"]
    by_prediction: dict[str, list[dict[str, Any]]] = {}
    for row in ablations.select(columns).to_pylist():
        by_prediction.setdefault(row["prediction_id"], []).append(row)
    measured: dict[str, dict[str, tuple[float, float | None]]] = {}
    for prediction_id, rows in by_prediction.items():
        for metric, pair in _measures(rows):
            measured.setdefault(metric, {})[prediction_id] = pair
    if _always_abstains(by_prediction.values()):
        measured.pop(NEEDS_NONE, None)
    rows = [
        {**place, "metric": metric, **_estimates(measured[metric])}
        for metric in METRICS
        if metric in measured
    ]
    return pa.Table.from_pylist(rows, schema=ABLATION_SCORES.schema)


def _always_abstains(of_predictions: Iterable[Iterable[Mapping[str, Any]]]) -> bool:
    """Tell whether no prediction is answered at all where everything is removed."""
    return all(row["abstained_without"] for rows in of_predictions for row in rows if row["kind"] == Kind.ALL)


def _measures(rows: Iterable[Mapping[str, Any]]) -> Iterable[tuple[str, tuple[float, float | None]]]:
    """Yield what one prediction's rows say, metric by metric."""
    of_kind: dict[str, list[Mapping[str, Any]]] = {}
    for row in rows:
        of_kind.setdefault(row["kind"], []).append(row)
    single_removals = of_kind.get(Kind.ONE, [])
    any_source = _share(single_removals)
    if cited := [row for row in single_removals if row["cited"]]:
        yield "cited_inert", (1.0 - _share(cited), 1.0 - any_source)
    if uncited := [row for row in single_removals if not row["cited"]]:
        yield "used_uncited", (_share(uncited), any_source)
    for row in of_kind.get(Kind.CITED, []):
        yield "comprehensiveness", (float(row["changed"]), _changed(of_kind[Kind.RANDOM]))
    for row in of_kind.get(Kind.ONLY_CITED, []):
        yield "sufficiency", (float(not row["changed"]), 1.0 - _changed(of_kind[Kind.ONLY_RANDOM]))
    for row in of_kind.get(Kind.ALL, []):
        yield NEEDS_NONE, (float(not row["changed"]), None)
    for row in of_kind.get(Kind.MINIMAL, []):
        remaining = row["given_sources"] - row["removed_sources"]
        yield "minimal_share", (remaining / row["given_sources"], None)
        if remaining and row["cited_sources"]:
            [of_citations] = of_kind[Kind.CITED]
            among_cited = len(set(of_citations["sources"]) - set(row["sources"]))
            yield "minimal_cited", (among_cited / remaining, row["cited_sources"] / row["given_sources"])


def _share(rows: Iterable[Mapping[str, Any]]) -> float:
    """Return the share of sources whose removal changes the answer, by what each was drawn to stand for."""
    weighted = [(row["weight"], row["changed"]) for row in rows]
    total = sum(weight for weight, _ in weighted)
    return float(sum(weight for weight, changed in weighted if changed) / total) if total else 0.0


def _changed(rows: Iterable[Mapping[str, Any]]) -> float:
    return float(np.mean([row["changed"] for row in rows]))


def _estimates(pairs: Pairs) -> dict[str, float | int | None]:
    values = np.array([value for value, _ in pairs.values()])
    estimate = _estimate(values)
    row: dict[str, float | int | None] = {
        "value": estimate.value,
        "low": estimate.low,
        "high": estimate.high,
        "n": estimate.n,
    }
    controls = np.array([control for _, control in pairs.values() if control is not None])
    if len(controls) == len(values):
        control, difference = _estimate(controls), paired_difference(values, controls)
        row |= {"control": control.value, "control_low": control.low, "control_high": control.high}
        row |= {
            "difference": difference.value,
            "difference_low": difference.low,
            "difference_high": difference.high,
        }
    return row


def _estimate(values: np.ndarray[Any, np.dtype[np.float64]]) -> Estimate:
    if set(values.tolist()) <= {0.0, 1.0}:
        return proportion(int(values.sum()), len(values))
    return mean(values)
