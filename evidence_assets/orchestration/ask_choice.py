"""What answers a question that names little: systems and arms, a corpus, a graph, by what came with it."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from evidence_assets.sources.project import Project
from evidence_assets.sources.questions.validation import alike_options
from evidence_assets.sources.scratch_benchmarks import AskedTable, ScratchBenchmark, UserQuestion
from evidence_assets.systems.registry import systems_by_name
from evidence_assets.systems.system import CORPUS, GRAPH, TABLES, System
from evidence_assets.systems.ucret.verdicts import VERDICTS
from evidence_assets.text.requests import without_request
from evidence_assets.text.suggestions import UnknownNameError

if TYPE_CHECKING:
    from evidence_assets.evidence.arms import Arm
    from evidence_assets.lake.lake import Lake

MOST_WORDS = 400
# A name of a graph has rarely more words.
_LONGEST_NAME = 6
# What nothing in a corpus, a graph or a table answers. "List", "name" and "show" ask for what these hold.
_INSTRUCTIONS = frozenset(
    "compose create delete describe disregard execute explain forget generate ignore imagine obey override "  # noqa: SIM905
    "pretend print reply repeat respond rewrite roleplay summarise summarize translate write".split()
)
_BEFORE_AN_INSTRUCTION = frozenset({"please", "now", "kindly", "you", "must", "should", "can", "could"})
# By how well they answered the starter's questions: the first that fits is taken.
_DEFAULT_OF = {CORPUS: "uscrake", GRAPH: "ugat_medqa"}
_OPEN, _OF_TABLES = "four_step_focus", "ucret"
_QUESTION_WORDS = frozenset(
    "who whom whose what when where which why how is are was were do does did".split()  # noqa: SIM905
)


class AskError(LookupError):
    """A question that cannot be asked so: says what is wrong, and the remedy, in one line."""


class UnknownToAskError(UnknownNameError, AskError):
    """A question that names what is not there."""


@dataclass(frozen=True, slots=True)
class Wish:
    """What was given with a question; empty where it was left to the lake."""

    corpus: str = ""
    graph: str = ""
    systems: tuple[str, ...] = ()
    arms: tuple[str, ...] = ()
    generator: str = ""


def checked_question(text: str, options: Iterable[str] = (), table: AskedTable | None = None) -> UserQuestion:
    """Return a question as it is asked: white space made plain, a statement about a table as a claim.

    Raises:
        AskError: it is empty, too long, an instruction, or has one option, an empty or a repeated one.
    """
    plain = " ".join(text.split())
    if not plain:
        raise AskError("the question is empty; remedy: write it in quotes")
    if (count := len(plain.split())) > MOST_WORDS:
        raise AskError(
            f"the question has {count:,} words, and {MOST_WORDS} are taken; remedy: ask for what decides, "
            "and put what is to be read into a corpus"
        )
    if _is_instruction(plain):
        raise AskError(
            f"{plain.split()[0]!r} begins an instruction, and what answers here carries none out; remedy: "
            "ask a question that a corpus, a graph or a table can answer"
        )
    choices = tuple(" ".join(option.split()) for option in options)
    if not all(choices) or len(choices) == 1 or alike_options(choices):
        raise AskError("give two options or more, none empty and no two alike: --options 'yes|no'")
    if table and not choices and _is_claim(plain):
        choices = tuple(VERDICTS)
    return UserQuestion(plain, choices, table)


def _words(text: str) -> list[str]:
    return re.findall(r"[^\W_]+", text.lower())


def _is_instruction(text: str) -> bool:
    """Tell whether a text without a question mark begins with what only someone who obeys could do."""
    if "?" in text or without_request(text) != text:
        return False
    first = next((word for word in _words(text) if word not in _BEFORE_AN_INSTRUCTION), "")
    return first in _INSTRUCTIONS


def _is_claim(text: str) -> bool:
    return not text.endswith("?") and next(iter(_words(text)), "") not in _QUESTION_WORDS


def candidates(
    project: Project, systems: Sequence[System], lake: Lake, question: UserQuestion, wish: Wish
) -> list[ScratchBenchmark]:
    """Return what may answer a question, the likeliest first: the first that is materialised is meant.

    A table is read by UCRET. Options are argued from a corpus by USCRaKE, or from a graph that was named by
    UGAT-MedQA. A question without options is asked of a graph by 4StepFocus, and of a corpus by USCRaKE,
    whose answer is a sentence: of the corpus that was named, or where no graph names any of the question's
    words. Of graphs that nobody named, those that name more of them are likelier.

    Raises:
        AskError: there is no such system, arm, corpus or graph, or nothing says which is meant.
    """
    named = systems_by_name(systems)
    check_names(project, systems, wish)
    _check_one_source(question, wish)
    if wish.systems or wish.arms:
        return _asked_of(project, named, lake, question, wish, _arms(project, named, wish))
    meant: list[ScratchBenchmark] = []
    refused: list[AskError] = []
    for name in _default_systems(project, lake, question, wish):
        arm = _arm(project, named[name], "", wish.generator)
        try:
            meant += _asked_of(project, named, lake, question, wish, [f"{name}/{arm}"])
        except AskError as error:
            refused.append(error)
    if not meant:
        raise refused[0]
    return meant


def _check_one_source(question: UserQuestion, wish: Wish) -> None:
    """Raise AskError where a table came with a question that is to be asked of a corpus or a graph too."""
    others = {"corpus": wish.corpus, "graph": wish.graph}
    given = [f"{kind} {name}" for kind, name in others.items() if name]
    if question.table and given:
        raise AskError(
            f"a question is asked of one thing, and table {question.table.name} and {' and '.join(given)} "
            f"were given; remedy: leave out --table, or --{given[0].partition(' ')[0]}"
        )


def _asked_of(
    project: Project,
    named: Mapping[str, System],
    lake: Lake,
    question: UserQuestion,
    wish: Wish,
    arms: Sequence[str],
) -> list[ScratchBenchmark]:
    """Return what these arms may answer a question from.

    Raises:
        AskError: nothing says which corpus or graph is meant, or there is no table.
    """
    needs = {named[arm.partition("/")[0]].needs for arm in arms}
    if TABLES in needs and not question.table:
        raise AskError("UCRET reads a table; remedy: name its file (--table cases.csv)")
    if question.table and needs != {TABLES}:
        others = ", ".join(arm for arm in arms if named[arm.partition("/")[0]].needs != TABLES)
        raise AskError(
            f"{others} reads no tables, and table {question.table.name} was given; remedy: leave out "
            "--table, or name an arm of UCRET"
        )
    corpus = wish.corpus or (_corpus(project, lake) if CORPUS in needs else "")
    graphs = [wish.graph]
    if not wish.graph and GRAPH in needs:
        graphs = _naming_graphs(project, lake, question)
    elif not wish.graph and CORPUS in needs:
        graphs = [_graph_beside(project, corpus)]
    return [ScratchBenchmark(corpus or None, graph or None, tuple(sorted(arms))) for graph in graphs]


def check_names(project: Project, systems: Sequence[System], wish: Wish) -> None:
    """Check that what was named exists.

    Raises:
        AskError: it does not; the message lists what does.
    """
    _check("corpus", wish.corpus, project.sources.corpora)
    _check("graph", wish.graph, project.sources.graphs)
    for name in wish.systems:
        _check("system", name, systems_by_name(systems))


def _check(what: str, name: str, there_are: Iterable[str]) -> None:
    known = list(there_are)
    if name and name not in known:
        raise UnknownToAskError(what, [name], known, f"there are {', '.join(known) or 'none'}")


def _default_systems(project: Project, lake: Lake, question: UserQuestion, wish: Wish) -> list[str]:
    """Return the names of the systems that are meant where none was named, the likeliest first."""
    if question.table:
        return [_OF_TABLES]
    if question.options:
        has_corpus = wish.corpus or (not wish.graph and project.sources.corpora)
        return [_DEFAULT_OF[CORPUS if has_corpus else GRAPH]]
    if wish.graph:
        return [_OPEN]
    if wish.corpus or not project.sources.graphs:
        return [_DEFAULT_OF[CORPUS]]
    return [_OPEN, *([_DEFAULT_OF[CORPUS]] if searchable_corpora(project, lake) else [])]


def _arms(project: Project, named: Mapping[str, System], wish: Wish) -> list[str]:
    """Return the arms that were named, `system/arm`: each of every system that has it, or each's default."""
    wanted = [(name, "") for name in wish.systems] if not wish.arms else []
    for arm in wish.arms:
        system, _, variant = arm.rpartition("/")
        bearers = [name for name in named if variant in named[name].arms_of(project)]
        bearers = [name for name in bearers if name in ((system,) if system else wish.systems or named)]
        if not bearers:
            known = [f"{name}/{offered}" for name in named for offered in named[name].arms_of(project)]
            listed = f"of {', '.join(wish.systems) or 'any system'}; `evidence-assets arms` lists all of them"
            raise UnknownToAskError("arm", [arm], known, listed)
        wanted += [(name, variant) for name in bearers]
    return [f"{name}/{_arm(project, named[name], variant, wish.generator)}" for name, variant in wanted]


