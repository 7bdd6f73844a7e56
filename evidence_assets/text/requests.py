"""Requests to be told something: what stands around the question that they put."""

from __future__ import annotations

import re

_ASKING = r"(?:who|whom|whose|what|which|when|where|why|how|if|whether)\b"
_REQUEST = re.compile(
    rf"""
    \s* (?: please [,\s]+ )?
    (?:
        (?: (?: can | could | would | will ) \s+ (?: you | anyone | anybody | someone | somebody ) \s+
            (?: please \s+ )? (?: kindly \s+ )? )?
        (?: explain (?: \s+ to \s+ (?: me | us ) )?
          | (?: tell | show | remind | let ) \s+ (?: me | us ) (?: \s+ know )? )
      | (?: can | could | would ) \s+ (?: you | anyone | anybody ) \s+ (?: please \s+ )? (?: tell | say )
      | do \s+ you \s+ (?: happen \s+ to \s+ )? know
      | (?: i | we ) (?: ['’]d | \s+ would )? \s+ (?: like | want | need ) \s+ to \s+ know
    )
    \s* [,:]? \s+ (?= {_ASKING} )
    | \s* please [,\s]+ (?= {_ASKING} )
    """,
    re.IGNORECASE | re.VERBOSE,
)


def without_request(text: str) -> str:
    """Return the end of a text, without what asks for it to be told: of "Tell me who founded it" the rest."""
    request = _REQUEST.match(text)
    return text[request.end() :] if request else text
