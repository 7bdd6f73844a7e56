"""Rules of composing that make sets of sets: what is in both, lists, negations, the same of another."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from evidence_assets.kgqa.composition.denotations import Gap, is_subject_head
from evidence_assets.kgqa.composition.shapes_of_sets import (
    are_side_by_side,
    has_conditions,
    is_led_to,
    is_nameless,
    is_of_another,
    last_step,
)
from evidence_assets.kgqa.composition.unsaid_steps import UnsaidSteps
from evidence_assets.kgqa.queries.algebra import (
    Difference,
    Expression,
    Extreme,
    Named,
    Reached,
    Typed,
    Union,
    names_of,
)
from evidence_assets.kgqa.slots.composition_costs import (
    AGAINST_VOICE,
    LOOSE,
    MOST_OF_ALL,
    MOST_UNSAID,
    NAMELESS,
    OPEN,
    RESTRICTED_NAME,
    SAID_BEFORE,
    SAID_TWICE,
    UNSAID,
)
from evidence_assets.kgqa.slots.expressions import intersection, is_choice, is_named, of_both, union
from evidence_assets.kgqa.slots.slots import ANYTHING, Kind, Part
from evidence_assets.kgqa.words.word_classes import BE, PREPOSITIONS

_LACKING_ONE = frozenset(["no", "without"])


class SetRules(UnsaidSteps):
    """What a set denotes together with another set, or with a word such as "not", "and" or "the same"."""

    def _set_set(self, left: Part, right: Part, before: Gap, gap: Gap, after: Gap) -> Iterator[Part]:
        if "s" in gap and isinstance(right.expression, Extreme) and not is_choice(right.expression):
            yield from self._extreme_owned(left, right, right.expression, before, gap, after)
            return
        cost, bindings = left.cost + right.cost, (*left.bindings, *right.bindings)
        unsaid = left.unsaid + right.unsaid
        if left.negated:
            if right.negated:
                yield from self._both_negated(left, right)
            else:
                yield from self._apart_from(left, right)
            return
        if right.negated and right.expression == ANYTHING:
            return
        if right.negated:
            yield from self._without_again(left, right)
            if not gap:
                yield from self._sharing(left, right)
        of_another = is_of_another(left, right, gap)
        if not of_another and not is_led_to(right) and self._meet(left, right):
            expression = (
                Difference(left.expression, right.expression)
                if right.negated
                else intersection(left.expression, right.expression)
            )
            lacks = self._lacks(expression, left, right) + self._excludes_nothing(expression)
            target = left.target or right.target
            via = left.via or right.via
            # The noun, or the name, says what the phrase leads to.
            cost += NAMELESS * (is_nameless(left) or is_nameless(right)) - left.untyped - right.untyped
            cost += LOOSE * has_conditions(left.expression) + RESTRICTED_NAME * (
                right.negated and isinstance(left.expression, Named)
            )
            cost += AGAINST_VOICE * self._is_turned_round(left, right, gap)
            yield Part(Kind.SET, cost + lacks, bindings, expression, unsaid=unsaid, target=target, via=via)
            cost, unsaid = left.cost + right.cost, left.unsaid + right.unsaid
        if unsaid >= MOST_UNSAID:
            return
        # A possessive belongs to the noun after it, not before: "ports that Leeds's ships call at".
        if after[:1] != ("s",) or "of" in gap:
            yield from self._unsaid(left, right, gap, True)
        if not right.negated:
            yield from self._unsaid(right, left, gap, False)

    def _is_turned_round(self, subject: Part, verb: Part, gap: Gap) -> bool:
        """Return whether things of one type take part in a verb at the other end than it has its subject.

        "Puppets that are not modelled on another" are not those on which none is modelled.
        """
        step = verb.expression
        if not isinstance(step, Reached) or step.of != ANYTHING or verb.via is not None:
            return False
        types = self._types_of(subject.expression)
        if not all(self._starts(step.relation, backwards, types) for backwards in (False, True)):
            return False
        facts = self._lexicon.facts[step.relation]
        return step.backwards != is_subject_head(facts, passive=not BE.isdisjoint(gap))

    def _extreme_owned(
        self, left: Part, right: Part, extreme: Extreme, before: Gap, gap: Gap, after: Gap
    ) -> Iterator[Part]:
        """Yield "Ada's longest book": of hers, not the longest of all if it is hers."""
        for part in self._set_set(left, replace(right, expression=extreme.of), before, gap, after):
            if part.kind is Kind.SET and self._measured_by(part.expression, extreme.measure):
                expression = replace(extreme, of=part.expression)
                yield replace(part, cost=part.cost + self._lacks(expression, part), expression=expression)

    def _without_again(self, left: Part, right: Part) -> Iterator[Part]:
        """Yield a set without what its last step leads to from another: "calls at Leeds but not at York"."""
        step, types = last_step(left.expression), self._types_of(right.expression)
        # "Red but not built in Leeds" says anew what is so of what is taken away; "except Leeds" is of Leeds.
        names = right.preposition or isinstance(right.expression, Named | Union)
        names = names and all(binding.target != Kind.EXCEPT.value for binding in right.bindings)
        if step is None or not names or not self._starts(step.relation, step.backwards, types):
            return
        named_with = PREPOSITIONS.intersection(self._lexicon.facts[step.relation].name_words)
        if right.preposition and named_with and right.preposition not in named_with:
            return
        without = union(
            [Reached(step.relation, step.backwards, part) for part in right.members or (right.expression,)]
        )
        expression = Difference(left.expression, without)
        # That nothing remains is an answer here, not a sign of another meaning.
        cost = SAID_BEFORE + LOOSE * has_conditions(step.of) + self._excludes_nothing(expression)
        unsaid = left.unsaid + right.unsaid
        yield of_both(left, left, right, cost, expression=expression, unsaid=unsaid)

    def _both_negated(self, left: Part, right: Part) -> Iterator[Part]:
        if self._types_of(left.expression) & self._types_of(right.expression):
            yield of_both(left, left, right, expression=union((left.expression, right.expression)))

    def _apart_from(self, left: Part, right: Part) -> Iterator[Part]:
        """Yield "apart from Leeds, which towns have a port"."""
        names = isinstance(left.expression, Named | Union)
        excepted = any(binding.target == Kind.EXCEPT.value for binding in left.bindings)
        if names and excepted and self._types_of(left.expression) & self._types_of(right.expression):
            expression = Difference(right.expression, left.expression)
            yield of_both(right, left, right, self._excludes_nothing(expression), expression=expression)

    def _and_set(self, left: Part, right: Part, before: Gap, gap: Gap, after: Gap) -> Iterator[Part]:
        yield of_both(right, left, right, kind=Kind.LISTED, joint=left.kind)

    def _sharing(self, left: Part, right: Part) -> Iterator[Part]:
        """Yield what two verbs side by side, one of which names nothing, share with the name of the other.

        "Owned and run by Ada", "which Ada owns but does not run".
        """
        for verb, complete in ((left, right), (right, left)):
            opened, step = verb.expression, complete.expression
            if (
                verb.noun
                or not isinstance(opened, Reached)
                or not isinstance(step, Reached)
                or opened.of != ANYTHING
                or step.of == ANYTHING
                or not are_side_by_side(left, right, verb)
                or not self._starts(opened.relation, opened.backwards, self._types_of(step.of))
            ):
                continue
            shared = Reached(opened.relation, opened.backwards, step.of)
            pair = (shared, step) if verb is left else (step, shared)
            if right.negated:
                expression: Expression = Difference(*pair)
            else:
                expression = union(pair) if right.joint is Kind.OR else intersection(*pair)
            facts = self._lexicon.facts
            alike = facts[opened.relation].agent_first == facts[step.relation].agent_first
            cost = SAID_BEFORE - (UNSAID if verb.negated else OPEN)
            cost += AGAINST_VOICE * (alike != (opened.backwards == step.backwards))
            cost += self._lacks(expression, left, right) + self._excludes_nothing(expression)
            unsaid = left.unsaid + right.unsaid
            yield of_both(left, left, right, cost, expression=expression, unsaid=unsaid, via=None)

    def _set_listed(self, left: Part, right: Part, before: Gap, gap: Gap, after: Gap) -> Iterator[Part]:
        if not gap and not left.negated:
            yield from self._sharing(left, right)
        if not self._types_of(left.expression) & self._types_of(right.expression) or (
            left.negated and not right.negated
        ):
            return
        cost, bindings = left.cost + right.cost, (*left.bindings, *right.bindings)
        names = isinstance(left.expression, Named) and isinstance(right.expression, Named | Union)
        either = union((left.expression, right.expression))
        unsaid = left.unsaid + right.unsaid
        if right.negated and not left.negated:
            yield from self._without_again(left, right)
            if not isinstance(left.expression, Named) and not is_led_to(right):
                difference = Difference(left.expression, right.expression)
                yield Part(Kind.SET, cost, bindings, difference, unsaid=unsaid, target=left.target)
        elif left.negated:
            preposition = left.preposition
            yield Part(Kind.SET, cost, bindings, either, negated=True, preposition=preposition, unsaid=unsaid)
        elif right.joint is Kind.OR:
            if isinstance(left.expression, Typed) and not isinstance(right.expression, Typed):
                # "Companies or people own": not all companies, or what somebody owns.
                return
            lacks = self._lacks(either, left, right)
            yield Part(Kind.SET, cost + lacks, bindings, either, unsaid=unsaid, target=left.target)
        elif names:
            members = (left.expression, *(right.members or (right.expression,)))
            yield Part(Kind.SET, cost, bindings, either, members, unsaid=unsaid)
        elif not isinstance(left.expression, Typed) and not isinstance(right.expression, Named):
            expression = intersection(left.expression, right.expression)
            lacks = self._lacks(expression, left, right)
            yield Part(Kind.SET, cost + lacks, bindings, expression, unsaid=unsaid, target=left.target)

    def _all_of(self, left: Part, right: Part, before: Gap, gap: Gap, after: Gap) -> Iterator[Part]:
        """Yield all of a set, each by its name: what was reviewed by all critics of Leeds is so by each."""
        if right.negated or right.members or right.expression == ANYTHING or is_named(right.expression):
            return
        nodes = self._executor.nodes(right.expression).tolist()
        is_pair = left.bindings[0].text.lower() == "both"
        if not 0 < len(nodes) <= MOST_OF_ALL or (is_pair and len(nodes) != 2):
            return
        members = tuple(map(self._executor.named, nodes))
        yield of_both(right, left, right, expression=union(members), members=members, joint=Kind.ALL)

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
            # "Not made of steel", the verb passed over: its preposition takes up nothing said before.
            preposition = "" if left.cost else next((word for word in gap if word in PREPOSITIONS), "")
            yield of_both(right, left, right, -usual, negated=True, preposition=preposition)

    def _except(self, left: Part, right: Part, before: Gap, gap: Gap, after: Gap) -> Iterator[Part]:
        # "Apart from those that Ada won".
        those = "those" in gap and not isinstance(right.expression, Typed)
        if (those or isinstance(right.expression, Named | Union)) and not right.negated:
            yield of_both(right, left, right, negated=True)

    def _other(self, left: Part, right: Part, before: Gap, gap: Gap, after: Gap) -> Iterator[Part]:
        yield of_both(right, left, right)

    def _same(self, left: Part, right: Part, before: Gap, gap: Gap, after: Gap) -> Iterator[Part]:
        """Yield "the same city", to be completed by "as Leeds" or a name before it."""
        if right.kind is Kind.SET and names_of(right.expression) and not isinstance(right.expression, Named):
            # "The same boss as Ada": not Ada's boss, who is no other's.
            return
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
