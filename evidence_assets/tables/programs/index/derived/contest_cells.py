"""What a table's columns tell of contests: outcomes, scores of two sides, and who the sides were."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from itertools import combinations, pairwise

from evidence_assets.tables.programs.index.table_index import TableIndex
from evidence_assets.tables.programs.wording.contest_words import DRAW, LOSE, OUTCOMES_BY_LETTER, WIN
from evidence_assets.tables.programs.wording.words import Token, word_key, word_keys

# The numbers of both sides: `131 - 70`, `2:1`, `w 27 - 13`, `38 - 3 w`, `3 - 1 (aet)`.
_SCORE = re.compile(
    r"(?:[a-z]+\W+)?(\d{1,4}) ?[-–:] ?(\d{1,4})(?: ?[a-z]{1,4})?(?: ?[(\[].*)?", re.IGNORECASE
)
# Cells that open or close with an outcome, as keys, and the letter that it is told by here.
_LETTERS = {WIN: "W", LOSE: "L", DRAW: "D"}
_OUTCOMES = {
    **_LETTERS,
    "tie": "D",
    **{key: _LETTERS[outcome] for key, outcome in OUTCOMES_BY_LETTER.items()},
}
_RUNNER_UP = ("runner", "-", "up")
# Most of the cells of a column tell what the column is for.
_SHARE = 0.8
_LEAST_ROWS = 2
# Headers, as keys, of two sides, the first of each pair before the second; of some the header tells who won.
_WON, _BEATEN = word_key("winner"), word_keys("loser runner defeated finalist")
_SIDES = frozenset(
    frozenset(map(word_key, pair.split()))
    for pair in ("home away", "home visitor", "home guest", "host guest", "host visitor", "home visiting")
)
_LETTERED = frozenset({("a", "b"), ("1", "2")})

Numbers = dict[int, tuple[float, float]]


@dataclass(frozen=True, slots=True)
class Sides:
    """Two columns of who met, and what each had. `sources`: of the first's number and of the second's.

    `told`: how contests ended for the first, where a column names who won.
    """

    names: tuple[int, int]
    scores: Numbers
    sources: tuple[int, int]
    told: Mapping[int, str] = field(default_factory=dict)

    def outcome(self, index: TableIndex, row: int) -> str:
        """Return how a contest ended for the first side: W, L or D; empty where the table does not tell."""
        if self.told:
            return self.told.get(row, "")
        heads = [frozenset(index.headers[column]) for column in self.names]
        if _WON in heads[0] and not _BEATEN.isdisjoint(heads[1]):
            return "W"
        if _WON in heads[1] and not _BEATEN.isdisjoint(heads[0]):
            return "L"
        return outcome_of(*self.scores[row]) if row in self.scores else ""


def outcome_of(first: float, second: float) -> str:
    """Return how a contest ended for the side of the first of two numbers."""
    return "W" if first > second else "L" if first < second else "D"


def sides_of(index: TableIndex) -> Sides | None:
    """Return the two sides of each row; None where rows are no contests of two."""
    of_each = (next(sides(index), None) for sides in (_of_two_scores, _of_one_score, _of_named_winners))
    return next((sides for sides in of_each if sides is not None), None)


def _of_two_scores(index: TableIndex) -> Iterator[Sides]:
    """Yield two columns of names that two of numbers are headed by: home team, home team score."""
    numeric = index.numeric_columns
    named = [c for c in range(index.table.columns) if c not in numeric and index.headers[c]]
    for first in named:
        for second in named:
            for score in numeric:
                measure = _told_of(index, first, score)
                other = next((c for c in numeric if measure and _told_of(index, second, c) == measure), None)
                if second <= first or other is None or other == score:
                    continue
                scores = {
                    row: (index.series[score][row], index.series[other][row])
                    for row in sorted(index.rows - index.summaries)
                    if row in index.series[score] and row in index.series[other]
                }
                if len(scores) >= max(_LEAST_ROWS, _SHARE * len(index.rows)):
                    yield Sides((first, second), scores, (score, other))


def _told_of(index: TableIndex, name: int, number: int) -> tuple[str, ...]:
    """Return what a header says behind another's words: `score` of `home team score`; empty for none."""
    of_name, words = index.headers[name], index.headers[number]
    if words[: len(of_name)] == of_name:
        return words[len(of_name) :]
    if len(of_name) < 2:
        return ()
    # Of `home team` also `home score`, of `player 1` also `legs 1`.
    if words[:1] == of_name[:1]:
        return words[1:]
    lettered = any(_last_word(index, name) == _last_word(index, number) in pair for pair in _LETTERED)
    return words[:-1] if lettered else ()


