"""Answers one question at once from what is materialised, and keeps the answer as a row of the lake.

The stages of a benchmark are run for the one question, in this process: what they read of the benchmark
stands beside the lake, all else in it. Then the rows join the scratch benchmark's, with what they were made
from recorded as for any partition: to the byte what a run over all of its questions would leave.
"""

from __future__ import annotations

import os
import tempfile
import uuid
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from evidence_assets.lake.filesystem import locked
from evidence_assets.lake.schemas import PREDICTIONS
from evidence_assets.orchestration.ask_choice import AskError, Wish, candidates, check_names, checked_question
from evidence_assets.orchestration.stage_registry import stage_graph
from evidence_assets.orchestration.workspace import Workspace
from evidence_assets.sources.project import Project
from evidence_assets.sources.scratch_benchmarks import (
    AskedTable,
    ScratchBenchmark,
    UserQuestion,
    describe,
    folder_of,
    is_begun,
    question_ids,
)
from evidence_assets.sources.stages import NoQuestionsError
from evidence_assets.stages.declaration import Key, Scope
from evidence_assets.stages.inputs import SOURCE_FILES, RunCache
from evidence_assets.systems.system import CORPUS, GRAPH

if TYPE_CHECKING:
    import pyarrow as pa

    from evidence_assets.lake.lake import Lake, Partition, PartitionVersion
    from evidence_assets.lake.overlay import OverlayLake
    from evidence_assets.lake.schemas import Table
    from evidence_assets.stages.declaration import Stage
    from evidence_assets.stages.graph import Needed, StageGraph

# Every further question rewrites its benchmark's partitions: past so many another benchmark is begun.
MOST_QUESTIONS = 100
_QUESTIONS = "questions"


@dataclass(frozen=True, slots=True)
class Answered:
    """Where the answers of a question stand: its scratch benchmark, and a prediction of each arm."""

    benchmark: ScratchBenchmark
    question_id: str
    predictions: tuple[str, ...]


@dataclass(frozen=True)
class OneQuestion(Project):
    """A configuration with a scratch benchmark, of whose questions it has one file, or all."""

    pattern: str = ""
    question_file: str = ""

    def locate(self, uri: str) -> str:
        """Return a URI ready to open: for the benchmark's pattern the one file."""
        return self.question_file if self.question_file and uri == self.pattern else super().locate(uri)


@dataclass(frozen=True, slots=True)
class _Plan:
    """What answers a scratch benchmark's questions. `parts`: its partitions, each after those it reads."""

    benchmark: ScratchBenchmark
    project: OneQuestion
    graph: StageGraph
    parts: Sequence[Needed]


