"""Damage to files that knows their grammar: JSON, tables, lines of text, XML; and damage to any bytes."""

from __future__ import annotations

import gzip
import json
import re
from collections.abc import Callable
from pathlib import PurePosixPath
from random import Random
from typing import Any
from xml.sax.saxutils import escape

# Put for a value, and written into the JSON text as what no Python value would be written as.
_RAW = {
    "@nan": "NaN",
    "@infinite": "-Infinity",
    "@overflowing": "1e999",
    "@tiny": "1e-999999999",
    "@long number": "9" * 5_000,
    "@deep list": "[" * 2_000 + "]" * 2_000,
    "@deeper object": '{"a":' * 60_000 + "1" + "}" * 60_000,
    "@twice": '{"id": 1, "id": 2, "text": "a", "text": ["b"]}',
}
TEXTS = (
    *("", " ", "\0", "\ufeff", "\u2028", "\x85", "\x1c", "\u202e", "\u0130", "\U0010ffff", "e\u0301" * 40),
    *("../outside/secret.csv", "../../outside/secret.csv", "csv/../../outside/secret.csv", "/etc/passwd"),
    *("file:///etc/passwd", "zip://secret.csv::../outside/secret.csv", "simplecache::file:///etc/passwd"),
    *("~/.ssh/id_rsa", "*", "[!", "**/*", ".", "..", "a/b", "${HOME}", "{{ 7*7 }}", "{head}", "%s%n"),
    *("=HYPERLINK(1)", "<script>alert(1)</script>", "&lol;", "&#xD800;", "&#0;", "]]>", "';--", "<!--"),
    *("9" * 5_000, "1e999", "-0", "-1", "0", "1", "2", "NaN", "inf", "\u0663", "\u00b2", "True", "null"),
    *("x" * 5_000, '"', '""', "'", "\\", "|", "#", "\t", ":", "::", "a::b", ";", "[", "]", "(((((", "_", "!"),
    *("!!python/object/apply:os.system ['true']", "&a [*a]", "*missing", "? [", "2026-02-30", "1:1:1"),
    *("[Term]", "id:", "{|", "{{" * 40, "[[" * 60, "= " * 40, "<table>" * 9, "<ref", "-----", "---", "..."),
)
# Escaped in JSON, they are half of a character: nothing stores them.
_SURROGATES = ("\ud800", "a\udfffb")


def text(rng: Random) -> str:
    """A text that readers stumble over."""
    return rng.choice(TEXTS)


def value(rng: Random) -> object:
    """A JSON value of any kind."""
    match rng.randrange(8):
        case 0 | 1:
            return text(rng)
        case 2:
            return rng.choice(_SURROGATES)
        case 3:
            return rng.choice((None, True, False, -1, 0, 1, 2, 1.0, -0.5, 10**40, 2**63, [], {}))
        case 4 | 5:
            return rng.choice(list(_RAW))
        case 6:
            return [value(rng), [text(rng)], {"a": 1}]
    return {text(rng): value(rng), "": None}


def _places(tree: Any, places: list[tuple[Any, Any]]) -> list[tuple[Any, Any]]:
    """Every container of a JSON tree with each of its keys."""
    for key, child in tree.items() if isinstance(tree, dict) else enumerate(tree):
        places.append((tree, key))
        if isinstance(child, list | dict):
            _places(child, places)
    return places


def json_tree(rng: Random, tree: Any) -> Any:
    """A JSON document with one thing changed."""
    places = _places(tree, []) if isinstance(tree, list | dict) else []
    if not places:
        return value(rng)
    container, key = rng.choice(places)
    match rng.randrange(7):
        case 0 | 1 | 2:
            container[key] = value(rng)
        case 3:
            del container[key]
        case 4:
            donor, of_other = rng.choice(places)
            container[key] = json.loads(json.dumps(donor[of_other])) if of_other in _keys(donor) else None
        case 5:
            container[key] = [container[key]]
        case 6 if isinstance(container, dict):
            container[text(rng)] = container.pop(key)
        case 6:
            container += [container[key]] * rng.choice((1, 30))
    return tree


def _keys(container: Any) -> Any:
    return container if isinstance(container, dict) else range(len(container))


def written(rng: Random, tree: Any) -> str:
    """A JSON document as text, with what no Python value is written as."""
    content = json.dumps(tree, ensure_ascii=rng.random() < 0.8)
    for mark, raw in _RAW.items():
        content = content.replace(f'"{mark}"', raw)
    return content


def json_file(rng: Random, content: str) -> str:
    """A JSON document with something changed."""
    return written(rng, json_tree(rng, json.loads(content)))