def _last_word(index: TableIndex, column: int) -> str:
    return index.table.header[column].lower().split()[-1]


def _of_one_score(index: TableIndex) -> Iterator[Sides]:
    """Yield two columns of opposed names beside one of both their numbers: home, score, away."""
    columns = range(index.table.columns)
    scored = [(column, scores) for column in columns if (scores := scores_of(index, column))]
    for first in columns:
        for second in range(first + 1, index.table.columns):
            if scored and _are_opposed(index, first, second):
                # What stands between the two is theirs.
                column, scores = min(scored, key=lambda item: not first < item[0] < second)
                yield Sides((first, second), scores, (column, column))


def _of_named_winners(index: TableIndex) -> Iterator[Sides]:
    """Yield two columns of names of which a third names one in each row, the winner."""
    winners = [column for column, keys in enumerate(index.headers) if _WON in keys]
    names = [c for c in range(index.table.columns) if not index.is_numeric(c) and c not in winners]
    for column in winners:
        for first, second in combinations(names, 2):
            outcomes = {row: _winner_of(index, row, column, (first, second)) for row in sorted(index.rows)}
            named = {row: outcome for row, outcome in outcomes.items() if outcome}
            if len({*named.values()}) > 1 and len(named) == len(outcomes):
                yield Sides((first, second), {}, (column, column), named)


def _winner_of(index: TableIndex, row: int, column: int, names: tuple[int, int]) -> str:
    """Return how a contest ended for the first of two sides, by the name of its winner; empty for neither."""
    winner, (first, second) = index.keys[row, column], (index.keys[row, name] for name in names)
    return "" if first == second else "W" if winner == first else "L" if winner == second else ""


def _are_opposed(index: TableIndex, first: int, second: int) -> bool:
    """Return whether headers say that two columns tell who met: home and away, winner and loser, A and B."""
    heads = [index.headers[column] for column in (first, second)]
    if index.numeric((first, second)) or scores_of(index, first) or scores_of(index, second):
        # Numbers of what was won at home and away name nobody.
        return False
    ends = tuple(_last_word(index, column) for column in (first, second))
    if ends in _LETTERED:
        return True
    apart = frozenset(key for head in heads for key in head if not all(key in other for other in heads))
    won = _WON in apart and not _BEATEN.isdisjoint(apart)
    return apart in _SIDES or won


def scores_of(index: TableIndex, column: int) -> Numbers:
    """Return the two numbers of each row of a column of scores; empty for other columns."""
    if column in index.dated or column in index.clocks or column in index.years:
        return {}
    matches = {
        row: match
        for row in sorted(index.rows - index.summaries)
        if (match := _SCORE.fullmatch(index.table.rows[row][column].text.strip()))
    }
    scores = {row: (float(match[1]), float(match[2])) for row, match in matches.items()}
    filled = sum(bool(index.cells[row][column]) for row in index.rows)
    if len(scores) < max(_LEAST_ROWS, _SHARE * filled) or _are_records(scores):
        return {}
    return scores


def _are_records(scores: Numbers) -> bool:
    """Return whether pairs count what was won and lost so far: each counts one contest more than the last."""
    played = [sum(scores[row]) for row in sorted(scores)]
    steps = [after - before for before, after in pairwise(played)]
    return sum(step == 1 for step in steps) >= _SHARE * len(steps)


