"""A corpus's terms, added up as shards come and go: the bytes are those of all of them at once."""

from __future__ import annotations

import tempfile
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

from evidence_assets.config.configuration import load_project
from evidence_assets.corpus.stages import corpus_stages
from evidence_assets.lake.lake import Lake
from evidence_assets.lake.schemas import MATERIALIZATIONS, SHARD_TERMS, TERM_STATISTICS
from evidence_assets.models.provider import Models
from evidence_assets.stages.declaration import Key
from evidence_assets.stages.execution import Run, make_partition
from evidence_assets.stages.graph import StageGraph
from evidence_assets.stages.inputs import Inputs
from evidence_assets.text.term_statistics import count_terms
from evidence_assets_tests.testing.profiles import examples

CORPUS, SHARD = "tales", "tales.file.{}-txt"
SUMS = {"corpus": CORPUS}
TALES = {"fox": "the fox runs", "owl": "the owl sleeps", "hen": "a hen runs"}


class Corpus:
    """A corpus whose shards' counted terms stand in a lake, and the making of their sums."""

    def __init__(self, folder: Path) -> None:
        self.folder, self.lake = folder, Lake(str(folder / "lake"))
        (folder / "files").mkdir(parents=True)
        source = {"name": "file", "uri": "files/*.txt", "format": "lines", "licence": "CC0-1.0"}
        configuration = {"corpora": {CORPUS: {"sources": [source]}}}
        (folder / "sources.yaml").write_text(yaml.safe_dump(configuration), encoding="utf-8")

    def hold(self, texts: Mapping[str, str]) -> None:
        """Let the corpus have these shards, each of one chunk."""
        for path in (self.folder / "files").iterdir():
            path.unlink()
        for name in texts:
            (self.folder / "files" / f"{name}.txt").touch()
        for name, text in texts.items():
            counts, key = count_terms([text], CORPUS), SHARD.format(name)
            shards = pa.array([key] * counts.num_rows, pa.string())
            self.lake.write(SHARD_TERMS, {**SUMS, "shard": key}, counts.append_column("shard", shards))

    def add_up(self, version: str = "2") -> None:
        """Make the sums."""
        project = load_project(self.folder / "sources.yaml")
        stages = [replace(stage, version=version) for stage in corpus_stages(project)]
        graph = StageGraph(stages, project.layout)
        run = Run(self.lake, graph, Models(self.folder / "cache"))
        make_partition(graph.by_name[TERM_STATISTICS.name], Key(CORPUS), run)

    def bytes(self) -> bytes:
        """Return the file of the sums."""
        return Path(self.lake.file(TERM_STATISTICS, SUMS)).read_bytes()

    def made_from(self) -> list[str]:
        """Return the shards that the sums are recorded to be made from, with their versions."""
        record = self.lake.recorded(TERM_STATISTICS, SUMS)
        assert record is not None
        return [f"{version['partition']} {version['content_hash']}" for version in record["upstream"]]


def at_once(texts: Mapping[str, str]) -> tuple[bytes, list[str]]:
    """Return the sums of shards that are added up in a lake without any, and what they are made from."""
    with tempfile.TemporaryDirectory() as folder:
        corpus = Corpus(Path(folder))
        corpus.hold(texts)
        corpus.add_up()
        return corpus.bytes(), corpus.made_from()


@pytest.fixture
def corpus(tmp_path: Path) -> Corpus:
    """A corpus of two shards whose terms are added up."""
    corpus = Corpus(tmp_path)
    corpus.hold({name: TALES[name] for name in ("fox", "owl")})
    corpus.add_up()
    return corpus


@pytest.fixture
def read(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The shards whose counted terms are read, in order."""
    shards: list[str] = []
    original = Inputs.read

    def noted(self: Inputs, table: Any, partition: Any, columns: Any = None) -> pa.Table:
        shards.append(partition["shard"][len("tales.file.") : -len("-txt")])
        return original(self, table, partition, columns)

    monkeypatch.setattr(Inputs, "read", noted)
    return shards


@pytest.mark.parametrize(
    ("names", "expected"),
    [
        (["fox", "owl", "hen"], ["hen"]),
        (["fox", "owl"], []),
        (["fox"], ["fox"]),
        (["fox", "hen"], ["fox", "hen"]),
    ],
    ids=["one more", "the same", "one gone", "one for another"],
)
def test_what_was_added_up_before_is_read_again_only_where_a_shard_has_gone(
    corpus: Corpus, read: list[str], names: list[str], expected: list[str]
) -> None:
    texts = {name: TALES[name] for name in names}
    corpus.hold(texts)
    corpus.add_up()
    assert read == sorted(expected)
    assert (corpus.bytes(), corpus.made_from()) == at_once(texts)


def test_a_changed_shard_is_not_counted_twice(corpus: Corpus, read: list[str]) -> None:
    texts = {"fox": "the fox sleeps too", "owl": TALES["owl"]}
    corpus.hold(texts)
    corpus.add_up()
    assert read == ["fox", "owl"]
    assert (corpus.bytes(), corpus.made_from()) == at_once(texts)


@pytest.mark.parametrize("spoilt", ["rows", "record", "version"])
def test_sums_that_are_damaged_unrecorded_or_of_another_version_are_made_of_all(
    corpus: Corpus, read: list[str], spoilt: str
) -> None:
    if spoilt == "rows":
        path = Path(corpus.lake.file(TERM_STATISTICS, SUMS))
        content = path.read_bytes()
        path.write_bytes(content[:20] + bytes([content[20] ^ 1]) + content[21:])
    elif spoilt == "record":
        [place] = [
            place
            for place in corpus.lake.partitions(MATERIALIZATIONS)
            if corpus.lake.read(MATERIALIZATIONS, place).column("table")[0].as_py() == TERM_STATISTICS.name
        ]
        corpus.lake.delete(MATERIALIZATIONS, place)
    corpus.hold(TALES)
    corpus.add_up("3" if spoilt == "version" else "2")
    assert read == sorted(TALES)
    assert (corpus.bytes(), corpus.made_from()) == at_once(TALES)


@examples(25)
@given(st.lists(st.dictionaries(st.sampled_from("abc"), st.sampled_from(["x y", "y", "z y x"])), max_size=5))
def test_sums_do_not_depend_on_what_the_corpus_held_before(held: list[dict[str, str]]) -> None:
    with tempfile.TemporaryDirectory() as folder:
        corpus = Corpus(Path(folder))
        for texts in held:
            if texts:
                corpus.hold(texts)
                corpus.add_up()
                assert (corpus.bytes(), corpus.made_from()) == at_once(texts)
