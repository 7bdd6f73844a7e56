"""Tasks that teach to read: questions made of sentences and triples, whose answers turn with the evidence.

A phrase is taken out of a statement. The options are that phrase and phrases of the same kind and frequency
taken out of three other statements: the four statements ask four questions over the same four options, and
each option answers one of them. So an option alone is uninformative, by construction. What the evidence is
differs from group to group: the nearest statements with the answer's own among them (*given*), without them
(*withheld*), or a statement that puts another option in the answer's place, which then is the answer
(*swapped*).
"""

from __future__ import annotations

import hashlib
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from math import log2
from typing import Any

import numpy as np
from numpy.typing import NDArray

from evidence_assets.models.encoder import Encode, FloatArray
from evidence_assets.progress import blocks
from evidence_assets.text.function_words import function_words
from evidence_assets.text.normal_forms import normal_form
from evidence_assets.text.plain_yaml import load_yaml
from evidence_assets.text.queries import with_option
from evidence_assets.text.verbalisation import verbalise
from evidence_assets.text.words import word_spans

GIVEN, WITHHELD, SWAPPED = "given", "withheld", "swapped"
# Of twenty groups, how many are of each condition.
_CONDITIONS = (GIVEN,) * 7 + (WITHHELD,) * 7 + (SWAPPED,) * 6
OPTIONS = 4
# Statements of a kind drawn together: those nearest to the first one are grouped with it.
_DRAWN = 12
# Longest phrase that is taken out of a sentence, and the least that is left, in words.
_LONGEST_ANSWER, _LEAST_QUESTION = 6, 3
# Statements by cosine to look through for those that may be shown.
_NEAREST = 8
_BLOCK = 2048


@dataclass(frozen=True, slots=True)
class Statement:
    """A statement with a phrase taken out.

    `text`: the whole statement. `before`, `after`: what stands around the phrase. `question`: what asks for
    it. `kind`: only phrases of one kind are offered together.
    """

    text: str
    before: str
    after: str
    question: str
    answer: str
    kind: str

    def saying(self, answer: str) -> str:
        """Return the statement with another phrase in the answer's place."""
        return f"{self.before}{answer}{self.after}"


@dataclass(frozen=True, slots=True)
class Task:
    """A question, its options, and the evidence that each option is read with, best first."""

    question: str
    options: tuple[str, ...]
    evidence: tuple[tuple[str, ...], ...]
    right: int
    condition: str


def of_sentences(sentences: Iterable[str]) -> Iterator[Statement]:
    """Yield a statement of each sentence whose end can be asked for: what follows one of its function words.

    Of several such ends, the hash of the sentence chooses. A sentence without any is passed over.
    """
    for sentence in dict.fromkeys(sentences):
        spans = word_spans(sentence)
        plain = [sentence[start:end].lower() not in function_words() for start, end in spans]
        places = [
            place
            for place in range(_LEAST_QUESTION, len(spans))
            if not plain[place - 1]
            and plain[place]
            and len(spans) - place <= _LONGEST_ANSWER
            and sum(plain[:place]) > 1
        ]
        if not places:
            continue
        place = places[_drawn(sentence, len(places))]
        start, end = spans[place][0], spans[-1][1]
        before, answer = sentence[:start], sentence[start:end]
        link = sentence[slice(*spans[place - 1])].lower()
        yield Statement(
            sentence, before, sentence[end:], before.strip(), answer, f"{link} {len(answer.split()) > 1}"
        )


@cache
def _wordings(name: str) -> Mapping[str, Mapping[str, Sequence[str]]]:
    path = files("evidence_assets.reading").joinpath("wordings", f"{name}.yaml")
    if not path.is_file():
        return {}
    wordings: Mapping[str, Mapping[str, Sequence[str]]] = load_yaml(path.read_text(encoding="utf-8"))
    return wordings


def of_triples(
    triples: Iterable[Mapping[str, Any]], templates: Mapping[str, str], wordings: str
) -> Iterator[Statement]:
    """Yield a statement of each triple: its tail or its head is asked for, as the hash of it chooses.

    Args:
        triples: Rows with head, relation and tail.
        templates: Relation to a sentence with `{head}` and `{tail}`; relations without one are passed over.
        wordings: Name of the questions that ask for an end; relations that they lack are asked by their
            sentence.
    """
    worded = _wordings(wordings)
    for triple in triples:
        head, relation, tail = triple["head"], triple["relation"], triple["tail"]
        template = templates.get(relation)
        if template is None or normal_form(head) == normal_form(tail):
            continue
        asks = worded.get(relation)
        text = verbalise(template, head, tail)
        end, answer = ("tail", tail) if asks is None or _drawn(text, 3) else ("head", head)
        mark = "\0"
        before, _, after = verbalise(template, *((head, mark) if end == "tail" else (mark, tail))).partition(
            mark
        )
        if asks is None:
            question = f"{before}___{after}" if after.strip() else before.strip()
        else:
            wording = asks[end][_drawn(f"{text}\0", len(asks[end]))]
            question = wording.format(head=head) if end == "tail" else wording.format(tail=tail)
        yield Statement(text, before, after, question, answer, f"{relation} {end}")


