"""Unknown names, and the nearest known ones."""

from __future__ import annotations

from collections.abc import Collection, Iterable

_SUGGESTED = 3
_LEAST_LIKENESS = 70.0


class UnknownNameError(LookupError):
    """An unknown name: the message says of what kind, the nearest names, and where all are listed.

    `kind`: what the names name ("benchmark"). `listed`: the sentence that leads to all of them.
    """

    def __init__(self, kind: str, names: Iterable[str], known: Collection[str], listed: str = "") -> None:
        lines = []
        for name in names:
            near = nearest(name, known)
            lines.append(f"no {kind} {name!r}" + (f"; the nearest: {', '.join(near)}" if near else ""))
        super().__init__("\n".join([*lines, listed] if listed else lines))


def is_it(name: str, known: Iterable[str], most: int = 1) -> str:
    """Return how a remedy begins that names the nearest, "is it cosine? Else "; empty where none is near."""
    near = nearest(name, known, most)
    return f"is it {' or '.join(near)}? Else " if near else ""


def nearest(name: str, known: Iterable[str], most: int = _SUGGESTED) -> list[str]:
    """Return the known names that are spelled most like a name, the nearest first; empty where none is.

    Whole names are compared, and a name that is part of another: `cosine` is near `chunks_only_cosine`.
    """
    from rapidfuzz import fuzz, process, utils

    matches = process.extract(
        name, sorted(set(known)), scorer=fuzz.WRatio, processor=utils.default_process, limit=most
    )
    return [match for match, likeness, _ in matches if likeness >= _LEAST_LIKENESS]
