"""`evidence-assets check` and `schema`: the configuration, before anything is made from it."""

from __future__ import annotations

from collections.abc import Collection
from typing import TYPE_CHECKING

from evidence_assets.cli.common import tell_borrowed_checkout
from evidence_assets.config.configuration import load_project
from evidence_assets.config.files import file_problems
from evidence_assets.config.json_schema import json_schema
from evidence_assets.config.names import system_problems
from evidence_assets.config.notes import notes
from evidence_assets.models.profiles import current_profile
from evidence_assets.sources.specifications import ConfigurationError
from evidence_assets.systems.registry import systems_by_name
from evidence_assets.text.visible import visible

if TYPE_CHECKING:
    from evidence_assets.sources.project import Project


def check() -> None:
    """Check the configuration, and every path, name, schema and template in it, without making anything."""
    from evidence_assets.orchestration.jobs import eager_problem
    from evidence_assets.orchestration.stage_registry import stage_graph

    current_profile()
    tell_borrowed_checkout()
    project = load_project()
    check_files(project, further=eager_problem(project, stage_graph(project)))
    counts = {
        ("corpus", "corpora"): len(project.sources.corpora),
        ("graph", "graphs"): len(project.sources.graphs),
        ("benchmark", "benchmarks"): len(project.named_benchmarks),
        ("generator", "generators"): len(project.sources.generators),
    }
    listed = ", ".join(f"{count} {names[count > 1]}" for names, count in counts.items() if count)
    print(f"{project.location}: sound ({listed or 'it names nothing yet'})")
    for note in notes(project):
        print(visible(f"note: {note}"))
    if project.named_benchmarks:
        print(f"next: evidence-assets demo {project.named_benchmarks[0]}")


def check_files(
    project: Project, benchmarks: Collection[str] | None = None, harvest: bool = True, further: str = ""
) -> None:
    """Check that systems and files are there that a configuration names, as `file_problems` does.

    `further`: one more problem, to be told with these.

    Raises:
        ConfigurationError: some are not; the message tells all of them.
    """
    problems = [
        *system_problems(project.sources, systems_by_name(), benchmarks),
        *file_problems(project, benchmarks, harvest),
        *([further] if further else []),
    ]
    if problems:
        raise ConfigurationError.of(project.location, problems)


def schema() -> None:
    """Print the JSON Schema of the configuration file, for editors; docs/sources.schema.json is this."""
    print(json_schema(), end="")
