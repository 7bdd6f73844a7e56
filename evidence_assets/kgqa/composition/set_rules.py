"""Rules of composing that make sets: steps, conditions, lists, negations."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from evidence_assets.evidence.accounting import Role
from evidence_assets.kgqa.composition.denotations import Denotations, Gap
from evidence_assets.kgqa.queries.algebra import (
    Difference,
    Expression,
    Extreme,
    Filtered,
    Intersection,
    Named,
    Reached,
    Typed,
    Union,
    names_of,
)
from evidence_assets.kgqa.slots.composition_costs import (
    AGAINST_VOICE,
    BURIED,
    LOOSE,
    MOST_UNSAID,
    NAMELESS,
    OPEN,
    OTHER_FORM,
    OTHER_PREPOSITION,
    RESTRICTED_NAME,
    RIVAL,
    SAID_BEFORE,
    SAID_TWICE,
    UNSAID,
    UNSAID_PREPOSITION,
    UNTYPED,
)
from evidence_assets.kgqa.slots.expressions import (
    intersection,
    is_back,
    is_choice,
    is_measured_by,
    of_both,
    type_of,
    union,
)
from evidence_assets.kgqa.slots.slots import ANYTHING, Kind, Part
from evidence_assets.kgqa.slots.trigger_words import PREPOSITIONS
from evidence_assets.kgqa.words.derivations import is_participle

_HAVING = frozenset(["with", "has", "have", "had", "having", "of", "s", "having's"])
_LACKING_ONE = frozenset(["no", "without"])
_HAVE = frozenset(["has", "have", "had", "having"])
_WITHIN = frozenset(["in", "at", "on", "from"])
_BE = frozenset(["is", "are", "was", "were", "be", "been", "being"])


class SetRules(Denotations):
    """What a step or a set denotes together with its neighbour."""

    def _step_set(self, left: Part, right: Part, before: Gap, gap: Gap, after: Gap) -> Iterator[Part]:
        passive, of = "by" in gap, "of" in gap
        if is_measured_by(right.expression, left.relation) and not left.negated and not of:
            yield of_both(right, left, right)
        owned = before[-1:] == ("whose",) and set(gap) <= _BE
        for part in self._stepped(left, right, passive, of, False, frozenset(gap) & PREPOSITIONS, owned):
            # "Are brewed with a hop" leads to what was brewed, not to who brewed it.
            doer = (
                bool({*before[-1:]} & _BE)
                and not (passive or of or owned)
                and is_participle(left.bindings[0].text.split()[0].lower())
                and is_back(part.expression, left.relation, True)
                and self._lexicon.facts[left.relation].name_words[-1:] == ("by",)
            )
            yield replace(part, cost=part.cost + BURIED * doer, negated=left.negated != right.negated)

    def _set_step(self, left: Part, right: Part, before: Gap, gap: Gap, after: Gap) -> Iterator[Part]:
        if left.negated:
            return
        # "Leeds has suburbs", of a relation "suburb of": as "the suburbs of Leeds".
        facts = self._lexicon.facts.get(right.relation)
        owned = facts is not None and facts.noun_of and bool(_HAVE & set(gap))
        possessive = "s" in gap or owned
        if is_measured_by(left.expression, right.relation) and not right.negated and not possessive:
            yield of_both(left, left, right)
        passive = "by" in after[:1] or (bool(before) and before[-1] in _BE and not possessive)
        prepositions = frozenset(after[:1]) & PREPOSITIONS
        # What a preposition stands before does nothing itself: "drugs against migraine do not cause".
        object_of = isinstance(left.expression, Named) and before[-1:] and before[-1] in PREPOSITIONS
        for part in self._stepped(right, left, passive, possessive, not possessive, prepositions):
            cost = part.cost + RESTRICTED_NAME * (bool(object_of) and not possessive)
            yield replace(part, cost=cost, negated=right.negated)

    def _stepped(
        self,
        step: Part,
        start: Part,
        passive: bool,
        noun: bool,
        subject: bool,
        prepositions: frozenset[str],
        owned: bool = False,
    ) -> Iterator[Part]:
        """Yield what a step leads to from a set.

        `passive`: who does it is named by "by", or the verb is passive; `noun`: the step's word is a noun of
        the set ("capital of"); `subject`: the set stands before the verb; `owned`: the set is what a noun
        stands for ("whose capital is Leeds").
        """
        facts = self._lexicon.facts.get(step.relation)
        noun = noun or step.noun or owned
        if facts is None or (
            isinstance(start.expression, Filtered | Extreme) and start.expression.of == ANYTHING
        ):
            return
        if noun:
            starts_at_head = owned == (facts.agent_first if step.agentive else facts.noun_of)
        else:
            # "Located in" is passive already: what is located is its head.
            placed = any(word in PREPOSITIONS and word != "by" for word in facts.name_words[-1:])
            starts_at_head = facts.agent_first == ((placed or not passive) if subject else passive)
        again = facts.literal and is_back(start.expression, step.relation, True) and start.same is None
        if again:
            # "What does a bottle cost", of a bottle's price.
            yield of_both(start, step, start, SAID_TWICE, target=start.target or step.target)
        named_with = frozenset(facts.name_words) & PREPOSITIONS
        strange = OTHER_PREPOSITION if named_with and prepositions and not named_with & prepositions else 0.0
        types = self._types_of(start.expression)
        fits = [self._starts(step.relation, backwards, types) for backwards in (False, True)]
        for backwards in (False, True):
            if not fits[backwards]:
                continue
            twice = SAID_TWICE if is_measured_by(start.expression, step.relation) and not noun else 0.0
            if step.framed and is_back(start.expression, step.relation, backwards):
                continue
            # What a verb by meaning alone does to whom is not known.
            against = AGAINST_VOICE if all(fits) and backwards == starts_at_head and not step.framed else 0.0
            # "What do people employ": who does it is the tail of "employed by".
            active = subject and not passive and not backwards and facts.name_words[-1:] == ("by",)
            against += BURIED * start.target + RESTRICTED_NAME * active
            against += _restricting(start.expression) + OTHER_FORM * again
            against += OTHER_FORM * is_choice(start.expression) + NAMELESS * _is_nameless(start)
            untyped = UNTYPED if step.framed else 0.0
            if start.same is not None and start.same != (step.relation, not backwards):
                against += OTHER_FORM
            expression = _reached(start, step.relation, backwards)
            yield Part(
                Kind.SET,
                start.cost + step.cost + against + strange + twice + untyped + self._lacks(expression, start),
                (*step.bindings, *start.bindings),
                expression,
                unsaid=start.unsaid,
                target=step.target,
                untyped=untyped,
            )

    def _set_set(self, left: Part, right: Part, before: Gap, gap: Gap, after: Gap) -> Iterator[Part]:
        cost, bindings = left.cost + right.cost, (*left.bindings, *right.bindings)
        unsaid = left.unsaid + right.unsaid
        if left.negated:
            if right.negated:
                yield from self._both_negated(left, right)
            return
        # What is somebody's is not that somebody.
        if "whose" not in gap and self._meet(left, right):
            expression = (
                Difference(left.expression, right.expression)
                if right.negated
                else intersection(left.expression, right.expression)
            )
            lacks = self._lacks(expression, left, right) + self._excludes_nothing(expression)
            target = left.target or right.target
            via = left.via or right.via
            # The noun, or the name, says what the phrase leads to.
            cost += NAMELESS * (_is_nameless(left) or _is_nameless(right)) - left.untyped - right.untyped
            cost += LOOSE * _has_conditions(left.expression) + RESTRICTED_NAME * (
                right.negated and isinstance(left.expression, Named)
            )
            yield Part(Kind.SET, cost + lacks, bindings, expression, unsaid=unsaid, target=target, via=via)
            cost, unsaid = left.cost + right.cost, left.unsaid + right.unsaid
        if unsaid >= MOST_UNSAID:
            return
        # A possessive belongs to the noun after it, not before: "ports that Leeds's ships call at".
        if after[:1] != ("s",) or "of" in gap:
            yield from self._unsaid(left, right, gap, True)
        if not right.negated:
            yield from self._unsaid(right, left, gap, False)

    def _both_negated(self, left: Part, right: Part) -> Iterator[Part]:
        if self._types_of(left.expression) & self._types_of(right.expression):
            yield of_both(left, left, right, expression=union((left.expression, right.expression)))

    def _unsaid(self, head: Part, modifier: Part, gap: Gap, after_head: bool) -> Iterator[Part]:
        """Yield a set restricted to what some relation that no word says links to another set."""
        words = frozenset(gap) | (self._fronted if head.target else frozenset())
        options = self._options(head, modifier)
        if not options and not modifier.negated:
            yield from self._by_path(head, modifier, words)
        akin = self._lexicon.akin_relation(type_of(head.expression), {name for name, _ in options})
        for relation, backwards in options:
            has_preposition = self._stands_before(relation, words)
            rivals = [
                name
                for name, back in options
                if (name, back) != (relation, backwards)
                and (not has_preposition or self._stands_before(name, words))
            ]
            if has_preposition:
                cost = UNSAID_PREPOSITION
            else:
                cost = UNSAID if words & _HAVING or not words else UNSAID + 0.1
            if rivals:
                cost += 0.1 if relation == akin else self._unlikely(relation, [relation, *rivals])
            cost += (0.1 if not after_head and not words & _HAVE else 0.0) + BURIED * modifier.target
            cost += LOOSE * (after_head and _has_conditions(head.expression))
            cost += _restricting(modifier.expression) or RESTRICTED_NAME * (
                modifier.negated and isinstance(head.expression, Named)
            )
            cost += NAMELESS * _is_nameless(modifier) + BURIED * ("s" in gap and _is_clause(head))
            if modifier.same is not None:
                if modifier.same != (relation, not backwards):
                    continue
                cost = 0.0
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
            members = modifier.members or (modifier.expression,)
            reached = tuple(Reached(relation, backwards, member) for member in members)
            if modifier.negated:
                expression: Expression = Difference(head.expression, union(reached))
            else:
                expression = intersection(head.expression, *reached)
            if modifier.same is not None:
                expression = Difference(expression, union(names_of(modifier.expression)))
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
                + (modifier.same is None and modifier.via is None and not has_preposition),
                target=head.target,
                via=head.via,
                untyped=head.untyped,
            )

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
        ways = self._paths(self._types_of(modifier.expression), self._types_of(head.expression))
        if len(ways) > 1 and gap & _WITHIN:
            # "Telescopes in Spain", at observatories there.
            places = self._lexicon.kinds.places
            ways = [way for way in ways if all(self._ends(*step)[0] & places for step in way)]
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

    def _and_set(self, left: Part, right: Part, before: Gap, gap: Gap, after: Gap) -> Iterator[Part]:
        yield of_both(right, left, right, kind=Kind.LISTED, joint=left.kind)

    def _set_listed(self, left: Part, right: Part, before: Gap, gap: Gap, after: Gap) -> Iterator[Part]:
        if not self._types_of(left.expression) & self._types_of(right.expression) or (
            left.negated and not right.negated
        ):
            return
        cost, bindings = left.cost + right.cost, (*left.bindings, *right.bindings)
        names = isinstance(left.expression, Named) and isinstance(right.expression, Named | Union)
        either = union((left.expression, right.expression))
        unsaid = left.unsaid + right.unsaid
        if right.negated and not left.negated:
            if not isinstance(left.expression, Named):
                difference = Difference(left.expression, right.expression)
                yield Part(Kind.SET, cost, bindings, difference, unsaid=unsaid, target=left.target)
        elif left.negated:
            yield Part(Kind.SET, cost, bindings, either, negated=True, unsaid=unsaid)
        elif right.joint is Kind.OR:
            lacks = self._lacks(either, left, right)
            yield Part(Kind.SET, cost + lacks, bindings, either, unsaid=unsaid, target=left.target)
        elif names:
            members = (left.expression, *(right.members or (right.expression,)))
            yield Part(Kind.SET, cost, bindings, either, members, unsaid=unsaid)
        elif not isinstance(left.expression, Typed) and not isinstance(right.expression, Named):
            expression = intersection(left.expression, right.expression)
            lacks = self._lacks(expression, left, right)
            yield Part(Kind.SET, cost + lacks, bindings, expression, unsaid=unsaid, target=left.target)

    def _negated(self, left: Part, right: Part, before: Gap, gap: Gap, after: Gap) -> Iterator[Part]:
        if not right.negated:
            # "Have no sponsor": whoever it is.
            usual = (
                OPEN - UNSAID
                if isinstance(right.expression, Reached) and right.expression.of == ANYTHING
                else 0.0
            )
            # "Without any dependency": what has none, not what is none.
            lacks_one = (
                right.via is not None and not right.via[1] and left.bindings[0].text.lower() in _LACKING_ONE
            )
            usual -= SAID_TWICE * lacks_one
            yield of_both(right, left, right, -usual, negated=True)

    def _except(self, left: Part, right: Part, before: Gap, gap: Gap, after: Gap) -> Iterator[Part]:
        if isinstance(right.expression, Named | Union) and not right.negated:
            yield of_both(right, left, right, negated=True)

    def _other(self, left: Part, right: Part, before: Gap, gap: Gap, after: Gap) -> Iterator[Part]:
        yield of_both(right, left, right)

    def _same(self, left: Part, right: Part, before: Gap, gap: Gap, after: Gap) -> Iterator[Part]:
        """Yield "the same city", to be completed by "as Leeds" or a name before it."""
        yield of_both(right, left, right, joint=Kind.SAME)

    def _same_as(self, left: Part, right: Part, before: Gap, gap: Gap, after: Gap) -> Iterator[Part]:
        """Yield what is the same as of a name: reached from it by a relation that is walked back after."""
        if left.joint is not Kind.SAME or not isinstance(right.expression, Named):
            return
        cost, bindings = left.cost + right.cost, (*left.bindings, *right.bindings)
        types = self._types_of(right.expression)
        for name in self._schema.relations if left.kind is Kind.SET else (left.relation,):
            for backwards in (False, True):
                if not self._starts(name, backwards, types):
                    continue
                reached: Expression = Reached(name, backwards, right.expression)
                if left.kind is Kind.SET:
                    if not self._types_of(left.expression) & self._types_of(reached):
                        continue
                    reached = intersection(left.expression, reached)
                lacks = self._lacks(reached, right)
                yield Part(Kind.SET, cost + lacks, bindings, reached, same=(name, backwards))

    def _step_step(self, left: Part, right: Part, before: Gap, gap: Gap, after: Gap) -> Iterator[Part]:
        # "Led by pupils of Ada": they are not whom she led.
        another = right.framed and "by" in gap and after[:1] == ("of",)
        if left.relation == right.relation and not right.negated and not another:
            twice = SAID_TWICE * (left.framed or right.framed)
            agentive, target = left.agentive or right.agentive, left.target or right.target
            yield of_both(left, left, right, twice, agentive=agentive, target=target)


def _reached(start: Part, relation: str, backwards: bool) -> Expression:
    """Return what a relation leads to from a set, or from each of its members."""
    members = start.members or (start.expression,)
    reached = tuple(Reached(relation, backwards, member) for member in members)
    expression: Expression = reached[0] if len(reached) == 1 else Intersection(reached)
    names = names_of(start.expression)
    # Back along the same relation: to others than the one that it began at.
    if start.same is not None or (names and is_back(start.expression, relation, backwards)):
        return Difference(expression, union(names))
    return expression


def _has_conditions(expression: Expression) -> bool:
    """Return whether a set is more than a noun or a name: what follows belongs to the nearest of these."""
    return not isinstance(expression, Typed | Named | Union)


def _is_clause(part: Part) -> bool:
    """Return whether a part is what a noun at its beginning does: "ships call at", which is nobody's."""
    beginning = min(part.bindings, key=lambda binding: binding.start, default=None)
    return isinstance(part.expression, Reached) and beginning is not None and beginning.role is Role.TYPE


def _is_nameless(part: Part) -> bool:
    """Return whether words that no type is called by stand for any of a type that is not asked for."""
    return isinstance(part.expression, Typed) and part.framed and not part.target


def _restricting(expression: Expression) -> float:
    """Return what it costs that a set is a name that is restricted, 0 for any other.

    It costs more where that says nothing: "where was Kestrel built" asks nothing else of a built Kestrel.
    """
    if not _is_restricted_name(expression):
        return 0.0
    says_nothing = isinstance(expression, Intersection) and any(
        isinstance(part, Reached) and part.of == ANYTHING for part in expression.parts
    )
    return RESTRICTED_NAME + BURIED * says_nothing


def _is_restricted_name(expression: Expression) -> bool:
    """Return whether a name is restricted by more than a noun: "Leeds, which has a port"."""
    if isinstance(expression, Difference):
        return isinstance(expression.of, Named) or _is_restricted_name(expression.of)
    return (
        isinstance(expression, Intersection)
        and any(isinstance(part, Named) and len(part.nodes) == 1 for part in expression.parts)
        and any(not isinstance(part, Named | Typed) for part in expression.parts)
    )
