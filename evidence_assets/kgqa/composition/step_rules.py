"""Rules of composing that follow a step: what it leads to from the set beside it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from evidence_assets.kgqa.composition.denotations import Denotations, Gap, is_subject_head
from evidence_assets.kgqa.composition.shapes_of_sets import is_nameless, restricting
from evidence_assets.kgqa.queries.algebra import (
    Difference,
    Expression,
    Extreme,
    Filtered,
    Intersection,
    Named,
    Reached,
    names_of,
)
from evidence_assets.kgqa.slots.composition_costs import (
    AGAINST_VOICE,
    BURIED,
    NAMELESS,
    OTHER_FORM,
    OTHER_PREPOSITION,
    RESTRICTED_NAME,
    SAID_TWICE,
    UNTYPED,
)
from evidence_assets.kgqa.slots.expressions import is_back, is_choice, is_measured_by, of_both, type_of, union
from evidence_assets.kgqa.slots.slots import ANYTHING, Kind, Part
from evidence_assets.kgqa.words.derivations import is_participle
from evidence_assets.kgqa.words.word_classes import ARTICLES, BE, HAVE, PREPOSITIONS, RELATIVES


class StepRules(Denotations):
    """What a step denotes together with a set beside it."""

    def _step_set(self, left: Part, right: Part, before: Gap, gap: Gap, after: Gap) -> Iterator[Part]:
        passive, of = "by" in gap, "of" in gap
        if is_measured_by(right.expression, left.relation) and not left.negated and not of:
            yield of_both(right, left, right)
        owned = before[-1:] == ("whose",) and set(gap) <= BE
        for part in self._stepped(left, right, passive, of, False, frozenset(gap) & PREPOSITIONS, owned):
            # "Are brewed with a hop" leads to what was brewed, not to who brewed it.
            doer = (
                bool({*before[-1:]} & BE)
                and not (passive or of or owned)
                and is_participle(left.bindings[0].text.split()[0].lower())
                and is_back(part.expression, left.relation, True)
                and self._lexicon.facts[left.relation].name_words[-1:] == ("by",)
            )
            yield replace(part, cost=part.cost + BURIED * doer, negated=left.negated != right.negated)

    def _set_step(self, left: Part, right: Part, before: Gap, gap: Gap, after: Gap) -> Iterator[Part]:
        # "The club that owns" is the club, whatever it owns.
        if left.negated or (gap[:1] and gap[0] in RELATIVES and type_of(left.expression)):
            return
        # "Leeds has suburbs", of a relation "suburb of": as "the suburbs of Leeds".
        facts = self._lexicon.facts.get(right.relation)
        owned = facts is not None and facts.noun_of and bool(HAVE & set(gap))
        possessive = "s" in gap or owned
        if is_measured_by(left.expression, right.relation) and not right.negated and not possessive:
            yield of_both(left, left, right)
        # "By whom was the skipper coached": the article is the noun's.
        leading = [word for word in before if word not in ARTICLES]
        passive = "by" in after[:1] or (bool(leading) and leading[-1] in BE and not possessive)
        prepositions = frozenset(after[:1]) & PREPOSITIONS
        # What a preposition stands before does nothing itself: "drugs against migraine do not cause".
        object_of = isinstance(left.expression, Named) and before[-1:] and before[-1] in PREPOSITIONS
        # "With Turkish as its target language": as "whose target language is Turkish".
        as_noun = gap[:1] == ("as",)
        is_subject = not possessive and not as_noun
        for part in self._stepped(right, left, passive, possessive, is_subject, prepositions, as_noun):
            cost = part.cost + RESTRICTED_NAME * (bool(object_of) and is_subject)
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
        if noun and step.at_head is not None:
            starts_at_head = owned != step.at_head
        elif noun:
            starts_at_head = owned == (facts.agent_first if step.agentive else facts.noun_of)
        elif subject:
            starts_at_head = is_subject_head(facts, passive)
        else:
            starts_at_head = facts.agent_first == passive
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
            against += restricting(start.expression) + OTHER_FORM * again
            against += OTHER_FORM * is_choice(start.expression) + NAMELESS * is_nameless(start)
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

    def _step_step(self, left: Part, right: Part, before: Gap, gap: Gap, after: Gap) -> Iterator[Part]:
        # "Led by pupils of Ada": they are not whom she led.
        another = right.framed and "by" in gap and after[:1] == ("of",)
        if left.relation == right.relation and not right.negated and not another:
            twice = SAID_TWICE * (left.framed or right.framed)
            agentive, target = left.agentive or right.agentive, left.target or right.target
            yield of_both(left, left, right, twice, agentive=agentive, target=target)


def walked_back(part: Part) -> Part:
    """Return who shares something, for what is shared: of "the same teacher as Ada" his other pupils."""
    if part.same is None:
        return part
    relation, backwards = part.same
    return replace(part, expression=_reached(part, relation, not backwards), same=None)


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
