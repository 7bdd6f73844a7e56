"""Partition folders and atomic files."""

from __future__ import annotations

import os
from collections.abc import Iterator
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
    local_output,
    replace_folder,
    resolve_root,
    safe_path_part,
    unescape_path_part,
    write_bytes,
)
from evidence_assets_tests.testing.killed_writes import leftover_of_a_killed_process

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
def test_different_values_have_different_parts(first: str, second: str) -> None:
    assert (safe_path_part(first) == safe_path_part(second)) == (first == second)


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
    assert [path.read_bytes() for path in tmp_path.iterdir()] == ([] if before is None else [before])


def test_a_library_may_write_a_local_file_by_its_name(tmp_path: Path) -> None:
    path = tmp_path / "new" / "weights"
    leftover = leftover_of_a_killed_process(path)
    leftover.parent.mkdir()
    leftover.write_bytes(b"half")
    with local_output(path) as file:
        assert not leftover.exists()
        Path(file.name).write_bytes(b"whole")
        assert not path.exists()
    assert files_of(path.parent) == {"weights": b"whole"}


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


def files_of(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in folder.iterdir()}


def test_a_folder_is_replaced_whole(tmp_path: Path) -> None:
    folder = tmp_path / "pages" / "quiz"
    first = replace_folder(LOCAL, str(folder), [("a.html", b"one"), ("b.html", b"two")])
    assert [(file.name, file.size) for file in first] == [("a.html", 3), ("b.html", 3)]
    second = replace_folder(LOCAL, str(folder), [("b.html", b"two"), ("c.html", b"three")])
    assert files_of(folder) == {"b.html": b"two", "c.html": b"three"}
    assert second[0].content_hash == first[1].content_hash != second[1].content_hash
    assert [path.name for path in folder.parent.iterdir()] == ["quiz"]


def test_a_folder_with_the_same_files_is_left_untouched(tmp_path: Path) -> None:
    folder, files = tmp_path / "pages", [("a.html", b"one"), ("b.html", b"two")]
    replace_folder(LOCAL, str(folder), files)
    before = {path.name: path.stat().st_mtime_ns for path in folder.iterdir()}
    inode = folder.stat().st_ino
    replace_folder(LOCAL, str(folder), files)
    assert {path.name: path.stat().st_mtime_ns for path in folder.iterdir()} == before
    assert folder.stat().st_ino == inode


def test_a_folder_stays_as_it_was_when_its_making_fails(tmp_path: Path) -> None:
    folder = tmp_path / "pages"
    replace_folder(LOCAL, str(folder), [("a.html", b"one")])

    def failing() -> Iterator[tuple[str, bytes]]:
        yield "a.html", b"other"
        raise RuntimeError("the disk is full")

    with pytest.raises(RuntimeError, match="disk is full"):
        replace_folder(LOCAL, str(folder), failing())
    assert files_of(folder) == {"a.html": b"one"}
    assert [path.name for path in tmp_path.iterdir()] == ["pages"]


def test_what_a_killed_process_prepared_is_removed_by_the_next(tmp_path: Path) -> None:
    leftover = leftover_of_a_killed_process(tmp_path / "pages")
    leftover.mkdir()
    (leftover / "half.html").write_bytes(b"half")
    replace_folder(LOCAL, str(tmp_path / "pages"), [("a.html", b"one")])
    assert [path.name for path in tmp_path.iterdir()] == ["pages"]


@pytest.mark.parametrize("name", ["../a.html", "a/b.html", ".hidden", ""])
def test_a_name_that_leaves_the_folder_is_refused(tmp_path: Path, name: str) -> None:
    with pytest.raises(ValueError, match="no plain file name"):
        replace_folder(LOCAL, str(tmp_path / "pages"), [(name, b"one")])


def test_a_folder_of_an_object_store_holds_what_was_named_last() -> None:
    memory = fsspec.filesystem("memory")
    replace_folder(memory, "/store/pages", [("a.html", b"one"), ("b.html", b"two")])
    replace_folder(memory, "/store/pages", [("b.html", b"two!")])
    assert {path: memory.cat_file(path) for path in memory.find("/store/pages")} == {
        "/store/pages/b.html": b"two!"
    }
