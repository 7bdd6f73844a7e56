"""The section of the results page on UGAT-MedQA: the merged graph, relevance, arms, diagnostics, time."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from benchmarks.report_tables import TITLES, Row, find, percent, read, table

BENCHMARKS = ("medmcqa", "mmlu_medical_graph", "pubmedqa")
ANSWERING = ("medmcqa", "mmlu_medical_graph")
_GRAPHS = {"disease_database": "Disease Database", "biomedical": "merged"}


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
            for row in sorted(coverage, key=lambda row: (row["benchmark"], row["graph"] == "biomedical"))
        ],
    )


def method_table(methods: Sequence[Row]) -> str:
    """Return every relevance's worth on options and on what explanations name."""
    return table(
        ["graph", "relevance", "right option", "minus cosine", "recall at 50", "area", "average precision"],
        [
            [
                _GRAPHS[row["graph"]],
                row["method"],
                f"{100 * row['accuracy']:.1f}",
                "" if row["method"] == "cosine" else percent(row["minus_cosine"], signed=True),
                f"{100 * row['recall_at_50']:.1f}",
                f"{row['area_under_curve']:.3f}",
                f"{100 * row['average_precision']:.1f}",
            ]
            for row in methods
        ],
    )


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
                        baseline_arm="full@extractive" if answered and answered["value"] < 1 else NONE,
                    ),
                    signed=True,
                ),
            ]
        )
    chance = find(scores, benchmark=benchmark, metric="chance_accuracy")
    head = f"{TITLES[benchmark]}; chance {percent(chance)}."
    columns = ["arm", "accuracy", "answered", "selective accuracy", "difference"]
    return f"{head}\n\n{table(columns, lines)}"


NONE = "no_retrieval@extractive"


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
    more = compared["more_graph"]
    asked = sum(row["questions"] for row in medical["questions"] if row["benchmark"] == "medmcqa")
    stages = stage_seconds(medical["seconds_a_run"], "medmcqa")
    changed = percent(more["difference"], signed=True)
    speed = compared["speed"]["biomedical"]
    methods = compared["methods"]
    answering = "\n\n".join(arm_table(scores, differences, one) for one in ANSWERING)
    abstained = find(scores, benchmark="pubmedqa", arm="full@extractive", metric="answered")
    return f"""## Medical questions over a biomedical graph

`python -m benchmarks node_relevance medical_data`; how the system works is told in
[UGAT-MedQA](ugat_medqa.md). Disease Database with DrugBank as QA-GNN distributes it, alone and merged with
Disease Ontology and indications.

{graph_table(compared["graphs"])}

{coverage_table(compared["coverage"])}

### Which relevance

Right option: of questions that name a concept, whose right option and at least one other are concepts as a
whole ({methods[0]["questions"]} questions over Disease Database, {methods[-1]["questions"]} over the merged
graph; chance {100 * methods[0]["chance"]:.1f} and {100 * methods[-1]["chance"]:.1f}), how often the right
option's concept is scored highest, lowest for negated questions. The other columns: how high the concepts
stand that the expert's explanation names, the question's own left out ({methods[0]["explained_questions"]}
and {methods[-1]["explained_questions"]} questions of MedMCQA).

{method_table(methods)}

More graph makes more questions comparable ({more["questions"]["disease_database"]} to
{more["questions"]["biomedical"]}) and more of them right
({more["right_answers"]["disease_database"]:.0f} to {more["right_answers"]["biomedical"]:.0f}); on the
{more["questions"]["both"]} of both, the guided walk over the merged graph minus over Disease Database is
{
        changed
    }: an ontology's classes join what has little to do with each other. Weighing rare concepts, walking from
each concept by itself (every finding of a vignette) and weighing steps by their relation change nothing that
these questions could show.

### Every arm

All questions, the extractive reader with the general weights unless said. Arms that abstain count what they
do not answer as wrong; their last column is their selective accuracy minus that of `full@extractive` on the
questions that both answer. Arms that answer everything have their accuracy minus that of
`no_retrieval@extractive` there.

{answering}

PubMedQA's options are yes, no and maybe: none is a concept, no path leads to one, and the default answers
{percent(abstained)} of its questions. The abstracts that it hands out are for a system that reads text.

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

Over the merged graph, one core, vectors kept: {_speeds(speed)}.

MedMCQA dev, {asked:,} questions, the default, on its first run (no vector kept, other work beside it):
{stages}.
"""


def _speeds(speed: Row) -> str:
    names = {
        "expansion": "what is within three hops",
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
