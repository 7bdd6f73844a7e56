"""Invariants of the lake, checked on the files themselves: a check yields what violates it in a partition."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc

from evidence_assets.lake import catalogue
from evidence_assets.lake.declared_rows import TableContractError, check_sorted, conform
from evidence_assets.lake.filesystem import bytes_hash
from evidence_assets.lake.ids import text_hash
from evidence_assets.lake.lake import Lake, Partition
from evidence_assets.lake.parquet import DamagedFileError, NewerLakeError
from evidence_assets.lake.schemas import (
    ARTICLES,
    CHAINS,
    CHUNKS,
    EVIDENCE,
    GENERATED_TRIPLES,
    PREDICTION_EVIDENCE,
    PREDICTIONS,
    RANKED_ANSWERS,
    TABLES_BY_NAME,
    Reference,
    Table,
)
from evidence_assets.lake.store_failures import store_failure
from evidence_assets.models.generation.protocol import Outcome

_UNANSWERED = frozenset(str(outcome) for outcome in Outcome if not outcome.is_reply)


def check_rows(lake: Lake, table: Table, partition: Partition) -> Iterator[str]:
    """Yield where a partition's rows do not fit the declaration, or are not sorted and unique by key."""
    previous: tuple[object, ...] | None = None
    try:
        for batch in lake.scan(table, partition):
            rows = conform(batch, table)
            if rows.schema.types != batch.schema.types:
                wrong = [
                    f"{field.name} is {field.type}, not {rows.schema.field(field.name).type}"
                    for field in batch.schema
                    if field.type != rows.schema.field(field.name).type
                ]
                yield f"table {table.name}, column {', column '.join(wrong)}; remedy: write it anew"
                return
            previous = check_sorted(rows, table, previous)
    except (TableContractError, DamagedFileError, NewerLakeError) as error:
        yield str(error)
    except (pa.ArrowException, OSError) as error:
        if failure := store_failure(error, lake.uri):
            raise failure from error
        yield f"the file cannot be read: {error}; remedy: materialise the partition anew"


def check_references(lake: Lake, table: Table, partition: Partition) -> Iterator[str]:
    """Yield, for each reference, how many rows name something that does not exist, with an example."""
    with catalogue.connect(lake) as connection:
        for reference in table.references:
            path = lake.file_uri(table, partition)
            named = ", ".join(f"'{column}': ours.{column}" for column in reference.columns)
            not_null = " AND ".join(f"ours.{column} IS NOT NULL" for column in reference.columns)
            theirs, place = _named_rows(lake, reference, table, partition)
            query = (
                f"SELECT count(*), min({{{named}}}) "  # noqa: S608
                "FROM read_parquet($path, hive_partitioning = false) AS ours "
                f"ANTI JOIN {theirs} AS theirs ON {_equal(reference)} "
                f"WHERE {not_null}"
            )
            [(count, example)] = connection.execute(query, {"path": path, **place}).fetchall()
            if count:
                yield (
                    f"{count} rows name no row of {reference.table}, such as {example}; remedy: materialise "
                    f"{reference.table} first, then {table.name}"
                )


def _named_rows(
    lake: Lake, reference: Reference, table: Table, partition: Partition
) -> tuple[str, dict[str, str]]:
    """Return what a reference's rows are among, in SQL, and its parameters.

    They are among the one partition that they can be in, where there is one, else anywhere in the table: so a
    file of another experiment, corpus or graph is not opened, and may be damaged. An experiment's evidence
    stands beside what uses it, whoever else has the same.
    """
    target = TABLES_BY_NAME[reference.table]
    named = dict(zip(reference.target, reference.columns, strict=True))
    beside = target.partition_columns == table.partition_columns
    place = {
        column: partition[named.get(column, column)]
        for column in target.partition_columns
        if named.get(column, column if beside else "") in partition
    }
    if tuple(place) != target.partition_columns:
        return target.name, {}
    if not lake.exists(target, place):
        return f"(SELECT * FROM {target.name} WHERE false)", {}  # noqa: S608
    return "read_parquet($named, hive_partitioning = false)", {"named": lake.file_uri(target, place)}


