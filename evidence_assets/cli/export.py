"""`evidence-assets export`: an experiment's evidence in a folder that needs no lake and no program."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

from typer import Argument

from evidence_assets import api
from evidence_assets.cli.common import require_lake, tell_stale_inputs
from evidence_assets.lake.schemas import PREDICTIONS
from evidence_assets.systems.registry import chosen_arm, systems_by_name


def export(
    benchmark: Annotated[str, Argument(help="whose answers are exported")],
    arm: Annotated[str, Argument(help="system/arm, or an arm of one system; see `evidence-assets arms`")],
    folder: Annotated[Path, Argument(help="the folder to write; it must not exist, or be empty")],
) -> None:
    """Write an RO-Crate: rows, pages, W3C provenance and OpenLineage events of an experiment."""
    from evidence_assets.audit.exports.crate import PREVIEW

    lake = api.open()
    require_lake(lake.workspace.lake)
    project, systems = lake.workspace.project, systems_by_name(lake.workspace.systems)
    answered = lake.workspace.lake.partitions(PREDICTIONS)
    project.require_benchmarks([benchmark], kept=(place["benchmark"] for place in answered))
    # Of several systems with an arm of that name, those that answered are meant.
    place = {"benchmark": benchmark, "arm": arm}
    meant = {name: system for name, system in systems.items() if {**place, "system": name} in answered}
    system, variant = chosen_arm(arm, meant or systems, project)
    lake.export(benchmark, system, variant, folder)
    tell_stale_inputs(lake.workspace, benchmark, [f"{system}/{variant}"])
    print(f"open {(folder / PREVIEW).resolve().as_uri()}")
