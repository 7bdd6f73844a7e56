"""An encoder that remembers: same results, less work, safe to kill."""

from __future__ import annotations

import hashlib
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from evidence_assets.models import cached_encoder
from evidence_assets.models.array_store import keys_of
from evidence_assets.models.cached_encoder import CachedEncoder
from evidence_assets.models.encoder import EncodedWords
from evidence_assets.text.words import words


def vector(text: str) -> np.ndarray:
    seed = int.from_bytes(hashlib.blake2b(text.encode(), digest_size=8).digest(), "big")
    drawn = np.random.default_rng(seed).normal(size=6)
    return (drawn / np.linalg.norm(drawn)).astype(np.float32)


class CountingEncoder:
    """A vector a text by its hash; remembers what it was asked, may be slow."""

    max_tokens, dimension = 64, 6

    def __init__(self, encoder_id: str = "fake/model@1", delay: float = 0.0) -> None:
        self.encoder_id, self.delay = encoder_id, delay
        self.texts: list[str] = []

    def count_tokens(self, texts: Sequence[str]) -> list[int]:
        return [len(words(text)) + 2 for text in texts]

    def encode(self, texts: Sequence[str]) -> np.ndarray:
        self.texts += texts
        time.sleep(self.delay)
        return np.stack([vector(text) for text in texts]) if texts else np.empty((0, 6), np.float32)

    def encode_words(self, texts: Sequence[str]) -> list[EncodedWords]:
        self.texts += texts
        time.sleep(self.delay)
        result = []
        for text in texts:
            text_words = words(text)
            vectors = [vector(word) for word in text_words]
            result.append(
                EncodedWords(
                    text_words, np.stack(vectors) if vectors else np.empty((0, 6), np.float32), vector(text)
                )
            )
        return result


def check_same(actual: Sequence[EncodedWords], expected: Sequence[EncodedWords]) -> None:
    for encoded, reference in zip(actual, expected, strict=True):
        assert encoded.words == reference.words
        for mine, theirs in ((encoded.vectors, reference.vectors), (encoded.sentence, reference.sentence)):
            assert mine.dtype == theirs.dtype == np.float32
            np.testing.assert_array_equal(mine, theirs)


TEXTS = ["a cat", "the dog sat", "", "a cat", "one two three", "..."]


def test_it_is_the_encoder_it_wraps(tmp_path: Path) -> None:
    cached = CachedEncoder(CountingEncoder(), tmp_path)
    assert (cached.encoder_id, cached.dimension, cached.max_tokens) == ("fake/model@1", 6, 64)
    assert cached.count_tokens(["a b c", ""]) == [5, 2]


def test_every_text_is_encoded_once(tmp_path: Path) -> None:
    fake = CountingEncoder()
    cached = CachedEncoder(fake, tmp_path)
    expected = np.stack([vector(text) for text in TEXTS])
    np.testing.assert_array_equal(cached.encode(TEXTS), expected)
    assert sorted(fake.texts) == sorted(set(TEXTS))
    assert (cached.encoded, cached.reused) == (5, 0)
    np.testing.assert_array_equal(
        cached.encode(["new", *TEXTS[::-1]]), np.vstack([vector("new"), expected[::-1]])
    )
    assert (cached.encoded, cached.reused) == (6, 5)
    assert len(fake.texts) == 6


def test_a_second_instance_sees_what_the_first_kept(tmp_path: Path) -> None:
    first, second = (CachedEncoder(CountingEncoder(), tmp_path) for _ in range(2))
    wanted, wanted_words = first.encode(TEXTS), first.encode_words(TEXTS)
    np.testing.assert_array_equal(second.encode(TEXTS), wanted)
    check_same(second.encode_words(TEXTS), wanted_words)
    assert (second.encoded, second.reused) == (0, 10)