def _equal(reference: Reference) -> str:
    # Names of declared columns and tables only, never values.
    pairs = zip(reference.columns, reference.target, strict=True)
    return " AND ".join(f"ours.{column} = theirs.{target}" for column, target in pairs)


# By the table that evidence was taken from: a table that none was taken from is not opened.
_DRIFTED = (
    (
        "chunks",
        "SELECT ours.evidence_id FROM read_parquet(?, hive_partitioning = false) AS ours "
        "ANTI JOIN chunks ON chunks.chunk_id = ours.source_key AND chunks.text_hash = ours.source_version "
        "WHERE ours.source_table = 'chunks'",
    ),
    # A triple's id is the hash of what it says.
    (
        "triples",
        "SELECT ours.evidence_id FROM read_parquet(?, hive_partitioning = false) AS ours "
        "ANTI JOIN triples ON triples.triple_id = ours.source_key WHERE ours.source_table = 'triples'",
    ),
    # A table's is the hash of all that it holds.
    (
        "tables",
        "SELECT ours.evidence_id FROM read_parquet(?, hive_partitioning = false) AS ours "
        "ANTI JOIN tables ON tables.table_id = ours.source_key WHERE ours.source_table = 'tables'",
    ),
    (
        "reasoning_paths",
        "SELECT DISTINCT steps.evidence_id FROM (SELECT evidence_id, unnest(locator.triple_ids) AS triple_id "
        "FROM read_parquet(?, hive_partitioning = false) WHERE source_table = 'reasoning_paths') AS steps "
        "ANTI JOIN triples USING (triple_id)",
    ),
    (
        "node_documents",
        "SELECT ours.evidence_id FROM read_parquet(?, hive_partitioning = false) AS ours "
        "ANTI JOIN node_documents AS documents ON documents.document_id = ours.source_key "
        "AND contains(documents.text, ours.text) WHERE ours.source_table = 'node_documents'",
    ),
    # A model's triple is found in its reply too.
    (
        "generated_triples",
        "SELECT ours.evidence_id FROM read_parquet(?, hive_partitioning = false) AS ours ANTI JOIN "
        "(SELECT generated_triple_id FROM generated_triples LEFT JOIN generations USING (request_hash) "
        "WHERE request_hash IS NULL OR generator IS NOT NULL) AS stated "
        "ON stated.generated_triple_id = ours.source_key WHERE ours.source_table = 'generated_triples'",
    ),
    (
        "questions",
        "SELECT ours.evidence_id FROM read_parquet(?, hive_partitioning = false) AS ours "
        "ANTI JOIN questions ON questions.question = ours.text WHERE ours.source_table = 'questions'",
    ),
    # Where it says that it stands, other words do, or nothing does.
    (
        "chunks",
        "SELECT ours.evidence_id FROM read_parquet(?, hive_partitioning = false) AS ours "
        "JOIN articles ON articles.article_id = ours.locator.article_id WHERE ours.source_table = 'chunks' "
        "AND ours.text <> substring(articles.text, ours.locator.char_start + 1, "
        "ours.locator.char_end - ours.locator.char_start)",
    ),
    (
        "tables",
        "SELECT DISTINCT ours.evidence_id FROM read_parquet(?, hive_partitioning = false) AS ours "
        "JOIN tables ON tables.table_id = ours.source_key WHERE ours.source_table = 'tables' "
        "AND (ours.locator.row >= len(tables.rows) OR ours.locator.column >= "
        "greatest(len(tables.header), list_max([len(cells) FOR cells IN tables.rows])))",
    ),
)


def drifted_evidence(lake: Lake, partition: Partition) -> list[str]:
    """Return the ids of an experiment's evidence whose source is gone, or has changed since it was taken."""
    units = lake.read(
        EVIDENCE, partition, ["evidence_id", "text", "source_table", "source_version"]
    ).to_pylist()
    taken_from = {unit["source_table"] for unit in units}
    with catalogue.connect(lake) as connection:
        drifted = [
            row[0]
            for source_table, query in _DRIFTED
            if source_table in taken_from
            for row in connection.execute(query, [lake.file_uri(EVIDENCE, partition)]).fetchall()
        ]
    # What is read out of a source is known by its words; a sentence by the chunk that it was cut from.
    drifted += [
        row["evidence_id"]
        for row in units
        if row["source_table"] != "chunks" and text_hash(row["text"]) != row["source_version"]
    ]
    return list(dict.fromkeys(drifted))


