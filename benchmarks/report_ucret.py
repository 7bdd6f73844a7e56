"""The results page's sections on tables and on language models."""

from __future__ import annotations

from collections.abc import Sequence

from benchmarks.report_tables import Row, find, percent, read, table

_TITLES = {"tabfact_small": "TabFact small test", "scitab": "SciTab", "worldtree": "WorldTree"}


def _share(value: float | None) -> str:
    return "–" if value is None else f"{100 * value:.1f}"


def _interval(cell: Row) -> str:
    low, high = cell.get("interval", (None, None))
    text = _share(cell["accuracy"])
    return text if low is None else f"{text} [{100 * low:.1f}, {100 * high:.1f}]"


def verification_table(result: Row) -> str:
    """Return the halves of TabFact: all, decided, sure, and the baselines."""
    halves = {"tabfact_held_out": "held out", "tabfact_development": "made on", "tabfact_all": "all"}
    rows = []
    for key, title in halves.items():
        one = result[key]
        baselines = one["baselines"]
        rows.append(
            [
                f"{title} ({one['statements']:,} statements, {one['tables']} tables)",
                _interval(one["accuracy"]),
                f"{_share(one['decided']['coverage'])}: {_interval(one['decided'])}",
                f"{_share(one['sure']['coverage'])}: {_interval(one['sure'])}",
                _share(baselines["majority"]),
                _interval(baselines["claim_only"]),
                _interval(baselines["row_holds_all_words"]),
            ]
        )
    header = [
        "tables",
        "accuracy",
        "decided: share, right",
        "sure: share, right",
        "majority",
        "claim only",
        "one row",
    ]
    return table(header, rows)


def kinds_table(result: Row, least: int = 10) -> str:
    """Return how often each kind of program was right on the tables that it was not made on."""
    kinds = result["tabfact_held_out"]["kinds"]
    rows = [
        [name, str(one["n"]), _share(one["accuracy"])]
        for name, one in sorted(kinds.items(), key=lambda item: -item[1]["n"])
        if one["n"] >= least
    ]
    return table(["program", "statements", "right"], rows)


def scitab_table(result: Row) -> str:
    """Return SciTab with three and with two labels beside what needs no table."""
    rows = [
        [
            title,
            f"{one['claims']:,}",
            _interval(one),
            _share(one["majority"]),
            _interval(one["claim_only"]),
        ]
        for title, one in (
            ("three labels", result["scitab"]["three_labels"]),
            ("supported or refuted", result["scitab"]["two_labels"]),
        )
    ]
    return table(["SciTab, half of its tables", "claims", "programs", "majority", "claim only"], rows)


def arms_table(result: Row, benchmark: str, metrics: Sequence[str]) -> str:
    """Return a benchmark's arms, through Dagster."""
    scores = [row for row in result["scores"] if row["benchmark"] == benchmark]
    arms = list(dict.fromkeys(row["arm"] for row in scores))
    filters = {row["filter"]: row for row in result["filters"] if row["benchmark"] == benchmark}
    rows = []
    for arm in arms:
        kept = filters.get(arm.partition("@")[0])
        shown = f"{kept['kept']:.1f} of {kept['columns']:.1f}" if kept else "–"
        fallback = _share(kept["fallback"]) if kept else "–"
        cells = [percent(find(scores, arm=arm, metric=metric)) for metric in metrics]
        rows.append([f"`{arm}`", shown, fallback, *cells])
    return table([_TITLES[benchmark], "columns shown", "fallback", *metrics], rows)


def _gold(one: Row) -> str:
    if "gold_kept" not in one:
        return "–"
    value, low, high = one["gold_kept"]
    return f"{value:.1f} [{low:.1f}, {high:.1f}]"


def filter_table(result: Row) -> str:
    """Return what each filter keeps of the columns that gold evidence stands in."""
    arms = result["arms"]
    rows = [
        [
            f"`{name}`",
            *(f"{arms[one][name]['kept']:.1f} of {arms[one][name]['columns']:.1f}" for one in arms),
            f"{100 * arms['scitab'][name]['fallback']:.0f} %",
            *(_gold(arms[one][name]) for one in arms if one != "scitab"),
        ]
        for name in arms["scitab"]
    ]
    named = [f"kept, {one}" for one in arms]
    gold = [f"gold kept, {one}" for one in arms if one != "scitab"]
    return table(["filter", *named, "fallback, scitab", *gold], rows)


def questions_table(result: Row) -> str:
    """Return the ways to answer from rows, on the questions that none was chosen on."""
    rows = [
        [name.replace("_", " "), f"{one[0]:.1f} [{one[1]:.1f}, {one[2]:.1f}]"]
        for name, one in result["accuracy_held_out_half"].items()
        if isinstance(one, list) and "minus" not in name
    ]
    return table(["WorldTree, half of its questions", "accuracy"], rows)


def ucret_section() -> str:
    """Return the section on tables."""
    verified, data = read("table_verification"), read("table_data")
    filtered, asked = read("table_filtering"), read("table_questions")
    spent = verified["milliseconds_a_statement"]
    return f"""## Tables: UCRET

Typed programs, no language model. They were made on half of TabFact's small test (chosen by a hash of the
file's name) and frozen before the other half was opened. What no program bears out counts as refuted; sure is
a confidence of .80, chosen on the first half. {spent["mean"]} ms a statement. Intervals draw tables.
`python -m benchmarks table_verification`.

{verification_table(verified)}

By kind of program, held-out tables:

{kinds_table(verified)}

SciTab's numbers are compared in ways that these programs do not read (lower is better, abbreviations, groups
of rows): they are at chance there, and a classifier that sees the claim's function words alone does better.
No figure under that one shows reasoning over a table.

{scitab_table(verified)}

Through Dagster, all tables. `@extractive` computes over the whole table; `@extractive_kept` sees only what
the filter keeps, which is what filtering costs. `python -m benchmarks table_data`.

{arms_table(data, "tabfact_small", ["accuracy", "macro_f1"])}

{arms_table(data, "scitab", ["accuracy", "macro_f1", "majority_accuracy"])}

What filters keep. Gold columns are those whose names TabFact's claims say, which the default keeps by rule,
and those that WorldTree's gold rows hold the answer in. All of SciTab, encoding included:
{filtered["seconds_scitab"]} s. `python -m benchmarks table_filtering` has every temperature of the
Jensen-Shannon form: at an equal gate it differs from cosine by less than two points of gold columns, but at
.025, where it loses five to ten.

{filter_table(filtered)}

{questions_table(asked)}

WorldTree, 662 questions asked of a store of 62 tables:

{arms_table(data, "worldtree", ["accuracy", "answered", "selective_accuracy", "chance_accuracy"])}
"""


def generation_section() -> str:
    """Return the section on language models."""
    result = read("generation_overhead")
    lines = "\n".join(
        f"- {name.replace('_', ' ')}: {value}"
        for name, value in result.items()
        if isinstance(value, int | float | bool) and name != "seconds"
    )
    return f"""## Language models

The record beside the bare client of the same server, which takes 50 ms a reply, 256 requests; and replay from
the lake. `python -m benchmarks generation_overhead`.

{lines}
"""
