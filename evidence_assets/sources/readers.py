"""Readers by name: each one's module is imported when it is used, since a configuration needs few of them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from importlib import import_module
from typing import Generic, TypeVar, cast

Reader = TypeVar("Reader")


class Readers(Mapping[str, Reader], Generic[Reader]):
    """The readers of a package. `places`: of each name the module and the function, `module.function`."""

    def __init__(self, package: str, places: Mapping[str, str]) -> None:
        self._package, self._places = package, dict(places)

    def __getitem__(self, name: str) -> Reader:
        module, _, function = self._places[name].rpartition(".")
        return cast("Reader", getattr(import_module(f"{self._package}.{module}"), function))

    def __contains__(self, name: object) -> bool:
        return name in self._places

    def __iter__(self) -> Iterator[str]:
        return iter(self._places)

    def __len__(self) -> int:
        return len(self._places)
