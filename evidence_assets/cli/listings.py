"""`evidence-assets arms` and `benchmarks`: what there is to run, and to run it on."""

from __future__ import annotations

from evidence_assets.config.configuration import load_project
from evidence_assets.systems.registry import systems_by_name


def arms() -> None:
    """List the arms, with what each does."""
    project = load_project()
    for system in systems_by_name().values():
        for arm in system.arms_of(project).values():
            print(f"{f'{system.name}/{arm.name}':62} {arm.description}")


def benchmarks() -> None:
    """List the question sets that can be read, and where to get them."""
    from evidence_assets.sources.questions.registry import BENCHMARKS

    for benchmark in BENCHMARKS.values():
        print(f"{benchmark.name:18} {benchmark.title}\n{'':18} {benchmark.licence}; {benchmark.where}")
