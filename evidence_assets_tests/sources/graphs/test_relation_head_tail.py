"""Text files with one triple a line."""

from __future__ import annotations

import gzip
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evidence_assets.sources.graphs.relation_head_tail import read
from evidence_assets.sources.records import RejectedRecord, Triple, TripleSource, UnusableSourceError
from evidence_assets_tests.testing.records_read import all_of, only_of


def written(folder: Path, content: str | bytes, name: str = "triples.txt") -> str:
    path = folder / name
    content = content.encode() if isinstance(content, str) else content
    path.write_bytes(gzip.compress(content) if name.endswith(".gz") else content)
    return str(path)


def triple(head: str, relation: str, tail: str, record: str, weight: float | None = None) -> Triple:
    return Triple(head, relation, tail, weight, (TripleSource(source="", record=record, licence=""),))


@pytest.mark.parametrize("name", ["triples.txt", "triples.txt.gz"])
def test_lines_of_relation_head_and_tail_become_triples(tmp_path: Path, name: str) -> None:
    content = "\ufeffIsA\tyo-yo\ttoy\r\n\r\n  \nAtLocation\t ferret \tpet store\nIsA\tété\tsaison"
    assert list(read(written(tmp_path, content, name), {})) == [
        triple("yo-yo", "IsA", "toy", "line 1"),
        triple("ferret", "AtLocation", "pet store", "line 4"),
        triple("été", "IsA", "saison", "line 5"),
    ]


def test_fields_name_columns(tmp_path: Path) -> None:
    uri = written(tmp_path, "cat\tIsA\tanimal\t0.5\tignored\ncat\tCapableOf\tpurr\t-2e1\n")
    assert list(read(uri, {"head": "1", "relation": "2", "tail": "3", "weight": "4"})) == [
        triple("cat", "IsA", "animal", "line 1", 0.5),
        triple("cat", "CapableOf", "purr", "line 2", -20.0),
    ]


def test_label_of_the_source_decides(tmp_path: Path) -> None:
    uri = written(
        tmp_path, "IsA\tcat\tanimal\t1\r\nIsA\tcat\tstone\t0\nIsA\tcat\tpet\tyes\nIsA\tcat\tpet\t\n"
    )
    accepted, *rejected = read(uri, {"label": "4"})
    false, unknown, empty = all_of(RejectedRecord, rejected)
    assert accepted == triple("cat", "IsA", "animal", "line 1")
    assert (false.record, false.reason) == ("line 2", "labelled as false by the source")
    assert (unknown.record, unknown.reason) == ("line 3", "label is 'yes', neither 0 nor 1")
    assert (empty.record, empty.reason) == ("line 4", "label is empty")


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        ("IsA", "no column 2 for head: the line has 1"),
        ("IsA\tcat", "no column 3 for tail: the line has 2"),
        ("IsA cat animal", "no column 2 for head: the line has 1"),
        ("\tcat\tanimal", "relation is empty"),
        ("IsA\t  \tanimal", "head is empty"),
        ("IsA\tcat\t", "tail is empty"),
        ("\t\t", "relation is empty"),
        ("IsA\tcat\tanimal\t1\tmore", "5 columns where 3 are expected"),
        ("IsA\tcat\tanimal\t", "4 columns where 3 are expected"),
        (b"IsA\tcat\t\xff", "byte 9 of the line, 0xff, is not UTF-8"),
    ],
)
def test_bad_line_is_rejected_alone(tmp_path: Path, line: str | bytes, reason: str) -> None:
    line = line.encode() if isinstance(line, str) else line
    good = b"IsA\tcat\tanimal"
    first, rejected, last = read(written(tmp_path, b"\n".join([good, line, good])), {})
    assert isinstance(rejected, RejectedRecord)
    assert (rejected.record, reason) == ("line 2", rejected.reason)
    assert rejected.remedy
    assert (first, last) == tuple(triple("cat", "IsA", "animal", record) for record in ("line 1", "line 3"))


@pytest.mark.parametrize("weight", ["nan", "inf", "-Infinity", "1e999", "heavy"])
def test_weight_that_is_no_finite_number_is_rejected(tmp_path: Path, weight: str) -> None:
    uri = written(tmp_path, f"IsA\tcat\tanimal\t{weight}")
    rejected = only_of(RejectedRecord, read(uri, {"weight": "4"}))
    assert (rejected.record, rejected.reason) == ("line 1", f"weight is {weight!r}, not a finite number")


