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
from evidence_assets.models.generation.likelihood import LikelihoodModel
from evidence_assets.models.generation.protocol import Reply, Request, Sampling
from evidence_assets.models.generation.recorded import RecordedGenerator
from evidence_assets.progress import Progress
from evidence_assets.reading.likelihoods.likelihood import Asked, Wording, read_options
from evidence_assets.reading.prompting.prompt_files import JUDGE
from evidence_assets.reading.prompting.replies import (
    JUDGEMENT_SCHEMA,
    PARSED,
    UNPARSEABLE,
    ReplyError,
    read_object,
)
from evidence_assets.reading.prompting.requests import request
from evidence_assets.text.verbalisation import verbalise

VERDICT = Sampling(max_tokens=16)
# What likelihoods choose between, the statement being all that speaks for either.
_TRUTH = ("true", "false")
_WHICH, _STATEMENT = "Is the statement true or false?", Wording("Statement")


def judge_triples(
    lake: TableReader, kg: str, judge: RecordedGenerator, most: int, progress: Progress | None = None
) -> pa.Table:
    """Return the `triple_judgements` rows of one judge: of each relation the first `most` that are no seeds.

    Raises:
        MissingPartitionError: the graph was never gathered.
        BudgetSpentError: the judge may not be asked any more.
    """
    stated = _stated(lake, kg, most)
    requests = [judgement_request(statement) for _, statement in stated]
    replies = judge.replies(requests, progress)
    verdicts = [
        (*read_judgement(reply.reply), reply.request_hash, sent.prompt_hash)
        for sent, reply in zip(requests, replies, strict=True)
    ]
    return _rows(stated, verdicts, judge.generator.name, judge.generator.generator_id)


def judge_by_likelihood(
    lake: TableReader, kg: str, name: str, model: LikelihoodModel, most: int, progress: Progress | None = None
) -> pa.Table:
    """Return the `triple_judgements` rows of a model's likelihoods: what a triple's statement makes likelier.

    The judge is called `likelihood@name`. Nothing is asked, so that its rows name no request.

    Raises:
        MissingPartitionError: the graph was never gathered.
    """
    stated = _stated(lake, kg, most)
    verdicts = likely_verdicts([statement for _, statement in stated], model, progress)
    judged = [(correct, PARSED, "", "") for correct in verdicts]
    return _rows(stated, judged, f"likelihood@{name}", model.model_id)


def _rows(
    stated: Sequence[tuple[dict[str, Any], str]],
    verdicts: Sequence[tuple[bool | None, str, str, str]],
    judge: str,
    model: str,
) -> pa.Table:
    """Return `triple_judgements` rows: triples, and of each its verdict, how that was parsed, two hashes."""
    columns = ("correct", "parse_status", "request_hash", "prompt_hash")
    rows = [
        {**row, "judge": judge, "model": model, **dict(zip(columns, verdict, strict=True))}
        for (row, _), verdict in zip(stated, verdicts, strict=True)
    ]
    return pa.Table.from_pylist(rows, schema=TRIPLE_JUDGEMENTS.schema)


def judgement_request(statement: str) -> Request:
    """Return what a language model is asked of a statement."""
    return request(JUDGE, VERDICT, JUDGEMENT_SCHEMA, statement=statement)


def likely_verdicts(
    statements: Sequence[str], model: LikelihoodModel, progress: Progress | None = None
) -> list[bool]:
    """Tell of each statement whether it makes "true" likelier than it makes "false"."""
    questions = [Asked(_WHICH, _TRUTH, [[statement]] * len(_TRUTH), _STATEMENT) for statement in statements]
    readings = read_options(questions, model, progress)
    return [bool(reading.scores[0] > reading.scores[1]) for reading in readings]


def _stated(lake: TableReader, kg: str, most: int) -> list[tuple[dict[str, Any], str]]:
    """Return the keys of the triples to be judged, each with what it states."""
    stated: list[tuple[dict[str, Any], str]] = []
    templates = harvested_templates(lake, kg)
    for relation in lake.read(HARVESTS, {"kg": kg}, ["relation"]).column("relation").to_pylist():
        triples = lake.read(HARVESTED_TRIPLES, {"kg": kg, "relation": relation}).sort_by("rank").to_pylist()
        for row in islice((row for row in triples if SEED not in row["flags"]), most):
            key = {name: row[name] for name in ("kg", "relation", "head", "tail", "triple_id")}
            stated.append((key, verbalise(templates[relation], row["head"], row["tail"])))
    return stated


def read_judgement(reply: Reply) -> tuple[bool | None, str]:
    """Return a reply's verdict, and whether it could be read, or why not."""
    if not reply.outcome.is_text:
        return None, str(reply.outcome)
    try:
        return bool(read_object(reply.text, JUDGEMENT_SCHEMA)["correct"]), PARSED
    except ReplyError:
        return None, UNPARSEABLE


def labels_of(rows: Sequence[Mapping[str, Any]]) -> dict[str, Labels]:
    """Return each judge's labels out of `triple_judgements` rows; what could not be read is no label."""
    labels: dict[str, dict[tuple[str, str, str], bool]] = {}
    for row in rows:
        if row["correct"] is not None:
            key = key_of(row["relation"], row["head"], row["tail"])
            labels.setdefault(row["judge"], {})[key] = row["correct"]
    return dict(labels)
