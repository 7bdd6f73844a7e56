"""What checks said before: Dagster tells of the last evaluation alone, whichever partition it was of."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import dagster as dg
from dagster._core.storage.asset_check_execution_record import AssetCheckExecutionRecordStatus

from evidence_assets.orchestration.checks import REFUSED

_FAILED = frozenset({AssetCheckExecutionRecordStatus.FAILED})
# How far back evaluations are looked at, each of the partitions of one run.
_EVALUATIONS = 1_000


def passed_last(instance: dg.DagsterInstance, check: dg.AssetCheckKey) -> bool:
    """Tell whether a check passed when it was last evaluated, or never was."""
    record = instance.get_latest_asset_check_evaluation_record(check)
    evaluation = None if record is None else record.evaluation
    return evaluation is None or evaluation.passed


def refused_partitions(instance: dg.DagsterInstance, check: dg.AssetCheckKey) -> frozenset[str] | None:
    """Return the keys of the partitions whose rows a check refused when it last looked at each.

    None, all of them: where the last evaluation failed and does not tell which.
    """
    # Most checks never failed, and a thousand evaluations take a third of a second to read.
    if not instance.event_log_storage.get_asset_check_execution_history(check, limit=1, status=_FAILED):
        return frozenset()
    refused: dict[str, bool] = {}
    for evaluation in _evaluations(instance, check):
        if REFUSED not in evaluation.metadata:
            # Of another kind, or an earlier version's.
            if not refused and not evaluation.passed:
                return None
            break
        looked_at: Any = evaluation.metadata[REFUSED].value
        refused = looked_at | refused
    return frozenset(key for key, is_refused in refused.items() if is_refused)


def _evaluations(instance: dg.DagsterInstance, check: dg.AssetCheckKey) -> Iterator[dg.AssetCheckEvaluation]:
    """Yield a check's evaluations, the last one first."""
    records = instance.event_log_storage.get_asset_check_execution_history(check, limit=_EVALUATIONS)
    for record in records:
        if record.evaluation is not None:
            yield record.evaluation
