"""Everything that some benchmarks need, run in order in this process: what `make demo` does."""

from __future__ import annotations

import os
import time
import warnings
from collections.abc import Iterator, Sequence

import dagster as dg

from evidence_assets.extraction.arms import BASELINE
from evidence_assets.extraction.seeds import seed_files
from evidence_assets.models.profiles import current_profile
from evidence_assets.orchestration.partitions import ProjectPartitions, seeds_folder
from evidence_assets.orchestration.sensors import register_relations
from evidence_assets.reading.prompted_arms import with_generators
from evidence_assets.sources.specifications import HarvestSource
from evidence_assets.systems.attention2query import arms as attention2query
from evidence_assets.systems.four_step_focus import arms as four_step_focus
from evidence_assets.systems.kaping import arms as kaping
from evidence_assets.systems.registry import CORPUS, TABLES, chosen_arms, systems
from evidence_assets.systems.ucret import arms as ucret
from evidence_assets.systems.ugat_medqa import arms as ugat_medqa
from evidence_assets.systems.uscrake import arms as uscrake


def materialize_benchmarks(
    benchmarks: Sequence[str], arms: Sequence[str] | None = None
) -> Iterator[tuple[str, str, float]]:
    """Materialise all that these benchmarks need; yield each run's job, partition and seconds.

    `arms` names the arms wanted, `system/arm` or `arm`; what they read is made. Default: the first arms of
    each benchmark's systems.

    Runs are recorded in the Dagster instance that DAGSTER_HOME names, and are seen in its UI.

    Raises:
        LookupError: a benchmark is not in the configuration or lacks what a system needs, an arm is not
            known, or DAGSTER_HOME is not set.
        RuntimeError: a run failed.
    """
    project = ProjectPartitions.from_configuration()
    unknown = sorted(set(benchmarks) - set(project.sources.benchmarks))
    if unknown:
        raise LookupError(f"{project.location} names no benchmark {', '.join(unknown)}")
    yield from _run(list(plan(project, benchmarks, arms)))


def materialize_harvest(relations: Sequence[str] | None = None) -> Iterator[tuple[str, str, float]]:
    """Harvest relations, default all that have a seed file; yield each run's job, partition and seconds.

    Before them the corpus and its masked language model are made, unless the profile names a model; after
    them what was harvested is gathered, scored, and merged into the graphs that name it.

    Raises:
        LookupError: the configuration names no harvest, a relation has no seed file, or DAGSTER_HOME is not
            set.
        SeedError: there is no folder of seed files.
        RuntimeError: a run failed.
    """
    project = ProjectPartitions.from_configuration()
    if project.sources.harvest is None:
        raise LookupError(f"{project.location} names no harvest; remedy: add a section `harvest`")
    there_are = seed_files(seeds_folder(project, project.sources.harvest))
    unknown = sorted(set(relations or ()) - set(there_are))
    if unknown:
        raise LookupError(f"no seed file for {', '.join(unknown)}; there are {', '.join(there_are)}")
    yield from _run(list(harvest_plan(project, project.sources.harvest, relations or list(there_are))))


def harvest_plan(
    project: ProjectPartitions, harvested: HarvestSource, relations: Sequence[str]
) -> Iterator[tuple[str, str | None]]:
    """Yield (job, partition key) of a harvest, in the order of the graph."""
    if not current_profile().masked_lm_location:
        for shard in project.shards_of(harvested.corpus):
            yield "read_articles", shard.key
        yield "make_masked_lm", harvested.corpus
    if harvested.reference is not None:
        yield "build_graph", harvested.reference
    for relation in relations:
        yield "harvest_relation", relation
    # The baseline first: what others found beyond it is scored against it.
    for arm in sorted(harvested.arms, key=lambda name: name != BASELINE):
        yield "gather_harvest", arm
    for name, graph in project.sources.graphs.items():
        if graph.harvests:
            yield "build_graph", name


def _run(planned: Sequence[tuple[str, str | None]]) -> Iterator[tuple[str, str, float]]:
    """Run jobs in this process, one after another; yield each one's name, partition and seconds."""
    if "DAGSTER_HOME" not in os.environ:
        raise LookupError(
            "DAGSTER_HOME is not set: use `make demo`, or name the folder that holds dagster.yaml"
        )
    with warnings.catch_warnings():
        # Dagster marks batch backfills and observable sources as beta at every definition.
        warnings.simplefilter("ignore", dg.BetaWarning)
        from evidence_assets.definitions import defs

        with dg.DagsterInstance.get() as instance:
            project = ProjectPartitions.from_configuration()
            if project.sources.harvest is not None:
                register_relations(instance, seeds_folder(project, project.sources.harvest))
            for job, partition in planned:
                started = time.perf_counter()
                result = defs.resolve_job_def(job).execute_in_process(
                    instance=instance, partition_key=partition, raise_on_error=False
                )
                if not result.success:
                    failed = [event for event in result.all_events if event.is_failure]
                    raise RuntimeError(f"job {job}, partition {partition}: {_reason(failed[0])}")
                yield job, partition or "whole table", time.perf_counter() - started


