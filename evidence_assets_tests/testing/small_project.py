"""A whole project so small that every job runs in seconds: two corpora, two graphs, two question sets."""

from __future__ import annotations

import hashlib
import json
import shutil
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import dagster as dg
import pytest
import yaml

from evidence_assets.config.configuration import load_project
from evidence_assets.lake.lake import Lake
from evidence_assets.orchestration.code_location import code_location
from evidence_assets.orchestration.jobs import jobs_of
from evidence_assets.orchestration.plan import planned_runs, wanted_of_benchmarks
from evidence_assets.orchestration.resources import LakeResource
from evidence_assets.orchestration.stage_registry import stage_graph
from evidence_assets.retrieval.retrievals import RETRIEVALS
from evidence_assets.retrieval.transport.methods import METHODS
from evidence_assets.sources.project import Project
from evidence_assets.systems.registry import SYSTEMS, systems_by_name
from evidence_assets.systems.system import System
from evidence_assets.systems.uscrake.arms import ARMS, FIRST_ARMS, RERANKED_RETRIEVALS, ChunkArm

LAND, SEA, ROCKS = "animals.land", "animals.sea", "minerals.rocks"
SHARDS = (LAND, SEA, ROCKS)
CORPORA = ("animals", "minerals")
ANIMAL_QUIZ, MINERAL_QUIZ = "animal_quiz", "mineral_quiz"
BENCHMARKS = (ANIMAL_QUIZ, MINERAL_QUIZ)
# The first helps with animals; no benchmark asks the second.
NATURE, STONES = "nature", "stones"
GRAPHS = (NATURE, STONES)
# Jobs, each with its partition; None for a whole table.
Plan = list[tuple[str, str | None]]
# Quoted where a test edits or looks for it.
FOX_DEN = "A red fox raises its cubs in an underground den."

ARTICLES: Mapping[str, Mapping[str, tuple[str, str]]] = {
    "land": {
        "fox.md": ("Red fox", f"The red fox lives on every northern continent. {FOX_DEN} Foxes eat voles."),
        "vole.md": ("Vole", "Voles are small rodents. A vole eats grass and roots all winter."),
    },
    "sea": {
        "otter.md": ("Sea otter", "Sea otters eat sea urchins. The fur of a sea otter is very dense."),
        "urchin.md": ("Sea urchin", "Sea urchins graze on kelp. A sea urchin is covered in spines."),
    },
    "rocks": {
        "quartz.md": ("Quartz", "Quartz is made of silicon and oxygen. Quartz scratches window glass."),
        "salt.md": ("Rock salt", "Rock salt is made of sodium and chlorine. Salt melts ice on roads."),
    },
}

QUESTIONS: Mapping[str, list[dict[str, Any]]] = {
    ANIMAL_QUIZ: [
        {
            "id": "a1",
            "question": "What does the prey of the sea otter graze on?",
            "options": ["Kelp", "Grass"],
            "answer_index": 0,
            "gold_evidence": [
                {"title": "Sea otter", "text": "Sea otters eat sea urchins."},
                {"title": "Sea urchin", "text": "Sea urchins graze on kelp."},
            ],
        },
        {
            "id": "a2",
            "question": "Where does a red fox raise its cubs?",
            "options": ["In a tree", "In a den"],
            "answer_index": 1,
            "gold_evidence": [{"title": "Red fox", "text": FOX_DEN}],
        },
        {
            "id": "a3",
            "question": "What does the prey of the red fox eat in winter?",
            "options": ["Grass", "Urchins"],
            "answer_index": 0,
            "gold_evidence": [{"title": "Nowhere", "text": "No article says this."}],
        },
    ],
    MINERAL_QUIZ: [
        {
            "id": "m1",
            "question": "What is quartz made of?",
            "options": ["Sodium and chlorine", "Silicon and oxygen"],
            "answer_index": 1,
            "gold_evidence": [{"title": "Quartz", "text": "Quartz is made of silicon and oxygen."}],
        },
        {
            "id": "m2",
            "question": "What melts ice on roads?",
            "options": ["Salt", "Quartz"],
            "answer_index": 0,
        },
    ],
}