def check_sources(lake: Lake, partition: Partition) -> Iterator[str]:
    """Yield evidence whose source is gone, or has changed since the evidence was taken."""
    if drifted := drifted_evidence(lake, partition):
        yield (
            f"{len(drifted)} units of evidence no longer stand in their source, such as {drifted[0]}; "
            "remedy: materialise the experiment anew"
        )


_MIXED_UP = (
    (
        "units of evidence are of a kind that their source is not",
        "SELECT evidence_id FROM read_parquet(?, hive_partitioning = false) "
        "WHERE (kind = 'generated_triple') <> (source_table = 'generated_triples') "
        "OR (kind = 'triple') <> (source_table = 'triples')",
    ),
    (
        "units of evidence name a model's triple as the graph's",
        "SELECT evidence_id FROM (SELECT evidence_id, "
        "unnest([source_key] || coalesce(locator.triple_ids, [])) AS triple_id "
        "FROM read_parquet(?, hive_partitioning = false) WHERE source_table <> 'generated_triples') AS ours "
        "SEMI JOIN generated_triples AS stated ON stated.generated_triple_id = ours.triple_id",
    ),
)


def check_kinds(lake: Lake, partition: Partition) -> Iterator[str]:
    """Yield evidence that presents a triple stated by a model as the graph's, or the other way round."""
    with catalogue.connect(lake) as connection:
        for problem, query in _MIXED_UP:
            mixed_up = connection.execute(query, [lake.file_uri(EVIDENCE, partition)]).fetchall()
            if mixed_up:
                yield (
                    f"{len(mixed_up)} {problem}, such as {mixed_up[0][0]}; remedy: make the unit with the "
                    "function of its kind in evidence/units.py"
                )


def check_generated(lake: Lake, partition: Partition) -> Iterator[str]:
    """Yield triples that a model stated and a graph holds under the same id."""
    with catalogue.connect(lake) as connection:
        shared = connection.execute(
            "SELECT generated_triple_id FROM read_parquet(?, hive_partitioning = false) AS ours "
            "SEMI JOIN triples ON triples.triple_id = ours.generated_triple_id",
            [lake.file_uri(GENERATED_TRIPLES, partition)],
        ).fetchall()
    if shared:
        yield (
            f"{len(shared)} triples of a model stand in the graph's table, such as {shared[0][0]}; remedy: "
            "give them ids of their own kind, and materialise the graph anew from its sources"
        )


def check_ranking(lake: Lake, partition: Partition) -> Iterator[str]:
    """Yield ranked answers that rest on evidence that does not exist, or are not in the order of scores."""
    evidence_ids = lake.read(EVIDENCE, partition, ["evidence_id"]).column("evidence_id").combine_chunks()
    ranked = lake.read(RANKED_ANSWERS, partition, ["question_id", "rank", "score", "evidence"])
    cited = ranked.column("evidence").combine_chunks().flatten().unique()
    dangling = cited.filter(pc.invert(pc.is_in(cited, value_set=evidence_ids)))
    if len(dangling):
        yield (
            f"answers rest on {len(dangling)} units that are not in evidence, such as {dangling[0].as_py()}"
        )
    previous: dict[str, tuple[int, float]] = {}
    for row in ranked.drop_columns(["evidence"]).to_pylist():
        rank, score = previous.get(row["question_id"], (0, float("inf")))
        if row["rank"] != rank + 1 or not row["score"] <= score:
            yield (
                f"question {row['question_id']}, rank {row['rank']}: it follows rank {rank} with the score "
                f"{row['score']} after {score}; remedy: rank the best answer first, each once"
            )
            return
        previous[row["question_id"]] = row["rank"], row["score"]


