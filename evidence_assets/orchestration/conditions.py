"""When an asset is made again. Each clause names the incident it prevents."""

from __future__ import annotations

from functools import cache
from typing import Any

import dagster as dg


@cache
def when_inputs_change(asked_for: bool = False, partial: bool = False, spare: tuple[str, ...] = ()) -> Any:
    """Return the condition of every derived asset; assets that are asked for alike share one.

    `asked_for`: of an asset whose partitions are experiments, each made when someone asks for it. Only those
    that were made once are made again; else a changed question would start every arm that there is.
    `partial`: of an asset that gathers what there is: what was never made does not hold up the rest.
    `spare`: dependencies that it does without: where they were never made, it does not wait for them.

    - `any_deps_updated` on changed data versions: a re-run upstream that changed no byte starts nothing.
      Dagster's own `eager()` would.
    - `code_version_changed`: a new code version makes every partition anew.
    - `newly_missing`: a partition that the configuration gained is filled, without anyone asking.
    - not while a dependency is missing or running: half an input is no input.
    - not while running itself: a slow run is not started twice.
    - not while a dependency's blocking check has failed: such a check stops its own run only; across runs
      this clause keeps bad rows from spreading. Dagster's own `all_deps_blocking_checks_passed` is false for
      every partition that has none above it in one of its dependencies: an arm without triples would never
      follow its rankings, nor would a benchmark without a graph.
    """
    changed = dg.AutomationCondition.any_deps_updated().replace(
        "newly_updated", dg.AutomationCondition.data_version_changed()
    )
    made_anew = changed | dg.AutomationCondition.code_version_changed()
    triggered: Any = (
        made_anew & ~dg.AutomationCondition.missing()
        if asked_for
        else made_anew | dg.AutomationCondition.newly_missing()
    )
    passed = dg.AutomationCondition.all_checks_match(
        dg.AutomationCondition.check_passed() | dg.AutomationCondition.will_be_requested(),
        blocking_only=True,
    ).with_label("all_blocking_checks_passed")
    missing: Any = dg.AutomationCondition.any_deps_missing()
    failed: Any = dg.AutomationCondition.any_deps_match(~passed)
    if spare:
        spared = dg.AssetSelection.assets(*spare)
        missing, failed = missing.ignore(spared), failed.ignore(spared)
    due = triggered.since_last_handled()
    if not partial:
        due = due & ~missing
    return (
        due
        & ~dg.AutomationCondition.any_deps_in_progress()
        & ~dg.AutomationCondition.in_progress()
        & ~failed.with_label("any_deps_blocking_checks_failed")
    ).with_label("when inputs change")
