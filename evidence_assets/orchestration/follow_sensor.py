"""The sensor that keeps what exists up to date: it looks at runs, events, lake and files, and launches a run.

It compares what stands with what is recorded of it, and needs no event to have seen: what changed, was lost
or was killed while nobody looked is seen at the next look, for as long as it is so.
"""

from __future__ import annotations

import json
import os
import time
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

import dagster as dg

from evidence_assets.lake.schemas import DOMAIN_MASKED_LM
from evidence_assets.lake.store_failures import store_failure
from evidence_assets.orchestration.assets import asset_key
from evidence_assets.orchestration.attempts import Attempts
from evidence_assets.orchestration.check_history import passed_last, refused_partitions
from evidence_assets.orchestration.checks import KEEPS_UP, blocks, checks_of_table, severity
from evidence_assets.orchestration.daemon_lock import Role, SecondDaemonError, take_charge
from evidence_assets.orchestration.following import (
    MADE_AGAIN,
    due_partitions,
    part_name,
    parts_named,
    without_held,
)
from evidence_assets.orchestration.harvest_assets import READINESS
from evidence_assets.orchestration.lost_runs import ended_without_a_word, lost_parts
from evidence_assets.orchestration.reconciliation import Compared, reconcile
from evidence_assets.orchestration.refreshing import BRING_UP_TO_DATE, graph_of
from evidence_assets.orchestration.resources import LakeResource
from evidence_assets.orchestration.workers import UNFINISHED, fail_dead_runs, failed_parts
from evidence_assets.sources.project import Project
from evidence_assets.sources.retractions import forget_what_was_read
from evidence_assets.sources.source_fingerprints import (
    FingerprintMemory,
    source_files,
    source_fingerprint,
    sources_signature,
)
from evidence_assets.stages.declaration import Key
from evidence_assets.stages.freshness import State
from evidence_assets.stages.graph import Needed, Source, StageGraph
from evidence_assets.systems.system import System

if TYPE_CHECKING:
    from evidence_assets.lake.lake import Lake
    from evidence_assets.stages.freshness import Freshness

FOLLOW_INPUTS = "follow_inputs"
# Dagster's daemon looks at its sensors every five seconds.
SECONDS_BETWEEN_LOOKS = 5
# Where no record of the lake and no source file has changed, partitions are looked at one by one this often.
_SECONDS_BETWEEN_WHOLE_LOOKS = 300.0
_RECENT_RUNS = 100
# The tag of a run that tells why it was launched, and how many causes it names.
BECAUSE_TAG = "evidence_assets/because"
_CAUSES_NAMED = 3
_STOPPED = (
    "Failed twice: requested no more until what it is made from changes, or until someone materialises it."
)


@dataclass
class Kept:
    """What the sensor keeps from look to look.

    `digested`: failed runs that were looked at. `reported`: partitions whose end is told by a check. `quiet`:
    what stood when nothing was due, and when that was.
    """

    attempts: Attempts = field(default_factory=Attempts)
    digested: list[str] = field(default_factory=list)
    reported: list[str] = field(default_factory=list)
    quiet: tuple[str, float] = ("", 0.0)

    @classmethod
    def of(cls, cursor: str | None) -> Kept:
        """Return what a cursor holds."""
        held: dict[str, Any] = json.loads(cursor) if cursor else {}
        quiet, since = held.get("quiet", ("", 0.0))
        return cls(
            Attempts.from_json(held.get("attempts", {})),
            list(held.get("digested", [])),
            list(held.get("reported", [])),
            (str(quiet), float(since)),
        )

    def cursor(self) -> str:
        """Return this as a cursor."""
        held = {
            "attempts": self.attempts.to_json(),
            "digested": self.digested[-_RECENT_RUNS:],
            "reported": self.reported,
            "quiet": list(self.quiet),
        }
        return json.dumps(held, sort_keys=True)


