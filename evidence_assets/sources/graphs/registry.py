"""The readers of knowledge graphs by name, as the profile's configuration names them."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from types import MappingProxyType

from evidence_assets.sources.graphs import conceptnet_assertions, relation_head_tail
from evidence_assets.sources.records import RejectedRecord, Triple

GraphReader = Callable[[str, Mapping[str, str]], Iterator[Triple | RejectedRecord]]

READERS: Mapping[str, GraphReader] = MappingProxyType(
    {
        "conceptnet_assertions": conceptnet_assertions.read,
        "relation_head_tail": relation_head_tail.read,
    }
)


def reader(name: str) -> GraphReader:
    """The reader of that name.

    Raises:
        ValueError: there is none; the message lists the known names.
    """
    try:
        return READERS[name]
    except KeyError:
        raise ValueError(f"no graph reader {name!r}: choose one of {', '.join(READERS)}") from None