def check_offsets(lake: Lake, partition: Partition) -> Iterator[str]:
    """Yield how many chunks are not exactly what their article holds at their offsets, with an example."""
    texts: dict[str, str] = {}
    for batch in lake.scan(ARTICLES, partition, ["article_id", "text"]):
        texts.update(
            zip(batch.column("article_id").to_pylist(), batch.column("text").to_pylist(), strict=True)
        )
    columns = ["chunk_id", "article_id", "char_start", "char_end", "text"]
    wrong = (
        f"{row['chunk_id']} at {row['char_start']}:{row['char_end']} of article {row['article_id']}"
        for batch in lake.scan(CHUNKS, partition, columns)
        for row in batch.to_pylist()
        if not _stands_there(row, texts.get(row["article_id"], ""))
    )
    if example := next(wrong, None):
        count = 1 + sum(1 for _ in wrong)
        yield (
            f"{count} chunks are not their article's text at their offsets, such as {example}; remedy: "
            "materialise articles and chunks anew"
        )


def _stands_there(chunk: Mapping[str, Any], text: str) -> bool:
    start, end = chunk["char_start"], chunk["char_end"]
    return bool(0 <= start <= end <= len(text) and text[start:end] == chunk["text"])


def check_lineage(lake: Lake, partition: Partition) -> Iterator[str]:
    """Yield predictions that answered without evidence, and chains that cite evidence that does not exist."""
    cited = lake.read(CHAINS, partition, ["cited"]).column("cited").combine_chunks().flatten().unique()
    evidence_ids = lake.read(EVIDENCE, partition, ["evidence_id"]).column("evidence_id")
    dangling = cited.filter(pc.invert(pc.is_in(cited, value_set=evidence_ids.combine_chunks())))
    if len(dangling):
        yield f"chains cite {len(dangling)} units that are not in evidence, such as {dangling[0].as_py()}"
    predictions = lake.read(PREDICTIONS, partition, ["prediction_id", "question_id", "predicted"])
    used = lake.read(PREDICTION_EVIDENCE, partition, ["prediction_id", "role"])
    with_evidence = used.filter(pc.equal(used.column("role"), "given")).column("prediction_id").unique()
    answered = predictions.filter(pc.is_valid(predictions.column("predicted")))
    bare = answered.filter(pc.invert(pc.is_in(answered.column("prediction_id"), value_set=with_evidence)))
    if bare.num_rows:
        example = bare.slice(0, 1).to_pylist()[0]
        yield (
            f"{bare.num_rows} answers without evidence, such as {example['prediction_id']}, "
            f"{example['predicted']!r} to question {example['question_id']}; remedy: report it, with the "
            "question: no arm may answer from nothing"
        )


def check_replies(lake: Lake, partition: Partition) -> Iterator[str]:
    """Yield the share of an experiment's predictions left without a reply by failed requests, by outcome."""
    statuses = lake.read(PREDICTIONS, partition, ["parse_status"]).column("parse_status").to_pylist()
    failed = Counter(status for status in statuses if status in _UNANSWERED)
    if failed:
        outcomes = ", ".join(f"{outcome}: {count}" for outcome, count in failed.most_common())
        yield (
            f"{failed.total()} of {len(statuses)} predictions ({failed.total() / len(statuses):.0%}) got no "
            f"reply ({outcomes}); remedy: see the errors in generations, and materialise the experiment "
            "again: what has a reply is not asked again"
        )


def check_pages(lake: Lake, table: Table, partition: Partition) -> Iterator[str]:
    """Yield pages that are not there, or are not the bytes that were recorded."""
    for row in lake.read(table, partition, ["path", "file_hash"]).to_pylist():
        try:
            content = lake.filesystem.cat_file(f"{lake.path}/{row['path']}")
        except FileNotFoundError:
            problem = "is not there"
        else:
            if bytes_hash(content) == row["file_hash"]:
                continue
            problem = "was changed after it was written"
        yield f"{row['path']} {problem}; remedy: evidence-assets pages --again"


# Checks by the names that they are shown under.
OF_ANY_TABLE = {
    "rows_fit_declaration": check_rows,
    "references_resolve": check_references,
    "files_stand": check_pages,
}
OF_ONE_TABLE = {
    "offsets_are_exact": check_offsets,
    "sources_stand": check_sources,
    "kinds_are_true": check_kinds,
    "no_graph_holds_them": check_generated,
    "lineage_is_complete": check_lineage,
    "ranking_is_sound": check_ranking,
    "every_request_has_a_reply": check_replies,
}
