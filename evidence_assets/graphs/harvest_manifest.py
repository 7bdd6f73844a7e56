"""What a harvested graph consists of, and the retiring of relations whose seed file is gone."""

from __future__ import annotations

from collections.abc import Collection, Iterator

import pyarrow as pa

from evidence_assets.lake.lake import Lake, TableReader
from evidence_assets.lake.schemas import (
    CANDIDATE_PAIRS,
    HARVESTED_TRIPLES,
    HARVESTS,
    RELATION_PROMPTS,
    RELATION_SEEDS,
    TRIPLES,
)
from evidence_assets.sources.records import Triple, TripleSource

_OF_A_RELATION = (RELATION_SEEDS, RELATION_PROMPTS, CANDIDATE_PAIRS)


def retire(lake: Lake, kg: str, current: Collection[str]) -> list[str]:
    """Remove the relations that are not current from a harvested graph; return their names.

    Their triples go last: where this is cut short, what is left says what is still to be removed.
    """
    stale = sorted(
        {
            place["relation"]
            for table in (*_OF_A_RELATION, TRIPLES, HARVESTED_TRIPLES)
            for place in lake.partitions(table)
            if place.get("kg", kg) == kg and place["relation"] not in current
        }
    )
    for relation in stale:
        for table in _OF_A_RELATION:
            for place in lake.partitions(table):
                if place["relation"] == relation:
                    lake.delete(table, place)
        for table in (HARVESTED_TRIPLES, TRIPLES):
            if lake.exists(table, {"kg": kg, "relation": relation}):
                lake.delete(table, {"kg": kg, "relation": relation})
    return stale


def manifest_rows(lake: Lake, kg: str) -> pa.Table:
    """Return a graph's `harvests` rows, by relation."""
    rows = []
    for place in lake.partitions(HARVESTED_TRIPLES):
        if place["kg"] != kg:
            continue
        models = lake.read(HARVESTED_TRIPLES, place, ["model_id"]).column("model_id").to_pylist()
        seeds = {"relation": place["relation"]}
        [seed_hash] = lake.read(RELATION_SEEDS, seeds, ["seed_hash"]).column("seed_hash").to_pylist()
        rows.append(
            {
                "kg": kg,
                "relation": place["relation"],
                "triples": len(models),
                "triples_hash": lake.version(TRIPLES, place).content_hash,
                "seed_hash": seed_hash,
                "model_id": models[0] if models else "",
            }
        )
    return pa.Table.from_pylist(sorted(rows, key=lambda row: row["relation"]), schema=HARVESTS.schema)


def harvested_statements(lake: TableReader, kg: str) -> Iterator[Triple]:
    """Yield a harvested graph's triples as a source states them, relation by relation.

    Raises:
        MissingPartitionError: it was never gathered.
    """
    for relation in lake.read(HARVESTS, {"kg": kg}, ["relation"]).column("relation").to_pylist():
        for row in lake.read(TRIPLES, {"kg": kg, "relation": relation}).to_pylist():
            sources = tuple(TripleSource(**source) for source in row["sources"])
            yield Triple(row["head"], relation, row["tail"], row["weight"], sources)


def harvested_templates(lake: TableReader, kg: str) -> dict[str, str]:
    """Return how each relation of a harvested graph is read out, as its seed file says."""
    found = {}
    for relation in lake.read(HARVESTS, {"kg": kg}, ["relation"]).column("relation").to_pylist():
        [template] = (
            lake.read(RELATION_SEEDS, {"relation": relation}, ["template"]).column("template").to_pylist()
        )
        found[relation] = template
    return found
