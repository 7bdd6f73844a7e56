"""Inputs of a stage that reads a graph through `loaders`, or verbalises its relations."""

from __future__ import annotations

from evidence_assets.lake.schemas import GRAPH_ALIASES, GRAPH_NODES, HARVESTS, RELATION_SEEDS, TRIPLES, Table
from evidence_assets.sources.project import Project
from evidence_assets.stages.declaration import Input


def graph_inputs(project: Project, via: Table | None = None) -> tuple[Input, ...]:
    """Return the inputs of `open_graph`, `open_linker` and `templates_of`.

    `via`: the input through which changes of the graph are followed; without it, its tables themselves are.
    """
    tables = (TRIPLES, GRAPH_NODES, GRAPH_ALIASES)
    return (*(Input(table, via=via) for table in tables), *harvested_sentence_inputs(project, via or TRIPLES))


def harvested_sentence_inputs(project: Project, via: Table) -> tuple[Input, ...]:
    """Return the inputs of harvested relations' templates; none where no graph merges a harvest.

    A relation that was never harvested, or whose seed file is broken, blocks nothing.
    """
    if not any(project.layout.graphs.values()):
        return ()
    return (Input(HARVESTS, via=via), Input(RELATION_SEEDS, via=via, optional=True))
