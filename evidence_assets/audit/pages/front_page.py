"""The front page of all pages: every benchmark's scoreboard, every experiment's index."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from evidence_assets.audit.pages.rendering import FOLDER, INDEX, folder_of, linked, page, scoreboard_folder
from evidence_assets.audit.pages.scoreboard_page import HEADLINES
from evidence_assets.lake.filesystem import literal_pattern, write_bytes
from evidence_assets.lake.schemas import BENCHMARK_SCORES, EVIDENCE_PAGES, SCOREBOARD_PAGES, Table

if TYPE_CHECKING:
    from evidence_assets.lake.lake import Lake, Partition


@dataclass(frozen=True, slots=True)
class ShownExperiment:
    """An experiment that has pages; `score`: of the first headline metric that it has, None without any."""

    name: str
    page: str
    score: Mapping[str, Any] | None


def write_front_page(lake: Lake) -> str:
    """Write the lake's `pages/index.html`, and return its path.

    Like the catalogue it holds no data: it is made of what stands, and rebuilt from nothing at will.
    """
    boards = {place["benchmark"] for place in lake.partitions(SCOREBOARD_PAGES)}
    benchmarks: dict[str, list[ShownExperiment]] = {benchmark: [] for benchmark in boards}
    for place in lake.partitions(EVIDENCE_PAGES):
        benchmarks.setdefault(place["benchmark"], []).append(shown_experiment(lake, place))
    content = page(
        "front",
        benchmarks=[
            (name, _link(scoreboard_folder(name)) if name in boards else "", experiments)
            for name, experiments in sorted(benchmarks.items())
        ],
    )
    path = _front_page(lake)
    write_bytes(lake.filesystem, path, content)
    return path


def rewrite_front_page(lake: Lake) -> None:
    """Write the lake's `pages/index.html` anew, where there is one: what it leads to may be gone."""
    if lake.filesystem.exists(_front_page(lake)):
        write_front_page(lake)


def _front_page(lake: Lake) -> str:
    return f"{lake.path}/{FOLDER}/{INDEX}"


def shown_experiment(lake: Lake, place: Partition, front_folder: str = FOLDER) -> ShownExperiment:
    """Return what a front page in `front_folder`, relative to the lake's root, shows of an experiment."""
    exists = lake.exists(BENCHMARK_SCORES, place)
    scores = lake.read(BENCHMARK_SCORES, place).to_pylist() if exists else []
    by_metric = {row["metric"]: row for row in scores}
    score = next((by_metric[metric] for metric in HEADLINES if metric in by_metric), None)
    folder = folder_of(place["system"], place["arm"], place["benchmark"])
    return ShownExperiment(f"{place['system']} / {place['arm']}", _link(folder, front_folder), score)


def unnamed_folders(lake: Lake, going: Collection[tuple[Table, Partition]] = ()) -> list[str]:
    """Return the folders of pages, relative to the lake's root, that no partition names but these `going`."""
    removed = {(table.name, tuple(place.items())) for table, place in going}

    def staying(table: Table) -> list[dict[str, str]]:
        places = lake.partitions(table)
        return [place for place in places if (table.name, tuple(place.items())) not in removed]

    named = {folder_of(page["system"], page["arm"], page["benchmark"]) for page in staying(EVIDENCE_PAGES)}
    named |= {scoreboard_folder(page["benchmark"]) for page in staying(SCOREBOARD_PAGES)}
    indexes = lake.filesystem.glob(f"{literal_pattern(lake.path)}/{FOLDER}/*/**/{INDEX}")
    folders = (path.removeprefix(f"{lake.path}/").removesuffix(f"/{INDEX}") for path in indexes)
    return sorted(folder for folder in folders if folder not in named)


def _link(folder: str, front_folder: str = FOLDER) -> str:
    """Return the link from the front page to an index in a folder of the lake."""
    return linked(f"{folder.removeprefix(f'{front_folder}/')}/{INDEX}")
