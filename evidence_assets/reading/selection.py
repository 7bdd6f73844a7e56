"""Selection of each candidate's evidence: numbers of chunks and triples, order, filter."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import pyarrow as pa

    from evidence_assets.evidence.experiment import Selected
    from evidence_assets.evidence.units import EvidenceUnit

RETRIEVED, RERANKED, CONTRASTED = "retrieved", "reranked", "contrasted"
CHUNKS, TRIPLES = "chunks", "triples"
# Weight of the difference between an option's score and the mean of the others' in a contrasted ranking.
CONTRAST = 1.0
_DECIMALS = 6
_RANKED = ("question_id", "candidate", "rank", "score", "score_parts")
_SCORED = ("question_id", "candidate", "source_table", "source_key", "found_rank", "score", "separation")


@dataclass(frozen=True, slots=True)
class Selection:
    """How evidence is selected.

    `chunks` is k and `triples` is s of the thesis (7.4.1). `order`: as retrieved, chunks first; reranked
    jointly; or contrasted: the evidence retrieved for any option, ranked by how much it prefers this option.
    `keep` truncates the joint list. `minimum_separation` drops units with a smaller verification signal.
    `question_only` gives every option the evidence retrieved for the question alone.
    """

    chunks: int = 15
    triples: int = 0
    order: str = RETRIEVED
    keep: int | None = None
    minimum_separation: float | None = None
    question_only: bool = False

    @property
    def needs_scores(self) -> bool:
        """Tell whether the joint scores of chunks and triples are read."""
        return self.order != RETRIEVED or self.minimum_separation is not None


@dataclass(frozen=True, slots=True)
class Scored:
    """One unit's joint score for one candidate, its verification signal, its rank in the candidate's list."""

    score: float
    separation: float
    found_rank: int | None


class Pool:
    """Everything retrieved for one question.

    `retrieved`: candidate to its units with rank, score and parts, by table; `scores`: candidate to the joint
    scores of every unit, empty where none are read.
    """

    def __init__(self) -> None:
        self.units: dict[tuple[str, str], EvidenceUnit] = {}
        self.retrieved: dict[int, dict[tuple[str, str], tuple[int, Selected]]] = {}
        self.scores: dict[int, dict[tuple[str, str], Scored]] = {}

    def select(self, candidate: int, selection: Selection) -> list[Selected]:
        """Return one candidate's evidence, best first."""
        if not selection.needs_scores:
            return self._retrieved(candidate, selection)[: selection.keep]
        chosen = self._contrasted(candidate, selection) if self._contrasts(candidate, selection) else None
        if chosen is None:
            scored = self.scores.get(candidate, {})
            chosen = [
                (scored[key].score, scored[key], key)
                for key, (rank, _) in self.retrieved.get(candidate, {}).items()
                if rank <= _limit(key, selection)
            ]
        if selection.minimum_separation is not None:
            chosen = [item for item in chosen if item[1].separation >= selection.minimum_separation]
        if selection.order == RETRIEVED:
            place = {key: rank for key, (rank, _) in self.retrieved.get(candidate, {}).items()}
            chosen.sort(key=lambda item: (item[2][0], place[item[2]]))
        else:
            chosen.sort(key=lambda item: (-item[0], item[2]))
        return [self._selected(candidate, *item) for item in chosen][: selection.keep]

    def _retrieved(self, candidate: int, selection: Selection) -> list[Selected]:
        retrieved = [
            (key[0], rank, selected)
            for key, (rank, selected) in self.retrieved.get(candidate, {}).items()
            if rank <= _limit(key, selection)
        ]
        return [selected for _, _, selected in sorted(retrieved, key=lambda item: item[:2])]

    def _contrasts(self, candidate: int, selection: Selection) -> bool:
        from evidence_assets.text.queries import NO_OPTION

        options = [option for option in self.scores if option != NO_OPTION]
        return selection.order == CONTRASTED and candidate != NO_OPTION and len(options) > 1

    def _contrasted(
        self, candidate: int, selection: Selection
    ) -> list[tuple[float, Scored, tuple[str, str]]]:
        """Return the best k chunks and s triples of all options' lists by contrast, for one option."""
        import numpy as np

        from evidence_assets.text.queries import NO_OPTION

        other_options = [option for option in self.scores if option not in (candidate, NO_OPTION)]
        contrasts: dict[str, list[tuple[float, Scored, tuple[str, str]]]] = {CHUNKS: [], TRIPLES: []}
        for key, scored in self.scores[candidate].items():
            offered = any(
                (rank := self.scores[option][key].found_rank) is not None and rank <= _limit(key, selection)
                for option in (candidate, *other_options)
            )
            if offered:
                mean_of_others = float(np.mean([self.scores[option][key].score for option in other_options]))
                contrast = scored.score + CONTRAST * (scored.score - mean_of_others)
                contrasts[key[0]].append((round(contrast, _DECIMALS), scored, key))
        return [
            item
            for table, items in contrasts.items()
            for item in sorted(items, key=lambda item: (-item[0], item[2]))[: _limit((table, ""), selection)]
        ]

    def _selected(self, candidate: int, score: float, scored: Scored, key: tuple[str, str]) -> Selected:
        from evidence_assets.evidence.experiment import Selected

        retrieved = self.retrieved.get(candidate, {}).get(key)
        score_parts = retrieved[1].score_parts if retrieved else ()
        parts: dict[str, float] = {part["name"]: part["value"] for part in score_parts}
        parts |= {"joint_score": scored.score, "separation": scored.separation}
        named = [{"name": name, "value": value} for name, value in parts.items()]
        return Selected(self.units[key], score, named)


