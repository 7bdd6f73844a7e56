"""`evidence-assets ablate`: which answers stand without their evidence, or without what they cite."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Annotated, Any

from typer import Argument, Option

from evidence_assets.audit.ablation.plan import AblationSettings
from evidence_assets.audit.ablation.scores import METRICS, NEEDS_NONE
from evidence_assets.cli.common import queries, workspace
from evidence_assets.cli.runs import Again, report_runs
from evidence_assets.lake.catalogue import rows_of

_DEFAULT = AblationSettings()
_SCORES = "SELECT * FROM ablation_scores WHERE benchmark = ? AND arm = ? AND ? IN ('', system)"
# An answer to look into: the first that does not need what it cites, if one does not.
_WITHOUT_CITED = """
SELECT prediction_id, changed FROM evidence_ablations
WHERE benchmark = ? AND arm = ? AND ? IN ('', system) AND kind = 'cited_removed'
ORDER BY changed, prediction_id LIMIT 1
"""


def ablate(
    benchmark: Annotated[str, Argument(help="whose answers are read again")],
    arm: Annotated[str, Argument(help="system/arm, or an arm of one system; see `evidence-assets arms`")],
    sample: Annotated[int, Option(help="predictions, drawn at random; 0: all")] = _DEFAULT.sample,
    each: Annotated[
        int, Option(help="of an answer's cited sources, and of its others, so many at most go one by one")
    ] = _DEFAULT.each,
    minimal: Annotated[
        bool, Option(help="look for the least evidence that an answer needs")
    ] = _DEFAULT.minimal,
    again: Again = False,
) -> None:
    """Read an arm's answers again without some of their evidence, and print what citations are worth."""
    from evidence_assets.orchestration.runs import materialize_ablations

    project = workspace()
    settings = changed_settings(sample=sample, each=each, minimal=minimal)
    report_runs(project.lake, materialize_ablations(project, benchmark, arm, settings, again), again)
    system, _, name = arm.rpartition("/")
    of_arm = [benchmark, name, system]
    with queries(project.lake) as connection:
        rows = rows_of(connection.execute(_SCORES, of_arm))
        without_cited = connection.execute(_WITHOUT_CITED, of_arm).fetchone()
    print(score_lines(rows))
    if without_cited is not None:
        prediction, changed = without_cited
        outcome = "is another" if changed else "stays the same"
        print(f"next: evidence-assets trace {prediction}, whose answer {outcome} without what it cites")


def changed_settings(**options: Any) -> dict[str, Any]:
    """Return the settings that differ from the default.

    Raises:
        LookupError: a number is out of bounds.
    """
    from pydantic import ValidationError

    from evidence_assets.text.field_problems import field_problem

    try:
        settings = AblationSettings(**options)
    except ValidationError as error:
        [first, *_] = error.errors()
        raise LookupError(f"--{field_problem(first, AblationSettings)}") from error
    return settings.model_dump(exclude_defaults=True)


def score_lines(rows: Sequence[Mapping[str, Any]]) -> str:
    """Return `ablation_scores` rows for a terminal, each metric with its interval, control and meaning."""
    if not rows:
        return "no answer rests on evidence that could be taken away"
    lines = []
    by_metric = {row["metric"]: row for row in rows}
    for metric in METRICS:
        if metric not in by_metric:
            if metric == NEEDS_NONE:
                lines.append(f"{metric:18} not measured: the reader abstains without evidence")
            continue
        row = by_metric[metric]
        line = f"{metric:18} {_percent(row['value'])} [{_percent(row['low'])}, {_percent(row['high'])}]"
        line += f"  n {row['n']}"
        if row["control"] is not None:
            line += (
                f"  random {_percent(row['control'])} [{_percent(row['control_low'])}, "
                f"{_percent(row['control_high'])}]"
            )
        lines += [line, f"{'':18} {METRICS[metric]}"]
    return "\n".join(lines)


def _percent(value: float) -> str:
    return f"{100 * value:.1f} %"
