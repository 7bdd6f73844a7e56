"""Headers of standings spelt out: W, D, L of wins, draws and losses, GF and GA of goals for and against."""

from __future__ import annotations

from collections.abc import Sequence

_SPELT = {
    "w": "Won",
    "l": "Lost",
    "d": "Drawn",
    "t": "Tied",
    "p": "Played",
    "pld": "Played",
    "gp": "Games played",
    "gf": "Goals for",
    "ga": "Goals against",
    "gd": "Goal difference",
    "pf": "Points for",
    "pa": "Points against",
    "pd": "Points difference",
    "pts": "Points",
}
# Letters may be of anything; where both of these are headers they are of standings.
_TELLING = frozenset({"w", "l"})


def spelt_out(header: Sequence[str]) -> list[str]:
    """Return the names of columns, the abbreviations of a table of standings spelt out."""
    names = [name.strip().lower().rstrip(".") for name in header]
    if not _TELLING.issubset(names):
        return list(header)
    return [_SPELT.get(key, name) for key, name in zip(names, header, strict=True)]