def _limit(key: tuple[str, str], selection: Selection) -> int:
    return selection.chunks if key[0] == CHUNKS else selection.triples


def pools(
    ranked_chunks: pa.Table,
    chunk_units: Mapping[str, EvidenceUnit],
    ranked_triples: pa.Table | None,
    reranked: pa.Table | None,
) -> Mapping[str, Pool]:
    """Return every question's pool, by question id.

    Args:
        ranked_chunks, ranked_triples, reranked: Rows of `ranked_chunks`, `ranked_triples` and
            `reranked_evidence` of one benchmark.
        chunk_units: The chunks as units, by id.
    """
    from evidence_assets.evidence.units import unit_of_triple

    by_question: dict[str, Pool] = {}
    for row in ranked_chunks.select([*_RANKED, "chunk_id"]).to_pylist():
        _add(by_question, row, (CHUNKS, row["chunk_id"]), chunk_units[row["chunk_id"]])
    if ranked_triples is not None:
        for row in ranked_triples.select([*_RANKED, "triple_id", "text"]).to_pylist():
            _add(by_question, row, (TRIPLES, row["triple_id"]), unit_of_triple(row["triple_id"], row["text"]))
    if reranked is not None:
        columns = (reranked.column(name).to_pylist() for name in _SCORED)
        for question_id, candidate, table, key, rank, score, separation in zip(*columns, strict=True):
            candidate_scores = by_question[question_id].scores.setdefault(candidate, {})
            candidate_scores[table, key] = Scored(score, separation, rank)
    return by_question


def _add(
    by_question: dict[str, Pool], row: Mapping[str, Any], key: tuple[str, str], unit: EvidenceUnit
) -> None:
    from evidence_assets.evidence.experiment import Selected

    pool = by_question.setdefault(row["question_id"], Pool())
    pool.units[key] = unit
    selected = Selected(unit, row["score"], row["score_parts"])
    pool.retrieved.setdefault(row["candidate"], {})[key] = (row["rank"], selected)


def candidate_evidence(pool: Pool, options: Sequence[str], selection: Selection) -> dict[int, list[Selected]]:
    """Return the evidence of the question alone and of each option; candidates without any are absent."""
    from evidence_assets.text.queries import NO_OPTION

    candidates = [NO_OPTION]
    if not selection.question_only:
        candidates += range(len(options))
    evidence = {candidate: pool.select(candidate, selection) for candidate in candidates}
    return {candidate: selected for candidate, selected in evidence.items() if selected}
