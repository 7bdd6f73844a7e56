"""Retrieval queries: each question alone, and each question followed by each of its options."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, TypeVar

import pyarrow as pa

NO_OPTION = -1
# Of a question that is shortened at least so large a part of the encoder's limit is kept, in words.
_LEAST_PART = 8
# Special tokens that an encoder adds to a text, at most.
_SPECIAL_TOKENS = 4
_WORD = re.compile(r"\S+")
_Vectors = TypeVar("_Vectors")

CountTokens = Callable[[Sequence[str]], list[int]]


@dataclass(frozen=True, slots=True)
class Query:
    """One query text. `candidate` is the option's index, or -1 for the question alone."""

    question_id: str
    candidate: int
    text: str


def with_option(question: str, option: str) -> str:
    """Return the text that speaks for an option: the question, then the option (thesis 7.3.2)."""
    return f"{question} {option}"


@dataclass(frozen=True, slots=True)
class ShortenedQuestions:
    """What an encoder is given in place of texts that are longer than it takes; made by `shorten_questions`.

    `texts`: the question alone, and followed by each option, to what is encoded in its place; texts that fit
    are absent. `unread`: question id to the number of words at its start that are left out; questions that
    fit are absent. `cut_options`: question id and option that are cut at the option's end all the same.
    """

    texts: Mapping[str, str] = field(default_factory=dict)
    unread: Mapping[str, int] = field(default_factory=dict)
    cut_options: Sequence[tuple[str, int]] = ()

    def of(self, text: str) -> str:
        """Return what is encoded of a question, or of a question followed by an option."""
        return self.texts.get(text, text)

    def encoding(self, encode: Callable[[Sequence[str]], _Vectors]) -> Callable[[Sequence[str]], _Vectors]:
        """Return `encode`, given what is encoded of each text."""
        return lambda texts: encode([self.of(text) for text in texts])

    def shown(self) -> dict[str, int]:
        """Return how many questions were shortened and options cut, where any were."""
        counts = {"questions_shortened": len(self.unread), "options_cut": len(self.cut_options)}
        return {name: count for name, count in counts.items() if count}


WHOLE = ShortenedQuestions()


def queries(questions: pa.Table, shortened: ShortenedQuestions = WHOLE) -> list[Query]:
    """Return the queries of `questions` rows: thesis 7.3.2 asks with `question + " " + option`."""
    result = []
    for row in _rows(questions):
        result.append(Query(row["question_id"], NO_OPTION, shortened.of(row["question"])))
        result += [
            Query(row["question_id"], index, shortened.of(with_option(row["question"], option)))
            for index, option in enumerate(row["options"])
        ]
    return result


def shorten_questions(questions: pa.Table, count_tokens: CountTokens, max_tokens: int) -> ShortenedQuestions:
    """Shorten the questions that an encoder does not take whole with an option behind them.

    An encoder cuts a long text at its end, where the option stands. So of a question that is too long, words
    are left out at its start: the last words are kept, as many as leave every option whole. They are the same
    for all options and for the question alone, so that the options are compared on equal terms; what is asked
    stands at the end of a long question, behind the case that it is asked of. At least the last
    `max_tokens // 8` words are kept: an option that leaves less room than these is cut at its end, and named
    in `cut_options`.

    Args:
        questions: Rows of `questions`.
        count_tokens: Texts to their numbers of tokens, special tokens counted, without cutting.
        max_tokens: The encoder's limit, special tokens counted.
    """
    texts: dict[str, str] = {}
    unread: dict[str, int] = {}
    cut: list[tuple[str, int]] = []
    for row in _rows(questions):
        question, options = row["question"], row["options"]
        longest = max((len(option.encode()) for option in options), default=-1)
        # No token is shorter than a byte.
        if len(question.encode()) + 1 + longest + _SPECIAL_TOKENS <= max_tokens:
            continue
        start, words = _start(question, options, count_tokens, max_tokens)
        if words:
            unread[row["question_id"]] = words
            kept = question[start:]
            texts[question] = kept
            texts |= {with_option(question, option): with_option(kept, option) for option in options}
        lengths = count_tokens([with_option(question[start:], option) for option in options])
        cut += [(row["question_id"], index) for index, length in enumerate(lengths) if length > max_tokens]
    return ShortenedQuestions(texts, unread, cut)


def _start(
    question: str, options: Sequence[str], count_tokens: CountTokens, max_tokens: int
) -> tuple[int, int]:
    """Return the character from which a question is kept, and the number of words before it."""

    def fits(kept: str) -> bool:
        of_options = [with_option(kept, option) for option in options] or [kept]
        return max(count_tokens(of_options)) <= max_tokens

    return fitting_end(question, fits, max(1, max_tokens // _LEAST_PART))


def fitting_end(text: str, fits: Callable[[str], bool], least: int = 1) -> tuple[int, int]:
    """Return where the longest end of a text that fits begins, in characters, and the words before it.

    `fits`: whether an end fits; of one that does, every shorter one does. `least`: the last words that are
    kept whether they fit or not.
    """
    starts = [match.start() for match in _WORD.finditer(text)]
    low, high = 0, max(0, len(starts) - least)
    while low < high:
        middle = (low + high) // 2
        if fits(text[starts[middle] :] if middle else text):
            high = middle
        else:
            low = middle + 1
    return (starts[low] if low else 0), low


def _rows(questions: pa.Table) -> list[dict[str, Any]]:
    rows: list[dict[str, Any]] = questions.select(["question_id", "question", "options"]).to_pylist()
    return rows