# A file: its triples by relation, head and tail. Two files state one graph, and one triple twice.
TRIPLES: Mapping[str, tuple[tuple[str, str, str], ...]] = {
    "facts": (
        ("CapableOf", "sea otter", "eat sea urchins"),
        ("CapableOf", "sea urchin", "graze on kelp"),
        ("AtLocation", "red fox", "den"),
        ("CapableOf", "red fox", "eat voles"),
        ("CapableOf", "vole", "eat grass"),
        ("IsA", "kelp", "seaweed"),
        ("IsA", "vole", "rodent"),
        ("IsA", "urchin", "animal"),
        ("Devours", "red fox", "vole"),  # a relation that no template reads out
    ),
    "more": (
        ("IsA", "kelp", "seaweed"),
        ("PartOf", "den", "burrow"),
        ("HasProperty", "winter", "cold"),
        ("IsA", "", "rodent"),  # no triple
    ),
    "stones": (("MadeOf", "quartz", "silicon and oxygen"), ("HasProperty", "salt", "white")),
}


# Two arms of the factorial comparison that differ in one thing: the first is held against the second.
CONTROLLED = ("full_keep10@extractive", "ten_coverage_triples@extractive")


def _arms_made() -> tuple[str, ...]:
    """The first arms, one of each other way to rank, to select and to read, and a pair of controlled arms."""
    seen: set[tuple[object, ...]] = set()
    made: set[str] = set(CONTROLLED)
    free = [arm for arm in ARMS.values() if not arm.levels]
    for arm in [*(ARMS[name] for name in (*FIRST_ARMS, *CONTROLLED)), *free]:
        ways = _ways(arm)
        if arm.name in FIRST_ARMS or not ways <= seen:
            made.add(arm.name)
            seen |= ways
    return tuple(name for name in ARMS if name in made)


def _ways(arm: ChunkArm) -> set[tuple[object, ...]]:
    chosen = arm.selection
    if not arm.retrieval:
        return {("read", arm.generator)}
    ranked = RETRIEVALS[arm.retrieval]
    solves = bool(ranked.method) and METHODS[ranked.method].solves
    filters = (chosen.keep is None, chosen.minimum_separation is None, chosen.question_only)
    return {
        ("ranked", ranked.pool, ranked.ranked_by, solves, ranked.pool_limit is None),
        ("selected", bool(chosen.chunks), bool(chosen.triples), chosen.order, *filters),
        ("read", arm.weights and arm.weights == ARMS[FIRST_ARMS[0]].weights),
    }


# Every other arm is one of these with another number: making all would cost minutes and show nothing new.
ARMS_MADE = _arms_made()
RETRIEVALS_MADE = tuple(name for name in RETRIEVALS if name in {ARMS[arm].retrieval for arm in ARMS_MADE})


def arms_made(benchmark: str) -> tuple[str, ...]:
    """The arms that are run on a benchmark: without a graph, those that read no triples."""
    return tuple(arm for arm in ARMS_MADE if benchmark == ANIMAL_QUIZ or not ARMS[arm].selection.triples)


def retrievals_reranked(benchmark: str) -> tuple[str, ...]:
    """The rankings whose chunks are scored together with the triples."""
    read = {ARMS[arm].retrieval for arm in arms_made(benchmark) if ARMS[arm].selection.needs_scores}
    return tuple(retrieval for retrieval in RERANKED_RETRIEVALS if retrieval in read)


class ProjectFolder:
    """A project whose configuration and lake lie in one folder."""

    folder: Path
    cache_folder: Path

    @property
    def configuration(self) -> Path:
        return self.folder / "sources.yaml"

    @property
    def lake_folder(self) -> Path:
        return self.folder / "lake"

    @property
    def lake(self) -> Lake:
        return Lake(str(self.lake_folder))

    @property
    def resource(self) -> LakeResource:
        return LakeResource(root=str(self.lake_folder), cache=str(self.cache_folder))


