"""What automation asks for, and what it leaves alone, on a small project that was materialised whole."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import dagster as dg
import pytest

from evidence_assets.audit import integrity
from evidence_assets.audit.integrity import Finding
from evidence_assets.lake.lake import Lake, Partition, partition_name
from evidence_assets.lake.schemas import QUESTION_CONCEPTS
from evidence_assets.systems.uscrake.arms import ARMS, RERANKED_RETRIEVALS
from evidence_assets_tests.testing.small_project import (
    ANIMAL_QUIZ,
    LAND,
    MINERAL_QUIZ,
    NATURE,
    RETRIEVALS_MADE,
    ROCKS,
    SEA,
    STONES,
    SmallProject,
    arms_made,
    built_project,
    checks_of,
    observe,
    run_assets,
    run_job,
    run_range,
    small_configuration,
    write_configuration,
)

pytestmark = [pytest.mark.integration, pytest.mark.xdist_group("small_project")]

Requested = dict[str, set[str]]


@dataclass
class Follower:
    """Evaluates the conditions tick after tick, as the sensor does."""

    project: SmallProject
    definitions: dg.Definitions
    instance: dg.DagsterInstance
    cursor: object = None
    touched: dict[tuple[str, str], None] = field(default_factory=dict)

    def tick(self) -> Requested:
        """The partitions that one evaluation asks for, by asset; nothing is run."""
        result = dg.evaluate_automation_conditions(
            defs=self.definitions,
            instance=self.instance,
            cursor=self.cursor,  # type: ignore[arg-type]
        )
        self.cursor = result.cursor
        return {
            one.key.to_user_string(): set(one.true_subset.expensively_compute_partition_keys())
            for one in result.results
            if one.true_subset.size
        }

    def run(self, *shards: str, assets: Sequence[str] = ("articles", "chunks", "chunk_embeddings")) -> None:
        """Materialise some assets of each shard, a run each."""
        self.touched |= {("ingest_corpus", shard): None for shard in shards}
        for shard in shards:
            assert run_assets(self.definitions, assets, self.instance, partition=shard).success

    def run_batched(self, first: str, last: str) -> None:
        """Materialise neighbouring shards in a single run."""
        self.touched |= {("ingest_corpus", shard): None for shard in (first, last)}
        assert run_range(self.definitions, "ingest_corpus", first, last, self.instance).success

    def run_job(self, job: str, partition: str) -> None:
        """Materialise one partition of a whole job."""
        self.touched[job, partition] = None
        assert run_job(self.definitions, job, partition, self.instance).success

    def state(self, file: str, *triple: str) -> None:
        """Add a triple to a graph's file: relation, head, tail."""
        path = self.project.triples(file)
        path.write_text(path.read_text(encoding="utf-8") + "\t".join(triple) + "\n", encoding="utf-8")

    def edit(self, source: str, name: str, sentence: str) -> None:
        path = self.project.article(source, name)
        path.write_text(path.read_text(encoding="utf-8") + f"\n{sentence}\n", encoding="utf-8")


@pytest.fixture
def follower(tmp_path_factory: pytest.TempPathFactory, tmp_path: Path) -> Iterator[Follower]:
    """A follower of a copy of the built project that has seen that all is as it should be."""
    built = built_project(tmp_path_factory)
    project = built.project.copy(tmp_path / "project")
    definitions = project.definitions()
    observe(definitions, built.instance)
    follower = Follower(project, definitions, built.instance)
    follower.tick()
    yield follower
    # The instance is shared: leave it as if this test had never been. The built project itself is never
    # run again: a test may have asked for a partition that it does not hold.
    restored = built.project.copy(tmp_path / "restored").definitions()
    observe(restored, built.instance)
    for job, key in follower.touched:
        assert run_job(restored, job, key, built.instance).success


def test_nothing_is_asked_for_where_nothing_changed(follower: Follower) -> None:
    assert follower.tick() == {}
    assert follower.tick() == {}


def test_a_rerun_that_changes_no_byte_asks_for_nothing(follower: Follower) -> None:
    follower.run(ROCKS)
    assert follower.tick() == {}


