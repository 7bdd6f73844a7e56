"""The code location: every asset, check, job, schedule and resource, assembled here and nowhere else."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import dagster as dg

from evidence_assets.config.configuration import load_project
from evidence_assets.orchestration.code_location import code_location
from evidence_assets.systems.registry import SYSTEMS
from evidence_assets.systems.system import System


def build_definitions(
    configuration: Path | None = None, systems: Sequence[System] = SYSTEMS
) -> dg.Definitions:
    """Return the definitions for a configuration file (default: `EVIDENCE_SOURCES`, or the project's own).

    Raises:
        ConfigurationError: the configuration cannot be used.
        StageError: the systems' stages do not fit together.
    """
    return code_location(load_project(configuration), systems)


defs = build_definitions()
