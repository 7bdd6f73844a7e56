"""The lake from Python: ask a question, follow an answer to its sources, a source to its answers, see scores.

>>> import evidence_assets.api
>>> lake = evidence_assets.api.open("data_lake")
>>> lake.ask("Which mission of NASA flew to Saturn?")

Whatever is returned is a polars frame; `.to_arrow()` makes an Arrow table of it.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

from evidence_assets.lake.locations import absolute_root, default_root, is_of_a_project
from evidence_assets.orchestration.ask_choice import AskError, Wish

if TYPE_CHECKING:
    import polars as pl
    from duckdb import DuckDBPyConnection

    from evidence_assets.audit.exports.experiment import Exported
    from evidence_assets.orchestration.asking import Answered, Asker
    from evidence_assets.orchestration.workspace import Workspace

__all__ = ["AskError", "EvidenceLake", "open"]

_ANSWERS = """
SELECT predictions.prediction_id, system, arm, benchmark, question_id, question, predicted, (
        SELECT list(ranked.answer ORDER BY ranked.rank) FROM ranked_answers AS ranked
        WHERE ranked.system = predictions.system AND ranked.arm = predictions.arm AND ranked.returned
            AND ranked.benchmark = predictions.benchmark AND ranked.question_id = predictions.question_id
    ) AS answers, confidence, abstained, parse_status, unaccounted, (
        SELECT list(evidence.text ORDER BY used.rank)
        FROM prediction_evidence AS used JOIN evidence USING (evidence_id)
        WHERE used.prediction_id = predictions.prediction_id AND used.role = 'cited'
            AND used.candidate IN (-1, predictions.predicted_index)
    ) AS cited
