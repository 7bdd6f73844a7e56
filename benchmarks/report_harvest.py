"""The results page's section on triples mined from masked language models."""

from __future__ import annotations

from collections.abc import Sequence

from benchmarks.report_tables import Row, find, read, table

ARMS = (
    "kbloom",
    "kbloom_initial",
    "kbloom_top1",
    "kbloom_likelihood",
    "kbloom_euclidean",
    "kbloom_one_way",
    "kbloom_paper",
    "kbloom_paper_initial",
    "kbloom_paper_top1",
    "kbloom_paper_euclidean",
    "bertnet",
    "bertnet_initial",
    "bertnet_top1",
)


def _present(scores: Sequence[Row]) -> list[str]:
    return [arm for arm in ARMS if find(scores, kg=arm, relation="", metric="tuples")]


def _cell(scores: Sequence[Row], arm: str, metric: str, relation: str = "", scale: float = 100) -> str:
    row = find(scores, kg=arm, relation=relation, metric=metric)
    if row is None:
        return "–"
    value = f"{scale * row['value']:,.1f}" if scale != 1 else f"{row['value']:,.0f}"
    if row["low"] is None:
        return value
    return f"{value} [{scale * row['low']:.1f}, {scale * row['high']:.1f}]"


def recovery_table(result: Row) -> str:
    """Return, arm by arm, what of the told pairs was found."""
    scores, told = result["scores"], {row["kg"]: row for row in result["told"]}
    rows = [
        [
            f"`{arm}`",
            _cell(scores, arm, "tuples", scale=1),
            _cell(scores, arm, "reference_recall"),
            _cell(scores, arm, "attested_at_50"),
            _cell(scores, arm, "attested_at_100"),
            f"{told[arm]['told_in_the_wording']} + {told[arm]['transferred']}",
        ]
        for arm in _present(scores)
    ]
    header = ["arm", "triples", "recall", "right of first 50", "right of first 100", "told so + transferred"]
    return table(header, rows)


def data_table(scores: Sequence[Row]) -> str:
    """Return, arm by arm, the thesis's measures and what ConceptNet holds too."""
    rows = [
        [
            f"`{arm}`",
            _cell(scores, arm, "tuples", scale=1),
            _cell(scores, arm, "diversity", scale=1),
            _cell(scores, arm, "novelty"),
            _cell(scores, arm, "attested_at_50"),
            _cell(scores, arm, "attested_at_100"),
            _cell(scores, arm, "similarity_accuracy"),
        ]
        for arm in _present(scores)
    ]
    header = ["arm", "triples", "entities", "novel", "attested of first 50", "of first 100", "likeness > .75"]
    return table(header, rows)


def _difference(cell: Row | None) -> str:
    if cell is None:
        return "–"
    mean, low, high = (100 * cell[name] for name in ("difference", "low", "high"))
    return f"{mean:+.1f} [{low:.1f}, {high:.1f}]"


def difference_table(differences: Sequence[Row], metrics: Sequence[str]) -> str:
    """Return each arm's mean difference to BertNet over the relations, in points."""
    baselines = {"bertnet": "all prompts", "bertnet_initial": "initial prompt"}
    rows = []
    for arm in ARMS:
        for baseline, named in baselines.items():
            cells = [find(differences, arm=arm, baseline=baseline, metric=metric) for metric in metrics]
            if all(cell is None for cell in cells) or ("initial" in arm) != ("initial" in baseline):
                continue
            rows.append(
                [
                    f"`{arm}`",
                    named,
                    *map(_difference, cells),
                ]
            )
    return table(["arm", "less BertNet with", *metrics], rows)


def relation_table(scores: Sequence[Row]) -> str:
    """Return, relation by relation, K-Bloom beside BertNet."""
    relations = sorted({row["relation"] for row in scores if row["relation"]})
    rows = [
        [
            relation,
            *(_cell(scores, arm, "attested_at_50", relation) for arm in ("kbloom", "bertnet")),
            *(_cell(scores, arm, "similarity_accuracy", relation) for arm in ("kbloom", "bertnet")),
            *(_cell(scores, arm, "diversity", relation, 1) for arm in ("kbloom", "bertnet")),
        ]
        for relation in relations
    ]
    sides, measures = ("K-Bloom", "BertNet"), ("attested of 50", "likeness", "entities")
    header = ["relation", *(f"{what}: {side}" for what in measures for side in sides)]
    return table(header, rows)


def shape_table(shapes: Sequence[Row]) -> str:
    """Return the shapes of the default arm's and the baseline's triples, and how many are attested."""
    rows = [
        [f"`{row['kg']}`", row["shape"], f"{row['triples']:,}", f"{row['attested']:,}"]
        for row in shapes
        if row["kg"] in ("kbloom", "bertnet")
    ]
    return table(["arm", "words of head and tail", "triples", "attested"], rows)


def first_table(first: Sequence[Row]) -> str:
    """Return the first triples of each relation, as they came."""
    relations = sorted({row["relation"] for row in first})

    def shown(arm: str, relation: str) -> str:
        own = [row for row in first if row["kg"] == arm and row["relation"] == relation]
        return ", ".join(f"{row['head']} – {row['tail']}" for row in own)

    rows = [[relation, shown("kbloom", relation), shown("bertnet", relation)] for relation in relations]
    return table(["relation", "K-Bloom, first five", "BertNet, first five"], rows)


def harvest_section() -> str:
    """Return the section."""
    speed, recovery, data = read("harvest_speed"), read("harvest_recovery"), read("harvest_data")
    [model], [told] = data["model"], recovery["model"]
    six, small = speed["six_layers"], speed["two_small_layers"]
    return f"""## Triples out of a masked language model

No published weights can be had where these figures were made: the models are those that `domain_masked_lm`
makes. They show that the machinery works and roughly what such a model knows, not what RoBERTa-large would
give.

### What was told, found again

The starter facts, {told["sentences"]:,} sentences, {told["words"]:,} words; five relations, 64 pairs each,
half of them never told in the prompt's wording. Recall counts the pairs that are no seeds.
`{recovery["command"]}`.

{recovery_table(recovery)}

### Real text

A model of {model["sentences"]:,} sentences (OpenBookQA's facts, WorldTree's rows, Wikipedia passages):
held-out accuracy {100 * model["accuracy"]:.1f} %, perplexity {model["perplexity"]:.0f},
{model["words"]:,} words. Twenty relations; attested is what ConceptNet's 100,000 triples hold too, which is
little of what is true: a lower bound. Likeness is the thesis's measure (5.4.3.4), the mean over relations.
`{data["command"]}`.

{data_table(data["scores"])}

Paired over the relations, points, 95 % bootstrap intervals:

{difference_table(data["differences"], ("attested_at_50", "attested_at_100", "similarity_accuracy"))}

{relation_table(data["scores"])}

By shape, all relations:

{shape_table(data["shapes"])}

As they came, unpicked:

{first_table(data["first"])}

### Speed

The same pairs found, one-word pairs, {speed["prompts"]} prompts, {six["words"]:,} words, {speed["device"]}:
{six["times_as_fast"]} times as fast as one prefix at a time with logits everywhere for six layers of 384,
{small["times_as_fast"]} times for two of 128 (bounds {speed["bound"]["six_layers"]:.0f} and
{speed["bound"]["two_small_layers"]:.0f}). `{speed["command"]}`.
"""
