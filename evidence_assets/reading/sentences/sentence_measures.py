"""How far a sentence speaks of what an open question asks, and what of it the sentence lacks.

A sentence that says all but one word of a question may be about something else: about summer, where winter
is asked for, or about the second pump. So names and numbers that it lacks are measured apart, and words that
stand in it beside others than in the question.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from itertools import pairwise

from evidence_assets.models.encoder import EncodedWords
from evidence_assets.reading.sentences.answer_kinds import AnswerKind, Asked, asked
from evidence_assets.reading.sentences.answer_telling import tells, token_roots
from evidence_assets.reading.sentences.said_words import questions_before, said_words
from evidence_assets.text.function_words import function_words
from evidence_assets.text.negation import denies
from evidence_assets.text.opposites import says_the_contrary
from evidence_assets.text.rival_words import rivals_of, says_a_rival
from evidence_assets.text.roots import content_roots, root, word_roots
from evidence_assets.text.words import NUMBER, words

# `nearness`: cosine of question and sentence, or the question that the sentence stands behind. `said`:
# share of the question's words that the sentence says, rare words counting more; of a word that it does not
# say, the cosine of the word that is nearest in the sentence. `in its words`: the share that it says
# itself. `said elsewhere`: the share that other sentences say and it does not: what they tell of is asked
# for. `names lacking`: share of the question's names that its passage does not say, as a sentence may call
# "it" what the passage names. `names unknown`: share of them that no passage says. `numbers lacking`: 1
# where it does not say one of its numbers, or one of the letters that are as good as such, "house C".
# `rival told`: 1 where it says winter and summer is asked for, or that what is to fall rises.
# `other neighbours`: 1 where a word of the question stands in the sentence, but behind another word than
# there, "late shift" for "early shift".
MEASURES = (
    "nearness",
    "said",
    "in its words",
    "said elsewhere",
    "names lacking",
    "names unknown",
    "numbers lacking",
    "rival told",
    "other neighbours",
)
# `missing reason` and so on: 1 where the question asks for one and the sentence tells none.
MISSING = "missing "

# A letter that tells one thing of a kind from another, "house C" and "hepatitis b": no initial, no word.
_LETTER = re.compile(r"(?<=[^\W\d_] |, )(?:[A-HJ-Z]|[b-hj-z])(?![\w’'&-]|\. ?[A-Z])")
# A capital that begins no sentence.
_NAME = re.compile(r"(?<=[^.?!\s] )[A-Z][\w’'-]*")
_VALUES = 6


def sentence_measures(
    question: str,
    question_words: EncodedWords,
    texts: Sequence[str],
    encoded: Sequence[EncodedWords],
    passages: Sequence[str],
) -> list[dict[str, float]]:
    """Return each sentence's measures by their names.

    Args:
        passages: Of which passage each sentence is, by a name; in the order of `texts`, and those of one
            passage in its order.
        question_words, encoded: The question and the sentences, in the order of `texts`, as their words;
            those beyond the encoder's limit are not among them and do not count for `said`.
    """
    roots = [content_roots(text) for text in texts]
    said = said_words(question_words, encoded, texts, roots, passages)
    lacking, unknown = _names_lacking(question, roots, passages)
    numbers = _numbers(question)
    pairs = [pair for pair in pairwise(words(question)) if function_words().isdisjoint(pair)]
    asked_for, question_roots = asked(question), word_roots(question)
    of_tokens, kinds = token_roots(question), rivals_of(question_roots)
    deeds = _deeds(question, asked_for)
    nearness = [float(sentence.sentence @ question_words.sentence) for sentence in encoded]
    asked_before = questions_before(texts, passages)
    measures = []
    for place, (text, passage, of_words) in enumerate(zip(texts, passages, said, strict=True)):
        answered = asked_before[place]
        row = {
            "nearness": nearness[place] if answered is None else max(nearness[place], nearness[answered]),
            **of_words.measures(),
            "names lacking": lacking[passage],
            "names unknown": unknown,
            "numbers lacking": float(not numbers <= _numbers(text)),
            "rival told": float(
                (bool(kinds) and says_a_rival(kinds, question_roots, word_roots(text)))
                or (not denies(text) and says_the_contrary(deeds, words(text)))
            ),
            "other neighbours": float(_has_other_neighbours(pairs, words(text), question_roots)),
        }
        if asked_for is not None:
            row[f"{MISSING}{asked_for.kind}"] = float(not tells(text, asked_for, of_tokens))
        measures.append({name: round(value, _VALUES) for name, value in row.items()})
    return measures


def _deeds(question: str, asked_for: Asked | None) -> list[str]:
    """Return a question's words whose contraries tell of something else; none where a party is asked for.

    Who lost is told by a sentence of who won. "How high" asks for no more than "how low" does.
    """
    if asked_for is None or asked_for.kind is AnswerKind.PERSON:
        return []
    idle = function_words() | {asked_for.degree}
    return [word for word in words(question) if word not in idle]


def _numbers(text: str) -> set[str]:
    return {*NUMBER.findall(text), *(letter.upper() for letter in _LETTER.findall(text))}


def missing_kind(measures: Mapping[str, float]) -> str:
    """Return the kind of answer that a question asks for and a sentence does not tell; "" of none."""
    missing = (name for name, value in measures.items() if name.startswith(MISSING) and value)
    return next(missing, "").removeprefix(MISSING)


def _names_lacking(
    question: str, roots: Sequence[frozenset[str]], passages: Sequence[str]
) -> tuple[dict[str, float], float]:
    """Return the share of a question's names that each passage does not say, and that none does."""
    names = frozenset(name for match in _NAME.findall(question) for name in content_roots(match))
    said: dict[str, frozenset[str]] = {}
    for passage, of_sentence in zip(passages, roots, strict=True):
        said[passage] = said.get(passage, frozenset()) | of_sentence
    shares = {passage: len(names - of_it) / len(names) if names else 0.0 for passage, of_it in said.items()}
    every = frozenset().union(*said.values())
    return shares, len(names - every) / len(names) if names else 0.0


def _has_other_neighbours(
    pairs: Sequence[tuple[str, str]], sentence: Sequence[str], question_roots: frozenset[str]
) -> bool:
    """Return whether the second word of one of the question's pairs stands behind a word that it lacks.

    Where the first word stands anywhere in the sentence, the pair may be told apart: "early and late shift".
    """
    of_sentence = [root(word) for word in sentence]
    return any(
        root(after) == noun and root(before) not in of_sentence
        for before, after in pairs
        for (other, noun), word in zip(pairwise(of_sentence), sentence, strict=False)
        if word not in function_words() and other not in question_roots
    )
