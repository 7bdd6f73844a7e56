"""An experiment as W3C PROV, in JSON-LD: answers from evidence, evidence from sources, tables from runs.

The serialisation is PROV-JSONLD, whose context is part of the document: read as JSON-LD it is PROV-O.
"""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import TYPE_CHECKING, Any

from evidence_assets.lake.ids import content_id
from evidence_assets.stages.inputs import SOURCE_FILES

if TYPE_CHECKING:
    from prov.model import ProvDocument

    from evidence_assets.audit.exports.experiment import Exported, Made, Row
    from evidence_assets.lake.lake import PartitionVersion

_NAMESPACES = ("answer", "evidence", "source", "file", "partition", "run", "code", "lake")
# Terms of this vocabulary say what PROV has no word for.
_VOCABULARY = "urn:evidence-assets:"


def provenance(exported: Exported) -> str:
    """Return the provenance of an experiment: the same lake gives the same text."""
    from prov.model import ProvDocument

    document = ProvDocument()
    for name in _NAMESPACES:
        document.add_namespace(name, f"{_VOCABULARY}{name}:")
    for made in exported.lineage:
        _add_made(document, made)
    for answer in exported.answers:
        _add_answer(document, answer)
    added: set[str] = set()
    for rows in exported.traced.values():
        for row in rows:
            _add_evidence(document, row, added)
            _attributed(
                document.derivation(f"answer:{row['prediction_id']}", f"evidence:{row['evidence_id']}"),
                {"lake:role": row["role"], "lake:candidate": row["candidate"], "lake:rank": row["rank"]},
            )
    answers = _identifier(exported.answers_made.version)
    for answer in exported.answers:
        document.membership(answers, f"answer:{answer['prediction_id']}")
    return str(document.serialize(format="jsonld", context="embed", indent=1))


def _identifier(version: PartitionVersion) -> str:
    if version.table == SOURCE_FILES:
        return f"file:{content_id('file', version.partition)}"
    return f"partition:{content_id('partition', version.table, version.partition, version.content_hash)}"


def _attributed(record: Any, attributes: dict[str, Any]) -> None:
    record.add_attributes({name: value for name, value in attributes.items() if value is not None})


def _add_made(document: ProvDocument, made: Made) -> None:
    version = made.version
    entity = document.entity(_identifier(version), {"prov:label": version.partition or "whole table"})
    kind = "lake:File" if made.is_file else "lake:Partition"
    table = None if made.is_file else version.table
    _attributed(entity, {"prov:type": kind, "lake:table": table, "lake:content_hash": version.content_hash})
    if made.record is None:
        return
    ended: datetime = made.record["materialized_at"]
    started = ended - timedelta(seconds=made.record["seconds"] or 0)
    activity = f"run:{content_id('run', made.record['run_id'], version.table, version.partition)}"
    document.activity(activity, started, ended, {"lake:run_id": made.record["run_id"]})
    code = f"code:{content_id('code', made.record['code_version'])}"
    document.agent(code, {"prov:type": "prov:SoftwareAgent", "prov:label": made.record["code_version"]})
    document.association(activity, code)
    document.generation(_identifier(version), activity, ended)
    for upstream in made.made_from:
        document.usage(activity, _identifier(upstream))


def _add_answer(document: ProvDocument, answer: Row) -> None:
    entity = document.entity(f"answer:{answer['prediction_id']}", {"prov:type": "lake:Answer"})
    _attributed(
        entity,
        {
            "prov:label": answer["question"],
            "prov:value": answer["predicted"],
            "lake:question_id": answer["question_id"],
            "lake:confidence": answer["confidence"],
            "lake:correct": answer["correct"],
        },
    )


def _add_evidence(document: ProvDocument, row: Row, added: set[str]) -> None:
    """Add a unit of evidence, the row that it was taken from, and the files that hold this, once each."""
    unit = f"evidence:{row['evidence_id']}"
    if unit in added:
        return
    added.add(unit)
    kind = {"prov:type": "lake:Evidence", "lake:kind": row["kind"], "lake:state": row["source_state"]}
    _attributed(document.entity(unit), {**kind, "prov:value": row["evidence_text"]})
    source = f"source:{content_id('source', row['source_table'], row['source_key'])}"
    if source not in added:
        added.add(source)
        described = {
            "prov:type": "lake:Source",
            "prov:label": row["source_title"] or None,
            "lake:table": row["source_table"],
            "lake:key": row["source_key"],
            "lake:licence": row["licence"],
        }
        _attributed(document.entity(source), described)
        for uri in filter(None, row["source_uris"] or ()):
            file = f"file:{content_id('file', uri)}"
            if file not in added:
                added.add(file)
                document.entity(file, {"prov:type": "lake:File", "prov:label": uri})
            document.primary_source(source, file)
    _attributed(document.quotation(unit, source), {"lake:where": row["source_record"]})