def _arm(project: Project, system: System, variant: str, generator: str) -> str:
    """Return an arm of a system, read by a generator where one is named."""
    offered: Mapping[str, Arm] = system.arms_of(project)
    chosen = variant or system.default_arm
    if not generator:
        return chosen
    _check("generator", generator, project.generators)
    read = f"{chosen.rpartition('@')[0]}@{generator}"
    if read not in offered:
        readable = [name for name in offered if name.endswith(f"@{generator}")]
        raise AskError(
            f"{system.name} has no arm {read}; remedy: name one (--arm): "
            f"{', '.join(readable) or 'there is none'}"
        )
    return read


def searchable_corpora(project: Project, lake: Lake) -> list[str]:
    """Return the corpora that a search was made ready for."""
    from evidence_assets.lake.schemas import TERM_STATISTICS

    return [name for name in project.sources.corpora if lake.exists(TERM_STATISTICS, {"corpus": name})]


def _corpus(project: Project, lake: Lake) -> str:
    """Return the corpus that is meant where none is named: the only one, or the only one made ready."""
    counted = searchable_corpora(project, lake)
    for names in (counted, list(project.sources.corpora)):
        if len(names) == 1:
            return names[0]
    used = dict.fromkeys(source.corpus for source in project.sources.benchmarks.values() if source.corpus)
    if not counted and len(used) == 1:
        return next(iter(used))
    listed = ", ".join(counted or project.sources.corpora) or "none"
    raise AskError(f"which corpus is meant? There are {listed}; remedy: name one (--corpus)")


