"""Each check passes on a good lake, and fails on one that was damaged behind its back."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path

import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq
import pytest

from evidence_assets.audit.integrity import (
    check_lineage,
    check_offsets,
    check_references,
    check_replies,
    check_rows,
    check_sources,
)
from evidence_assets.lake.lake import Lake
from evidence_assets.lake.parquet import CONTENT_HASH_KEY, SCHEME_KEY, DamagedFileError, content_hash_of
from evidence_assets.lake.row_hash import SCHEME
from evidence_assets.lake.schemas import (
    ARTICLES,
    CHAINS,
    CHUNKS,
    EVIDENCE,
    PREDICTION_EVIDENCE,
    PREDICTIONS,
    QUESTIONS,
    SELECTED_EVIDENCE,
    TABLES,
    TABLES_BY_NAME,
    Table,
)
from evidence_assets.models.generation.protocol import Outcome
from evidence_assets_tests.testing.tiny_lake import (
    ARMS,
    BENCHMARK,
    HEART,
    SHARD,
    TinyLake,
    experiment_partition,
)

FIRST = experiment_partition(ARMS[0])
Change = Callable[[pa.Table], pa.Table]


def rewrite(
    lake: Lake, table: Table, partition: Mapping[str, str], change: Change, keep_hash: bool = True
) -> None:
    """Replace a partition's file with pyarrow alone, past every check of the lake."""
    path = lake.file(table, partition)
    content_hash = content_hash_of(lake.filesystem, path)
    assert content_hash is not None
    rows = change(pq.read_table(path, partitioning=None))
    metadata = {CONTENT_HASH_KEY: content_hash, SCHEME_KEY: SCHEME} if keep_hash else None
    pq.write_table(rows.replace_schema_metadata(metadata), path)


def replaced(rows: pa.Table, column: str, values: object) -> pa.Table:
    return rows.set_column(rows.column_names.index(column), column, values)


def changed_rows(table: Table, **values: object) -> Change:
    """Set columns of the first row."""

    def change(rows: pa.Table) -> pa.Table:
        first, *rest = rows.to_pylist()
        return pa.Table.from_pylist([first | values, *rest], schema=table.schema)

    return change


def test_everything_passes_on_a_good_lake(tiny: TinyLake) -> None:
    checked = 0
    for table in TABLES_BY_NAME.values():
        for place in tiny.lake.partitions(table):
            assert list(check_rows(tiny.lake, table, place)) == []
            assert list(check_references(tiny.lake, table, place)) == []
            checked += 1
    assert checked == 3 + 6 * len(ARMS)
    assert list(check_offsets(tiny.lake, SHARD)) == []
    for arm in ARMS:
        assert list(check_lineage(tiny.lake, experiment_partition(arm))) == []


# --- rows


def text_for_numbers(rows: pa.Table) -> pa.Table:
    return replaced(rows, "char_start", rows.column("char_start").cast(pa.string()))


def a_null(rows: pa.Table) -> pa.Table:
    return replaced(rows, "licence", pa.array(["CC0-1.0", None]))


def without(column: str) -> Change:
    return lambda rows: rows.drop([column])


def upside_down(rows: pa.Table) -> pa.Table:
    return rows.take(list(range(rows.num_rows))[::-1])


def last_row_twice(rows: pa.Table) -> pa.Table:
    return pa.concat_tables([rows, rows.slice(rows.num_rows - 1)])


@pytest.mark.parametrize(
    ("table", "change", "message_parts"),
    [
        (CHUNKS, upside_down, ["table chunks", "chunk_id", "out of order"]),
        (CHUNKS, last_row_twice, ["table chunks", "chunk_id", "repeats"]),
        (ARTICLES, a_null, ["table articles, column licence", "1 nulls"]),
        (ARTICLES, without("url"), ["table articles", "missing columns ['url']"]),
        (
            ARTICLES,
            lambda rows: rows.append_column("colour", pa.array(["red"] * rows.num_rows)),
            ["later version", "column colour is unknown here"],
        ),
        (
            CHUNKS,
            lambda rows: replaced(
                rows, "char_start", pc.add(pc.cast(rows.column("char_start"), pa.float64()), 0.5)
            ),
            ["later version", "column char_start is double, not int64"],
        ),
        (CHUNKS, text_for_numbers, ["later version", "column char_start is string, not int64"]),
        (
            ARTICLES,
            lambda rows: replaced(rows, "revision", pa.array([1] * rows.num_rows)),
            ["later version", "column revision is int64, not string"],
        ),
        (
            ARTICLES,
            lambda rows: replaced(rows, "licence", rows.column("licence").cast(pa.large_string())),
            ["table articles, column licence is large_string, not string"],
        ),
    ],
    ids=[
        "unsorted",
        "duplicate",
        "null",
        "missing",
        "unknown",
        "fraction",
        "text_for_int",
        "int_for_text",
        "large_text",
    ],
)
def test_rows_that_break_the_declaration_are_found(
    tiny: TinyLake, table: Table, change: Change, message_parts: list[str]
) -> None:
    rewrite(tiny.lake, table, SHARD, change)
    [finding] = check_rows(tiny.lake, table, SHARD)
    for part in (*message_parts, "remedy"):
        assert part in finding


