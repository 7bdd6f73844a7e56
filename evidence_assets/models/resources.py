"""Models as Dagster resources: the profile names them, every field can be overridden."""

from __future__ import annotations

from pathlib import Path

import dagster as dg

from evidence_assets.models.cached_encoder import CachedEncoder
from evidence_assets.models.encoder import Encoder, load_encoder, packaged_minilm
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

    def load(self) -> Encoder:
        """Return the encoder, loaded once a process."""
        profile = self.chosen()
        location = self.location or profile.encoder_location or packaged_minilm()
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