def groups(
    statements: Sequence[Statement], encode: Encode, most: int, seed: int
) -> list[tuple[Statement, ...]]:
    """Return groups of statements whose answers are offered together, at most `most` of them.

    Answers of a group are of one kind and about as frequent; of those drawn, statements near to the first
    are preferred, since they tempt. Where one statement's answer is known to complete another, the two are
    not grouped.
    """
    vectors = encode([statement.text for statement in statements])
    counts = Counter(normal_form(statement.answer) for statement in statements)
    known = {(_key(statement.question), normal_form(statement.answer)) for statement in statements}
    bins: dict[tuple[str, int], list[int]] = defaultdict(list)
    for number, statement in enumerate(statements):
        bins[statement.kind, int(log2(counts[normal_form(statement.answer)]))].append(number)
    rng = np.random.default_rng([seed, 1])
    drawn: list[Sequence[int]] = []
    for name in sorted(bins):
        members = [bins[name][place] for place in rng.permutation(len(bins[name]))]
        drawn += blocks(members, _DRAWN)
    kept = [drawn[place] for place in rng.permutation(len(drawn)) if len(drawn[place]) >= OPTIONS]
    result: list[tuple[Statement, ...]] = []
    for members in kept:
        for group in _grouped(members, statements, vectors, known):
            if len(result) == most:
                return result
            result.append(group)
    return result


def _grouped(
    members: Sequence[int], statements: Sequence[Statement], vectors: FloatArray, known: set[tuple[str, str]]
) -> Iterator[tuple[Statement, ...]]:
    """Yield groups of these statements, each of the first that is left and those nearest to it."""
    left = list(members)
    while len(left) >= OPTIONS:
        near = vectors[left] @ vectors[left[0]]
        group: list[int] = []
        for place in np.argsort(-near, kind="stable"):
            number = left[place]
            if all(_apart(statements[number], statements[member], known) for member in group):
                group.append(number)
            if len(group) == OPTIONS:
                yield tuple(statements[number] for number in group)
                break
        left = [number for number in left[1:] if number not in group]


def _apart(first: Statement, second: Statement, known: set[tuple[str, str]]) -> bool:
    answers = normal_form(first.answer), normal_form(second.answer)
    return (
        answers[0] != answers[1]
        and (_key(first.question), answers[1]) not in known
        and (_key(second.question), answers[0]) not in known
    )


def tasks(grouped: Sequence[Sequence[Statement]], pool: Pool, texts: int, seed: int) -> list[Task]:
    """Return the four tasks of each group, each option with at most `texts` pieces of evidence."""
    rng = np.random.default_rng([seed, 2])
    conditions = [_CONDITIONS[number] for number in rng.integers(len(_CONDITIONS), size=len(grouped))]
    shifts = rng.integers(1, OPTIONS, size=len(grouped)).tolist()
    retrieved = [pair for pair in zip(grouped, conditions, strict=True) if pair[1] != SWAPPED]
    queries = [
        with_option(asking.question, answering.answer)
        for group, _ in retrieved
        for asking in group
        for answering in group
    ]
    hidden = [
        set[str]() if condition == GIVEN else {statement.text for statement in group}
        for group, condition in retrieved
        for _ in range(len(group) ** 2)
    ]
    nearest = iter(pool.nearest(queries, texts, hidden))
    result = []
    for group, condition, shift in zip(grouped, conditions, shifts, strict=True):
        options = tuple(statement.answer for statement in group)
        altered = [asking.saying(options[(place + shift) % OPTIONS]) for place, asking in enumerate(group)]
        for place, statement in enumerate(group):
            if condition == SWAPPED:
                # The altered statement, and beside it others of the group's.
                shown = tuple(altered[(place + number) % OPTIONS] for number in range(min(texts, OPTIONS)))
                evidence, right = (shown,) * OPTIONS, (place + shift) % OPTIONS
            else:
                evidence, right = tuple(next(nearest) for _ in options), place
            result.append(Task(statement.question, options, evidence, right, condition))
    return result


class Pool:
    """Texts that evidence is taken from, by cosine."""

    def __init__(self, texts: Sequence[str], encode: Encode) -> None:
        self._texts = list(dict.fromkeys(texts))
        self._encode = encode
        self._vectors = encode(self._texts)

    def nearest(
        self, queries: Sequence[str], count: int, hidden: Sequence[set[str]] | None = None
    ) -> list[tuple[str, ...]]:
        """Return the texts nearest to each query, best first, without those hidden from it."""
        result: list[tuple[str, ...]] = []
        for start in range(0, len(queries), _BLOCK):
            cosines = self._encode(queries[start : start + _BLOCK]) @ self._vectors.T
            for row, ranked in enumerate(_best(cosines, min(_NEAREST, len(self._texts)))):
                without = hidden[start + row] if hidden else set()
                shown = (self._texts[place] for place in ranked)
                result.append(tuple(text for text in shown if text not in without)[:count])
        return result


def _best(cosines: NDArray[np.float32], count: int) -> NDArray[np.intp]:
    """Return (n, count) places of the greatest values of each row, the greatest first."""
    places = np.argpartition(-cosines, count - 1, axis=1)[:, :count]
    places.sort(axis=1)
    order = np.argsort(-np.take_along_axis(cosines, places, axis=1), axis=1, kind="stable")
    return np.take_along_axis(places, order, axis=1)


def _key(question: str) -> str:
    return normal_form(question)


def _drawn(text: str, count: int) -> int:
    """Return a number below `count` that the text's hash decides."""
    return int.from_bytes(hashlib.blake2b(text.encode(), digest_size=4).digest(), "big") % count
