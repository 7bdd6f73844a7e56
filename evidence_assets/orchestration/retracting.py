"""Sources that fall: what rests on them, and what depends on them made anew, exactly that."""

from __future__ import annotations

import tempfile
import uuid
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from itertools import groupby
from typing import TYPE_CHECKING

from evidence_assets.audit.former_articles import former_articles
from evidence_assets.lake import catalogue
from evidence_assets.lake.schemas import ARTICLES, QUESTIONS, TABLES, TRIPLES
from evidence_assets.orchestration.retraction_outcomes import Outcome, answers_of, outcome_of, rejections_of
from evidence_assets.orchestration.workspace import Workspace
from evidence_assets.sources.retractions import ARTICLE, TABLE, TRIPLE, Retraction, change_retractions
from evidence_assets.stages.declaration import Key, Stage
from evidence_assets.stages.freshness import State
from evidence_assets.text.suggestions import UnknownNameError

if TYPE_CHECKING:
    from evidence_assets.orchestration.retraction_outcomes import Answers, Rejections
    from evidence_assets.stages.graph import Needed

# What a key may name: its kind, where it is read for, its id and its name.
_NAMED = """
SELECT DISTINCT 'article' AS kind, shard AS place, article_id AS key, source_key AS name FROM articles
WHERE $1 IN (article_id, source_key)
UNION SELECT DISTINCT 'triple', kg, triple_id, concat_ws(' ', head, relation, tail) FROM triples
WHERE triple_id = $1
UNION SELECT DISTINCT 'table', source, table_id, key FROM tables WHERE $1 IN (table_id, key)
ORDER BY ALL
"""
# What a key is compared with that names nothing; ids are hashes, and near to none.
_NAMES = "SELECT source_key FROM articles UNION SELECT key FROM tables"
# An article goes by its key, and people know its title.
_TITLED = "SELECT DISTINCT source_key FROM articles WHERE lower(title) = lower($1) ORDER BY ALL LIMIT 3"
_RESTING = (
    "SELECT DISTINCT prediction_id, system, arm, benchmark, question_id, predicted, role FROM impact(?)"
)
_ANSWERING = """
SELECT prediction_id, system, arm, benchmark, question_id, predicted FROM predictions WHERE benchmark = ?
"""
_WRITERS = {ARTICLE: ARTICLES, TRIPLE: TRIPLES, TABLE: TABLES}


class RetractionError(UnknownNameError):
    """A key that names nothing that can be retracted."""


@dataclass(frozen=True, slots=True)
class Resting:
    """A prediction that rests on something: whose, to which question, and whether that was cited."""

    prediction_id: str
    system: str
    arm: str
    benchmark: str
    question_id: str
    predicted: str | None
    cited: bool


@dataclass(frozen=True, slots=True)
class Plan:
    """What a change of sources concerns.

    `retracted`: what the lake would leave out; `listed`: what it leaves out now. `resting`: predictions that
    were given or cite it. `read_anew`: the partitions that sources are read into. `partitions`: these, what
    is outdated besides, and what stands below them, what is read before what reads it; what comes out as it
    was ends there. `predictions`: how many they hold. `edits`: which files changed, as `file_change` tells.
    `already`: the keys of what was retracted before, and is in the lake no more.
    """

    retracted: tuple[Retraction, ...]
    listed: frozenset[Retraction]
    resting: tuple[Resting, ...]
    read_anew: frozenset[tuple[str, Key]]
    partitions: tuple[Needed, ...]
    predictions: int = 0
    edits: tuple[str, ...] = ()
    already: tuple[str, ...] = ()

    @classmethod
    def of(
        cls,
        workspace: Workspace,
        retracted: Iterable[Retraction],
        resting: Iterable[Resting],
        read_anew: Iterable[tuple[Stage, Key]],
        outdated: Iterable[tuple[str, Key]] = (),
    ) -> Plan:
        """Return the plan of what stands below the partitions that are read anew, or are outdated."""
        roots = frozenset((stage.name, key) for stage, key in read_anew)
        below = tuple(_downstream(workspace, roots.union(outdated)))
        predictions = len(answers_of(workspace, below))
        listed = workspace.project.retractions.every
        return cls(tuple(sorted(retracted)), listed, _distinct(resting), roots, below, predictions)