@pytest.mark.parametrize(
    ("line", "reason"),
    [("IsA\tcat\tanimal", "no column 4 for weight"), ("IsA\tcat\tanimal\t ", "weight is empty")],
)
def test_mapped_column_must_be_there(tmp_path: Path, line: str, reason: str) -> None:
    rejected = only_of(RejectedRecord, read(written(tmp_path, line), {"weight": "4"}))
    assert reason in rejected.reason


@pytest.mark.parametrize(
    ("fields", "reason"),
    [
        ({"source": "4"}, r"fields maps source.*map only relation, head, tail, weight, label"),
        ({"head": "0"}, r"fields maps head to '0', not the number of a column.*from 1 to 9999"),
        *(
            ({"tail": text}, "not the number of a column")
            for text in ("-1", "1.5", "", "tail", "²", "1_0", "9" * 5)
        ),
        ({"head": "2", "relation": "1", "tail": "2"}, "column 2 stands for both head and tail"),
        ({"weight": "3"}, "column 3 stands for both tail and weight"),
        ({"head": "1"}, r"column 1 stands for both relation and head.*are 1, 2 and 3 unless mapped"),
    ],
)
def test_unusable_fields_are_refused_before_the_first_record(
    tmp_path: Path, fields: dict[str, str], reason: str
) -> None:
    with pytest.raises(UnusableSourceError, match=reason) as raised:
        next(read(written(tmp_path, "IsA\tcat\tanimal"), fields))
    assert raised.value.record == "before the first record"


def test_several_files_are_read_in_order(tmp_path: Path) -> None:
    written(tmp_path, "IsA\tcat\tanimal", "a.txt")
    written(tmp_path, "words\nIsA\tdog\tanimal", "b.txt.gz")
    assert list(read(str(tmp_path / "*.txt*"), {}))[::2] == [
        triple("cat", "IsA", "animal", "a.txt:line 1"),
        triple("dog", "IsA", "animal", "b.txt.gz:line 2"),
    ]
    rejected = list(read(str(tmp_path), {}))[1]
    assert isinstance(rejected, RejectedRecord)
    assert rejected.record == "b.txt.gz, line 1"


labels = (
    st.text(st.characters(codec="utf-8", exclude_characters="\t\n"), min_size=1).map(str.strip).filter(bool)
)


@given(rows=st.lists(st.tuples(labels, labels, labels)), line_end=st.sampled_from(["\n", "\r\n"]))
def test_arbitrary_labels_come_back(
    tmp_path_factory: pytest.TempPathFactory, rows: list[tuple[str, str, str]], line_end: str
) -> None:
    folder = tmp_path_factory.mktemp("round_trip")
    content = "".join(f"{relation}\t{head}\t{tail}{line_end}" for head, relation, tail in rows)
    # The mark keeps a label that itself begins with one.
    assert list(read(written(folder, f"\ufeff{content}"), {})) == [
        triple(*row, f"line {number}") for number, row in enumerate(rows, start=1)
    ]


@pytest.mark.real_data
def test_real_training_triples_are_read(real_data: Path) -> None:
    triples = all_of(Triple, read(str(real_data / "kg" / "conceptnet100k" / "train_old.txt"), {}))
    assert len(triples) == 100_000
    assert len({triple.relation for triple in triples}) == 34
    assert triples[0] == triple("hockey", "ReceivesAction", "play on ice", "line 1")


@pytest.mark.real_data
def test_real_triples_labelled_false_are_rejected(real_data: Path) -> None:
    uri = str(real_data / "kg" / "conceptnet100k" / "dev1.txt")
    records = list(read(uri, {"label": "4"}))
    assert sum(isinstance(record, Triple) for record in records) == 600
    rejected = [record for record in records if isinstance(record, RejectedRecord)]
    assert {record.reason for record in rejected} == {"labelled as false by the source"}
    assert len(rejected) == 600
    unmapped = all_of(RejectedRecord, read(uri, {}))
    assert {record.reason for record in unmapped} == {"4 columns where 3 are expected"}