class Asker:
    """Asks questions of one lake. What one question opened, a graph or a model, serves the next."""

    def __init__(self, workspace: Workspace) -> None:
        self._workspace, self._lake, self._cache = workspace, workspace.lake, RunCache()

    def ask(
        self, text: str, options: Sequence[str] = (), table: Path | None = None, wish: Wish | None = None
    ) -> Answered:
        """Answer a question and keep the answer.

        `table`: the file of a table, or `FILE#NAME` for one of its several: a sheet, or a number from 1.

        Raises:
            AskError: the question, its options or its table cannot be used, what is named does not exist, or
                what it would be answered from is not materialised: the message names the command.
            ReadOnlyLakeError: it was not asked before, and the lake takes no answer.
        """
        folder = self._workspace.project.folder
        question = checked_question(text, options, None if table is None else _table_file(table, folder))
        plan = self._first_materialised(question, wish or Wish())
        while is_begun(self._lake, plan.benchmark):
            # What was made from something else, or by other code, stays as it is.
            if self._stands(plan):
                kept = question_ids(self._lake, plan.benchmark)
                if question.question_id in kept:
                    return self._answered(plan.benchmark, question)
                if len(kept) < MOST_QUESTIONS:
                    break
            plan = self._plan(replace(plan.benchmark, number=plan.benchmark.number + 1))
        self._lake.check_writable()
        self._answer(plan, question)
        return self._answered(plan.benchmark, question)

    def _first_materialised(self, question: UserQuestion, wish: Wish) -> _Plan:
        workspace = self._workspace
        first: AskError | None = None
        for benchmark in candidates(workspace.project, workspace.systems, self._lake, question, wish):
            try:
                return self._plan(benchmark)
            except AskError as error:
                first = first or error
        raise first or AskError("nothing answers the question; remedy: name a --graph or a --corpus")

    def _plan(self, benchmark: ScratchBenchmark) -> _Plan:
        """Return what answers the questions of a benchmark; all else that it reads stands.

        Raises:
            AskError: an arm cannot be run so, or something else is not materialised.
        """
        project = scratch_project(self._workspace, benchmark)
        graph = stage_graph(project, self._workspace.systems)
        wanted = _experiments(graph, benchmark)
        for stage, key in wanted:
            if (problem := stage.problem(key)) is not None:
                raise AskError(problem)
        parts = []
        for needed in graph.needed(wanted):
            if _is_of(needed, benchmark):
                parts.append(needed)
            elif not all(any(self._places(graph, needed, table)) for table in needed.tables):
                raise AskError(_not_materialised(needed, benchmark))
        return _Plan(benchmark, project, graph, parts)

    def _places(self, graph: StageGraph, needed: Needed, table: Table) -> Iterator[Partition]:
        place = graph.layout.place(table, needed.stage, needed.key)
        if tuple(place) == table.partition_columns:
            if self._lake.exists(table, place):
                yield place
            return
        for standing in self._lake.partitions(table):
            if graph.layout.covers(standing, table, needed.stage, needed.key):
                yield standing

    def _stands(self, plan: _Plan) -> bool:
        """Tell whether what was made of a benchmark is what would be made of its questions now."""
        from evidence_assets.stages.execution import recorded_version

        versions = _Versions(self._lake, plan.project)
        for needed in plan.parts:
            expected = recorded_version(needed.stage, needed.key, self._workspace.models)
            for table in needed.tables:
                place = next(self._places(plan.graph, needed, table), None)
                record = None if place is None else self._lake.recorded(table, place)
                if record is None or record["code_version"] != expected:
                    return False
                if not all(map(versions.stands, _upstream(record))):
                    return False
        return True

    def _answer(self, plan: _Plan, question: UserQuestion) -> None:
        from evidence_assets.lake.lake import Lake
        from evidence_assets.lake.overlay import OverlayLake
        from evidence_assets.lake.previews import without_pictures
        from evidence_assets.stages.execution import Run, make_partition

        benchmark, project = plan.benchmark, plan.project
        versions = _Versions(self._lake, project)
        self._cache.keep(lambda version: benchmark.name not in version.partition and versions.stands(version))
        with tempfile.TemporaryDirectory(prefix="evidence-assets-") as folder:
            beside = Lake(f"{folder}/lake")
            file = question.write(beside, f"{folder}/{_QUESTIONS}")
            overlay = OverlayLake(self._lake, beside, benchmark.name)
            graph = stage_graph(replace(project, question_file=file), self._workspace.systems)
            run = Run(overlay, graph, self._workspace.models, f"ask-{uuid.uuid4().hex}", cache=self._cache)
            with without_pictures():
                for needed in plan.parts:
                    try:
                        make_partition(graph.by_name[needed.stage.name], needed.key, run, needed.tables)
                    except NoQuestionsError as error:
                        raise AskError(_refusal(beside, benchmark.name, question, folder)) from error
            if not _predictions(beside, benchmark, question):
                kind, remedy = ("with", "leave out") if question.options else ("without", "give")
                raise AskError(
                    f"{', '.join(benchmark.arms)} answers no question {kind} options; remedy: {remedy} "
                    "--options 'yes|no', or name another system (--system)"
                )
            with locked(self._lake.filesystem, folder_of(self._lake, benchmark)):
                begun = is_begun(self._lake, benchmark)
                describe(self._lake, benchmark)
                question.write(self._lake, folder_of(self._lake, benchmark))
                _join(self._lake, overlay, beside, _Versions(self._lake, project), begun)

    def _answered(self, benchmark: ScratchBenchmark, question: UserQuestion) -> Answered:
        predictions = _predictions(self._lake, benchmark, question)
        return Answered(benchmark, question.question_id, tuple(predictions))


def _predictions(lake: Lake, benchmark: ScratchBenchmark, question: UserQuestion) -> list[str]:
    """Return the predictions that answer a question, one an arm that answers such questions."""
    predictions = []
    for arm in benchmark.arms:
        system, _, variant = arm.partition("/")
        place = {"system": system, "arm": variant, "benchmark": benchmark.name}
        rows = lake.read(PREDICTIONS, place, ["prediction_id", "question_id"]).to_pylist()
        of_question = (row for row in rows if row["question_id"] == question.question_id)
        predictions += [row["prediction_id"] for row in of_question]
    return predictions


