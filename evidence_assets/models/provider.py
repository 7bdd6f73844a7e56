"""Models by family, as a run configures them: settings over a profile, loaded when first used."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

from pydantic import BaseModel, ConfigDict

from evidence_assets.lake.ids import content_id
from evidence_assets.models.generation.settings import GeneratorSettings
from evidence_assets.models.profiles import Profile, current_profile
from evidence_assets.progress import told

if TYPE_CHECKING:
    from evidence_assets.models.cached_encoder import CachedEncoder
    from evidence_assets.models.encoder import Encoder, SentenceTransformerEncoder
    from evidence_assets.models.encoder_backends import Backend
    from evidence_assets.models.generation.recorded import Budget
    from evidence_assets.models.masked_lm import MaskedLanguageModel
    from evidence_assets.models.pair_scorer import PairScorer
    from evidence_assets.models.text_to_text import TextToTextModel

IDENTITY_LENGTH = 8


class _Settings(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")

    profile: str = ""

    def chosen(self) -> Profile:
        """Return the profile that these fields override."""
        return current_profile(self.profile or None)


class EncoderSettings(_Settings):
    """The text encoder. Empty fields come from the profile (`EVIDENCE_PROFILE`)."""

    name: str = ""
    location: str = ""
    revision: str = ""
    device: str = ""
    chunk_tokens: int = 0
    pool_size: int = 0
    backend: str = ""

    def run_by(self) -> Backend:
        """Return what runs the encoder; `auto` is for the one that loads it to measure.

        Raises:
            ValueError: there is no such backend.
        """
        from evidence_assets.models.encoder_backends import Backend

        wanted = self.backend or self.chosen().encoder_backend
        if wanted not in list(Backend):
            raise ValueError(
                f"encoder backend {wanted!r} is none of {', '.join(Backend)}; remedy: name one of them as "
                "the encoder's backend"
            )
        return Backend(wanted)

    def body(self) -> str:
        """Return the folder or hub name that the encoder is loaded from."""
        from evidence_assets.models.encoder import packaged_minilm

        return self.location or self.chosen().encoder_location or packaged_minilm()

    def load(self) -> SentenceTransformerEncoder:
        """Return the encoder, loaded once a process."""
        from evidence_assets.models.encoder_backends import Backend
        from evidence_assets.models.encoder_loading import chosen_backend, load_encoder

        profile = self.chosen()
        revision = self.revision or (None if self.location else profile.encoder_revision)
        name = self.name or self.location or profile.encoder_name
        named = (name, self.body(), revision, self.device or None)
        backend = self.run_by()
        if backend == Backend.AUTO:
            backend = chosen_backend(*named)
        return load_encoder(*named) if backend == Backend.TORCH else load_encoder(*named, backend=backend)

    def tokens_per_chunk(self) -> int:
        """Return the longest chunk: the profile's, or less where the encoder takes less."""
        wanted = self.chunk_tokens or self.chosen().chunk_tokens
        return min(wanted, self.load().max_tokens)

    def candidates_per_query(self) -> int:
        """Return R, the size of a first-stage pool."""
        return self.pool_size or self.chosen().pool_size

    def identity(self) -> str:
        """Return what changes when other vectors, chunks or pools would come of it; loads nothing."""
        profile = self.chosen()
        location = self.location or profile.encoder_location
        revision = self.revision or ("" if self.location else profile.encoder_revision or "")
        sizes = (self.chunk_tokens or profile.chunk_tokens, self.pool_size or profile.pool_size)
        # The default adds nothing: its identity is that of an encoder whose backend nobody names.
        backend = [] if (run_by := self.run_by()) == "torch" else [str(run_by)]
        named = self.name or profile.encoder_name
        return content_id("encoder", named, location, revision, *sizes, *backend)


class PairScorerSettings(_Settings):
    """What scores a text against a query. Empty fields come from the profile (`EVIDENCE_PROFILE`)."""

    location: str = ""
    revision: str = ""
    device: str = ""

    def named(self) -> str:
        """Return the cross-encoder's folder or hub name; empty where the encoder stands in."""
        return self.location or self.chosen().cross_encoder_location

    def load(self, encoder: Encoder) -> PairScorer:
        """Return the cross-encoder that is named; where none is, the encoder stands in."""
        from evidence_assets.models.pair_scorer import EncoderSimilarity, load_cross_encoder

        if not self.named():
            return EncoderSimilarity(encoder)
        return load_cross_encoder(self.named(), self.revision or None, self.device or None)

    def identity(self) -> str:
        """Return what changes when other scores would come of it."""
        return content_id("pair scorer", self.named(), self.revision)


