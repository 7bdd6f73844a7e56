"""An experiment's evidence as an RO-Crate: rows, pages, provenance and lineage, with what each is.

Who has the folder needs neither the lake nor this program: the pages open in a browser, the rows in whatever
reads Parquet.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pyarrow as pa
import pyarrow.parquet as pq

from evidence_assets.audit.exports.lineage_events import lineage_events
from evidence_assets.audit.exports.provenance import provenance
from evidence_assets.audit.pages.front_page import shown_experiment
from evidence_assets.audit.pages.rendering import folder_of, page
from evidence_assets.lake.schemas import EVIDENCE_PAGES, QUESTIONS

if TYPE_CHECKING:
    from evidence_assets.audit.exports.experiment import Exported
    from evidence_assets.lake.lake import Lake

METADATA, PREVIEW = "ro-crate-metadata.json", "ro-crate-preview.html"
PROVENANCE, LINEAGE = "provenance.jsonld", "lineage.ndjson"
TRACED = "rows/trace.parquet"
_PARQUET = "application/vnd.apache.parquet"
# What of the lake the pages lead back to: here it is the front page.
_LEADING_BACK = (b'href="../../-scores/index.html"', b'href="../../../index.html"')


def write_crate(lake: Lake, exported: Exported, folder: Path) -> None:
    """Write the crate of an experiment into a folder that is not there, or is empty.

    Raises:
        LookupError: the experiment has no pages, or the folder holds something.
    """
    place = exported.place
    if not lake.exists(EVIDENCE_PAGES, place):
        raise LookupError(
            f"{exported.name} has no pages yet; remedy: evidence-assets pages --benchmark "
            f"{place['benchmark']} --arm {place['system']}/{place['arm']}"
        )
    if folder.exists() and any(folder.iterdir()):
        raise LookupError(f"{folder} holds something; remedy: name a folder that is not there")
    described = {**_rows(lake, exported, folder), **_pages(lake, exported, folder)}
    described[PROVENANCE] = (
        "W3C PROV in JSON-LD: answers from evidence, evidence from sources",
        "application/ld+json",
    )
    (folder / PROVENANCE).write_text(provenance(exported), encoding="utf-8")
    described[LINEAGE] = ("OpenLineage events, a line each", "application/x-ndjson")
    events = "".join(f"{json.dumps(event, sort_keys=True)}\n" for event in lineage_events(exported))
    (folder / LINEAGE).write_text(events, encoding="utf-8")
    _write_metadata(exported, folder, described)


def _rows(lake: Lake, exported: Exported, folder: Path) -> dict[str, tuple[str, str]]:
    (folder / "rows").mkdir(parents=True)
    described = {}
    places = [(table, exported.place) for table in exported.tables]
    for table, place in [*places, (QUESTIONS, {"benchmark": exported.place["benchmark"]})]:
        if lake.exists(table, place):
            name = f"rows/{table.name}.parquet"
            (folder / name).write_bytes(lake.filesystem.cat_file(lake.file(table, place)))
            described[name] = (table.description, _PARQUET)
    traced = [row for rows in exported.traced.values() for row in rows]
    pq.write_table(pa.Table.from_pylist(traced), folder / TRACED)
    described[TRACED] = ("What each answer was given and cited, down to the words in the source", _PARQUET)
    return described


def _pages(lake: Lake, exported: Exported, folder: Path) -> dict[str, tuple[str, str]]:
    place = exported.place
    of_lake = folder_of(place["system"], place["arm"], place["benchmark"])
    (folder / of_lake).mkdir(parents=True)
    back = f'href="{"../" * len(Path(of_lake).parts)}{PREVIEW}"'.encode()
    for row in lake.read(EVIDENCE_PAGES, place, ["path"]).to_pylist():
        content: bytes = lake.filesystem.cat_file(f"{lake.path}/{row['path']}")
        for link in _LEADING_BACK:
            content = content.replace(link, back)
        (folder / row["path"]).write_bytes(content)
    experiment = shown_experiment(lake, place, front_folder="")
    (folder / PREVIEW).write_bytes(page("front", benchmarks=[(place["benchmark"], "", [experiment])]))
    return {
        PREVIEW: ("What to open: the experiment, its score, its answers", "text/html"),
        f"{of_lake}/": ("A page an answer, beside its evidence, and an index of them", "text/html"),
    }


def _write_metadata(exported: Exported, folder: Path, described: dict[str, tuple[str, str]]) -> None:
    from rocrate.rocrate import ROCrate

    crate = ROCrate()
    licences = sorted({row["licence"] for rows in exported.traced.values() for row in rows if row["licence"]})
    crate.name = f"Evidence of {exported.name}"
    crate.description = (
        f"{len(exported.answers):,} answers of {exported.name}, with the evidence that each was given on, "
        "down to the words of its sources."
    )
    if exported.answers_made.record is not None:
        crate.datePublished = exported.answers_made.record["materialized_at"]
    crate.license = "; ".join(licences) or "the questions' own"
    for name, (description, encoding) in described.items():
        properties: dict[str, Any] = {"name": name, "description": description, "encodingFormat": encoding}
        add = crate.add_dataset if name.endswith("/") else crate.add_file
        add(dest_path=name, properties=properties)
    metadata = crate.metadata.generate()
    (folder / METADATA).write_text(json.dumps(metadata, indent=2, sort_keys=True), encoding="utf-8")
