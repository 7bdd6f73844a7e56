"""What a stage declares that reads a graph: as `loaders` opens it, and as its relations are read out."""

from __future__ import annotations

from evidence_assets.lake.schemas import (
    GRAPH_ALIASES,
    GRAPH_NODES,
    HARVESTS,
    RELATION_SEEDS,
    TRIPLES,
    Table,
)
from evidence_assets.sources.project import Project
from evidence_assets.stages.declaration import Input


def graph_inputs(project: Project, via: Table | None = None) -> tuple[Input, ...]:
    """Return what `open_graph`, `open_linker` and `templates_of` read.

    `via`: the input that the graph is followed through; without it, its tables are followed themselves.
    """
    tables = (TRIPLES, GRAPH_NODES, GRAPH_ALIASES)
    return (
        *(Input(table, via=via) for table in tables),
        *harvested_sentence_inputs(project, via or TRIPLES),
    )


def harvested_sentence_inputs(project: Project, via: Table) -> tuple[Input, ...]:
    """Return what says how relations of a harvest are read out; none where no graph merges a harvest.

    A relation that was never harvested, or whose seed file is broken, holds up nothing.
    """
    if not any(project.layout.graphs.values()):
        return ()
    return (Input(HARVESTS, via=via), Input(RELATION_SEEDS, via=via, optional=True))
