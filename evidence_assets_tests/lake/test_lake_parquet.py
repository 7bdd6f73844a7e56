"""Files that keep their table's contract: checked, sorted, unique, the same bytes for the same rows."""

from __future__ import annotations

import random
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq
import pytest
from hypothesis import given
from hypothesis import strategies as st

from evidence_assets.lake import declared_rows
from evidence_assets.lake.declared_rows import TableContractError, check_sorted
from evidence_assets.lake.lake import Lake, WrittenPartition
from evidence_assets.lake.schemas import (
    CHUNK_EMBEDDINGS,
    CHUNK_POOLS,
    EVIDENCE,
    QUESTIONS,
    RANKED_CHUNKS,
    REJECTED_RECORDS,
    ROWS_PER_GROUP,
    TRIPLES,
    Table,
)
from evidence_assets_tests.testing.profiles import examples
from evidence_assets_tests.testing.table_rows import table_of

SHELF = {"shelf": "a"}
LIMITS = [declared_rows.IN_MEMORY_SORT_BYTES, 1]
SORTS = pytest.mark.parametrize("limit", LIMITS, ids=["in_memory", "on_disk"])
# Few enough to collide, strange enough to sort differently by locale, by UTF-16 or with a terminator.
STRANGE = ["", "a", "B", "b", "aa", "a\0", "a\0b", "é", "e\u0301", "z", "\x7f", "\x80", "\uffff", "💓"]


def some_words(keys: list[tuple[str, int]], shelf: str = "a") -> pa.Table:
    schema = pa.schema(
        [("word", pa.string()), ("number", pa.int32()), ("shelf", pa.string()), ("note", pa.string())]
    )
    rows = [
        {"word": word, "number": number, "shelf": shelf, "note": None if number % 3 == 0 else word * 2}
        for word, number in keys
    ]
    return pa.Table.from_pylist(rows, schema=schema)


def embeddings(count: int, width: int = 4, kind: pa.DataType = pa.float32(), shard: str = "s") -> pa.Table:  # noqa: B008
    shared = {"corpus": "c", "shard": shard, "text_hash": "h", "encoder_id": "e"}
    columns: dict[str, object] = {"chunk_id": [f"{shard}{n:05}" for n in range(count)]}
    columns |= {name: pa.array([value] * count, pa.string()) for name, value in shared.items()}
    vectors = [[n % 8 / 8] * width for n in range(count)]
    return pa.table({**columns, "vector": pa.array(vectors, pa.list_(kind, width))})


def content(written: WrittenPartition) -> bytes:
    return Path(written.path).read_bytes()


def dictionaries(path: str) -> dict[str, bool]:
    """Whether each column of a file's first row group has a dictionary, by its path."""
    group = pq.read_metadata(path).row_group(0)
    columns = map(group.column, range(group.num_columns))
    return {column.path_in_schema: column.dictionary_page_offset is not None for column in columns}


# --- the contract


@pytest.mark.parametrize(
    ("column", "values", "message_parts"),
    [
        ("number", pa.array([1.5, 2.0]), ["column number", "1.5", "remedy: give int32"]),
        ("number", pa.array(["one", "two"]), ["column number", "parse", "remedy: give int32"]),
        ("number", pa.array([1, 1 << 40]), ["column number", str(1 << 40), "remedy: give int32"]),
        ("word", pa.array([["a"], ["b"]]), ["column word", "remedy: give string"]),
        ("word", pa.array([b"\xff", b"a"]), ["column word", "remedy: give string"]),
        ("word", pa.array(["a", None]), ["column word", "1 nulls", "remedy: reject those records"]),
        ("number", pa.array([None, None], pa.int32()), ["column number", "2 nulls", "remedy: reject"]),
    ],
)
def test_error_names_table_column_and_remedy(
    lake: Lake, words: Table, column: str, values: pa.Array, message_parts: list[str]
) -> None:
    rows = some_words([("a", 1), ("b", 2)])
    rows = rows.set_column(rows.column_names.index(column), column, values)
    with pytest.raises(TableContractError) as raised:
        lake.write(words, SHELF, rows)
    for part in ("table words", *message_parts):
        assert part in str(raised.value)
    assert not lake.exists(words, SHELF)