def test_disorder_across_batches_is_found(tiny: TinyLake) -> None:
    """A scan comes in batches: the last row of one and the first of the next are compared too."""
    numbers = [f"{n:05}" for n in range(4096)]
    for keys, expected in [([*numbers, "04095"], 1), ([*numbers, "00000"], 1), ([*numbers, "04096"], 0)]:

        def many(rows: pa.Table, keys: list[str] = keys) -> pa.Table:
            repeated = rows.take([0] * len(keys))
            return replaced(repeated, "article_id", pa.array(keys))

        rewrite(tiny.lake, ARTICLES, SHARD, many)
        assert len(list(check_rows(tiny.lake, ARTICLES, SHARD))) == expected


def test_a_file_rewritten_by_another_program_is_checked_too(tiny: TinyLake) -> None:
    rewrite(tiny.lake, CHUNKS, SHARD, upside_down, keep_hash=False)
    findings = list(check_rows(tiny.lake, CHUNKS, SHARD))
    assert findings
    assert all("remedy" in finding for finding in findings)


def cut_in_half(data: bytes) -> bytes:
    return data[: len(data) // 2]


def flip_first_page(data: bytes) -> bytes:
    return data[:20] + bytes(byte ^ 0xFF for byte in data[20:80]) + data[80:]


@pytest.mark.parametrize("damage", [cut_in_half, flip_first_page, lambda _: b"", lambda _: b"text" * 99])
def test_a_file_that_cannot_be_read_is_found(tiny: TinyLake, damage: Callable[[bytes], bytes]) -> None:
    path = Path(tiny.lake.file(CHUNKS, SHARD))
    path.write_bytes(damage(path.read_bytes()))
    [finding] = check_rows(tiny.lake, CHUNKS, SHARD)
    assert "cannot be read" in finding
    assert "remedy: materialise the partition anew" in finding


# --- references


@pytest.mark.parametrize(
    ("table", "place", "values", "named"),
    [
        (CHUNKS, SHARD, {"article_id": "lost"}, "articles"),
        (SELECTED_EVIDENCE, FIRST, {"evidence_id": "lost"}, "evidence"),
        (SELECTED_EVIDENCE, FIRST, {"question_id": "lost"}, "questions"),
        (CHAINS, FIRST, {"question_id": "lost"}, "questions"),
        (PREDICTIONS, FIRST, {"question_id": "lost"}, "questions"),
        (PREDICTIONS, FIRST, {"benchmark": "lost"}, "questions"),
        (PREDICTION_EVIDENCE, FIRST, {"evidence_id": "lost"}, "evidence"),
        (PREDICTION_EVIDENCE, FIRST, {"prediction_id": "lost"}, "predictions"),
    ],
)
def test_a_reference_to_nothing_is_found(
    tiny: TinyLake, table: Table, place: dict[str, str], values: dict[str, str], named: str
) -> None:
    rewrite(tiny.lake, table, place, changed_rows(table, **values))
    [finding] = check_references(tiny.lake, table, place)
    for part in ("1 rows", f"no row of {named}", "'lost'", f"remedy: materialise {named} first"):
        assert part in finding


def test_rows_of_a_deleted_partition_are_missed(tiny: TinyLake) -> None:
    tiny.lake.delete(QUESTIONS, {"benchmark": BENCHMARK})
    [finding] = check_references(tiny.lake, PREDICTIONS, FIRST)
    assert "2 rows name no row of questions" in finding
    tiny.lake.delete(EVIDENCE, FIRST)
    [finding] = check_references(tiny.lake, PREDICTION_EVIDENCE, FIRST)
    assert "8 rows name no row of evidence" in finding


def test_evidence_stands_beside_what_uses_it(tiny: TinyLake) -> None:
    """The second arm's evidence holds what the first one names: a trace of the first does not look there."""
    pumps = tiny.sentences[0].evidence_id
    rewrite(
        tiny.lake, EVIDENCE, FIRST, lambda rows: rows.filter(pc.not_equal(rows.column("evidence_id"), pumps))
    )
    [finding] = check_references(tiny.lake, PREDICTION_EVIDENCE, FIRST)
    assert "2 rows name no row of evidence" in finding
    assert pumps in finding
    assert list(check_references(tiny.lake, PREDICTION_EVIDENCE, experiment_partition(ARMS[1]))) == []


def test_a_chain_that_cites_nothing_that_exists_is_found(tiny: TinyLake) -> None:
    rewrite(tiny.lake, CHAINS, FIRST, changed_rows(CHAINS, cited=["lost"]))
    findings = [*check_references(tiny.lake, CHAINS, FIRST), *check_lineage(tiny.lake, FIRST)]
    assert any("lost" in finding for finding in findings)


# --- offsets


def shifted(start: int, end: int) -> Change:
    def change(rows: pa.Table) -> pa.Table:
        rows = replaced(rows, "char_start", pc.add(rows.column("char_start"), start))
        return replaced(rows, "char_end", pc.add(rows.column("char_end"), end))

    return change


@pytest.mark.parametrize("by", [(1, 1), (-1, -1), (0, -1), (1, 0)])
def test_shifted_offsets_are_found(tiny: TinyLake, by: tuple[int, int]) -> None:
    rewrite(tiny.lake, CHUNKS, SHARD, shifted(*by))
    [finding] = check_offsets(tiny.lake, SHARD)
    for part in (
        "3 chunks",
        f"such as {min(tiny.chunks)} at ",
        "remedy: materialise articles and chunks anew",
    ):
        assert part in finding


def last_chunk_only(by: Callable[[dict[str, int]], dict[str, int]]) -> Change:
    """Change the offsets of the chunk that ends where its article does."""

    def change(rows: pa.Table) -> pa.Table:
        chunks = rows.to_pylist()
        for row in chunks:
            if row["char_end"] == len(HEART):
                row.update(by(row))
        return pa.Table.from_pylist(chunks, schema=CHUNKS.schema)

    return change


@pytest.mark.parametrize(
    "by",
    [
        lambda row: {"char_end": row["char_end"] + 5},
        lambda row: {"char_start": row["char_start"] - len(HEART)},
    ],
    ids=["end_beyond_the_article", "negative_start"],
)
def test_offsets_outside_the_article_are_found(
    tiny: TinyLake, by: Callable[[dict[str, int]], dict[str, int]]
) -> None:
    """A Python slice forgives both; SQL's substring, and a reader who counts, do not."""
    rewrite(tiny.lake, CHUNKS, SHARD, last_chunk_only(by))
    [finding] = check_offsets(tiny.lake, SHARD)
    assert finding.startswith("1 chunks")


def test_a_changed_article_is_found(tiny: TinyLake) -> None:
    def change(rows: pa.Table) -> pa.Table:
        return replaced(rows, "text", pc.replace_substring(rows.column("text"), "💓", "♥♥"))

    rewrite(tiny.lake, ARTICLES, SHARD, change)
    [finding] = check_offsets(tiny.lake, SHARD)
    assert finding.startswith("2 chunks")


def test_a_chunk_of_no_article_is_found(tiny: TinyLake) -> None:
    rewrite(tiny.lake, ARTICLES, SHARD, lambda rows: rows.filter(pc.equal(rows.column("title"), "Heart")))
    [finding] = check_offsets(tiny.lake, SHARD)
    assert f"1 chunks are not their article's text at their offsets, such as {tiny.chunks[2]}" in finding


# --- lineage


@pytest.mark.parametrize("role", ["given", None])
def test_an_answer_without_given_evidence_is_found(tiny: TinyLake, role: str | None) -> None:
    """Without what it was given, or without any row at all: a citation alone is no evidence."""
    lost = tiny.predictions[ARMS[0], "liver"]

    def change(rows: pa.Table) -> pa.Table:
        dropped = pc.equal(rows.column("prediction_id"), lost)
        if role is not None:
            dropped = pc.and_(dropped, pc.equal(rows.column("role"), role))
        return rows.filter(pc.invert(dropped))

    rewrite(tiny.lake, PREDICTION_EVIDENCE, FIRST, change)
    [finding] = check_lineage(tiny.lake, FIRST)
    assert finding.startswith(f"1 answers without evidence, such as {lost}, ")
    assert " to question liver; remedy: " in finding


def test_an_abstention_needs_no_evidence_but_an_answer_does(tiny: TinyLake) -> None:
    second = experiment_partition(ARMS[1])
    assert list(check_lineage(tiny.lake, second)) == []
    rewrite(
        tiny.lake,
        PREDICTIONS,
        second,
        lambda rows: replaced(rows, "predicted", pa.array(["an answer"] * rows.num_rows)),
    )
    [finding] = check_lineage(tiny.lake, second)
    assert tiny.predictions[ARMS[1], "liver"] in finding


def test_no_predictions_is_no_finding(tiny: TinyLake) -> None:
    rewrite(tiny.lake, PREDICTIONS, FIRST, lambda rows: rows.slice(0, 0))
    assert list(check_lineage(tiny.lake, FIRST)) == []


# --- replies of language models


def test_a_request_that_was_sent_is_a_row_of_generations(tiny: TinyLake) -> None:
    rewrite(tiny.lake, PREDICTIONS, FIRST, changed_rows(PREDICTIONS, request_hash="lost"))
    [finding] = check_references(tiny.lake, PREDICTIONS, FIRST)
    assert "1 rows name no row of generations, such as {'request_hash': 'lost'}" in finding


def statuses(*wanted: str) -> Change:
    """As many predictions as there are statuses."""

    def change(rows: pa.Table) -> pa.Table:
        first = rows.to_pylist()[0]
        rows = [
            {**first, "prediction_id": f"p{place}", "parse_status": status, "predicted": None}
            for place, status in enumerate(wanted)
        ]
        return pa.Table.from_pylist(rows, schema=PREDICTIONS.schema)

    return change


def test_the_share_without_reply_is_told(tiny: TinyLake) -> None:
    down, busy = str(Outcome.UNAVAILABLE), str(Outcome.BUSY)
    rewrite(tiny.lake, PREDICTIONS, FIRST, statuses(down, "parsed", busy, down))
    [finding] = check_replies(tiny.lake, FIRST)
    assert f"3 of 4 predictions (75%) got no reply ({down}: 2, {busy}: 1); remedy: " in finding


@pytest.mark.parametrize("outcome", Outcome)
def test_what_the_set_up_is_to_blame_for(tiny: TinyLake, outcome: Outcome) -> None:
    """An empty reply, a refusal, too long a question: asking again would not help."""
    rewrite(tiny.lake, PREDICTIONS, FIRST, statuses(str(outcome), "unparseable", "insufficient evidence"))
    failures = {"UNREADABLE", "UNAVAILABLE", "NO_MODEL", "REJECTED", "TIMED_OUT", "BUSY"}
    assert bool(list(check_replies(tiny.lake, FIRST))) == (outcome.name in failures)


def test_no_predictions_lack_no_reply(tiny: TinyLake) -> None:
    rewrite(tiny.lake, PREDICTIONS, FIRST, lambda rows: rows.slice(0, 0))
    assert list(check_replies(tiny.lake, FIRST)) == []


def test_a_check_opens_no_file_of_another_experiment_nor_of_what_nothing_was_taken_from(
    tiny: TinyLake,
) -> None:
    """One arm's damaged files stopped another's run, which reads none of them."""
    second = experiment_partition(ARMS[1])
    damaged = [tiny.lake.file(table, second) for table in (PREDICTIONS, EVIDENCE)]
    damaged += [tiny.lake.file(TABLES, {"source": "another"})]
    for file in map(Path, damaged):
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(b"no table")
    for table in (PREDICTIONS, PREDICTION_EVIDENCE, SELECTED_EVIDENCE, CHAINS):
        assert list(check_references(tiny.lake, table, FIRST)) == []
    assert list(check_sources(tiny.lake, FIRST)) == []
    with pytest.raises(DamagedFileError, match="predictions"):
        list(check_references(tiny.lake, PREDICTION_EVIDENCE, second))
