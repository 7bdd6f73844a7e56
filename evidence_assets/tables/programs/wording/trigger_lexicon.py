"""Trigger lexicon: words of a claim that ask for an operation, and their positions in the claim."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache

from evidence_assets.tables.programs.wording.words import Token, word_key
from evidence_assets.text.roots import root, word_roots
from evidence_assets.text.words import NUMERALS, word_set

# Triggers of the highest and of the lowest number of a column.
HIGHEST = word_set("""
    most highest largest biggest greatest top maximum max longest oldest heaviest tallest latest newest
    farthest furthest strongest fastest richest broadest widest deepest best peaked
""")
LOWEST = word_set("""
    least fewest lowest smallest minimum min shortest earliest youngest slowest lightest nearest weakest
    narrowest worst cheapest shallowest poorest coldest coolest closest driest thinnest quietest rarest
    emptiest soonest gentlest tiniest scarcest bottomed
""")
# Superlatives of time: where the claim names no column, they are about dates.
TEMPORAL = word_set("earliest latest newest oldest recent first last")
# Superlatives whose order is inverted in columns of times or ranks: the fastest time is the lowest.
INVERTED = word_set("fastest quickest swiftest best slowest worst top")
# Superlatives of how many, or how much, there is of something.
MOST_OR_FEWEST = frozenset({"most", "least", "fewest"})
MORE = word_set("""
    more higher larger greater bigger longer older over above exceeding better taller heavier later beyond
    hotter flatter commoner farther further
""")
LESS = word_set("""
    less fewer lower smaller under below shorter younger worse lighter earlier slower narrower cheaper
    shallower poorer weaker nearer closer colder cooler drier thinner quieter rarer emptier sooner gentler
    lesser scarcer
""")
# Headers of ranks, as stems, where the highest is the first, and verbs that tell a rank.
RANKED_COLUMNS = frozenset({"rank", "ranking", "posit", "place", "po", "pos", "finish"})
RANKING = frozenset({"rank", "come", "place", "stand", "finish"})
# Nouns that stand for a row, or for a number of rows, in any table.
_ROW_NOUNS = word_set("""
    time game match player team season episode people person event occasion instance race club country record
    entry row round week year day competition tournament driver member one of other different total list model
    method system result
""")
# Roots of verbs and nouns of change in general English.
_RISES = word_roots("""
    rise rose risen increase grow grew grown growing growth climb climbing gain gaining improve improving soar
    soaring swell swelled swollen surge expand jumped leapt ballooned rebound rebounded recovered
""")
_FALLS = word_roots("""
    fall fell fallen falling decrease decline declining drop dropped dropping shrink shrank shrunk shrinking
    reduce reduction lose lost losing dip dipped dipping slip slipped slipping dwindle dwindled dwindling
    diminish plummet plummeted shed weaken weakening sag sagged slump slumped plunge plunged tumble tumbled
    sank sunk slid ebbed
