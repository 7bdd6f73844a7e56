"""Words for how contests end, brought to win, lose and draw (`beaten by`, `a defeat`), and for who scores."""

from __future__ import annotations

from collections.abc import Container, Iterator, Sequence
from dataclasses import replace
from itertools import pairwise

from evidence_assets.tables.programs.wording.trigger_lexicon import HIGHEST, LOWEST, comparative
from evidence_assets.tables.programs.wording.words import ARTICLES, POSSESSIVES, Token, word_key, word_keys
from evidence_assets.text.roots import root, word_roots
from evidence_assets.text.words import word_set

# The outcomes of a contest, as keys.
WIN, LOSE, DRAW = "win", "lose", "draw"
OUTCOMES = frozenset({WIN, LOSE, DRAW})
# The letters that cells tell them by, as keys.
OUTCOMES_BY_LETTER = {"w": WIN, "l": LOSE, "d": DRAW, "t": DRAW}
# Verbs for winning against somebody; as a noun the first is a loss.
_DEFEATING = word_set("defeat defeats defeated defeating")
_BEATING = word_set("beat beats beaten beating overcome overcame overcomes") | _DEFEATING
_UNBEATEN = word_set("unbeaten undefeated")
_TYING = word_set("tie ties tied tying")
# What stands before a noun.
_DETERMINING = word_set("""
    of in by no any every each both all only suffer suffers suffered another first last
    consecutive straight successive home away heavy big narrow close single
""").union(ARTICLES, POSSESSIVES)
# Before the verb of the passive, besides adverbs.
_PASSIVE = frozenset({"be", "get", "gets", "got"})
_NEAR = 3
# Behind it, `draw` says that something drew people.
_DRAWING = word_set("a an the more less fewer over under between crowd crowds people spectators fans")
_MOST_PLAYED = 99
# What contests are counted in, as keys, and the key that they have in common.
_POINT = word_key("point")
POINTS = word_keys("point goal run vote set frame leg try basket pin wicket shot hit stroke length")
# What both sides of a contest scored together.
_COMBINING, _SCORES = word_set("combined combine total"), word_set("score scores")
_MARGINS = word_set("margin margins decided decide")


def tells_contests(tokens: Sequence[Token]) -> bool:
    """Return whether a claim says how contests ended, by its tokens as `outcome_words` leaves them."""
    return any(token.key in OUTCOMES or token.text in _MARGINS for token in tokens)


def is_beating(token: Token) -> bool:
    """Return whether a word says against whom somebody won: `beat`, not `won`."""
    return token.text in _BEATING


def tells_both_scores(tokens: Sequence[Token]) -> bool:
    """Return whether a claim says what both sides scored together: `the combined score`."""
    return any(before.text in _COMBINING and token.text in _SCORES for before, token in pairwise(tokens))


def streak_words(texts: Sequence[str]) -> list[int]:
    """Return the words that say that contests ended alike on end: `3 games in a row`, `3 straight games`."""
    rows = [n for n in range(2, len(texts)) if tuple(texts[n - 2 : n + 1]) == _IN_A_ROW]
    return [*rows, *(n for n, text in enumerate(texts) if text in _STREAKS)]


_IN_A_ROW = ("in", "a", "row")
_STREAKS = word_set("consecutive consecutively straight successive successively streak streaks")


def outcome_words(tokens: Sequence[Token], kept: Container[str] = ()) -> tuple[Token, ...]:
    """Return a claim's tokens, the keys of words for outcomes those of winning, losing and drawing.

    `Unbeaten` is read as not losing, in two tokens. `kept`: keys that stay, as of a header, `tie no`.
    """
    outcomes: list[Token] = []
    for position, token in enumerate(tokens):
        if token.key in kept or not (token.text in _OF_ENDS or token.key in _KEYS_OF_ENDS):
            outcomes.append(token)
        else:
            outcomes += _as_outcome(tokens, position)
    return tuple(outcomes)


def _as_outcome(tokens: Sequence[Token], position: int) -> Iterator[Token]:
    token, behind = tokens[position], tokens[position + 1 : position + 2]
    before = [word.text for word in tokens[max(0, position - 2) : position]]
    if token.text in _UNBEATEN:
        prefix = token.start + len("un")
        yield replace(token, text="not", key="not", stop=True, end=prefix)
        yield replace(token, text=token.text[2:], key=LOSE, start=prefix)
    elif token.text == "over" and not _is_a_number(behind) and _ended(tokens[:position]):
        # `A win over B` compares nothing.
        yield replace(token, text="against", key="against")
    elif (token.text == "home" and before == ["away", "from"]) or _is_verb_of_an_end(tokens, position):
        # `Ended in a draw` says no more than the draw.
        yield replace(token, stop=True)
    elif token.text in _WORST and _is_an_end(behind):
        # The worst defeat is the biggest.
        yield replace(token, text="heaviest")
    elif token.text in _BEATING:
        is_lost = _is_passive(tokens, position) or _is_a_loss(tokens, position)
        yield replace(token, key=LOSE if is_lost else WIN)
    elif token.text in _TYING and [word.text for word in behind] != ["for"]:
        yield replace(token, key=DRAW)
    elif token.key in POINTS:
        yield replace(token, key=_POINT)
    elif token.key == DRAW and _draws_people(tokens, position):
        yield replace(token, key=_OF_PEOPLE)
    else:
        yield token