def prerequisites(workspace: Workspace, wish: Wish) -> list[tuple[Stage, Key]]:
    """Return the partitions that questions to a corpus or graph are answered from, but for their own.

    For the systems that are named; default: all that ask a corpus, or a graph.

    Raises:
        AskError: neither is named, or the configuration has no such name.
    """
    check_names(workspace.project, workspace.systems, wish)
    if not (wish.corpus or wish.graph):
        named = workspace.project.sources
        there_are = [f"--corpus {name}" for name in named.corpora]
        there_are += [f"--graph {name}" for name in named.graphs]
        raise AskError(f"name what is to be asked: {', '.join(there_are) or '--corpus or --graph'}")
    needs = {CORPUS: wish.corpus, GRAPH: wish.graph}
    systems = [system for system in workspace.systems if needs.get(system.needs)]
    answering = [system for system in systems if not wish.systems or system.name in wish.systems]
    arms = [f"{system.name}/{system.default_arm}" for system in answering]
    benchmark = ScratchBenchmark(wish.corpus or None, wish.graph or None, tuple(arms))
    graph = stage_graph(scratch_project(workspace, benchmark), workspace.systems)
    return [
        (workspace.graph.by_name[needed.stage.name], needed.key)
        for needed in graph.needed(_experiments(graph, benchmark))
        if not _is_of(needed, benchmark)
    ]


def _experiments(graph: StageGraph, benchmark: ScratchBenchmark) -> list[tuple[Stage, Key]]:
    named = (arm.partition("/")[::2] for arm in benchmark.arms)
    return [(graph.writer(PREDICTIONS, system), Key(benchmark.name, variant)) for system, variant in named]


def _is_of(needed: Needed, benchmark: ScratchBenchmark) -> bool:
    return needed.stage.scope == Scope.BENCHMARK and needed.key.name == benchmark.name


def scratch_project(workspace: Workspace, benchmark: ScratchBenchmark) -> OneQuestion:
    """Return a workspace's configuration with a scratch benchmark in it."""
    base = workspace.project
    named = {**base.sources.benchmarks, benchmark.name: benchmark.source()}
    sources = base.sources.model_copy(update={"benchmarks": named})
    root = base.lake_root or workspace.lake.uri
    return OneQuestion(sources, base.location, base.shards, root, benchmark.uri)


def scratch_workspace(workspace: Workspace, benchmark: ScratchBenchmark) -> Workspace:
    """Return a workspace whose configuration has a scratch benchmark, however lately it was begun."""
    return replace(workspace, project=scratch_project(workspace, benchmark))


class _Versions:
    """What stands of recorded inputs, each looked at once."""

    def __init__(self, lake: Lake, project: Project) -> None:
        self._lake, self._project = lake, project
        self._now: dict[PartitionVersion, PartitionVersion] = {}

    def stands(self, version: PartitionVersion) -> bool:
        """Tell whether an input is what it was when it was read."""
        return self.now(version) == version

    def now(self, version: PartitionVersion) -> PartitionVersion:
        """Return a partition or a file as it is now; with empty content where there is none."""
        from evidence_assets.lake.lake import MissingPartitionError, parsed_partition
        from evidence_assets.lake.schemas import TABLES_BY_NAME
        from evidence_assets.sources.files import contents_of
        from evidence_assets.sources.records import UnusableSourceError

        nothing = replace(version, content_hash="", files=())
        if nothing not in self._now:
            now = nothing
            # An earlier version may have read a table that there is no more.
            known = TABLES_BY_NAME.get(version.table)
            with suppress(MissingPartitionError, UnusableSourceError):
                if version.table == SOURCE_FILES:
                    content, files = contents_of(self._project.locate(version.partition))
                    now = replace(version, content_hash=content, files=files)
                elif known is not None:
                    now = self._lake.version(known, parsed_partition(version.partition))
            self._now[nothing] = now
        return self._now[nothing]


def _upstream(record: Mapping[str, Any]) -> list[PartitionVersion]:
    from evidence_assets.lake.lake import PartitionVersion

    return [
        PartitionVersion(read["table"], read["partition"], read["content_hash"])
        for read in record["upstream"]
    ]