@dataclass(frozen=True)
class SmallProject(ProjectFolder):
    """Where one copy of the project lives."""

    folder: Path

    @property
    def cache_folder(self) -> Path:  # type: ignore[override]
        return self.folder / "cache"

    @property
    def again(self) -> dict[str, Any]:
        """The run configuration of who asks for what is up to date too; a job leaves it."""
        return self.resource.config(again=True)

    @property
    def project(self) -> Project:
        return load_project(self.configuration)

    def article(self, source: str, name: str) -> Path:
        return self.folder / "articles" / source / name

    def questions(self, benchmark: str) -> Path:
        return self.folder / f"{benchmark}.jsonl"

    def triples(self, file: str) -> Path:
        return self.folder / f"{file}.tsv"

    def definitions(
        self, configuration: str = "sources.yaml", systems: Sequence[System] = SYSTEMS
    ) -> dg.Definitions:
        """The project's definitions, with the lake and its cache in this folder."""
        return code_location(load_project(self.folder / configuration), systems, self.resource)

    def environment(self) -> dict[str, str]:
        """What a process needs to work on this project."""
        return {
            "EVIDENCE_SOURCES": str(self.configuration),
            "EVIDENCE_LAKE": str(self.lake_folder),
            "EVIDENCE_CACHE": str(self.cache_folder),
        }

    def files(self) -> dict[str, str]:
        """The SHA-256 of every file of the lake, none left out, by its path in the lake."""
        return {
            str(path.relative_to(self.lake_folder)): hashlib.sha256(path.read_bytes()).hexdigest()
            for path in sorted(self.lake_folder.rglob("*"))
            if path.is_file()
        }

    def modified(self) -> dict[str, int]:
        """When every file of the lake was last written, in nanoseconds."""
        return {
            str(path.relative_to(self.lake_folder)): path.stat().st_mtime_ns
            for path in self.lake_folder.rglob("*")
            if path.is_file()
        }

    def copy(self, folder: Path) -> SmallProject:
        """This project with its lake and cache, in another folder, to be changed at will."""
        shutil.copytree(self.folder, folder)
        return SmallProject(folder)


def write_small_project(folder: Path) -> SmallProject:
    """Write the sources and the configuration; nothing is materialised."""
    for source, articles in ARTICLES.items():
        for name, (title, text) in articles.items():
            path = folder / "articles" / source / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(f"# {title}\n\n{text}\n", encoding="utf-8")
    for benchmark, questions in QUESTIONS.items():
        lines = "".join(json.dumps(question) + "\n" for question in questions)
        (folder / f"{benchmark}.jsonl").write_text(lines, encoding="utf-8")
    for file, triples in TRIPLES.items():
        text = "".join("\t".join(triple) + "\n" for triple in triples)
        (folder / f"{file}.tsv").write_text(text, encoding="utf-8")
    write_yaml(folder / "sources.yaml", small_configuration())
    return SmallProject(folder)


def small_configuration() -> dict[str, Any]:
    """The small project's configuration, as the YAML file says it."""

    def source(name: str) -> dict[str, str]:
        return {"name": name, "uri": f"articles/{name}", "format": "text_folder", "licence": "CC0-1.0"}

    def statements(*files: str) -> dict[str, Any]:
        settings = {"format": "relation_head_tail", "licence": "CC0-1.0"}
        # ConceptNet's relations have sentences, and "Devours" has none: it is left out.
        listed = [{"name": file, "uri": f"{file}.tsv", **settings} for file in files]
        return {"templates": "conceptnet", "sources": listed}

    def benchmark(name: str, corpus: str, **graph: str) -> dict[str, str]:
        settings = {"reader": "questions_jsonl", "uri": f"{name}.jsonl", "split": "test", "corpus": corpus}
        return {**settings, **graph}

    return {
        "corpora": {
            "animals": {"sources": [source("land"), source("sea")]},
            "minerals": {"sources": [source("rocks")]},
        },
        "graphs": {NATURE: statements("facts", "more"), STONES: statements("stones")},
        "benchmarks": {
            ANIMAL_QUIZ: benchmark(ANIMAL_QUIZ, "animals", graph=NATURE),
            MINERAL_QUIZ: benchmark(MINERAL_QUIZ, "minerals"),
        },
    }


