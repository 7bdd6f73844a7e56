"""A hash of logical rows: what a table says, however it is encoded, cut or laid out in memory."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

# Names all that is decided below. Whoever changes a decision changes the name: versions are compared by it.
SCHEME = "rows-1"

_TEXT = (pa.types.is_string, pa.types.is_large_string, pa.types.is_string_view)
_BYTES = (pa.types.is_binary, pa.types.is_large_binary, pa.types.is_binary_view)
_LISTS = (pa.types.is_list, pa.types.is_large_list)


class RowHasher:
    """Hashes a stream of rows of one schema, in bounded memory.

    Every column is hashed as streams of its values one after another, so that it cannot matter where the
    rows are cut: the positions of its nulls (int64), the lengths of its texts and lists (int64), the bytes
    of its values. What lies in the slot of a null is not hashed. The schema counts by names, types and
    nullability, not by descriptions, and a dictionary, a large string or a large list is what it holds. All
    NaNs are equal; -0.0 and 0.0 differ, as they do for who reads the rows.
    """

    def __init__(self, schema: pa.Schema) -> None:
        self._columns = [_Values(field.type) for field in schema]
        described = [[field.name, field.nullable, _described(field.type)] for field in schema]
        self._schema = json.dumps([SCHEME, described], ensure_ascii=False, separators=(",", ":"))
        self._rows = 0

    def update(self, rows: pa.Table | pa.RecordBatch) -> None:
        """Hash the rows that come next; their columns are the schema's, in its order."""
        self._rows += rows.num_rows
        for values, column in zip(self._columns, rows.columns, strict=True):
            for chunk in column.chunks if isinstance(column, pa.ChunkedArray) else [column]:
                values.update(chunk)

    def hexdigest(self) -> str:
        """Return the 32-digit hexadecimal hash (128 bits) of the rows up to here."""
        digest = _new_digest()
        digest.update(self._schema.encode("utf-8", "surrogatepass"))
        digest.update(self._rows.to_bytes(8, "little"))
        for values in self._columns:
            for part in values.digests():
                digest.update(part)
        return str(digest.hexdigest())


def row_hash(rows: pa.Table) -> str:
    """Return the 32-digit hexadecimal hash of a table's rows, in their order, and of its schema."""
    hasher = RowHasher(rows.schema)
    hasher.update(rows)
    return hasher.hexdigest()


def _new_digest() -> Any:
    return hashlib.blake2b(digest_size=16)


def _described(kind: pa.DataType) -> object:
    """Return a type by what it can hold, in words that do not depend on pyarrow's."""
    if pa.types.is_dictionary(kind):
        return _described(kind.value_type)
    if pa.types.is_struct(kind):
        return ["struct", *([field.name, field.nullable, _described(field.type)] for field in kind)]
    if _is_any(kind, _LISTS):
        return ["list", kind.value_field.nullable, _described(kind.value_type)]
    if pa.types.is_fixed_size_list(kind):
        return ["list", kind.list_size, kind.value_field.nullable, _described(kind.value_type)]
    return _described_flat(kind)


def _described_flat(kind: pa.DataType) -> str:
    if pa.types.is_floating(kind):
        return f"float{kind.bit_width}"
    if _is_any(kind, _TEXT):
        return "string"
    return "binary" if _is_any(kind, _BYTES) else str(kind)


def _is_any(kind: pa.DataType, tests: tuple[Any, ...]) -> bool:
    return any(test(kind) for test in tests)


class _Values:
    """The hash of one column's values, or of what stands in its lists or structs.

    Numbers, moments and truth values are their bytes, each as wide as the others; texts and byte strings
    their lengths in bytes, and the concatenated bytes; lists their lengths in items, unless those are fixed,
    and the concatenated items of all lists; structs each field as a column.

    Raises:
        TypeError: rows of that type have no hash.
    """

    def __init__(self, kind: pa.DataType) -> None:
        while pa.types.is_dictionary(kind):
            kind = kind.value_type
        self._length = 0
        self._nulls, self._lengths, self._bytes = _new_digest(), _new_digest(), _new_digest()
        self._parts: list[_Values] = []
        self._streams = [self._nulls, self._bytes]
        self._update_present = self._update_numbers
        if pa.types.is_null(kind):
            self._streams = [self._nulls]
        elif _is_any(kind, _TEXT) or _is_any(kind, _BYTES):
            self._streams = [self._nulls, self._lengths, self._bytes]
            self._update_present = self._update_texts
        elif _is_any(kind, _LISTS) or pa.types.is_fixed_size_list(kind):
            self._streams = [self._nulls, self._lengths]
            self._update_present = self._update_lists
            self._parts = [_Values(kind.value_type)]
        elif pa.types.is_struct(kind):
            self._streams = [self._nulls]
            self._update_present = self._update_structs
            self._parts = [_Values(field.type) for field in kind]
        elif not (
            pa.types.is_boolean(kind) or pa.types.is_primitive(kind) or pa.types.is_fixed_size_binary(kind)
        ):
            raise TypeError(
                f"values of type {kind} cannot be hashed; remedy: declare a list of structs or a text"
            )

    def update(self, values: pa.Array) -> None:
        """Hash the values that come next."""
        if pa.types.is_dictionary(values.type):
            values = values.dictionary_decode()
        if values.null_count:
            self._nulls.update(
                _int64(np.flatnonzero(values.is_null().to_numpy(zero_copy_only=False)) + self._length)
            )
        self._length += len(values)
        present = values.drop_null() if values.null_count else values
        if len(present):
            self._update_present(present)

    def digests(self) -> Iterator[bytes]:
        """Yield the hash of each stream of this column: always as many for a type."""
        for stream in self._streams:
            yield stream.digest()
        for part in self._parts:
            yield from part.digests()

    def _update_numbers(self, values: pa.Array) -> None:
        kind = values.type
        if pa.types.is_boolean(kind):
            self._bytes.update(values.cast(pa.uint8()).to_numpy())
            return
        width = kind.bit_width // 8
        data = memoryview(values.buffers()[1])[values.offset * width : (values.offset + len(values)) * width]
        self._bytes.update(_one_nan(data, f"<f{width}") if pa.types.is_floating(kind) else data)

    def _update_texts(self, values: pa.Array) -> None:
        if pa.types.is_string_view(values.type) or pa.types.is_binary_view(values.type):
            values = values.cast(pa.large_binary())
        wide = pa.types.is_large_string(values.type) or pa.types.is_large_binary(values.type)
        _, offset_buffer, data = values.buffers()
        offsets = np.frombuffer(offset_buffer, dtype="<i8" if wide else "<i4")
        offsets = offsets[values.offset : values.offset + len(values) + 1]
        self._lengths.update(_int64(np.diff(offsets)))
        if offsets[-1] > offsets[0]:
            self._bytes.update(memoryview(data)[int(offsets[0]) : int(offsets[-1])])

    def _update_lists(self, values: pa.Array) -> None:
        if not pa.types.is_fixed_size_list(values.type):
            self._lengths.update(_int64(pc.list_value_length(values).to_numpy(zero_copy_only=False)))
        self._parts[0].update(values.flatten())

    def _update_structs(self, values: pa.Array) -> None:
        for number, part in enumerate(self._parts):
            part.update(values.field(number))


def _one_nan(data: memoryview, kind: str) -> Any:
    """Return floats with every NaN replaced by the same NaN."""
    values = np.frombuffer(data, dtype=kind)
    nans = np.isnan(values)
    return np.where(nans, np.array(np.nan, kind), values) if nans.any() else data


def _int64(numbers: Any) -> Any:
    return np.ascontiguousarray(numbers, dtype="<i8")
