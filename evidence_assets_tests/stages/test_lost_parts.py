"""Files of a table that were removed from the lake: told, never read as fewer rows."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from evidence_assets.lake.schemas import TRIPLES
from evidence_assets.stages.declaration import Key
from evidence_assets.stages.freshness import Freshness, State, Status
from evidence_assets.stages.inputs import Inputs, RunCache
from evidence_assets.stages.lost_parts import LostPartError
from evidence_assets_tests.testing.stage_samples import World

EATS, IS_A = ({"kg": "plain", "relation": relation} for relation in ("Eats", "IsA"))


def status(world: World, name: str, key: str = "plain") -> Status:
    return Freshness(world.lake, world.graph, world.models).status(world.stage(name), Key(key))


def relations_read(world: World) -> list[dict[str, str]]:
    stage = world.stage("graph_nodes")
    return Inputs(world.lake, world.graph, stage, Key("plain"), RunCache()).partitions(TRIPLES)


def test_one_of_several_files_that_was_removed_is_told_and_made_anew(made: World) -> None:
    made.lake.delete(TRIPLES, IS_A)
    now = status(made, "triples")
    assert (now.state, now.reason) == (
        State.STALE,
        "triples kg=plain/relation=IsA was removed from the lake",
    )
    assert now.is_outdated and not now.is_removed
    with pytest.raises(LostPartError) as told:
        made.make("graph_nodes", Key("plain"))
    assert str(told.value) == (
        f"table triples: the file of kg=plain/relation=IsA is recorded, and is not in {made.lake.uri} any "
        "more; remedy: materialise triples plain anew, in Dagster or by evidence-assets retract --edited "
        "--apply"
    )
    made.make("triples", Key("plain"))
    assert status(made, "triples").state == status(made, "graph_nodes").state == State.FRESH
    assert relations_read(made) == [EATS, IS_A]


def test_what_another_graph_has_lost_stops_nobody_else(made: World) -> None:
    made.lake.delete(TRIPLES, {"kg": "mined", "relation": "Eats"})
    assert relations_read(made) == [EATS, IS_A]
    assert status(made, "triples").state == State.FRESH


def test_all_files_that_were_removed_are_missing_and_told(made: World) -> None:
    shutil.rmtree(Path(made.lake.path) / "triples" / "kg=plain")
    now = status(made, "triples")
    assert (now.state, now.reason) == (State.MISSING, "triples was removed from the lake")
    assert now.is_removed
    with pytest.raises(LostPartError, match="kg=plain/relation=Eats and 1 more is recorded"):
        relations_read(made)


def test_what_a_later_run_left_out_is_not_lost(made: World) -> None:
    """However often a source came and went: each time the same rows are recorded with another file."""
    facts = made.facts["plain"]
    for _ in range(2):
        for stated in ({"Eats": facts["Eats"]}, facts):
            made.facts["plain"] = stated
            made.make("triples", Key("plain"))
            assert [place["relation"] for place in relations_read(made)] == sorted(stated)
            assert status(made, "triples").state == State.FRESH
    made.facts["plain"] = {"Eats": facts["Eats"]}
    made.make("triples", Key("plain"))
    made.versions["triples"] = "2"
    made.make("triples", Key("plain"))
    assert relations_read(made) == [EATS]
    assert status(made, "triples").state == State.FRESH


def test_a_table_of_one_file_that_was_removed_is_missing_and_told(made: World) -> None:
    assert status(made, "graph_nodes").state == State.FRESH
    shutil.rmtree(Path(made.lake.path) / "graph_nodes")
    now = status(made, "graph_nodes")
    assert (now.state, now.reason, now.is_removed) == (
        State.MISSING,
        "graph_nodes was removed from the lake",
        True,
    )
