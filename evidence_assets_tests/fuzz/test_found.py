"""What damaged files once did to readers: crashes, untyped errors, files read outside, memory without bound.

Each case is what the search of `test_readers` found, made small, or one of a kind that no search meets.
"""

from __future__ import annotations

import bz2
import gzip
import io
import json
import lzma
import os
import resource
import subprocess
import sys
import zipfile
from collections.abc import Callable
from pathlib import Path

import openpyxl
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from evidence_assets.sources.json_stream import DEEPEST
from evidence_assets_tests.fuzz.binary_samples import parquet
from evidence_assets_tests.fuzz.cases import SECRET, Outcome, check, good_files
from evidence_assets_tests.fuzz.targets import TARGETS


def outcome(target: str, folder: Path, **changed: bytes) -> Outcome:
    """What comes of a target's sample with files changed; in names `__` is a slash, `_` a dot."""
    files = good_files(TARGETS[target].sample)
    files |= {name.replace("__", "/").replace("_", "."): content for name, content in changed.items()}
    return check(TARGETS[target], files, folder)


# --- JSON documents: the parser crashed the process, or took memory with the square of the depth


@pytest.mark.parametrize("depth", [DEEPEST + 1, 60_000])
@pytest.mark.parametrize(("opening", "closing"), [(b"[", b"]"), (b'{"a":', b"1}")])
def test_deep_nesting_is_refused(tmp_path: Path, depth: int, opening: bytes, closing: bytes) -> None:
    deep = b'[{"text": ' + opening * depth + closing * depth + b"}]"
    assert "deep in each other" in outcome("articles json", tmp_path, q_json=deep).refused


def test_brackets_within_texts_are_no_nesting(tmp_path: Path) -> None:
    content = json.dumps([{"text": "\\" * 3 + '"' + "[{" * 5_000}, {"text": "[" * 70_000}]).encode()
    assert outcome("articles json", tmp_path, q_json=content).stored == 2


@pytest.mark.parametrize("before", [0, 65_000, 65_530])
def test_a_number_of_too_many_digits_is_refused(tmp_path: Path, before: int) -> None:
    content = b"[" + b" " * before + b'{"text": ' + b"9" * 5_000 + b"}]"
    assert "digits" in outcome("articles json", tmp_path, q_json=content).refused


@pytest.mark.parametrize("value", [b"1e9999999999999999999", b'"\\udfff\\ud800"', b'"a\\udfffb"'])
@pytest.mark.parametrize("target", ["articles json", "questions scitab"])
def test_numbers_and_characters_that_are_none_are_refused(tmp_path: Path, target: str, value: bytes) -> None:
    result = outcome(target, tmp_path, q_json=b'[{"text": ' + value + b', "id": ' + value + b"}]")
    assert result.refused or result.rejected


def test_half_a_character_may_be_told_of(tmp_path: Path) -> None:
    record = {"question": "Q?", "options": {"A": "x", "B": "y"}, "answer_idx": "\ud800"}
    result = outcome("questions medqa_usmle", tmp_path, q_jsonl=json.dumps(record).encode())
    assert (result.stored, result.rejected) == (0, 1)


def test_a_number_of_a_node_has_a_number_of_digits(tmp_path: Path) -> None:
    numbers = ("9" * 5_000 + "\tEden\n").encode()
    sample = {**TARGETS["graphs metaqa"].sample.files}
    files = {name: content.encode() for name, content in sample.items()} | {"g/entity2text.txt": numbers}
    assert check(TARGETS["graphs metaqa"], files, tmp_path).rejected


@pytest.mark.parametrize("old", [b'"hemophilia", "reviews"', b'"FVIII"', b'"A factor."'])
def test_half_a_character_is_no_part_of_a_node(tmp_path: Path, old: bytes) -> None:
    files = good_files(TARGETS["graphs stark_skb"].sample)
    half = {name: content.replace(old, old[:2] + b"\\udfff" + old[2:]) for name, content in files.items()}
    assert half != files
    assert check(TARGETS["graphs stark_skb"], half, tmp_path).rejected


def test_true_is_no_row_of_a_table(tmp_path: Path) -> None:
    record = json.loads(TARGETS["questions fetaqa"].sample.files["q.jsonl"].splitlines()[0])
    content = json.dumps({**record, "highlighted_cell_ids": [[True, 0]]}).encode()
    assert outcome("questions fetaqa", tmp_path, q_jsonl=content).rejected == 1


# --- Parquet and tensors