def test_observing_unchanged_files_asks_for_nothing(follower: Follower) -> None:
    observe(follower.definitions, follower.instance)
    assert follower.tick() == {}


def test_a_changed_source_file_asks_for_the_articles_of_its_shard(follower: Follower) -> None:
    follower.edit("sea", "urchin.md", "Sea urchins move on tube feet.")
    assert follower.tick() == {}, "nobody has looked at the file yet"
    observe(follower.definitions, follower.instance)
    requested = follower.tick()
    assert requested.pop("articles") == {SEA}
    # What else is asked for at once, in the same run, is of that shard too.
    assert set(requested) <= {"chunks", "chunk_embeddings"}
    assert all(keys == {SEA} for keys in requested.values())
    assert follower.tick() == {}, "what was asked for is not asked for again"


def test_a_changed_question_file_asks_for_its_benchmark_alone(follower: Follower) -> None:
    path = follower.project.questions(ANIMAL_QUIZ)
    path.write_text(path.read_text(encoding="utf-8").replace("raise its cubs", "bring up its cubs"))
    observe(follower.definitions, follower.instance)
    assert follower.tick()["questions"] == {ANIMAL_QUIZ}


def test_a_corrected_answer_key_asks_for_the_predictions_that_were_marked_by_it(follower: Follower) -> None:
    """Pools and rankings do not change with the key: who reads the questions must follow them itself."""
    path = follower.project.questions(ANIMAL_QUIZ)
    first, *rest = path.read_text(encoding="utf-8").splitlines()
    corrected = json.dumps({**json.loads(first), "answer_index": 1})
    path.write_text("\n".join([corrected, *rest]), encoding="utf-8")
    follower.run_job("prepare_benchmark", ANIMAL_QUIZ)
    requested = follower.tick()
    # Of every arm that was made; the others wait until someone asks for them.
    made = arms_made(ANIMAL_QUIZ)
    assert len(made) < len(ARMS)
    assert requested.get("uscrake/predictions") == {f"{arm}|{ANIMAL_QUIZ}" for arm in made}


def test_a_benchmark_without_a_graph_follows_its_questions(follower: Follower) -> None:
    """No graph stands above its empty tables of triples: that must not keep the rest from being made."""
    path = follower.project.questions(MINERAL_QUIZ)
    text = path.read_text(encoding="utf-8").replace("What melts ice on roads?", "What melts ice on a road?")
    path.write_text(text, encoding="utf-8")
    follower.run_job("prepare_benchmark", MINERAL_QUIZ)
    requested = follower.tick()
    assert requested["question_concepts"] == requested["ranked_triples"] == {MINERAL_QUIZ}
    assert requested["ranked_chunks"] >= {f"{retrieval}|{MINERAL_QUIZ}" for retrieval in RETRIEVALS_MADE}
    named = {key.partition("|")[2] or key for keys in requested.values() for key in keys}
    assert named == {MINERAL_QUIZ}


def test_corrected_keys_ask_for_the_arms_of_a_benchmark_without_a_graph(follower: Follower) -> None:
    path = follower.project.questions(MINERAL_QUIZ)
    first, *rest = path.read_text(encoding="utf-8").splitlines()
    corrected = json.dumps({**json.loads(first), "answer_index": 0})
    path.write_text("\n".join([corrected, *rest]), encoding="utf-8")
    follower.run_job("prepare_benchmark", MINERAL_QUIZ)
    requested = follower.tick()
    assert requested["uscrake/predictions"] >= {f"{arm}|{MINERAL_QUIZ}" for arm in arms_made(MINERAL_QUIZ)}


def test_a_changed_graph_file_asks_for_the_triples_of_that_graph_alone(follower: Follower) -> None:
    follower.state("more", "IsA", "sea otter", "mammal")
    assert follower.tick() == {}, "nobody has looked at the file yet"
    observe(follower.definitions, follower.instance)
    requested = follower.tick()
    read = [requested.pop(name) for name in ("triples", "graph_concepts", "graph_conflicts")]
    assert read == [{NATURE}] * 3
    # What else is asked for at once, in the same run, is of that graph too.
    assert set(requested) <= {"graph_nodes", "graph_aliases"}
    assert all(keys == {NATURE} for keys in requested.values())
    assert follower.tick() == {}, "what was asked for is not asked for again"


