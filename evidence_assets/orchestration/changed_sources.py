"""Which files changed since what a benchmark's answers rest on was read from them: told beside the answers.

Of the benchmark's questions, corpus and graph alone, each partition's record by itself: all that `status`
looks at takes longer than many an answer.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any

from evidence_assets.sources.project import LAKE_PROTOCOL
from evidence_assets.sources.records import MissingFileError, UnusableSourceError
from evidence_assets.sources.scratch_benchmarks import table_files
from evidence_assets.sources.source_fingerprints import KeptFingerprints, source_files, source_fingerprint
from evidence_assets.sources.specifications import ConfigurationError
from evidence_assets.sources.uris import is_remote
from evidence_assets.stages.declaration import Key, Stage
from evidence_assets.stages.file_changes import GONE, UNREADABLE, changed_files, file_change
from evidence_assets.stages.inputs import SOURCE_FILES
from evidence_assets.text.visible import visible

if TYPE_CHECKING:
    from evidence_assets.orchestration.workspace import Workspace
    from evidence_assets.sources.project import Project
    from evidence_assets.stages.freshness import Freshness
    from evidence_assets.stages.graph import Needed

_MEMORY = "source_fingerprints.json"
_NAMED = 3


def changed_sources(workspace: Workspace, benchmark: str, arms: Iterable[str]) -> list[str]:
    """Return what became of files since arms' answers to a benchmark were made ready: "file X changed".

    `arms`: each as `system/arm`. Files on other machines are not asked. Nothing is told of what the
    configuration does not name any more.
    """
    project, graph = workspace.project, workspace.graph
    wanted, files = _experiments(workspace, benchmark, arms), source_files(project)
    with KeptFingerprints(workspace.models.cache / _MEMORY) as memory:
        now = source_fingerprint(project, memory)
        changes = [
            file_change(uri, before, now(part.stage, part.key, uri), partial(_which, files, record, uri))
            for part in graph.needed(wanted)
            if part.stage.files and not part.stage.models
            for record, uri, before in _files_read(workspace, part)
            if _is_here(project, uri)
        ]
    return list(dict.fromkeys(filter(None, changes)))


def changed_tables(workspace: Workspace, benchmark: str, question_id: str = "") -> list[str]:
    """Return what became of the files that people asked, of which the lake keeps copies: "file X changed".

    `question_id`: of this question's file alone. Benchmarks that the configuration itself names have none.
    """
    project = workspace.project
    source = project.sources.benchmarks.get(benchmark)
    if source is None or not source.uri.startswith(LAKE_PROTOCOL):
        return []
    changes = [
        file_change(uri, before, _fingerprint_now(project, uri))
        for uri, before in table_files(workspace.lake, benchmark, question_id)
    ]
    return list(dict.fromkeys(filter(None, changes)))


def _fingerprint_now(project: Project, uri: str) -> str | None:
    from evidence_assets.sources.files import fingerprint

    try:
        return fingerprint(project.locate(uri))
    except MissingFileError:
        return GONE
    except UnusableSourceError:
        return UNREADABLE
    except ConfigurationError:
        # It may not be read any more: what it holds cannot be told.
        return None


def lake_freshness(workspace: Workspace) -> Freshness:
    """Return what tells, for as many benchmarks as are asked about, what of the lake itself is otherwise."""
    from evidence_assets.stages.freshness import Freshness

    return Freshness(workspace.lake, workspace.graph, workspace.models, None)


def outdated(workspace: Workspace, freshness: Freshness, benchmark: str, arms: Iterable[str]) -> list[str]:
    """Return what of the lake is otherwise since arms' answers were made of it: "chunks x changed".

    So it is after a run that was stopped before it came to them. `freshness`: as `lake_freshness` makes it.
    """
    wanted = workspace.graph.needed(_experiments(workspace, benchmark, arms))
    statuses = freshness.statuses(wanted, to_be_made=False)
    reasons = [
        status.reason if status.is_outdated else f"what is read of {status.key.text} changed"
        for status in statuses
        if status.is_outdated or (status.is_reconfigured and status.stage.files)
    ]
    return list(dict.fromkeys(reasons))


def _experiments(workspace: Workspace, benchmark: str, arms: Iterable[str]) -> list[tuple[Stage, Key]]:
    """Return the partitions of those arms that the configuration names."""
    if benchmark not in workspace.project.sources.benchmarks:
        return []
    wanted = []
    for system, _, arm in (named.partition("/") for named in arms):
        stage, key = workspace.graph.by_name.get(system), Key(benchmark, arm)
        if stage is not None and arm in (stage.variants or ()) and stage.problem(key) is None:
            wanted.append((stage, key))
    return wanted


def in_one_line(changes: Sequence[str]) -> str:
    """Return a line that tells what `changed_sources` or `outdated` returned, with the remedy."""
    return (
        f"note: the inputs are stale: {_listed(changes)} since it was read; remedy: `evidence-assets retract "
        "--edited` shows what rests on it, and makes it anew with --apply"
    )


def tables_in_one_line(changes: Sequence[str]) -> str:
    """Return a line that tells what `changed_tables` returned, with the remedy."""
    return (
        f"note: the answer is from a copy: {_listed(changes)} since it was asked; remedy: ask again, and the "
        "file is read anew"
    )


def _listed(changes: Sequence[str]) -> str:
    further = f" and {len(changes) - _NAMED} more" if len(changes) > _NAMED else ""
    return visible(", ".join(changes[:_NAMED])) + further


def _which(files: Callable[[str], Mapping[str, str]], record: Mapping[str, Any], uri: str) -> str:
    return changed_files(record, uri, files(uri))


def _files_read(workspace: Workspace, part: Needed) -> Iterator[tuple[Mapping[str, Any], str, str]]:
    """Yield each record of what stands of a partition, with a file that was read and what it held."""
    lake, layout = workspace.lake, workspace.graph.layout
    for table in part.tables:
        place = layout.place(table, part.stage, part.key)
        if tuple(place) == table.partition_columns:
            places = [place] if lake.exists(table, place) else []
        else:
            places = [
                kept for kept in lake.partitions(table) if layout.covers(kept, table, part.stage, part.key)
            ]
        for record in (lake.recorded(table, standing) for standing in places):
            for read in record["upstream"] if record else ():
                if record and read["table"] == SOURCE_FILES:
                    yield record, read["partition"], read["content_hash"]


def _is_here(project: Project, uri: str) -> bool:
    try:
        return not is_remote(project.locate(uri))
    except ConfigurationError:
        # A variable of its address is not set: what it held cannot be told.
        return False
