"""The benchmark of retrieval's memory, on a corpus a thousandth as large."""

from __future__ import annotations

from pathlib import Path

import pyarrow.compute as pc
import pytest

from benchmarks.retrieval import retrieval_memory
from evidence_assets.lake.lake import Lake
from evidence_assets.lake.schemas import CHUNK_POOLS, PREDICTIONS, RANKING_CERTIFICATES, TERM_STATISTICS
from evidence_assets.retrieval.pools import BM25_DEPTH
from evidence_assets.retrieval.rankings import OPTION_DEPTH, QUESTION_DEPTH
from evidence_assets.retrieval.retrievals import DENSE

SIZES = {"chunks": 600, "pool": 200, "questions": 4, "questions_with_options": 2}


@pytest.mark.integration
def test_every_stage_is_the_one_that_a_run_makes(tmp_path: Path) -> None:
    """Pools are as deep as is asked, every chunk of them is ranked, and the arm of the smaller R answers."""
    retrieval_memory._write_configuration(tmp_path, SIZES)
    rows = {name: stage(tmp_path) for name, stage in retrieval_memory.STAGES.items()}
    queries_with_options = SIZES["questions_with_options"] * (1 + retrieval_memory.OPTIONS)
    assert rows["chunks"] == rows["chunk_embeddings"] == SIZES["chunks"]
    assert rows["ranked_chunks"] == SIZES["questions"] * QUESTION_DEPTH
    assert rows["ranked_with_options"] == SIZES["questions_with_options"] * (
        QUESTION_DEPTH + retrieval_memory.OPTIONS * OPTION_DEPTH
    )
    lake = Lake(str(tmp_path / "lake"))
    for benchmark, queries in (("alone", SIZES["questions"]), ("with_options", queries_with_options)):
        pools = lake.read(CHUNK_POOLS, {"benchmark": benchmark})
        dense = pools.filter(pc.equal(pools.column("retriever"), DENSE))
        assert dense.num_rows == queries * SIZES["pool"]
        assert pools.num_rows - dense.num_rows <= queries * BM25_DEPTH
    (place,) = [place for place in lake.partitions(RANKING_CERTIFICATES) if place["benchmark"] == "alone"]
    certificates = lake.read(RANKING_CERTIFICATES, place)
    assert certificates.column("pool").to_pylist() == [SIZES["pool"]] * SIZES["questions"]
    assert set(certificates.column("status").to_pylist()) == {"proved"}
    # One word of its own a chunk, beside those that are shared.
    assert lake.read(TERM_STATISTICS, {"corpus": "drawn"}).num_rows > SIZES["chunks"]
    (answered,) = lake.partitions(PREDICTIONS)
    assert answered["arm"] == retrieval_memory.ARM
    assert lake.read(PREDICTIONS, answered).num_rows == SIZES["questions_with_options"]
