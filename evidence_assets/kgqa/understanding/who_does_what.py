"""Who does what in a question, by the order of its words: "did NAME build", "built by NAME", "NAME's pupil".

A verb or a noun may be said of a name, or of a longer phrase that it stands in: "the founder of NAME".
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache

from evidence_assets.kgqa.graph.linked_questions import LinkedQuestion, Topic
from evidence_assets.kgqa.slots.slots import Kind
from evidence_assets.kgqa.slots.trigger_words import PHRASES
from evidence_assets.kgqa.words.derivations import is_past, verb_done_to, verb_of
from evidence_assets.kgqa.words.word_classes import ARTICLES, BE, COMPARED, DO, ORDINALS, PREPOSITIONS
from evidence_assets.reading.accounting import spans
from evidence_assets.text.roots import lemma, root
from evidence_assets.text.words import word_set

# What a clause begins with whose verb needs no auxiliary: "who built Kestrel".
_SUBJECTS = word_set("who what which that many")
# What stands behind a preposition that a question begins with: "to whom", "in which town".
_ASKING = word_set("whom which what")
# What ends a phrase, or makes it another than the one of a name: "the founder and", "the most pupils of".
_APART = word_set("and or than but nor not") | COMPARED | ORDINALS | DO
# How many words a phrase has before its name: "the founder of the firm behind".
_LONGEST_PHRASE = 6
# Who trains under somebody is trained by them; who serves under somebody is not served.
_UNDER, _TRAINING = "under", frozenset([root("train")])
# Adverbs that stand between a name and what is said of it: "was Ada later trained".
_ADVERBS = word_set("later once ever also then now still already")
# A question is read by many compositions and paths, one question after the other.
_QUESTIONS_AT_ONCE = 16

_Tokens = Sequence[str | Topic]


@dataclass(frozen=True, slots=True)
class Phrase:
    """A name, or a longer phrase that it stands in."""

    name: str
    longer: bool = False


@dataclass(frozen=True, slots=True)
class Voice:
    """A verb's root, and whether a phrase is who does it, or whom it is done to.

    A verb may have its preposition beside it, "store in", and "do" before it where it is active: "do buy
    from". A noun has "the" before it: who is somebody's pupil does "the pupil".
    """

    verb: str
    phrase: Phrase
    agent: bool


@lru_cache(maxsize=_QUESTIONS_AT_ONCE)
def voices(question: LinkedQuestion) -> tuple[Voice, ...]:
    """Return of which phrases a question's verbs and nouns are said, and to which they are done."""
    tokens = list(_tokens(question))
    return tuple(
        voice
        for place, token in enumerate(tokens)
        if isinstance(token, str)
        for voice in (*_of_noun(tokens, place), *_of_verb(tokens, place))
    )


def _tokens(question: LinkedQuestion) -> Iterator[str | Topic]:
    passed: set[int] = set()
    for start, end in spans(question.question):
        topic = next((topic for topic in question.topics if topic.start <= start < topic.end), None)
        if topic is None:
            word = question.question[start:end].lower()
            # "Came directly after".
            if (word,) not in PHRASES or PHRASES[word,].kind is not Kind.EMPTY:
                yield word
        elif topic.start not in passed:
            passed.add(topic.start)
            yield topic


def _of_noun(tokens: _Tokens, place: int) -> Iterator[Voice]:
    """Yield whose something is, or who is: "NAME's pupil", "the builder of NAME", "whose pupil was NAME"."""
    noun = str(tokens[place])
    # The co-builder of a person built something with them.
    if noun in PREPOSITIONS or _at(tokens, place - 1) == "co":
        return
    said = [(_owner(tokens, place), False)]
    if _at(tokens, place + 1) == "of":
        # "Was Ada a pupil of NAME", "who was NAME a pupil of".
        subject, auxiliary = _subject(tokens, place)
        said += [(_phrase(tokens, place + 2), False), (subject if auxiliary in BE else None, True)]
    if place == 1 and tokens[0] == "whose" and _at(tokens, 2) in BE:
        said.append((_phrase(tokens, 3), True))
    for phrase, agent in said:
        if phrase:
            yield Voice(f"the {lemma(noun)}", phrase, agent)
            if does := verb_of(noun):
                yield Voice(root(does), phrase, agent)
            if done := verb_done_to(noun):
                yield Voice(root(done), phrase, not agent)


def _of_verb(tokens: _Tokens, place: int) -> Iterator[Voice]:
    token = str(tokens[place])
    following = _at(tokens, place + 1)
    if following in PREPOSITIONS - {"by"}:
        # "The glaze on Kestrel" is a noun.
        if _at(tokens, place - 1) not in ARTICLES:
            yield from _with_preposition(tokens, place, str(following))
        return
    subject, auxiliary = _subject(tokens, place)
    fronted, stranded = _fronted(tokens), _stranded(tokens)
    if subject and fronted:
        # "To whom was Ada apprenticed" has its preposition before.
        yield Voice(f"{root(token)} {fronted}", subject, True)
    if subject and auxiliary in DO and lemma(token) == token:
        for preposition in filter(None, (fronted, stranded)):
            yield Voice(f"do {root(token)} {preposition}", subject, True)
        is_done_to = fronted == _UNDER and root(token) in _TRAINING
        yield Voice(root(token), subject, not is_done_to)
        if done_to := _phrase(tokens, place + 1):
            yield Voice(root(token), done_to, False)
        yield from _with_object(tokens, place)
    elif is_past(token) and "by" in (following, _at(tokens, 0)):
        # "By whom was Ada taught" has its preposition before.
        doer = _phrase(tokens, place + 2) if following == "by" else None
        if doer:
            yield Voice(root(token), doer, True)
        if subject and auxiliary in BE:
            yield Voice(root(token), subject, False)
    elif _is_subject(tokens, place - 1):
        if done_to := _phrase(tokens, place + 1):
            yield Voice(root(token), done_to, False)
        yield from _with_object(tokens, place)


