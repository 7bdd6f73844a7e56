"""`evidence-assets draft-schema`: a first schema of a graph, to be reworded."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

from typer import Argument

from evidence_assets.cli.common import lake_to_read
from evidence_assets.config.configuration import load_project
from evidence_assets.lake.schemas import GRAPH_NODES
from evidence_assets.text.suggestions import UnknownNameError

if TYPE_CHECKING:
    from evidence_assets.sources.project import Project


def draft_schema(
    graph: Annotated[str, Argument(help="a graph that sources.yaml names, which was made already")],
) -> None:
    """Print a first schema of a graph, to be reworded by whoever knows it.

    It has the graph's types, inferred from its relations where no node has a
    kind, and its relations, each with a sentence made of its name. Add the
    words that people ask in: `draft-schema parts > parts.yaml`, edit it, and
    name it in sources.yaml, graphs: parts: templates: parts.yaml.
    """
    from evidence_assets.kgqa.loaders import schema_to_reword

    project = load_project()
    if graph not in project.sources.graphs:
        known = list(project.sources.graphs)
        listed = f"{project.location} names {', '.join(known) or 'none'}"
        raise UnknownNameError("graph", [graph], known, listed)
    lake = lake_to_read()
    if not lake.exists(GRAPH_NODES, {"kg": graph}):
        raise LookupError(f"graph {graph} is not made yet; remedy: evidence-assets prepare --graph {graph}")
    text = schema_to_reword(lake, graph, project.graph(graph))
    print(f"# A first schema of {graph}, made of its names. Add nouns that people use for each type, and")
    print("# sentences that say in other words what each relation means, with {head} and {tail} once each;")
    print(f"# the first reads a triple out. Then, in sources.yaml: graphs: {graph}: templates: this file.")
    print(text, end="")


def hint_of_schema(project: Project, graph: str) -> str:
    """Return what helps a graph's questions to be understood; "" where somebody wrote its schema."""
    from evidence_assets.text.verbalisation import schema_text

    if schema_text(project.graph(graph).templates) is not None:
        return ""
    return (
        f"evidence-assets draft-schema {graph} prints a first schema to reword: relations are read by their "
        "names alone, and sentences tell more"
    )
