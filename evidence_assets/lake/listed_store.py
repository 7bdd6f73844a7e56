"""An object store as a query reads it: what its listing told of a file is not asked of the store again."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from typing import Any

from fsspec import AbstractFileSystem
from fsspec.core import strip_protocol


class ListedStore(AbstractFileSystem):  # type: ignore[misc]
    """A store that is asked for a file's size and time by listing it, and not by name.

    DuckDB lists what a query reads as the query begins, and asks for the size or time of every file that it
    opens six times over. What is listed counts until it is listed again: a query sees what stood there when
    it began, and fails where another content has taken a file's place before it is read.

    `raised`: what the store raised last, which a query tells the text of.
    """

    cachable = False

    def __init__(self, store: Any) -> None:
        super().__init__()
        self._store = store
        self._listed: dict[str, dict[str, Any]] = {}
        self.raised: Exception | None = None
        self.protocol = store.protocol

    def glob(self, path: str, **options: Any) -> list[str]:
        """Return the files that a pattern names, and know them from now on."""
        with self._kept():
            listed = self._store.glob(path, detail=True, **options)
        self._listed |= listed
        return list(listed)

    def info(self, path: str, **options: Any) -> dict[str, Any]:
        """Return what the listing told of a file; of one that was not listed, what the store tells."""
        known = self._listed.get(strip_protocol(path))
        with self._kept():
            return known or dict(self._store.info(path, **options))

    def modified(self, path: str) -> Any:
        """Return when a file was written."""
        return self.info(path).get("LastModified") or self._store.modified(path)

    def open(self, path: str, mode: str = "rb", **options: Any) -> Any:
        """Open a file as it was listed."""
        known = self._listed.get(strip_protocol(path))
        with self._kept():
            if known is None:
                return _KeptFile(self._store.open(path, mode, **options), self._kept)
            file = self._store.open(path, mode, **options, size=known["size"])
        file.details = known
        return _KeptFile(file, self._kept)

    @contextmanager
    def _kept(self) -> Iterator[None]:
        """Keep what is raised."""
        try:
            yield
        except Exception as error:
            self.raised = error
            raise


class _KeptFile:
    """An open file; what its store raises while it is read is kept."""

    def __init__(self, file: Any, kept: Callable[[], AbstractContextManager[None]]) -> None:
        self._file, self._kept = file, kept

    def read(self, length: int = -1) -> bytes:
        with self._kept():
            return bytes(self._file.read(length))

    def __getattr__(self, name: str) -> Any:
        return getattr(self._file, name)