""")
_STAYS = word_roots("unchanged stay remain")
# What became better and what became worse, of which a number tells nothing unless it is a grade.
BETTERED = {root("improve"): ">", root("worsen"): "<", root("deteriorate"): "<"}
# Words that open another clause.
CLAUSE_MARKS = word_set("while but whereas yet ;")
# Words that open a clause with a verb in spite of which the main clause holds.
CONCEDING_A_VERB = frozenset({"although", "though"})
# The same, and what opens a noun or a participle.
CONCEDING = CONCEDING_A_VERB | {"despite"}
RELATIVE_PRONOUNS = frozenset({"that", "who", "which"})
# Words that open a relative clause.
RELATIVE = RELATIVE_PRONOUNS | {"whose", "where"}
# Tokens split `isn't` into `be` and `not`.
NEGATIONS = word_set("not never neither nor no none without cannot unable")
# Behind `not` they say that something is so, and more.
LIMITING = frozenset({"only", "just", "merely"})
# They deny nothing.
_DENYING_NOTHING = {*(("not", word) for word in LIMITING), ("without", "exception")}
_FAILING = word_set("fail fails failed")
_LACKING = word_set("lack lacks lacked")
_DENYING = NEGATIONS | _FAILING | _LACKING
NOBODY = frozenset({"nothing", "nobody", "nowhere"})
# Words that open an exception, one word of each phrase: `with the exception of`, `apart from`.
_EXCEPTING = word_set("except excepted excepting excluding besides barring apart aside exception")
# The same where all are spoken of: `all shops bar the last`.
_EXCEPTING_FROM_ALL = frozenset({"bar", "save"})
_OPENING_EXCEPTIONS = _EXCEPTING | _EXCEPTING_FROM_ALL | {"other"}
WITHOUT_EXCEPTION = ("without", "exception")
ALMOST = frozenset({"almost", "nearly", "virtually", "practically"})
EACH = word_set("all every each always entire everywhere everyone everything everybody")


@lru_cache(maxsize=1 << 12)
def direction(text: str) -> str:
    """Return the relation of a later number to an earlier that a word of change tells; empty for others."""
    key = root(text)
    return ">" if key in _RISES else "<" if key in _FALLS else "=" if key in _STAYS else ""


def direction_at(texts: Sequence[str], position: int) -> str:
    """Return the relation that the word of change at a position tells; empty for others.

    What was recovered or lost, by others, did not rise or fall.
    """
    is_passive = texts[position] in _DONE_TO and not {"be", "been", "being"}.isdisjoint(
        texts[max(0, position - 1) : position]
    )
    return "" if is_passive else direction(texts[position])


_DONE_TO = frozenset({"recovered", "lost", "gained"})


def changes(text: str) -> bool:
    """Return whether a word of change tells a rise or a fall: `grew`, not `stayed`."""
    return direction(text) in {"<", ">"}


_COUNTED_BEHIND = frozenset({*NUMERALS, *map(str, range(20)), "the", "of", "these"})


def is_how_often(texts: Sequence[str], position: int) -> bool:
    """Return whether a word says how often something is so, and not of all: `every ten minutes`."""
    unit = "".join(texts[position + 2 : position + 3])
    return texts[position] == "every" and unit in _TIMES_BETWEEN


_TIMES_BETWEEN = word_set("seconds minutes hours days weeks months years decades")


@lru_cache(maxsize=1 << 5)
def each_word(texts: tuple[str, ...]) -> int | None:
    """Return the position of the word that makes a claim about all; None without. Not `at all`, `in all`."""
    if _OF_ALL.isdisjoint(texts):
        return None
    for position, text in enumerate(texts):
        before, after = texts[max(0, position - 1) : position], texts[position + 1 : position + 2]
        # `At all four rinks` is of all of them.
        at_all = before in {("at",), ("after",), ("above",)} and _COUNTED_BEHIND.isdisjoint(after)
        in_all = before == ("in",) and after in {(), (".",), (",",)}
        all_in_all = texts[position : position + 3] == ("all", "in", "all")
        if texts[position : position + 2] == WITHOUT_EXCEPTION or _is_any_of_all(texts, position):
            return position
        of_no_rows = (text == "all" and (at_all or in_all or all_in_all)) or is_how_often(texts, position)
        if text in EACH and not of_no_rows:
            return None if before and before[0] in ALMOST else position
    return None


def _is_any_of_all(texts: tuple[str, ...], position: int) -> bool:
    """Return whether `any` speaks of all: it opens a claim, `any boat with`, or excepts: `at any pier bar`.

    Not where something is compared with any.
    """
    if texts[position] in _ANY and not position:
        return not _RESTRICTING.isdisjoint(texts[1 : 1 + _NEAR_QUANTIFIER])
    if texts[position] != "any" or "than" in texts[max(0, position - 2) : position]:
        return False
    if not _DENYING_VERBS.isdisjoint(texts[:position]):
        # `Did not write any other than` speaks of none.
        return False
    return exception(texts, range(position + 1, min(len(texts), position + 1 + _NEAR_QUANTIFIER))) is not None


_DENYING_VERBS = frozenset({"not", "never"})
_ANY = frozenset({"any", "anyone", "anybody", "anything"})
# One of these stands in every claim about all.
_OF_ALL = EACH | _ANY | {"without"}


def restricting(texts: Sequence[str], quantifier: int) -> int | None:
    """Return where a clause opens that says of which rows a quantifier speaks: `every line that runs`."""
    near = range(quantifier + 1, min(len(texts), quantifier + 1 + _NEAR_QUANTIFIER))
    return next((position for position in near if texts[position] in RELATIVE), None)


_NEAR_QUANTIFIER = 4
_RESTRICTING = RELATIVE | {"with", "without", "on", "in", "at", "from"}
_OF_ALL_OR_NONE = EACH | NOBODY | {"any", "no", "none"}


def exception(texts: tuple[str, ...], span: range) -> int | None:
    """Return where in a span a claim opens an exception, `other` of `nobody other than`; None without one."""
    if _OPENING_EXCEPTIONS.isdisjoint(texts):
        return None
    for position in span:
        if texts[max(0, position - 1) : position + 1] == WITHOUT_EXCEPTION:
            continue
        if texts[position : position + 2] == ("other", "than"):
            return position
        # `Two weeks apart` excepts nothing.
        is_distance = texts[position] == "apart" and texts[position + 1 : position + 2] != ("from",)
        if texts[position] in _EXCEPTING and not (is_distance and _ends_with_a_number(texts, position)):
            return position
        if texts[position] in _EXCEPTING_FROM_ALL and _is_of_all(texts, position):
            return position
    return None


def _ends_with_a_number(texts: tuple[str, ...], position: int) -> bool:
    """Return whether a number stands shortly before a word: of `two weeks apart`."""
    before = texts[max(0, position - 2) : position]
    return any(text in NUMERALS or text[:1].isdigit() for text in before)


def _is_of_all(texts: Sequence[str], position: int) -> bool:
    """Return whether a word stands shortly behind one for all or none, and no article before it."""
    before = texts[max(0, position - _NEAR_QUANTIFIER) : position]
    # `There is no bar` is of a bar.
    of_a_noun = before[-1:] and before[-1] in {"a", "the"} | _OF_ALL_OR_NONE
    return bool(before) and not of_a_noun and not _OF_ALL_OR_NONE.isdisjoint(before)


@lru_cache(maxsize=1 << 10)
def positive(text: str) -> str:
    """Return the key of the adjective that a comparative or superlative is of: `long` of `longest`.

    Of a verb that compares it is that of what it compares: `long` of `outlasts`.
    """
    import simplemma

    adjective = _POSITIVES.get(text) or exceeding(text) or str(simplemma.lemmatize(text, lang="en"))
    return word_key(adjective)


@lru_cache(maxsize=1 << 12)
def exceeding(text: str) -> str:
    """Return the adjective of which a verb says that one thing is more so than another; empty for others."""
    return _EXCEEDING.get(root(text), "")


_EXCEEDING = {
    root(verb): adjective
    for adjective, verbs in {
        "heavy": "outweigh outweighed",
        "long": "outlast outlasted",
        "fast": "outrun outran outpace outpaced",
        "more": """
            exceed exceeded surpass surpassed outnumber outnumbered outsell outsold outperform outperformed
            outscore outscored outstrip outstripped outearn outearned outdo outdid outspend outspent outdraw
            outdrew outgrow outgrew outproduce outproduced overtop overtopped overtake overtook overtaken
            eclipse eclipsed
        """,
    }.items()
    for verb in word_set(verbs)
}


# Comparatives and superlatives that the lemmatiser does not reduce to their positive.
_POSITIVES = {
    **{"bigger": "big", "closer": "close", "cooler": "cool", "farther": "far", "further": "far"},
    **{"better": "good", "best": "good", "worse": "bad", "worst": "bad"},
    **{"hotter": "hot", "flatter": "flat", "commoner": "common"},
    **dict.fromkeys(("pricier", "priciest"), "expensive"),
}


@lru_cache(maxsize=1)
def row_nouns() -> frozenset[str]:
    """Return the keys of the nouns that stand for rows."""
    return frozenset(word_key(word) for word in _ROW_NOUNS)


@lru_cache(maxsize=1 << 14)
def comparative(text: str) -> int:
    """Return 1 for a comparative of more, -1 for one of less, 0 for any other word."""
    return 1 if text in MORE else -1 if text in LESS else int(is_graded(text, "er"))


@lru_cache(maxsize=1 << 12)
def is_graded(text: str, ending: str) -> bool:
    """Return whether a word is an adjective's comparative or superlative: of `deeper` and `deep`."""
    import simplemma

    if not text.endswith(ending) or len(text) < _SHORTEST_GRADED:
        return False
    lemma = str(simplemma.lemmatize(text, lang="en"))
    return lemma != text and text in {
        f"{lemma}{ending}",
        f"{lemma}{lemma[-1]}{ending}",
        f"{lemma[:-1]}i{ending}",
        f"{lemma[:-1]}{ending}",
    }