def test_missing_and_unknown_columns_are_named_at_once(lake: Lake, words: Table) -> None:
    rows = some_words([("a", 1)]).drop(["note", "shelf"]).append_column("colour", pa.array(["red"]))
    with pytest.raises(TableContractError) as raised:
        lake.write(words, SHELF, rows)
    for part in ("table words", "missing columns ['note', 'shelf']", "unknown columns ['colour']", "remedy"):
        assert part in str(raised.value)


def test_null_inside_a_required_field_of_a_list_is_refused(lake: Lake) -> None:
    row: dict[str, Any] = {"triple_id": "t", "kg": "k", "head": "h", "relation": "r", "tail": "t"}
    row |= {"weight": None, "sources": [{"source": None, "record": "1", "licence": "CC0-1.0"}]}
    with pytest.raises(TableContractError, match=r"table triples, column sources: .*null.*remedy"):
        lake.write(TRIPLES, {"kg": "k", "relation": "r"}, pa.Table.from_pylist([row], schema=TRIPLES.schema))


@SORTS
@pytest.mark.parametrize("gap", [1, ROWS_PER_GROUP - 1, ROWS_PER_GROUP])
def test_repeated_key_is_named_wherever_it_stands(
    lake: Lake, words: Table, monkeypatch: pytest.MonkeyPatch, limit: int, gap: int
) -> None:
    """Beside each other, at the end of a row group, and across two row groups, which arrive apart."""
    monkeypatch.setattr(declared_rows, "IN_MEMORY_SORT_BYTES", limit)
    keys = [("w", n) for n in range(gap)]
    with pytest.raises(TableContractError, match=r"table words: .*'word': 'w', 'number': (\d+)") as raised:
        lake.write(words, SHELF, [some_words(keys[-1:]), some_words(keys), some_words([("x", 0)])])
    assert f"'number': {gap - 1}" in str(raised.value)
    assert "remedy: drop or reject the duplicate" in str(raised.value)
    assert not lake.exists(words, SHELF)


@SORTS
def test_failed_write_leaves_the_old_file_and_nothing_else(
    lake: Lake, words: Table, monkeypatch: pytest.MonkeyPatch, limit: int
) -> None:
    monkeypatch.setattr(declared_rows, "IN_MEMORY_SORT_BYTES", limit)
    written = lake.write(words, SHELF, some_words([("a", 1)]))
    before = content(written)

    def broken() -> Iterator[pa.Table]:
        yield some_words([("b", 2)])
        raise RuntimeError("the source went away")

    with pytest.raises(RuntimeError, match="went away"):
        lake.write(words, SHELF, broken())
    late_duplicate = [("w", n) for n in range(2 * ROWS_PER_GROUP)] + [("w", 2 * ROWS_PER_GROUP - 1)]
    with pytest.raises(TableContractError):
        lake.write(words, SHELF, some_words(late_duplicate))
    assert content(written) == before
    assert [file.name for file in Path(written.path).parent.iterdir()] == ["data.parquet"]


def test_equal_types_of_other_layout_are_taken(lake: Lake, words: Table) -> None:
    rows = some_words([("a", 1), ("b", 2)])
    lake.write(words, SHELF, rows)
    as_dictionary = rows.set_column(0, "word", rows.column("word").dictionary_encode())
    as_large = rows.set_column(0, "word", rows.column("word").cast(pa.large_string()))
    other_order = rows.select(["note", "shelf", "number", "word"])
    wide = rows.set_column(1, "number", rows.column("number").cast(pa.int64()))
    for equivalent in (as_dictionary, as_large, other_order, wide):
        assert not lake.write(words, SHELF, equivalent).changed


# --- the same rows give the same bytes


UNIQUE_KEYS = st.lists(
    st.tuples(st.sampled_from(STRANGE) | st.text(max_size=3), st.integers(-3, 3)), unique=True, max_size=12
)


