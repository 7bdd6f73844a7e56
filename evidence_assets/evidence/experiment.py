"""Results of an experiment as table rows: evidence, chains, predictions, rankings."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from evidence_assets.evidence.accounting import Accounting
from evidence_assets.evidence.citations import citation_status
from evidence_assets.evidence.units import EvidenceUnit, unit_of_question
from evidence_assets.lake.ids import content_id
from evidence_assets.lake.schemas import (
    CHAINS,
    EVIDENCE,
    PREDICTION_EVIDENCE,
    PREDICTIONS,
    RANKED_ANSWERS,
    SELECTED_EVIDENCE,
    Table,
)
from evidence_assets.text.queries import NO_OPTION

if TYPE_CHECKING:
    import pyarrow as pa

EXPERIMENT_TABLES = (EVIDENCE, SELECTED_EVIDENCE, CHAINS, PREDICTIONS, PREDICTION_EVIDENCE)
RANKED_EXPERIMENT_TABLES = (*EXPERIMENT_TABLES, RANKED_ANSWERS)
GIVEN, CITED = "given", "cited"
# The gold of a question that is known to have no answer.
NO_ANSWER = "(no answer)"
# How the rule that chose between equally good answers begins.
_FIRST = "first of"


@dataclass(frozen=True, slots=True)
class Selected:
    """A unit of evidence with its score for a candidate."""

    unit: EvidenceUnit
    score: float
    score_parts: Sequence[Mapping[str, Any]]


def question_itself(question: Mapping[str, Any]) -> dict[int, list[Selected]]:
    """Return a question as the evidence of itself: all that an answer without evidence rests on."""
    unit = unit_of_question(question["question_id"], question["question"])
    return {NO_OPTION: [Selected(unit, 0.0, [])]}


def given_or_question(
    question: Mapping[str, Any], given: Sequence[Selected]
) -> dict[int, Sequence[Selected]]:
    """Return what an answer was given; the question itself where nothing was, as for a count of nothing."""
    return {NO_OPTION: given} if given else dict(question_itself(question))


@dataclass(frozen=True, slots=True)
class Generation:
    """The request that generated a text: its row of `generations`, its prompt and its model.

    `request_hash` is None where no request was sent.
    """

    request_hash: str | None
    prompt_hash: str
    model: str

    def row(self) -> dict[str, str | None]:
        """Return the columns of chains and predictions."""
        return {"request_hash": self.request_hash, "prompt_hash": self.prompt_hash, "model": self.model}


@dataclass(frozen=True, slots=True)
class Chain:
    """The argument for one candidate: its text with [E1]… marks, and the cited units.

    `generation` is None where no language model wrote it. `citation_status`: None where it is to be derived
    from the marks.
    """

    candidate: int
    text: str
    cited: Sequence[EvidenceUnit]
    score: float
    score_parts: Mapping[str, float]
    generation: Generation | None = None
    citation_status: str | None = None


@dataclass(frozen=True, slots=True)
class Answer:
    """A system's answer to one question. `index` is None where it abstained or could not be parsed.

    `text` is the answer to a question without options, which has no index. `accounting`: what of the question
    it accounts for; None where the reader does not tell. `holds_answer`: the text is a sentence, and right if
    it holds a gold answer, word for word. `node`: of the graph, where the answer is one. `values`: what the
    text lists, where the answer is several things: it is right if they are all of the gold answers.
    """

    index: int | None
    confidence: float | None
    generator: str
    raw_output: str
    parse_status: str = "parsed"
    tie_break: str = "none"
    abstained: bool = False
    generation: Generation | None = None
    text: str | None = None
    accounting: Accounting | None = None
    holds_answer: bool = False
    node: int | None = None
    values: Sequence[str] = ()

    @classmethod
    def abstention(
        cls,
        generator: str,
        status: str,
        raw_output: str = "",
        confidence: float | None = None,
        generation: Generation | None = None,
        accounting: Accounting | None = None,
    ) -> Answer:
        """Return that a question is not answered. `status`: why."""
        return cls(
            None,
            confidence,
            generator,
            raw_output,
            status,
            abstained=True,
            generation=generation,
            accounting=accounting,
        )


def tie_rule(ties: int, order: str) -> str:
    """Return how one of `ties` equally good answers was chosen: as the first in `order`."""
    return "none" if ties == 1 else f"{_FIRST} {ties} {order}"


def is_first_of_equals(rule: str) -> bool:
    """Return whether an answer was no better than others, and is the first of them: by its `tie_break`."""
    return rule.startswith(_FIRST)


def number_of_equals(rule: str) -> int:
    """Return how many answers were as good as the one chosen, itself among them: by its `tie_break`."""
    return int(rule.removeprefix(_FIRST).split()[0]) if is_first_of_equals(rule) else 1


@dataclass(frozen=True, slots=True)
class RankedAnswer:
    """A ranked answer to a question without options.

    `kg` and `node`: its graph and node; empty and None where no graph holds it. `supported`: by the graph,
    not by semantic similarity alone. `returned`: it is in the answer set. `evidence`: its supporting units.
    """

    answer: str
    score: float
    node: int | None = None
    kg: str = ""
    supported: bool = False
    returned: bool = False
    evidence: Sequence[EvidenceUnit] = ()


@dataclass(slots=True)
class Experiment:
    """Collects one experiment's rows, question by question; ranked answers too where it `ranks`.

    `node_keys`: the identifiers of a graph's nodes in its sources, by node; those without any are absent.
    """

    system: str
    arm: str
    benchmark: str
    code_version: str
    ranks: bool = False
    node_keys: Mapping[int, Sequence[str]] = field(default_factory=dict)
    _evidence: dict[str, dict[str, Any]] = field(default_factory=dict)
    _selected: list[dict[str, Any]] = field(default_factory=list)
    _chains: list[dict[str, Any]] = field(default_factory=list)
    _predictions: list[dict[str, Any]] = field(default_factory=list)
    _used: list[dict[str, Any]] = field(default_factory=list)
    _ranked: dict[str, list[dict[str, Any]]] = field(default_factory=dict)

    @property
    def predictions(self) -> Sequence[Mapping[str, Any]]:
        """The predictions so far, as rows of `predictions`."""
        return self._predictions

    def _keys(self) -> dict[str, str]:
        return {"system": self.system, "arm": self.arm, "benchmark": self.benchmark}

    def _note(self, unit: EvidenceUnit) -> str:
        row = unit.as_row(self.system, self.arm, self.benchmark)
        return str(self._evidence.setdefault(unit.evidence_id, row)["evidence_id"])

    def select(self, question_id: str, candidate: int, ranked: Sequence[Selected]) -> None:
        """Add the evidence selected for one candidate, best first."""
        self._selected += [
            {
                **self._keys(),
                "question_id": question_id,
                "candidate": candidate,
                "rank": rank,
                "evidence_id": self._note(selected.unit),
                "score": selected.score,
                "score_parts": list(selected.score_parts),
            }
            for rank, selected in enumerate(ranked, start=1)
        ]

    def select_each(self, question_id: str, selected: Mapping[int, Sequence[Selected]]) -> None:
        """Add the evidence selected for every candidate, best first."""
        for candidate, ranked in selected.items():
            self.select(question_id, candidate, ranked)

    def rank(self, question_id: str, ranked: Sequence[RankedAnswer]) -> None:
        """Add the answers ranked for a question, best first.

        Raises:
            ValueError: the experiment does not rank, the question was ranked before, or the scores do not
                descend.
        """
        place = f"{self.system}/{self.arm} on {self.benchmark}, question {question_id}"
        if not self.ranks or question_id in self._ranked:
            raise ValueError(f"{place}: {'ranked twice' if self.ranks else 'the experiment does not rank'}")
        scores = [answer.score for answer in ranked]
        if not all(map(math.isfinite, scores)) or sorted(scores, reverse=True) != scores:
            raise ValueError(f"{place}: the scores do not descend; remedy: rank the best answer first")
        self._ranked[question_id] = [
            {
                **self._keys(),
                "question_id": question_id,
                "rank": rank,
                "answer": answer.answer,
                "kg": answer.kg or None,
                "node": answer.node,
                "node_keys": self._keys_of(answer.node) or None,
                "score": answer.score,
                "supported": answer.supported,
                "returned": answer.returned,
                "evidence": [self._note(unit) for unit in answer.evidence],
            }
            for rank, answer in enumerate(ranked, start=1)
        ]

    def _keys_of(self, node: int | None) -> list[str]:
        return [] if node is None else list(self.node_keys.get(node, ()))

    def answer(
        self,
        question: Mapping[str, Any],
        given_evidence: Mapping[int, Sequence[Selected]],
        chains: Sequence[Chain],
        answer: Answer,
    ) -> None:
        """Add a question's chains, its prediction, and the evidence given and cited."""
        question_id = question["question_id"]
        prediction_id = content_id("prediction", self.system, self.arm, self.benchmark, question_id)
        predicted, gold, correct = _verdict(question, answer, self._keys_of(answer.node))
        self._predictions.append(
            {
                "prediction_id": prediction_id,
                **self._keys(),
                "question_id": question_id,
                "predicted": predicted,
                "predicted_index": answer.index,
                "gold": gold,
                "correct": correct,
                "abstained": answer.abstained,
                "parse_status": answer.parse_status,
                "confidence": answer.confidence,
                "generator": answer.generator,
                "raw_output": answer.raw_output,
                "tie_break": answer.tie_break,
                "unaccounted": answer.accounting and list(answer.accounting.unaccounted),
                "bindings": answer.accounting and answer.accounting.rows(),
                **(answer.generation.row() if answer.generation else {}),
                "code_version": self.code_version,
            }
        )
        for candidate, ranked in given_evidence.items():
            units = [(selected.unit, selected.score) for selected in ranked]
            self._use(prediction_id, GIVEN, candidate, units)
        for chain in chains:
            self._add_chain(question_id, chain)
            self._use(prediction_id, CITED, chain.candidate, [(unit, chain.score) for unit in chain.cited])

    def _add_chain(self, question_id: str, chain: Chain) -> None:
        cited = [self._note(unit) for unit in chain.cited]
        key = (self.system, self.arm, self.benchmark, question_id, chain.candidate)
        self._chains.append(
            {
                "chain_id": content_id("chain", *key),
                **self._keys(),
                "question_id": question_id,
                "candidate": chain.candidate,
                "text": chain.text,
                "cited": cited,
                "citation_status": chain.citation_status or citation_status(chain.text, cited),
                "score": chain.score,
                "score_parts": [{"name": name, "value": value} for name, value in chain.score_parts.items()],
                **(chain.generation.row() if chain.generation else {}),
            }
        )

    def _use(
        self, prediction_id: str, role: str, candidate: int, units: Sequence[tuple[EvidenceUnit, float]]
    ) -> None:
        self._used += [
            {
                "prediction_id": prediction_id,
                "evidence_id": self._note(unit),
                **self._keys(),
                "role": role,
                "candidate": candidate,
                "rank": rank,
                "score": score,
            }
            for rank, (unit, score) in enumerate(units, start=1)
        ]

    def tables(self, unread: Mapping[str, int] | None = None) -> dict[str, pa.Table]:
        """Return the rows of every experiment table, by the table's name; ranked answers where it ranks.

        `unread`: question id to the words that the encoder was not given of it, 0 where absent; None where no
        encoder read the questions.
        """
        import pyarrow as pa

        for row in self._predictions:
            row["unread_words"] = None if unread is None else unread.get(row["question_id"], 0)

        rows: dict[Table, list[dict[str, Any]]] = {
            EVIDENCE: list(self._evidence.values()),
            SELECTED_EVIDENCE: self._selected,
            CHAINS: self._chains,
            PREDICTIONS: self._predictions,
            PREDICTION_EVIDENCE: self._used,
        }
        if self.ranks:
            rows[RANKED_ANSWERS] = [row for ranked in self._ranked.values() for row in ranked]
        return {
            table.name: pa.Table.from_pylist(table_rows, schema=table.schema)
            for table, table_rows in rows.items()
        }


