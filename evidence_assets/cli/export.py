"""`evidence-assets export`: an experiment's evidence in a folder that needs no lake and no program."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

from typer import Argument

from evidence_assets import api


def export(
    benchmark: Annotated[str, Argument()],
    arm: Annotated[str, Argument(help="system/arm")],
    folder: Annotated[Path, Argument(help="is made; must not hold anything")],
) -> None:
    """Write an RO-Crate: rows, pages, W3C provenance and OpenLineage events of an experiment."""
    from evidence_assets.audit.exports.crate import PREVIEW

    system, _, variant = arm.partition("/")
    api.open().export(benchmark, system, variant, folder)
    print(f"open {(folder / PREVIEW).resolve().as_uri()}")