@examples(40)
@given(st.data(), UNIQUE_KEYS)
def test_bytes_depend_on_the_rows_alone(
    tmp_path_factory: pytest.TempPathFactory, data: st.DataObject, keys: list[tuple[str, int]]
) -> None:
    """In any order and cut, as tables or record batches, sorted in memory or on disk."""
    schema = some_words([]).schema
    fields = [field.with_nullable(field.name == "note") for field in schema]
    words = Table("words", "", pa.schema(fields), ("word", "number"), ("shelf",))
    lake = Lake(str(tmp_path_factory.mktemp("same")))
    expected = content(lake.write(words, SHELF, some_words(sorted(keys))))
    assert lake.read(words, SHELF).to_pylist() == some_words(sorted(keys)).to_pylist()

    shuffled = data.draw(st.permutations(keys))
    cuts = sorted(data.draw(st.lists(st.integers(0, len(keys)), max_size=4)))
    pieces = [some_words(shuffled[start:end]) for start, end in pairwise([0, *cuts, len(keys)])]
    if data.draw(st.booleans(), label="as record batches"):
        pieces = [batch for piece in pieces for batch in piece.to_batches()]
    with pytest.MonkeyPatch.context() as patch:
        on_disk = data.draw(st.booleans(), label="sorted on disk")
        patch.setattr(declared_rows, "IN_MEMORY_SORT_BYTES", 1 if on_disk else 1 << 20)
        again = lake.write(words, SHELF, iter(pieces))
        assert not again.changed
        lake.delete(words, SHELF)
        assert content(lake.write(words, SHELF, iter(pieces))) == expected


