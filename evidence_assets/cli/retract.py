"""`evidence-assets retract`: what rests on a source, and what depends on it made anew without it."""

from __future__ import annotations

import shlex
from collections.abc import Sequence
from itertools import groupby
from operator import attrgetter
from typing import TYPE_CHECKING, Annotated

from typer import Argument, BadParameter, Option

from evidence_assets.audit.counting import counted
from evidence_assets.cli.check import check_files
from evidence_assets.cli.common import workspace
from evidence_assets.stages.declaration import Scope
from evidence_assets.text.visible import visible

if TYPE_CHECKING:
    from evidence_assets.orchestration.retracting import Plan
    from evidence_assets.orchestration.retraction_outcomes import Changed, LeftOut, Outcome
    from evidence_assets.orchestration.workspace import Workspace

_SHOWN = 20
_NO_ANSWER = "(none)"


def retract(
    keys: Annotated[
        list[str] | None, Argument(help="articles, triples or tables, by id or by their key in the source")
    ] = None,
    edited: Annotated[
        bool, Option("--edited", help="in place of keys: the files that were edited since they were read")
    ] = False,
    restore: Annotated[bool, Option("--restore", help="take back a retraction, by id")] = False,
    apply: Annotated[
        bool, Option("--apply", help="do it; without this, only show what would change")
    ] = False,
) -> None:
    """Show what rests on sources; with --apply, leave them out and make what depends on them anew."""
    from evidence_assets.orchestration.retracting import carry_out, edit_plan, retraction_plan

    if bool(keys) == edited:
        raise BadParameter("name what is to be retracted, or give --edited for files that were edited")
    project = workspace(to_read=True)
    if apply:
        project.lake.check_writable()
    plan = edit_plan(project) if edited else retraction_plan(project, keys or [], restore)
    if edited and plan.partitions:
        _check(project, plan)
    _show_roots(plan, edited)
    if not plan.partitions and (edited or plan.already):
        return
    if plan.read_anew:
        _show_resting(plan, restore)
    depending, verb = counted(len(plan.partitions), "partition"), _verb("depend", len(plan.partitions))
    print(f"{depending} {verb} on it, with {counted(plan.predictions, 'prediction')}")
    if not apply:
        arguments = [*(["--edited"] if edited else []), *(["--restore"] if restore else []), *(keys or [])]
        print(f"nothing was changed; next: evidence-assets retract {shlex.join([*arguments, '--apply'])}")
        return
    if not edited:
        _check(project, plan)
    fallen = set(plan.retracted) - project.project.retractions.every
    outcome = carry_out(
        project, plan, lambda stage, key: print(visible(f"made  {stage:32} {key}"), flush=True)
    )
    _show_outcome(outcome)
    # What people asked has no key, and no score.
    scored = {answer.benchmark for answer in outcome.answers}.intersection(project.project.named_benchmarks)
    if fallen:
        restoring = shlex.join(["--restore", *sorted(record.key for record in fallen), "--apply"])
        print(f"next: evidence-assets retract {restoring} reads it again")
    elif scored:
        print(f"next: evidence-assets scores {' '.join(sorted(scored))}")


def _show_roots(plan: Plan, edited: bool) -> None:
    """Print what was edited, or is left out already."""
    for key in plan.already:
        print(visible(f"{key} was retracted before, and is left out already"))
    if plan.already and not plan.partitions:
        print(
            "nothing was changed; a run that was stopped goes on by: evidence-assets retract --edited --apply"
        )
    elif edited and plan.read_anew:
        edited_names = ", ".join(sorted(f"{stage} {key.text}" for stage, key in plan.read_anew))
        print(visible(f"edited: {edited_names}"))
        for edit in plan.edits:
            print(visible(f"        {edit}"))
    elif edited:
        more = ", but not all was made anew since" if plan.partitions else ""
        print(f"no file was edited since it was read{more}")


def _check(project: Workspace, plan: Plan) -> None:
    """Check, before anything is changed, the files that what a plan concerns is made from."""
    scopes = {needed.stage.scope for needed in plan.partitions}
    benchmarks = {needed.key.name for needed in plan.partitions if needed.stage.scope == Scope.BENCHMARK}
    check_files(project.project, benchmarks, harvest=Scope.HARVEST in scopes)


def _verb(verb: str, count: int) -> str:
    return f"{verb}s" if count == 1 else verb


def _show_resting(plan: Plan, restore: bool) -> None:
    if restore:
        print("it is left out now, and nothing rests on it; what may rest on it again is answered anew")
    else:
        cited = sum(row.cited for row in plan.resting)
        resting, verb = counted(len(plan.resting), "prediction"), _verb("rest", len(plan.resting))
        print(f"{resting} {verb} on it, {cited} of them {_verb('cite', cited)} it")
    for row in sorted(plan.resting, key=lambda row: not row.cited)[:_SHOWN]:
        role = "cites" if row.cited else "given"
        place = f"{row.benchmark} {row.question_id}  {row.system}/{row.arm}"
        print(visible(f"  {role}  {place}  {row.predicted or _NO_ANSWER}"))
    if len(plan.resting) > _SHOWN:
        print(f"  and {len(plan.resting) - _SHOWN} more")


def _show_outcome(outcome: Outcome) -> None:
    _show_records("left out now", outcome.left_out)
    _show_records("left out no longer", outcome.taken_in)
    _show_questions("question removed", [answer for answer in outcome.answers if answer.after is None])
    _show_questions("new question", [answer for answer in outcome.answers if answer.before is None])
    both = [(answer, answer.before, answer.after) for answer in outcome.answers]
    changed = [(answer, before, after) for answer, before, after in both if before and after]
    others = sum(before.predicted != after.predicted for _, before, after in changed)
    judged = sum(before.verdict != after.verdict for _, before, after in changed)
    print(f"{counted(others, 'answer')} changed" + (f", {judged} judged otherwise" if judged else ""))
    for answer, before, after in changed:
        place = f"{answer.benchmark} {answer.question_id}  {answer.system}/{answer.arm}"
        given = [before.predicted or _NO_ANSWER]
        if before.predicted != after.predicted:
            given.append(after.predicted or _NO_ANSWER)
        verdicts = f"  {before.verdict} -> {after.verdict}" if before.verdict != after.verdict else ""
        print(visible(f"  {place}  {' -> '.join(given)}{verdicts}"))


def _show_records(heading: str, records: Sequence[LeftOut]) -> None:
    for record in records[:_SHOWN]:
        reason = f"{record.reason}; remedy: {record.remedy}"
        print(visible(f"{heading}: {record.source}, {record.record}: {reason}"))
    if len(records) > _SHOWN:
        print(f"{heading}: {len(records) - _SHOWN} more, which the view rejected_records tells of")


def _show_questions(heading: str, answers: Sequence[Changed]) -> None:
    """Print each question once, with how many experiments answered it, and how many of these right."""
    order = attrgetter("benchmark", "question_id")
    for (benchmark, question_id), of_question in groupby(sorted(answers, key=order), key=order):
        given = [answer.after or answer.before for answer in of_question]
        verdicts = [answer.verdict for answer in given if answer is not None]
        right = f", {verdicts.count('right')} of them right" if set(verdicts) != {"not scored"} else ""
        print(visible(f"{heading}: {benchmark} {question_id}  {counted(len(verdicts), 'prediction')}{right}"))
