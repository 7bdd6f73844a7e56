"""Features of a program proposed for a free question, by which it is ranked.

They are forms, kinds and shares; none is a word of the question or of the table.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping, Sequence

from evidence_assets.reading.log_linear import Features
from evidence_assets.tables.programs.links.linking import is_weak
from evidence_assets.tables.programs.questions.question_programs import QuestionProgram
from evidence_assets.tables.programs.questions.target_features import MANY, column_type, target_features
from evidence_assets.tables.programs.questions.wording.asked_nouns import (
    PEOPLE,
    kind_of_persons,
    tells_places,
)
from evidence_assets.tables.programs.questions.wording.question_wording import Wording
from evidence_assets.tables.programs.verdicts.leftovers.claim_accounting import GRAVITY, Left


def question_features(
    wording: Wording, proposal: QuestionProgram, values: Sequence[str], carrying: Mapping[int, Left]
) -> Features:
    """Return the features of a program, the values that it comes to among them."""
    names = [f"kind {proposal.kind}", f"kind {proposal.kind}, asked {wording.form}"]
    names += [f"rows by {proposal.selection.kind}, {proposal.kind}"]
    names += [f"{proposal.kind}, with {trigger}" for trigger in wording.triggers]
    names += [f"rows by {proposal.selection.kind}, with {trigger}" for trigger in wording.triggers]
    names += [f"{proposal.kind}, head {wording.head}, asked {wording.form}"]
    names += [f"rows by {proposal.selection.kind}, head {wording.head}"]
    if wording.asks_for_the_extreme:
        names.append(f"{proposal.kind}, the extreme is asked for, head {wording.head}")
        names.append(f"{proposal.kind}, the extreme is asked for, noun {wording.noun}")
    noun = wording.noun
    names += [f"{proposal.kind}, noun {noun}", f"{proposal.kind}, noun {noun}, asked {wording.form}"]
    if proposal.column is not None:
        named = "named" if proposal.column in wording.named else "unnamed"
        content = column_type(wording.claim.index, proposal.column)
        names += [f"target {named}, noun {noun}", f"target of {content}, {named}, noun {noun}"]
    unread = sum(grade is Left.WORD and n not in proposal.bound for n, grade in carrying.items())
    names += target_features(wording, proposal, unread)
    names += _of_sum(wording, proposal)
    names += _of_measure(wording, proposal, unread)
    names += _of_values(wording, proposal, values)
    naming = "no column" if proposal.column is None else wording.named.get(proposal.column, "unnamed")
    names.append(f"target {naming}, {min(unread, 2)} words unread")
    names.append(f"{proposal.kind}, {min(unread, 2)} words unread")
    return dict.fromkeys(names, 1.0) | _of_links(wording, proposal) | _of_rest(proposal, carrying)


def none_features(wording: Wording, left: Sequence[Left]) -> Features:
    """Return the features of no program being right. `left`: the gravest that each program leaves."""
    proposals = len(left)
    least = min(left, key=GRAVITY.__getitem__, default=Left.DECISIVE)
    captioned = "of a captioned table" if wording.claim.index.caption else "of a table without caption"
    return {
        f"none, least left: {least}": 1.0,
        f"none, least left: {least}, {captioned}": 1.0,
        "none": 1.0,
        f"none, asked {wording.form}": 1.0,
        "none, programs": math.log1p(proposals) / 5,
        "none, words unknown": _few(len(wording.claim.linked.unknown)),
        **{f"none, with {trigger}": 1.0 for trigger in wording.triggers},
        f"none, head {wording.head}, asked {wording.form}": 1.0,
        "none, attribute lacking": float(wording.lacks_attribute),
        f"none, noun {wording.noun}, asked {wording.form}": 1.0,
        f"none, noun {wording.noun}, {captioned}": 1.0,
        "none, what one did": float(wording.asks_what_one_did),
        f"none, noun {wording.noun}, least left: {least}": 1.0,
        f"none, asked {wording.form}, {_whether_told(wording)}": 1.0,
    }


def _whether_told(wording: Wording) -> str:
    """Return whether any column tells people where it asks who, places where it asks where."""
    index, columns = wording.claim.index, range(wording.claim.index.table.columns)
    is_told = True
    if wording.form == "who":
        is_told = any(kind_of_persons(index, column) == PEOPLE for column in columns)
    if wording.form == "where":
        is_told = any(tells_places(index, column) for column in columns)
    return "told" if is_told else "untold"


def _few(count: int) -> float:
    return min(count, MANY) / MANY


def _of_sum(wording: Wording, proposal: QuestionProgram) -> list[str]:
    """Return what is summed up, and whether rows are counted where a column tells how many."""
    counted = [f"{proposal.kind}, amounts are told"] if wording.amount.amounts else []
    column = proposal.summed
    if column is None:
        return counted
    kind = proposal.kind
    features = [f"{kind} of a column {wording.named.get(column, 'unnamed')}"]
    features += [f"{kind} of a column in the unit asked for"] if column in wording.amount.in_unit else []
    features += [f"{kind} of how long, asked so"] if column in wording.amount.lasting else []
    features += [f"{kind} of amounts told"] if column in wording.amount.amounts else []
    is_meant = column in wording.named or column in wording.amount.amounts
    features += [f"{kind} of what is meant, a total is asked for"] if is_meant and wording.of("total") else []
    return [*counted, *features]


def _of_measure(wording: Wording, proposal: QuestionProgram, unread: int) -> list[str]:
    column = proposal.selection.measure
    if column is None:
        return []
    index = wording.claim.index
    content = column_type(index, column)
    naming = wording.named.get(column, "unnamed")
    rival = ", another is named" if naming == "unnamed" and _names_numbers(wording) else ""
    kind = proposal.selection.kind
    features = [
        f"measure of {content}, {kind}",
        f"measure {naming}{rival}",
        f"measure {naming}{rival}, {kind}",
        f"measure {naming}, {min(unread, 2)} words unread",
    ]
    if column == index.table.label_column:
        features.append("measure is the label")
    if any(extreme.temporal for extreme in wording.claim.superlatives):
        features.append(f"measure of {content}, an extreme in time")
    if column in wording.resembled:
        features.append("measure resembles a word")
    if column in wording.measured:
        features.append("measure is of the dimension told")
    features.append(f"measure in place {min(column, MANY)}")
    return features


def _names_numbers(wording: Wording) -> bool:
    index = wording.claim.index
    return any(index.is_numeric(column) or column in index.years for column in wording.named)


def _of_values(wording: Wording, proposal: QuestionProgram, values: Sequence[str]) -> list[str]:
    several = ("no", "one", "two")[len(values)] if len(values) <= 2 else "many"
    words = {token.text for token in wording.claim.tokens}
    phrase = f" {' '.join(wording.claim.texts)} "
    inside = sum(f" {value.lower()} " in phrase or value.lower() in words for value in values)
    alternative = "alternatives" if wording.of("or") else "no alternatives"
    features = [f"{several} values, asked {wording.form}", f"{several} values, {proposal.kind}"]
    if inside and values:
        features.append(f"{'all' if inside == len(values) else 'some'} of it said, {alternative}")
    elif values and wording.of("or"):
        features.append("none of it said, alternatives")
    everything = len(wording.claim.index.rows)
    if any(link.number == everything for link in proposal.selection.links):
        features.append("a value says how many rows there are")
    singles = sum(len(link.rows) == 1 for link in proposal.selection.links)
    if proposal.kind == "count" and values[0] == f"{singles}":
        features.append("counts what is named one by one")
    if proposal.column is None and values[0] in {"0", "1"}:
        features.append(f"comes to {values[0]}, {proposal.kind}")
    return features


def _of_links(wording: Wording, proposal: QuestionProgram) -> dict[str, float]:
    """Return how much of the question's values is used, and how surely they are its values."""
    links = wording.claim.links
    used = proposal.selection.links
    places = {link.start for link in used}
    unused = [link for link in links if link.start not in places]
    kind = "a count" if proposal.column is None else "cells"
    return {
        "values unused that are weak": _few(sum(map(is_weak, unused))),
        "values unused that are whole cells": _few(sum(bool(link.full) for link in unused)),
        "values unused": _few(len(unused)),
        f"values unused, {kind}": _few(len(unused)),
        "values unused of several words": _few(sum(link.words > 1 for link in unused)),
        "values unused that are bounds": _few(sum(bool(link.bound) for link in unused)),
        "values used that are weak": _few(sum(map(is_weak, used))),
        "values used that are whole cells": _few(sum(bool(link.full) for link in used)),
        "values used of several words": _few(sum(link.words > 1 for link in used)),
        "values used that are bounds": _few(sum(bool(link.bound) for link in used)),
        "values used of several columns": _few(sum(len(link.places) > 1 for link in used)),
        "values used": _few(len(used)),
        f"no value used, {kind}": float(not used and bool(links)),
        f"no value said, {kind}": float(not links),
    }


def _of_rest(proposal: QuestionProgram, carrying: Mapping[int, Left]) -> dict[str, float]:
    grades = Counter(grade for position, grade in carrying.items() if position not in proposal.bound)
    total = grades.total()
    return {
        **{f"left: {grade}": _few(count) for grade, count in grades.items()},
        **{f"any left: {grade}": 1.0 for grade in grades},
        "left, share": total / max(1, len(carrying)),
        "nothing left": float(not total),
    }
