"""Names of months, days of the week and seasons."""

from __future__ import annotations

_MONTHS = "january february march april may june july august september october november december"
MONTH_NAMES = tuple(_MONTHS.split())
# The number of each month, by its name and its short forms.
MONTHS = {
    name[:length]: number for number, name in enumerate(MONTH_NAMES, start=1) for length in (3, len(name))
} | {"sept": 9}
# The days of the week, by their short forms.
WEEKDAYS = {
    short: name
    for name, shorts in (
        ("monday", "mon mo"),
        ("tuesday", "tue tues tu"),
        ("wednesday", "wed weds we"),
        ("thursday", "thu thur thurs th"),
        ("friday", "fri fr"),
        ("saturday", "sat sa"),
        ("sunday", "sun su"),
    )
    for short in shorts.split()
}
# In order, from Monday on.
DAY_NAMES = tuple(dict.fromkeys(WEEKDAYS.values()))
DAYS_AND_MONTHS = frozenset({*WEEKDAYS, *DAY_NAMES, *MONTHS})
# The month amid each season.
MIDDLES_OF_SEASONS = {"winter": 1, "spring": 4, "summer": 7, "autumn": 10, "fall": 10}
