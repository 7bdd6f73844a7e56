"""Files of binary formats with values of every kind where others belong: Parquet, workbooks, tensors."""

from __future__ import annotations

import io
import pickle
import re
import zipfile
from collections.abc import Callable, Mapping, Sequence
from random import Random
from typing import Any

import openpyxl
import pyarrow as pa
import pyarrow.parquet as pq
import torch

from evidence_assets_tests.fuzz import damage

# Of None a good file, of a source of chance a damaged one.
# The writer of workbooks refuses them.
_UNWRITABLE = re.compile(r"[\000-\010\013\014\016-\037]")
Maker = Callable[[Random | None], bytes]

_COLUMNS: Sequence[Callable[[Random, int], pa.Array]] = (
    lambda rng, rows: pa.array([damage.text(rng) for _ in range(rows)]),
    lambda rng, rows: pa.array([None] * rows, pa.string()),
    lambda rng, rows: pa.nulls(rows),
    lambda rng, rows: pa.array([rng.choice((0, -1, 2**62))] * rows),
    lambda rng, rows: pa.array([rng.choice((0.5, float("nan"), float("inf")))] * rows),
    lambda rng, rows: pa.array([b"\xff\xfe"] * rows),
    lambda rng, rows: pa.array([True] * rows),
    lambda rng, rows: pa.array([[damage.text(rng), None]] * rows),
    lambda rng, rows: pa.array([{"source": "a", "record": 1}, None][:rows]),
    lambda rng, rows: pa.array([[{"prompt": None, "found": 3}]] * rows),
    lambda rng, rows: pa.array([2**60] * rows, pa.timestamp("ms")),
    lambda rng, rows: pa.array([1] * rows, pa.duration("ns")),
    lambda rng, rows: pa.array([1] * rows, pa.timestamp("us", tz="Nowhere/None")),
    lambda rng, rows: pa.array([2**31 - 1] * rows, pa.date32()),
    lambda rng, rows: pa.array([f"a{n}" for n in range(rows)]).dictionary_encode(),
    # Bytes that are not UTF-8 in a column that says they are.
    lambda rng, rows: pa.array([b"\xff"] * rows).view(pa.string()),
    lambda rng, rows: pa.array([["ok", "b"]] * rows),
)


def parquet(columns: Mapping[str, Any]) -> Maker:
    """Tables of two rows with these columns, up to two of them of another type, lost, or there twice."""
    proper = {name: pa.array([value, value]) for name, value in columns.items()}

    def make(rng: Random | None) -> bytes:
        pairs = list(proper.items())
        if rng:
            for _ in range(rng.randrange(1, 3)):
                _change_a_column(rng, pairs)
        file = io.BytesIO()
        table = pa.Table.from_arrays([array for _, array in pairs], names=[name for name, _ in pairs])
        pq.write_table(table, file)
        return _perhaps_damaged(rng, file.getvalue()) if rng else file.getvalue()

    return make


def _change_a_column(rng: Random, pairs: list[tuple[str, Any]]) -> None:
    place = rng.randrange(len(pairs))
    match rng.randrange(6):
        case 0 if len(pairs) > 1:
            del pairs[place]
        case 1:
            pairs.append(pairs[place])
        case _:
            pairs[place] = (pairs[place][0], rng.choice(_COLUMNS)(rng, 2))


def workbook(rng: Random | None) -> bytes:
    """A small workbook with odd cells, formulas, merged cells, and now and then a broken part."""
    book = openpyxl.Workbook()
    sheet = book.active
    sheet.append(["name", "year"])
    sheet.append(["ann", 0.5])
    if rng:
        for _ in range(rng.randrange(3)):
            written = _UNWRITABLE.sub("", damage.text(rng))
            cells = (written, 1.5, float("inf"), True, 10**30, "=A1+1", "#REF!", None, -2958466, 1e300)
            sheet.append([rng.choice(cells), rng.choice(cells)])
        sheet["B2"].number_format = rng.choice(("General", "0%", "yyyy-mm-dd", "[h]:mm", "#,##0.00"))
        if rng.random() < 0.3:
            sheet.merge_cells("A1:B2")
    file = io.BytesIO()
    book.save(file)
    if not rng:
        return file.getvalue()
    return _perhaps_damaged(rng, _with_a_part_replaced(rng, file.getvalue()))


def _with_a_part_replaced(rng: Random, content: bytes) -> bytes:
    old, new = rng.choice(
        (
            (b"", b""),
            (b'r="A2"', b'r="XFE9999999"'),
            (b'r="A2"', b'r="A0"'),
            (b'r="1"', b'r="-1"'),
            (b"<sheetData>", b"<sheetData><row r='1048577'><c r='XFD1'/></row>"),
            (b"<v>", b"<v>&xxe;"),
            (b"</sheetData>", b""),
            (b't="n"', b't="d"'),
            (b't="s"', b't="b"'),
            (b"A1:B2", b"B2:A1"),
            (b"<?xml", b"<!DOCTYPE a [<!ENTITY xxe SYSTEM 'file:///etc/passwd'>]><?xml"),
            (b"<worksheet", b"<!DOCTYPE a [<!ENTITY xxe SYSTEM 'file:///etc/passwd'>]><worksheet"),
            (b"worksheets/sheet1.xml", b"../../outside/secret.csv"),
            (b"General", b"[$-"),
        )
    )
    changed = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(content)) as parts, zipfile.ZipFile(changed, "w") as written:
        for part in parts.infolist():
            written.writestr(
                part.filename,
                parts.read(part.filename).replace(old, new) if old else parts.read(part.filename),
            )
    return changed.getvalue()


class _Runs:
    def __reduce__(self) -> tuple[Any, ...]:
        return exec, ("raise SystemExit('a pickle was run')",)


def tensor(values: object) -> Maker:
    """A saved tensor of these values, or something else that `torch.save` or pickle writes."""

    def make(rng: Random | None) -> bytes:
        proper = torch.tensor(values)
        others: tuple[Callable[[], object], ...] = (
            lambda: proper.to(torch.bfloat16),
            lambda: proper.to(torch.complex64),
            lambda: proper.to(torch.float64) / 0,
            lambda: -proper - 1,
            lambda: proper + 2**62,
            lambda: proper.reshape(-1)[:1],
            proper.to_sparse,
            lambda: proper.to(torch.float32).requires_grad_(),
            lambda: {"a": proper},
            lambda: torch.tensor(5),
            lambda: torch.zeros(0, dtype=torch.int64),
            lambda: torch.zeros(2, 3, 4, dtype=torch.int64),
            lambda: torch.quantize_per_tensor(proper.float(), 0.1, 0, torch.qint8),
            lambda: proper.to("meta"),
            lambda: torch.ones(1, dtype=torch.int64).expand(2, 10**12),
            proper.bool,
        )
        if rng and rng.random() < 0.1:
            return pickle.dumps(_Runs())
        file = io.BytesIO()
        torch.save(proper if not rng or rng.random() < 0.4 else rng.choice(others)(), file)
        if not rng:
            return file.getvalue()
        return _perhaps_damaged(rng, file.getvalue())

    return make


def _perhaps_damaged(rng: Random, content: bytes) -> bytes:
    return damage.any_bytes(rng, content) if rng.random() < 0.4 else content
