"""What the words of a free question ask for: its form, and the words that trigger operations."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property

from evidence_assets.tables.programs.links.grounding import GroundedClaim
from evidence_assets.tables.programs.links.linking import HeaderLink, Link
from evidence_assets.tables.programs.questions.wording.asked_amounts import AskedAmount
from evidence_assets.tables.programs.questions.wording.asked_nouns import (
    asked_noun,
    class_of_noun,
    modifiers_of_header,
)
from evidence_assets.tables.programs.questions.wording.idle_triggers import ENDS, asks_for_no_operation
from evidence_assets.tables.programs.questions.wording.words_alike import adjective_links, resembles
from evidence_assets.tables.programs.readings.parts.plans import missed_plan
from evidence_assets.tables.programs.readings.times.changes_over_time import (
    ChangeOfColumns,
    change_of_columns,
)
from evidence_assets.tables.programs.wording.quantifier_words import DIFFERENT, is_no_longer
from evidence_assets.tables.programs.wording.trigger_lexicon import (
    MOST_OR_FEWEST,
    comparative,
    positive,
    row_nouns,
)
from evidence_assets.tables.programs.wording.words import AUXILIARIES
from evidence_assets.tables.programs.wording.words_of_time import CALENDAR_TIMES, WHOLE
from evidence_assets.tables.programs.wording.words_of_wholes import AGGREGATING, AVERAGING, adding_words
from evidence_assets.text.words import word_set

_ASKING = {
    **dict.fromkeys(("which", "what"), "which"),
    **dict.fromkeys(("who", "whom", "whose"), "who"),
    **{"when": "when", "where": "where"},
    **dict.fromkeys(("name", "list", "tell", "give"), "list"),
}
_TRIGGERS = {
    "end": ENDS,
    "after": word_set("after next following follows followed below behind succeeded successor"),
    "before": word_set("before previous prior preceding preceded above predecessor"),
    "most": MOST_OR_FEWEST,
    "different": DIFFERENT,
    "same": frozenset({"same"}),
    "or": frozenset({"or", "either"}),
    "difference": frozenset({"difference", "between", "than"}),
    "except": frozenset({"besides", "except", "excluding", "other", "outside"}),
    "year": frozenset({"year", "years"}),
    "only": frozenset({"only"}),
    "both": frozenset({"both"}),
}
# A number of these names what it is of, and counts nothing; nor does the same number.
_NUMBERED = word_set("""
    same phone telephone mobile fax serial house room registration account licence license model part order
    article catalogue flight passport chip tag identification reference atomic postal shirt jersey squad
