"""Which end of a relation does what the verbs of its sentences say: who built what, of "was built by"."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from simplemma import is_known

from evidence_assets.kgqa.graph.naming import words_and_ends
from evidence_assets.kgqa.graph.schema import RelationSchema
from evidence_assets.kgqa.words.derivations import is_participle, is_past
from evidence_assets.kgqa.words.word_classes import ARTICLES, BE, HAVE, PREPOSITIONS
from evidence_assets.text.roots import lemma, root
from evidence_assets.text.words import word_set, words

# Nouns that are the verb itself: who is apprenticed to somebody is their apprentice.
_OWN_NOUNS = frozenset(["apprentice"])
# Nouns for whoever does it that are the verb itself too: a race `sponsors` a firm, and a firm a race.
_DOERS = word_set("""
    author captain chair champion coach guard guide head host judge lead mentor nurse parent pilot referee
    sponsor tutor umpire
""")
# Prepositions before whoever does it, either of which may be said: "apprenticed to", "apprenticed under".
_TO_SOMEBODY = ("to", "under")


def agents(relation: RelationSchema, authored: bool) -> Mapping[str, bool]:
    """Return the roots of a relation's verbs, with whether its head does them, where all sentences agree.

    What is done with a preposition has it beside its root, "store in", and, where somebody does it actively,
    "do" before: "do learn from". A noun has "the" before it: the head is "the pupil". `authored`: somebody
    wrote the sentences, and they are not made of the relation's name.
    """
    said = [pair for text in relation.sentences for pair in _said(text, authored, relation)]
    return _agreed([*said, *_named(relation.name)])


def _said(sentence: str, authored: bool, relation: RelationSchema) -> Iterator[tuple[str, bool | None]]:
    """Yield the roots of a sentence's verbs, and whether its head does them.

    What may be a noun is none where a relation's name is all there is: of "Ada sponsors Leeds", of a relation
    `sponsors`, its types alone tell who does it.
    """
    parts, head, tail = words_and_ends(sentence)
    if min(head, tail) or max(head, tail) != len(parts) - 1:
        return
    head_first = head < tail
    verb, passive = parts[-2], False
    if verb == "by" and len(parts) > 3:
        verb, passive = parts[-3], True
    between = parts[1 : -3 if passive else -2]
    if lemma(verb) != verb and set(between) <= BE | {"has", "have", "had"}:
        if passive and is_past(verb):
            yield root(verb), not head_first
        elif not passive and not set(between) & BE and (authored or _is_verb(verb, relation)):
            yield root(verb), head_first
    elif verb in PREPOSITIONS and len(parts) > 3:
        yield from _with_preposition(parts, verb, head_first)


def _is_verb(word: str, relation: RelationSchema) -> bool:
    """Return whether a word of a relation's name is a verb of its head: `built`, `supervises`, no plural."""
    if is_past(word):
        return True
    verb = lemma(word)
    in_ing = (f"{verb}ing", f"{verb.removesuffix('e')}ing")
    may_be_verb = word.endswith("s") and any(is_known(form, lang="en") for form in in_ing)
    return may_be_verb and word == relation.name.lower() and verb not in _DOERS - {relation.head_type}


def _with_preposition(
    parts: Sequence[str], preposition: str, head_first: bool
) -> Iterator[tuple[str, bool | None]]:
    """Yield what is done with the preposition at a sentence's end, and the noun for who does it."""
    word, between = parts[-3], set(parts[1:-3])
    # "Starred in": what it does with a preposition it may do without.
    yield root(word), None
    if between <= BE and (preposition != "of" or is_past(word)):
        yield from _to_somebody(word, preposition, head_first)
    elif between <= BE | ARTICLES and preposition == "of":
        # "Was a pupil of".
        yield f"the {lemma(word)}", head_first
    if parts[1] not in BE | HAVE and lemma(parts[1]) != parts[1]:
        # "Learned the trade from".
        yield f"do {root(parts[1])} {preposition}", head_first


def _named(relation: str) -> Iterator[tuple[str, bool | None]]:
    """Yield the verb of a relation called by it: `starred_actors` star, or are starred; `adapted_from`."""
    parts = words(relation)
    if len(parts) < 2 or not is_past(parts[0]):
        return
    if parts[-1] not in PREPOSITIONS:
        yield root(parts[0]), None
    elif len(parts) == 2 and parts[1] != "by":
        yield from _to_somebody(parts[0], parts[1], True)


def _to_somebody(verb: str, preposition: str, head_first: bool) -> Iterator[tuple[str, bool]]:
    """Yield a participle with its preposition, with the other that may be said, and the noun of its own."""
    yield f"{root(verb)} {preposition}", head_first
    if preposition in _TO_SOMEBODY and is_participle(verb):
        yield from ((f"{root(verb)} {other}", head_first) for other in _TO_SOMEBODY if other != preposition)
        if lemma(verb) in _OWN_NOUNS:
            yield f"the {lemma(verb)}", head_first


def _agreed(said: Sequence[tuple[str, bool | None]]) -> dict[str, bool]:
    """Return verbs with whether the head does them, of which all sentences say the same."""
    ways: dict[str, set[bool | None]] = {}
    for verb, head in said:
        ways.setdefault(verb, set()).add(head)
    agreed = ((verb, next(iter(heads))) for verb, heads in ways.items() if len(heads) == 1)
    return {verb: head for verb, head in agreed if head is not None}
