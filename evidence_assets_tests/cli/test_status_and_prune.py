"""What `status` and `prune` say of a project whose lake is empty, or no longer needed in part."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from evidence_assets.audit.pages.front_page import write_front_page
from evidence_assets.audit.pages.rendering import folder_of
from evidence_assets.audit.score_report import WIDTH
from evidence_assets.cli.main import main
from evidence_assets.lake.filesystem import replace_folder
from evidence_assets.lake.lake import Lake
from evidence_assets.lake.schemas import EVIDENCE_PAGES, QUESTIONS
from evidence_assets.orchestration.workspace import Workspace
from evidence_assets_tests.testing.configuration_samples import configuration, written
from evidence_assets_tests.testing.page_samples import Page
from evidence_assets_tests.testing.table_rows import table_of


def test_status_counts_what_is_missing_by_stage_and_lists_it_when_asked(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    def status_lines(*arguments: str) -> list[str]:
        assert main(["status", *arguments]) == 0
        return capsys.readouterr().out.splitlines()

    counted, listed = status_lines(), status_lines("--all")
    assert not [line for line in counted if line.startswith("missing  ")]
    assert max(map(len, counted)) <= WIDTH
    [total] = [line for line in listed if line.endswith(" fresh")]
    missing = [line for line in listed if line.startswith("missing  ")]
    assert total.startswith(f"{len(missing)} missing, ")
    assert any(line.split()[:3] == ["missing", "questions", "quiz"] for line in missing)
    assert status_lines("questions")[0].split()[:3] == ["missing", "questions", "quiz"]


def test_scores_of_arms_that_nobody_asked_for_are_made_on_demand_too(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["status"]) == 0
    counted = " ".join(capsys.readouterr().out.split())
    [due] = re.findall(r"(?:^| )missing: \d+ \(([^)]*)\)", counted)
    [unasked] = re.findall(r"made on demand: \d+ \(([^)]*)\)", counted)
    assert "questions 1" in due
    assert "benchmark_scores" not in due
    assert re.search(r"(?:^| )benchmark_scores \d", unasked)


def test_what_the_systems_of_a_benchmark_do_not_need_is_not_missing(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    content = configuration()
    del content["benchmarks"]["quiz"]["corpus"], content["benchmarks"]["quiz"]["graph"]
    content["benchmarks"]["quiz"]["systems"] = ["ucret"]
    written(folder, content)
    assert main(["status", "quiz"]) == 0
    shown = capsys.readouterr().out
    listed = [line.split()[1] for line in shown.splitlines() if line.startswith("missing  ")]
    assert listed == ["questions", "tables"]
    assert "impossible" not in shown
    assert main(["status"]) == 0
    counted = capsys.readouterr().out
    assert not re.search("gold_chunks|chunk_pools|ranked_triples|ranked_chunks|uscrake|kaping", counted)


def test_what_arms_alone_read_that_nobody_asked_for_is_made_on_demand(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Without a graph no triples are ranked, but as empty tables that arms which rerank text read."""
    content = configuration()
    content["benchmarks"]["quiz"] |= {"systems": ["uscrake"]}

    def listed() -> set[str]:
        written(folder, content)
        assert main(["status", "quiz"]) == 0
        return {
            line.split()[1] for line in capsys.readouterr().out.splitlines() if line.startswith("missing  ")
        }

    assert {"questions", "chunk_pools", "question_concepts", "ranked_triples"} <= listed()
    del content["benchmarks"]["quiz"]["graph"]
    assert listed() == {"questions", "gold_chunks", "chunk_pools"}
    assert main(["status", "quiz", "--all"]) == 0
    assert re.search("^missing +ranked_triples ", capsys.readouterr().out, re.MULTILINE)


