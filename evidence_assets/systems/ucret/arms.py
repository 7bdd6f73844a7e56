"""UCRET's arms: which columns and rows are shown, and who reads the table.

A filter decides what is shown, ranked and given to a language model. It never hides anything from the
executor, but in the arms that say so (`@extractive_kept`), which measure what that costs.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace

from evidence_assets.evidence.arms import Arm, by_name, scored_by_generators
from evidence_assets.reading.prompting.prompt_files import (
    CHOOSE_BY_TABLE,
    DECIDE_TABLE,
    EXPLAIN_CELLS,
    EXPLAIN_LABEL,
    PROPOSE_PROGRAM,
    UCRET_ANSWER,
    UCRET_LABEL,
    UCRET_OPTION,
    UCRET_VERDICT,
)
from evidence_assets.tables.column_filters import FILTERS

SYSTEM = "ucret"
PROMPTS = (
    EXPLAIN_LABEL,
    EXPLAIN_CELLS,
    DECIDE_TABLE,
    CHOOSE_BY_TABLE,
    UCRET_LABEL,
    UCRET_OPTION,
    UCRET_VERDICT,
    UCRET_ANSWER,
    PROPOSE_PROGRAM,
)
EXECUTOR, KEPT_EXECUTOR, NEAREST = "extractive", "extractive_kept", "nearest"
CLAIM_ONLY, MAJORITY, CHANCE = "claim_only", "majority", "chance"
# Readers that see no table.
GUESSES: Mapping[str, str] = {
    CLAIM_ONLY: "a claim by its function words, a question by the cosine of its options",
    MAJORITY: "the label that most development claims have",
    CHANCE: "an option drawn by the question's id",
}
DEFAULT_FILTER, WHOLE = "full", "no_column_filtering"
# The filters of the published systems, UCRET and UCRET-JS, and those that section 3.4 varies them by.
PRINTED_FILTERS = ("paper", "js_paper")
PRINTED_SETTINGS = (
    *PRINTED_FILTERS,
    "k3",
    "k4",
    "theta_055",
    "theta_065",
    "tau_020",
    "tau_030",
    "theta_055_tau_020",
    "theta_055_tau_030",
    "theta_065_tau_020",
    "theta_065_tau_030",
)
_DESCRIPTIONS: Mapping[str, str] = {
    "full": "columns that the claim names, the row labels, the two nearest",
    "paper": "algorithm 3.1 as printed: Jaccard .25, spherical k-means, cosine .60",
    "js_paper": "the same with Jensen-Shannon divergence at temperature 1, as printed (4.2 to 4.4)",
    "js": "the same, sharpened, its gate read from other tables' columns, the row labels kept",
    "full_js": "the default, nearness by Jensen-Shannon divergence",
    "k3": "algorithm 3.1 with three clusters",
    "k4": "algorithm 3.1 with four clusters",
    "theta_055": "algorithm 3.1 with a cosine gate of .55",
    "theta_065": "algorithm 3.1 with a cosine gate of .65",
    "tau_020": "algorithm 3.1 with a Jaccard threshold of .20",
    "tau_030": "algorithm 3.1 with a Jaccard threshold of .30",
    "theta_055_tau_020": "algorithm 3.1 with a cosine gate of .55 and a Jaccard threshold of .20",
    "theta_055_tau_030": "algorithm 3.1 with a cosine gate of .55 and a Jaccard threshold of .30",
    "theta_065_tau_020": "algorithm 3.1 with a cosine gate of .65 and a Jaccard threshold of .20",
    "theta_065_tau_030": "algorithm 3.1 with a cosine gate of .65 and a Jaccard threshold of .30",
    "bidirectional": "algorithm 3.1 over the columns, then over the rows (3.5)",
    "quantile_gate": "algorithm 3.1 with a gate read from other tables' columns",
    "paper_with_label": "algorithm 3.1, the row labels kept",
    "no_column_filtering": "the whole table",
    "guard": "the default, and every column of numbers that the claim compares",
    "rows": "the default, and the eight nearest rows",
    "glossary": "the default, and of lists of terms the eight nearest rows",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class TableArm(Arm):
    """One experiment: a filter, and a reader.

    `explains`: a language model argues for each label or option first; else it decides on the table alone.
    `computes`: it is shown what typed programs come to, too. `splits`: programs see the numbers of mixed
    cells in columns of their own. `proposes`: it writes programs, which are run here. `answers_as_a_set`:
    where rows support several options, all are told, none is chosen. `printed`: a language model is asked by
    the thesis's prompts.
    """

    filter: str
    explains: bool = True
    computes: bool = False
    splits: bool = False
    proposes: bool = False
    answers_as_a_set: bool = False
    printed: bool = False


ARMS = by_name(
    (
        *(
            TableArm(
                name=f"{name}@{EXECUTOR}",
                filter=name,
                description=f"typed programs over the whole table; shown: {_DESCRIPTIONS[name]}",
            )
            for name in (DEFAULT_FILTER, WHOLE)
        ),
        *(
            TableArm(
                name=f"{name}@{KEPT_EXECUTOR}",
                filter=name,
                description=f"programs that see no more than what is shown: {_DESCRIPTIONS[name]}",
            )
            for name in FILTERS
            if name != WHOLE
        ),
        TableArm(
            name=f"split_cells@{EXECUTOR}",
            filter=DEFAULT_FILTER,
            description="the default, the numbers of mixed cells in columns of their own",
            splits=True,
        ),
        TableArm(
            name=f"all_supported@{EXECUTOR}",
            filter=DEFAULT_FILTER,
            description="the default, without a choice where rows support several options: they are told",
            answers_as_a_set=True,
        ),
        TableArm(
            name=f"{WHOLE}@{NEAREST}",
            filter=WHOLE,
            description="a baseline: one row holds all words of a claim; of options, the most",
        ),
        *(
            TableArm(
                name=f"no_table@{name}",
                filter=WHOLE,
                description=f"a baseline without the table: {description}",
            )
            for name, description in GUESSES.items()
        ),
    )
)
DEFAULT_ARM = f"{DEFAULT_FILTER}@{EXECUTOR}"
BASELINE_ARM = f"{WHOLE}@{NEAREST}"
GUESSING_ARMS = tuple(f"no_table@{name}" for name in GUESSES)
COMPARED_WITH = (BASELINE_ARM, *GUESSING_ARMS, DEFAULT_ARM)
FIRST_ARMS = (
    DEFAULT_ARM,
    f"{DEFAULT_FILTER}@{KEPT_EXECUTOR}",
    f"paper@{KEPT_EXECUTOR}",
    BASELINE_ARM,
    *GUESSING_ARMS,
)


# Variants whose verdicts and options the likelihood reader scores: the collapsed table, and the whole.
_LIKELIHOOD = (DEFAULT_FILTER, WHOLE)


def arms(generators: Iterable[str]) -> Mapping[str, TableArm]:
    """Return the arms, and for every generator one a filter, those without explanations, one with programs.

    Without explanations a table is read as the default and the two printed filters keep it (table 3.3, 4.1).
    """
    generator_names = tuple(generators)
    with_filters = [
        replace(
            ARMS[DEFAULT_ARM],
            name=f"{name}@{generator}",
            filter=name,
            description=f"a language model, shown: {_DESCRIPTIONS[name]}",
            prompted=True,
            printed=name in PRINTED_SETTINGS,
        )
        for generator in generator_names
        for name in FILTERS
    ]
    by_default = [arm for arm in with_filters if arm.filter == DEFAULT_FILTER]
    decided = [
        replace(
            arm,
            name=f"{_without_explanations(arm.filter)}@{arm.generator}",
            description=f"{arm.description}; without an argument for each label or option",
            explains=False,
            printed=False,
        )
        for arm in with_filters
        if arm.filter in (DEFAULT_FILTER, *PRINTED_FILTERS)
    ]
    computed = [
        replace(
            arm,
            name=f"with_programs@{arm.generator}",
            description="the same, shown what typed programs come to as well",
            computes=True,
        )
        for arm in by_default
    ]
    proposed = [
        replace(
            arm,
            name=f"proposed@{arm.generator}",
            description="a language model proposes typed programs, which are run over the whole table",
            explains=False,
            proposes=True,
        )
        for arm in by_default
    ]
    by_printed_prompts = [
        replace(
            arm,
            name=f"paper_{WHOLE}@{arm.generator}",
            description=f"{arm.description}; by the printed prompts",
            printed=True,
        )
        for arm in with_filters
        if arm.filter == WHOLE
    ]
    prompted = by_name((*with_filters, *decided, *computed, *by_printed_prompts, *proposed))
    return {**ARMS, **prompted, **scored_by_generators(ARMS, _LIKELIHOOD, generator_names)}


def _without_explanations(column_filter: str) -> str:
    return "no_explanations" if column_filter == DEFAULT_FILTER else f"{column_filter}_no_explanations"
