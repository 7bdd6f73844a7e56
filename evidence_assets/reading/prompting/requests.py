"""Prompts: one jinja2 template per task, rendered to a request with external text fenced as data."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from functools import cache
from typing import Any

import jinja2
from jinja2.sandbox import ImmutableSandboxedEnvironment

from evidence_assets.evidence.citations import mark, quoted
from evidence_assets.models.generation.protocol import Form, Generator, Request, Sampling
from evidence_assets.reading.prompting.prompt_files import TASKS, prompt_hash, prompt_text

# The start of a tag, ours or of a model's chat format (<|im_end|>), closed or not; not "less than a number".
_OPENING = re.compile(r"<(?!\s*[-+=.\d])(?:([^<>]*)>)?")
# The other kind of tag in chat formats: [INST], [/INST].
_BRACKETED = re.compile(r"\[(\s*/?[A-Z][A-Z_]{2,}\s*)\]")


def fenced(text: object, tag: str, letter: str = "", cites: bool = False) -> str:
    """Return a text between tags. Tags inside it become quotation marks, so that none can close the fence.

    `cites`: the text is an argument, whose citation marks are kept.
    """
    opening = f'<{tag} letter="{letter}">' if letter else f"<{tag}>"
    inside = _without_tags(str(text))
    return f"{opening}\n{inside if cites else quoted(inside)}\n</{tag}>"


def _without_tags(text: str) -> str:
    return _BRACKETED.sub(r"(\1)", _OPENING.sub(_as_quote, text))


def _as_quote(opening: re.Match[str]) -> str:
    return "‹" if opening[1] is None else f"‹{opening[1]}›"


def numbered(texts: Sequence[str]) -> str:
    """Return evidence as a fenced list, numbered [E1], [E2], …; marks inside a text are disarmed."""
    lines = [
        f"{mark(number)} {' '.join(quoted(_without_tags(text)).split())}"
        for number, text in enumerate(texts, 1)
    ]
    body = "\n".join(lines) or "(there is no evidence)"
    return f"<evidence>\n{body}\n</evidence>"


@cache
def _environment() -> jinja2.Environment:
    environment = ImmutableSandboxedEnvironment(
        loader=jinja2.FunctionLoader(prompt_text),
        undefined=jinja2.StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        # Prompts are plain text, not HTML: external text is fenced, not escaped.
        autoescape=False,
    )
    environment.filters.update(fenced=fenced, numbered=numbered)
    return environment


def request(
    task: str,
    sampling: Sampling,
    schema: Mapping[str, Any] | None = None,
    form: Form | None = None,
    /,
    **values: Any,
) -> Request:
    """Return a task's prompt with these values, and the schema or form of its reply.

    Raises:
        ValueError: there is no such task, a value that its prompt needs is missing, or the prompt reaches for
            what the sandbox keeps from it.
    """
    if task not in TASKS:
        raise ValueError(f"no prompt {task!r}: choose one of {', '.join(TASKS)}")
    template = _environment().get_template(task)
    try:
        system, user = (
            "".join(template.blocks[name](template.new_context(values))).strip()
            for name in ("system", "user")
        )
    # A value that is missing, or what the sandbox refuses.
    except jinja2.TemplateRuntimeError as error:
        raise ValueError(f"prompt {task}: {error}") from error
    return Request(task, prompt_hash(task), system, user, sampling, schema, form)


def fitted(
    make: Callable[[int], Request], items: int, generator: Generator
) -> tuple[Request, int] | tuple[None, int]:
    """Return the request with as many of the first `items` as fit into the context, and their number.

    `make(n)` returns the request with the n best pieces of evidence. None: the question alone is too long.
    Free text is limited to what the generator is to write.
    """

    def fits(kept: int) -> bool:
        candidate = make(kept).limited(generator.reply_tokens)
        return generator.count_tokens(candidate) + candidate.sampling.max_tokens <= generator.context_tokens

    low, high = 0, items
    while low < high:
        # Nearly always everything fits, so that is tried first.
        kept = items if high == items else (low + high + 1) // 2
        if fits(kept):
            low = kept
        else:
            high = kept - 1
    return (make(low).limited(generator.reply_tokens), low) if low or fits(0) else (None, 0)
