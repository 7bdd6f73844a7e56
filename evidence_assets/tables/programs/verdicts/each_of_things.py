"""What a claim says of several things, read of one of them by its name and then said of each."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace

from evidence_assets.tables.programs.grammar.number_programs import Arithmetic, Count, Literal
from evidence_assets.tables.programs.grammar.row_programs import Either, Meet, Where, Without, rows_by_value
from evidence_assets.tables.programs.grammar.things import ThingsThat, parts_of, substituted
from evidence_assets.tables.programs.grammar.truth_programs import (
    All,
    Compare,
    Every,
    Not,
    OnlyThese,
    Share,
    Some,
)
from evidence_assets.tables.programs.grammar.types import Rows, Truth
from evidence_assets.tables.programs.links.grounding import GroundedClaim, ground_tokens
from evidence_assets.tables.programs.links.linking import Link
from evidence_assets.tables.programs.readings.parts.counters import Counter
from evidence_assets.tables.programs.readings.parts.proposal import (
    Bound,
    Proposal,
    are_so_many,
    binding,
    restricted,
    where,
)
from evidence_assets.tables.programs.readings.parts.quantified_things import quantified_claims
from evidence_assets.tables.programs.readings.parts.things import NAME, QuantifiedClaim
from evidence_assets.tables.programs.verdicts.missing_cells import surely
from evidence_assets.tables.programs.wording.claimed_shares import ClaimedShare
from evidence_assets.tables.programs.wording.words import Token, tokens

# Reads what is said of a thing: the programs that leave the least of it.
ReadClause = Callable[[GroundedClaim], Sequence[Proposal]]
# Ends the kinds of these programs.
BY_NAME = ", each by name"
# Kinds of program that say no more of a thing than that it is there, beside others.
_SAYING_NOTHING = frozenset({"single value", "co-occurrence by list", "co-occurrence by clause"})
# So many names are tried in the place of the things'.
_NAMES_TRIED = 3


def each_programs(claim: GroundedClaim, read_clause: ReadClause) -> Iterator[Proposal]:
    """Yield what a claim says of none, each, one alone or so many of some things."""
    for quantified in quantified_claims(claim):
        for saying in _sayings(claim, quantified, read_clause):
            yield from _proposals(claim, quantified, saying)


@dataclass(frozen=True, slots=True)
class _Saying:
    """What is said of each of some things. `bound`: of the claim's words, those that tell it."""

    of_each: ThingsThat
    scope: Rows
    bound: Bound


def _sayings(claim: GroundedClaim, quantified: QuantifiedClaim, read_clause: ReadClause) -> Iterator[_Saying]:
    scope = restricted(claim, quantified.scope)
    groups = _groups(claim, quantified, scope)
    if len(groups) < _FEWEST:
        return
    named = _said_of_one(claim, quantified, groups)
    if named is None:
        return
    clause, link, places = named
    it = where(clause, link)
    names = [_thing(claim, quantified.things.column, rows, link) for rows in groups]
    for proposal in read_clause(clause):
        pattern = substituted(proposal.program, it, replace(it, phrase="it"))
        if pattern is proposal.program or proposal.kind in _SAYING_NOTHING or _is_or_another(pattern):
            continue
        single = all(len(rows) == 1 for rows in groups) and _are_rows(claim, quantified)
        if proposal.kind.startswith("count") and single:
            # There is one row of a thing that is a row, whatever is counted.
            continue
        of_one = surely(clause, proposal)
        if quantified.quantifier == "none":
            pattern, of_one = _at_least(pattern), _at_least(of_one)
        said = tuple(substituted(of_one, it, name) for name in names)
        bound = {places[place]: target for place, target in proposal.bound.items() if places[place] != NAME}
        if bound:
            yield _Saying(ThingsThat(tuple(names), said, pattern), scope, bound)


def _at_least(program: Truth) -> Truth:
    """Return `has as many as B`, denied of all, as that it has no fewer."""
    match program:
        case Compare(left=Arithmetic(operation="/"), relation="=", right=Literal(1.0)):
            return replace(program, relation=">=")
    return program


def _are_rows(claim: GroundedClaim, quantified: QuantifiedClaim) -> bool:
    """Return whether things are rows, or stand in cells that tell more than who they are: `Ada - 6`."""
    things, table = quantified.things, claim.index.table
    tells_more = any(_NUMBER_BESIDE.search(cell.text) for cell in table.column(things.column))
    return things.by_row or things.column == table.label_column or tells_more


_NUMBER_BESIDE = re.compile(r"\s\(?\d")


def _is_or_another(pattern: Truth) -> bool:
    """Return whether a pattern joins a thing with what says which are meant: `it, or October's`."""
    either = (part for part in parts_of(pattern) if isinstance(part, Either))
    return any(isinstance(rows, Where) and rows.phrase == "it" for part in either for rows in part.parts)


# Of a single thing nothing is said of several.
_FEWEST = 2


def _groups(claim: GroundedClaim, quantified: QuantifiedClaim, scope: Rows) -> list[list[int]]:
    """Return the rows of each thing, in order."""
    rows = scope.run(claim.index).rows
    if quantified.things.by_row:
        return [[row] for row in sorted(rows)]
    return rows_by_value(claim.index, rows, quantified.things.column)


def _thing(claim: GroundedClaim, column: int, rows: Sequence[int], link: Link) -> Where:
    """Return the rows of a thing, by its value in a column."""
    of_thing = replace(link, places={column: frozenset(rows)}, full=frozenset({column}))
    return Where(of_thing, claim.index.table.rows[rows[0]][column].text.lower())