def json_lines(rng: Random, content: str) -> str:
    """JSON lines, something changed in one of them."""
    lines = content.splitlines()
    place = rng.randrange(len(lines))
    lines[place] = json_file(rng, lines[place])
    return lines_of_text(rng, "\n".join(lines)) if rng.random() < 0.2 else "\n".join(lines)


def lines_of_text(rng: Random, content: str) -> str:
    """Lines, some of them moved, lost, repeated, joined, or with something written into them."""
    lines = content.split("\n")
    place = rng.randrange(len(lines))
    line = lines[place]
    match rng.randrange(7):
        case 0:
            del lines[place]
        case 1:
            lines.insert(rng.randrange(len(lines) + 1), line)
        case 2:
            lines[place : place + 2] = ["".join(lines[place : place + 2])]
        case 3:
            lines[place] = text(rng)
        case 4:
            cut = rng.randrange(len(line) + 1)
            lines[place] = line[:cut] + text(rng) + line[cut:]
        case 5:
            cut = rng.randrange(len(line) + 1)
            lines[place] = line[:cut]
        case 6:
            lines[place] = line * (rng.choice((2, 300)) if len(content) < 10_000 else 2)
    return "\n".join(lines)


def markup(rng: Random, content: str) -> str:
    """Elements of XML, the text of one replaced, or one moved, lost or repeated."""
    parts = re.split(r"(<[^<>]*>)", content)
    place = rng.randrange(len(parts))
    match rng.randrange(6):
        case 0 | 1 | 2:
            written = escape(text(rng))
            parts[place] = written if not parts[place].startswith("<") else parts[place] + written
        case 3:
            parts.insert(place, rng.choice(parts))
        case 4:
            del parts[place]
        case 5:
            return lines_of_text(rng, content)
    return "".join(parts)


def cells(delimiter: str) -> Callable[[Random, str], str]:
    """Damage to a table whose cells `delimiter` parts."""

    def damage(rng: Random, content: str) -> str:
        if rng.random() < 0.3:
            return lines_of_text(rng, content)
        rows = [line.split(delimiter) for line in content.split("\n")]
        row = rng.choice(rows)
        place = rng.randrange(len(row))
        match rng.randrange(5):
            case 0 | 1:
                row[place] = text(rng)
            case 2:
                del row[place]
            case 3:
                row.insert(place, rng.choice(rng.choice(rows) or [""]))
            case 4:
                row += [text(rng)] * (rng.choice((1, 500)) if len(content) < 10_000 else 1)
        return "\n".join(map(delimiter.join, rows))

    return damage


def any_bytes(rng: Random, content: bytes) -> bytes:
    """Bytes cut, overwritten, doubled, or written in another encoding."""
    place = rng.randrange(len(content) + 1)
    match rng.randrange(9):
        case 0:
            return content[:place]
        case 1:
            return content[place:]
        case 2:
            return content[:place] + bytes([rng.randrange(256)]) + content[place + 1 :]
        case 3:
            return content[:place] + rng.choice((b"\0", b"\xff", b"\xed\xa0\x80", b"\r")) + content[place:]
        case 4:
            return content + content[:place]
        case 5:
            return b"\xef\xbb\xbf" + content
        case 6:
            return content.replace(b"\n", b"\r\n")
        case 7:
            return content.decode("utf-8", "replace").encode(rng.choice(("utf-16", "utf-8-sig", "utf-7")))
    return rng.choice((b"", b"\n", b"\0" * 64, b"\x80\x04N.", gzip.compress(content), b"PK\x03\x04"))


_BY_SUFFIX: dict[str, Callable[[Random, str], str]] = {
    ".json": json_file,
    ".xml": markup,
    ".html": markup,
    ".jsonl": json_lines,
    ".csv": cells(","),
    ".tsv": cells("\t"),
    ".sif": cells("\t"),
    ".rrf": cells("|"),
}


def damaged(rng: Random, name: str, content: bytes) -> bytes:
    """A file's bytes with up to three things wrong, by the grammar that its name tells."""
    grammar = _BY_SUFFIX.get(PurePosixPath(name).suffix.lower(), lines_of_text)
    is_text = b"\0" not in content
    for _ in range(rng.randrange(1, 4)):
        try:
            if is_text and rng.random() < 0.8:
                content = grammar(rng, content.decode("utf-8")).encode("utf-8", "surrogatepass")
            else:
                content = any_bytes(rng, content)
        # It is damaged beyond its grammar already.
        except (ValueError, IndexError, KeyError, RecursionError):
            content = any_bytes(rng, content)
    return content