def test_changed_triples_ask_for_what_hangs_below_them_and_nothing_of_another_graph(
    follower: Follower,
) -> None:
    follower.state("more", "IsA", "sea otter", "mammal")
    follower.run_job("build_graph", NATURE)
    requested = follower.tick()
    assert requested.pop("ranked_triples") == requested.pop("question_concepts") == {ANIMAL_QUIZ}
    assert requested == {}, "what rests on the ranked triples waits until they are made"
    follower.run_job("rank_triples", ANIMAL_QUIZ)
    requested = follower.tick()
    assert requested.pop("reranked_evidence") == {
        f"{retrieval}|{ANIMAL_QUIZ}" for retrieval in RERANKED_RETRIEVALS if retrieval in RETRIEVALS_MADE
    }
    named = {key.partition("|")[2] or key for keys in requested.values() for key in keys}
    assert named <= {ANIMAL_QUIZ}
    follower.run_job("build_graph", NATURE)
    assert follower.tick() == {}, "the same triples again change nothing"


def test_a_graph_that_no_benchmark_asks_is_read_and_asks_for_nothing(follower: Follower) -> None:
    follower.state("stones", "IsA", "quartz", "mineral")
    observe(follower.definitions, follower.instance)
    assert follower.tick()["triples"] == {STONES}
    follower.run_job("build_graph", STONES)
    assert follower.tick() == {}


def test_a_reworded_triple_of_no_benchmarks_concept_changes_no_answer(follower: Follower) -> None:
    """The graph is another, what was found in it is the same: what reads that is not made again.

    What walks the graph may go elsewhere in it now, and follows.
    """
    follower.state("more", "IsA", "tundra", "biome")
    follower.run_job("build_graph", NATURE)
    assert follower.tick()["ranked_triples"] == {ANIMAL_QUIZ}
    follower.run_job("rank_triples", ANIMAL_QUIZ)
    assert follower.tick() == {}, "what walks the graph was never asked for"


def test_a_graph_that_changed_anywhere_is_walked_anew(follower: Follower) -> None:
    """The last concepts of all: the numbers of the others, and what links to them, are as they were."""
    place = {"benchmark": ANIMAL_QUIZ}
    follower.run_job("find_subgraphs", f"hops3|{ANIMAL_QUIZ}")
    follower.tick()
    before = follower.project.lake.version(QUESTION_CONCEPTS, place)
    follower.state("more", "IsA", "yak", "zebu")
    follower.run_job("build_graph", NATURE)
    follower.tick()
    follower.run_job("rank_triples", ANIMAL_QUIZ)
    assert follower.project.lake.version(QUESTION_CONCEPTS, place).content_hash == before.content_hash
    assert follower.tick()["question_subgraphs"] == {f"hops3|{ANIMAL_QUIZ}"}, "only what was made once"
    follower.run_job("build_graph", NATURE)
    follower.run_job("rank_triples", ANIMAL_QUIZ)
    assert follower.tick() == {}, "the same triples again change nothing"


def test_changed_articles_ask_for_what_rests_on_that_shard_only(follower: Follower) -> None:
    follower.edit("land", "vole.md", "Voles dig tunnels under the snow.")
    follower.run(LAND, assets=["articles"])
    requested = follower.tick()
    assert requested.pop("chunks") == {LAND}
    assert requested.pop("gold_chunks", {ANIMAL_QUIZ}) == {ANIMAL_QUIZ}
    assert requested.pop("chunk_embeddings", {LAND}) == {LAND}
    assert requested == {}


def test_changed_chunks_ask_for_their_corpus_only(follower: Follower) -> None:
    follower.edit("land", "vole.md", "Voles dig tunnels under the snow.")
    follower.run(LAND)
    requested = follower.tick()
    assert requested["term_statistics"] == {"animals"}
    assert requested["chunk_indexes"] == {"animals"}
    assert requested["gold_chunks"] == {ANIMAL_QUIZ}
    named = {key for keys in requested.values() for key in keys}
    assert not any("mineral" in key or key == ROCKS for key in named)


