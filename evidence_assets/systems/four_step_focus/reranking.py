"""Step 4: what is made of the best answers when each is read with what backs it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from evidence_assets.models.generation.protocol import Request, Sampling
from evidence_assets.models.generation.recorded import RecordedGenerator
from evidence_assets.models.pair_scorer import PairScorer
from evidence_assets.progress import Progress
from evidence_assets.reading.prompting import RERANK, fitted, request
from evidence_assets.reading.replies import SCORE_SCHEMA
from evidence_assets.reading.structured import ask_objects
from evidence_assets.systems.four_step_focus.arms import MOST_ANSWERS, Arm
from evidence_assets.systems.four_step_focus.ranking import Candidate
from evidence_assets.systems.four_step_focus.reading import Case, KnowledgeBase

_SCORE = Sampling(max_tokens=16)
_CASES_AT_ONCE = 256


def _looked_at(case: Case, freely: bool) -> list[Candidate]:
    """Return who is looked at again: those that a reading backs, and the others where order is free."""
    return [one for one in case.found[:MOST_ANSWERS] if freely or one.reading is not None]


def scored(
    cases: Sequence[Case],
    base: KnowledgeBase,
    scorer: PairScorer,
    arm: Arm,
    progress: Progress | None = None,
) -> list[Mapping[int, float]]:
    """Return, for each question, the score of the nodes that are looked at again, without a language model.

    A node is read by the triples that back it, one without any by its document.
    """
    found: list[Mapping[int, float]] = []
    for start in range(0, len(cases), _CASES_AT_ONCE):
        block = cases[start : start + _CASES_AT_ONCE]
        pairs = [
            (case.question["question"], _backed(case, base, one.node))
            for case in block
            for one in _looked_at(case, arm.reranks_all)
        ]
        scores = iter(scorer.score([query for query, _ in pairs], [text for _, text in pairs]).tolist())
        found += [{one.node: next(scores) for one in _looked_at(case, arm.reranks_all)} for case in block]
        if progress is not None:
            progress(len(found), len(cases))
    return found


def _backed(case: Case, base: KnowledgeBase, node: int) -> str:
    """Return what backs a node, read out; its document where nothing does."""
    return " ".join(unit.text for unit in case.backing.get(node, ())) or base.documents[node]


def asked(
    cases: Sequence[Case],
    base: KnowledgeBase,
    generator: RecordedGenerator,
    arm: Arm,
    progress: Progress | None = None,
) -> list[Mapping[int, float]]:
    """Return, for each question, a language model's score of the nodes that are looked at again.

    The model reads a node's triples that back it, and its document, as far as its context goes. A node whose
    score could not be read, or asked for, has none.

    Raises:
        BudgetSpentError: the generator may not be asked any more.
    """
    requests, places = [], []
    for number, case in enumerate(cases):
        for one in _looked_at(case, arm.reranks_all):
            parts = [unit.text for unit in case.backing.get(one.node, ())] + [base.documents[one.node]]
            question = case.question["question"]

            def make(kept: int, question: str = question, parts: list[str] = parts) -> Request:
                return request(
                    RERANK, _SCORE, SCORE_SCHEMA, question=question, document=" ".join(parts[:kept])
                )

            asking, kept = fitted(make, len(parts), generator.generator)
            if asking is not None and kept:
                requests.append(asking)
                places.append((number, one.node))
    found: list[dict[int, float]] = [{} for _ in cases]
    for (number, node), reply in zip(places, ask_objects(requests, generator, progress), strict=True):
        if reply.value is not None:
            found[number][node] = float(reply.value["score"])
    return list(found)