def write_yaml(path: Path, content: Mapping[str, Any]) -> Path:
    path.write_text(yaml.safe_dump(dict(content), sort_keys=False), encoding="utf-8")
    return path


def planned(project: Project, benchmarks: Sequence[str], arms: Sequence[str] | None = None) -> Plan:
    """The jobs and partitions that benchmarks need, in order, as `evidence-assets demo` runs them."""
    graph = stage_graph(project)
    wanted = wanted_of_benchmarks(project, graph, systems_by_name(), benchmarks, arms)
    return [run.name for run in planned_runs(graph, jobs_of(graph, SYSTEMS), graph.needed(wanted))]


@dataclass(frozen=True)
class Built:
    """The small project after every job ran for every partition, and who remembers the runs."""

    project: SmallProject
    instance: dg.DagsterInstance
    results: tuple[tuple[str, str, dg.ExecuteInProcessResult], ...]


_BUILT: list[Built] = []


def built_project(factory: pytest.TempPathFactory) -> Built:
    """Return the small project, made once a process: it is to be copied, never changed."""
    if not _BUILT:
        _BUILT.append(_build(factory.mktemp("built") / "project"))
    return _BUILT[0]


def _build(folder: Path) -> Built:
    project = write_small_project(folder)
    definitions, instance = project.definitions(), dg.DagsterInstance.ephemeral()
    observe(definitions, instance)
    results = []
    for benchmark in BENCHMARKS:
        # One run a partition; the arms in one run, to save time.
        for job, key in planned(project.project, [benchmark], arms_made(benchmark)):
            if key is not None and not job.startswith(("run_", "compare_")):
                results.append((job, key, run_job(definitions, job, key, instance)))
        for first, last in _neighbours(arms_made(benchmark), ARMS):
            run = run_range(
                definitions, "run_uscrake", f"{first}|{benchmark}", f"{last}|{benchmark}", instance
            )
            results.append(("run_uscrake", benchmark, run))
        result = run_job(definitions, "compare_uscrake", benchmark, instance)
        results.append(("compare_uscrake", benchmark, result))
    # No arm reads the empty tables of a benchmark without a graph, but arms that rerank text do.
    for job, key in (("rank_triples", MINERAL_QUIZ), ("build_graph", STONES)):
        results.append((job, key, run_job(definitions, job, key, instance)))
    results.append(
        (
            "published_scores",
            "",
            run_assets(definitions, ["published_scores", "published_setups"], instance, partition=None),
        )
    )
    return Built(project, instance, tuple(results))


def run_job(
    definitions: dg.Definitions, job: str, partition: str, instance: dg.DagsterInstance, **options: Any
) -> dg.ExecuteInProcessResult:
    """One run of one partition; what is up to date stays, unless the run's configuration asks for it."""
    return definitions.resolve_job_def(job).execute_in_process(
        instance=instance, partition_key=partition, **options
    )


def run_range(
    definitions: dg.Definitions, job: str, first: str, last: str, instance: dg.DagsterInstance
) -> dg.ExecuteInProcessResult:
    """One run over several partitions, as a single-run backfill launches it: what is up to date is made."""
    tags = {"dagster/asset_partition_range_start": first, "dagster/asset_partition_range_end": last}
    return definitions.resolve_job_def(job).execute_in_process(instance=instance, tags=tags)


