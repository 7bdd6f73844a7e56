"""The section of the results page on UGAT-MedQA: the merged graph, relevance, arms, diagnostics, time."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from benchmarks.medical_data import BENCHMARKS
from benchmarks.node_relevance import DEFAULT
from benchmarks.report_tables import TITLES, Row, find, percent, read, table
from evidence_assets.evaluation.published import published_rows

_GRAPHS = {
    "disease_database": "Disease Database",
    "with_ontology": "and Disease Ontology",
    "with_indications": "and indications",
    "biomedical": "all three",
}
_ABSTAINING, _ANSWERING = "full@extractive", "no_retrieval@extractive"
_SUBJECT_ARMS = (_ABSTAINING, "full_answering@extractive", _ANSWERING)


def graph_table(graphs: Sequence[Row]) -> str:
    """Return how large each graph is, and how its sources were joined."""
    return table(
        [
            "graph",
            "concepts",
            "names",
            "triples",
            "of statements",
            "in several sources",
            "joined by",
            "conflicts",
        ],
        [
            [
                _GRAPHS[row["graph"]],
                f"{row['nodes']:,}",
                f"{row['names']:,}",
                f"{row['triples']:,}",
                f"{row['statements']:,}",
                f"{row['concepts_of_several_sources']:,}",
                ", ".join(f"{rule} {count:,}" for rule, count in row["joined"].items()) or "-",
                ", ".join(f"{kind} {count:,}" for kind, count in row["conflicts"].items()) or "-",
            ]
            for row in graphs
        ],
    )


def coverage_table(coverage: Sequence[Row]) -> str:
    """Return how many questions and right options are concepts of each graph."""
    names = (
        "with_a_concept",
        "with_a_concept_by_form",
        "right_option_names_a_concept",
        "right_option_is_a_concept",
        "all_options_name_concepts",
    )
    return table(
        ["questions", "graph", *(name.replace("_", " ") for name in names)],
        [
            [
                f"{TITLES[row['benchmark']]} ({row['questions']:,})",
                _GRAPHS[row["graph"]],
                *(f"{100 * row[name]:.1f}" for name in names),
            ]
            for row in coverage
        ],
    )


def method_table(methods: Sequence[Row]) -> str:
    """Return every relevance's worth on options and on what explanations name."""
    return table(
        [
            "graph",
            "relevance",
            "right option",
            "minus cosine",
            "minus guided walk, lift",
            "recall at 50",
            "area",
            "average precision",
        ],
        [
            [
                _GRAPHS[row["graph"]],
                row["method"],
                f"{100 * row['accuracy']:.1f}",
                "" if row["method"] == "cosine" else percent(row["minus_cosine"], signed=True),
                "" if row["method"] == DEFAULT else percent(row["minus_default"], signed=True),
                f"{100 * row['recall_at_50']:.1f}",
                f"{row['area_under_curve']:.3f}",
                f"{100 * row['average_precision']:.1f}",
            ]
            for row in methods
        ],
    )


def more_graph_table(more: Row) -> str:
    """Return what each larger graph changes, beside Disease Database alone."""
    return table(
        [
            "graph",
            "questions that compare",
            "right of them",
            "of both graphs: difference",
            "with a concept",
            "right option names a concept",
        ],
        [
            [
                _GRAPHS[name],
                f"{row['questions'][0]} to {row['questions'][1]}",
                f"{row['right_answers'][0]:.0f} to {row['right_answers'][1]:.0f}",
                f"{percent(row['difference_on_both'], signed=True)} of {row['questions'][2]}",
                percent(row["with_a_concept"], signed=True),
                percent(row["right_option_names_a_concept"], signed=True),
            ]
            for name, row in more.items()
        ],
    )


def where_table(where: Sequence[Row]) -> str:
    """Return where the default finds the right option."""
    return table(
        ["graph", "questions", "n", "chance", "right option"],
        [
            [
                _GRAPHS[row["graph"]],
                row["questions"],
                f"{row['n']}",
                f"{100 * row['chance']:.1f}",
                f"{100 * row['accuracy']:.1f}",
            ]
            for row in where
        ],
    )


def subject_table(subjects: Sequence[Row]) -> str:
    """Return the accuracy of three arms on each subject of MMLU."""
    names = list(dict.fromkeys(row["subject"] for row in subjects))
    lines = []
    for subject in names:
        rows = {row["arm"]: row for row in subjects if row["subject"] == subject}
        full = rows[_ABSTAINING]
        lines.append(
            [
                subject.replace("_", " "),
                f"{full['questions']}",
                f"{100 * full['answered']:.1f}",
                *(f"{100 * rows[arm]['accuracy']:.1f}" for arm in _SUBJECT_ARMS),
            ]
        )
    return table(["subject", "questions", "answered by full", *_SUBJECT_ARMS], lines)