_SHORTEST_GRADED = 5


# What something is compared with stands behind these, as it does behind `than`.
COMPARED = {(verb, preposition) for verb in ("compare", "compared") for preposition in ("with", "to")}


def opens_a_rival(texts: Sequence[str], position: int) -> bool:
    """Return whether what something is compared with stands behind: `than`, `compared with`."""
    return texts[position] in THAN or tuple(texts[position : position + 2]) in COMPARED


# Of these `then` is misspelt.
THAN = frozenset({"than", "then"})
# The first word of each.
OPENING_RIVALS = THAN | {verb for verb, _ in COMPARED}


def concession(texts: Sequence[str]) -> int | None:
    """Return where the clause that opens a claim and is conceded ends, at its comma: `though old, A is fast`.

    None without such a clause.
    """
    return texts.index(",") if texts and texts[0] in CONCEDING and "," in texts else None


def negations(tokens: tuple[Token, ...]) -> Iterator[int]:
    """Yield the positions of a claim's negations.

    In `no 2` and `the no of` it is "number"; `not only` says that something is so, and more.
    """
    for position, token in enumerate(tokens):
        if token.text not in _DENYING:
            if _is_yet_to_be(tokens, position):
                yield position
            continue
        after = tokens[position + 1] if position + 1 < len(tokens) else None
        if token.text in _LACKING and after is not None and after.text != "of":
            yield position
        fails = token.text in _FAILING and after is not None and after.text == "to"
        numbered = token.text == "no" and _is_of_a_number(tokens[position + 1 : position + 3])
        also = after is not None and (token.text, after.text) in _DENYING_NOTHING
        # `Without its base A is a metre tall` denies nothing of A.
        apart = position == 0 and token.text == "without"
        says_nothing = numbered or also or apart or is_unbroken(tokens, position)
        if fails or (token.text in NEGATIONS and not says_nothing):
            yield position


