"""The results page's section on questions that are asked of a graph."""

from __future__ import annotations

from collections.abc import Sequence

from benchmarks.report_tables import Row, find, percent, read, table

_TITLES = {"metaqa_1hop": "MetaQA, 1 hop", "metaqa_2hop": "MetaQA, 2 hops"}
_METRICS = {
    "hits@1": "Hits@1",
    "hits@10": "Hits@10",
    "answer_mrr": "MRR",
    "answer_f1": "F1",
    "answer_exact_set": "exact set",
    "answer_coverage": "coverage",
}


def answers_table(scores: Sequence[Row]) -> str:
    """Return how each arm ranks the answers of each benchmark."""
    arms = list(dict.fromkeys((row["system"], row["arm"]) for row in scores))
    rows = []
    for benchmark, title in _TITLES.items():
        for system, arm in arms:
            own = [row for row in scores if row["system"] == system]
            cells = [find(own, benchmark=benchmark, arm=arm, metric=metric) for metric in _METRICS]
            if cells[0] is not None:
                count = f"{title} ({cells[0]['n']:,})"
                rows.append([count, f"{system}/{arm}", *map(percent, cells)])
    return table(["questions", "arm", *_METRICS.values()], rows)


def solver_table(result: Row) -> str:
    """Return how long conjunctive queries take, beside SQL written for their shapes."""
    return table(
        ["queries of three triplets", "median ms", "largest ms"],
        [
            [
                f"solver, {result['triples']:,} triples, a hub of {result['largest_degree']:,}",
                f"{result['milliseconds_median']:.1f}",
                f"{result['milliseconds_largest']:.1f}",
            ],
            [
                "nested semi-joins written by hand",
                f"{result['duckdb_milliseconds_median']:.1f}",
                f"{result['duckdb_milliseconds_largest']:.1f}",
            ],
        ],
    )


def _shares(row: Row, *names: str) -> list[str]:
    return ["–" if row.get(name) is None else _interval(row[name]) for name in names]


def _interval(found: Sequence[float]) -> str:
    value, low, high = (100 * one for one in found)
    return f"{value:.1f} [{low:.1f}, {high:.1f}]"


def parsing_table(result: Row) -> str:
    """Return how well the parser reads MetaQA's questions, beside what any single path could reach."""
    rows = [
        [
            f"{one['hops']} hop, {one['part']} ({one['n']:,})",
            *_shares(one, "hits@1", "hits@10", "f1", "exact_set"),
            f"{100 * one['ceiling']['hits@1']:.1f} / {100 * one['ceiling']['f1']:.1f}",
            *_shares(one, "hits@1_at_80_percent"),
        ]
        for one in result["metaqa"]
    ]
    rows += [
        [f"{one['hops']} hop, {one['baseline']} ({one['n']})", *_shares(one, "hits@1", "hits@10"), *["–"] * 4]
        for one in result["baselines"]
    ]
    header = ["questions", "Hits@1", "Hits@10", "F1", "exact set", "best path: Hits@1 / F1", "surest 80 %"]
    return table(header, rows)


def ablation_table(result: Row) -> str:
    """Return what each part of a path's score is worth."""
    arms = list(dict.fromkeys(one["arm"] for one in result["ablations"]))
    rows = []
    for arm in arms:
        own = {one["hops"]: one for one in result["ablations"] if one["arm"] == arm}
        rows.append([arm, *(_interval(own[hops]["hits@1"]) for hops in (1, 2))])
    return table(["held-out questions", "1 hop Hits@1", "2 hop Hits@1"], rows)


def causes_table(result: Row) -> str:
    """Return why the set that was answered was not the gold set, gaps of the graph apart from the parser."""
    causes = list(dict.fromkeys(cause for one in result["errors"] for cause in one["causes"]))
    rows = [
        [cause, *(str(one["causes"].get(cause, 0)) for one in result["errors"])] for cause in sorted(causes)
    ]
    return table(["cause", *(f"{one['hops']} hop, of {one['n']:,}" for one in result["errors"])], rows)


def other_schemas(result: Row) -> str:
    """Return how the parser fares where nothing was written for it: a museum, a biomedical graph."""
    museum = result["museum"]
    rows = [
        [f"museum, free questions ({museum['n']})", f"exact set {_interval(museum['exact_set'])}", "–", "–"],
        *(
            [
                f"biomedical, {part} ({one['n']})",
                *_shares(one, "path_hits@1", "relation_hits@1", "path_among_three"),
            ]
            for part, one in result["biomedical"].items()
        ),
    ]
    return table(["graph", "first reading right", "its relation right", "right among three"], rows)


def options_table(result: Row) -> str:
    """Return how Attention2Query's arms choose among CommonsenseQA's options, beside the cosine alone."""
    rows = [
        [
            f"{one['arm']} ({one['questions']:,})",
            _interval([one["accuracy"], one["accuracy_low"], one["accuracy_high"]]),
            f"{100 * one['cosine']:.1f}",
            _interval([one["minus_cosine"], one["minus_cosine_low"], one["minus_cosine_high"]]),
        ]
        for one in result["options"]
    ]
    return table(["arm (questions)", "accuracy", "cosine on the same", "difference"], rows)


def open_table(result: Row) -> str:
    """Return how Attention2Query's arms answer MetaQA's questions."""
    rows = [
        [
            f"{one['hops']}",
            f"{one['arm']} ({one['questions']})",
            *(
                _interval([one[name], one[f"{name}_low"], one[f"{name}_high"]])
                for name in ("hits@1", "hits@10", "f1")
            ),
            f"{one['milliseconds_a_question']:.0f}",
        ]
        for one in result["open"]["arms"]
    ]
    return table(["hops", "arm (questions)", "Hits@1", "Hits@10", "F1", "ms a question"], rows)


def graphs_section() -> str:
    """Return the section."""
    data, solver, parsing = read("graph_data"), read("graph_queries"), read("graph_parsing")
    attention = read("attention2query")
    seconds = attention["time"]["seconds_a_question"]
    return f"""## Questions asked of a graph

MetaQA's films (129,413 triples, incomplete), 2,000 development questions of each number of hops, drawn by
their ids, through Dagster, without a language model (`python -m benchmarks graph_data`). Hits and reciprocal
rank are what a random order of equally scored answers would give. The parser is not told the number of hops.

{answers_table(data["scores"])}

The parser without a language model, by itself (`python -m benchmarks graph_parsing`; constants and wordings
were chosen on the development part). Best path: what the best single path of at most two steps could reach,
the rest being missing triples.

{parsing_table(parsing)}

{ablation_table(parsing)}

Wrong sets, by cause, held out:

{causes_table(parsing)}

Other graphs, nothing written for them but an authored schema (museum), or not even that (biomedical, types
from kinds and sentences from templates; questions made from wordings other than the templates'):

{other_schemas(parsing)}

Attention2Query on CommonsenseQA dev over conceptnet100k (`python -m benchmarks attention2query`; chance 20;
arms but the default on 200 questions drawn by their ids). From K = 2 to 50 facts a question takes
{1000 * seconds["2"]:.0f} to {1000 * seconds["50"]:.0f} ms.

{options_table(attention)}

Its open questions on MetaQA, on questions that chose nothing; `tuned` is trained on others of the same number
of hops:

{open_table(attention)}

Conjunctive queries (`python -m benchmarks graph_queries`): {solver["queries"]} queries, in DuckDB on one
thread, every answer set equal to that of semi-joins written by hand;
{solver["ratio_of_medians"]:.1f} times as fast by medians.

{solver_table(solver)}"""
