"""For every stage: one run of several partitions leaves what single runs leave, bytes and lineage."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import pytest
import yaml

from evidence_assets.config.configuration import load_project
from evidence_assets.lake.lake import Lake
from evidence_assets.lake.schemas import MATERIALIZATIONS
from evidence_assets.models.generation.settings import GeneratorSettings
from evidence_assets.models.provider import Models
from evidence_assets.orchestration.stage_registry import stage_graph
from evidence_assets.sources.project import Project
from evidence_assets.stages.declaration import Key, Scope, Stage
from evidence_assets.stages.execution import Run, make_partition
from evidence_assets.stages.graph import Needed, StageGraph
from evidence_assets.systems.registry import SYSTEMS
from evidence_assets_tests.testing.recorded_samples import Engine

pytestmark = [pytest.mark.integration, pytest.mark.xdist_group("batches")]

ROOT = Path(__file__).resolve().parents[2]
STARTER = ROOT / "evidence_assets" / "starter"
# Two benchmarks over one graph and one over another: what a run keeps of a graph must be told apart.
MOST_VARIANTS = 2


def configuration(folder: Path) -> Path:
    """A project in which every stage has two partitions or more, and each takes seconds."""
    content = yaml.safe_load((ROOT / "data_lake" / "sources.yaml").read_text(encoding="utf-8"))
    text = yaml.safe_dump(content).replace("../evidence_assets/starter", str(STARTER))
    content = yaml.safe_load(text)
    seeds = folder / "seeds"
    seeds.mkdir()
    for relation in ("AtLocation", "IsA"):
        source = ROOT / "data_lake" / "seeds" / "relations" / f"{relation}.yaml"
        (seeds / source.name).write_text(source.read_text(encoding="utf-8"), encoding="utf-8")
    articles = folder / "articles"
    articles.mkdir()
    for path in sorted((STARTER / "articles").glob("*.md"))[:12]:
        (articles / path.name).write_text(path.read_text(encoding="utf-8"), encoding="utf-8")
    content["corpora"]["starter"]["sources"][0]["uri"] = str(articles)
    content["harvest"] |= {
        "seeds": str(seeds),
        "arms": ["kbloom_initial", "bertnet"],
        "least_readiness": 0.0,
        "list_size": 10,
        "triples": 10,
        "most_first": 10,
        "most_phrases": 2,
        "branch": 2,
        "training": {"steps": 2, "vocabulary": 500, "from_scratch": True},
    }
    prepared = content["prepared_readers"]
    prepared["second"] = prepared["several"] | {"description": "The same folder by another name."}
    medicine, space = content["benchmarks"]["starter_medicine"], content["benchmarks"]["starter_space"]
    halves = []
    [source] = sorted((STARTER / "medical_questions").glob("*.jsonl"))
    lines = source.read_text(encoding="utf-8").splitlines(keepends=True)
    for number in (0, 1):
        path = folder / f"questions{number}.jsonl"
        path.write_text("".join(lines[8 * number : 8 * (number + 1)]), encoding="utf-8")
        halves.append(str(path))
    (folder / "cases.csv").write_text("river,length\nElbe,1094\nRhine,1233\n", encoding="utf-8")
    claims = [
        f'{{"id": "t{n}", "question": "The Rhine is {n} km long.", "options": ["yes", "no"], '
        f'"answer_index": 1, "table": "cases.csv"}}'
        for n in (1, 2)
    ]
    (folder / "claims.jsonl").write_text("\n".join(claims) + "\n", encoding="utf-8")
    claims_benchmark = {"reader": "questions_jsonl", "uri": str(folder / "claims.jsonl"), "split": "test"}
    content["benchmarks"] = {
        "medicine_first": {**medicine, "uri": halves[0], "training": "medicine_second"},
        "medicine_second": {**medicine, "uri": halves[1], "training": "medicine_first"},
        "space": {**space, "sample": 3},
        "words": {**content["benchmarks"]["starter"], "sample": 3},
        "tables": {**claims_benchmark, "systems": ["ucret"]},
        "more_tables": {**claims_benchmark, "systems": ["ucret"]},
    }
    path = folder / "sources.yaml"
    path.write_text(yaml.safe_dump(content, sort_keys=False), encoding="utf-8")
    return path


def chosen(graph: StageGraph, stage: Stage) -> list[Key]:
    """Partitions that a batch may hold: of two benchmarks over one graph, of another, of two variants."""
    names = graph.layout.names(stage.scope)
    if stage.scope == Scope.BENCHMARK:
        names = [name for name in names if not name.endswith("tables")]
        if stage.system == "ucret" or stage.name == "tables":
            names = ["tables", "more_tables"]
        elif stage.system == "uscrake" or stage.name in ("ranked_chunks", "reranked_evidence"):
            names = ["words"]
        else:
            names = [name for name in names if name != "words"]
    variants = ("",) if stage.variants is None else _some(stage.variants)
    return [Key(name, variant) for name in names for variant in variants]


def _some(variants: Sequence[str]) -> Sequence[str]:
    compared = {arm for system in SYSTEMS for arm in system.compared_with}
    # What trains a network for every question takes minutes, what is tuned needs other questions.
    quick = [name for name in variants if not name.startswith(("paper", "attention", "conv", "tuned"))]
    return sorted(quick, key=lambda name: name not in compared)[:MOST_VARIANTS]


@dataclass(frozen=True)
class Made:
    """Two lakes of one project: the one made partition by partition, the other stage by stage."""

    project: Project
    graph: StageGraph
    single: Lake
    batch: Lake


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Made]:
    # What a language model writes is no part of this, and takes minutes.
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(GeneratorSettings, "load", lambda settings, name: Engine())
        yield _made(tmp_path_factory.mktemp("batches"))


def _made(folder: Path) -> Made:
    project = load_project(configuration(folder))
    graph = stage_graph(project)
    keys = [(stage, key) for stage in graph.stages for key in chosen(graph, stage)]
    needed = [part for part in graph.needed(keys) if part.stage.problem(part.key) is None]
    lakes = {name: Lake(str(folder / name)) for name in ("single", "batch")}
    cache = folder / "cache"
    for part in needed:
        _make(part, Run(lakes["single"], graph, Models(cache, generators=project.generators), "single"))
    runs: dict[str, Run] = {}
    for part in needed:
        models = Models(cache, generators=project.generators)
        run = runs.setdefault(part.stage.name, Run(lakes["batch"], graph, models, "batch"))
        _make(part, run)
    return Made(project, graph, lakes["single"], lakes["batch"])


def _make(part: Needed, run: Run) -> None:
    make_partition(part.stage, part.key, run, part.tables)


def _files(lake: Lake) -> dict[str, bytes]:
    root = Path(lake.path)
    return {
        str(path.relative_to(root)): path.read_bytes()
        for path in sorted(root.rglob("data.parquet"))
        if MATERIALIZATIONS.name not in path.parts
    }


def _upstream(lake: Lake) -> dict[tuple[str, str], list[tuple[str, str, str]]]:
    rows = lake.read_partitions(MATERIALIZATIONS, lake.partitions(MATERIALIZATIONS)).to_pylist()
    return {
        (row["table"], row["partition"]): [
            (source["table"], source["partition"], source["content_hash"]) for source in row["upstream"]
        ]
        for row in rows
    }


def test_a_batch_leaves_the_bytes_of_single_runs(made: Made) -> None:
    single, batch = _files(made.single), _files(made.batch)
    assert single.keys() == batch.keys()
    assert [path for path in single if single[path] != batch[path]] == []


def test_a_batch_records_the_lineage_of_single_runs(made: Made) -> None:
    single, batch = _upstream(made.single), _upstream(made.batch)
    assert single.keys() == batch.keys()
    assert {place: batch[place] for place in batch if batch[place] != single[place]} == {}


def test_every_stage_was_made_more_than_once(made: Made) -> None:
    """A stage of one partition would prove nothing."""
    partitions = {table: 0 for stage in made.graph.stages for table in stage.tables}
    for table in partitions:
        partitions[table] = len(made.single.partitions(table))
    few = sorted(table.name for table, count in partitions.items() if count < 2)
    assert few == ["published_scores", "published_setups"]


def test_what_is_recorded_of_a_second_partition_names_the_graph(made: Made) -> None:
    """What was opened for the first partition of a run is no less read by the second."""
    read = {"predictions": {"triples", "graph_nodes"}}
    read["retrieved_facts"] = {*read["predictions"], "graph_aliases"}
    second = [
        (table, {upstream for upstream, _, _ in sources})
        for (table, partition), sources in _upstream(made.batch).items()
        if table in read and "system=kaping" in partition and "medicine_second" in partition
    ]
    assert {table for table, _ in second} == set(read)
    assert [table for table, upstream in second if not read[table] <= upstream] == []
