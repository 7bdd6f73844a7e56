"""Claims that affirm and deny, over tables from Wikipedia, each with its author's label."""

from collections.abc import Iterator
from pathlib import Path
from typing import Literal

from benchmarks.authored.table_claims import FileModel, read_file

FOLDER = Path(__file__).parent / "wikipedia_claims"
DEVELOPMENT, HELD_OUT = "development", "held_out"


class WikipediaClaim(FileModel):
    """A claim, its label, and whether it denies something in some way."""

    label: Literal["SUPPORTS", "REFUTES"]
    denies: bool
    claim: str


class ClaimedTable(FileModel):
    """A table, by its file, with the title of its page and the claims over it.

    `table`: of WikiTableQuestions in that data set's folder, of TabFact in that of all tables.
    """

    table: str
    caption: str
    claims: list[WikipediaClaim]


def load(part: str, folder: Path = FOLDER) -> Iterator[ClaimedTable]:
    """Yield the tables of a part, in the order of its files.

    Raises ClaimSetError where a file is not as this says.
    """
    for file in sorted((folder / part).glob("*.yaml")):
        yield from read_file(file, list[ClaimedTable])


def of_author(author: str, folder: Path = FOLDER) -> list[ClaimedTable]:
    """Return the tables of an author, whose file is called after the number: `fifth`.

    Raises:
        ClaimSetError: the file is not as this says.
        FileNotFoundError: there is none.
    """
    files = [file for part in (DEVELOPMENT, HELD_OUT) for file in (folder / part).glob(f"{author}.yaml")]
    if not files:
        raise FileNotFoundError(f"no author {author} under {folder}")
    return read_file(files[0], list[ClaimedTable])