FROM predictions JOIN questions USING (benchmark, question_id)
WHERE list_contains(?, predictions.prediction_id) ORDER BY system, arm
"""
_IMPACT = "SELECT * FROM impact(?)"
_SCORES = """
SELECT benchmark, system, arm, metric, value, low, high, n FROM benchmark_scores
WHERE len($1) = 0 OR list_contains($1, benchmark) ORDER BY ALL
"""


class EvidenceLake:
    """A lake that is asked questions. `workspace`: the lake with its configuration, stages and models."""

    def __init__(self, workspace: Workspace) -> None:
        self.workspace = workspace
        self._asker: Asker | None = None
        self._is_current = False

    def ask(
        self,
        question: str,
        options: Sequence[str] = (),
        *,
        table: str | Path | None = None,
        corpus: str = "",
        graph: str = "",
        systems: Sequence[str] = (),
        arms: Sequence[str] = (),
        generator: str = "",
    ) -> pl.DataFrame:
        """Answer a question from what is materialised; a row an arm, with the sentences that it cites.

        `predicted` is the best answer; `answers` are all of a system that ranks them, null of another.

        Raises:
            AskError: it cannot be asked so; the message says why, and the remedy.
        """
        for argument, text in {"corpus": corpus, "graph": graph, "generator": generator}.items():
            _text(argument, text)
        if table is not None and not isinstance(table, os.PathLike):
            _text("table", table)
        wish = Wish(corpus, graph, _texts("systems", systems), _texts("arms", arms), generator)
        answered = self.answer(question, options, None if table is None else Path(table), wish)
        return self.query(_ANSWERS, [list(answered.predictions)])

    def answer(
        self, question: str, options: Sequence[str] = (), table: Path | None = None, wish: Wish | None = None
    ) -> Answered:
        """Answer a question, and tell where its predictions stand.

        Raises:
            AskError: it cannot be asked so.
        """
        from evidence_assets.orchestration.asking import Asker

        _text("question", question)
        options = _texts("options", options)
        if self._asker is None:
            self._asker = Asker(self.workspace)
        return self._asker.ask(question, options, table, wish)

    def trace(self, prediction_id: str) -> pl.DataFrame:
        """Return what a prediction was given and cited, each down to the words of its source.

        Raises:
            TypeError: the id is no text.
            duckdb.InvalidInputException: there is no such prediction; the message says where ids are.
        """
        _text("prediction_id", prediction_id, TypeError)
        return self.query("SELECT * FROM trace(?)", [prediction_id])

    def impact(self, key: str) -> pl.DataFrame:
        """Return every prediction that rests on a source: an article, triple, table, concept, file, …

        Of an article that was renamed or removed, what was made of it and stands still.

        Raises:
            TypeError: the key is no text.
            duckdb.InvalidInputException: no source has that name, or had; the message tells the nearest.
        """
        import duckdb
        import polars as pl

        from evidence_assets.audit.former_articles import former_articles

        _text("key", key, TypeError)
        try:
            return self.query(_IMPACT, [key])
        except duckdb.InvalidInputException:
            with self.connection() as connection:
                former = former_articles(self.workspace.lake, connection, key)
            if not former:
                raise
        return pl.concat([self.query(_IMPACT, [article]) for article in former])

    def scores(self, *benchmarks: str) -> pl.DataFrame:
        """Return the scores of benchmarks, default of all: a row an arm and metric, with its interval.

        Raises:
            TypeError: a name is no text: each is an argument by itself.
            LookupError: neither the configuration nor the lake has a benchmark of that name.
        """
        from evidence_assets.lake.schemas import BENCHMARK_SCORES

        _texts("benchmarks", benchmarks, TypeError)
        scored = (place["benchmark"] for place in self.workspace.lake.partitions(BENCHMARK_SCORES))
        self.workspace.project.require_benchmarks(benchmarks, kept=scored)
        return self.query(_SCORES, [list(benchmarks)])

    def provenance(self, benchmark: str, system: str, arm: str) -> str:
        """Return an experiment's W3C provenance, in JSON-LD.

        Raises:
            TypeError: a name is no text.
            LookupError: it was never run, or there is no such benchmark, system or arm.
        """
        from evidence_assets.audit.exports.provenance import provenance

        return provenance(self._experiment(benchmark, system, arm))

    def lineage_events(self, benchmark: str, system: str, arm: str) -> list[dict[str, Any]]:
        """Return what made an experiment's tables, as OpenLineage events.

        Raises:
            TypeError: a name is no text.
            LookupError: it was never run, or there is no such benchmark, system or arm.
        """
        from evidence_assets.audit.exports.lineage_events import lineage_events

        return list(lineage_events(self._experiment(benchmark, system, arm)))

    def export(self, benchmark: str, system: str, arm: str, folder: str | Path) -> None:
        """Write an experiment's evidence into a folder, as an RO-Crate that needs neither lake nor program.

        Raises:
            TypeError: a name is no text.
            LookupError: it was never run or has no pages, there is no such benchmark, system or arm, or the
                folder holds something.
        """
        from evidence_assets.audit.exports.crate import write_crate

        write_crate(self.workspace.lake, self._experiment(benchmark, system, arm), Path(folder))

    def _experiment(self, benchmark: str, system: str, arm: str) -> Exported:
        """Return what is exported of an experiment.

        Raises:
            TypeError: a name is no text.
            UnknownNameError: it was never run, and a name of it is none: the message tells the nearest.
            LookupError: it was never run.
        """
        from evidence_assets.audit.exports.experiment import read_experiment
        from evidence_assets.lake.schemas import PREDICTIONS
        from evidence_assets.systems.registry import chosen_arm, systems_by_name

        for argument, text in {"benchmark": benchmark, "system": system, "arm": arm}.items():
            _text(argument, text, TypeError)
        workspace, place = self.workspace, {"system": system, "arm": arm, "benchmark": benchmark}
        answered = workspace.lake.partitions(PREDICTIONS)
        # What was answered is exported, though the configuration may name it no more.
        if place not in answered:
            workspace.project.require_benchmarks([benchmark], kept=(other["benchmark"] for other in answered))
            chosen_arm(f"{system}/{arm}", systems_by_name(workspace.systems), workspace.project)
        return read_experiment(workspace.lake, system, arm, benchmark)

    def query(self, sql: str, parameters: Sequence[Any] = ()) -> pl.DataFrame:
        """Return what SQL over the lake's views and macros gives; values from outside are `parameters`.

        Raises:
            TypeError: the SQL is no text.
            ValueError: it holds no statement.
        """
        import polars as pl

        _text("sql", sql, TypeError)
        with self.connection() as connection:
            rows = connection.sql(sql, params=list(parameters))
            if rows is None:
                raise ValueError(
                    f"sql: {sql!r} holds no statement; remedy: write one, such as FROM predictions"
                )
            return pl.DataFrame(rows.to_arrow_table())

    @contextmanager
    def connection(self) -> Iterator[DuckDBPyConnection]:
        """Yield a connection to the lake's catalogue, to be read from.

        Raises:
            OldLakeError: a version before this one wrote the lake.
            NewerLakeError: a later version wrote what it records.
        """
        from evidence_assets.lake import catalogue
        from evidence_assets.lake.migration import require_current
        from evidence_assets.lake.schemas import MATERIALIZATIONS

        if not self._is_current:
            require_current(self.workspace.lake, [MATERIALIZATIONS.name])
            self._is_current = True
        with catalogue.connect(self.workspace.lake) as connection:
            yield connection


def _texts(argument: str, values: object, error: type[Exception] = AskError) -> tuple[str, ...]:
    """Return the texts that an argument gives.

    Raises:
        AskError: it is one text, whose letters would be taken one by one, or holds what is no text; `error`
            names another kind of error.
    """
    if isinstance(values, str):
        listed = [part.strip() for part in values.split("|")]
        raise error(
            f"{argument} is one text, {values!r}, and a list is expected; remedy: {argument}={listed!r}"
        )
    if not isinstance(values, Iterable):
        raise error(
            f"{argument} is {values!r}, and a list of texts is expected; remedy: give one, or leave it out"
        )
    return tuple(_text(argument, value, error) for value in values)


def _text(argument: str, value: object, error: type[Exception] = AskError) -> str:
    if not isinstance(value, str):
        raise error(f"{argument}: {value!r} is no text; remedy: give it as text (str)")
    return value


def open(path: str | Path = "") -> EvidenceLake:
    """Open a lake: a folder or an object-store URI; default: `EVIDENCE_LAKE`, or the project's own.

    The configuration is the one that `EVIDENCE_SOURCES` names, or the project's own. Where a project's lake
    is to be, it is opened before it is made.

    Raises:
        TypeError: it is given what is no path.
        LookupError: there is no lake.
        ConfigurationError: the configuration cannot be used.
        StoreError: the store does not answer, or refuses.
    """
    from evidence_assets.lake import catalogue
    from evidence_assets.lake.lake import Lake
    from evidence_assets.orchestration.workspace import Workspace

    if not isinstance(path, str | os.PathLike):
        raise TypeError(f"path: {path!r} is no path; remedy: give a folder or a URI as text, or leave it out")
    root = absolute_root(str(path)) if str(path) else default_root()
    lake = Lake(root)
    # A project's lake may not be made yet.
    if root != default_root() and not is_of_a_project(root) and not lake.is_there():
        raise LookupError(
            f"there is no lake at {root}; remedy: name the folder or the URI of one, or make one: "
            "`evidence-assets demo` in a project's folder"
        )
    return EvidenceLake(Workspace.of(root, catalogue.cache_folder(lake)))
