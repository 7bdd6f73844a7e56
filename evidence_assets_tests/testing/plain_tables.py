"""Small tables that several tests state plain things about."""

from __future__ import annotations

from evidence_assets.tables.hygiene import make_table

CLIMATE = make_table(
    "climate",
    "A valley's spring",
    [["Month", "Mean temperature (°C)", "Rainfall (mm)", "Sunshine (h)"]],
    [["February", "-1.0", "41", "80"], ["March", "4.5", "55", "75"], ["April", "9.0", "38", "160"]],
)
MAPS = make_table(
    "maps",
    "Guidebooks",
    [["Rank", "Guide", "Copies sold", "Pages", "Index"]],
    [
        ["1", "Fells", "4,100", "212", "full"],
        ["2", "Coasts", "3,900", "340", "none"],
        ["3", "Fens", "950", "96", "full"],
    ],
)
MILLS = make_table(
    "mills",
    "Cloth woven by mill (km)",
    [["Mill", "2016", "2018", "2020"]],
    [["Aske", "40", "52", "31"], ["Berrow", "22", "20", "26"], ["Crake", "10", "8", "43"]],
)
SHIPS = make_table(
    "ships",
    "Ships in the old harbour",
    [["Name", "Type", "Built", "Length (m)", "Status"]],
    [
        ["Aurora", "schooner", "1908", "42", "museum ship"],
        ["Bella", "ferry", "1964", "71", "in service"],
        ["Condor", "tug", "1951", "24", "in service"],
        ["Dora", "schooner", "1921", "38", "laid up"],
        ["Elsa", "ferry", "1978", "88", "in service"],
    ],
)
TOWERS = make_table(
    "towers",
    "Towers of a city",
    [["Tower", "Built", "Height (m)", "Use"]],
    [
        ["Salt Tower", "1188", "31", "store"],
        ["Moot Hall", "1634", "18", "court"],
        ["Dock", "1911", "44", "flats"],
    ],
)