def retraction_plan(workspace: Workspace, keys: Sequence[str], restores: bool = False) -> Plan:
    """Return what a retraction of articles, triples or tables concerns.

    `keys`: ids, an article's key in its source, a table's key. `restores`: they are read again.

    Raises:
        RetractionError: a key names none.
    """
    there = workspace.project.retractions.every
    keys = list(dict.fromkeys(keys))
    already = [] if restores else [key for key in keys if _is_left_out(workspace, key)]
    named = [
        _restored(key, there) if restores else _named(workspace, key) for key in keys if key not in already
    ]
    retracted = sorted({retraction for of_key in named for retraction in of_key})
    every = there.difference(retracted) if restores else there.union(retracted)
    resting = [row for retraction in retracted for row in _resting(workspace, retraction.key)]
    roots = [
        (workspace.graph.writer(_WRITERS[retraction.kind]), Key(retraction.place)) for retraction in retracted
    ]
    return replace(Plan.of(workspace, every, resting, roots), already=tuple(already))


def edit_plan(workspace: Workspace) -> Plan:
    """Return what files that were edited since they were read concern, and what a stopped run left.

    So does what is read of them otherwise now: a retraction that was killed has listed what it left out.
    Which of a file's records changed is known when it is read again: what rests on any of them is listed.
    """
    freshness = workspace.freshness()
    standing = list(_standing(workspace))
    read = [(needed, freshness.status(needed.stage, needed.key)) for needed in standing if needed.stage.files]
    edits = {
        (needed.stage, needed.key): freshness.file_changes(needed.stage, needed.key) for needed, _ in read
    }
    roots = [
        (needed.stage, needed.key)
        for needed, status in read
        if status.rests_on_changed_file
        or status.is_reconfigured
        or (TABLES in needed.stage.tables and _reads_otherwise(workspace, needed))
    ]
    # A question names its table by what the table holds.
    questions = workspace.graph.writer(QUESTIONS)
    roots += [(questions, key) for stage, key in roots if TABLES in stage.tables]
    uris = {uri for stage, key in roots for uri in _uris(workspace, stage, key)}
    # A table stands in a file of its own, beside that of the questions.
    uris.update(uri for (stage, _), changes in edits.items() if TABLES in stage.tables for uri in changes)
    resting = [row for uri in sorted(uris) for row in _resting(workspace, uri)]
    for name in sorted({key.name for stage, key in roots if stage is questions}):
        resting += _answering(workspace, name)
    outdated = [
        (needed.stage.name, needed.key)
        for needed in standing
        if freshness.status(needed.stage, needed.key, needed.tables).is_outdated
    ]
    plan = Plan.of(workspace, workspace.project.retractions.every, resting, roots, outdated)
    changes = [change for of_files in edits.values() for change in of_files.values()]
    return replace(plan, edits=tuple(dict.fromkeys(changes)))


def carry_out(
    workspace: Workspace, plan: Plan, report: Callable[[str, str], None] = lambda stage, key: None
) -> Outcome:
    """Make what a plan concerns anew, as far as what it reads has changed; return what differs since.

    `report`: called with the stage and partition of each that was made. Where it fails, what was not read
    without what is retracted is not listed as retracted either.
    """
    from evidence_assets.stages.execution import Run, make_partition
    from evidence_assets.stages.inputs import RunCache

    def standing() -> tuple[Answers, Rejections]:
        return answers_of(workspace, plan.partitions), rejections_of(workspace, plan.read_anew)

    before = standing()
    run = Run(workspace.lake, workspace.graph, workspace.models, f"retraction-{uuid.uuid4().hex}")
    with _listed(workspace, plan) as made:
        for name, parts in groupby(plan.partitions, key=lambda needed: needed.stage.name):
            # What was made a moment ago is recorded by now.
            freshness = workspace.freshness()
            for needed in parts:
                fresh = freshness.status(needed.stage, needed.key, needed.tables).state == State.FRESH
                if not fresh or (name, needed.key) in plan.read_anew:
                    make_partition(needed.stage, needed.key, replace(run, cache=RunCache()), needed.tables)
                    if (name, needed.key) not in made:
                        # Tables of one stage may be made by themselves.
                        report(name, needed.key.text)
                    made.add((name, needed.key))
    after = standing()
    return outcome_of((before[0], after[0]), (before[1], after[1]))


