"""Failures as Dagster shows them: the remedy first, then what went wrong."""

from __future__ import annotations

import re

import dagster as dg

from evidence_assets.lake.full_disk import full_disk
from evidence_assets.stages.declaration import Scope
from evidence_assets.stages.graph import Needed

_REMEDY = re.compile(r"[;.]?\s*\bremedy:\s*", re.IGNORECASE)


def with_inputs_job(system: str) -> str:
    """Return the name of the job that makes an arm of a system, with what it needs."""
    return f"run_{system}_with_what_it_needs"


def failure_of(part: Needed, error: Exception) -> dg.Failure:
    """Return what a run shows of a partition that could not be made."""
    from evidence_assets.lake.lake import MissingPartitionError

    error = full_disk(error) or error
    problem, *remedies = _REMEDY.split(str(error).strip() or type(error).__name__, maxsplit=1)
    remedy = "".join(remedies)
    if isinstance(error, MissingPartitionError):
        remedy = _with_inputs(part)
    partition = part.key.text or "whole table"
    description = f"{part.stage.name}, {partition}: {problem}"
    return dg.Failure(
        f"Remedy: {remedy}\n{description}" if remedy else description,
        metadata={"remedy": remedy or "none is known", "problem": problem, "partition": partition},
        allow_retries=False,
    )


def _with_inputs(part: Needed) -> str:
    stage = part.stage
    if stage.scope != Scope.BENCHMARK or stage.variants is None or not stage.system:
        return "materialise the asset that writes it, for this partition, first"
    which = f"for partition {part.key.text}" if stage.name == stage.system else "for an arm that reads this"
    return f"launch the job {with_inputs_job(stage.system)} {which}: it makes what is missing too"
