"""The code location: every asset, check, job, schedule and resource, assembled here and nowhere else."""

from __future__ import annotations

import gc
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import dagster as dg

    from evidence_assets.systems.system import System


def build_definitions(
    configuration: Path | None = None, systems: Sequence[System] | None = None
) -> dg.Definitions:
    """Return the definitions for a configuration file (default: `EVIDENCE_SOURCES`, or the project's own).

    `systems`: default: all that the registry names.

    Raises:
        ConfigurationError: the configuration cannot be used.
        StageError: the systems' stages do not fit together.
    """
    with _uncollected():
        from evidence_assets.config.configuration import load_project
        from evidence_assets.orchestration.code_location import code_location
        from evidence_assets.systems.registry import SYSTEMS

        return code_location(load_project(configuration), SYSTEMS if systems is None else systems)


@contextmanager
def _uncollected() -> Iterator[None]:
    """Keep the garbage collector from looking again and again through objects that all stay."""
    was_on = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_on:
            gc.enable()


defs = build_definitions()
