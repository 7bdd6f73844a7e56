"""A small table of kites, over which claims are read."""

from __future__ import annotations

from evidence_assets.tables.hygiene import make_table

KITES = make_table(
    "kites",
    "Kites of the Sandholm club",
    [["Kite", "Shape", "Wing span (cm)", "Sewn", "Tail", "Last flown"]],
    [
        ["Merle", "delta", "210", "1994", "4", "May 2021"],
        ["Dunlin", "delta", "180", "2003", "2", "June 2022"],
        ["Pippa", "box", "95", "2011", "4", "?"],
        ["Ostara", "rokkaku", "240", "2016", "1", "June 2022"],
    ],
)
