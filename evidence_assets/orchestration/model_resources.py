"""Models as Dagster resources: the profile names them, every field can be overridden."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from pathlib import Path
from typing import Any

import dagster as dg
from pydantic import PrivateAttr

from evidence_assets.lake.schemas import GENERATIONS
from evidence_assets.models.cached_encoder import CachedEncoder
from evidence_assets.models.encoder import (
    Encoder,
    SentenceTransformerEncoder,
    load_encoder,
    packaged_minilm,
)
from evidence_assets.models.generation.protocol import GeneratorError
from evidence_assets.models.generation.recorded import Budget, RecordedGenerator
from evidence_assets.models.generation.settings import GeneratorSettings
from evidence_assets.models.masked_lm import TransformersMaskedLanguageModel, load_masked_lm
from evidence_assets.models.pair_scorer import EncoderSimilarity, PairScorer, load_cross_encoder
from evidence_assets.models.profiles import Profile, current_profile
from evidence_assets.models.text_to_text import TransformersTextToText, load_text_to_text
from evidence_assets.orchestration.asset_defaults import logged
from evidence_assets.orchestration.lake_resource import Step


class EncoderResource(dg.ConfigurableResource):  # type: ignore[type-arg]
    """The text encoder. Empty fields come from the profile (`EVIDENCE_PROFILE`)."""

    profile: str = ""
    name: str = ""
    location: str = ""
    revision: str = ""
    device: str = ""
    chunk_tokens: int = 0
    pool_size: int = 0

    def chosen(self) -> Profile:
        """Return the profile these fields override."""
        return current_profile(self.profile or None)

    def body(self) -> str:
        """Return the folder or hub name that the encoder is loaded from."""
        return self.location or self.chosen().encoder_location or packaged_minilm()

    def load(self) -> SentenceTransformerEncoder:
        """Return the encoder, loaded once a process."""
        profile = self.chosen()
        location = self.body()
        revision = self.revision or (None if self.location else profile.encoder_revision)
        return load_encoder(
            self.name or self.location or profile.encoder_name, location, revision, self.device or None
        )

    def cached(self, folder: Path, context: dg.AssetExecutionContext | None = None) -> CachedEncoder:
        """Return the encoder, its vectors remembered under `folder`; the run's log is told of long work."""
        told = None if context is None else logged(context, self.chosen().encoder_name, "texts encoded")
        return CachedEncoder(self.load(), folder / "vectors", progress=told)

    def tokens_per_chunk(self) -> int:
        """Return the longest chunk: the profile's, or less where the encoder takes less."""
        wanted = self.chunk_tokens or self.chosen().chunk_tokens
        return min(wanted, self.load().max_tokens)

    def candidates_per_query(self) -> int:
        """Return R, the size of a first-stage pool."""
        return self.pool_size or self.chosen().pool_size


class PairScorerResource(dg.ConfigurableResource):  # type: ignore[type-arg]
    """What scores a text against a query. Empty fields come from the profile (`EVIDENCE_PROFILE`)."""

    profile: str = ""
    location: str = ""
    revision: str = ""
    device: str = ""

    def load(self, encoder: Encoder) -> PairScorer:
        """Return the cross-encoder that is named; where none is, the encoder stands in."""
        location = self.location or current_profile(self.profile or None).cross_encoder_location
        if not location:
            return EncoderSimilarity(encoder)
        return load_cross_encoder(location, self.revision or None, self.device or None)


class MaskedLanguageModelResource(dg.ConfigurableResource):  # type: ignore[type-arg]
    """What triples are mined from. Empty fields come from the profile (`EVIDENCE_PROFILE`).

    `sentence_maker`: a text-to-text model that joins keywords to prompts; empty: authored connectives.
    """

    profile: str = ""
    location: str = ""
    revision: str = ""
    device: str = ""
    sentence_maker: str = ""
    sentence_maker_revision: str = ""

    def named(self) -> str:
        """Return the model's folder or hub name; empty where it is made from a corpus."""
        return self.location or current_profile(self.profile or None).masked_lm_location

    def fingerprint(self) -> str:
        """Return what changes when the named model does: the hub's commit, or a hash of a folder's files.

        Raises:
            OSError: the hub cannot be asked.
        """
        from evidence_assets.sources.files import fingerprint

        location = self.named()
        if not location or Path(location).is_dir():
            return fingerprint(location) if location else "made from the corpus"
        from huggingface_hub import HfApi

        return str(HfApi().model_info(location, revision=self.revision or None).sha)

    def load(self) -> TransformersMaskedLanguageModel:
        """Return the named model, loaded once a process."""
        return load_masked_lm(self.named(), self.named(), self.revision or None, self.device or None)

    def load_sentence_maker(self) -> TransformersTextToText | None:
        """Return the text-to-text model that is named, loaded once a process; None where none is.

        Raises:
            TextToTextError: it cannot be loaded.
        """
        if not self.sentence_maker:
            return None
        return load_text_to_text(
            self.sentence_maker, self.sentence_maker_revision or None, self.device or None
        )


class GeneratorResource(dg.ConfigurableResource):  # type: ignore[type-arg]
    """The language models that prompted arms are answered by; every call is kept in the lake.

    Which there are, the profile and the configuration say (`generators`). Fields that are set here stand in
    for theirs in one run: another server, another budget.
    """

    url: str = ""
    model: str = ""
    revision: str = ""
    concurrent: int = 0
    budget_tokens: int = 0
    budget_money: float = 0.0
    _budgets: dict[str, Budget] = PrivateAttr(default_factory=dict)

    def settings_of(self, name: str, there_are: Mapping[str, GeneratorSettings]) -> GeneratorSettings:
        """Return a generator's settings with this resource's fields in place of its own.

        Raises:
            GeneratorError: there is no such generator.
        """
        if name not in there_are:
            raise GeneratorError(
                f"no generator {name}: there are {', '.join(there_are) or 'none'}; remedy: name it in the "
                "configuration (generators), or choose another profile (EVIDENCE_PROFILE)"
            )
        fields = ("url", "model", "revision", "concurrent", "budget_tokens", "budget_money")
        chosen = {field: value for field in fields if (value := getattr(self, field))}
        if "model" in chosen:
            # Another model's revision is none of this one.
            chosen.setdefault("revision", "")
        return GeneratorSettings.model_validate({**there_are[name].model_dump(), **chosen})

    def recorded(
        self,
        name: str,
        there_are: Mapping[str, GeneratorSettings],
        step: Step,
        asset: str | None = None,
        prefix: str = "",
    ) -> RecordedGenerator:
        """Return a generator whose calls the step writes, its budget that of one run.

        What the calls came to is shown at the step's end: of the asset of a multi-asset that is named, each
        figure's name behind `prefix`, which tells apart what is asked for one asset.

        Raises:
            GeneratorError: there is no such generator, or it cannot be loaded.
        """
        settings = self.settings_of(name, there_are)
        fresh = Budget(
            settings.budget_tokens, settings.budget_money, settings.prompt_price, settings.reply_price
        )
        # The partitions of one run share what it may use.
        budget = self._budgets.setdefault(name, fresh)
        write = partial(step.write_beside, GENERATIONS)
        generator = RecordedGenerator(settings.load(name), step.lake, write, budget)

        def told() -> dict[str, Any]:
            return {f"{prefix}{figure}": value for figure, value in generator.tally.metadata().items()}

        step.show_at_end(told, asset)
        return generator
