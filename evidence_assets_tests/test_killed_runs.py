"""A process killed while it makes the small project leaves nothing half made; the next goes on from there."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path

import dagster as dg
import pytest

from evidence_assets.lake import catalogue
from evidence_assets.lake.schemas import ARTICLES, CHUNK_EMBEDDINGS, CHUNKS
from evidence_assets_tests.testing.small_project import (
    LAND,
    SmallProject,
    built_project,
    metadata_of,
    run_job,
    write_small_project,
)

pytestmark = [pytest.mark.integration, pytest.mark.xdist_group("small_project")]

KILLED = """
import os, signal, sys
import dagster as dg
import pyarrow.parquet as pq
sys.path.insert(0, sys.argv[1])
from pathlib import Path
from evidence_assets_tests.testing.small_project import LAND, SmallProject, run_job
from evidence_assets.models import cached_encoder
from evidence_assets.models.encoder import SentenceTransformerEncoder

cached_encoder.WORD_CHECKPOINT_TEXTS = 1
encode, write = SentenceTransformerEncoder.encode_words, pq.ParquetWriter.write_table
calls = []

def dying_encode(self, texts):
    calls.append(texts)
    if len(calls) == 2:
        os.kill(os.getpid(), signal.SIGKILL)
    return encode(self, texts)

def dying_write(self, table, row_group_size=None):
    if "vector" in table.column_names and table.num_rows:
        write(self, table, row_group_size)
        os.kill(os.getpid(), signal.SIGKILL)
    return write(self, table, row_group_size)

if sys.argv[3] == "encoding":
    SentenceTransformerEncoder.encode_words = dying_encode
else:
    pq.ParquetWriter.write_table = dying_write
project = SmallProject(Path(sys.argv[2]))
run_job(project.definitions(), "ingest_corpus", LAND, dg.DagsterInstance.ephemeral())
"""


def killed(project: SmallProject, moment: str) -> None:
    """Ingest one shard in a process of its own that is killed at that moment."""
    script = project.folder / "killed.py"
    script.write_text(KILLED, encoding="utf-8")
    helper = str(Path(__file__).parents[1])
    process = subprocess.run(
        [sys.executable, str(script), helper, str(project.folder), moment],
        env={**os.environ, **project.environment()},
        cwd=Path(__file__).resolve().parents[1],
        capture_output=True,
        timeout=300,
        check=False,
    )
    assert process.returncode == -signal.SIGKILL, process.stderr[-2000:].decode()


def test_a_killed_run_shows_nothing_half_made_and_goes_on_where_it_stopped(
    tmp_path_factory: pytest.TempPathFactory, tmp_path: Path
) -> None:
    built = built_project(tmp_path_factory)
    project = write_small_project(tmp_path / "project")
    place = {"corpus": "animals", "shard": LAND}
    for moment in ("encoding", "writing"):
        killed(project, moment)
        assert project.lake.exists(CHUNKS, place)
        assert not project.lake.exists(CHUNK_EMBEDDINGS, place)
        with catalogue.connect(project.lake) as connection:
            counted = "SELECT (SELECT count(*) FROM chunks), (SELECT count(*) FROM chunk_embeddings)"
            assert connection.execute(counted).fetchall() == [(2, 0)]
        checkpoints = list(project.cache_folder.rglob("texts/*.arrow"))
        assert len(checkpoints) == (1 if moment == "encoding" else 2), "one text a checkpoint"
    leftovers = list(project.lake_folder.rglob("*.tmp"))
    assert len(leftovers) == 1, "the second kill came while a file was open"
    with dg.DagsterInstance.ephemeral() as instance:
        result = run_job(project.definitions(), "ingest_corpus", LAND, instance)
    shown = metadata_of(result, "chunk_embeddings")[LAND]
    assert (shown["encoded"], shown["reused"]) == (0, 2)
    for table in (ARTICLES, CHUNKS, CHUNK_EMBEDDINGS):
        made = Path(project.lake.file(table, place)).read_bytes()
        assert made == Path(built.project.lake.file(table, place)).read_bytes()
    assert list(project.lake_folder.rglob("*.tmp")) == []