@contextmanager
def _listed(workspace: Workspace, plan: Plan) -> Iterator[set[tuple[str, Key]]]:
    """List what is retracted while the block reads sources without it; it adds which partitions it made.

    Where it fails, the list is put back for the partitions that were not made: the same command can then be
    given again.
    """
    added, removed = frozenset(plan.retracted) - plan.listed, plan.listed.difference(plan.retracted)
    made: set[tuple[str, Key]] = set()
    if added or removed:
        change_retractions(workspace.lake, added, removed)
    try:
        yield made
    except BaseException:
        unmade = {every for every in added | removed if _root(workspace, every) not in made}
        change_retractions(workspace.lake, removed & unmade, added & unmade)
        raise


def _root(workspace: Workspace, retraction: Retraction) -> tuple[str, Key]:
    """Return which stage reads what is retracted, and the partition."""
    return workspace.graph.writer(_WRITERS[retraction.kind]).name, Key(retraction.place)


def _is_left_out(workspace: Workspace, key: str) -> bool:
    """Tell whether a key names what is listed as retracted, and nothing that the lake holds."""
    if not any(key in (listed.key, listed.name) for listed in workspace.project.retractions.every):
        return False
    with catalogue.connect(workspace.lake) as connection:
        return connection.execute(_NAMED, [key]).fetchone() is None


def _named(workspace: Workspace, key: str) -> list[Retraction]:
    with catalogue.connect(workspace.lake) as connection:
        rows = connection.execute(_NAMED, [key]).fetchall()
    named = [Retraction(*row) for row in rows]
    read = [retraction for retraction in named if _is_read(workspace, retraction)]
    if named and not read:
        mined = ", ".join(sorted(retraction.place for retraction in named))
        raise RetractionError(
            "source of a graph",
            [key],
            (),
            f"sources.yaml names no graph {mined}; remedy: of what was mined, change the seeds of its "
            "relation, or name the triple of a graph that reads it",
        )
    if not read:
        raise _unknown(workspace, key)
    return read


def _unknown(workspace: Workspace, key: str) -> RetractionError:
    """Return what is said of a key that names nothing: whether it did, or is a title, and what is near."""
    with catalogue.connect(workspace.lake) as connection:
        former = former_articles(workspace.lake, connection, key)
        titled, known = (
            [name for (name,) in connection.execute(sql, values).fetchall()]
            for sql, values in ((_TITLED, [key]), (_NAMES, []))
        )
    if former:
        resting = {row.prediction_id for article in former for row in _resting(workspace, article)}
        listed = (
            f"there was one, until it was renamed, removed or left out, and {len(resting)} predictions rest "
            "on what it said; remedy: make these anew, by `evidence-assets retract --edited --apply`"
        )
        return RetractionError("article", [key], (), listed)
    if titled:
        listed = f"of that title there is {', '.join(titled)}; remedy: name it so"
        return RetractionError("article that goes by", [key], (), listed)
    listed = (
        "remedy: take an id from the views articles, triples or tables, or from what `evidence-assets trace` "
        "prints; a retraction that was stopped goes on by `evidence-assets retract --edited --apply`"
    )
    return RetractionError("article, triple or table", [key], known, listed)


def _is_read(workspace: Workspace, retraction: Retraction) -> bool:
    """Tell whether something is read that can be read without it: no graph reads a triple that was mined."""
    if retraction.kind != TRIPLE:
        return True
    stage = workspace.graph.writer(TRIPLES)
    return Key(retraction.place) in workspace.graph.layout.keys(stage)


