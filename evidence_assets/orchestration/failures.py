"""Failures as Dagster shows them: the remedy first, then what went wrong."""

from __future__ import annotations

import errno
import re
from collections.abc import Iterator
from contextlib import contextmanager

import dagster as dg

from evidence_assets.lake.full_disk import full_disk
from evidence_assets.lake.locations import default_root
from evidence_assets.lake.store_failures import store_failure
from evidence_assets.sources.withheld import error_as_written
from evidence_assets.stages.declaration import Scope
from evidence_assets.stages.graph import Needed

_NOT_ALLOWED = (errno.EROFS, errno.EACCES, errno.EPERM)
_REMEDY = re.compile(r"[;.]?\s*\bremedy:\s*", re.IGNORECASE)


def with_inputs_job(system: str) -> str:
    """Return the name of the job that makes an arm of a system, with what it needs."""
    return f"run_{system}_with_what_it_needs"


def told(error: Exception, lake: str | None = None) -> Exception:
    """Return what to say of an error: of a disk, store or file that caused it, else the error itself.

    Values that variables put into addresses are told by their names. `lake`: its URI; None: that of the lake
    that the environment names.
    """
    return _outage(error, lake) or error_as_written(error)


def _outage(error: Exception, lake: str | None) -> Exception | None:
    known = full_disk(error) or store_failure(error, lake) or _read_only(error, lake or default_root())
    return known or _damaged(error)


def _damaged(error: Exception) -> Exception | None:
    from evidence_assets.lake.parquet import DamagedFileError

    return error if isinstance(error, DamagedFileError) else None


def _read_only(error: Exception, lake: str) -> Exception | None:
    """Return what to say of a lake that takes no file; None where it does, or the error is another's."""
    from evidence_assets.lake.lake import Lake, ReadOnlyLakeError

    if not isinstance(error, OSError) or error.errno not in _NOT_ALLOWED:
        return None
    try:
        Lake(lake).check_writable()
    except ReadOnlyLakeError as read_only:
        return read_only
    return None


@contextmanager
def outages_told(lake: str) -> Iterator[None]:
    """Have a run that the lake of this URI ends show the remedy: of its disk, its store or a damaged file.

    Raises:
        Failure: one of them did.
    """
    try:
        yield
    except Exception as error:
        cause = _outage(error, lake)
        if cause is None:
            raise
        problem, remedy = _parted(cause)
        raise dg.Failure(
            f"Remedy: {remedy}\n{problem}",
            metadata={"remedy": remedy, "problem": problem},
            allow_retries=False,
        ) from cause


def failure_of(part: Needed, error: Exception, lake: str | None = None) -> dg.Failure:
    """Return what a run shows of a partition that could not be made; `lake`: as `told` takes it."""
    from evidence_assets.lake.lake import MissingPartitionError

    error = told(error, lake)
    problem, remedy = _parted(error)
    if isinstance(error, MissingPartitionError):
        remedy = _with_inputs(part)
    partition = part.key.text or "whole table"
    description = f"{part.stage.name}, {partition}: {problem}"
    return dg.Failure(
        f"Remedy: {remedy}\n{description}" if remedy else description,
        metadata={"remedy": remedy or "none is known", "problem": problem, "partition": partition},
        allow_retries=False,
    )


def _parted(error: Exception) -> tuple[str, str]:
    """Return what went wrong, and the remedy, empty where none is told."""
    problem, *remedies = _REMEDY.split(str(error).strip() or type(error).__name__, maxsplit=1)
    return problem, "".join(remedies)


def _with_inputs(part: Needed) -> str:
    stage = part.stage
    if stage.scope != Scope.BENCHMARK or stage.variants is None or not stage.system:
        return "materialise the asset that writes it, for this partition, first"
    which = f"for partition {part.key.text}" if stage.name == stage.system else "for an arm that reads this"
    return f"launch the job {with_inputs_job(stage.system)} {which}: it makes what is missing too"
