"""A relation and a made-up model, and what harvesting the one from the other gives."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import pyarrow as pa
import pytest

from evidence_assets.extraction.arms import ARMS, Arm
from evidence_assets.extraction.harvesting import Candidates, Scoring, find_candidates, harvest
from evidence_assets.extraction.probing import HEAD, TAIL, Probe
from evidence_assets.extraction.search import SearchSettings
from evidence_assets.extraction.seeds import RelationSeed
from evidence_assets.lake.declared_rows import check_sorted, conform
from evidence_assets.lake.schemas import HARVESTED_TRIPLES
from evidence_assets.lake.schemas.declaration import Table
from evidence_assets_tests.testing.masked_lm_samples import HashedEncoder, HashedModel

ENTITIES = ["apple", "apples", "bread", "cheese", "drum", "eagle", "material", "trees", "tree", "wheel"]
KNOWN = [*ENTITIES, "part", "of", "is", "the", "holds", "an", "element"]
SEED_FILE = RelationSeed(
    name="PartOf",
    prompt=f"{HEAD} is part of {TAIL}",
    pairs=(("apple", "tree"), ("drum wheel", "eagle")),
    template="{head} is part of {tail}",
    head_type="thing",
    tail_type="thing",
    content_hash="0" * 16,
)
PROMPTS = (SEED_FILE.prompt, f"the {TAIL} holds {HEAD}")
SETTINGS = SearchSettings(list_size=16, most_phrases=12, branch=4)
WAYS = [pytest.param(False, id="one way"), pytest.param(True, id="both ways")]


def checked(rows: pa.Table, table: Table) -> pa.Table:
    """Rows that have the declared columns and are sorted and unique by the table's key."""
    assert conform(rows, table).equals(rows)
    check_sorted(rows.combine_chunks(), table, None)
    return rows


def probe_of(seed: int = 0, prompts: Sequence[str] = PROMPTS, weights: Sequence[float] = (1, 3)) -> Probe:
    return Probe(HashedModel(KNOWN, seed), prompts, weights)


def scoring_of(probe: Probe) -> Scoring:
    return Scoring(probe.model, HashedEncoder(), SEED_FILE)


def harvested(
    probe: Probe,
    arm: Arm = ARMS["kbloom"],
    bidirectional: bool = True,
    wanted: int = 30,
    seed: RelationSeed = SEED_FILE,
) -> tuple[list[dict[str, Any]], Candidates]:
    """Triples by rank."""
    candidates = find_candidates(probe, replace(SETTINGS, bidirectional=bidirectional))
    rows = harvest(scoring_of(probe), probe, arm, seed, candidates, bidirectional, wanted)
    return sorted(checked(rows, HARVESTED_TRIPLES).to_pylist(), key=lambda row: row["rank"]), candidates
