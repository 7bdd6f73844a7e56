"""The places that sources may be read from, where whoever runs the project lists some."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import PurePath

# Places parted by commas; unset: any may be read.
ALLOWED_VARIABLE = "EVIDENCE_ALLOWED_SOURCES"
INSTEAD = "put the file itself there, or have its place added by whoever set the variable"
_WITHIN_A_FILE = frozenset({"zip", "tar", "libarchive", "simplecache", "filecache", "blockcache"})


def why_not_named(chain: str, location: str) -> str:
    """Return why a configuration may not name a file; nothing where it may.

    `chain`: what a URI has before the file that it opens: archives in it, caches of it.
    """
    places = _listed()
    if not places:
        return ""
    links = [link.partition("://")[0] for link in chain.split("::") if link]
    canonical = _plain_place(location)
    inside = _is_below(canonical, places) and ".." not in canonical.split("/")
    if inside and _WITHIN_A_FILE.issuperset(links):
        return ""
    return f"is not below {', '.join(places)}, and {ALLOWED_VARIABLE} lets nothing else be read"


def why_not_opened(uri: str) -> str:
    """Return why a file that a folder, a pattern or a record led to may not be read; nothing where it may.

    It lies in a listed place, and links lead from it, or from a folder that it is in, out of all of them.
    What lies in none is no configuration's: the lake, files of the package.
    """
    places, path = _listed(), _local(uri.rpartition("::")[2])
    if not places or "://" in path or _is_below(os.path.realpath(path), places):
        return ""
    if not any(_is_below(os.path.realpath(folder), places) for folder in PurePath(path).parents):
        return ""
    return f"links lead from it out of {', '.join(places)}, and {ALLOWED_VARIABLE} lets nothing else be read"


def _listed() -> Sequence[str]:
    written = os.environ.get(ALLOWED_VARIABLE, "").split(",")
    return [_plain_place(place.strip()) for place in written if place.strip()]


def _is_below(canonical: str, places: Sequence[str]) -> bool:
    return any(canonical == place or canonical.startswith(f"{place}/") for place in places)


def _plain_place(place: str) -> str:
    """Return one spelling of a place: of a local one the path without links."""
    path = _local(place)
    return path.rstrip("/") if "://" in path else os.path.realpath(path)


def _local(place: str) -> str:
    return place.removeprefix("file://").removeprefix("local://")
