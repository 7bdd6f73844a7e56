"""Partition folders and atomic files."""

from __future__ import annotations

import os
from pathlib import Path

import fsspec
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from evidence_assets.lake.filesystem import (
    atomic_output,
    copy_in,
    is_local,
    local_copy,
    resolve_root,
    safe_path_part,
    unescape_path_part,
    write_bytes,
)

LOCAL = fsspec.filesystem("file")


@given(st.text(min_size=1))
@example("..")
@example(".")
@example(".hidden")
@example("...a.b")
@example("a/b")
@example("a\\b")
@example("50%2F")
@example("a=b")
@example("\0")
@example("*?[x]{y}")
@example("~")
def test_any_value_is_one_path_part_and_comes_back(value: str) -> None:
    part = safe_path_part(value)
    assert unescape_path_part(part) == value
    assert part not in {"", ".", ".."}
    assert not part.startswith(".")
    assert part.isascii()
    assert not set(part) & set("/\\=*?[]{}'\"\0\n ")


@given(st.text(min_size=1, max_size=5), st.text(min_size=1, max_size=5))
def test_different_values_have_different_parts(one: str, other: str) -> None:
    assert (safe_path_part(one) == safe_path_part(other)) == (one == other)


def test_readable_names_stay_readable() -> None:
    assert safe_path_part("full@qwen2.5-72b_x+y~z") == "full@qwen2.5-72b_x+y~z"


def test_empty_value_is_refused() -> None:
    with pytest.raises(ValueError, match="must not be empty"):
        safe_path_part("")


def test_root_loses_its_trailing_slash(tmp_path: Path) -> None:
    filesystem, path = resolve_root(f"{tmp_path}/lake/")
    assert path == f"{tmp_path}/lake"
    assert is_local(filesystem)
    assert not is_local(resolve_root("memory://lake")[0])


def test_old_content_is_visible_until_the_block_ends(tmp_path: Path) -> None:
    path = tmp_path / "new" / "folder" / "file.parquet"
    with atomic_output(LOCAL, str(path)) as file:
        file.write(b"old")
        assert not path.exists()
    with atomic_output(LOCAL, str(path)) as file:
        file.write(b"new, and longer")
        file.flush()
        assert path.read_bytes() == b"old"
        assert list(path.parent.glob("*.parquet")) == [path]
    assert path.read_bytes() == b"new, and longer"
    assert list(path.parent.iterdir()) == [path]


def test_who_reads_the_old_file_goes_on_reading_it(tmp_path: Path) -> None:
    path = tmp_path / "file"
    path.write_bytes(b"old content")
    with path.open("rb") as reader:
        with atomic_output(LOCAL, str(path)) as file:
            file.write(b"new")
        assert reader.read() == b"old content"
    assert path.read_bytes() == b"new"


@pytest.mark.parametrize("error", [RuntimeError, KeyboardInterrupt, SystemExit])
@pytest.mark.parametrize("before", [None, b"old"])
def test_failure_leaves_nothing_new(tmp_path: Path, error: type[BaseException], before: bytes | None) -> None:
    path = tmp_path / "file"
    if before is not None:
        path.write_bytes(before)
    with pytest.raises(error), atomic_output(LOCAL, str(path)) as file:
        file.write(b"half")
        raise error
    assert [found.read_bytes() for found in tmp_path.iterdir()] == ([] if before is None else [before])


def test_failure_leaves_nothing_in_a_store() -> None:
    filesystem, path = resolve_root("memory://test_failure_leaves_nothing/file")
    with pytest.raises(RuntimeError), atomic_output(filesystem, path) as file:
        file.write(b"half")
        raise RuntimeError
    assert not filesystem.exists(path)
    with atomic_output(filesystem, path) as file:
        file.write(b"whole")
        assert not filesystem.exists(path)
    assert filesystem.cat_file(path) == b"whole"


def test_write_bytes_leaves_equal_content_untouched(tmp_path: Path) -> None:
    path = tmp_path / "file"
    write_bytes(LOCAL, str(path), b"one")
    before = path.stat()
    write_bytes(LOCAL, str(path), b"one")
    assert (path.stat().st_mtime_ns, path.stat().st_ino) == (before.st_mtime_ns, before.st_ino)
    write_bytes(LOCAL, str(path), b"two")
    assert path.read_bytes() == b"two"


@pytest.mark.parametrize("root", ["{folder}", "memory://test_copies"])
def test_copy_in_and_local_copy_give_the_bytes_back(tmp_path: Path, root: str) -> None:
    filesystem, folder = resolve_root(root.format(folder=tmp_path / "store"))
    source = tmp_path / "source"
    source.write_bytes(os.urandom(3 << 20))
    copy_in(filesystem, source, f"{folder}/copy")
    with local_copy(filesystem, f"{folder}/copy") as local:
        assert local.read_bytes() == source.read_bytes()
        assert is_local(filesystem) == local.is_relative_to(tmp_path)
    assert local.exists() == is_local(filesystem)