def _with_preposition(tokens: _Tokens, place: int, preposition: str) -> Iterator[Voice]:
    """Yield what is in, at or from a phrase, and which phrase is: "is Kestrel stored in Leeds"."""
    token, phrase = str(tokens[place]), _phrase(tokens, place + 2)
    verb = f"{root(token)} {preposition}"
    subject, auxiliary = _subject(tokens, place)
    # "The builder of Kestrel" is a noun, and "looked after by" another verb.
    if (preposition == "of" and phrase and verb_of(token)) or _at(tokens, place + 2) == "by":
        return
    if preposition == _UNDER and root(token) in _TRAINING:
        yield from (Voice(root(token), who, who is phrase) for who in (phrase, subject) if who)
    if phrase:
        yield Voice(verb, phrase, False)
        if _is_subject(tokens, place - 1) or auxiliary in DO:
            yield Voice(f"do {verb}", phrase, False)
    if subject:
        yield Voice(verb, subject, True)
        if auxiliary in DO:
            yield Voice(f"do {verb}", subject, True)


def _with_object(tokens: _Tokens, place: int) -> Iterator[Voice]:
    """Yield what somebody does something from or for: "who learned the trade from NAME"."""
    for further in range(place + 2, min(place + _LONGEST_PHRASE, len(tokens))):
        token = tokens[further]
        if isinstance(token, Topic) or token in _APART:
            return
        if token in PREPOSITIONS - {"by", "of"}:
            if phrase := _phrase(tokens, further + 1):
                yield Voice(f"do {root(str(tokens[place]))} {token}", phrase, False)
            return


def _fronted(tokens: _Tokens) -> str:
    """Return the preposition that a question begins with; "" for none."""
    preposition, asking = _at(tokens, 0), _at(tokens, 1)
    return str(preposition) if preposition in PREPOSITIONS - {"by"} and asking in _ASKING else ""


def _stranded(tokens: _Tokens) -> str:
    """Return the preposition that a question ends with, "who did Ada learn from"; "" for none."""
    last = _at(tokens, len(tokens) - 1)
    return str(last) if last in PREPOSITIONS - {"by"} and _at(tokens, 0) in _SUBJECTS | _ASKING else ""


def _at(tokens: _Tokens, place: int) -> str | Topic:
    return tokens[place] if 0 <= place < len(tokens) else ""


def _phrase(tokens: _Tokens, place: int) -> Phrase | None:
    """Return the name that stands at a place, or the phrase there that has one; None for neither."""
    start = place + (_at(tokens, place) in ARTICLES)
    for further in range(start, min(start + _LONGEST_PHRASE, len(tokens))):
        token = tokens[further]
        if isinstance(token, Topic):
            return Phrase(token.phrase, further > start or _at(tokens, further + 1) == "s")
        if start == place or token in _APART:
            return None
    return None


def _subject(tokens: _Tokens, place: int) -> tuple[Phrase | None, str]:
    """Return the phrase between an auxiliary and a word, "did the founder of NAME", and the auxiliary."""
    longer = False
    for earlier in range(place - 1, max(place - 4 - _LONGEST_PHRASE, -1), -1):
        token = tokens[earlier]
        if isinstance(token, str) and token in DO | BE:
            phrase = _phrase(tokens[:place], earlier + 1)
            return (Phrase(phrase.name, phrase.longer or longer), token) if phrase else (None, "")
        if isinstance(token, str) and token in _APART:
            return None, ""
        # What stands between a name and the word is more of its phrase: "did Ada's brother".
        is_of_phrase = isinstance(token, str) and token not in ARTICLES | _ADVERBS
        longer = longer or (is_of_phrase and not str(token).endswith("ly"))
    return None, ""


def _owner(tokens: _Tokens, place: int) -> Phrase | None:
    """Return whose something is: "NAME's pupil", "NAME's builder's pupil"; None where nobody's."""
    if _at(tokens, place - 1) != "s":
        return None
    owner = _at(tokens, place - 2)
    if isinstance(owner, Topic):
        return Phrase(owner.phrase)
    longer = _owner(tokens, place - 2)
    return Phrase(longer.name, longer=True) if longer else None


def _is_subject(tokens: _Tokens, place: int) -> bool:
    """Return whether a clause begins at a word, or at the noun that it asks for: "who", "which company"."""
    token, before = _at(tokens, place), _at(tokens, place - 1)
    asks = isinstance(token, str) and before in _SUBJECTS and before != "who" and token not in BE | DO
    return token in ("who", "that") or asks
