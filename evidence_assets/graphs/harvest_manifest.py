"""The manifest of a harvested graph, and the retiring of relations whose seed file is gone."""

from __future__ import annotations

from collections.abc import Collection, Iterator

import pyarrow as pa

from evidence_assets.lake.lake import TableReader
from evidence_assets.lake.schemas import (
    CANDIDATE_PAIRS,
    HARVESTED_TRIPLES,
    HARVESTS,
    PROMPT_CAPTURES,
    RELATION_PROMPTS,
    RELATION_SEEDS,
)
from evidence_assets.sources.graphs.lake_triples import mined_sources
from evidence_assets.sources.records import Triple
from evidence_assets.stages.declaration import Removed

_OF_A_RELATION = (RELATION_SEEDS, RELATION_PROMPTS, CANDIDATE_PAIRS, PROMPT_CAPTURES)


def retired_partitions(lake: TableReader, kg: str, current: Collection[str]) -> list[Removed]:
    """Return the partitions of a harvested graph to remove: those of relations that are not current.

    Their triples go last: after an interruption, they show what is still to be removed.
    """
    return [
        Removed(table, place)
        for table in (*_OF_A_RELATION, HARVESTED_TRIPLES)
        for place in lake.partitions(table)
        if place.get("kg", kg) == kg and place["relation"] not in current
    ]


def manifest_rows(lake: TableReader, kg: str, search: str, current: Collection[str]) -> pa.Table:
    """Return a graph's `harvests` rows, by relation, of the relations that are current.

    `search`: the one that its pairs come from.
    """
    rows = []
    for place in lake.partitions(HARVESTED_TRIPLES):
        relation = place["relation"]
        if place["kg"] != kg or relation not in current:
            continue
        models = lake.read(HARVESTED_TRIPLES, place, ["model_id"]).column("model_id").to_pylist()
        [seed] = lake.read(RELATION_SEEDS, {"relation": relation}, ["seed_hash"]).to_pylist()
        captured = lake.version(PROMPT_CAPTURES, {"search": search, "relation": relation})
        rows.append(
            {
                "kg": kg,
                "relation": relation,
                "triples": len(models),
                "triples_hash": lake.version(HARVESTED_TRIPLES, place).content_hash,
                "captures_hash": captured.content_hash,
                "seed_hash": seed["seed_hash"],
                "model_id": models[0] if models else "",
            }
        )
    return pa.Table.from_pylist(sorted(rows, key=lambda row: row["relation"]), schema=HARVESTS.schema)


def harvested_statements(lake: TableReader, kg: str) -> Iterator[Triple]:
    """Yield a harvested graph's triples as source records, relation by relation.

    The weight is the confidence, so that a merged graph trusts them less than curated statements.

    Raises:
        MissingPartitionError: the harvest was never gathered.
    """
    columns = ["kg", "head", "tail", "confidence", "prompts", "model_id"]
    for relation in _relations(lake, kg):
        for row in lake.read(HARVESTED_TRIPLES, {"kg": kg, "relation": relation}, columns).to_pylist():
            yield Triple(row["head"], relation, row["tail"], row["confidence"], mined_sources(row))


def harvested_templates(lake: TableReader, kg: str) -> dict[str, str]:
    """Return the template of each relation of a harvested graph, from its seed file."""
    templates = {}
    for relation in _relations(lake, kg):
        [seed] = lake.read(RELATION_SEEDS, {"relation": relation}, ["template"]).to_pylist()
        templates[relation] = seed["template"]
    return templates


def _relations(lake: TableReader, kg: str) -> list[str]:
    names: list[str] = lake.read(HARVESTS, {"kg": kg}, ["relation"]).column("relation").to_pylist()
    return names
