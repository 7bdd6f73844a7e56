"""Arrays on disk keyed by the content they were computed from: append-only, memory-mapped, crash-safe.

A store is a folder of Arrow files, one a checkpoint, each written atomically under a name that its keys
decide. Only the keys live in memory, and what the last `READS_KEPT` arrays were read from. Deleting the
folder costs time, never correctness.
"""

from __future__ import annotations

import ctypes
import mmap
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from evidence_assets.lake.filesystem import atomic_output, resolve_root
from evidence_assets.lake.ids import combined_hash, text_hash

Keys = NDArray[np.void]
_KEY = np.dtype("V16")
# Pages of mapped files that were read count as the process's memory, and with each the system maps its
# neighbours, up to 2 MiB: after so many reads the pages are given back.
READS_KEPT = 256


def keys_of(texts: Sequence[str]) -> Keys:
    """Return the 16-byte content hash of each text."""
    return np.frombuffer(b"".join(bytes.fromhex(text_hash(text)) for text in texts), dtype=_KEY)


class ArrayStore:
    """A store of a label and a (rows, width) array, float16 or float32, for each key.

    `folder` holds the files, and is created at the first write.
    """

    def __init__(self, folder: Path, width: int, dtype: type[np.floating[Any]]) -> None:
        self.folder, self.width, self._dtype = folder, width, np.dtype(dtype)
        self._places: dict[bytes, tuple[int, int]] = {}
        self._files: list[tuple[pa.Array, NDArray[np.int64], NDArray[np.floating[Any]]]] = []
        self._mapped: list[pa.Buffer] = []
        self._read_from: list[int] = []
        self._opened: set[str] = set()

    def size(self) -> int:
        """Return the bytes of the store's files."""
        return sum(path.stat().st_size for path in self.folder.glob("*.arrow"))

    def missing(self, keys: Keys) -> NDArray[np.int64]:
        """Return the positions of keys that are not stored."""
        absent = self._absent(keys)
        if len(absent):
            # What another process has stored since.
            self._open_new_files()
            absent = self._absent(keys)
        return absent

    def _absent(self, keys: Keys) -> NDArray[np.int64]:
        return np.array(
            [place for place, key in enumerate(keys) if key.tobytes() not in self._places], np.int64
        )

    def get(self, key: np.void) -> tuple[str, NDArray[np.floating[Any]]]:
        """Return a key's label and array, a view of the file.

        Raises:
            KeyError: the key is not stored.
        """
        number, row = self._places[key.tobytes()]
        labels, offsets, values = self._files[number]
        self._read_from.append(number)
        if len(self._read_from) > READS_KEPT:
            _give_back(self._mapped[read] for read in set(self._read_from))
            self._read_from.clear()
        return labels[row].as_py(), values[offsets[row] : offsets[row + 1]]

    def put(self, keys: Keys, labels: Sequence[str], arrays: Sequence[NDArray[np.floating[Any]]]) -> None:
        """Store arrays in one new file."""
        lengths = np.array([len(array) for array in arrays], dtype=np.int64)
        offsets = np.concatenate([[0], np.cumsum(lengths)])
        flat = np.concatenate([np.asarray(array, self._dtype).reshape(-1) for array in arrays])
        vectors = pa.FixedSizeListArray.from_arrays(pa.array(flat), self.width)
        raw = keys.tobytes()
        table = pa.table(
            {
                "key": pa.FixedSizeBinaryArray.from_buffers(
                    pa.binary(16), len(keys), [None, pa.py_buffer(raw)]
                ),
                "label": pa.array(labels, pa.string()),
                "array": pa.LargeListArray.from_arrays(pa.array(offsets), vectors),
            }
        )
        filesystem, folder = resolve_root(str(self.folder))
        with (
            atomic_output(filesystem, f"{folder}/{combined_hash([raw.hex()])}.arrow") as file,
            pa.ipc.new_file(file, table.schema) as writer,
        ):
            writer.write_table(table)
        self._open_new_files()

    def _open_new_files(self) -> None:
        for path in sorted(self.folder.glob("*.arrow")):
            if path.name in self._opened:
                continue
            self._opened.add(path.name)
            mapped = pa.memory_map(str(path)).read_buffer()
            table = pa.ipc.open_file(pa.BufferReader(mapped)).read_all().combine_chunks()
            keys, labels, arrays = (table.column(name).chunk(0) for name in ("key", "label", "array"))
            values = arrays.values.flatten().to_numpy(zero_copy_only=True).reshape(-1, self.width)
            for row, key in enumerate(np.frombuffer(keys.buffers()[1], dtype=_KEY, count=len(keys))):
                self._places.setdefault(key.tobytes(), (len(self._files), row))
            self._files.append((labels, arrays.offsets.to_numpy(), values))
            self._mapped.append(mapped)
            _give_back([mapped])


def _give_back(mapped: Iterable[pa.Buffer]) -> None:
    """Let the system take mapped pages back: who reads them again gets the same bytes from the file.

    The files stay mapped, so that arrays in use stay valid, and outlive a file that is deleted. The standard
    library's own maps could be told the same, but each keeps a file descriptor, and a store has thousands of
    files.
    """
    if not hasattr(mmap, "MADV_DONTNEED"):
        return
    advise = ctypes.CDLL(None).madvise
    for buffer in mapped:
        advise(ctypes.c_void_p(buffer.address), ctypes.c_size_t(buffer.size), mmap.MADV_DONTNEED)