""")
_BEFORE_NOUNS = frozenset({"the", "of", "these", "those"})
_TIMES = CALENDAR_TIMES.union(map("{}s".format, CALENDAR_TIMES), ("date", "decade"))
_OF_ANY = WHOLE | {"any", "a", "each", "every", "per", "one"}
# How many words after the question word the noun may stand that says what is asked for.
NEAR = 3


@dataclass(frozen=True)
class Wording:
    """What a question's wording asks for. `claim`: the question, grounded."""

    claim: GroundedClaim

    @cached_property
    def counting(self) -> tuple[int, ...]:
        """The positions of `how many`, `how much`, `number of`; none where nothing is counted."""
        texts = self.claim.texts
        for position, text in enumerate(texts[:-1]):
            following = texts[position + 1]
            if text == "how" and following in {"many", "much"}:
                return position, position + 1
            ranked = position and (texts[position - 1] in _NUMBERED or self._in_superlative(position - 1))
            # When the number of beds was highest is no number.
            is_number_of = text in {"number", "amount"} and following == "of" and texts[0] != "when"
            # Of a column of amounts its own are asked for.
            is_a_column = text == "amount" and self.claim.linked.in_header(position)
            if is_number_of and not ranked and not is_a_column:
                return position, position + 1
        return ()

    def _in_superlative(self, position: int) -> bool:
        return any(extreme.start <= position < extreme.end for extreme in self.claim.superlatives)

    @cached_property
    def head(self) -> str:
        """What the first noun after the question word names: a column, a value, rows."""
        index, tokens = self.claim.index, self.claim.tokens
        for position in range(self.asking[-1] + 1 if self.asking else 0, len(tokens)):
            if tokens[position].stop or tokens[position].mark or position in self.of("superlative"):
                continue
            heads = self.claim.linked.headers_at(position)
            if heads:
                numeric = any(map(index.is_numeric, heads[0].columns))
                return "a column of numbers" if numeric else "a column"
            if any(link.start <= position < link.end for link in self.claim.links):
                return "a value"
            if self.amount.in_unit:
                return "a unit"
            of_rows = tokens[position].key in row_nouns() or tokens[position].key in index.caption
            return "rows" if of_rows else "unknown"
        return "none"

    @cached_property
    def place_of_noun(self) -> int | None:
        """The position of the noun that says what is asked for."""
        return asked_noun(self.claim, self.asking)

    @cached_property
    def asked_columns(self) -> frozenset[int]:
        """The columns that the noun names that says what is asked for."""
        place = self.place_of_noun
        heads = self.claim.linked.headers if place is not None else ()
        of_noun = (head.columns for head in heads if head.start <= (place or 0) < head.end)
        return frozenset[int]().union(*of_noun)

    @property
    def noun_text(self) -> str:
        """The noun that says what is asked for; empty where none does."""
        return "" if self.place_of_noun is None else self.claim.texts[self.place_of_noun]

    @cached_property
    def noun(self) -> str:
        """What of the table the noun names that says what is asked for; `none` where none says it."""
        position = self.place_of_noun
        if position is None:
            return "none"
        named = class_of_noun(self.claim, position)
        if named in {"a column", "the label", "a value"}:
            return named
        if self.amount.in_unit:
            return "a unit"
        return "like a column" if position in self.resembling else named

    @cached_property
    def amount(self) -> AskedAmount:
        """The amount that it asks for."""
        return AskedAmount(self.claim, self.counting, self.asking)

    @cached_property
    def asks_for_a_time(self) -> bool:
        """Whether it asks when, or for a year, a quarter, a month."""
        if self.form != "which":
            return self.form == "when"
        behind = self.claim.texts[self.asking[-1] + 1 :]
        noun = next((text for text in behind if text not in AUXILIARIES | _BEFORE_NOUNS), "")
        return noun in _TIMES

    @cached_property
    def asks_for_the_extreme(self) -> bool:
        """Whether it asks `what was the highest`, so that a number may be the answer."""
        first = self.asking[0] if self.asking else 0
        opens = self.claim.texts[first : first + 1] == ("what",)
        behind = self.claim.texts[first + 1 : first + 2]
        starts = {extreme.start for extreme in self.claim.superlatives}
        return opens and not AUXILIARIES.isdisjoint(behind) and not starts.isdisjoint((first + 2, first + 3))

    @cached_property
    def asks_what_one_did(self) -> bool:
        """Whether it asks `what does Ada sell`, so that a verb says what is asked for."""
        texts = self.claim.texts
        first = self.asking[0] if self.asking else 0
        return texts[first : first + 2] == ("what", "do") and bool(self.claim.linked.unknown)

    @cached_property
    def is_bare(self) -> bool:
        """Whether it asks `which has`, `who was`, and no noun says what is asked for."""
        if not self.asking or self.claim.texts[self.asking[0]] not in {"which", "who"}:
            return False
        return not AUXILIARIES.isdisjoint(self.claim.texts[self.asking[0] + 1 :][:1])

    @cached_property
    def change(self) -> ChangeOfColumns | None:
        """The change that it asks of, from one column of a time to another, or from a plan to its outcome."""
        missed = missed_plan(self.claim)
        if missed is not None:
            return ChangeOfColumns(missed.relation, missed.plan, missed.actual, missed.words)
        return change_of_columns(self.claim)

    @cached_property
    def adjectives(self) -> tuple[Link, ...]:
        """What adjectives of places say of rows: `Norwegian acts`, from Norway."""
        return tuple(adjective_links(self.claim))

    @cached_property
    def lacks_attribute(self) -> bool:
        """Whether it asks for an attribute that nothing of the table resembles: `who is the captain of`."""
        claim, start = self.claim, self.asking[-1] + 1 if self.asking else 0
        ofs = [position for position in range(start, len(claim.texts)) if claim.texts[position] == "of"]
        nouns = [n for n in range(start, ofs[0] if ofs else start) if not claim.tokens[n].stop]
        lacks = bool(nouns) and nouns[-1] == ofs[0] - 1 and nouns[-1] in claim.linked.unknown
        return lacks and not self.resembled and claim.tokens[nouns[-1]].key not in row_nouns()

    @cached_property
    def resembling(self) -> Mapping[int, frozenset[int]]:
        """The columns whose header has a word that begins like one that the table lacks, by its position."""
        claim = self.claim
        columns_by_position = {
            position: frozenset(
                column
                for column, keys in enumerate(claim.index.headers)
                if any(resembles(claim.tokens[position].key, key) for key in keys)
            )
            for position in claim.linked.unknown
        }
        return {position: columns for position, columns in columns_by_position.items() if columns}

    @cached_property
    def resembled(self) -> frozenset[int]:
        """The columns whose header has a word that begins like one of the question that the table lacks."""
        return frozenset[int]().union(*self.resembling.values())

    @cached_property
    def asking(self) -> tuple[int, ...]:
        """The positions of the words that ask: `how many`, `how long`, `which`."""
        if self.counting:
            return self.counting
        texts = self.claim.texts
        for position, text in enumerate(texts):
            if text == "how" and position + 1 < len(texts):
                return position, position + 1
            if text in _ASKING:
                return (position,)
        return ()

    @cached_property
    def form(self) -> str:
        """The form of the question: by the word that asks."""
        if self.counting:
            return "how many"
        if not self.asking:
            return "yes or no" if self.claim.texts[:1] and self.claim.texts[0] in AUXILIARIES else "none"
        return "how" if len(self.asking) == 2 else _ASKING[self.claim.texts[self.asking[0]]]

    @property
    def asking_word(self) -> str:
        """The word that asks: which, what, who; of `how long` how."""
        return self.claim.texts[self.asking[0]] if self.asking else "none"

    @cached_property
    def named(self) -> Mapping[int, str]:
        """The columns that the question names, each with how near it stands to the question word."""
        places: dict[int, str] = {}
        asks = self.asking[-1] if self.asking else -1
        for head in self.claim.linked.headers:
            near = "near" if self.asking and 0 < head.start - asks <= NEAR else "far"
            for column in head.columns:
                several = "" if len(head.columns) == 1 else ", one of several"
                places.setdefault(column, near + several)
        return places

    @cached_property
    def named_by_modifiers(self) -> frozenset[int]:
        """The columns whose header has the asked noun only before its own: of `which store` a temperature."""
        place, index = self.place_of_noun, self.claim.index
        if place is None or self.form not in {"which", "who", "list"}:
            return frozenset()
        heads = self.claim.linked.headers_at(place)
        return frozenset(
            column
            for head in heads
            for column in head.columns
            if self._keys(head) <= modifiers_of_header(index, column)
        )

    def _keys(self, head: HeaderLink) -> set[str]:
        return {token.key for token in self.claim.tokens[head.start : head.end] if not token.stop}

    @cached_property
    def sized(self) -> frozenset[int]:
        """The columns of the dimension that `how long`, `how old` asks for."""
        if self.form != "how":
            return frozenset()
        columns = self.claim.index.columns_like(self.claim.tokens[self.asking[-1]].key)
        return frozenset(columns) | self.amount.lasting

    @cached_property
    def measured(self) -> frozenset[int]:
        """The columns of the dimensions that the question's superlatives and comparatives are of."""
        claim = self.claim
        words = [extreme.word for extreme in claim.superlatives]
        words += [text for text in claim.texts if comparative(text)]
        return frozenset(c for word in words for c in claim.index.columns_measured_by(positive(word)))

    @cached_property
    def triggers(self) -> Mapping[str, tuple[int, ...]]:
        """The positions of the words that ask for an operation, by what they ask for."""
        positions_by_name: dict[str, list[int]] = {}
        texts = self.claim.texts
        between_them = {n for n in range(len(texts)) if texts[n : n + 2] == ("between", "them")}
        asks_how = self.form in {"how", "how many"}
        together = {*between_them, *adding_words(texts, range(len(texts)))}
        for position, text in enumerate(texts):
            for name, words in _TRIGGERS.items():
                if text in words and not (
                    self.is_any_time(position)
                    or position in between_them
                    or asks_for_no_operation(self.claim, position, asks_how=asks_how)
                ):
                    positions_by_name.setdefault(name, []).append(position)
            if comparative(text) and not is_no_longer(texts, position - 1):
                positions_by_name.setdefault("comparative", []).append(position)
            if text in AGGREGATING or position in together:
                positions_by_name.setdefault("average" if text in AVERAGING else "total", []).append(position)
        if self.claim.superlatives:
            extremes = self.claim.superlatives
            positions_by_name["superlative"] = [
                n for extreme in extremes for n in range(extreme.start, extreme.end)
            ]
        if self.claim.bounds:
            positions_by_name["bound"] = [
                n for limit in self.claim.bounds for n in range(limit.start, limit.end)
            ]
        if self.claim.negations:
            positions_by_name["negation"] = list(self.claim.negations)
        return {name: tuple(positions) for name, positions in positions_by_name.items()}

    def is_any_time(self, position: int) -> bool:
        """Return whether a word is the time of `in any year`, `in a year`, of which none is asked for."""
        before = self.claim.texts[max(0, position - 1) : position]
        return self.claim.texts[position] in _TIMES and not _OF_ANY.isdisjoint(before)

    def of(self, *names: str) -> tuple[int, ...]:
        """Return the positions of the words that trigger any of some operations."""
        return tuple(position for name in names for position in self.triggers.get(name, ()))
