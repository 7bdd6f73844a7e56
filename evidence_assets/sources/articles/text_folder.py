"""Articles from a folder, or a glob, of text and Markdown files."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import PurePosixPath

from evidence_assets.sources.files import read_whole, uncompressed_name
from evidence_assets.sources.reading import Folder, folder_reader
from evidence_assets.sources.records import Article, RejectedRecord, UnusableSourceError

_FRONT_MATTER = re.compile(r"---[ \t]*\n(?:.*\n)*?(?:---|\.\.\.)[ \t]*(?:\n|\Z)")
_FENCE = re.compile(r" {0,3}(```|~~~)")
TITLE_MARK = "# "


@folder_reader
def read(folder: Folder) -> Iterator[Article | RejectedRecord]:
    """One article a `.txt` or `.md` file, by path; the key is the path relative to the folder.

    The title of a Markdown file is its first `# ` heading, which leaves the text, as does YAML front matter;
    other files, and those without such a heading, are titled by their names. A file that is not UTF-8, or of
    another kind, is rejected alone; hidden files and folders are not looked at.

    Raises:
        UnusableSourceError: there is no text or Markdown file.
    """
    any_file = False
    for file in folder.files:
        if any(part.startswith(".") for part in PurePosixPath(file.name).parts):
            continue
        plain_name = uncompressed_name(file.name)
        if plain_name.suffix.lower() not in {".txt", ".md"}:
            yield RejectedRecord(file.name, "neither a .txt nor a .md file", "none needed, or convert it")
            continue
        any_file = True
        yield _article(file.uri, file.name, plain_name)
    if not any_file:
        raise UnusableSourceError(
            folder.uri, "the whole folder", "no .txt or .md file", "name a folder that has any"
        )


def _article(uri: str, key: str, name: PurePosixPath) -> Article | RejectedRecord:
    content = read_whole(uri)
    try:
        text = content.decode("utf-8").removeprefix("\ufeff")
    except UnicodeDecodeError as error:
        wrong = f"byte {error.start}, 0x{content[error.start]:02x}, is not UTF-8"
        return RejectedRecord(key, wrong, "save the file as UTF-8")
    text = text.replace("\r\n", "\n").replace("\r", "\n")
    title = ""
    if name.suffix.lower() == ".md":
        title, text = _title_and_text(text)
    return Article(key=key, title=title or name.stem, text=text.strip())


def _title_and_text(markdown: str) -> tuple[str, str]:
    front_matter = _FRONT_MATTER.match(markdown)
    lines = markdown[front_matter.end() if front_matter else 0 :].split("\n")
    fence = ""
    for number, line in enumerate(lines):
        mark = _FENCE.match(line)
        # A `# ` inside a fenced block is a comment of the code shown there.
        if mark and fence in {"", mark[1]}:
            fence = "" if fence else mark[1]
        elif not fence and line.startswith(TITLE_MARK):
            del lines[number]
            return line.removeprefix(TITLE_MARK).strip().rstrip("#").strip(), "\n".join(lines)
    return "", "\n".join(lines)