def denies(tokens: tuple[Token, ...]) -> bool:
    """Return whether a claim denies something: by a negation, or a word for nobody."""
    return any(True for _ in negations(tokens)) or any(token.text in NOBODY for token in tokens)


def _is_of_a_number(following: Sequence[Token]) -> bool:
    """Return whether what follows `no` says that it is "number": of `no 2`, `no. 2`, `the no of`."""
    texts = [token.text for token in following]
    if texts[:1] == ["."]:
        return any(token.number is not None for token in following)
    return not following or following[0].number is not None or texts[0] == "of"


def _is_yet_to_be(tokens: Sequence[Token], position: int) -> bool:
    """Return whether a word says that something is still to come: `has yet to pay`, `is yet to be opened`."""
    if tokens[position].text != "yet" or position + 1 >= len(tokens) or not position:
        return False
    return tokens[position + 1].text == "to" and tokens[position - 1].text in {"have", "be"}


def is_unbroken(tokens: Sequence[Token], position: int) -> bool:
    """Return whether a word says that a change went on, and denies nothing: of `rose without a break`."""
    if tokens[position].text != "without":
        return False
    following = [token.text for token in tokens[position + 1 : position + 3]]
    behind = following[1:] if following[:1] == ["a"] else following[:1]
    changes = (direction(token.text) or token.text in {"up", "down"} for token in tokens)
    return not _BREAKS.isdisjoint(behind) and any(changes)


_BREAKS = frozenset({"break", "pause", "interruption", "exception", "fail"})