def test_a_batched_run_lets_what_rests_on_it_follow(follower: Follower) -> None:
    """A single-run backfill, which automation itself launches for several partitions, must not end there."""
    follower.edit("land", "vole.md", "Voles dig tunnels under the snow.")
    follower.edit("sea", "urchin.md", "Sea urchins move on tube feet.")
    follower.run_batched(LAND, SEA)
    requested = follower.tick()
    assert requested.get("term_statistics") == {"animals"}
    assert requested.get("chunk_indexes") == {"animals"}


def test_a_rerun_alone_after_a_batched_run_asks_for_nothing(follower: Follower) -> None:
    follower.run_batched(LAND, SEA)
    follower.cursor = None
    follower.tick()
    follower.run(SEA)
    assert follower.tick() == {}


def test_failed_checks_keep_bad_rows_from_spreading(
    follower: Follower, monkeypatch: pytest.MonkeyPatch
) -> None:
    def wrong(lake: Lake, partition: Partition) -> Iterator[Finding]:
        yield Finding(partition_name(partition), "wrong on purpose")

    follower.edit("rocks", "salt.md", "Salt keeps food.")
    follower.touched["ingest_corpus", ROCKS] = None
    with monkeypatch.context() as patched:
        patched.setitem(integrity.OF_ONE_TABLE, "offsets_are_exact", wrong)
        result = run_assets(follower.definitions, ["articles", "chunks"], follower.instance, ROCKS)
    assert ("chunks", "offsets_are_exact", False) in checks_of(result)
    assert follower.tick() == {}
    follower.run(ROCKS, assets=["chunks"])
    requested = follower.tick()
    assert requested.pop("chunk_embeddings") == {ROCKS}
    assert requested.pop("term_statistics") == {"minerals"}


def test_a_partition_that_the_configuration_gained_is_filled(follower: Follower, tmp_path: Path) -> None:
    pond = tmp_path / "project" / "articles" / "pond"
    pond.mkdir()
    (pond / "newt.md").write_text("# Newt\n\nA newt breathes through its skin.\n", encoding="utf-8")
    configuration = small_configuration()
    source = {"name": "pond", "uri": "articles/pond", "format": "text_folder", "licence": "CC0-1.0"}
    configuration["corpora"]["animals"]["sources"].append(source)
    grown = SmallProject(follower.project.folder)
    write_configuration(grown.folder / "grown.yaml", configuration)
    follower.definitions = grown.definitions("grown.yaml")
    observe(follower.definitions, follower.instance)
    assert follower.tick()["articles"] == {"animals.pond"}


def test_a_fresh_lake_is_filled_when_the_sources_are_first_observed(
    tmp_path: Path, follower: Follower
) -> None:
    with dg.DagsterInstance.ephemeral() as instance:
        fresh = Follower(follower.project, follower.definitions, instance)
        assert fresh.tick() == {}
        observe(fresh.definitions, instance)
        requested = fresh.tick()
    assert requested["articles"] == {LAND, SEA, ROCKS}
    assert requested["questions"] == {"animal_quiz", "mineral_quiz"}
    assert requested["triples"] == {NATURE, STONES}


def test_a_new_code_version_makes_every_partition_anew(follower: Follower) -> None:
    def newer(spec: dg.AssetSpec) -> dg.AssetSpec:
        return spec.replace_attributes(code_version="newer") if spec.key == dg.AssetKey("questions") else spec

    assets = list(follower.definitions.assets or ())
    derived = [asset for asset in assets if isinstance(asset, dg.AssetsDefinition)]
    observed = [asset for asset in assets if not isinstance(asset, dg.AssetsDefinition)]
    follower.definitions = dg.Definitions(
        assets=[*observed, *dg.map_asset_specs(newer, derived)],
        asset_checks=follower.definitions.asset_checks,
        resources=follower.definitions.resources,
    )
    assert follower.tick()["questions"] == {"animal_quiz", "mineral_quiz"}
