"""Claims over small everyday tables, each with its label.

Unlike `benchmarks.authored.table_claims` no rule decides a label: an author gave it. Those of `development`
were mostly written to make a verifier decide wrongly, in rounds by authors who saw UCRET's verdicts; those of
`held_out` plainly, by authors who saw none, and those of `held_out_contested` by such to mislead a reader.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from benchmarks.authored.table_claims import FileModel, read_file

FOLDER = Path(__file__).parent / "contested_claims"
DEVELOPMENT, HELD_OUT, HELD_OUT_CONTESTED = "development", "held_out", "held_out_contested"

Label = Literal["SUPPORTS", "REFUTES", "NOT ENOUGH INFORMATION"]


class ContestedClaim(FileModel):
    """A claim and its label."""

    claim: str
    label: Label


class ContestedTable(FileModel):
    """A table as a reader sees it, and the claims over it."""

    caption: str
    header: list[str]
    rows: list[list[str]]
    claims: list[ContestedClaim]


@dataclass(frozen=True)
class NamedTable:
    """A table with its name: of its file, and where in it the table stands."""

    name: str
    table: ContestedTable


def load(part: str, folder: Path = FOLDER) -> Iterator[NamedTable]:
    """Yield the tables of a part, in the order of its files.

    Raises ClaimSetError where a file is not as this says.
    """
    for file in sorted((folder / part).glob("*.yaml")):
        for place, table in enumerate(read_file(file, list[ContestedTable]), start=1):
            yield NamedTable(f"{file.stem}-{place}", table)