def _is_an_end(behind: Sequence[Token]) -> bool:
    return any(token.key in OUTCOMES - {DRAW} or token.text in _DEFEATING for token in behind)


_WORST = frozenset({"worst", "best"})
# The key of `draw` where it is of people.
_OF_PEOPLE = "drew"
_ENDING = word_set("end ends ended ending result results resulted resulting finish finished")


# The words, and the keys, of which one may be of how contests ended.
_OF_ENDS = _UNBEATEN | _ENDING | _WORST | _BEATING | _TYING | {"over", "home"}
_KEYS_OF_ENDS = POINTS | {DRAW}


def _is_verb_of_an_end(tokens: Sequence[Token], position: int) -> bool:
    """Return whether a verb says how a contest ended by a noun: `ended in a draw`, `resulted in a win`."""
    if tokens[position].text not in _ENDING:
        return False
    following = [token for token in tokens[position + 1 : position + 4] if token.text not in ARTICLES]
    opened = bool(following) and following[0].text in {"in", "as", "with"}
    return opened and any(
        token.key in OUTCOMES or token.text in _TYING | {"defeat"} for token in following[1:2]
    )


def _is_passive(tokens: Sequence[Token], position: int) -> bool:
    before = [token.text for token in tokens[max(0, position - _NEAR) : position]]
    behind = tokens[position + 1 : position + 3]
    by_somebody = [token.text for token in behind[:1]] == ["by"] and not _is_a_number(behind[1:])
    auxiliary = next((n for n, text in enumerate(before) if text in _PASSIVE), None)
    # `Was the only team to beat A`: an infinitive is of its own.
    is_passive = auxiliary is not None and not {"to", "that", "who"} & {*before[auxiliary + 1 :]}
    return is_passive or (by_somebody and not _is_a_loss(tokens, position))


def _ended(before: Sequence[Token]) -> bool:
    """Return whether a word for an outcome stands shortly before: `a win by 5 points over`."""
    return any(token.key in OUTCOMES or token.text in _BEATING for token in before[-_NEAR_OUTCOME:])


_NEAR_OUTCOME = 8


def _is_a_number(tokens: Sequence[Token]) -> bool:
    return any(token.number is not None for token in tokens)


def _is_a_loss(tokens: Sequence[Token], position: int) -> bool:
    """Return whether `defeat` is a noun, by what stands before it: `the heaviest defeat`."""
    if tokens[position].text not in {"defeat", "defeats"} or not position:
        return tokens[position].text == "defeats"
    before = tokens[position - 1]
    is_graded = bool(comparative(before.text)) or before.text in HIGHEST | LOWEST
    return before.text in _DETERMINING or before.number is not None or is_graded


def _draws_people(tokens: Sequence[Token], position: int) -> bool:
    following = tokens[position + 1 : position + 2]
    many = any((token.number or 0) > _MOST_PLAYED for token in following)
    verb = tokens[position].text in {"draw", "draws", "drew", "drawn", "drawing"}
    noun = bool(position) and tokens[position - 1].text in _DETERMINING
    return verb and not noun and (many or any(token.text in _DRAWING for token in following))


# Roots of verbs for what a team scores, and for what it concedes.
_SCORING = word_roots("score scored")
_LETTING_IN = word_roots("concede conceded")
_TELLING_OF_A_PAIR = _SCORING | _LETTING_IN
_SAYING_WHICH = _TELLING_OF_A_PAIR | {root("let"), root("lets")}


def scoring_words(tokens: Sequence[Token]) -> list[int]:
    """Return the positions of the words that say which of a pair is meant: `scored`, `conceded`, `let in`."""
    texts = [token.text for token in tokens]
    if _SAYING_WHICH.isdisjoint(map(root, texts)):
        return []
    let_in = [n for n in range(len(texts) - 1) if texts[n] in {"let", "lets"} and texts[n + 1] == "in"]
    return [n for n, text in enumerate(texts) if root(text) in _TELLING_OF_A_PAIR] + let_in


def concedes(tokens: Sequence[Token]) -> bool:
    """Return whether a claim speaks of what rows have against them alone."""
    words = scoring_words(tokens)
    return bool(words) and all(root(tokens[n].text) not in _SCORING for n in words)