@dataclass
class _Memory:
    """What the process remembers from look to look: what files held, and what events were found to tell."""

    files: FingerprintMemory = field(default_factory=FingerprintMemory)
    compared: Compared = field(default_factory=dict)


def follow_inputs(
    project: Project, systems: Sequence[System], there: LakeResource, bring_up_to_date: Any
) -> dg.SensorDefinition:
    """Return the sensor."""
    memory = _Memory()

    @dg.sensor(
        name=FOLLOW_INPUTS,
        job=bring_up_to_date,
        minimum_interval_seconds=SECONDS_BETWEEN_LOOKS,
        # Dagster leaves sensors stopped: what is declared would never act.
        default_status=dg.DefaultSensorStatus.RUNNING,
        description="Keeps what exists up to date: one run makes again what a changed file, configuration or "
        "code has made stale, and what reads it; answers to what people asked stay as they were given. What "
        "was never made it leaves, but for what the configuration names as eager. It fails runs whose worker "
        "died, and requests again what they lost.",
    )
    def follow(context: dg.SensorEvaluationContext) -> dg.SensorResult:
        kept = Kept.of(context.cursor)
        if not context.instance.is_ephemeral:
            try:
                take_charge(Path(context.instance.root_directory), Role.AUTOMATION)
            except SecondDaemonError as error:
                return dg.SensorResult(skip_reason=str(error), cursor=context.cursor)
        look = _Look(context, project, systems, there, memory, kept)
        try:
            requests, reason = look.requests()
        except Exception as error:
            if (failure := store_failure(error, there.uri)) is None:
                raise
            return dg.SensorResult(skip_reason=str(failure), cursor=context.cursor)
        return dg.SensorResult(run_requests=requests, skip_reason=reason or None, cursor=kept.cursor())

    return follow