def published_table() -> str:
    """Return the thesis's figures for the system, table 6.2 and the average of table 6.3."""
    rows = [row for row in published_rows().to_pylist() if row["system"] == "ugat_medqa"]
    shown = [
        row
        for row in rows
        if row["table_number"] == "6.2" or (row["table_number"], row["benchmark"]) == ("6.3", "mmlu_medical")
    ]
    names = list(dict.fromkeys(row["benchmark"] for row in shown))
    arms = list(dict.fromkeys(row["arm"] for row in shown))
    values = {(row["arm"], row["benchmark"]): f"{100 * row['value']:.1f}" for row in shown}
    return table(["arm", *names], [[arm, *(values.get((arm, name), "-") for name in names)] for arm in arms])


def arm_table(scores: Sequence[Row], differences: Sequence[Row], benchmark: str) -> str:
    """Return every arm's accuracy, answered share, selective accuracy, and difference."""
    arms = list(dict.fromkeys(row["arm"] for row in scores if row["benchmark"] == benchmark))

    def cell(arm: str, metric: str) -> str:
        return percent(find(scores, benchmark=benchmark, arm=arm, metric=metric))

    lines = []
    for arm in arms:
        answered = find(scores, benchmark=benchmark, arm=arm, metric="answered")
        lines.append(
            [
                arm,
                cell(arm, "accuracy"),
                f"{100 * answered['value']:.1f}" if answered else "-",
                cell(arm, "selective_accuracy"),
                percent(
                    find(
                        differences,
                        benchmark=benchmark,
                        arm=arm,
                        metric="selective_accuracy" if answered and answered["value"] < 1 else "accuracy",
                        baseline_arm=_ABSTAINING if answered and answered["value"] < 1 else _ANSWERING,
                    ),
                    signed=True,
                ),
            ]
        )
    chance = find(scores, benchmark=benchmark, metric="chance_accuracy")
    head = f"{TITLES[benchmark]}; chance {percent(chance)}."
    columns = ["arm", "accuracy", "answered", "selective accuracy", "difference"]
    return f"{head}\n\n{table(columns, lines)}"


def found_table(result: Row) -> str:
    """Return subgraphs and paths of the default route."""
    lines = []
    for benchmark in BENCHMARKS:
        asked = find(result["questions"], benchmark=benchmark)
        around = find(result["subgraphs"], benchmark=benchmark, neighbourhood="hops3")
        paths = find(result["paths"], benchmark=benchmark, route="guided_walk") or {}
        if asked is None or around is None:
            continue
        count = asked["questions"]
        lines.append(
            [
                f"{TITLES[benchmark]} ({count:,})",
                f"{100 * around['with_a_concept']:.1f}",
                f"{around['reached']:,.0f}",
                f"{around['nodes']:,.0f}",
                f"{100 * paths.get('questions_with_a_path', 0) / count:.1f}",
                f"{100 * paths.get('right_options_with_a_path', 0) / count:.1f}",
                f"{paths.get('paths', 0):,}",
                f"{paths.get('shortest', 0):.2f}",
            ]
        )
    return table(
        [
            "questions",
            "with a concept",
            "nodes in reach",
            "kept by the cap",
            "with a path",
            "right option reached",
            "paths",
            "shortest, steps",
        ],
        lines,
    )


def diagnostics_table(relevance: Sequence[Row], benchmark: str) -> str:
    """Return every route's diagnostics."""

    def number(value: Any, digits: int = 3) -> str:
        return "-" if value is None else f"{value:.{digits}f}"

    return table(
        ["route", "nodes", "kept", "mean score", "spread", "with cosine", "between seeds", "collapsed"],
        [
            [
                row["route"],
                f"{row['nodes']:,.0f}",
                f"{100 * row['kept_share']:.1f}",
                number(row["mean_score"]),
                number(row["spread"]),
                number(row["cosine_correlation"], 2),
                number(row["seed_correlation"], 2),
                f"{100 * row['collapsed']:.0f}",
            ]
            for row in relevance
            if row["benchmark"] == benchmark
        ],
    )


def fitted_table(evidence: Sequence[Row]) -> str:
    """Return what each kind of measure reaches, held out."""
    ordered = sorted(evidence, key=lambda row: (row["benchmark"], row["questions"]))
    return table(
        ["questions", "measures", "n", "accuracy", "minus option alone"],
        [
            [
                f"{_title(row['benchmark'])}, {row['questions']}",
                row["measures"],
                f"{row['n']:,}",
                f"{100 * row['accuracy']:.1f}",
                "" if row["measures"] == "option alone" else percent(row["minus_option_alone"], signed=True),
            ]
            for row in ordered
        ],
    )


def _title(benchmark: str) -> str:
    name, comma, how = benchmark.partition(",")
    return f"{TITLES[name]}{comma}{how}"


def stage_seconds(seconds: Row, benchmark: str) -> str:
    """Return the seconds of the default's stages."""
    stages = {
        "linking": f"link_questions {benchmark}",
        "subgraphs": f"find_subgraphs hops3|{benchmark}",
        "relevance and paths": f"walk_graph guided_walk|{benchmark}",
        "reading": f"run_ugat_medqa full@extractive|{benchmark}",
    }
    return ", ".join(f"{name} {seconds[run]:.0f} s" for name, run in stages.items() if run in seconds)


