"""`evidence-assets arms` and `benchmarks`: what there is to run, and to run it on."""

from __future__ import annotations

from evidence_assets.cli.terminal import show_rows
from evidence_assets.config.configuration import load_project
from evidence_assets.systems.registry import systems_by_name


def arms() -> None:
    """List the arms, with what each does."""
    project = load_project()
    show_rows(
        [
            (f"{system.name}/{arm.name}", arm.description)
            for system in systems_by_name().values()
            for arm in system.arms_of(project).values()
        ]
    )


def benchmarks() -> None:
    """List the question sets that can be read, and where to get them."""
    from evidence_assets.sources.questions.registry import BENCHMARKS

    lines = []
    for benchmark in BENCHMARKS.values():
        licence = f"{benchmark.licence}{'' if benchmark.licence_source else ' (not confirmed)'}"
        lines += [(benchmark.name, benchmark.title), ("", f"{licence}; {benchmark.where}")]
    show_rows(lines)
