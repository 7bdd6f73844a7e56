"""Sets restricted by others through relations that no word says: "teams in Leeds"."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from evidence_assets.evidence.accounting import Role
from evidence_assets.kgqa.composition.denotations import Denotations, Gap, Path
from evidence_assets.kgqa.composition.shapes_of_sets import (
    has_conditions,
    is_clause,
    is_nameless,
    restricting,
)
from evidence_assets.kgqa.graph.roles import Step
from evidence_assets.kgqa.queries.algebra import Difference, Expression, Named, Reached, Typed, names_of
from evidence_assets.kgqa.slots.composition_costs import (
    BURIED,
    LOOSE,
    MOST_UNSAID,
    NAMELESS,
    OPEN,
    OTHER_FORM,
    RESTRICTED_NAME,
    RIVAL,
    SAID_BEFORE,
    UNSAID,
    UNSAID_PREPOSITION,
)
from evidence_assets.kgqa.slots.expressions import intersection, is_back, type_of, union
from evidence_assets.kgqa.slots.slots import ANYTHING, Kind, Part
from evidence_assets.kgqa.words.word_classes import HAVE, PREPOSITIONS

_HAVING = HAVE | {"with", "of", "s"}
_WITHIN = frozenset(["in", "at", "on", "from"])


class UnsaidSteps(Denotations):
    """What a set denotes together with one that restricts it by a step that no word says."""

    def _unsaid(self, head: Part, modifier: Part, gap: Gap, after_head: bool) -> Iterator[Part]:
        """Yield a set restricted to what some relation that no word says links to another set."""
        # "Ada's donor" is not Ada.
        owns = after_head and gap[:1] == ("s",) and PREPOSITIONS.isdisjoint(gap)
        if owns or head.joint is Kind.ALL or (after_head and self._belongs_to_noun(head, modifier, gap)):
            return
        words = frozenset(gap) | (self._fronted if head.target else frozenset())
        options = self._options(head, modifier)
        if not options and not modifier.negated:
            yield from self._by_path(head, modifier, words)
        akin = self._lexicon.akin_relation(type_of(head.expression), {name for name, _ in options})
        for relation, backwards in options:
            cost = self._hinted((relation, backwards), options, words, akin)
            cost += (0.1 if not after_head and not words & HAVE else 0.0) + BURIED * modifier.target
            cost += LOOSE * (after_head and has_conditions(head.expression))
            cost += restricting(modifier.expression) or RESTRICTED_NAME * (
                modifier.negated and isinstance(head.expression, Named)
            )
            cost += NAMELESS * is_nameless(modifier) + BURIED * ("s" in gap and is_clause(head))
            cost += OTHER_FORM * _leads_back(modifier, relation, backwards)
            is_said = (relation, backwards) in head.said_of and ("of" if after_head else "s") in gap
            if modifier.same is not None:
                if modifier.same != (relation, not backwards):
                    continue
                cost = 0.0
            elif is_said:
                cost = SAID_BEFORE + BURIED * modifier.target
            elif modifier.via == (relation, not backwards) and after_head and words & (_HAVING | {"whose"}):
                # "Teams with a sponsor in Leeds": the step was said.
                cost = SAID_BEFORE + BURIED * modifier.target - (0.0 if modifier.negated else OPEN)
                # A name is a noun for the tail, "child of" for the head.
                noun_of = self._lexicon.facts[relation].noun_of
                cost += RIVAL * ((relation, not backwards) in options and backwards == noun_of)
            elif (
                isinstance(head.expression, Named)
                and isinstance(modifier.expression, Named)
                and not words & (PREPOSITIONS | _HAVING)
            ):
                continue
            expression = _restricted(head, modifier, (relation, backwards))
            yield Part(
                Kind.SET,
                head.cost
                + modifier.cost
                + cost
                + self._lacks(expression, head, modifier)
                + self._excludes_nothing(expression),
                (*head.bindings, *modifier.bindings),
                expression,
                unsaid=head.unsaid
                + modifier.unsaid
                + (
                    modifier.same is None
                    and modifier.via is None
                    and not (self._stands_before(relation, words) or is_said)
                ),
                target=head.target,
                via=head.via,
                untyped=head.untyped,
            )

    def _hinted(self, step: Step, options: Sequence[Step], words: frozenset[str], akin: str) -> float:
        """Return what a step costs by the words beside it, and by the other steps that types allow there."""
        relation = step[0]
        has_preposition = self._stands_before(relation, words)
        rivals = [
            other[0]
            for other in options
            if other != step and (not has_preposition or self._stands_before(other[0], words))
        ]
        if has_preposition:
            cost = UNSAID_PREPOSITION
        else:
            cost = UNSAID if words & _HAVING or not words else UNSAID + 0.1
        if rivals:
            cost += 0.1 if relation == akin else self._unlikely(relation, [relation, *rivals])
        return cost

    def _belongs_to_noun(self, head: Part, modifier: Part, gap: Gap) -> bool:
        """Return whether a place is said of the noun that it stands behind: "keeps the hives in Marlow".

        It is not said of whom a verb before that noun leads to, if the noun leads to such a place.
        """
        last = max(head.bindings, key=lambda binding: binding.end, default=None)
        if last is None or last.role is not Role.TYPE or not _WITHIN.intersection(gap):
            return False
        noun = replace(head, expression=Typed(last.target.removeprefix("type ")))
        types = self._types_of(noun.expression)
        if types & self._types_of(head.expression):
            return False
        return bool(self._options(noun, modifier)) or len(self._ways_within(noun, modifier)) == 1

    def _stands_before(self, relation: str, words: frozenset[str]) -> bool:
        """Return whether words hold a preposition of a relation's name: "people in Leeds", of "born in"."""
        return not PREPOSITIONS.intersection(self._lexicon.facts[relation].name_words).isdisjoint(words)

    def _by_path(self, head: Part, modifier: Part, gap: frozenset[str]) -> Iterator[Part]:
        """Yield what several steps that no word says join: "guests of Leeds", who slept at its hotels.

        The only shortest path of types is taken (Li and Jagadish 2014, "NaLIR", infer joins likewise).
        """
        both_named = isinstance(head.expression, Named) and isinstance(modifier.expression, Named)
        if head.unsaid + modifier.unsaid or (both_named and not gap & (PREPOSITIONS | _HAVING)):
            return
        ways = self._ways_within(head, modifier) if gap & _WITHIN else self._ways(head, modifier)
        if len(ways) == 1:
            reached = modifier.expression
            for relation, backwards in ways[0]:
                reached = Reached(relation, backwards, reached)
            expression = intersection(head.expression, reached)
            yield replace(
                head,
                expression=expression,
                cost=head.cost
                + modifier.cost
                + UNSAID
                + RIVAL * (len(ways[0]) - 1)
                + self._lacks(expression, head, modifier),
                bindings=(*head.bindings, *modifier.bindings),
                unsaid=MOST_UNSAID,
            )

    def _ways(self, head: Part, modifier: Part) -> list[Path]:
        """Return the shortest paths of several steps from a modifier to a head."""
        return self._paths(self._types_of(modifier.expression), self._types_of(head.expression))

    def _ways_within(self, head: Part, modifier: Part) -> list[Path]:
        """Return those that lead from a place to what is in it: "telescopes in Spain", at observatories."""
        ways = self._ways(head, modifier)
        if len(ways) > 1:
            places, persons = self._lexicon.places, self._lexicon.meanings.kinds.persons
            by_places = [way for way in ways if all(self._ends(*step)[0] & places for step in way)]
            # Where whoever keeps it lives is not where a hive is.
            ways = by_places or [
                way for way in ways if not any(self._ends(*step)[0] & persons for step in way)
            ]
        return [way for way in ways if self._keeps_place(way)]

    def _keeps_place(self, way: Path) -> bool:
        """Return whether a way leads from what is in a place to that place, where one of its ends is one.

        A telescope leads to its observatory, and that to Spain. Who brews what was grown in Spain need not be
        there: what tells of him leads on.
        """
        places = self._lexicon.places
        # From either end to the other, which may be the place.
        towards = (way, [(name, not backwards) for name, backwards in reversed(way)])
        of_places = [
            all(not backwards or self._ends(name, backwards)[1] & places for name, backwards in steps)
            for steps in towards
            if self._ends(*steps[-1])[1] & places
        ]
        return not of_places or any(of_places)

    def _options(self, head: Part, modifier: Part) -> list[tuple[str, bool]]:
        """Return the steps that types allow from a modifier to a head."""
        to, start = self._types_of(head.expression), self._types_of(modifier.expression)
        if (start, to) not in self._paired:
            self._paired[start, to] = [
                (name, backwards)
                for name in self._schema.relations
                for backwards in (False, True)
                if self._starts(name, backwards, start) and self._starts(name, not backwards, to)
            ]
        return self._paired[start, to]


def _leads_back(modifier: Part, relation: str, backwards: bool) -> bool:
    """Return whether a step goes back along the relation that led to a set from others than anything.

    Nothing says so but "the same" and the like: breads sold at Leeds that have not won an award are not those
    whose awards none that is sold there has won.
    """
    expression = modifier.expression
    is_led_to = isinstance(expression, Reached) and expression.of != ANYTHING
    return is_led_to and is_back(expression, relation, backwards)


def _restricted(head: Part, modifier: Part, step: Step) -> Expression:
    """Return a set without those that a step leads to from another set, if that is negated; else these."""
    members = modifier.members or (modifier.expression,)
    reached = tuple(Reached(*step, member) for member in members)
    if modifier.negated:
        expression: Expression = Difference(head.expression, union(reached))
    else:
        expression = intersection(head.expression, *reached)
    if modifier.same is not None:
        expression = Difference(expression, union(names_of(modifier.expression)))
    return expression