def outcomes_of(index: TableIndex) -> tuple[int, Mapping[int, str]] | None:
    """Return the column that tells how rows ended for what they are of, and its outcomes; None without.

    Where nothing is lost or drawn, as of prizes won and nominations, rows are no contests.
    """
    for column in range(index.table.columns):
        outcomes = {
            row: outcome for row in sorted(index.rows) if (outcome := _outcome_in(index.cells[row][column]))
        }
        filled = sum(bool(index.cells[row][column]) for row in index.rows)
        is_told = len(outcomes) >= max(_LEAST_ROWS, _SHARE * filled)
        if is_told and len({*outcomes.values()}) > 1:
            return column, outcomes
    return None


def _outcome_in(cell: tuple[Token, ...]) -> str:
    """Return the outcome that a cell opens or closes with."""
    if tuple(token.text for token in cell[:3]) == _RUNNER_UP:
        return "L"
    if sum(token.number is not None for token in cell) == 1:
        # `Won 3` is how many were won on end.
        return ""
    ends = (token for token in (*cell[:1], *cell[-1:]) if token.key in _OUTCOMES)
    return next((_OUTCOMES[token.key] for token in ends), "")


def told_for_and_against(
    index: TableIndex, outcomes: Mapping[int, str], place: int
) -> tuple[Numbers, tuple[int, int]]:
    """Return what rows have for and against them, and the columns that tell it. `place`: of the outcomes.

    Of two numbers that a cell tells, the winner's is the greater; two columns beside each other tell it if
    all outcomes follow from them. Nothing where no column tells it.
    """
    columns = range(index.table.columns)
    for column in (place, *columns):
        scores = {row: score for row, score in scores_of(index, column).items() if row in outcomes}
        if scores and _follow_a_rule(scores, outcomes):
            return {row: _for_and_against(score, outcomes[row]) for row, score in scores.items()}, (
                column,
                column,
            )
    for first in index.numeric(columns):
        for second in index.numeric(c for c in (first + 1, first - 1) if c in columns):
            series, other = index.series[first], index.series[second]
            rows = series.keys() & other.keys() & outcomes.keys()
            if (
                rows
                and len(rows) == len(outcomes) > _LEAST_ROWS
                and all(outcome_of(series[row], other[row]) == outcomes[row] for row in rows)
            ):
                return {row: (series[row], other[row]) for row in sorted(rows)}, (first, second)
    return {}, (0, 0)


def _follow_a_rule(scores: Numbers, outcomes: Mapping[int, str]) -> bool:
    """Return whether scores are told the row's number first, or the winner's, by the outcomes of rows."""
    drawn = [(first == second) == (outcomes[row] == "D") for row, (first, second) in scores.items()]
    row_first = [outcome_of(*score) == outcomes[row] for row, score in scores.items()]
    winner_first = [first >= second for first, second in scores.values()]
    rules = (row_first, winner_first)
    return all(sum(kept) >= _SHARE * len(kept) for kept in (drawn, max(rules, key=sum)))


def _for_and_against(score: tuple[float, float], outcome: str) -> tuple[float, float]:
    high, low = max(score), min(score)
    return (low, high) if outcome == "L" else (high, low)


# A header of what rows have for them and against them, in one cell.
_FOR_AND_AGAINST = re.compile(r"\bf ?[-–/] ?a\b|\bfor ?[-–/] ?against\b", re.IGNORECASE)


def told_in_order(index: TableIndex) -> tuple[Numbers, tuple[int, int]]:
    """Return the scores of a column whose header says that the first is the row's: `result f - a`."""
    for column, name in enumerate(index.table.header):
        if _FOR_AND_AGAINST.search(name) and (scores := scores_of(index, column)):
            return scores, (column, column)
    return {}, (0, 0)
