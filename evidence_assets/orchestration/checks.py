"""Asset checks made from the tables' declarations: a table is guarded by being declared.

Each asset that writes a table gets a blocking check of its rows (schema, order and uniqueness of the key)
and of its references (every id it names exists); chunks also get their offsets checked against the
articles, predictions their lineage, ranked answers theirs, and what a model states is kept apart from what a
graph does. A check that blocks nothing tells how many predictions of language models
are still to be asked for.
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

import dagster as dg

from evidence_assets.lake.schemas import Table
from evidence_assets.orchestration.assets import asset_key, operation_name, partitions_of_run
from evidence_assets.orchestration.failures import outages_told
from evidence_assets.orchestration.resources import LakeResource
from evidence_assets.stages.declaration import Key, Stage
from evidence_assets.stages.graph import StageGraph

if TYPE_CHECKING:
    from evidence_assets.lake.lake import Lake

_FINDINGS_SHOWN = 20
# Of each partition that a check looked at whether its rows were refused, among an evaluation's metadata.
REFUSED = "refused"
# What stands in the rows is what happened: nothing that follows is wrong, it is less than it could be.
KEEPS_UP = "keeps_up"
_WARNINGS = frozenset({"every_request_has_a_reply", KEEPS_UP})


def table_checks(graph: StageGraph) -> list[dg.AssetChecksDefinition]:
    """Return the checks of every table, those that would poison what follows blocking; an op a stage."""
    return [_checks_of(graph, stage) for stage in graph.stages]


def checks_of_table(table: Table) -> dict[str, str]:
    """Return the checks of a table, each with what it holds."""
    names = {"rows_fit_declaration": "Columns, types, nulls, and rows sorted and unique by key."}
    if table.references:
        names["references_resolve"] = "Every id that a row names exists in its table."
    if table.name == "chunks":
        names["offsets_are_exact"] = "article.text[char_start:char_end] is the chunk's text."
    if table.name == "evidence":
        names["sources_stand"] = (
            "Every chunk, triple and document that evidence was taken from still says what it said."
        )
        names["kinds_are_true"] = "No triple that a model stated passes for one of a graph."
    if table.name == "generated_triples":
        names["no_graph_holds_them"] = "No triple that a model stated stands among a graph's."
    if table.name == "ranked_answers":
        names["ranking_is_sound"] = "Answers stand in the order of their scores, on evidence that exists."
    if table.name in ("evidence_pages", "scoreboard_pages"):
        names["files_stand"] = "Every page that a row names is there, with the bytes that were written."
    if table.name == "predictions":
        names["lineage_is_complete"] = "Every answer names the evidence it was given; every citation exists."
        names["every_request_has_a_reply"] = (
            "No prediction of a language model lacks its reply because of the set-up: no server, a wrong "
            "model, a rejected request, too busy, too late. Such are asked again by materialising again."
        )
    names[KEEPS_UP] = (
        "No partition has failed twice: such are requested no more until what they are made from changes."
    )
    return names


def blocks(name: str) -> bool:
    """Tell whether a check that fails keeps what follows from being made."""
    return name not in _WARNINGS


def _checks_of(graph: StageGraph, stage: Stage) -> dg.AssetChecksDefinition:
    checks = {
        dg.AssetCheckKey(asset_key(stage, table), name): (table, description)
        for table in stage.tables
        for name, description in checks_of_table(table).items()
    }
    # Without partitions of its own: Dagster records a check of several partitions in one run as one of none,
    # and across runs would wait for each partition for ever. The check looks at the run's partitions itself.
    specs = [
        dg.AssetCheckSpec(key.name, asset=key.asset_key, description=description, blocking=blocks(key.name))
        for key, (_, description) in checks.items()
    ]

    @dg.multi_asset_check(name=f"{operation_name(stage)}_checks", specs=specs, can_subset=True)
    def run_checks(context: dg.AssetCheckExecutionContext, lake: LakeResource) -> Any:
        with outages_told(lake.uri):
            opened = lake.open()
            keys = [Key.of(partition) for partition in partitions_of_run(context)]
            for check, (table, _) in checks.items():
                if check not in context.selected_asset_check_keys:
                    continue
                places = {key.text: places_of(opened, graph, stage, table, key) for key in keys}
                findings_of = {
                    key: [finding for place in of_key for finding in find(check.name, opened, table, place)]
                    for key, of_key in places.items()
                }
                findings = [finding for of_key in findings_of.values() for finding in of_key]
                refused = {key: bool(of_key) for key, of_key in findings_of.items()}
                yield dg.AssetCheckResult(
                    asset_key=check.asset_key,
                    check_name=check.name,
                    passed=not findings,
                    severity=severity(check.name),
                    metadata=shown(findings, sum(map(len, places.values())), refused),
                )

    return run_checks


def places_of(lake: "Lake", graph: StageGraph, stage: Stage, table: Table, key: Key) -> list[dict[str, str]]:
    """Return the lake's partitions of a table that a stage's partition stands for."""
    place = graph.layout.place(table, stage, key)
    if tuple(place) == table.partition_columns:
        return [place]
    return [place for place in lake.partitions(table) if graph.layout.covers(place, table, stage, key)]


def severity(name: str) -> dg.AssetCheckSeverity:
    """Return how bad it is that a check fails."""
    return dg.AssetCheckSeverity.ERROR if blocks(name) else dg.AssetCheckSeverity.WARN


def find(name: str, lake: "Lake", table: Table, place: Mapping[str, str]) -> Iterator[tuple[str, str]]:
    """Yield what a check finds in a partition of the lake, after the partition's name."""
    from evidence_assets.audit.integrity import OF_ANY_TABLE, OF_ONE_TABLE
    from evidence_assets.lake.lake import partition_name

    if name == KEEPS_UP:
        # Whoever evaluates it has just made the partition.
        return
    of_any = OF_ANY_TABLE.get(name)
    problems = OF_ONE_TABLE[name](lake, place) if of_any is None else of_any(lake, table, place)
    for problem in problems:
        yield partition_name(place), problem


def shown(
    findings: Sequence[tuple[str, str]], partitions: int, refused: Mapping[str, bool]
) -> dict[str, Any]:
    """Return what Dagster shows of a check's findings, each with its partition.

    `refused`: of the partitions that were looked at, by their keys, whether something was found.
    """
    lines = [f"- {partition}: {problem}" for partition, problem in findings[:_FINDINGS_SHOWN]]
    return {
        "partitions_checked": dg.MetadataValue.int(partitions),
        "findings": dg.MetadataValue.int(len(findings)),
        "first_findings": dg.MetadataValue.md("\n".join(lines) or "none"),
        REFUSED: dg.MetadataValue.json(dict(sorted(refused.items()))),
    }