class MaskedLanguageModelSettings(_Settings):
    """What triples are mined from. Empty fields come from the profile (`EVIDENCE_PROFILE`).

    `sentence_maker`: a text-to-text model that joins keywords to prompts; empty: authored connectives.
    """

    location: str = ""
    revision: str = ""
    device: str = ""
    sentence_maker: str = ""
    sentence_maker_revision: str = ""

    def named(self) -> str:
        """Return the model's folder or hub name; empty where it is made from a corpus."""
        return self.location or self.chosen().masked_lm_location

    def load(self) -> MaskedLanguageModel:
        """Return the named model, loaded once a process."""
        from evidence_assets.models.masked_lm import load_masked_lm

        return load_masked_lm(self.named(), self.named(), self.revision or None, self.device or None)

    def load_sentence_maker(self) -> TextToTextModel | None:
        """Return the text-to-text model that is named, loaded once a process; None where none is.

        Raises:
            TextToTextError: it cannot be loaded.
        """
        from evidence_assets.models.text_to_text import load_text_to_text

        if not self.sentence_maker:
            return None
        return load_text_to_text(
            self.sentence_maker, self.sentence_maker_revision or None, self.device or None
        )

    def identity(self) -> str:
        """Return what changes when other words would come of it; a model of the corpus is an input."""
        makers = (self.sentence_maker, self.sentence_maker_revision)
        return content_id("masked language model", self.named(), self.revision, *makers)


class GeneratorOverrides(BaseModel):
    """Fields that stand in for a generator's own in one run: another server, another budget."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    url: str = ""
    model: str = ""
    revision: str = ""
    concurrent: int = 0
    budget_tokens: int = 0
    budget_money: float = 0.0

    def settings_of(self, name: str, generators: Mapping[str, GeneratorSettings]) -> GeneratorSettings:
        """Return a generator's settings with these fields in place of its own.

        Raises:
            GeneratorError: there is no such generator.
        """
        from evidence_assets.models.generation.protocol import GeneratorError

        if name not in generators:
            raise GeneratorError(
                f"no generator {name}: there are {', '.join(generators) or 'none'}; remedy: name it in the "
                "configuration (generators), or choose another profile (EVIDENCE_PROFILE)"
            )
        chosen = {field: value for field, value in self.model_dump().items() if value}
        if "model" in chosen:
            # A revision belongs to one model.
            chosen.setdefault("revision", "")
        return GeneratorSettings.model_validate({**generators[name].model_dump(), **chosen})


class Models:
    """The models of a run, each loaded when first used, with the folder of what can be made again."""

    def __init__(
        self,
        cache: Path,
        encoder: EncoderSettings | None = None,
        pair_scorer: PairScorerSettings | None = None,
        masked_lm: MaskedLanguageModelSettings | None = None,
        overrides: GeneratorOverrides | None = None,
        generators: Mapping[str, GeneratorSettings] | None = None,
    ) -> None:
        self.cache = cache
        self.encoder_settings = encoder or EncoderSettings()
        self.pair_scorer_settings = pair_scorer or PairScorerSettings()
        self.masked_lm = masked_lm or MaskedLanguageModelSettings()
        self.overrides = overrides or GeneratorOverrides()
        self.generators = generators or {}
        self._budgets: dict[str, Budget] = {}

    @cached_property
    def encoder(self) -> CachedEncoder:
        """The encoder, its vectors kept in the cache."""
        from evidence_assets.models.cached_encoder import CachedEncoder

        return CachedEncoder(
            self.encoder_settings.load(), self.cache / "vectors", progress=told("texts encoded")
        )

    @cached_property
    def pair_scorer(self) -> PairScorer:
        """The cross-encoder, or the encoder in its place."""
        return self.pair_scorer_settings.load(self.encoder)

    def generator_settings(self, name: str) -> GeneratorSettings:
        """Return a generator's settings, as this run overrides them.

        Raises:
            GeneratorError: there is no such generator.
        """
        return self.overrides.settings_of(name, self.generators)

    def budget(self, name: str) -> Budget:
        """Return what a generator may still use: the partitions of a run share it."""
        from evidence_assets.models.generation.recorded import Budget

        settings = self.generator_settings(name)
        fresh = Budget(
            settings.budget_tokens, settings.budget_money, settings.prompt_price, settings.reply_price
        )
        return self._budgets.setdefault(name, fresh)

    def identity(self, families: Iterable[str], generator: str = "") -> str:
        """Return a short hash of which models of these families would be used; empty without families.

        `generator`: the one that a partition is answered by, if one is.
        """
        of_family = {
            "encoder": self.encoder_settings.identity,
            "pair_scorer": self.pair_scorer_settings.identity,
            "masked_lm": self.masked_lm.identity,
        }
        named = [of_family[family]() for family in sorted(families) if family in of_family]
        if generator in self.generators:
            settings = self.generator_settings(generator)
            named.append(content_id("generator", settings.engine, settings.model, settings.revision))
        return content_id("models", *named)[:IDENTITY_LENGTH] if named else ""
