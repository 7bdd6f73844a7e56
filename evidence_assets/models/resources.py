"""Models as Dagster resources: the profile names them, every field can be overridden."""

from __future__ import annotations

from pathlib import Path

import dagster as dg

from evidence_assets.models.cached_encoder import CachedEncoder
from evidence_assets.models.encoder import (
    Encoder,
    SentenceTransformerEncoder,
    load_encoder,
    packaged_minilm,
)
from evidence_assets.models.masked_lm import TransformersMaskedLanguageModel, load_masked_lm
from evidence_assets.models.pair_scorer import EncoderSimilarity, PairScorer, load_cross_encoder
from evidence_assets.models.profiles import Profile, current_profile


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

    def cached(self, folder: Path) -> CachedEncoder:
        """Return the encoder with its vectors remembered under `folder`."""
        return CachedEncoder(self.load(), folder / "vectors")

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
