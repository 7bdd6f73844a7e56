"""`evidence-assets retract`: what rests on a source, and what depends on it made anew without it."""

from __future__ import annotations

import shlex
from typing import TYPE_CHECKING, Annotated

from typer import Argument, BadParameter, Option

from evidence_assets.cli.check import check_files
from evidence_assets.cli.common import workspace
from evidence_assets.stages.declaration import Scope

if TYPE_CHECKING:
    from evidence_assets.orchestration.retracting import Changed, Plan
    from evidence_assets.orchestration.workspace import Workspace

_SHOWN = 20


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
    project = workspace()
    plan = edit_plan(project) if edited else retraction_plan(project, keys or [], restore)
    if edited:
        if not plan.read_anew:
            print("no file was edited since it was read")
            return
        _check(project, plan)
        print("edited: " + ", ".join(sorted(f"{stage} {key.text}" for stage, key in plan.read_anew)))
    _show(plan)
    if not apply:
        arguments = [*(["--edited"] if edited else []), *(["--restore"] if restore else []), *(keys or [])]
        print(f"nothing was changed; next: evidence-assets retract {shlex.join([*arguments, '--apply'])}")
        return
    if not edited:
        _check(project, plan)
    fallen = set(plan.retracted) - project.project.retractions.every
    changed = carry_out(project, plan, lambda stage, key: print(f"made  {stage:32} {key}", flush=True))
    _show_changes(changed)
    if fallen:
        restoring = shlex.join(["--restore", *sorted(record.key for record in fallen), "--apply"])
        print(f"next: evidence-assets retract {restoring} reads it again")
    elif changed:
        benchmarks = " ".join(sorted({record.benchmark for record in changed}))
        print(f"next: evidence-assets scores {benchmarks}")


def _check(project: Workspace, plan: Plan) -> None:
    """Check, before anything is changed, the files that what a plan concerns is made from."""
    scopes = {needed.stage.scope for needed in plan.partitions}
    benchmarks = {needed.key.name for needed in plan.partitions if needed.stage.scope == Scope.BENCHMARK}
    check_files(project.project, benchmarks, harvest=Scope.HARVEST in scopes)


def _show(plan: Plan) -> None:
    cited = sum(row.cited for row in plan.resting)
    print(f"{len(plan.resting)} predictions rest on it, {cited} of them cite it")
    for row in sorted(plan.resting, key=lambda row: not row.cited)[:_SHOWN]:
        role = "cites" if row.cited else "given"
        print(f"  {role}  {row.benchmark} {row.question_id}  {row.system}/{row.arm}  {row.predicted}")
    if len(plan.resting) > _SHOWN:
        print(f"  and {len(plan.resting) - _SHOWN} more, which the macro impact lists")
    print(f"{len(plan.partitions)} partitions depend on it")


def _show_changes(changed: list[Changed]) -> None:
    print(f"{len(changed)} answers changed")
    for answer in changed:
        place = f"{answer.benchmark} {answer.question_id}  {answer.system}/{answer.arm}"
        print(f"  {place}  {answer.before or '(none)'} -> {answer.after or '(none)'}")
