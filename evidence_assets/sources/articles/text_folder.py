"""Articles from a folder, or a glob, of text and Markdown files."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import PurePosixPath

from evidence_assets.sources.articles.paragraphs import (
    joined_lines,
    joined_markdown,
    marked_headings,
    without_comments,
)
from evidence_assets.sources.files import is_hidden, read_whole, uncompressed_name
from evidence_assets.sources.reading import Folder, folder_reader
from evidence_assets.sources.records import Article, RejectedRecord, UnusableSourceError

_FRONT_MATTER = re.compile(r"---[ \t]*\n(?:.*\n)*?(?:---|\.\.\.)[ \t]*(?:\n|\Z)")
_FENCE = re.compile(r" {0,3}(```|~~~)")
TITLE_MARK = "# "
_LONGEST_TITLE = 120


@folder_reader
def read(folder: Folder) -> Iterator[Article | RejectedRecord]:
    """One article a `.txt` or `.md` file, by path; the key is the path relative to the folder.

    The title of a Markdown file is its first heading of the first level, `# ` or underlined by `===`, which
    leaves the text, as do YAML front matter and comments; that of a text file a first line that stands by
    itself and is no sentence. Others are titled by their names. Underlined headings stand in the text as
    marked ones. Lines that were wrapped are joined again (`paragraphs`). A file that is not UTF-8, or of
    another kind, is rejected alone; hidden files and folders are not looked at.

    Raises:
        UnusableSourceError: there is no text or Markdown file.
    """
    any_file = False
    for file in folder.files:
        if is_hidden(file.name):
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
    if name.suffix.lower() == ".md":
        front_matter = _FRONT_MATTER.match(text)
        markdown = joined_markdown(without_comments(text[front_matter.end() if front_matter else 0 :]))
        title, text = _title_and_text(marked_headings(markdown))
    else:
        title, text = _first_line_and_text(text)
        text = joined_lines(text)
    return Article(key=key, title=title or name.stem, text=text.strip())


def _first_line_and_text(plain: str) -> tuple[str, str]:
    """Return a title and what follows it; "" and the whole text where there is none.

    A title stands before an empty line, or before one that underlines it, and does not end as sentences do.
    """
    first, _, rest = plain.strip().partition("\n")
    following, _, text = rest.partition("\n")
    title = first.strip()
    ends_as_title = title[-1:].isalnum() or title.endswith((")", "]", '"', "'", "”", "’"))
    stands_alone = not following.strip("=-~* \t") and bool(text.strip())
    is_title = stands_alone and ends_as_title and len(title) <= _LONGEST_TITLE
    return (title, text) if is_title else ("", plain)


def _title_and_text(markdown: str) -> tuple[str, str]:
    lines = markdown.split("\n")
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
