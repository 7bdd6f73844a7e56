"""Tables of the WorldTree corpus, a sentence a row."""

from __future__ import annotations

import gzip
from pathlib import Path

import pytest

from evidence_assets.sources.articles.worldtree_tables import read
from evidence_assets.sources.records import Article, RejectedRecord, UnusableSourceError
from evidence_assets_tests.testing.records_read import all_of

HEADER = "[FILL] a\tTHING\t[FILL] is used for\tPURPOSE\t[SKIP] COMMENTS\t[SKIP] DEP\t[SKIP] UID"


def written(folder: Path, lines: list[str] | bytes, name: str = "USEDFOR.tsv") -> str:
    path = folder / name
    path.parent.mkdir(exist_ok=True)
    path.write_bytes(lines if isinstance(lines, bytes) else "\n".join(lines).encode())
    return str(path)


def test_a_row_reads_as_a_sentence(tmp_path: Path) -> None:
    rows = [
        "\ufeff" + HEADER + "\r",
        "a\tswitch\tis used for\tstart; stop\tseen\t\tu-1\r",
        '\t two  "big"\u00a0wheels \tare used for\t; moving ;driving\t\tMoved to X\tu-2',
    ]
    assert list(read(written(tmp_path, rows), {})) == [
        Article(key="u-1", title="", text="a switch is used for start"),
        Article(key="u-2", title="", text='two "big" wheels are used for moving'),
    ]


def test_columns_are_found_by_the_header_wherever_they_stand(tmp_path: Path) -> None:
    rows = ["[SKIP] UID\tA\t [SKIP] note\tB", "u-1\tice\tno\tis cold"]
    assert list(read(written(tmp_path, rows), {})) == [Article(key="u-1", title="", text="ice is cold")]


def test_rows_that_do_not_fit_the_header(tmp_path: Path) -> None:
    lines = [
        HEADER.encode(),
        b"a\tlamp",
        b"",
        b"\t\t\t\tonly a comment\t\tu-4",
        b" ;\t\t\t\t\t\tu-5",
        b"an\taxe\tis used for\tcutting\t\t\tu-6\t \t",
        b"an\taxe\tis used for\tcutting\t\t\t\tu-7",
        b"a\tcaf\xe9\t\t\t\t\tu-8",
        b"a\tpen",
    ]
    short, long_but_empty, torn, not_utf8, last = read(written(tmp_path, b"\n".join(lines)), {})
    assert short == Article(key="USEDFOR.tsv:2", title="", text="a lamp")
    assert long_but_empty == Article(key="u-6", title="", text="an axe is used for cutting")
    assert isinstance(torn, RejectedRecord)
    assert (torn.record, torn.reason) == ("line 7", "8 cells where the header names 7 columns")
    assert torn.remedy
    assert isinstance(not_utf8, RejectedRecord)
    assert not_utf8.record == "line 8"
    assert last == Article(key="USEDFOR.tsv:9", title="", text="a pen")


def test_keys_are_unique_over_a_folder(tmp_path: Path) -> None:
    table = [HEADER, "a\tpen\t\t\t\t\tu-1", "a\tcup\t\t\t\t\tu-1", "a\tbed"]
    written(tmp_path, table, "A.tsv")
    written(tmp_path, table, "B.tsv")
    written(tmp_path, ["X\tY", "a\tpen"], "sub/A.tsv")
    written(tmp_path, gzip.compress(b"X\tY\nan\taxe"), "B.tsv.gz")
    keys = [record.key for record in all_of(Article, read(str(tmp_path), {}))]
    assert keys == ["u-1", "A.tsv:3", "A.tsv:4", "B.tsv:2", "B.tsv:3", "B.tsv:4", "B.tsv.gz:2", "sub/A.tsv:2"]
    some = all_of(Article, read(f"{tmp_path}/A.*", {}))
    assert [record.key for record in some] == keys[:3]


def test_a_rejected_row_of_several_files_names_its_own(tmp_path: Path) -> None:
    written(tmp_path, ["X\tY", "a\tpen"], "A.tsv")
    written(tmp_path, ["X\tY", "a\tb\tc"], "B.tsv")
    _, rejected = read(str(tmp_path), {})
    assert isinstance(rejected, RejectedRecord)
    assert rejected.record == "B.tsv, line 2"


@pytest.mark.parametrize(
    ("content", "reason"),
    [
        (b"", "line 1: no header: the file is empty"),
        (b"\na\tb", "line 1: no header of a table with text"),
        (b"ACTION.tsv\nAFFECT.tsv", "line 1: no header of a table with text: 'ACTION.tsv'"),
        (b"[SKIP] DEP\t[SKIP] UID\n\tu-1", "line 1: no header of a table with text"),
        (b"X\xff\tY\na\tb", "line 1: no header: byte 2 of the line, 0xff, is not UTF-8"),
    ],
)
def test_a_file_without_a_usable_header_is_unusable(tmp_path: Path, content: bytes, reason: str) -> None:
    with pytest.raises(UnusableSourceError, match=rf"USEDFOR\.tsv, {reason}.*Remedy: ."):
        list(read(written(tmp_path, content), {}))


@pytest.mark.real_data
def test_the_real_tables_are_read(real_data: Path) -> None:
    folder = real_data / "tables" / "worldtree" / "tsv" / "tables"
    if not folder.is_dir():
        pytest.skip(f"no WorldTree tables at {folder}: fetch the corpus's tsv folder there")
    records = all_of(Article, read(str(folder), {}))
    articles = {record.key: record.text for record in records}
    assert len(articles) == len(records) == 4950
    assert len(set(articles.values())) == 4885
    assert all(text and ";" not in text for text in articles.values())
    # Three UIDs stand in two rows each, and two of the three rows say the same.
    assert [key for key in articles if ".tsv:" in key] == ["IF-THEN.tsv:128", "KINDOF.tsv:187", "UNIT.tsv:20"]
    assert articles["9580-9f11-5f23-3df4"] == (
        "a switch is used to start the flow of current in an electrical circuit"
    )
    assert articles["0d2a-34ad-e231-a167"] == "the ability to grow is a kind of trait"
    units = {record.key: record.text for record in all_of(Article, read(str(folder / "UNIT.tsv"), {}))}
    assert units.items() <= articles.items()