def run_everything_in_batches(
    definitions: dg.Definitions, instance: dg.DagsterInstance
) -> list[dg.ExecuteInProcessResult]:
    """Every job, over all of its partitions in a single run, or in one for each row of neighbours."""

    def both(names: Iterable[str], all_names: Iterable[str]) -> list[tuple[str, str]]:
        first, last = BENCHMARKS[0], BENCHMARKS[-1]
        return [(f"{start}|{first}", f"{end}|{last}") for start, end in _neighbours(names, all_names)]

    def animals(names: Iterable[str], all_names: Iterable[str]) -> list[tuple[str, str]]:
        return [
            (f"{start}|{ANIMAL_QUIZ}", f"{end}|{ANIMAL_QUIZ}") for start, end in _neighbours(names, all_names)
        ]

    shared = arms_made(MINERAL_QUIZ)
    ranges = [
        ("ingest_corpus", [(LAND, ROCKS)]),
        ("add_up_terms", [CORPORA]),
        ("build_graph", [GRAPHS]),
        ("prepare_benchmark", [BENCHMARKS]),
        ("rank_triples", [BENCHMARKS]),
        ("rank_chunks", both(RETRIEVALS_MADE, RETRIEVALS)),
        ("rerank_evidence", animals(retrievals_reranked(ANIMAL_QUIZ), RERANKED_RETRIEVALS)),
        ("run_uscrake", both(shared, ARMS)),
        ("run_uscrake", animals([arm for arm in ARMS_MADE if arm not in shared], ARMS)),
        ("compare_uscrake", [BENCHMARKS]),
    ]
    results = [
        run_range(definitions, job, first, last, instance) for job, ends in ranges for first, last in ends
    ]
    return [
        *results,
        run_assets(definitions, ["published_scores", "published_setups"], instance, partition=None),
    ]


def _neighbours(names: Iterable[str], all_names: Iterable[str]) -> list[tuple[str, str]]:
    """First and last of every row of names that stand side by side: a run takes a range of partitions."""
    wanted, rows = set(names), list[list[str]]()
    before = False
    for name in all_names:
        if name in wanted:
            rows = [*rows[:-1], [*rows[-1], name]] if before else [*rows, [name]]
        before = name in wanted
    return [(row[0], row[-1]) for row in rows]


def run_assets(
    definitions: dg.Definitions, names: Iterable[str], instance: dg.DagsterInstance, partition: str | None
) -> dg.ExecuteInProcessResult:
    """Some assets, with their checks, whichever job they are in; a failure is told by the result."""
    chosen = dg.Definitions(
        assets=definitions.assets,
        asset_checks=definitions.asset_checks,
        jobs=[dg.define_asset_job("chosen", selection=dg.AssetSelection.assets(*names))],
        resources=definitions.resources,
        executor=dg.in_process_executor,
    )
    return chosen.resolve_job_def("chosen").execute_in_process(
        instance=instance, partition_key=partition, raise_on_error=False
    )


def observe(definitions: dg.Definitions, instance: dg.DagsterInstance) -> None:
    """Look at the source files, as the hourly schedule does."""
    for asset in definitions.assets or ():
        if isinstance(asset, dg.SourceAsset):
            job = dg.define_asset_job("look", selection=[asset])
            looking = dg.Definitions(assets=[asset], jobs=[job], resources=definitions.resources)
            looking.resolve_job_def("look").execute_in_process(instance=instance)


def failure_of(result: dg.ExecuteInProcessResult) -> str:
    """What the one step that failed says."""
    assert not result.success
    [failure] = [event for event in result.all_events if event.is_step_failure]
    return str(failure.step_failure_data.error)


def checks_of(result: dg.ExecuteInProcessResult) -> list[tuple[str, str, bool]]:
    """Each check of a run: its asset, its name, whether it passed."""
    return [
        (
            event.asset_check_evaluation_data.asset_key.to_user_string(),
            event.asset_check_evaluation_data.check_name,
            event.asset_check_evaluation_data.passed,
        )
        for event in result.all_events
        if event.event_type == dg.DagsterEventType.ASSET_CHECK_EVALUATION
    ]


def metadata_of(result: dg.ExecuteInProcessResult, asset: str) -> dict[str, dict[str, Any]]:
    """What an asset's materialisations show, by partition."""
    return {
        event.partition or "": {name: value.value for name, value in event.materialization.metadata.items()}
        for event in result.get_asset_materialization_events()
        if event.asset_key is not None and event.asset_key.to_user_string() == asset
    }
