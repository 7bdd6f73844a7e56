"""Readers by name: each one's module is imported when it is used, since a configuration needs few of them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from importlib import import_module
from typing import Generic, TypeVar, cast

Reader = TypeVar("Reader")


class Readers(Mapping[str, Reader], Generic[Reader]):
    """The readers of a package, of what `kind` says. `places`: of each name the module and the function."""

    def __init__(self, kind: str, package: str, places: Mapping[str, str]) -> None:
        self._kind, self._package, self._places = kind, package, places

    def __getitem__(self, name: str) -> Reader:
        module, _, function = self._places[name].rpartition(".")
        return cast("Reader", getattr(import_module(f"{self._package}.{module}"), function))

    def __contains__(self, name: object) -> bool:
        return name in self._places

    def __iter__(self) -> Iterator[str]:
        return iter(self._places)

    def __len__(self) -> int:
        return len(self._places)

    def reader(self, name: str) -> Reader:
        """The reader of that name.

        Raises:
            ValueError: there is none; the message lists the known names.
        """
        if name not in self:
            raise ValueError(f"no {self._kind} reader {name!r}: choose one of {', '.join(self)}")
        return self[name]
