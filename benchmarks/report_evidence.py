"""The results page's section on text and graph together: what each kind of evidence and each stage adds."""

from __future__ import annotations

from collections.abc import Sequence

from benchmarks.report_tables import TITLES, Row, find, percent, read, table

TEXT, FULL = "chunks_only_coverage@extractive", "full@extractive"
ANSWERED = ("openbookqa", "openbookqa_dev", "commonsenseqa", "mmlu_medical")
STAGES = {
    "full@extractive": (TEXT, "text and triples, reranked, minus text alone"),
    "triples_only@extractive": (TEXT, "triples alone, minus text alone"),
    "no_rerank@extractive": (FULL, "without reranking, minus the whole"),
    "full_keep10@extractive": (FULL, "the best 10 of the reranked list, minus the whole"),
    "no_rerank_keep10@extractive": (FULL, "the first 10 as retrieved, minus the whole"),
    "full_verified@extractive": (FULL, "filtered by the verification signal, minus the whole"),
    "full_contrasted@extractive": (FULL, "selected by contrast, minus the whole"),
    "full_contrastive@extractive": (FULL, "retrieved by contrast, minus the whole"),
    "question_only@extractive": (FULL, "retrieved with the question alone, minus the whole"),
}
FITTED = {
    "openbookqa": "chunks_only_coverage@extractive_openbookqa",
    "openbookqa_dev": "chunks_only_coverage@extractive_openbookqa",
}
SWEEPS = {
    "k (chunks)": ("full_k5", "full_k10", "full", "full_k20"),
    "s (triples)": ("full_s5", "full", "full_s15", "full_s20"),
    "R (pool), text alone": (
        "chunks_only_coverage_r50",
        "chunks_only_coverage_r100",
        "chunks_only_coverage",
    ),
}
RECALLS = ("right_option_recall@1", "right_option_recall@5", "right_option_recall@15")


def stage_table(scores: Sequence[Row], differences: Sequence[Row]) -> str:
    """Return accuracy of each stage, and its paired difference to what it is held against."""
    rows = []
    for benchmark in ANSWERED:
        for arm, (against, title) in STAGES.items():
            score = find(scores, benchmark=benchmark, arm=arm, metric="accuracy")
            difference = find(
                differences, benchmark=benchmark, arm=arm, baseline_arm=against, metric="accuracy"
            )
            first = f"**{TITLES[benchmark]}** ({score['n']})" if arm == FULL and score else ""
            if score is not None:
                rows.append([first, f"`{arm}`", title, percent(score), percent(difference, signed=True)])
    return table(["questions", "arm", "what", "accuracy", "difference"], rows)


def fitted_table(scores: Sequence[Row], differences: Sequence[Row]) -> str:
    """Return what triples add to a reader whose weights were fitted with them, on questions not fitted on."""
    rows = []
    for benchmark, text in FITTED.items():
        full = "full@extractive_openbookqa"
        cells = [find(scores, benchmark=benchmark, arm=arm, metric="accuracy") for arm in (text, full)]
        added = find(differences, benchmark=benchmark, arm=full, baseline_arm=text, metric="accuracy")
        rows.append([TITLES[benchmark], *map(percent, cells), percent(added, signed=True)])
    return table(["questions", "text", "text and triples", "triples add"], rows)


def cross_fitted_table(fitted: Row) -> str:
    """Return what each kind of evidence reaches when each half is answered with the other half's weights."""
    rows = [
        [
            f"{TITLES[row['benchmark']]} ({row['n']:,})",
            row["measures"],
            f"{100 * row['accuracy']:.1f}",
            "" if row["measures"] == "option alone" else percent(row["minus_option_alone"], signed=True),
        ]
        for row in fitted["evidence"]
    ]
    return table(["questions", "measures", "accuracy", "minus the option alone"], rows)


def ranking_table(scores: Sequence[Row]) -> str:
    """Return every ranking with and without triples on the sets where all were made."""
    names = [
        arm.removeprefix("chunks_only_").removesuffix("@extractive")
        for arm in dict.fromkeys(row["arm"] for row in scores)
        if arm.startswith("chunks_only_") and arm.endswith("@extractive") and "_r" not in arm
    ]
    rows = []
    for name in sorted(names):
        text = f"chunks_only_{name}@extractive"
        full = FULL if name == "coverage" else f"full_{name}@extractive"
        cells = [f"`{name}`"]
        cells += [
            percent(find(scores, benchmark=benchmark, arm=arm, metric="accuracy"))
            for benchmark in ("openbookqa", "commonsenseqa")
            for arm in (text, full)
        ]
        for benchmark in ("openbookqa", "xquad", "hotpotqa"):
            for arm in (text, full):
                row = find(scores, benchmark=benchmark, arm=arm, metric="evidence_recall@5")
                cells.append("-" if row is None else f"{100 * row['value']:.1f}")
        rows.append(cells)
    header = [
        "ranking",
        "OpenBookQA",
        "with triples",
        "CommonsenseQA",
        "with triples",
        "R@5 OpenBookQA",
        "joint",
        "R@5 XQuAD",
        "joint",
        "R@5 HotpotQA",
        "joint",
    ]
    return table(header, rows)


