"""One partition of a stage while it is made: its key, its inputs, its models and its log."""

from __future__ import annotations

import copy
import logging
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, TypeVar

import pyarrow as pa
from pydantic import BaseModel

from evidence_assets.lake.lake import Partition, PartitionVersion
from evidence_assets.lake.schemas import GENERATIONS, Table
from evidence_assets.progress import Progress, told
from evidence_assets.stages.declaration import Key, Metadata, Model, Stage, StageError

if TYPE_CHECKING:
    from evidence_assets.lake.lake import FileStore, Lake
    from evidence_assets.models.cached_encoder import CachedEncoder
    from evidence_assets.models.generation.adapters import Adapter
    from evidence_assets.models.generation.likelihood import LikelihoodModel
    from evidence_assets.models.generation.recorded import RecordedGenerator
    from evidence_assets.models.pair_scorer import PairScorer
    from evidence_assets.models.provider import MaskedLanguageModelSettings, Models
    from evidence_assets.stages.inputs import Inputs
    from evidence_assets.stages.withholding import Variants
    from evidence_assets.text.queries import ShortenedQuestions

_Settings = TypeVar("_Settings", bound=BaseModel)
WriteBeside = Callable[[Table, Partition, pa.Table], None]


class Step:
    """What a stage's `run` is handed. A model that the stage does not declare raises StageError.

    `settings`: an instance of the stage's settings; None for a stage without any. `write_beside`: writes and
    records a partition of a side table at once: what must outlive a run that dies. `selected`: of a stage
    whose tables can be made by themselves, those that are wanted. `version`: the version that is recorded of
    the partition. `shortened_questions`: what `shortened` returned last.
    """

    def __init__(
        self,
        stage: Stage,
        key: Key,
        inputs: Inputs,
        models: Models,
        lake: Lake,
        write_beside: WriteBeside,
        settings: BaseModel | None = None,
        log: logging.Logger | None = None,
        selected: Sequence[Table] = (),
        version: str = "",
    ) -> None:
        self.selected = tuple(selected) or stage.tables
        self.stage, self.key, self.inputs, self.settings = stage, key, inputs, settings
        self.log = log or logging.getLogger(f"evidence_assets.{stage.name}")
        self.generators: list[tuple[RecordedGenerator, str, Table | None]] = []
        self._models, self._lake, self._write_beside = models, lake, write_beside
        self._version = version
        self._encodes = False
        self._cut_pairs: int | None = None
        self.shortened_questions: ShortenedQuestions | None = None

    def of_variants(self, variants: Variants) -> Step:
        """Return this step with variants of the questions in the questions' place, its models the same."""
        of_variants = copy.copy(self)
        of_variants.inputs = self.inputs.of_variants(variants)
        return of_variants

    @property
    def encoder(self) -> CachedEncoder:
        """The text encoder, its vectors kept."""
        self._declared(Model.ENCODER)
        encoder = self._models.encoder
        if not self._encodes:
            self._encodes = True
            encoder.cut.clear()
        return encoder

    def shortened(self, questions: pa.Table) -> ShortenedQuestions:
        """Return what the encoder is given of questions and options that are longer than it takes.

        What was left out is shown when the partition is made.
        """
        from evidence_assets.text.queries import shorten_questions

        encoder = self.encoder
        self.shortened_questions = shorten_questions(questions, encoder.count_tokens, encoder.max_tokens)
        return self.shortened_questions

    @property
    def pair_scorer(self) -> PairScorer:
        """What scores a text against a query."""
        self._declared(Model.PAIR_SCORER)
        scorer = self._models.pair_scorer
        if self._cut_pairs is None:
            self._cut_pairs = scorer.cut
        return scorer

    @property
    def masked_lm(self) -> MaskedLanguageModelSettings:
        """Which masked language model is named, and what loads it."""
        self._declared(Model.MASKED_LM)
        return self._models.masked_lm

    def settings_as(self, kind: type[_Settings]) -> _Settings:
        """Return what the run sets, of the kind that the stage declares; the defaults where it sets nothing.

        Raises:
            ValidationError: the run sets something else.
        """
        return kind.model_validate(self.settings or {})

    @property
    def models(self) -> Models:
        """The models' settings, and the folder of what can be made again."""
        return self._models

    @property
    def files(self) -> FileStore:
        """Where files that are no tables, such as vector indexes, stand beside the lake's tables."""
        return self._lake

    def generator(self, name: str, table: Table | None = None, prefix: str = "") -> RecordedGenerator:
        """Return a language model whose every reply is kept in the lake, its budget that of the run.

        What the calls came to is shown when the partition is made: of `table`, each figure's name behind
        `prefix`, which tells apart what several models are asked for one table.

        Raises:
            GeneratorError: there is no such generator, or it cannot be loaded.
        """
        from evidence_assets.models.generation.recorded import RecordedGenerator

        self._declared(Model.GENERATOR)
        settings, budget = self._models.generator_settings(name), self._models.budget(name)

        def write(place: Mapping[str, str], rows: pa.Table) -> None:
            self._write_beside(GENERATIONS, place, rows)

        unrecorded = self._models.cache / "unrecorded_replies"
        recorded = RecordedGenerator(settings.load(name), self._lake, write, budget, unrecorded)
        self.generators.append((recorded, prefix, table))
        return recorded

    def likelihoods(self, generator: str, adapter: Adapter | None = None) -> LikelihoodModel:
        """Return what scores continuations with a generator's weights, and an adapter's if one is named.

        Raises:
            GeneratorError: there is no such generator, or it tells no likelihoods.
        """
        self._declared(Model.GENERATOR)
        return self._models.generator_settings(generator).load_likelihoods(generator, adapter)

    def generator_metadata(self) -> list[Metadata]:
        """Return what the calls of each language model came to."""
        return [
            Metadata(
                {f"{prefix}{figure}": value for figure, value in recorded.tally.metadata().items()}, table
            )
            for recorded, prefix, table in self.generators
        ]

    def encoder_metadata(self) -> list[Metadata]:
        """Return how much was longer than encoder and scorer take, where anything was."""
        shown = self.shortened_questions.shown() if self.shortened_questions else {}
        if self._encodes and (cut := len(self._models.encoder.cut)):
            shown["texts_cut_by_encoder"] = cut
            limit = self._models.encoder.max_tokens
            self.log.warning(
                f"{cut} texts are longer than the encoder takes ({limit} tokens): their ends are cut"
            )
        if self._cut_pairs is not None and (cut := self._models.pair_scorer.cut - self._cut_pairs):
            shown["pairs_cut_by_scorer"] = cut
        return [Metadata(shown)] if shown else []

    def progress(self, what: str) -> Progress:
        """Return a progress callback, (done, total), for what is counted: "questions"."""
        return told(what)

    def output(self, table: Table, place: Partition, columns: Sequence[str] | None = None) -> pa.Table:
        """Read back what this step has just written: no input, and not recorded as one."""
        if table not in self.stage.tables:
            raise StageError(
                f"stage {self.stage.name} does not write {table.name}; remedy: read it as an input"
            )
        return self._lake.read(table, place, columns)

    def standing(self, table: Table, place: Partition) -> pa.Table | None:
        """Return the rows that stand now, whoever wrote them; None where none do, or damaged ones.

        They are no input, and not recorded as one.
        """
        found = self._lake.undamaged(table, place)
        return None if found is None else found[1]

    def made_before(self, table: Table, place: Partition) -> tuple[pa.Table, frozenset[PartitionVersion]]:
        """Return the rows that an earlier run of this version wrote here, and the versions they are made of.

        Neither where there are none, where they are damaged, or where nothing is recorded of them. The rows
        are no input, and not recorded as one: what is made from them must be what all inputs would give.
        """
        rows_before = self._lake.undamaged(table, place)
        record = None if rows_before is None else self._lake.record_of(rows_before[0])
        if rows_before is None or record is None or record["code_version"] != self._version:
            return table.schema.empty_table(), frozenset()
        return rows_before[1], frozenset(PartitionVersion(**version) for version in record["upstream"])

    def _declared(self, model: Model) -> None:
        if model not in self.stage.models:
            raise StageError(
                f"stage {self.stage.name} uses the {model} undeclared; remedy: add it to `models`"
            )