def test_texts_that_are_cut_are_named_kept_or_not(tmp_path: Path) -> None:
    """Vectors kept before this was told carry no label: their texts are counted anew."""
    long, short = "word " * 70, "word " * 62
    for _ in range(2):
        cached = CachedEncoder(CountingEncoder(), tmp_path / "new")
        cached.encode([long, short, "a"])
        assert cached.cut == {long}
    before = CachedEncoder(CountingEncoder(), tmp_path / "old")
    texts = [long, short, "a"]
    vectors = [vector(text)[None, :] for text in texts]
    before._texts.put(keys_of(texts), [""] * 3, vectors)
    before.encode(texts)
    assert before.cut == {long}


def test_encoders_never_mix(tmp_path: Path) -> None:
    CachedEncoder(CountingEncoder("fake/model@1"), tmp_path).encode(TEXTS)
    newer = CachedEncoder(CountingEncoder("fake/model@2"), tmp_path)
    newer.encode(TEXTS)
    assert (newer.encoded, newer.reused) == (5, 0)


def test_words_are_the_same_remembered_or_not(tmp_path: Path) -> None:
    fake = CountingEncoder()
    cached = CachedEncoder(fake, tmp_path / "a")
    fresh = cached.encode_words(TEXTS)
    again = cached.encode_words(TEXTS)
    unkept = CachedEncoder(CountingEncoder(), tmp_path / "b", word_store_bytes=0)
    check_same(fresh, again)
    check_same(fresh, unkept.encode_words(TEXTS))
    assert len(fake.texts) == 5
    for text, encoded, exact in zip(TEXTS, fresh, CountingEncoder().encode_words(TEXTS), strict=True):
        assert encoded.words == words(text)
        assert encoded.vectors.shape == (len(encoded.words), 6)
        np.testing.assert_allclose(encoded.vectors, exact.vectors, atol=1e-3)
        np.testing.assert_allclose(encoded.sentence, exact.sentence, atol=1e-3)


def test_what_was_remembered_is_not_encoded_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cached_encoder, "WORD_CHECKPOINT_TEXTS", 2)
    fake = CountingEncoder()
    cached = CachedEncoder(fake, tmp_path)
    progress: list[tuple[int, int]] = []
    cached.remember_words(TEXTS, lambda done, total: progress.append((done, total)))
    assert progress == [(2, 5), (4, 5), (5, 5)]
    assert sorted(fake.texts) == sorted(set(TEXTS))
    assert [len(text) for text in fake.texts] == sorted((len(text) for text in fake.texts), reverse=True)
    check_same(
        cached.encode_words(TEXTS), CachedEncoder(CountingEncoder(), tmp_path / "b").encode_words(TEXTS)
    )
    cached.remember_words(TEXTS)
    cached.remember_words([])
    assert len(fake.texts) == 5


def test_remembering_stops_when_the_store_is_full(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cached_encoder, "WORD_CHECKPOINT_TEXTS", 2)
    fake = CountingEncoder()
    CachedEncoder(fake, tmp_path / "none", word_store_bytes=0).remember_words(TEXTS)
    assert fake.texts == []
    some = CachedEncoder(fake, tmp_path / "some", word_store_bytes=1)
    some.remember_words(TEXTS)
    assert len(fake.texts) == 2
    check_same(
        some.encode_words(TEXTS), CachedEncoder(CountingEncoder(), tmp_path / "all").encode_words(TEXTS)
    )


def test_words_keep_the_length_of_their_vectors(tmp_path: Path) -> None:
    class Longer(CountingEncoder):
        def encode_words(self, texts: Sequence[str]) -> list[EncodedWords]:
            encoded_texts = super().encode_words(texts)
            return [replace(encoded, vectors=encoded.vectors * np.float32(6)) for encoded in encoded_texts]

    cached = CachedEncoder(Longer(), tmp_path)
    cached.remember_words(["a cat"])
    (encoded,) = cached.encode_words(["a cat"])
    np.testing.assert_allclose(np.linalg.norm(encoded.vectors, axis=1), 6, rtol=1e-3)
    np.testing.assert_allclose(np.linalg.norm(encoded.unit, axis=1), 1, rtol=1e-6)