def _verdict(
    question: Mapping[str, Any], answer: Answer, keys: Sequence[str]
) -> tuple[str | None, str | None, bool | None]:
    """Return the predicted answer, the gold answer, and whether the prediction is correct; None without key.

    Where there is no answer to give, not to give one is correct.
    """
    options, gold_index, answers = question["options"], question["answer_index"], question["answers"]
    if question.get("answerable") is False:
        predicted = answer.text if answer.index is None else options[answer.index]
        return predicted, NO_ANSWER, predicted is None
    gold = options[gold_index] if gold_index is not None else next(iter(answers), None)
    has_key = gold is not None or bool(question.get("answer_keys"))
    if options or answer.text is None:
        predicted = None if answer.index is None else options[answer.index]
        return predicted, gold, (predicted is not None and predicted == gold) if has_key else None
    if not has_key:
        return answer.text, None, None
    return answer.text, *_held_against_key(answer, answer.text, question, keys, gold)


def _held_against_key(
    answer: Answer, text: str, question: Mapping[str, Any], keys: Sequence[str], gold: str | None
) -> tuple[str | None, bool]:
    """Return the gold answer and whether an answer in words is correct.

    It is where it equals any gold answer in normal form, which is returned; of a sentence, where it holds
    one. Where the question names its answers' identifiers, a node is correct that has one of them (`keys`),
    whatever it is called, and nothing else; else what has the name of one, without what tells it from its
    namesakes. Several values are correct together, as all of the gold answers.
    """
    from evidence_assets.text.normal_forms import normal_form, without_keys

    answers = question["answers"]
    if wanted := question.get("answer_keys"):
        return gold, not set(keys).isdisjoint(wanted)
    if len(answer.values) > 1 and set(map(normal_form, answer.values)) == set(map(normal_form, answers)):
        return "|".join(answers), True
    answer_form = normal_form(text)
    names = {answer_form, normal_form(without_keys(text, keys))}
    matching = [
        key_answer
        for key_answer in answers
        if (key := normal_form(key_answer)) in names
        or (answer.holds_answer and key and f" {key} " in f" {answer_form} ")
    ]
    return next(iter(matching), gold), bool(matching)
