"""Statements that rows meet conditions: a row that is named, all, none, most or so many."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from evidence_assets.evidence.accounting import Role
from evidence_assets.tables.programs.grammar.number_programs import Count, Literal
from evidence_assets.tables.programs.grammar.row_programs import AllRows, Without, meet
from evidence_assets.tables.programs.grammar.truth_programs import (
    All,
    Compare,
    Every,
    Not,
    OnlyThese,
    Share,
    Some,
    all_of,
)
from evidence_assets.tables.programs.grammar.types import Rows, Truth
from evidence_assets.tables.programs.index.derived.contests import ContestTable
from evidence_assets.tables.programs.links.grounding import GroundedClaim
from evidence_assets.tables.programs.links.linking import Link, positions_of
from evidence_assets.tables.programs.readings.parts.cooccurrence import common_rows, rule_each_other_out
from evidence_assets.tables.programs.readings.parts.counters import Counter
from evidence_assets.tables.programs.readings.parts.proposal import (
    Proposal,
    are_so_many,
    binding,
    denied,
    restricted,
    where,
)
from evidence_assets.tables.programs.readings.parts.scopes import main_verb, tells_more_behind
from evidence_assets.tables.programs.readings.rows.conditions import (
    Conditions,
    conditions_of,
    counter_of_rows,
)
from evidence_assets.tables.programs.readings.rows.exceptions import excepted_from, so_many_lack
from evidence_assets.tables.programs.readings.rows.quantifiers import only_these
from evidence_assets.tables.programs.readings.rows.restricted_objects import (
    restricted_objects,
    restricts_what_is_behind,
)
from evidence_assets.tables.programs.wording.claimed_shares import ClaimedShare
from evidence_assets.tables.programs.wording.quantifier_words import (
    condition_of_all,
    excepted_number,
    fronted_scope,
    none_words,
    only_word,
    relative_clause,
)
from evidence_assets.tables.programs.wording.trigger_lexicon import NOBODY, each_word, exception, restricting
from evidence_assets.tables.programs.wording.words import ARTICLES, AUXILIARIES


def statement_programs(claim: GroundedClaim) -> Iterator[Proposal]:
    """Yield whether the rows that a claim quantifies over meet its conditions."""
    if condition_of_all(claim.texts) is not None:
        return
    for conditions in conditions_of(claim):
        yield from _quantified(claim, conditions)


# So near behind the number of all stands what they are: `one of the two red vans`.
_NEAR_TOTAL = 2


@dataclass(frozen=True)
class _Statement:
    """Conditions on rows as one claim says them, with its words that quantify.

    `quantifier`, `excepted`: where a word for all and `except` stand. `also`: words that a count carries too.
    """

    claim: GroundedClaim
    conditions: Conditions
    quantifier: int | None
    excepted: int | None
    also: tuple[int, ...] = ()

    @property
    def exceptions(self) -> list[Link]:
        """The names behind `except`, up to the quantifier where that follows."""
        if self.excepted is None:
            return []
        quantifier = -1 if self.quantifier is None else self.quantifier
        end = quantifier if quantifier > self.excepted else len(self.claim.tokens)
        return [link for link in self.conditions.names if self.excepted < link.start < end]

    @property
    def named(self) -> list[Link]:
        """The names of rows that are no exceptions."""
        return [link for link in self.conditions.names if link not in self.exceptions]

    @property
    def predicates(self) -> list[Rows]:
        """The rows that meet each condition."""
        return [where(self.claim, link) for link in self.conditions.links]

    def propose(self, kind: str, program: Truth, operators: Sequence[int]) -> Proposal:
        """Return a program as a proposal, turned where a negation is left that it does not bind."""
        conditions, total = self.conditions, self.claim.row_total
        label = self.claim.index.table.label_column
        columns = [*conditions.columns, *([] if label is None else [label])]
        links = (*conditions.names, *conditions.links, *conditions.compared)
        used = [link for link in links if link.start != total]
        bound = binding(self.claim, used, columns, [*conditions.operators, *operators])
        if total is not None:
            bound[total] = (Role.SCOPE, "rows of the table")
        return Proposal(kind, denied(self.claim, program, bound), bound)

    def every(self) -> Proposal:
        """Return whether every row of a scope meets what is said of it, and no exception does."""
        scopes, predicates = self._scopes_and_predicates()
        scope = restricted(self.claim, [*self.named, *scopes])
        operators = [word for word in (self.quantifier, self.excepted) if word is not None]
        holding = meet([where(self.claim, link) for link in predicates])
        if not self.exceptions:
            return self.propose("all", Every(scope, holding), operators[:1])
        exceptions = restricted(self.claim, self.exceptions)
        excepted = excepted_from(self.claim, self.exceptions, where(self.claim, predicates[0]))
        return self.propose(
            "all but", All((Every(Without(scope, exceptions), holding), *excepted)), operators
        )

    def _scopes_and_predicates(self) -> tuple[list[Link], list[Link]]:
        """Return the conditions that tell of which rows a claim is, and those that are said of them.

        The last is said of them; of `sold over 40 in every year from 2019 on` what stands before `every`.
        """
        *others, last = self.conditions.links
        if self.quantifier is not None and last.start > self.quantifier:
            before = [link for link in others if link.end <= self.quantifier]
            if before:
                return [link for link in (*others, last) if link not in before], before
        scopes = [link for link in others if link.start < last.start]
        return scopes, [last, *(link for link in others if link not in scopes)]

    def all_but_so_many(self, words: Sequence[int]) -> Proposal:
        """Return whether so many rows of those named do not meet the conditions."""
        names = [link for link in self.conditions.names if link.start not in words]
        program = so_many_lack(self.claim, words, restricted(self.claim, names), meet(self.predicates))
        return self.propose("all but so many", program, words)

    def sole(self, words: range) -> Proposal:
        """Return whether the rows that are named, and no others, meet the conditions."""
        holders = restricted(self.claim, self.conditions.names)
        return self.propose("only", OnlyThese(holders, meet(self.predicates)), words)

    def count(self, counter: Counter) -> Proposal:
        """Return whether so many rows meet the conditions; or do not, where these are denied behind it."""
        scope = restricted(self.claim, self.conditions.names)
        rows, denial = meet([scope, *self.predicates]), self.claim.negation
        operators = [*counter.words, *self.also, *([] if counter.whole is None else [counter.whole])]
        kind = "count"
        in_conditions = positions_of(self.conditions.links)
        within = None if denial is None else relative_clause(self.claim.texts, denial)
        if within is not None and any(link.start > within[-1] for link in self.conditions.links):
            denial = None
        if denial is not None and denial > counter.words[0] and denial not in in_conditions:
            rows, kind = Without(scope, rows), "count of the others"
            operators.append(denial)
        program: Truth = Compare(Count(rows), counter.relation, Literal(counter.number))
        if counter.whole is not None:
            clause = restricting(self.claim.texts, counter.whole) or 0
            near = max(counter.whole, clause) + _NEAR_TOTAL
            of_scope = any(counter.whole < link.start <= near for link in self.conditions.names)
            # Of contests it is the side's of which some ended so.
            of_scope = of_scope or isinstance(self.claim.index.table, ContestTable)
            whole = scope if of_scope else AllRows()
            program = All((program, are_so_many(self.claim, whole, counter.whole)))
        return self.propose(kind, program, operators)

    def none(self, words: Sequence[int]) -> Proposal:
        """Return whether no row meets the conditions, but for the exceptions."""
        scope = restricted(self.claim, self.named)
        program: Truth = Not(Some(meet([scope, *self.predicates])))
        if self.exceptions and self.excepted is not None:
            exceptions = restricted(self.claim, self.exceptions)
            none_else = Not(Some(meet([Without(scope, exceptions), *self.predicates])))
            program = All((none_else, Every(exceptions, meet(self.predicates))))
            words = [*words, self.excepted]
        # The negation that is left is that of the words for none.
        return replace(self.propose("none", program, words), program=program)

    def share(self, share: ClaimedShare) -> Proposal:
        """Return whether what stands behind the verb, else the last condition, holds of such a share of rows.

        The share is of those that meet the other conditions: `half of the vans over 3 t are red`.
        """
        *others, last = self.conditions.links
        verb = main_verb(self.claim, share.words[-1])
        said = [link for link in others if verb is not None and verb < link.start < last.start]
        names = [link for link in self.conditions.names if link.start not in share.words]
        scopes = [*names, *(link for link in others if link not in said)]
        scope = meet([where(self.claim, link) for link in scopes])
        predicate = meet([where(self.claim, link) for link in (*said, last)])
        return self.propose("majority", Share(scope, predicate, share.relation, share.share), share.words)

    def row(self) -> Proposal:
        """Return whether the row that is named meets the conditions, of those behind a negation none."""
        rows = meet([where(self.claim, link) for link in self.conditions.names])
        parts = tuple(Some(meet([rows, predicate])) for predicate in self.predicates)
        zero = len(parts) == 1 and self.conditions.links[0].bound == "= 0"
        kind = "none of a column" if zero else "condition of a row"
        negation, denied_links = self.claim.negation, self._denied_conditions()
        if negation is None or not 0 < len(denied_links) < len(parts):
            return self.propose(kind, all_of(parts), ())
        said = zip(self.conditions.links, parts, strict=True)
        return self.propose(
            kind, all_of(Not(part) if link in denied_links else part for link, part in said), [negation]
        )

    def _denied_conditions(self) -> list[Link]:
        """Return the conditions behind a negation, up to a `but`."""
        negation, but = self.claim.negation, self.claim.position({"but"})
        if negation is None:
            return []
        end = but if but is not None and but > negation else len(self.claim.texts)
        return [link for link in self.conditions.links if negation < link.start < end]


def _quantified(claim: GroundedClaim, conditions: Conditions) -> Iterator[Proposal]:
    texts = claim.texts
    both, only = claim.position({"both"}), only_word(texts)
    excepted = exception(texts, range(len(texts)))
    if excepted is None:
        excepted = claim.position({"but"})
    counter, also = counter_of_rows(claim), _each_behind(claim, conditions)
    quantifier = None if counter is not None and also else each_word(texts)
    statement = _Statement(claim, conditions, quantifier, excepted, also)
    share = claim.linked.share
    names_a_row = len(common_rows(tuple(statement.named))) == 1
    but_number = excepted_number(claim.tokens)
    if claim.sole is not None:
        if conditions.names:
            yield statement.sole(claim.sole)
    elif but_number is not None:
        yield statement.all_but_so_many(but_number)
    elif quantifier is not None and not names_a_row:
        of_told_rows = restricting(texts, quantifier) is None or statement.named or len(conditions.links) > 1
        if of_told_rows and not _tells_which_rows(claim, conditions, quantifier):
            yield statement.every()
    elif both is not None and len(common_rows(conditions.names)) == 2:
        both_rows = Every(restricted(claim, conditions.names), meet(statement.predicates))
        yield statement.propose("both", both_rows, [both])
    elif counter is not None:
        yield statement.count(counter)
    elif only is not None and conditions.names and fronted_scope(texts) is None:
        yield from _only(statement, only)
    elif (none := none_words(texts)) and (not names_a_row or texts[none[0]] in NOBODY):
        yield statement.none(none)
    elif share is not None:
        yield statement.share(share)
    elif names_a_row and not conditions.compared and not rule_each_other_out(conditions.names):
        yield statement.row()


def _only(statement: _Statement, only: int) -> Iterator[Proposal]:
    """Yield whether some rows alone meet the conditions, or, behind a subject, whether it meets no others."""
    claim, conditions = statement.claim, statement.conditions
    if restricts_what_is_behind(claim, only):
        yield from restricted_objects(claim, only)
        return
    before = [link for link in conditions.names if link.end <= only] or [*conditions.names]
    scope = [link for link in conditions.names if link not in before]
    holders, predicates = before, [*scope, *conditions.links]
    is_of_a_noun = claim.texts[max(0, only - 1)] in ARTICLES and before[0].start == only + 1
    if is_of_a_noun and all(link.start > only + 1 for link in conditions.links):
        # Of `the only arch bridge has more than six lanes` no other is an arch bridge.
        holders, predicates = predicates, before
    only_names, words = only_these(claim, only, restricted(claim, holders), predicates)
    yield statement.propose("only", only_names, words)


def _each_behind(claim: GroundedClaim, conditions: Conditions) -> tuple[int, ...]:
    """Return where `each` stands behind the conditions: `three mills made less than 100 tonnes each`."""
    end = max((link.end for link in conditions.links), default=len(claim.texts))
    return tuple(n for n in range(end, len(claim.texts)) if claim.texts[n] == "each")


def _tells_which_rows(claim: GroundedClaim, conditions: Conditions, quantifier: int) -> bool:
    """Return whether the last condition says of which rows a claim is, and names what is said of them.

    Of `every choir with more than 40 singers won silver`, `before 2019, it was always held in June`.
    """
    verb = main_verb(claim, quantifier)
    last = conditions.links[-1]
    stands_behind = claim.texts[quantifier - 1] in AUXILIARIES and quantifier > 0
    if (claim.texts[quantifier] == "always" or stands_behind) and last.end <= quantifier:
        return any(link.start > (verb or quantifier) for link in conditions.names)
    is_of_scope = verb is not None and quantifier < last.start and last.end <= verb
    if not is_of_scope:
        return False
    named_behind = any(link.start > (verb or 0) for link in conditions.names)
    return named_behind or tells_more_behind(claim, quantifier)
