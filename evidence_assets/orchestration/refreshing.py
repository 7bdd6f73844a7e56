"""Jobs that make partitions of many assets in one run: what is due, and an arm with what it needs.

A run of Dagster's assets has one partitioning; what an edit reaches has many. One process makes it all, each
partition recorded as soon as it is written, and loads a model once.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

import dagster as dg

from evidence_assets.lake.schemas import DOMAIN_MASKED_LM, Table
from evidence_assets.lake.store_failures import is_away
from evidence_assets.orchestration.assets import (
    GPU_POOL,
    asset_key,
    materialization,
    models_of,
    tags_of_inputs,
)
from evidence_assets.orchestration.checks import blocks, checks_of_table, find, places_of, severity, shown
from evidence_assets.orchestration.failures import failure_of, outages_told, told, with_inputs_job
from evidence_assets.orchestration.following import Making, Outcome, due_partitions, part_name, parts_named
from evidence_assets.orchestration.harvest_assets import READINESS, readiness
from evidence_assets.orchestration.made_with import made_with
from evidence_assets.orchestration.partitions import partitions_of
from evidence_assets.orchestration.stage_registry import stage_graph
from evidence_assets.orchestration.workers import note_end, note_making, note_worker
from evidence_assets.progress import Lines
from evidence_assets.sources.project import Project
from evidence_assets.sources.source_fingerprints import source_fingerprint, sources_signature
from evidence_assets.stages.declaration import Key, Scope
from evidence_assets.stages.graph import Needed, StageGraph
from evidence_assets.systems.system import System

if TYPE_CHECKING:
    from evidence_assets.lake.lake import Lake
    from evidence_assets.models.provider import Models
    from evidence_assets.stages.execution import PartitionResult
    from evidence_assets.stages.freshness import Freshness

BRING_UP_TO_DATE = "bring_up_to_date"
_RESOURCES = {"lake", "encoder", "pair_scorer", "masked_lm", "generator"}


def graph_of(project: Project, systems: Sequence[System]) -> tuple[Project, StageGraph]:
    """Return a project and its stages with the relations that have a seed file by now."""
    current = replace(project)
    return current, stage_graph(current, systems)


def refreshing_jobs(project: Project, systems: Sequence[System], graph: StageGraph) -> list[Any]:
    """Return the job that automation launches, and a job for the arms of each system, with what they need."""
    return [
        _bring_up_to_date(project, systems),
        *(_with_inputs(project, graph, system) for system in systems),
    ]


def _bring_up_to_date(project: Project, systems: Sequence[System]) -> Any:
    @dg.op(
        name="make_what_is_due",
        required_resource_keys=_RESOURCES,
        pool=GPU_POOL,
        config_schema={"parts": dg.Field([str], default_value=[], is_required=False)},
        out={},
    )
    def make(context: dg.OpExecutionContext) -> Any:
        current, graph = graph_of(project, systems)
        with outages_told(context.resources.lake.uri):
            run = Refresh.of(context, current, graph, choices=False)
            names = list(context.op_config["parts"])
            if names:
                parts = parts_named(graph, names)
            else:
                eager, as_given = project.sources.eager, current.asked_benchmarks
                parts = [due.part for due in due_partitions(graph, run.freshness(), eager, as_given)]
            yield from run.events(parts)

    @dg.job(
        name=BRING_UP_TO_DATE,
        description="Make again what exists and is stale, and what reads it: what automation launches. "
        "Without configuration, all of it.",
        executor_def=dg.in_process_executor,
    )
    def bring_up_to_date() -> None:
        make()

    return bring_up_to_date


def _with_inputs(project: Project, graph: StageGraph, system: System) -> Any:
    experiment, scores = graph.by_name[system.name], graph.by_name[f"{system.name}/benchmark_scores"]

    @dg.op(
        name=f"make_{system.name}_with_what_it_needs",
        required_resource_keys=_RESOURCES,
        pool=GPU_POOL,
        out={},
    )
    def make(context: dg.OpExecutionContext) -> Any:
        key = Key.of(context.partition_key)
        if problem := experiment.problem(key):
            raise failure_of(Needed(experiment, key, experiment.tables), LookupError(problem))
        with outages_told(context.resources.lake.uri):
            run = Refresh.of(context, project, graph, choices=True)
            yield from run.events(graph.needed([(experiment, key), (scores, key)]))

    @dg.job(
        name=with_inputs_job(system.name),
        description=f"Chains, answers and scores of {system.name}, and whatever they are made from that is "
        "missing or stale: a partition is a benchmark and arm.",
        partitions_def=partitions_of(graph.layout, Scope.BENCHMARK, experiment.variants),
        executor_def=dg.in_process_executor,
    )
    def with_inputs() -> None:
        make()

    return with_inputs


@dataclass
class Refresh:
    """One run over partitions of many assets. `choices`: see `Freshness`."""

    context: Any
    project: Project
    graph: StageGraph
    lake: "Lake"
    models: "Models"
    choices: bool
    _basis: str = ""
    _at_work: str = ""
    _failed: dict[str, tuple[str, str]] = field(default_factory=dict)
    _findings: dict[tuple[dg.AssetKey, str], list[tuple[str, str]]] = field(default_factory=dict)
    _refused: dict[tuple[dg.AssetKey, str], dict[str, bool]] = field(default_factory=dict)

    @classmethod
    def of(cls, context: Any, project: Project, graph: StageGraph, choices: bool) -> "Refresh":
        """Return the run that an op is."""
        resource = context.resources.lake
        held = {name: getattr(context.resources, name) for name in _RESOURCES - {"lake"}}
        models = models_of(held, resource, project.generators)
        return cls(context, project, graph, resource.open(), models, choices)

    def freshness(self) -> "Freshness":
        """Return what tells fresh partitions from stale ones, as the lake stands now."""
        from evidence_assets.stages.freshness import Freshness

        fingerprint = source_fingerprint(self.project)
        return Freshness(self.lake, self.graph, self.models, fingerprint, self.choices)

    def events(self, parts: Sequence[Needed]) -> Iterator[dg.AssetMaterialization]:
        """Make what is due of these partitions and yield its materialisations, each at once.

        Raises:
            Failure: partitions could not be made; the others were.
        """
        context = self.context
        note_worker(context.instance, context.run_id)
        making = Making(self.graph, self._new_run, self.freshness, self._begin, self._refusal)
        first: tuple[Needed, Exception] | None = None
        made = 0
        with Lines(lambda line: context.log.info(f"{self._at_work}: {line}")).told():
            for outcome in making.outcomes(parts):
                if outcome.error is not None and first is None:
                    first = outcome.part, outcome.error
                made += outcome.result is not None and outcome.error is None
                yield from self._events_of(outcome)
        for (key, name), findings in self._findings.items():
            context.log_event(
                dg.AssetCheckEvaluation(
                    asset_key=key,
                    check_name=name,
                    passed=not findings,
                    severity=severity(name),
                    blocking=blocks(name),
                    metadata=shown(findings, len(self._refused[key, name]), self._refused[key, name]),
                )
            )
        note_end(context.instance, context.run_id, self._failed)
        context.log.info(f"{made} partitions made, {len(self._failed)} failed, of {len(parts)} looked at")
        if first is not None:
            part, error = first
            raise failure_of(part, error, self.lake.uri) from told(error, self.lake.uri)

    def _new_run(self, part: Needed) -> Any:
        from evidence_assets.stages.execution import Run

        settings = None if part.stage.settings is None else part.stage.settings()
        run_id, log = self.context.run_id, self.context.log
        return Run(self.lake, self.graph, self.models, run_id, settings, log=log)

    def _begin(self, part: Needed, freshness: "Freshness", number: int, total: int) -> None:
        self._basis = freshness.basis(part.stage, part.key, sources_signature(self.project))
        note_making(self.context.instance, self.context.run_id, part_name(part), self._basis)
        self._at_work = f"{number} of {total}, {part.key.text or 'whole table'}"
        self.context.log.info(f"{number} of {total}: {part.stage.name} {part.key.text}".rstrip())

    def _events_of(self, outcome: Outcome) -> Iterator[dg.AssetMaterialization]:
        part, log = outcome.part, self.context.log
        text = None if part.stage.scope == Scope.WHOLE else part.key.text
        if outcome.waits_for:
            log.warning(f"{part.stage.name} {text or ''}: not made, since it waits for {outcome.waits_for}")
        if outcome.error is not None:
            failure = failure_of(part, outcome.error, self.lake.uri)
            if not is_away(outcome.error, self.lake.uri):
                self._failed[part_name(part)] = (self._basis, str(failure.description))
            log.error(str(failure.description))
        if outcome.result is not None:
            settings = None if part.stage.settings is None else part.stage.settings()
            settings_shown = made_with(part.stage, part.key, self.models, settings)
            read = tags_of_inputs(self.context.instance, self.graph, part.stage)
            for table in part.tables:
                result = outcome.result.tables[table.name]
                yield materialization(asset_key(part.stage, table), text, result, settings_shown, read)

    def _refusal(self, part: Needed, result: "PartitionResult") -> str:
        """Run the checks of what was made; return the first finding of one that blocks, or nothing."""
        refusal = ""
        for table in part.tables:
            key = asset_key(part.stage, table)
            readiness_too = [READINESS] if table is DOMAIN_MASKED_LM and self.project.harvest else []
            for name in (*checks_of_table(table), *readiness_too):
                findings = list(self._findings_of(name, part, table))
                self._findings.setdefault((key, name), []).extend(findings)
                self._refused.setdefault((key, name), {})[part.key.text] = bool(findings)
                if findings and blocks(name) and not refusal:
                    refusal = f"{key.to_user_string()}, check {name}: {findings[0][1]}"
        return refusal

    def _findings_of(self, name: str, part: Needed, table: Table) -> Iterator[tuple[str, str]]:
        harvest = self.project.harvest
        if name != READINESS:
            for place in places_of(self.lake, self.graph, part.stage, table, part.key):
                yield from find(name, self.lake, table, place)
        elif harvest is not None:
            shares, _ = readiness(self.project, self.lake, self.models.cache, [part.key.name])
            for corpus, share in shares.items():
                if share < harvest.least_readiness:
                    yield corpus, f"the model knows {share:.0%} of what the corpus tells"
