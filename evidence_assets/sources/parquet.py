"""Rows of Parquet files."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any

from evidence_assets.sources.files import BrokenReadError, open_binary
from evidence_assets.sources.reading import Row, unreadable
from evidence_assets.sources.records import RejectedRecord, UnusableSourceError


def parquet_rows(
    uri: str,
    columns_of: Callable[[list[str]], Sequence[str]],
    batch_rows: int,
    reason: str = "not readable as Parquet",
    remedy: str = "fetch the file again, or name only Parquet files",
) -> Iterator[Row[Any] | RejectedRecord]:
    """The rows of a Parquet file, with the columns that `columns_of` takes of those that the file has.

    A row with a text that is not UTF-8 is rejected alone.

    Raises:
        UnusableSourceError: the file is missing, is no Parquet, or breaks off: then the last row is named.
    """
    import pyarrow as pa
    from pyarrow.parquet import ParquetFile

    number = 0
    with open_binary(uri) as stream:
        try:
            parquet = ParquetFile(stream, pre_buffer=False, buffer_size=1024 * 1024)
            columns = list(columns_of(parquet.schema_arrow.names))
            for batch in parquet.iter_batches(batch_rows, columns=columns, use_threads=False):
                for position in range(batch.num_rows):
                    number += 1
                    yield _row(batch, position, number)
        except BrokenReadError as error:
            raise error.after(f"row {number}") from error
        # Names of columns that are not UTF-8 fail with an error of their own.
        except (pa.ArrowException, OSError, UnicodeDecodeError) as error:
            problem = f"{reason} ({' '.join(str(error).split())})"
            raise UnusableSourceError(uri, f"after row {number}", problem, remedy) from error


def check_columns(uri: str, present: Sequence[str], needed: Iterable[str], remedy: str) -> None:
    """Check that a table has the columns that a reader needs.

    Raises:
        UnusableSourceError: it lacks one.
    """
    if missing := [name for name in needed if name not in present]:
        reason = f"no column {', '.join(missing)}; the file has {', '.join(present) or 'none'}"
        raise unreadable(uri, reason, remedy)


def _row(batch: Any, position: int, number: int) -> Row[Any] | RejectedRecord:
    values = {}
    for name, column in zip(batch.schema.names, batch.columns, strict=True):
        try:
            values[name] = column[position].as_py()
        except UnicodeDecodeError as error:
            reason = f"byte {error.start} of column {name!r} is not UTF-8"
            return RejectedRecord(f"row {number}", reason, "correct the row in the source")
        # A date after the year 9999, an unknown time zone: Python has no value for it.
        except (ValueError, OverflowError, LookupError) as error:
            reason = f"the {column.type} in column {name!r} has no value ({str(error)[:200]})"
            return RejectedRecord(f"row {number}", reason, "correct the row, or write the column as text")
    return Row(number, f"row {number}", values)