@pytest.mark.parametrize(
    "column",
    [
        pa.array([2**31 - 1], pa.date32()),
        pa.array([1], pa.duration("ns")),
        pa.array([1], pa.timestamp("us", tz="Nowhere/None")),
    ],
)
def test_values_that_python_has_not_are_rejected(tmp_path: Path, column: pa.Array) -> None:
    file = io.BytesIO()
    texts = {name: pa.array(["a"]) for name in ("id", "url", "text")}
    pq.write_table(pa.table({**texts, "title": column}), file)
    assert outcome("articles wikipedia_parquet", tmp_path, a_parquet=file.getvalue()).rejected == 1


def test_names_of_columns_that_are_no_text_are_refused(tmp_path: Path) -> None:
    content = parquet({"id": "1", "url": "u", "title": "T", "text": "Words."})(None)
    broken = content.replace(b"title", b"t\xactle")
    assert (
        "not readable as Parquet" in outcome("articles wikipedia_parquet", tmp_path, a_parquet=broken).refused
    )


@pytest.mark.parametrize("prompts", [3, [{"prompt": None, "found": True}], ["p"], None])
def test_mined_triples_without_prompts_are_rejected(tmp_path: Path, prompts: object) -> None:
    row = {"kg": "k", "head": "a", "relation": "r", "tail": "b", "confidence": 1.0, "model_id": "m"}
    content = parquet({**row, "prompts": prompts})(None)
    assert outcome("graphs lake_triples (mined)", tmp_path, g_parquet=content).rejected == 2


# --- paths that climb: records name files of tables


@pytest.mark.parametrize(
    "written",
    ["../outside/secret.csv", "csv/../../outside/secret.csv", "/etc/passwd", "file:///etc/passwd",
     "zip://secret.csv::../outside/secret.zip", "simplecache::file:///etc/passwd", "~/.netrc"],
)  # fmt: skip
@pytest.mark.parametrize("target", ["questions wikitablequestions", "questions tabmcq", "questions tabfact"])
def test_a_record_names_no_file_outside(tmp_path: Path, target: str, written: str) -> None:
    sample = TARGETS[target].sample
    name, content = next((n, c) for n, c in sample.files.items() if "melts," in c or "nt-0" in c or "[[" in c)
    for proper in ("csv/1-csv/2.csv", "melts.csv", "a.csv"):
        content = content.replace(proper, written)
    files = {n: (content if n == name else c).encode() for n, c in sample.files.items()}
    result = check(TARGETS[target], files, tmp_path)
    assert result.rejected
    assert SECRET not in repr(result)


# --- few bytes that become many: a bound in a process of its own


def _workbook(replaced: tuple[bytes, bytes]) -> bytes:
    book, file, changed = openpyxl.Workbook(), io.BytesIO(), io.BytesIO()
    book.active.append(["a", "b"])
    book.active.append(["c", 1])
    book.save(file)
    with zipfile.ZipFile(file) as parts, zipfile.ZipFile(changed, "w", zipfile.ZIP_DEFLATED) as archive:
        for name in parts.namelist():
            archive.writestr(name, parts.read(name).replace(*replaced))
    return changed.getvalue()


def _redirects(count: int) -> bytes:
    pages = (
        f"<page><title>Old {n}</title><ns>0</ns><id>{n}</id><redirect title='New {n}'/></page>"
        for n in range(count)
    )
    return f"<mediawiki><siteinfo/>{''.join(pages)}</mediawiki>".encode()


_LAUGHS = "<!DOCTYPE l [<!ENTITY a 'lol'>" + "".join(
    f"<!ENTITY {name} '{f'&{before};' * 20}'>" for before, name in zip("abcdefgh", "bcdefghi", strict=True)
)


def _archive(name: str, content: bytes) -> bytes:
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED, compresslevel=1) as archive:
        archive.writestr(name, content)
    return file.getvalue()