def _graph_beside(project: Project, corpus: str) -> str:
    """Return the graph that a benchmark names beside a corpus; empty where none does."""
    beside = (source.graph for source in project.sources.benchmarks.values() if source.corpus == corpus)
    return next((graph for graph in beside if graph), "")


def _graph_to_make(project: Project) -> str:
    """Return the only graph there is: whoever asks it is told how it is made.

    Raises:
        AskError: there are several, or none.
    """
    graphs = list(project.sources.graphs)
    if len(graphs) == 1:
        return graphs[0]
    if not graphs:
        raise AskError(f"{project.location} names no graph; remedy: add one, or ask a corpus (--corpus)")
    or_corpus = ", or --corpus NAME a corpus" if project.sources.corpora else ""
    raise AskError(
        f"no graph is materialised, of {', '.join(graphs)}; remedy: evidence-assets prepare --graph NAME "
        f"makes one{or_corpus}"
    )


def _naming_graphs(project: Project, lake: Lake, question: UserQuestion) -> list[str]:
    """Return the graphs whose names cover words of a question and its options, the most first."""
    import pyarrow as pa
    import pyarrow.compute as pc

    from evidence_assets.lake.schemas import GRAPH_ALIASES
    from evidence_assets.text.function_words import function_words
    from evidence_assets.text.words import words

    built = [name for name in project.sources.graphs if lake.exists(GRAPH_ALIASES, {"kg": name})]
    if not built:
        return [_graph_to_make(project)]
    spans: dict[str, set[str]] = {}
    for text in (question.text, *question.options):
        text_words = words(text)
        for start in range(len(text_words)):
            for end in range(start + 1, min(start + _LONGEST_NAME, len(text_words)) + 1):
                spans[" ".join(text_words[start:end])] = set(text_words[start:end]) - function_words()
    phrases, covered = pa.array(list(spans)), dict.fromkeys(built, 0)
    for name in built:
        aliases = lake.read(GRAPH_ALIASES, {"kg": name}, ["alias"]).column("alias")
        shared = aliases.filter(pc.is_in(aliases, value_set=phrases)).to_pylist()
        covered[name] = len(set().union(*(spans[alias] for alias in shared)))
    naming = sorted((name for name in built if covered[name]), key=lambda name: -covered[name])
    if not naming and (len(built) > 1 or searchable_corpora(project, lake)):
        raise AskError(
            f"no graph names anything in the question; remedy: name one (--graph): {', '.join(built)}"
        )
    return naming or built
