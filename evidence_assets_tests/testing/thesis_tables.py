"""Tables of the thesis that UCRET is printed in."""

from __future__ import annotations

from evidence_assets.tables.hygiene import make_table
from evidence_assets.tables.table import Table


def measles() -> Table:
    """Figure 3.1."""
    return make_table(
        "measles",
        "Table 1. Measles Outbreaks in Canada, by province, 2007 to 2011",
        [["Province", "Year", "Number of cases", "Duration (weeks)", "Strain"]],
        [
            ["Quebec", "2007", "94", "24", "D4"],
            ["Ontario", "2008", "53", "11", "D8"],
            ["British Columbia", "2010", "82", "7", "D8 and H1"],
            ["Quebec", "2011", "20", "11", "D4"],
            ["Quebec", "2011", "678", "33", "D4"],
        ],
    )
