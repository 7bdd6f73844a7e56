"""The noun that a question asks for, marked among its slots."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from evidence_assets.kgqa.queries.algebra import Named, Typed
from evidence_assets.kgqa.slots.expressions import is_role
from evidence_assets.kgqa.slots.slots import Kind, Part, Slot
from evidence_assets.kgqa.words.derivations import is_plural
from evidence_assets.kgqa.words.word_classes import AUXILIARIES, DETERMINERS, LINKING, QUESTION_WORDS


def with_target(slots: Sequence[Slot], gaps: Sequence[Sequence[str]]) -> list[Slot]:
    """Return the slots with the noun that is asked for marked: "which books", "what is the oldest book"."""
    marked = list(slots)
    # Whom a leading "whose" asks for is marked already.
    owned = any(part.target for slot in slots[:1] for part in slot.parts)
    for place, slot in enumerate(() if owned else slots):
        kinds = {part.kind for part in slot.parts}
        before = gaps[place]
        asking = [word for word in before if word in QUESTION_WORDS]
        direct = bool(before) and before[-1] in DETERMINERS
        if asking and asking[-1] in ("who", "what", "which") and set(_after(before, asking[-1])) <= LINKING:
            steps = [part for part in slot.parts if part.kind is Kind.STEP]
            if steps and not _is_noun(slot):
                # "Who heads a ward": who does is asked for.
                asked_noun = direct and _is_followed_as_noun(slots, gaps, place)
                parts = tuple(
                    replace(part, target=True, noun=asked_noun and not part.framed) for part in slot.parts
                )
                marked[place] = replace(slot, parts=parts)
                return marked
        linked = bool(asking) and asking[-1] in ("who", "what", "which") and set(before) <= LINKING
        requested = place == 0 or all(
            part.kind is Kind.EMPTY for earlier in slots[:place] for part in earlier.parts
        )
        if Kind.COUNT in kinds or direct or linked or (requested and not asking and set(before) <= LINKING):
            noun = place + (Kind.COUNT in kinds)
            while not (direct and _is_named(slot)) and noun < len(slots) and not _is_noun(slots[noun]):
                if any(part.kind is Kind.STEP for part in slots[noun].parts):
                    return marked
                noun += 1
                if noun < len(slots) and gaps[noun] and set(gaps[noun]) - LINKING:
                    return marked
            if direct and _is_named(slot) and _is_compound(marked, gaps, place):
                noun = place + 2
                parts = tuple(replace(part, target=_is_typed(part)) for part in slots[noun].parts)
                marked[noun] = replace(slots[noun], parts=parts)
            elif direct and _is_named(slot):
                # "Which birds", of a group "bird".
                parts = tuple(replace(part, target=True) for part in slot.parts)
                marked[place] = replace(slot, parts=parts)
            elif noun < len(slots) and gaps[noun + 1][:1] != ("s",):
                parts = tuple(
                    replace(part, target=True) if _is_typed(part) else replace(part, cost=part.cost + 0.6)
                    for part in slots[noun].parts
                )
                marked[noun] = replace(slots[noun], parts=parts)
            return marked
        if asking:
            return marked
    return marked


def with_count_first(slots: Sequence[Slot]) -> tuple[list[Slot], bool]:
    """Return the slots, and whether "how many" stands after what it is said of: then it is taken out."""
    kinds = [{part.kind for part in slot.parts} for slot in slots]
    place = next((place for place, slot_kinds in enumerate(kinds) if Kind.COUNT in slot_kinds), 0)
    if not any(slot_kinds - {Kind.EMPTY} for slot_kinds in kinds[:place]):
        return list(slots), False
    parts = tuple(
        replace(part, kind=Kind.EMPTY) if part.kind is Kind.COUNT else part for part in slots[place].parts
    )
    return [*slots[:place], replace(slots[place], parts=parts), *slots[place + 1 :]], True


def _after(words: Sequence[str], word: str) -> Sequence[str]:
    """Return the words after the last occurrence of one of them."""
    return words[len(words) - list(reversed(words)).index(word) :]


def _is_compound(slots: Sequence[Slot], gaps: Sequence[Sequence[str]], place: int) -> bool:
    """Return whether a name and a verb say of the noun after them what it is like: "Leeds-based clubs"."""
    return (
        place + 2 < len(slots)
        and not gaps[place + 1]
        and not gaps[place + 2]
        and any(part.kind is Kind.STEP for part in slots[place + 1].parts)
        and _is_noun(slots[place + 2])
    )


def _is_followed_as_noun(slots: Sequence[Slot], gaps: Sequence[Sequence[str]], place: int) -> bool:
    """Return whether what follows a word makes a noun of it: "what capital has", "what capitals of".

    So does a verb next to a plural: "which deans supervise".
    """
    if {"of", *AUXILIARIES}.intersection(gaps[place + 1]):
        return True
    slot = slots[place]
    verb_next = any(
        part.kind is Kind.STEP for following in slots[place + 1 : place + 2] for part in following.parts
    )
    is_word = slot.end == slot.start + 1
    return verb_next and not gaps[place + 1] and is_word and is_plural(slot.parts[0].bindings[0].text.lower())


def _is_noun(slot: Slot) -> bool:
    return any(_is_typed(part) for part in slot.parts)


def _is_named(slot: Slot) -> bool:
    return any(isinstance(part.expression, Named) for part in slot.parts)


def _is_typed(part: Part) -> bool:
    return part.kind is Kind.SET and (isinstance(part.expression, Typed) or is_role(part.expression))