def _reason(failure: dg.DagsterEvent) -> str:
    """Return what went wrong: the first cause, which tells the remedy."""
    error = failure.step_failure_data.error if failure.is_step_failure else None
    while error is not None and error.cause is not None:
        error = error.cause
    return (error.message.strip() if error is not None else "") or str(failure.message)


def plan(
    project: ProjectPartitions, benchmarks: Sequence[str], arms: Sequence[str] | None = None
) -> Iterator[tuple[str, str | None]]:
    """Yield (job, partition key) in the order of the graph, each once.

    Arms are compared where one to compare with is among them.

    Raises:
        LookupError: there is no such arm, or a benchmark lacks the corpus or graph that its system needs.
    """
    yield from dict.fromkeys(_steps(project, benchmarks, arms))


def _steps(
    project: ProjectPartitions, benchmarks: Sequence[str], arms: Sequence[str] | None
) -> Iterator[tuple[str, str | None]]:
    taken = {name: _taken(project, name, arms) for name in benchmarks}
    there_are = systems(project.generators)
    for benchmark, asked in taken.items():
        yield from _sources(project, benchmark, CORPUS in {there_are[system].needs for system in asked})
    for benchmark, asked in taken.items():
        for system, wanted in asked.items():
            yield from _PLANS[system](project, benchmark, wanted)
    yield "record_published", None


def _taken(project: ProjectPartitions, benchmark: str, arms: Sequence[str] | None) -> dict[str, list[str]]:
    """Return the arms run on a benchmark, by system: those asked for, else its systems' first ones."""
    source = project.benchmark(benchmark)
    there_are = systems(project.generators)
    unknown = [system for system in source.systems if system not in there_are]
    if unknown:
        raise LookupError(
            f"{project.location}: benchmarks.{benchmark}.systems names {', '.join(unknown)}; there are "
            f"{', '.join(there_are)}"
        )
    chosen = (
        {system: list(there_are[system].first_arms) for system in source.systems}
        if arms is None
        else {
            system: names
            for system, names in chosen_arms(arms, there_are).items()
            if system in source.systems
        }
    )
    if not chosen:
        raise LookupError(
            f"benchmark {benchmark}: none of {', '.join(arms or ())} is an arm of its systems, "
            f"{', '.join(source.systems)}; remedy: name the system in {project.location} "
            f"(benchmarks.{benchmark}.systems), or ask for other arms"
        )
    for system in chosen:
        needed = there_are[system].needs
        if needed != TABLES and getattr(source, needed) is None:
            raise LookupError(
                f"{project.location}: benchmark {benchmark} names no {needed}, and {system} needs one; "
                f"remedy: name one (benchmarks.{benchmark}.{needed})"
            )
    return chosen


def _sources(project: ProjectPartitions, benchmark: str, reads_text: bool) -> Iterator[tuple[str, str]]:
    corpus = project.benchmark(benchmark).corpus
    if reads_text and corpus is not None:
        for shard in project.shards_of(corpus):
            yield "ingest_corpus", shard.key
        yield "index_corpus", corpus
    graph = project.graph_of(benchmark)
    if graph is not None:
        yield "build_graph", graph


def _uscrake(project: ProjectPartitions, benchmark: str, names: Sequence[str]) -> Iterator[tuple[str, str]]:
    """Arms that read triples are left out where the benchmark names no graph, and what only they need."""
    has_graph = project.graph_of(benchmark) is not None
    there_are = with_generators(uscrake.ARMS, project.generators)
    arms = [there_are[name] for name in names]
    wanted = [arm for arm in arms if has_graph or not arm.selection.triples]
    yield "prepare_benchmark", benchmark
    yield "rank_triples", benchmark
    for retrieval in dict.fromkeys(arm.retrieval for arm in wanted):
        yield "rank_chunks", f"{retrieval}|{benchmark}"
    for retrieval in dict.fromkeys(arm.retrieval for arm in wanted if arm.selection.needs_scores):
        yield "rerank_evidence", f"{retrieval}|{benchmark}"
    for arm in wanted:
        yield "run_uscrake", f"{arm.name}|{benchmark}"
    if any(arm.name in uscrake.COMPARED_WITH for arm in wanted):
        yield "compare_uscrake", benchmark


