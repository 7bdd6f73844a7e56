"""The ways of filtering columns that can be chosen: thesis algorithm 3.1 as printed, and others."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

COSINE, JENSEN_SHANNON = "cosine", "jensen_shannon"
MEASURES = (COSINE, JENSEN_SHANNON)
ALGORITHM, NAMED, NONE = "algorithm_3.1", "named", "none"
EVERY_TABLE, GLOSSARIES = "every table", "glossaries"
RULES = (ALGORITHM, NAMED, NONE)
_SEED = 20_261_121


@dataclass(frozen=True, slots=True)
class FilterSettings:
    """One way of filtering columns.

    `rule`: `algorithm_3.1` as printed; `named`, what the claim names and the two columns nearest to it;
    `none`, all.
    `measure`: `cosine`, or `jensen_shannon` of softmaxes at `temperature` (None: `sharp_temperature`).
    `jaccard`: tau. `gate`: theta, the least cosine of a cluster, or eta, its greatest divergence in nats.
    `gate_quantile`: the share of other tables' columns that the gate is to keep out; `with_gate` reads such a
    gate from the data before anything is filtered. `clusters`: k. `kept_label`: whether the column that names
    rows is always kept. `guard`: whether columns of numbers that the claim compares are. `rows`: how many
    rows are kept, None for all; `rows_of`: of which tables. `clustered_rows`: rows are filtered as columns
    are, by the same rule and thresholds (the extension that thesis 3.5 plans).

    Raises:
        ValueError: a value that cannot be.
    """

    name: str
    rule: str = ALGORITHM
    measure: str = COSINE
    jaccard: float = 0.25
    gate: float = 0.60
    gate_quantile: float | None = None
    clusters: int = 2
    temperature: float | None = 1.0
    kept_label: bool = False
    guard: bool = False
    rows: int | None = None
    rows_of: str = EVERY_TABLE
    clustered_rows: bool = False
    seed: int = _SEED

    def __post_init__(self) -> None:
        if self.rule not in RULES:
            raise ValueError(f"no rule {self.rule!r}: choose one of {', '.join(RULES)}")
        if self.clusters < 1:
            raise ValueError(f"clusters must be 1 or more, not {self.clusters}")
        if self.gate_quantile is not None and not 0.0 < self.gate_quantile < 1.0:
            raise ValueError(f"gate_quantile must be between 0 and 1, not {self.gate_quantile}")
        if self.measure not in MEASURES:
            raise ValueError(f"no measure {self.measure!r}: choose one of {', '.join(MEASURES)}")
        if self.temperature is not None and not self.temperature > 0.0:
            raise ValueError(f"temperature must be positive, not {self.temperature}")

    @property
    def least_similarity(self) -> float:
        """The gate as a similarity: more is nearer."""
        return self.gate if self.measure == COSINE else -self.gate


_PAPER = FilterSettings("paper")
_DEFAULT = FilterSettings("full", rule=NAMED, kept_label=True)
# Chapter 4: eta .30, tau .20.
_JS_PAPER = FilterSettings("js_paper", measure=JENSEN_SHANNON, jaccard=0.20, gate=0.30)
FILTERS: Mapping[str, FilterSettings] = {
    settings.name: settings
    for settings in (
        _DEFAULT,
        _PAPER,
        _JS_PAPER,
        # The printed gate lets all pass at any temperature at which divergences rank columns well.
        replace(_JS_PAPER, name="js", temperature=None, gate_quantile=0.95, kept_label=True),
        replace(_DEFAULT, name="full_js", measure=JENSEN_SHANNON, temperature=None),
        replace(_PAPER, name="k3", clusters=3),
        replace(_PAPER, name="k4", clusters=4),
        replace(_PAPER, name="theta_055", gate=0.55),
        replace(_PAPER, name="theta_065", gate=0.65),
        replace(_PAPER, name="tau_020", jaccard=0.20),
        replace(_PAPER, name="tau_030", jaccard=0.30),
        # The corners of section 3.4.6's nine cells; the others are above.
        replace(_PAPER, name="theta_055_tau_020", gate=0.55, jaccard=0.20),
        replace(_PAPER, name="theta_055_tau_030", gate=0.55, jaccard=0.30),
        replace(_PAPER, name="theta_065_tau_020", gate=0.65, jaccard=0.20),
        replace(_PAPER, name="theta_065_tau_030", gate=0.65, jaccard=0.30),
        replace(_PAPER, name="bidirectional", clustered_rows=True),
        replace(_PAPER, name="quantile_gate", gate_quantile=0.95),
        replace(_PAPER, name="paper_with_label", kept_label=True),
        FilterSettings("no_column_filtering", rule=NONE),
        replace(_DEFAULT, name="guard", guard=True),
        replace(_DEFAULT, name="rows", rows=8),
        replace(_DEFAULT, name="glossary", rows=8, rows_of=GLOSSARIES),
    )
}