def _said_of_one(
    claim: GroundedClaim, quantified: QuantifiedClaim, groups: Sequence[Sequence[int]]
) -> tuple[GroundedClaim, Link, Sequence[int]] | None:
    """Return what is said with a thing's name in its place, grounded, the name's link, and of each word where
    it stands in the claim.
    """
    table, start = claim.index.table, quantified.said.index(NAME)
    texts = [table.rows[rows[0]][quantified.things.column].text for rows in groups]
    by_plainness = sorted(
        range(len(groups)),
        key=lambda n: (any(t.number is not None for t in tokens(texts[n])), len(tokens(texts[n]))),
    )
    for n in by_plainness[:_NAMES_TRIED]:
        name = tokens(texts[n])
        if not name:
            continue
        clause_tokens, places = _with_name(claim, quantified.said, name)
        clause = ground_tokens(clause_tokens, claim.index)
        link = next(
            (
                link
                for link in clause.links
                if (link.start, link.end) == (start, start + len(name))
                and quantified.things.column in link.places
            ),
            None,
        )
        if link is None or not link.places[quantified.things.column].issuperset(groups[n]):
            continue
        of_column = link.within([quantified.things.column])
        links = tuple(of_column if item is link else item for item in clause.links)
        return replace(clause, links=links), of_column, places
    return None


def _with_name(
    claim: GroundedClaim, said: Sequence[int], name: Sequence[Token]
) -> tuple[tuple[Token, ...], list[int]]:
    """Return the tokens of what is said with a name in its place, and where each stands in the claim.

    Behind the name, `with` becomes a verb: `the only nation without a medal` has no medal.
    """
    place = said.index(NAME)
    end = claim.tokens[said[place - 1]].end + 1 if place else 0
    moved = [
        replace(token, start=token.start + end, end=token.end + end, capital=token.cased and bool(place))
        for token in name
    ]
    pairs = [(claim.tokens[n], n) for n in said[:place]]
    pairs += [(token, NAME) for token in moved]
    behind = said[place + 1 :]
    verb = _HAVING.get(claim.texts[behind[0]], ()) if behind else ()
    pairs += [
        (replace(word, start=claim.tokens[behind[0]].start, end=claim.tokens[behind[0]].end), behind[0])
        for word in verb
    ]
    pairs += [(claim.tokens[n], n) for n in (behind[1:] if verb else behind)]
    return tuple(token for token, _ in pairs), [n for _, n in pairs]


_HAVING = {"with": tokens("have"), "without": tokens("have no")}


def _proposals(claim: GroundedClaim, quantified: QuantifiedClaim, saying: _Saying) -> Iterator[Proposal]:
    """Yield the claim of so many things, where it comes out the same whatever is unknown of some."""
    kind, program = _quantified_program(claim, quantified, saying)
    if any(truth.run(claim.index).truth is None for truth in saying.of_each.said):
        hopeful = replace(saying, of_each=replace(saying.of_each, unknown_hold=True))
        _, other = _quantified_program(claim, quantified, hopeful)
        if other.run(claim.index).truth != program.run(claim.index).truth:
            return
        if _may_be_so_many(claim, quantified, (saying, hopeful)):
            return
    links = [*quantified.scope, *quantified.named]
    numbers = [n for n in (quantified.whole, quantified.so_many_named) if n is not None]
    bound = binding(claim, links, [quantified.things.column], [*quantified.words, *numbers])
    yield Proposal(f"{kind}{BY_NAME}", program, {**bound, **saying.bound})


def _may_be_so_many(
    claim: GroundedClaim, quantified: QuantifiedClaim, sayings: tuple[_Saying, _Saying]
) -> bool:
    """Return whether a number lies between how many things are told to be so, and how many may be."""
    if not isinstance(quantified.quantifier, Counter):
        return False
    least, most = (len(saying.of_each.run(claim.index).rows) for saying in sayings)
    return least < quantified.quantifier.number < most


def _quantified_program(
    claim: GroundedClaim, quantified: QuantifiedClaim, saying: _Saying
) -> tuple[str, Truth]:
    """Return the kind of a claim of so many things, and its program."""
    holding, scope, quantifier = saying.of_each, saying.scope, quantified.quantifier
    if isinstance(quantifier, Counter):
        kind = "count"
        program: Truth = Compare(Count(holding), quantifier.relation, Literal(quantifier.number))
    elif isinstance(quantifier, ClaimedShare):
        kind, program = "majority", Share(scope, holding, quantifier.relation, quantifier.share)
    else:
        is_excepting = bool(quantified.named) and quantifier in {"none", "all"}
        kind = f"{quantifier} but" if is_excepting else quantifier
        program = _of_a_word(claim, quantified, saying)[kind]
    if quantified.whole is not None:
        program = All((program, are_so_many(claim, scope, quantified.whole)))
    if quantified.so_many_named is not None:
        named = restricted(claim, quantified.named)
        program = All((program, are_so_many(claim, named, quantified.so_many_named)))
    return kind, program


def _of_a_word(claim: GroundedClaim, quantified: QuantifiedClaim, saying: _Saying) -> dict[str, Truth]:
    """Return the programs of what is said of none, all or some alone of the things, by their kinds."""
    named, holding, scope = restricted(claim, quantified.named), saying.of_each, saying.scope
    every_one = quantified.so_many_named is not None
    each_named = tuple(
        Every(where(claim, link), holding) if every_one else Some(Meet((where(claim, link), holding)))
        for link in quantified.named
    )
    these_alone = All((OnlyThese(named, holding), *each_named))
    return {
        "none": Not(Some(holding)),
        "none but": these_alone,
        "all": Every(scope, holding),
        "all but": All((Every(Without(scope, named), holding), *map(Not, each_named))),
        "not all": Not(Every(scope, holding)),
        "only": these_alone,
        "not only": All((Some(Meet((named, holding))), Some(Without(holding, named)))),
    }
