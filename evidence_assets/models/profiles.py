"""Profiles: which models a run uses, chosen by one name."""

from __future__ import annotations

import os
from dataclasses import dataclass

from evidence_assets.text.suggestions import UnknownNameError


@dataclass(frozen=True, slots=True)
class Profile:
    """The models and sizes of one way of running.

    `encoder_location` is a local folder or a hub name; empty means the weights that the starter package
    carries. `pool_size` is R, the first-stage candidates a query text. `cross_encoder_location` is empty
    where the encoder stands in for a cross-encoder. `masked_lm_location`: a masked language model's folder or
    hub name; empty: the one that is made from the corpus. `encoder_backend`: what runs the encoder
    (`encoder_backends.Backend`).
    """

    name: str
    description: str
    encoder_name: str
    encoder_location: str
    encoder_revision: str | None
    chunk_tokens: int
    pool_size: int
    cross_encoder_location: str = ""
    masked_lm_location: str = ""
    encoder_backend: str = "torch"


PROFILES = {
    profile.name: profile
    for profile in (
        Profile(
            "starter",
            "offline, CPU, no key: all-MiniLM-L6-v2 from its package, extractive reasoning",
            encoder_name="all-MiniLM-L6-v2",
            encoder_location="",
            encoder_revision=None,
            chunk_tokens=256,
            pool_size=200,
        ),
        Profile(
            "laptop",
            "one small GPU or a patient CPU: BGE-small from the hub",
            encoder_name="bge-small-en-v1.5",
            encoder_location="BAAI/bge-small-en-v1.5",
            encoder_revision="5c38ec7c405ec4b44b94cc5a9bb96e735b38267a",
            chunk_tokens=512,
            pool_size=2_000,
            cross_encoder_location="cross-encoder/ms-marco-MiniLM-L6-v2",
            masked_lm_location="google-bert/bert-base-uncased",
        ),
        Profile(
            "paper",
            "the thesis's encoder and pool (chapter 7): BGE-m3, 1,024 dimensions, R = 20,000",
            encoder_name="bge-m3",
            encoder_location="BAAI/bge-m3",
            encoder_revision="5617a9f61b028005a4858fdac845db406aefb181",
            chunk_tokens=512,
            pool_size=20_000,
            cross_encoder_location="cross-encoder/ms-marco-MiniLM-L6-v2",
            masked_lm_location="FacebookAI/roberta-large",
        ),
    )
}


class UnknownProfileError(UnknownNameError, ValueError):
    """There is no profile of that name: the message gives the nearest names, and all of them."""


def current_profile(name: str | None = None) -> Profile:
    """Return a profile by name, else the one `EVIDENCE_PROFILE` names, else `starter`.

    Raises:
        UnknownProfileError: there is no such profile.
    """
    wanted = name or os.environ.get("EVIDENCE_PROFILE", "starter")
    if wanted not in PROFILES:
        there_are = f"there are {', '.join(PROFILES)}; remedy: set EVIDENCE_PROFILE to one of them"
        raise UnknownProfileError("profile", [wanted], PROFILES, there_are)
    return PROFILES[wanted]
