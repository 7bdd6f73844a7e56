"""Language models as judges of harvested triples (thesis 5.4.2): each sees a verbalised triple only."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import islice
from typing import Any

import pyarrow as pa

from evidence_assets.extraction.filters import SEED
from evidence_assets.extraction.judgements import Labels, key_of
from evidence_assets.graphs.harvest_manifest import harvested_templates
from evidence_assets.lake.lake import TableReader
from evidence_assets.lake.schemas import HARVESTED_TRIPLES, HARVESTS, TRIPLE_JUDGEMENTS
from evidence_assets.models.generation.protocol import Request, Sampling
from evidence_assets.models.generation.recorded import Recorded, RecordedGenerator
from evidence_assets.progress import Progress
from evidence_assets.reading.prompt_files import JUDGE
from evidence_assets.reading.prompting import request
from evidence_assets.reading.replies import JUDGEMENT_SCHEMA, PARSED, UNPARSEABLE, ReplyError, read_object
from evidence_assets.text.verbalisation import verbalise

VERDICT = Sampling(max_tokens=16)


def judge_triples(
    lake: TableReader, kg: str, judge: RecordedGenerator, most: int, progress: Progress | None = None
) -> pa.Table:
    """Return the `triple_judgements` rows of one judge: of each relation the first `most` that are no seeds.

    Raises:
        MissingPartitionError: the graph was never gathered.
        BudgetSpentError: the judge may not be asked any more.
    """
    rows: list[dict[str, Any]] = []
    requests: list[Request] = []
    templates = harvested_templates(lake, kg)
    for relation in lake.read(HARVESTS, {"kg": kg}, ["relation"]).column("relation").to_pylist():
        triples = lake.read(HARVESTED_TRIPLES, {"kg": kg, "relation": relation}).sort_by("rank").to_pylist()
        for row in islice((row for row in triples if SEED not in row["flags"]), most):
            rows.append({name: row[name] for name in ("kg", "relation", "head", "tail", "triple_id")})
            statement = verbalise(templates[relation], row["head"], row["tail"])
            requests.append(request(JUDGE, VERDICT, JUDGEMENT_SCHEMA, statement=statement))
    replies = judge.replies(requests, progress)
    judged = [
        {
            **row,
            "judge": judge.generator.name,
            **_verdict(reply),
            "request_hash": reply.request_hash,
            "prompt_hash": sent.prompt_hash,
            "model": judge.generator.generator_id,
        }
        for row, sent, reply in zip(rows, requests, replies, strict=True)
    ]
    return pa.Table.from_pylist(judged, schema=TRIPLE_JUDGEMENTS.schema)


def _verdict(reply: Recorded) -> dict[str, Any]:
    if not reply.reply.outcome.is_text:
        return {"correct": None, "parse_status": str(reply.reply.outcome)}
    try:
        return {"correct": read_object(reply.reply.text, JUDGEMENT_SCHEMA)["correct"], "parse_status": PARSED}
    except ReplyError:
        return {"correct": None, "parse_status": UNPARSEABLE}


def labels_of(rows: Sequence[Mapping[str, Any]]) -> dict[str, Labels]:
    """Return each judge's labels out of `triple_judgements` rows; what could not be read is no label."""
    labels: dict[str, dict[tuple[str, str, str], bool]] = {}
    for row in rows:
        if row["correct"] is not None:
            key = key_of(row["relation"], row["head"], row["tail"])
            labels.setdefault(row["judge"], {})[key] = row["correct"]
    return dict(labels)