class _Look:
    """One look: what died, what is not recorded, what is due."""

    def __init__(
        self,
        context: dg.SensorEvaluationContext,
        project: Project,
        systems: Sequence[System],
        there: LakeResource,
        memory: _Memory,
        kept: Kept,
    ) -> None:
        self._context, self._systems, self._there, self._memory = context, systems, there, memory
        self._instance, self._kept = context.instance, kept
        self._project, self._named = project, project
        self._now = time.time()

    def requests(self) -> tuple[list[dg.RunRequest], str]:
        """Return the run to launch, if any, or why there is none."""
        instance, kept = self._instance, self._kept
        for run_id in fail_dead_runs(instance):
            self._context.log.warning(f"run {run_id} was failed: its worker is gone")
        failed = self._undigested()
        if instance.get_runs_count(dg.RunsFilter(statuses=UNFINISHED)):
            return [], "runs are in progress; they are waited for"
        # Another process may have retracted something since, of a lake in an object store.
        forget_what_was_read()
        lake = self._there.open()
        stood = self._stands(lake)
        known = _hash(stood, self._memory.files.as_they_stand())
        # A clock that was set back since tells nothing of how long it was quiet.
        quiet_for = self._now - kept.quiet[1]
        if not failed and kept.quiet[0] == known and 0 <= quiet_for < _SECONDS_BETWEEN_WHOLE_LOOKS:
            return [], "nothing has changed"
        self._project, graph = graph_of(self._named, self._systems)
        for record in failed:
            self._digest(graph, record)
        if kept.attempts.waits(self._now):
            # What stands may be what stood when nothing was due; the next look looks all the same.
            kept.quiet = ("", 0.0)
            return [], "what failed is requested again in a moment"
        freshness = self._freshness(lake, graph, choices=False)
        if self._records(lake):
            # A lake that holds nothing may be a disk that is not mounted: no reason to forget what was made.
            self._reconcile(graph, freshness)
        parts, reasons = self._due(graph, freshness, lake)
        stopped = kept.attempts.stopped()
        self._report(graph, stopped)
        stale = {name for name, reason in reasons.items() if not reason.endswith(MADE_AGAIN)}
        parts = without_held(graph, parts, stopped, stale)
        parts = self._without_refused(graph, parts, stale)
        if not parts:
            # Files beside those that the configuration names are known now, as they were read.
            kept.quiet = (_hash(stood, self._memory.files.as_read()), self._now)
            return [], f"nothing is due; {len(stopped)} stopped" if stopped else "nothing is due"
        kept.quiet = ("", 0.0)
        names = [part_name(part) for part in parts]
        self._context.log.info("\n".join(f"{name}: {reasons.get(name, 'lost')}" for name in names))
        config = self._there.config(again=False) | {"ops": {"make_what_is_due": {"config": {"parts": names}}}}
        tags = {BECAUSE_TAG: because} if (because := in_one_line(reasons.values())) else {}
        return [dg.RunRequest(run_config=config, job_name=BRING_UP_TO_DATE, tags=tags)], ""

    def _undigested(self) -> list[dg.RunRecord]:
        """Return the failed runs that nobody has looked at yet, the oldest first."""
        wanted = dg.RunsFilter(statuses=[dg.DagsterRunStatus.FAILURE])
        records = self._instance.get_run_records(wanted, limit=_RECENT_RUNS)
        new = [record for record in records if record.dagster_run.run_id not in self._kept.digested]
        return list(reversed(new))

    def _digest(self, graph: StageGraph, record: dg.RunRecord) -> None:
        kept, run = self._kept, record.dagster_run
        kept.digested.append(run.run_id)
        failed = failed_parts(run)
        if ended_without_a_word(self._instance, run):
            lost = lost_parts(self._instance, graph, self._systems, run)
            kept.attempts.lost = list(dict.fromkeys([*kept.attempts.lost, *lost]))
        elif run.job_name != BRING_UP_TO_DATE:
            # Whoever asked for it has been told.
            return
        # The pause counts from the run's end: who looks later has waited already.
        ended = min(record.end_time or self._now, self._now)
        for name, (basis, reason) in failed.items():
            kept.attempts.failed(name, basis, reason, ended)

    def _stands(self, lake: Lake) -> str:
        """Return what changes when a record of the lake, a source file or the code does."""
        return _hash(str(os.getpid()), sources_signature(self._named), *self._records(lake))

    @staticmethod
    def _records(lake: Lake) -> list[str]:
        from evidence_assets.lake.schemas import MATERIALIZATIONS

        return [place["version"] for place in lake.partitions(MATERIALIZATIONS)]

    def _freshness(self, lake: Lake, graph: StageGraph, choices: bool) -> Freshness:
        from evidence_assets.models.provider import Models
        from evidence_assets.stages.freshness import Freshness

        models = Models(self._there.cache_folder(), generators=self._project.generators)
        fingerprint = source_fingerprint(self._project, self._memory.files)
        return Freshness(lake, graph, models, fingerprint, choices, source_files(self._project))

    def _reconcile(self, graph: StageGraph, freshness: Freshness) -> None:
        log = self._context.log.info
        reconcile(self._instance, graph, freshness, self._memory.compared, log)

    def _due(
        self, graph: StageGraph, freshness: Freshness, lake: Lake
    ) -> tuple[list[Needed], dict[str, str]]:
        """Return what is due, lost work included, and the reasons by name; forget what is settled."""
        attempts = self._kept.attempts
        project = self._project
        due = due_partitions(graph, freshness, project.sources.eager, project.asked_benchmarks)
        reasons = {part_name(entry.part): entry.reason for entry in due}
        lost = self._still_lost(graph, lake)
        names = [*reasons, *(part_name(part) for part in lost)]
        parts = parts_named(graph, dict.fromkeys(names))
        outside = sources_signature(self._project)
        bases = {
            part_name(part): freshness.basis(part.stage, part.key, outside)
            for part in parts
            if part_name(part) in attempts.failures
        }
        attempts.settle(bases, names)
        return parts, reasons

    def _still_lost(self, graph: StageGraph, lake: Lake) -> list[Needed]:
        if not self._kept.attempts.lost:
            return []
        freshness = self._freshness(lake, graph, choices=True)
        return [
            part
            for part in parts_named(graph, self._kept.attempts.lost)
            if freshness.status(part.stage, part.key, part.tables).state != State.FRESH
        ]

    def _report(self, graph: StageGraph, stopped: dict[str, str]) -> None:
        """Tell by a check which partitions are requested no more, and which are again.

        A run of another partition of the asset tells that it keeps up, and so it is told again.
        """
        before, now = set(self._kept.reported), set(stopped)
        for part in parts_named(graph, before | now):
            reasons = {
                name: reason for name, reason in stopped.items() if name.split(":")[0] == part.stage.name
            }
            for table in part.tables:
                keeps_up = dg.AssetCheckKey(asset_key(part.stage, table), KEEPS_UP)
                if before == now and passed_last(self._instance, keeps_up) is not bool(reasons):
                    continue
                self._instance.report_runless_asset_event(
                    dg.AssetCheckEvaluation(
                        asset_key=asset_key(part.stage, table),
                        check_name=KEEPS_UP,
                        passed=not reasons,
                        severity=severity(KEEPS_UP),
                        description=_STOPPED if reasons else None,
                        metadata=dict(sorted(reasons.items())),
                    )
                )
        self._kept.reported = sorted(now)

    def _without_refused(self, graph: StageGraph, parts: Sequence[Needed], stale: set[str]) -> list[Needed]:
        """Leave out what reads partitions whose rows a check has refused, unless they are made again too."""
        named = {part_name(part) for part in parts}
        making = {(part.stage.name, table.name, part.key) for part in parts for table in part.tables}
        read = {
            (source.producer.name, source.declared.table.name): source
            for part in parts
            for source in graph.sources(part.stage)
        }
        refused = {
            place: self._refused(asset_key(source.producer, source.declared.table), source.declared.table)
            for place, source in read.items()
        }

        def is_refused(source: Source, key: Key) -> bool:
            place = (source.producer.name, source.declared.table.name)
            of_place = refused[place]
            return (of_place is None or key.text in of_place) and (*place, key) not in making

        held = {
            part_name(part)
            for part in parts
            for source, keys in graph.upstream(part.stage, part.key)
            if any(is_refused(source, key) for key in keys)
        }
        if not held:
            return list(parts)
        self._context.log.warning(f"left until the checks of what they read pass: {', '.join(sorted(held))}")
        return [part for part in without_held(graph, parts, held, stale) if part_name(part) in named]

    def _refused(self, key: dg.AssetKey, table: Any) -> frozenset[str] | None:
        """Return the partitions of an asset whose rows a check that blocks has refused, None for all."""
        refused = [
            refused_partitions(self._instance, dg.AssetCheckKey(key, name)) for name in _blocking(table)
        ]
        known = [of_check for of_check in refused if of_check is not None]
        return frozenset().union(*known) if len(known) == len(refused) else None


def in_one_line(reasons: Iterable[str]) -> str:
    """Return the first causes among reasons in one line: not that what they concern is made again.

    One that another tells with more, such as which of a folder's files changed, is left to that one.
    """
    distinct = list(dict.fromkeys(reason for reason in reasons if not reason.endswith(MADE_AGAIN)))
    causes = [reason for reason in distinct if not any(other.startswith(f"{reason} (") for other in distinct)]
    more = f" and {len(causes) - _CAUSES_NAMED} more" if len(causes) > _CAUSES_NAMED else ""
    return "; ".join(causes[:_CAUSES_NAMED]) + more


def _hash(*parts: str) -> str:
    from evidence_assets.lake.ids import text_hash

    return text_hash("\n".join(parts))


def _blocking(table: Any) -> Iterable[str]:
    names = [name for name in checks_of_table(table) if blocks(name)]
    return [*names, READINESS] if table is DOMAIN_MASKED_LM else names
