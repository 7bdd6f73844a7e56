"""Arrays kept by the content they were computed from."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from evidence_assets.lake.ids import text_hash
from evidence_assets.models.array_store import ArrayStore, keys_of
from evidence_assets_tests.testing.profiles import examples


def arrays_of(lengths: list[int], dtype: type, width: int = 3) -> list[np.ndarray]:
    random = np.random.default_rng(sum(lengths))
    return [random.normal(size=(length, width)).astype(dtype) for length in lengths]


def test_keys_are_the_texts_hashes() -> None:
    keys = keys_of(["a", "b", "a"])
    assert [key.tobytes().hex() for key in keys] == [text_hash(text) for text in "aba"]
    assert len(keys_of([])) == 0


@examples(40)
@given(
    lengths=st.lists(st.integers(0, 5), min_size=1, max_size=12),
    labels=st.lists(st.text(max_size=8), min_size=12, max_size=12),
    dtype=st.sampled_from([np.float16, np.float32]),
)
def test_what_is_kept_comes_back(
    lengths: list[int], labels: list[str], dtype: type, tmp_path_factory: pytest.TempPathFactory
) -> None:
    folder = tmp_path_factory.mktemp("store")
    labels = [label.encode("utf-8", "replace").decode() for label in labels][: len(lengths)]
    texts = [f"text {number}" for number in range(len(lengths))]
    arrays = arrays_of(lengths, dtype)
    store = ArrayStore(folder, 3, dtype)
    store.put(keys_of(texts), labels, arrays)
    for reader in (store, ArrayStore(folder, 3, dtype)):
        assert reader.missing(keys_of([*texts, "other"])).tolist() == [len(texts)]
        for key, label, array in zip(keys_of(texts), labels, arrays, strict=True):
            found_label, stored = reader.get(key)
            assert found_label == label
            assert stored.dtype == dtype
            np.testing.assert_array_equal(stored, array)


def test_the_first_array_kept_for_a_key_stays(tmp_path: Path) -> None:
    store = ArrayStore(tmp_path, 2, np.float32)
    store.put(keys_of(["a"]), ["first"], [np.zeros((1, 2), np.float32)])
    store.put(keys_of(["a", "b"]), ["second", "b"], [np.ones((1, 2), np.float32)] * 2)
    assert store.get(keys_of(["a"])[0])[0] == "first"
    assert store.get(keys_of(["b"])[0])[0] == "b"


def test_another_instance_sees_what_was_kept_since(tmp_path: Path) -> None:
    writer, reader = (ArrayStore(tmp_path / "s", 2, np.float32) for _ in range(2))
    assert reader.missing(keys_of(["a", "b"])).tolist() == [0, 1]
    assert reader.size() == 0
    writer.put(keys_of(["b"]), ["x"], [np.full((2, 2), 7, np.float32)])
    assert reader.missing(keys_of(["a", "b"])).tolist() == [0]
    np.testing.assert_array_equal(reader.get(keys_of(["b"])[0])[1], np.full((2, 2), 7))
    assert reader.size() == writer.size() == sum(path.stat().st_size for path in (tmp_path / "s").iterdir())


def test_a_key_that_is_not_kept(tmp_path: Path) -> None:
    with pytest.raises(KeyError):
        ArrayStore(tmp_path, 2, np.float32).get(keys_of(["a"])[0])


def test_arrays_survive_their_file(tmp_path: Path) -> None:
    """Deleting the folder under a running process costs time, never correctness."""
    store = ArrayStore(tmp_path / "s", 2, np.float32)
    store.put(keys_of(["a"]), [""], [np.full((1, 2), 3, np.float32)])
    for path in (tmp_path / "s").iterdir():
        path.unlink()
    np.testing.assert_array_equal(store.get(keys_of(["a"])[0])[1], [[3, 3]])
    assert ArrayStore(tmp_path / "s", 2, np.float32).missing(keys_of(["a"])).tolist() == [0]


def test_pages_that_are_given_back_are_read_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Mapped pages count as the process's memory: what was read is given back, and arrays stay valid."""
    monkeypatch.setattr("evidence_assets.models.array_store.READS_KEPT", 1)
    texts, width = [f"text {number}" for number in range(8)], 1 << 19
    store = ArrayStore(tmp_path, width, np.float32)
    for number, text in enumerate(texts):
        store.put(keys_of([text]), [text], [np.full((1, width), number, np.float32)])
    reader = ArrayStore(tmp_path, width, np.float32)
    reader.missing(keys_of(["other"]))
    before = mapped_bytes()
    held = []
    for key in keys_of(texts):
        held.append(reader.get(key)[1])
        assert held[-1].sum() == (len(held) - 1) * width
        # Of 16 MiB that are read, what two arrays take at most.
        assert mapped_bytes() - before < 6 << 20
    for number, array in enumerate(held):
        assert (array == number).all()


def mapped_bytes() -> int:
    """Return how much of mapped files this process holds in memory."""
    status = Path("/proc/self/status").read_text(encoding="utf-8")
    line = next(line for line in status.splitlines() if line.startswith("RssFile:"))
    return int(line.split()[1]) * 1024


def test_an_unfinished_file_of_a_killed_process_is_not_read(tmp_path: Path) -> None:
    store: Any = ArrayStore(tmp_path, 2, np.float32)
    (tmp_path / ".0123.arrow.elsewhere.1.tmp").write_bytes(b"half a file")
    store.put(keys_of(["a"]), [""], [np.zeros((1, 2), np.float32)])
    assert ArrayStore(tmp_path, 2, np.float32).missing(keys_of(["a"])).size == 0


def test_the_same_keys_give_the_same_file(tmp_path: Path) -> None:
    for name in ("one", "two"):
        ArrayStore(tmp_path / name, 2, np.float32).put(
            keys_of(["a", "b"]), ["", ""], [np.ones((1, 2), np.float32)] * 2
        )
    first, second = (
        {path.name: path.read_bytes() for path in (tmp_path / name).iterdir()} for name in ("one", "two")
    )
    assert first == second
