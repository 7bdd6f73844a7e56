"""What is missing beside the scores of a benchmark: questions, scores, and records of its sources."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING

from evidence_assets.audit.counting import counted
from evidence_assets.sources.rejections import kind_of_reason
from evidence_assets.text.shortening import shortened
from evidence_assets.text.visible import visible

if TYPE_CHECKING:
    import duckdb

NAME_WIDTH = 34
_ARMS_SHOWN = 3
_REASONS_SHOWN = 3


def why_unscored(connection: duckdb.DuckDBPyConnection, benchmark: str) -> str:
    """Return who answered a benchmark of which no figure stands, and why none does; empty if nobody did."""
    rows = connection.execute(
        "SELECT system || '/' || arm, count(*) FILTER (gold IS NOT NULL) FROM predictions "
        "WHERE benchmark = ? GROUP BY ALL ORDER BY ALL",
        [benchmark],
    ).fetchall()
    if not rows:
        return ""
    names = shortened([name for name, _ in rows], NAME_WIDTH)
    more = f" and {len(names) - _ARMS_SHOWN} more" if len(names) > _ARMS_SHOWN else ""
    answered = f"answered by {', '.join(names[:_ARMS_SHOWN])}{more}"
    if any(with_key for _, with_key in rows):
        return f"{answered}, and not scored yet; remedy: evidence-assets demo {benchmark}"
    return f"{answered}; without keys nothing is scored"


# Who answered a benchmark, by the records and by what stands: rows that are recorded and do not stand were in
# a file that was removed. Who read no question left an empty one.
_RUNS = """
    WITH recorded AS (
        SELECT url_decode(regexp_extract(partition, 'system=([^/]+)', 1)) AS system,
            url_decode(regexp_extract(partition, 'arm=([^/]+)', 1)) AS arm,
            arg_max(rows, materialized_at) AS answers
        FROM materializations
        WHERE "table" = 'predictions' AND url_decode(regexp_extract(partition, 'benchmark=([^/]+)', 1)) = $1
        GROUP BY ALL
    ),
    standing AS (SELECT DISTINCT system, arm FROM predictions WHERE benchmark = $1),
"""
_REMOVED = f"""
    {_RUNS}
    removed AS (FROM recorded ANTI JOIN standing USING (system, arm) WHERE answers > 0)
    SELECT system || '/' || arm FROM removed ORDER BY ALL
"""  # noqa: S608 - of constants alone
_UNREAD = f"""
    {_RUNS}
    runs AS (SELECT system, arm FROM recorded WHERE answers = 0 UNION FROM standing),
    unread AS (
        SELECT system, arm, len(options) > 0 AS offers, table_id IS NOT NULL AS has_table
        FROM runs CROSS JOIN questions
        ANTI JOIN predictions
            ON predictions.system = runs.system
            AND predictions.arm = runs.arm
            AND predictions.benchmark = questions.benchmark
            AND predictions.question_id = questions.question_id
        WHERE questions.benchmark = $1
    )
    SELECT system || '/' || arm, count(*), count(*) FILTER (offers), count(*) FILTER (has_table)
    FROM unread GROUP BY ALL ORDER BY ALL
"""  # noqa: S608 - of constants alone


def removed_answers(connection: duckdb.DuckDBPyConnection, benchmark: str) -> list[str]:
    """Return whose predictions on a benchmark were removed from the lake, a line an arm, with the remedy."""
    return [
        f"{arm}: its predictions were removed from the lake; remedy: evidence-assets demo {benchmark} "
        f"--arms {arm}"
        for (arm,) in connection.execute(_REMOVED, [benchmark]).fetchall()
    ]


def unread_by(connection: duckdb.DuckDBPyConnection, benchmark: str) -> list[str]:
    """Return which arms left questions out, how many, and what these are; the arms alike in that together."""
    alike: dict[tuple[int, int, int], list[str]] = {}
    for arm, *counts in connection.execute(_UNREAD, [benchmark]).fetchall():
        alike.setdefault((counts[0], counts[1], counts[2]), []).append(arm)
    lines = []
    for (unread, offering, with_table), arms in alike.items():
        more = f" and {len(arms) - 1} more" if len(arms) > 1 else ""
        kinds = {"with options": offering, "without options": unread - offering, "on tables": with_table}
        of_kinds = ", ".join(f"{count:,} {kind}" for kind, count in kinds.items() if count)
        lines.append(f"{arms[0]}{more}: {counted(unread, 'question')} left out ({of_kinds})")
    return lines


# What the benchmark's partitions were made from tells which shards and graphs are its own.
_LEFT_OUT = """
    WITH upstream AS (
        SELECT unnest(upstream) AS source FROM materializations
        WHERE "table" IN ('gold_chunks', 'question_concepts', 'graph_nodes', 'chunk_pools')
            AND (partition = 'benchmark=' || $1)
    ),
    read AS (
        SELECT $1 AS source
        UNION SELECT regexp_extract(source.partition, 'shard=([^/]+)', 1) FROM upstream
            WHERE source.table IN ('articles', 'chunks')
        UNION SELECT 'graph:' || regexp_extract(source.partition, 'kg=([^/]+)', 1) FROM upstream
            WHERE source.table IN ('graph_nodes', 'graph_aliases', 'triples')
    )
    SELECT rejected_records.source, reason, sum(coalesce(records, 1))::BIGINT AS total
    FROM rejected_records SEMI JOIN read USING (source)
    GROUP BY ALL ORDER BY rejected_records.source, total DESC, reason
"""


_LEFT_OUT_OF = """
    SELECT source, reason, sum(coalesce(records, 1))::BIGINT AS total
    FROM rejected_records WHERE source IN (SELECT unnest($1))
    GROUP BY ALL ORDER BY source, total DESC, reason
"""


def left_out_of_sources(connection: duckdb.DuckDBPyConnection, benchmark: str) -> Iterator[str]:
    """Yield what was left out of the sources that a benchmark rests on, with the commonest reasons."""
    yield from _told(connection.execute(_LEFT_OUT, [benchmark]).fetchall())


def left_out_of(connection: duckdb.DuckDBPyConnection, sources: Sequence[str]) -> Iterator[str]:
    """Yield what was left out of sources, by the names that rejected_records has, as for a benchmark."""
    yield from _told(connection.execute(_LEFT_OUT_OF, [list(sources)]).fetchall())


def _told(rows: Iterable[tuple[str, str, int]]) -> Iterator[str]:
    by_source: dict[str, dict[str, list[tuple[str, int]]]] = {}
    for source, reason, records in rows:
        of_source = by_source.setdefault(source, {})
        of_source.setdefault(kind_of_reason(reason), []).append((reason, records))
    for source, kinds in by_source.items():
        by_kind = [
            (kind if len(alike) > 1 else alike[0][0], sum(records for _, records in alike))
            for kind, alike in kinds.items()
        ]
        by_kind.sort(key=lambda kind: -kind[1])
        count = sum(records for _, records in by_kind)
        yield f"left out of {source}: {counted(count, 'record')}"
        # A line for one further reason would take as much room as the reason.
        shown = len(by_kind) if len(by_kind) == _REASONS_SHOWN + 1 else _REASONS_SHOWN
        for reason, records in by_kind[:shown]:
            yield f"  {records:,}: {visible(reason)}"
        if others := by_kind[shown:]:
            yield f"  {sum(records for _, records in others):,}: for {len(others)} other reasons"
    if by_source:
        yield "each with its place and remedy in the view rejected_records"