_PAGE = b"<mediawiki><siteinfo/><page><title>a</title>"
BOMBS: dict[str, tuple[str, str, Callable[[], bytes]]] = {
    "a line of 600 MB": ("articles lines", "a.txt.gz", lambda: gzip.compress(b"a" * 600_000_000, 1)),
    # Packed slowly: less of it, and a lower bound.
    "a line of 200 MB in bzip2": ("articles lines", "a.txt.bz2", lambda: bz2.compress(b"a" * 200_000_000, 1)),
    "a line of 200 MB in xz": ("articles lines", "a.txt.xz", lambda: lzma.compress(b"a" * 200_000_000, preset=0)),  # noqa: E501
    "a line of 600 MB in Zstandard": (
        "articles lines", "a.txt.zst", lambda: pa.Codec("zstd").compress(b"a" * 600_000_000, asbytes=True),
    ),
    "a line of 600 MB in an archive": (
        "articles lines", "zip://a.txt::a.zip", lambda: _archive("a.txt", b"a" * 600_000_000),
    ),
    "an archive in an archive": (
        "articles lines", "zip://a.txt.gz::a.zip",
        lambda: _archive("a.txt.gz", gzip.compress(b"a" * 600_000_000, 1)),
    ),
    "an object of 600 MB": (
        "articles json", "q.json.gz", lambda: gzip.compress(b'[{"text": "' + b"a" * 600_000_000, 1),
    ),
    "a text of 600 MB": ("articles text_folder", "a/a.txt.gz", lambda: gzip.compress(b"a\n" * 300_000_000, 1)),  # noqa: E501
    "a revision of 600 MB": (
        "articles mediawiki_xml", "a.xml.gz",
        lambda: gzip.compress(_PAGE + b"<revision><text>" + b"a " * 300_000_000, 1),
    ),
    "a tag of 600 MB": (
        "articles mediawiki_xml", "a.xml.gz",
        lambda: gzip.compress(_PAGE + b"<a b='" + b"a" * 600_000_000, 1),
    ),
    "entities of entities": (
        "articles mediawiki_xml", "a.xml",
        f"{_LAUGHS}]><mediawiki><siteinfo/><page><title>&i;</title></page></mediawiki>".encode,
    ),
    "a cell that spans all": (
        "tables html", "t.html", lambda: b"<table>" + b"<tr><td colspan=1000 rowspan=65534>a" * 20_000,
    ),
    "a sheet to its last cell": ("tables xlsx", "t.xlsx", lambda: _workbook((b'r="B2"', b'r="XFD1048576"'))),
    "a merged sheet": (
        "tables xlsx", "t.xlsx",
        lambda: _workbook((b"</sheetData>", b'</sheetData><mergeCells><mergeCell ref="A1:XFD1048576"/></mergeCells>')),  # noqa: E501
    ),
    "a part of 600 MB": (
        "tables xlsx", "t.xlsx", lambda: _workbook((b"</sheetData>", b"</sheetData>" + b" " * 600_000_000)),
    ),
    "a million columns": ("tables csv", "t.csv", lambda: b",".join([b"a"] * 1_000_000) + b"\n" + b"1," * 999_999),  # noqa: E501
    "an archive of 600 MB": ("tables csv", "t.csv.gz", lambda: gzip.compress(b"a,b\n" * 150_000_000, 1)),
    "articles that are none": ("articles jsonl", "q.jsonl.gz", lambda: gzip.compress(b"a\n" * _REJECTED)),
    "triples that are none": ("graphs relation_head_tail", "g.tsv.gz", lambda: gzip.compress(b"a\n" * _REJECTED)),  # noqa: E501
    "questions that are none": ("questions metaqa", "q.tsv.gz", lambda: gzip.compress(b"a\n" * _REJECTED)),
    "pages that are none": ("articles mediawiki_xml", "a.xml.gz", lambda: gzip.compress(_redirects(_REJECTED // 2), 1)),  # noqa: E501
}  # fmt: skip
MOST_BYTES = 1_600 << 20
# Of records that are rejected: a fraction of what it would take to keep them.
_REJECTED = 400_000
BOUNDS = {
    **{bomb: 160 << 20 for bomb in BOMBS if bomb.endswith("that are none")},
    **{bomb: 190 << 20 for bomb in BOMBS if bomb.startswith("a line of 200 MB")},
}

_READ = """
import resource, sys
from pathlib import Path
from evidence_assets_tests.fuzz.targets import TARGETS
from evidence_assets.sources.records import UnusableSourceError
before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
try:
    print(TARGETS[sys.argv[1]].read(sys.argv[2]))
except UnusableSourceError as error:
    print("refused", error)
print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before)
"""


@pytest.mark.integration
@pytest.mark.parametrize("bomb", BOMBS)
def test_few_bytes_do_not_fill_the_memory(tmp_path: Path, bomb: str) -> None:
    target, name, made = BOMBS[bomb]
    member, _, file = name.rpartition("::")
    path = tmp_path / file
    path.parent.mkdir(exist_ok=True)
    path.write_bytes(made())
    opened = f"{member}::{path}" if member else str(path.parent if "/" in file else path)
    read = subprocess.run(
        [sys.executable, "-c", _READ, target, opened],
        capture_output=True,
        text=True,
        timeout=300,
        cwd=Path(__file__).parents[2],
        env={**os.environ, "OMP_NUM_THREADS": "1"},
        # Far above the bound: what breaks it must not take the machine with it.
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_AS, (12 << 30, 12 << 30)),
        check=False,
    )
    assert read.returncode == 0, read.stderr[-2000:]
    *report, more = read.stdout.strip().splitlines()
    assert int(more) << 10 < BOUNDS.get(bomb, MOST_BYTES), report