def test_predictions_that_were_removed_are_not_among_what_nobody_asked_for(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    lake = Lake(str(folder / "lake"))
    place = {"system": "uscrake", "arm": "full@extractive", "benchmark": "quiz"}

    def unasked() -> int:
        counted = " ".join(capsys.readouterr().out.split())
        [found] = re.findall(r"made on demand: \d+ \([^)]*\buscrake (\d+)", counted)
        return int(found)

    assert main(["status"]) == 0
    before = unasked()
    for table in Workspace.from_environment().graph.by_name["uscrake"].tables:
        lake.record(lake.write(table, place, table_of(table)), [], "run", "1")
        lake.delete(table, place)
    for arguments in ([], ["--all"], ["uscrake"]):
        assert main(["status", *arguments]) == 0
        shown = capsys.readouterr().out
        [line] = [line for line in shown.splitlines() if line.endswith(" was removed from the lake")]
        assert line.split()[:3] == ["missing", "uscrake", "full@extractive|quiz"]
    assert main(["status"]) == 0
    assert unasked() == before - 1


def test_status_tells_by_which_command_to_go_on(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    def last() -> str:
        assert main(["status"]) == 0
        return capsys.readouterr().out.splitlines()[-1]

    assert last() == "next: evidence-assets demo BENCHMARK makes what a benchmark lacks"
    content = configuration()
    del content["benchmarks"]
    written(folder, content)
    assert last().startswith("next: evidence-assets prepare makes ")


def test_status_tells_what_cannot_be_made_from_what_is_missing(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    content = configuration()
    del content["benchmarks"]["quiz"]["corpus"]
    written(folder, content)
    assert main(["status"]) == 0
    counted = capsys.readouterr().out
    assert re.search(r"^impossible: \d+ \(uscrake \d+, ", counted, re.MULTILINE)
    content["benchmarks"]["quiz"]["systems"] = ["ugat_medqa"]
    written(folder, content)
    assert main(["status"]) == 0
    assert "uscrake" not in capsys.readouterr().out
    assert main(["status", "uscrake/benchmark_scores", "--all"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[-1].startswith("0 missing, 0 stale, 0 fresh")
    assert re.fullmatch(
        rf"impossible  benchmark_scores +\S+\|quiz +{folder}/sources.yaml: benchmark quiz names no corpus, "
        r"and uscrake needs one; remedy: name one \(benchmarks.quiz.corpus\)",
        lines[0],
    )


def test_prune_says_what_it_did(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    def pruned(*options: str) -> str:
        assert main(["prune", *options]) == 0
        return capsys.readouterr().out

    told_of_nothing = "nothing to remove: the configuration names all that the lake holds\n"
    assert pruned() == told_of_nothing
    place = {"benchmark": "gone"}
    Lake(str(folder / "lake")).write(QUESTIONS, place, QUESTIONS.schema.empty_table())
    line = "questions/benchmark=gone\n"
    assert pruned("--dry-run") == f"{line}1 partition and 0 folders and files beside them would be removed\n"
    assert pruned() == f"{line}1 partition and 0 folders and files beside them removed\n"
    assert pruned() == told_of_nothing


def test_prune_leaves_no_link_to_what_it_removed(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    lake = Lake(str(folder / "lake"))
    places = [{"system": "uscrake", "arm": "full@extractive", "benchmark": name} for name in ("quiz", "gone")]
    for place in places:
        pages = folder_of(**place)
        replace_folder(lake.filesystem, f"{lake.path}/{pages}", [("index.html", b"page")])
        row = {**place, "page": "index.html", "path": f"{pages}/index.html", "bytes": 4}
        lake.write(EVIDENCE_PAGES, place, table_of(EVIDENCE_PAGES, row))
    front = Path(write_front_page(lake))
    before = front.read_bytes()
    assert main(["prune", "--dry-run"]) == 0
    assert front.read_bytes() == before
    assert main(["prune"]) == 0
    assert "1 partition and 1 folder or file beside them removed\n" in capsys.readouterr().out
    links = Page.of(front.read_bytes()).links()
    assert [link for link in links if "/" in link] == ["quiz/uscrake/full%40extractive/index.html"]
    assert sorted(path.name for path in front.parent.iterdir()) == ["index.html", "quiz"]


def test_prune_makes_no_front_page(folder: Path) -> None:
    lake = Lake(str(folder / "lake"))
    lake.write(QUESTIONS, {"benchmark": "gone"}, QUESTIONS.schema.empty_table())
    assert main(["prune"]) == 0
    assert not (folder / "lake" / "pages").exists()