def _restored(key: str, there: Iterable[Retraction]) -> list[Retraction]:
    """Return what was retracted under an id or a name; where it was is all else that is known of it."""
    named = [retraction for retraction in there if key in (retraction.key, retraction.name)]
    if not named:
        known = sorted({retraction.name or retraction.key for retraction in there})
        raise RetractionError("retracted source", [key], known, f"retracted are {', '.join(known) or 'none'}")
    return named


def _resting(workspace: Workspace, key: str) -> Iterator[Resting]:
    import duckdb

    with catalogue.connect(workspace.lake) as connection:
        try:
            rows = connection.execute(_RESTING, [key]).fetchall()
        except duckdb.InvalidInputException as error:
            # Nothing rests on what was retracted, nor on a file of which nothing could be read.
            if f"no source {key} " not in str(error):
                raise
            rows = []
        for row in rows:
            prediction_id, system, arm, benchmark, question_id, predicted, role = row
            yield Resting(prediction_id, system, arm, benchmark, question_id, predicted, role == "cited")


def _answering(workspace: Workspace, benchmark: str) -> Iterator[Resting]:
    """Yield the predictions that answer a benchmark's questions: each rests on its question, and its key."""
    with catalogue.connect(workspace.lake) as connection:
        for row in connection.execute(_ANSWERING, [benchmark]).fetchall():
            prediction_id, system, arm, _, question_id, predicted = row
            yield Resting(prediction_id, system, arm, benchmark, question_id, predicted, cited=False)


def _distinct(resting: Iterable[Resting]) -> tuple[Resting, ...]:
    """Return each prediction once, as citing what it rests on if it does anywhere."""
    of_prediction: dict[str, Resting] = {}
    for row in resting:
        if row.cited or row.prediction_id not in of_prediction:
            of_prediction[row.prediction_id] = row
    order = ("benchmark", "system", "arm", "question_id")
    return tuple(sorted(of_prediction.values(), key=lambda row: [getattr(row, name) for name in order]))


def _standing(workspace: Workspace) -> Iterator[Needed]:
    """Yield every partition that was made, what is read before what reads it."""
    freshness = workspace.freshness()
    for needed in workspace.every_partition():
        if freshness.status(needed.stage, needed.key, needed.tables).state != State.MISSING:
            yield needed


def _reads_otherwise(workspace: Workspace, needed: Needed) -> bool:
    """Tell whether a benchmark's tables give other rows now: their files are not watched themselves."""
    from evidence_assets.lake.lake import Lake
    from evidence_assets.lake.overlay import OverlayLake
    from evidence_assets.stages.execution import Run, make_partition

    place = {"source": needed.key.name}
    with tempfile.TemporaryDirectory(prefix="evidence-assets-") as folder:
        beside = Lake(folder)
        overlay = OverlayLake(workspace.lake, beside, needed.key.name)
        make_partition(needed.stage, needed.key, Run(overlay, workspace.graph, workspace.models))
        return beside.version(TABLES, place) != workspace.lake.version(TABLES, place)


def _downstream(workspace: Workspace, roots: Iterable[tuple[str, Key]]) -> Iterator[Needed]:
    """Yield the partitions that were made of these, by stage and key, these included, in order."""
    reached = set(roots)
    for needed in _standing(workspace):
        name = (needed.stage.name, needed.key)
        if name not in reached:
            upstream = workspace.graph.upstream(needed.stage, needed.key)
            if not any((source.producer.name, key) in reached for source, keys in upstream for key in keys):
                continue
            reached.add(name)
        yield needed


def _uris(workspace: Workspace, stage: Stage, key: Key) -> list[str]:
    project = workspace.project
    if stage.tables[0] is ARTICLES:
        return [project.shards[key.name].written_uri]
    if TRIPLES in stage.tables:
        return [key.name]
    return [project.benchmark(key.name).uri]