def recall_table(scores: Sequence[Row]) -> str:
    """Return where the gold fact stands in what the right option was given."""
    arms = [TEXT, FULL, "no_rerank@extractive", "full_verified@extractive", "full_contrasted@extractive"]
    rows = [
        [
            f"`{arm}`",
            *(percent(find(scores, benchmark="openbookqa", arm=arm, metric=metric)) for metric in RECALLS),
        ]
        for arm in [*arms, "chunks_only_contrastive@extractive", "full_contrastive@extractive"]
    ]
    return table(["OpenBookQA test", "R@1", "R@5", "R@15"], rows)


def sweep_table(scores: Sequence[Row]) -> str:
    """Return accuracy along each sweep."""
    rows = []
    for name, arms in SWEEPS.items():
        for arm in arms:
            score = find(scores, benchmark="openbookqa", arm=f"{arm}@extractive", metric="accuracy")
            rows.append([name, f"`{arm}`", percent(score)])
    return table(["sweep", "arm", "OpenBookQA test"], rows)


def verification_table(verification: Row) -> str:
    """Return what the verification signal keeps, and where what it keeps leads."""
    return table(
        [
            "units with a separation of at least",
            "gold kept",
            "gold prefers the right option",
            "any unit does",
        ],
        [
            [
                f"{row['separation']:.3f} (the upper {100 * (1 - row['quantile']):.0f} %)",
                *(
                    f"{100 * row[name]:.1f}"
                    for name in ("gold_kept", "gold_prefers_right", "any_prefers_right")
                ),
            ]
            for row in verification["quantiles"]
        ],
    )


def links_table(links: Sequence[Row]) -> str:
    """Return how phrases were linked."""
    rows = []
    for benchmark in dict.fromkeys(row["benchmark"] for row in links):
        own = {row["method"]: row["links"] for row in links if row["benchmark"] == benchmark}
        rows.append([TITLES[benchmark], *(f"{own.get(name, 0):,}" for name in ("exact", "lemma", "fuzzy"))])
    return table(["questions", "exact", "lemma", "fuzzy"], rows)


def evidence_section() -> str:
    """Return the section."""
    real, fitted = read("real_data"), read("fit_extractive")
    scores, differences, verification = real["scores"], real["differences"], real["verification"]
    speed, memory = read("graph_speed"), read("graph_memory")
    area = verification["area"]
    opened = memory["open"]["peak_bytes"] / 1e9
    whole = sum(
        seconds
        for run, seconds in real["seconds_a_run"].items()
        if "openbookqa_among_wikipedia" in run or "openbook_and_wikipedia" in run
    )
    return f"""## Text and a commonsense graph

Chunks as above, triples of ConceptNet100k ({speed["graph_triples"]:,} after merging and leaving out two
relations without a template). No cross-encoder can be had offline: the encoder stands in for one, here
and in every row's `scorer`. CommonsenseQA's questions were written from ConceptNet, so a graph has an
advantage there that it will not have elsewhere.

{links_table(real["links"])}

### What each stage adds or costs

{stage_table(scores, differences)}

What to read from it. With this reader triples add where the questions were made from such triples, and
nowhere else by more than chance; text alone therefore stays the default. Reranking changes no answer by
itself, for this reader does not mind the order; cut to the best ten it keeps triples that the order of
retrieval would drop. The verification signal as a filter costs accuracy, and contrast gains nothing.
Seeing no option while retrieving costs nothing significant.

With weights fitted on OpenBookQA's training questions, once with text and once with text and triples:

{fitted_table(scores, differences)}

Cross-fitted (`python -m benchmarks.fit_extractive`): each half of the questions answered with weights fitted
on the other. "Option alone" sees no evidence: what question and option have in common, and the option's
length.

{cross_fitted_table(fitted)}

### Every ranking, with and without triples

Accuracy, then recall at 5 of gold chunks in what the question alone is given: in the joint list triples
take places too. The encoder in the cross-encoder's place puts short triples before passages, and the
ranking's own order is lost; a real cross-encoder would have to be measured. A dash: rankings that solve
linear programs were made on OpenBookQA and HotpotQA.

{ranking_table(scores)}

### Where the gold fact stands for the right option

{recall_table(scores)}

### The verification signal

Over {verification["units"]:,} chunks found for OpenBookQA's test questions, of which
{verification["gold"]:,} are gold. Area under the curve for gold against the others:
{area["separation"]:.3f} by the signal (0.5 is chance), {area["best"]:.3f} by the best score over the
options, {area["alone"]:.3f} by the score against the question alone.

{verification_table(verification)}

So the signal does not say which evidence is good. It says how far evidence decides: of gold facts, the more
one separates the options, the surer it points to the right one. As a filter it needs relevance beside it.

### Sweeps

{sweep_table(scores)}

### Speed and memory

`python -m benchmarks graph_speed graph_memory`. Linking and finding triples for {speed["pairs"]:,} pairs of
question and option: {speed["linking_milliseconds_a_pair"]} + {speed["triples_milliseconds_a_pair"]} ms a pair
with vectors kept (bound {speed["bound"]}); misspelt names are found {speed["spelling_ratio"]} times as fast
as by comparing with every name, neighbours {speed["neighbours_ratio"]} times as fast as by scanning. A graph
of {memory["read"]["rows"]:,} triples and {memory["index"]["rows"]:,} concepts, spelling index included, opens
within {opened:.2f} GB (bound 2 GB); reading it from its assertions file takes
{memory["read"]["peak_bytes"] / 1e9:.2f} GB and {memory["read"]["seconds"]} s.

OpenBookQA's 500 test questions over its facts and the Wikipedia passages together, all options, from files to
scores with vectors kept: {whole / 60:.1f} minutes.
"""