def test_a_full_word_store_keeps_no_more(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cached_encoder, "WORD_CHECKPOINT_TEXTS", 2)
    fake = CountingEncoder()
    cached = CachedEncoder(fake, tmp_path, word_store_bytes=1)
    first = cached.encode_words(TEXTS)
    assert len(list(tmp_path.rglob("word_means/*.arrow"))) == 1
    check_same(cached.encode_words(TEXTS), first)
    assert (cached.encoded, cached.reused) == (5 + 3, 2)
    assert sorted(fake.texts[:5]) == sorted(set(TEXTS))
    texts_encoded = len(fake.texts)
    cached.encode(TEXTS)  # the texts' own vectors are kept all the same
    assert len(fake.texts) == texts_encoded


@pytest.mark.parametrize("first", ["words", "texts"])
def test_one_pass_gives_a_text_and_its_words(
    tmp_path: Path, first: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(cached_encoder, "WORD_CHECKPOINT_TEXTS", 2)
    fake = CountingEncoder()
    cached = CachedEncoder(fake, tmp_path / "a")
    progress: list[tuple[int, int]] = []
    if first == "words":
        cached.encode_words(TEXTS)
    else:
        cached.encode(TEXTS, lambda *done: progress.append(done), keep_words=True)
        assert progress == [(2, 5), (4, 5), (5, 5)]
    vectors, encoded = cached.encode(TEXTS), cached.encode_words(TEXTS)
    assert sorted(fake.texts) == sorted(set(TEXTS))
    apart = CachedEncoder(CountingEncoder(), tmp_path / "b")
    assert vectors.tobytes() == apart.encode(TEXTS).tobytes()
    check_same(encoded, CachedEncoder(CountingEncoder(), tmp_path / "c").encode_words(TEXTS))


def test_words_nobody_asked_for_take_a_part_of_the_space(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(cached_encoder, "WORD_CHECKPOINT_TEXTS", 2)
    fake = CountingEncoder()
    probe = CachedEncoder(CountingEncoder(), tmp_path / "probe")
    probe.encode_words(sorted(set(TEXTS), key=lambda text: (-len(text), text))[:2])
    file = next((tmp_path / "probe").rglob("word_means/*.arrow")).stat().st_size
    cached = CachedEncoder(fake, tmp_path / "a", word_store_bytes=4 * file)
    vectors = cached.encode(TEXTS, keep_words=True)
    assert len(list(tmp_path.rglob("a/*/word_means/*.arrow"))) == 1
    np.testing.assert_array_equal(vectors, CountingEncoder().encode(TEXTS))
    cached.remember_words(TEXTS)
    assert len(list(tmp_path.rglob("a/*/word_means/*.arrow"))) > 1, "what is compared has the rest"


def test_what_is_kept_of_one_alone_is_not_stored_twice(tmp_path: Path) -> None:
    cached = CachedEncoder(CountingEncoder(), tmp_path)
    cached.encode(TEXTS)
    cached.remember_words(TEXTS)
    assert sorted(path.parent.name for path in tmp_path.rglob("*.arrow")) == ["texts", "word_means"]
    cached.encode([*TEXTS, "new"], keep_words=True)
    assert len(list(tmp_path.rglob("*.arrow"))) == 4


@pytest.mark.parametrize("store_bytes", [0, 1 << 30])
def test_nothing_asked_is_nothing_done(tmp_path: Path, store_bytes: int) -> None:
    fake = CountingEncoder()
    cached = CachedEncoder(fake, tmp_path / "s", word_store_bytes=store_bytes)
    assert cached.encode([]).shape == (0, 6)
    assert cached.encode_words([]) == []
    assert fake.texts == []
    assert not (tmp_path / "s").exists()


def test_progress_is_told_at_every_checkpoint(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cached_encoder, "CHECKPOINT_TEXTS", 2)
    cached = CachedEncoder(CountingEncoder(), tmp_path)
    cached.encode(["kept"])
    progress: list[tuple[int, int]] = []
    cached.encode(["kept", *TEXTS], lambda done, total: progress.append((done, total)))
    assert progress == [(2, 5), (4, 5), (5, 5)]
    assert len(list(tmp_path.rglob("*.arrow"))) == 4


def test_long_work_is_told_to_whom_the_encoder_was_opened_for(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(cached_encoder, "CHECKPOINT_TEXTS", 2)
    progress: list[tuple[int, int]] = []
    cached = CachedEncoder(CountingEncoder(), tmp_path, progress=lambda *done: progress.append(done))
    cached.encode(["one", "two"])
    assert progress == [], "one checkpoint is no long work"
    cached.encode(["one", "two", "three", "four", "five"])
    assert progress == [(2, 3), (3, 3)]
    cached.encode([f"word {number}" for number in range(5)], lambda *done: None)
    assert len(progress) == 2, "who is named in a call is told instead"


MANY = [f"text number {number} " + "word " * (number % 7) for number in range(60)]

_SLOW_RUN = """
import sys
from pathlib import Path
from evidence_assets.models import cached_encoder
from evidence_assets_tests.models import test_cached_encoder as own
cached_encoder.CHECKPOINT_TEXTS = cached_encoder.WORD_CHECKPOINT_TEXTS = 4
cached = cached_encoder.CachedEncoder(own.CountingEncoder(delay=0.05), Path(sys.argv[1]))
own.METHODS[sys.argv[2]](cached, own.MANY)
"""

METHODS: dict[str, Callable[[CachedEncoder, Sequence[str]], Any]] = {
    "encode": CachedEncoder.encode,
    "encode_words": CachedEncoder.encode_words,
    "encode and keep words": lambda cached, texts: cached.encode(texts, keep_words=True),
}
# Where each writes last: a checkpoint whose file is there is done.
LAST = {"encode": "texts", "encode_words": "word_means", "encode and keep words": "texts"}


@pytest.mark.parametrize("method", METHODS)
def test_a_killed_run_goes_on_where_it_was(
    tmp_path: Path, method: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(cached_encoder, "CHECKPOINT_TEXTS", 4)
    monkeypatch.setattr(cached_encoder, "WORD_CHECKPOINT_TEXTS", 4)
    store, uninterrupted = tmp_path / "killed", tmp_path / "whole"
    arguments = [sys.executable, "-c", _SLOW_RUN, str(store), method]
    with subprocess.Popen(arguments, cwd=Path(__file__).parents[2]) as run:
        deadline = time.monotonic() + 60
        while len(list(store.rglob(f"{LAST[method]}/*.arrow"))) < 3:
            assert run.poll() is None, "the run ended before it could be killed"
            assert time.monotonic() < deadline
            time.sleep(0.01)
        os.kill(run.pid, signal.SIGKILL)
    assert run.returncode == -signal.SIGKILL
    files = len(list(store.rglob(f"{LAST[method]}/*.arrow")))
    assert 3 <= files < 15

    fake = CountingEncoder()
    resumed = CachedEncoder(fake, store)
    result = METHODS[method](resumed, MANY)
    assert resumed.reused == 4 * files
    assert resumed.encoded == len(fake.texts) == len(MANY) - 4 * files

    undisturbed = CachedEncoder(CountingEncoder(), uninterrupted)
    expected = METHODS[method](undisturbed, MANY)
    if method != "encode_words":
        np.testing.assert_array_equal(result, expected)
        assert result.tobytes() == expected.tobytes()
    else:
        check_same(result, expected)
    names = {path.relative_to(uninterrupted): path.read_bytes() for path in uninterrupted.rglob("*.arrow")}
    assert {path.relative_to(store): path.read_bytes() for path in store.rglob("*.arrow")} == names
    assert [path for path in store.rglob("*.tmp") if path.is_file()] == []