def _join(lake: Lake, overlay: OverlayLake, beside: Lake, versions: _Versions, begun: bool) -> None:
    """Add one question's rows to its benchmark's, and record each partition as a run over all would.

    `begun`: the benchmark has questions; else what stands under its name is left of one that was removed.
    """
    from evidence_assets.lake.lake import parsed_partition
    from evidence_assets.lake.schemas import TABLES_BY_NAME

    joined = []
    for record in overlay.records:
        place = parsed_partition(record.written.version.partition)
        written, before = record.written, []
        if overlay.stands_apart(place):
            table = TABLES_BY_NAME[record.written.version.table]
            rows = beside.read(table, place)
            if begun and lake.exists(table, place):
                before = _upstream(lake.recorded(table, place) or {"upstream": []})
                rows = _with_rows(lake.read(table, place), rows, table)
            written = lake.write(table, place, rows)
        joined.append((record, written, before))
    for record, written, before in joined:
        # Of the benchmark's own partitions what stands now was read.
        upstream = {versions.now(version) for version in (*record.upstream, *before)}
        lake.record(written, upstream, record.run_id, record.code_version, record.seconds)


def _with_rows(rows: pa.Table, others: pa.Table, table: Table) -> pa.Table:
    """Return a partition's rows with others, which take the place of those that have their key."""
    import pyarrow as pa

    from evidence_assets.lake.lake import joined_partitions

    replaced = set(_keys(others, table))
    is_kept = pa.array([key not in replaced for key in _keys(rows, table)], pa.bool_())
    return joined_partitions([rows.filter(is_kept), others], table)


def _keys(rows: pa.Table, table: Table) -> Iterator[tuple[Any, ...]]:
    return zip(*(rows.column(name).to_pylist() for name in table.key), strict=True)


def _refusal(beside: Lake, benchmark: str, question: UserQuestion, folder: str) -> str:
    """Return why a question was rejected: its table cannot be read, say, or its file holds several.

    `folder`: where its files were written.
    """
    from evidence_assets.lake.schemas import REJECTED_RECORDS
    from evidence_assets.sources.questions.named_tables import table_names

    table = question.table
    if table:
        names = table_names(f"{folder}/{_QUESTIONS}/{table.place}")
        if len(names) > 1 and all(names) and table.part not in names:
            holds = f"no table {table.part!r}" if table.part else f"{len(names)} tables"
            meant = f'--table "{table.uri or table.name}#{names[0]}"'
            return f"{table.name} holds {holds}; remedy: name one of {', '.join(names)}, the first by {meant}"
    rows = beside.read(REJECTED_RECORDS, {"source": benchmark}).to_pylist()
    reason = "; ".join(f"{row['reason']}; remedy: {row['remedy']}" for row in rows)
    # A person knows the file by its name, not by its place in the lake.
    return reason.replace(table.place, table.name) if table else reason


def _table_file(path: Path, folder: Path) -> AskedTable:
    """Return the table that a path names, `FILE` or `FILE#PART`.

    `folder`: that of the configuration, which would write a path below it from there on.
    """
    name, _, part = path.name.partition("#")
    named = bool(name and part and not path.exists())
    file, part = (path.with_name(name), part) if named else (path, "")
    try:
        whole, base = (Path(os.path.normpath(Path.cwd() / path)) for path in (file, folder))
        uri = whole.relative_to(base) if whole.is_relative_to(base) else whole
        return AskedTable(file.name, file.read_bytes(), part, uri.as_posix())
    except IsADirectoryError as error:
        raise AskError(
            f"{file}: it is a folder; remedy: name a file of a table in it (.csv, .xlsx, …)"
        ) from error
    except OSError as error:
        reason = "there is no such file" if isinstance(error, FileNotFoundError) else error.strerror
        raise AskError(f"{file}: {reason}; remedy: name a file of a table (.csv, .xlsx, …)") from error


def _not_materialised(needed: Needed, benchmark: ScratchBenchmark) -> str:
    scope = "corpus" if needed.stage.scope in (Scope.SHARD, Scope.CORPUS) else "graph"
    name = benchmark.corpus if scope == "corpus" else benchmark.graph
    named = " ".join(f"--system {system}" for system in benchmark.systems)
    return (
        f"{scope} {name} is not materialised ({needed.stage.name} is missing); remedy: "
        f"evidence-assets prepare --{scope} {name} {named}"
    )
