"""Words of time: nouns of times that a table may tell the same of, and what sets a time beside another."""

from __future__ import annotations

from evidence_assets.tables.programs.wording.words import word_key, word_keys
from evidence_assets.text.words import word_set

# Nouns of the times of a calendar, which are their own stems.
CALENDAR_TIMES = word_set("day week month quarter season year")
# Nouns, as stems: of `every year`, `month after month`, `the best season`.
TIMES = CALENDAR_TIMES | word_keys("time period point date decade round stage count census survey cohort")
# Before a time that is meant from its first to its last day: `over the whole season`.
WHOLE = frozenset({"whole", "entire", "full"})
# Nouns of times that others are parts of, and of these.
WHOLE_TIMES = (CALENDAR_TIMES - {"day", "month"}) | word_keys("annual decade")
PARTS_OF_TIMES = (CALENDAR_TIMES - {"season"}) | {"date"}
PARTS_OF_YEARS = CALENDAR_TIMES - {"season", "year"}
# How many days some of them have, by their stem.
DAYS_IN = {"day": 1.0, "week": 7.0}
# How many minutes others have.
MINUTES_IN = {word_key("minute"): 1.0, word_key("hour"): 60.0}
# Words before a date or time of day, and the relation that they set to it.
RELATIONS_IN_TIME = {
    "before": "<",
    "after": ">",
    "since": ">=",
    "until": "<=",
    "prior": "<",
    "following": ">",
}
# Words before when something ends, or when what was denied begins: `not until 1990`.
UNTIL = frozenset({"until", "till"})
# Words before the first of the two ends of a span of time, and words between them.
OPENINGS_OF_SPANS = frozenset({"from", "between"})
JOINS_OF_TIMES = UNTIL | {"-", "to", "and", "through"}
# Adjectives of what comes first and last of some.
FIRST, LAST = frozenset({"first", "opening"}), frozenset({"last", "final"})
# Verbs of when something began or where it started, and of when and where it ended.
BEGINNING, ENDING = word_set("start started begin began begun"), word_set("end ended finish finished")
# What nothing lies between: `right after`.
DIRECTLY = frozenset({"right", "directly", "immediately", "straight"})
