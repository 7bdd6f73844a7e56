"""`evidence-assets gate`: scores held against declared bounds and a baseline, for a project's own checks."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

from typer import Argument, Exit, Option

from evidence_assets.cli.common import default_lake


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

    declared, lake = gates.read_gates(file), default_lake()
    require_current(lake, [MATERIALIZATIONS.name])
    path = file.parent / declared.baseline
    if write_baseline:
        if not declared.baseline:
            raise gates.GateFileError(f"{file} names no baseline; remedy: name its file (baseline)")
        print(f"{gates.write_baseline(lake, declared, path)} values written to {path}")
        print(f"next: evidence-assets gate {file} holds what is scored from now on against them")
        return
    compares = any(declared_gate.against_baseline for declared_gate in declared.gates)
    results = gates.lines(lake, declared, gates.read_baseline(path) if compares else None)
    for line in results:
        print(line)
    failed = sum(not line.passed for line in results)
    print(f"{failed} of {len(results)} gates failed" if failed else f"all {len(results)} gates passed")
    benchmarks = " ".join(dict.fromkeys(declared_gate.benchmark for declared_gate in declared.gates))
    print(f"next: evidence-assets scores {benchmarks}")
    if failed:
        raise Exit(1)
