"""What every asset shares: who owns it, how it is backfilled, which pool bounds it, how it tells progress."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import dagster as dg

from evidence_assets.orchestration.conditions import when_inputs_change

OWNERS = ["team:evidence-assets"]
# A model is loaded once a run, whatever the number of partitions.
SINGLE_RUN = dg.BackfillPolicy.single_run()
# Steps that load a model, or replace a file that others point to, run one at a time.
GPU_POOL = "gpu"

_DERIVED: Mapping[str, Any] = {"owners": OWNERS, "kinds": {"python", "parquet"}}
# A table that is made again whenever what it was made of changes.
MADE_OF_INPUTS: Mapping[str, Any] = {**_DERIVED, "automation_condition": when_inputs_change()}
# A table whose partitions are made when someone asks for them, and again when what they were made of changes.
MADE_WHEN_ASKED: Mapping[str, Any] = {
    **_DERIVED,
    "automation_condition": when_inputs_change(asked_for=True),
}


def logged(context: dg.AssetExecutionContext, partition: str, what: str) -> Callable[[int, int], None]:
    """Return a progress callback that logs each tenth of the work."""
    told = -1

    def progress(done: int, total: int) -> None:
        nonlocal told
        tenth = 10 * done // max(total, 1)
        if tenth != told:
            told = tenth
            context.log.info(f"{partition}: {done:,} of {total:,} {what}")

    return progress
