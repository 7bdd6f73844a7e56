"""The wording of prompts: one jinja2 file a task, and what changes when it does."""

from __future__ import annotations

from functools import cache
from importlib.resources import files

from evidence_assets.lake.ids import combined_hash, text_hash

EXPLAIN_OPTION, EXPLAIN_CANDIDATE = "explain_option", "explain_candidate"
EXPLAIN_LABEL, EXPLAIN_CELLS, DECIDE_TABLE = "explain_label", "explain_cells", "decide_table"
CHOOSE_BY_TABLE = "choose_by_table"
CHOOSE, TRIPLETS, RERANK, JUDGE = "choose", "triplets", "rerank", "judge"
BACKGROUND_ENTITIES = "background_entities"
BACKGROUND_RELATIONS = "background_relations"
BACKGROUND_TRIPLES = "background_triples"
SHORT_ANSWER = "short_answer"
PROPOSE_PROGRAM, PROPOSE_QUERY = "propose_program", "propose_query"
# As the thesis prints them (7.3.3, 7.3.4; 3.3.2, 4.3.2, 4.3.3).
USCRAKE_CHAIN, USCRAKE_ANSWER = "uscrake_chain", "uscrake_answer"
ANSWER_PASSAGES = "answer_passages"
UCRET_LABEL, UCRET_OPTION, UCRET_VERDICT, UCRET_ANSWER = (
    "ucret_label",
    "ucret_option",
    "ucret_verdict",
    "ucret_answer",
)
TASKS = (
    EXPLAIN_OPTION,
    EXPLAIN_CANDIDATE,
    EXPLAIN_LABEL,
    EXPLAIN_CELLS,
    DECIDE_TABLE,
    CHOOSE_BY_TABLE,
    CHOOSE,
    TRIPLETS,
    RERANK,
    BACKGROUND_ENTITIES,
    BACKGROUND_RELATIONS,
    BACKGROUND_TRIPLES,
    SHORT_ANSWER,
    ANSWER_PASSAGES,
    JUDGE,
    PROPOSE_PROGRAM,
    PROPOSE_QUERY,
    USCRAKE_CHAIN,
    USCRAKE_ANSWER,
    UCRET_LABEL,
    UCRET_OPTION,
    UCRET_VERDICT,
    UCRET_ANSWER,
)
BACKGROUND_PROMPTS = (BACKGROUND_ENTITIES, BACKGROUND_RELATIONS, BACKGROUND_TRIPLES)
_FOLDER = "prompts"


@cache
def prompt_text(task: str) -> str:
    """Return a task's prompt, as jinja2 reads it."""
    return files("evidence_assets.reading").joinpath(_FOLDER, f"{task}.j2").read_text(encoding="utf-8")


@cache
def prompt_hash(task: str) -> str:
    """Return the hash of a prompt's wording."""
    return text_hash(prompt_text(task))[:16]


def prompts_version(*tasks: str) -> str:
    """Return a hash of the wording of these prompts; default: those of numbered evidence."""
    return combined_hash(map(prompt_hash, tasks or (EXPLAIN_OPTION, CHOOSE)))[:8]
