"""Tables from Excel workbooks: one a sheet."""

from __future__ import annotations

import datetime
import io
import zipfile
from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator, Sequence
from typing import IO, Any
from xml.parsers import expat

from evidence_assets.sources.files import LARGEST_WHOLE
from evidence_assets.sources.records import RejectedRecord, TableRecord
from evidence_assets.sources.tables.layout import Span
from evidence_assets.sources.tables.reading import Tables, check_size, headed
from evidence_assets.sources.validation import RecordRejectedError

_FORMULA = "f"
_RESAVE = "open the workbook in a spreadsheet program and save it as .xlsx"


def workbook_tables(content: bytes, name: str) -> Tables:
    """Yields one table a sheet, its key the file's name and the sheet's; empty sheets are rejected.

    Merged cells each hold what stands in the first of them. Numbers are written as they are stored, but for
    percentages (0.125 shown as 12.5% is `12.5%`) and dates (ISO 8601). A formula counts by its stored result;
    a sheet in which one has none is rejected.
    """
    try:
        _check_size(content)
        written, stored = _workbook(content, data_only=False), _workbook(content, data_only=True)
    except RecordRejectedError as rejected:
        yield rejected.at(name)
        return
    # A damaged archive or part of it fails with whatever the parser meets first.
    except Exception as error:
        yield RejectedRecord(name, f"not an .xlsx workbook ({type(error).__name__}: {error})", _RESAVE)
        return
    for sheet, results in zip(written.worksheets, stored.worksheets, strict=True):
        yield _table(sheet, results, f"{name}#{sheet.title}")
    if not written.worksheets:
        yield RejectedRecord(name, "the workbook has no sheet", _RESAVE)


def _check_size(content: bytes) -> None:
    """Refuse a workbook whose parts, or whose sheets, would fill the memory.

    The parser makes every cell up to the last of a sheet, and every cell of a merged range.

    Raises:
        RecordRejectedError: they would.
    """
    with zipfile.ZipFile(io.BytesIO(content)) as archive:
        parts = archive.infolist()
        if sum(part.file_size for part in parts) > LARGEST_WHOLE:
            raise RecordRejectedError(f"its parts have more than {LARGEST_WHOLE:,} bytes", "cut it in two")
        for part in parts:
            if part.filename.endswith(".xml"):
                with archive.open(part) as stream:
                    _Extent().read(stream)


class _Extent:
    """How far the cells of one part of a workbook reach."""

    def __init__(self) -> None:
        self._row = self._column = self._last_row = self._last_column = self._merged = 0

    def read(self, stream: IO[bytes]) -> None:
        """Read a part; raises as `_check_size` does, and what a broken part fails with."""
        parser = expat.ParserCreate()
        parser.StartElementHandler = self._begin
        parser.ParseFile(stream)

    def _begin(self, name: str, attributes: dict[str, str]) -> None:
        from openpyxl.utils.cell import coordinate_to_tuple, range_boundaries

        match name.rpartition(":")[2]:
            case "row":
                self._row = int(attributes.get("r", self._row + 1))
                self._column = 0
            case "c":
                self._column += 1
                if "r" in attributes:
                    self._row, self._column = coordinate_to_tuple(attributes["r"])
                self._last_row = max(self._last_row, self._row)
                self._last_column = max(self._last_column, self._column)
            case "mergeCell":
                left, top, right, bottom = range_boundaries(attributes["ref"])
                self._merged += (right - left + 1) * (bottom - top + 1)
        check_size(self._merged + self._last_row * self._last_column)


def _workbook(content: bytes, data_only: bool) -> Any:
    from openpyxl import load_workbook

    return load_workbook(io.BytesIO(content), data_only=data_only)


def _table(sheet: Any, results: Any, key: str) -> TableRecord | RejectedRecord:
    rows = []
    for written, cells in zip(sheet.iter_rows(), results.iter_rows(), strict=True):
        for formula, cell in zip(written, cells, strict=True):
            if formula.data_type == _FORMULA and cell.value is None:
                place = f"{key}, row {formula.row}, column {formula.column_letter}"
                return RejectedRecord(place, "a formula without a stored result", _RESAVE)
        rows.append([_text(cell) for cell in cells])
    spans = [
        Span(m.min_row - 1, m.max_row - 1, m.min_col - 1, m.max_col - 1) for m in results.merged_cells.ranges
    ]
    for span in spans:
        shown = rows[span.top][span.left]
        for row in rows[span.top : span.bottom + 1]:
            row[span.left : span.right + 1] = [shown] * (span.right + 1 - span.left)
    filled = [number for number, row in enumerate(rows) if any(row)]
    return headed(key, [rows[number] for number in filled], list(_within(filled, spans)))


def _within(filled: Sequence[int], spans: Iterable[Span]) -> Iterator[Span]:
    """Yield merged cells, their rows counted among those that are filled."""
    for span in spans:
        top, behind = bisect_left(filled, span.top), bisect_right(filled, span.bottom)
        if top < behind:
            yield Span(top, behind - 1, span.left, span.right)


def _text(cell: Any) -> str:
    value = cell.value
    if value is None:
        return ""
    if isinstance(value, bool):
        return str(value).upper()
    if isinstance(value, datetime.datetime):
        return str(value.date() if value.time() == datetime.time() else value)
    if isinstance(value, int | float):
        percent = "%" in str(cell.number_format)
        return f"{value * 100:.12g}%" if percent else _plain(value)
    return str(value)


def _plain(value: float) -> str:
    return str(int(value)) if float(value).is_integer() and abs(value) < 1e15 else repr(value)