def _ugat_medqa(
    project: ProjectPartitions, benchmark: str, names: Sequence[str]
) -> Iterator[tuple[str, str]]:
    there_are = with_generators(ugat_medqa.ARMS, project.generators)
    arms = [there_are[name] for name in names]
    routes = [ugat_medqa.ROUTES[arm.route] for arm in arms if arm.route is not None]
    yield "link_questions", benchmark
    for neighbourhood in dict.fromkeys(route.neighbourhood for route in routes):
        yield "find_subgraphs", f"{neighbourhood}|{benchmark}"
    for route in dict.fromkeys(routes):
        yield "walk_graph", f"{route.name}|{benchmark}"
    for arm in arms:
        yield "run_ugat_medqa", f"{arm.name}|{benchmark}"
    if any(arm.name in ugat_medqa.COMPARED_WITH for arm in arms):
        yield "compare_ugat_medqa", benchmark


def _ucret(project: ProjectPartitions, benchmark: str, names: Sequence[str]) -> Iterator[tuple[str, str]]:
    there_are = ucret.with_generators(ucret.ARMS, project.generators)
    arms = [there_are[name] for name in names]
    yield "read_tables", benchmark
    for name in dict.fromkeys(arm.filter for arm in arms):
        yield "collapse_tables", f"{name}|{benchmark}"
    for arm in arms:
        yield "run_ucret", f"{arm.name}|{benchmark}"
    if any(arm.name in ucret.COMPARED_WITH for arm in arms):
        yield "compare_ucret", benchmark


def _attention2query(
    project: ProjectPartitions, benchmark: str, names: Sequence[str]
) -> Iterator[tuple[str, str]]:
    there_are = with_generators(attention2query.ARMS, project.generators)
    ways = dict.fromkeys(there_are[name].retrieval for name in names)
    graph, training = project.graph_of(benchmark), project.benchmark(benchmark).training
    if graph is not None:
        yield "embed_graph", graph
    yield "link_questions", benchmark
    if any(attention2query.RETRIEVALS[way].classifier == attention2query.TUNED for way in ways):
        if training is not None:
            yield "link_questions", training
        yield "train_relevance", benchmark
    for way in ways:
        yield "attend_graph", f"{way}|{benchmark}"
    for name in names:
        yield "run_attention2query", f"{name}|{benchmark}"
    if any(name in attention2query.COMPARED_WITH for name in names):
        yield "compare_attention2query", benchmark


def _four_step_focus(
    project: ProjectPartitions, benchmark: str, names: Sequence[str]
) -> Iterator[tuple[str, str]]:
    there_are = four_step_focus.with_generators(four_step_focus.ARMS, project.generators)
    graph = project.graph_of(benchmark)
    if graph is not None:
        yield "describe_nodes", graph
    yield "link_questions", benchmark
    yield "pool_documents", benchmark
    for parser in dict.fromkeys(there_are[name].parser for name in names if there_are[name].parser):
        yield "parse_questions", f"{parser}|{benchmark}"
    for name in names:
        yield "run_four_step_focus", f"{name}|{benchmark}"
    if any(name in four_step_focus.COMPARED_WITH for name in names):
        yield "compare_four_step_focus", benchmark


def _kaping(project: ProjectPartitions, benchmark: str, names: Sequence[str]) -> Iterator[tuple[str, str]]:
    there_are = kaping.with_generators(kaping.ARMS, project.generators)
    ways = kaping.retrievals(project.generators)
    wanted = [ways[how] for how in dict.fromkeys(there_are[name].retrieval for name in names) if how]
    yield "link_questions", benchmark
    for background in dict.fromkeys(way.background for way in wanted if way.background):
        harvest = project.sources.harvest
        # The masked language model is made from a corpus where none is named, as for a harvest.
        if background == kaping.CLOZE and harvest is not None and not current_profile().masked_lm_location:
            for shard in project.shards_of(harvest.corpus):
                yield "read_articles", shard.key
            yield "make_masked_lm", harvest.corpus
        yield "state_background", f"{background}|{benchmark}"
    for way in wanted:
        yield "retrieve_facts", f"{way.name}|{benchmark}"
    if any(there_are[name].generator == kaping.EXTRACTIVE for name in names):
        yield "parse_questions", f"{kaping.EXTRACTIVE}|{benchmark}"
    for name in names:
        yield "run_kaping", f"{name}|{benchmark}"
    if any(name in kaping.COMPARED_WITH for name in names):
        yield "compare_kaping", benchmark


_PLANS = {
    uscrake.SYSTEM: _uscrake,
    ugat_medqa.SYSTEM: _ugat_medqa,
    ucret.SYSTEM: _ucret,
    four_step_focus.SYSTEM: _four_step_focus,
    kaping.SYSTEM: _kaping,
    attention2query.SYSTEM: _attention2query,
}
