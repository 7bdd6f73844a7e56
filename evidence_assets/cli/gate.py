"""`evidence-assets gate`: scores held against declared bounds and a baseline, for a project's own checks."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from typer import Argument, Exit, Option

from evidence_assets.cli.common import lake_to_read, workspace_if_sound
from evidence_assets.text.visible import visible

if TYPE_CHECKING:
    from evidence_assets.audit.gates import Gates


def gate(
    file: Annotated[Path, Argument(help="what must be kept, as YAML; see docs/scores.md")],
    write_baseline: Annotated[
        bool, Option("--write-baseline", help="keep what the lake holds now as the baseline")
    ] = False,
) -> None:
    """Fail, with a line each, where scores are below what a file declares, or below its baseline."""
    from evidence_assets.audit import gates
    from evidence_assets.lake.migration import require_current
    from evidence_assets.lake.schemas import MATERIALIZATIONS

    declared, lake = gates.read_gates(file), lake_to_read()
    require_current(lake, [MATERIALIZATIONS.name])
    path = file.parent / declared.baseline
    if write_baseline:
        if not declared.baseline:
            raise gates.GateFileError(f"{file} names no baseline; remedy: name its file (baseline)")
        print(f"{gates.write_baseline(lake, declared, path)} values written to {path}")
        print(f"next: evidence-assets gate {file} holds what is scored from now on against them")
        return
    compares = any(declared_gate.against_baseline for declared_gate in declared.gates)
    changes = _changed_sources(declared)
    results = gates.lines(lake, declared, gates.read_baseline(path) if compares else None, changes)
    for line in results:
        print(visible(str(line)))
    _tell_of_sources(changes)
    failed = sum(not line.passed for line in results)
    print(f"{failed} of {len(results)} gates failed" if failed else f"all {len(results)} gates passed")
    benchmarks = " ".join(dict.fromkeys(declared_gate.benchmark for declared_gate in declared.gates))
    print(f"next: evidence-assets scores {benchmarks}")
    if failed:
        raise Exit(1)


def _changed_sources(declared: Gates) -> dict[str, list[str]]:
    """Return what became of what each gate's answers rest on, by the experiment's name."""
    from evidence_assets.orchestration.changed_sources import changed_sources, lake_freshness, outdated

    if (project := workspace_if_sound()) is None:
        print(
            "note: the configuration cannot be used, and whether sources changed is not known; remedy: "
            "evidence-assets check"
        )
        return {}
    freshness, changes = lake_freshness(project), {}
    for each in declared.gates:
        arms = [f"{each.system}/{each.arm}"]
        changes[each.name] = [
            *changed_sources(project, each.benchmark, arms),
            *outdated(project, freshness, each.benchmark, arms),
        ]
    return changes


def _tell_of_sources(changes: dict[str, list[str]]) -> None:
    from evidence_assets.orchestration.changed_sources import in_one_line

    if listed := list(dict.fromkeys(change for of_gate in changes.values() for change in of_gate)):
        print(in_one_line(listed))
