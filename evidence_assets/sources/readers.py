"""Values by name, each made when it is used: readers' modules are not imported for what no source needs."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping
from importlib import import_module
from typing import Generic, TypeVar, cast

Value = TypeVar("Value")


class Lazy(Mapping[str, Value], Generic[Value]):
    """The values that `make` makes of the names; it raises KeyError for a name that it does not know."""

    def __init__(self, names: Collection[str], make: Callable[[str], Value]) -> None:
        self._names, self._make = names, make

    def __getitem__(self, name: str) -> Value:
        return self._make(name)

    def __contains__(self, name: object) -> bool:
        return name in self._names

    def __iter__(self) -> Iterator[str]:
        return iter(self._names)

    def __len__(self) -> int:
        return len(self._names)


class Readers(Lazy[Value]):
    """The readers of a package, of what `kind` says. `places`: of each name the module and the function."""

    def __init__(self, kind: str, package: str, places: Mapping[str, str]) -> None:
        def imported(name: str) -> Value:
            module, _, function = places[name].rpartition(".")
            return cast("Value", getattr(import_module(f"{package}.{module}"), function))

        super().__init__(places, imported)
        self._kind = kind

    def reader(self, name: str) -> Value:
        """The reader of that name.

        Raises:
            ValueError: there is none; the message lists the known names.
        """
        if name not in self:
            raise ValueError(f"no {self._kind} reader {name!r}: choose one of {', '.join(self)}")
        return self[name]