@pytest.mark.integration
def test_both_sorts_and_any_batching_agree_beyond_a_row_group(
    lake: Lake, words: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    keys = [(f"{n % 50}", n) for n in range(2 * ROWS_PER_GROUP + 100)]
    random.Random(1).shuffle(keys)
    rows = some_words(keys)
    first = lake.write(words, SHELF, rows)
    expected = content(first)
    footer = pq.read_metadata(first.path)
    assert [footer.row_group(n).num_rows for n in range(footer.num_row_groups)] == [
        ROWS_PER_GROUP,
        ROWS_PER_GROUP,
        100,
    ]
    assert {footer.row_group(0).column(n).compression for n in range(4)} == {"ZSTD"}
    for limit in (1 << 30, 1):
        monkeypatch.setattr(declared_rows, "IN_MEMORY_SORT_BYTES", limit)
        lake.delete(words, SHELF)
        batches = [*rows.slice(0, 20_000).to_batches(max_chunksize=777), rows.slice(20_000)]
        again = lake.write(words, SHELF, iter(batches))
        assert content(again) == expected
        assert again.version == first.version
        assert again.changed


def nested_rows() -> list[tuple[Table, dict[str, str], pa.Table]]:
    ranked = [
        {
            "benchmark": "b",
            "retrieval": "r",
            "question_id": f"q{n % 5}",
            "candidate": -1,
            "rank": n,
            "chunk_id": "c",
            "score": 1 / (n + 1),
            "score_parts": [{"name": "part", "value": -0.0}] * (n % 3),
        }
        for n in range(30)
    ]
    question = dict.fromkeys(["question", "split", "context", "subject", "source_uri", "licence"], "x")
    questions = [
        {
            **question,
            "benchmark": "b",
            "question_id": f"q{n}",
            "options": ["", "é"][: n % 3],
            "answer_index": None if n % 2 else 0,
            "answers": [],
            "table_id": None,
            "gold_evidence": [{"title": "t", "text": "\n"}] * (n % 2),
        }
        for n in range(30)
    ]
    return [
        (
            RANKED_CHUNKS,
            {"benchmark": "b", "retrieval": "r"},
            pa.Table.from_pylist(ranked, schema=RANKED_CHUNKS.schema),
        ),
        (QUESTIONS, {"benchmark": "b"}, pa.Table.from_pylist(questions, schema=QUESTIONS.schema)),
        (CHUNK_EMBEDDINGS, {"corpus": "c", "shard": "s"}, embeddings(30, kind=pa.float16())),
        (CHUNK_EMBEDDINGS, {"corpus": "c", "shard": "s"}, embeddings(30, kind=pa.float32())),
    ]


@pytest.mark.parametrize(("table", "partition", "rows"), nested_rows())
def test_nested_columns_survive_both_sorts(
    lake: Lake, monkeypatch: pytest.MonkeyPatch, table: Table, partition: dict[str, str], rows: pa.Table
) -> None:
    order = [(column, "ascending") for column in table.key]
    expected = rows.sort_by(order).to_pylist()
    in_memory = content(lake.write(table, partition, rows))
    assert lake.read(table, partition).to_pylist() == expected
    lake.delete(table, partition)
    monkeypatch.setattr(declared_rows, "IN_MEMORY_SORT_BYTES", 1)
    assert content(lake.write(table, partition, [rows.slice(15), rows.slice(0, 15)])) == in_memory


def test_equal_content_leaves_the_file_untouched(lake: Lake, words: Table) -> None:
    keys = [("a", 1), ("b", 2)]
    first = lake.write(words, SHELF, some_words(keys))
    before = Path(first.path).stat()
    again = lake.write(words, SHELF, some_words(keys[::-1]))
    after = Path(first.path).stat()
    assert (after.st_mtime_ns, after.st_ino) == (before.st_mtime_ns, before.st_ino)
    assert first.changed
    assert not again.changed
    assert (again.version, again.rows, again.size) == (first.version, 2, before.st_size)


def test_only_what_repeats_has_a_dictionary(lake: Lake) -> None:
    """Else a whole column would have to be read for any of its rows."""
    count = 3 * EVIDENCE.rows_per_group // 2
    place = {"system": "s", "arm": "a", "benchmark": "b"}
    rows = table_of(
        EVIDENCE,
        *(
            {
                **place,
                "evidence_id": f"{number:08}",
                "text": f"text {number // 2}",
                "source_key": f"chunk {number // 3}",
                "locator": {"article_id": "a", "triple_ids": ["t"]},
            }
            for number in range(count)
        ),
    )
    written = lake.write(EVIDENCE, place, rows)
    has_dictionary = dictionaries(written.path)
    assert not has_dictionary["evidence_id"]
    assert has_dictionary["text"] and has_dictionary["source_key"]
    assert has_dictionary["locator.article_id"]
    assert has_dictionary["locator.triple_ids.list.element"]
    assert lake.read(EVIDENCE, place).equals(rows)


def test_any_difference_changes_the_content_hash(lake: Lake, words: Table) -> None:
    base = some_words([("a", 1), ("b", 2)])
    variants = [
        base,
        base.slice(1),
        base.slice(0, 0),
        some_words([("a", 1), ("b", 3)]),
        base.set_column(3, "note", pa.array(["aa", None])),
        base.set_column(3, "note", pa.array(["aa", ""])),
    ]
    seen = set()
    for rows in variants:
        written = lake.write(words, SHELF, rows)
        assert written.changed
        assert written.version == lake.version(words, SHELF)
        seen.add(written.version.content_hash)
    assert len(seen) == len(variants)


def test_a_renamed_column_is_other_content(lake: Lake, words: Table) -> None:
    """The pages of the file are the same, its schema is not."""
    written = lake.write(words, SHELF, some_words([("a", 1)]))
    lake.delete(words, SHELF)
    names = ["word", "number", "shelf", "remark"]
    schema = pa.schema([words.schema.field(n).with_name(name) for n, name in enumerate(names)])
    renamed = Table("words", "", schema, words.key, words.partition_columns)
    other = lake.write(renamed, SHELF, some_words([("a", 1)]).rename_columns(names))
    assert other.version.content_hash != written.version.content_hash
    assert lake.read(renamed, SHELF).column_names == names


def test_vectors_keep_the_width_and_precision_they_came_with(lake: Lake) -> None:
    hashes = set()
    for kind, width in [(pa.float16(), 4), (pa.float32(), 4), (pa.float32(), 3)]:
        partition = {"corpus": "c", "shard": "s"}
        written = lake.write(CHUNK_EMBEDDINGS, partition, embeddings(5, width, kind))
        stored = lake.read(CHUNK_EMBEDDINGS, partition).column("vector")
        assert pa.types.is_fixed_size_list(stored.type)
        assert (stored.type.value_type, stored.type.list_size) == (kind, width)
        assert stored.to_pylist()[3] == [3 / 8] * width
        hashes.add(written.version.content_hash)
    assert len(hashes) == 3


def test_vectors_of_two_widths_in_one_partition_are_a_contract_error(lake: Lake) -> None:
    batches = [embeddings(3, 4), embeddings(5, 3).slice(3)]
    with pytest.raises(TableContractError, match="chunk_embeddings"):
        lake.write(CHUNK_EMBEDDINGS, {"corpus": "c", "shard": "s"}, batches)


@pytest.mark.parametrize("batches", [0, 1, 2])
def test_a_table_without_rows_is_written_and_read(lake: Lake, words: Table, batches: int) -> None:
    written = lake.write(words, SHELF, [some_words([])] * batches)
    assert written.rows == 0
    assert lake.read(words, SHELF).to_pylist() == []
    assert lake.read(words, SHELF).schema.names == words.schema.names
    assert list(lake.scan(words, SHELF)) == []
    assert not lake.write(words, SHELF, some_words([])).changed


# --- order and uniqueness


@examples(300)
@given(
    st.lists(st.tuples(st.sampled_from(STRANGE), st.integers(0, 1)), max_size=4)
    | st.lists(st.tuples(st.text(max_size=2), st.integers(0, 2)), unique=True, max_size=6).map(sorted),
    st.integers(0, 4),
)
def test_check_sorted_accepts_exactly_sorted_unique_keys(keys: list[tuple[str, int]], cut: int) -> None:
    table = Table("words", "", some_words([]).schema, ("word", "number"), ())
    try:
        last = check_sorted(some_words(keys[:cut]), table, None)
        last = check_sorted(some_words(keys[cut:]), table, last)
    except TableContractError as error:
        assert keys != sorted(set(keys))
        assert "table words" in str(error)
    else:
        assert keys == sorted(set(keys))
        assert last == (keys[-1] if keys else None)


def test_table_without_a_key_may_hold_anything() -> None:
    table = Table("words", "", some_words([]).schema, (), ())
    assert check_sorted(some_words([("b", 1), ("a", 1), ("a", 1)]), table, None) is None


# --- memory


@pytest.mark.integration
def test_a_stream_larger_than_the_limit_stays_small_in_memory(
    lake: Lake, monkeypatch: pytest.MonkeyPatch
) -> None:
    """In memory are the keys and one bucket of rows, whatever the rows' size."""
    monkeypatch.setattr(declared_rows, "IN_MEMORY_SORT_BYTES", 2 << 20)
    streamed = 0

    def stream() -> Iterator[pa.Table]:
        nonlocal streamed
        chance = random.Random(0)
        for number in range(120):
            rows = [
                {"source": "a", "record": chance.randbytes(8).hex(), "reason": str(number), "source_uri": ""}
                | {"remedy": chance.randbytes(200).hex()}
                for _ in range(1000)
            ]
            batch = pa.Table.from_pylist(rows, schema=REJECTED_RECORDS.schema)
            streamed += batch.nbytes
            yield batch

    usual = pa.default_memory_pool()
    measured = pa.proxy_memory_pool(usual)
    pa.set_memory_pool(measured)
    try:
        written = lake.write(REJECTED_RECORDS, {"source": "a"}, stream())
    finally:
        pa.set_memory_pool(usual)
    assert written.rows == 120_000
    assert streamed > 40 << 20
    # Sorted in memory it would be twice what was streamed; a row group and its copies are what is left.
    assert measured.max_memory() < 0.8 * streamed


def test_a_stream_that_comes_sorted_is_written_as_it_comes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The same bytes as by sorting, and a key that stands twice is refused all the same."""
    rows = table_of(
        CHUNK_POOLS,
        *(
            {"benchmark": "b", "retriever": "dense", "question_id": f"q{question}", "candidate": candidate}
            | {"rank": rank, "chunk_id": f"c{rank}", "score": 1.0}
            for question in range(3)
            for candidate in (-1, 0)
            for rank in range(1, 5)
        ),
    )
    place = {"benchmark": "b"}
    at_once = Lake(str(tmp_path / "whole")).write(CHUNK_POOLS, place, rows)
    monkeypatch.setattr(declared_rows, "IN_MEMORY_SORT_BYTES", 1)
    sorted_keys = []
    sort = pc.sort_indices

    def counted(keys: Any, *arguments: Any, **options: Any) -> Any:
        sorted_keys.append(len(keys))
        return sort(keys, *arguments, **options)

    monkeypatch.setattr(pc, "sort_indices", counted)
    streamed = Lake(str(tmp_path / "streamed")).write(CHUNK_POOLS, place, rows.to_batches(max_chunksize=5))
    assert max(sorted_keys) == 5, "no more than a batch is sorted"
    shuffled = [rows.slice(12), rows.slice(0, 12)]
    assert Lake(str(tmp_path / "shuffled")).write(CHUNK_POOLS, place, shuffled).version == at_once.version
    assert Path(streamed.path).read_bytes() == Path(at_once.path).read_bytes()
    with pytest.raises(TableContractError):
        Lake(str(tmp_path / "twice")).write(CHUNK_POOLS, place, [rows, rows.slice(rows.num_rows - 1)])