def medicine_section() -> str:
    """Return the section."""
    compared, medical, fitted, batching = (
        read(name) for name in ("node_relevance", "medical_data", "fit_paths", "attention_batching")
    )
    scores, differences = medical["scores"], medical["differences"]
    asked = sum(row["questions"] for row in medical["questions"] if row["benchmark"] == "medmcqa")
    stages = stage_seconds(medical["seconds_a_run"], "medmcqa")
    speed = compared["speed"]["biomedical"]
    methods = compared["methods"]
    every_arm = "\n\n".join(arm_table(scores, differences, one) for one in BENCHMARKS)
    return f"""## Medical questions over a biomedical graph

`python -m benchmarks node_relevance medical_data`; how the system works is told in
[UGAT-MedQA](ugat_medqa.md). Disease Database with DrugBank as QA-GNN distributes it, alone and merged with
Disease Ontology and indications. (The thesis states 45,751 concepts and 178,147 triples for its own graph;
the public one has 9,958 and 49,974, and concepts that it declares one are joined here.)

{graph_table(compared["graphs"])}

{coverage_table(compared["coverage"])}

Disease Database gives its concepts no types: whether a question's concept is of the right type cannot be
told. What is linked `by form` is named by the question, not only spelt or meant alike.

### Which relevance

Right option: of questions that name a concept, whose right option and at least one other are concepts as a
whole ({methods[0]["questions"]} questions over Disease Database, {methods[-1]["questions"]} over the merged
graph; chance {100 * methods[0]["chance"]:.1f} and {100 * methods[-1]["chance"]:.1f}), how often the right
option's concept is scored highest, lowest for negated questions. The other columns: how high the concepts
stand that the expert's explanation names, the question's own left out ({methods[0]["explained_questions"]}
and {methods[-1]["explained_questions"]} questions of MedMCQA).

{method_table(methods)}

Of the variants of the walk, rare concepts first gain 1.3 points over Disease Database, none over the merged
graph; each concept of a vignette by itself, and steps weighed by their relation, change nothing that these
questions could show.

{where_table(compared["where"])}

What more graph is worth, by the guided walk's lift, beside Disease Database alone; the last two columns are
shares of all questions. (The triples count alike here. That an ontology's count less, by a source's `weight`,
was tried from 1 down to .01 while building, and changed the accuracy by less than two points.)

{more_graph_table(compared["more_graph"])}

### Every arm

All questions, the extractive reader with the general weights unless said. Arms that abstain count what they
do not answer as wrong; their last column is their selective accuracy minus that of `full@extractive` on the
questions that both answer. Arms that answer everything have their accuracy minus that of
`no_retrieval@extractive` there.

{every_arm}

PubMedQA's options are yes, no and maybe: none is a concept, no path leads to one, and arms that need paths
abstain. The abstracts that it hands out are for a system that reads text.

MMLU by subject:

{subject_table(medical["subjects"])}

What the thesis states for its language models (table 6.2, and the average of table 6.3; all of it is in
`published_scores`), which no machine here could run:

{published_table()}

### What was found

{found_table(medical)}

### What the graph adds, held out

`python -m benchmarks.fit_paths`: weights fitted on one half of MedMCQA dev answer the other; those fitted on
all of it answer MMLU-medical.

{fitted_table(fitted["evidence"])}

How far to trust it. The proportions of the general weights' path measures, and the rule that paths to fewer
than two options are no evidence, were chosen with MedMCQA dev and MMLU-medical in view; the table above is
held out. The encoder knows little medicine: without the graph it is a few points above chance. A language
model would read the same passages; none was at hand.

### Do the trained networks filter?

MedMCQA dev. `collapsed`: spread under .01 or more than 95 % kept. A walk's scores are shares of its largest.

{diagnostics_table(medical["relevance"], "medmcqa")}

Trained in batches of eight questions, each with parameters of its own, a question takes
{_batching(batching)} of the time of one at a time on this CPU; the scores are the same.

### Time

Over the merged graph, one thread, vectors kept: {_speeds(speed)}. The walk's cosines are
included. networkx's PageRank runs until it converges, on a graph weighted for the question beforehand; its
Dijkstra knows no limit of steps.

MedMCQA dev, {asked:,} questions, the default, as it ran for this page (vectors of texts that earlier runs
encoded are kept; other work beside it):
{stages}.
"""


def _speeds(speed: Row) -> str:
    names = {
        "expansion": "what is within three hops, capped at 4,000 nodes",
        "guided_walk": "the guided walk",
        "paths": "the cheapest paths of at most four steps to every option",
    }
    told = []
    for stage, name in names.items():
        spent, ratio = speed[stage]["milliseconds"], speed[stage]["networkx_ratio"]
        told.append(f"{name} {spent:.1f} ms a question (networkx {ratio:.0f} x)")
    return ", ".join(told)


def _batching(result: Row) -> str:
    kinds = ("attention", "convolution")
    return ", ".join(f"{100 * result[kind]['batch_8']['seconds_ratio']:.0f} % ({kind})" for kind in kinds)
