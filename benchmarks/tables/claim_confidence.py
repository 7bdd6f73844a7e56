"""How likely verdicts are right on claims, supported or refuted, that nobody has read before.

    python -m benchmarks.tables.claim_confidence [--record AUTHOR ...]

fits what tells it on claims over Wikipedia's tables as they were read when they were opened, keeps it, and
prints how far confidence is from accuracy, each author's claims decided by what the others' show.
`--record` first adds the verdicts on claims of some authors as they are read now: right after these were
opened, before a program or weight is changed with their claims in view.
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence

from benchmarks import fitting
from benchmarks.authored import wikipedia_claims
from benchmarks.real_texts import cached_encoder
from benchmarks.tables.table_reliability import (
    MEASURED,
    Verdicts,
    crossed,
    read_verdicts,
    weighed,
    write_verdicts,
)
from benchmarks.tables.table_sets import of_author
from benchmarks.tables.table_verification import SURE, calibration_error
from evidence_assets.tables.programs.verdicts.claim_ranking import ranked, read
from evidence_assets.tables.programs.verdicts.meanings import meanings_of
from evidence_assets.tables.programs.verdicts.reliability import CONFIDENCES, confidence_features
from evidence_assets.tables.programs.verdicts.verification import verify
from evidence_assets.tables.programs.wording.frames import framed
from evidence_assets.tables.programs.wording.words import tokens

WHEN_BLIND = wikipedia_claims.FOLDER / "verdicts_when_blind.json"


def main() -> None:
    """Record verdicts where that is wanted, fit, keep the weights, and print how far they are off."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--record", nargs="+", metavar="AUTHOR", default=[])
    opened = read_verdicts(WHEN_BLIND) if WHEN_BLIND.exists() else {}
    for author in parser.parse_args().record:
        opened[author] = verdicts_on(author)
        write_verdicts(WHEN_BLIND, opened)
    fitted_on = (
        f"claims over Wikipedia's tables as they were read when opened, of authors {', '.join(opened)}"
    )
    fitting.keep_weights(MEASURED / f"ranking_{CONFIDENCES}.json", weighed(opened.values()), fitted_on)
    decided = crossed(opened)
    print(f"{calibration_error(decided)} of {len(decided)} verdicts, {_right_of_sure(decided)} right of sure")


def verdicts_on(author: str) -> Verdicts:
    """Return the verdicts on an author's claims as they are read now, without those left open."""
    claims = of_author(author)
    meant = meanings_of([(statement, table) for table, statement, _ in claims], cached_encoder().encode)
    verdicts = []
    for (table, statement, truth), meanings in zip(claims, meant, strict=True):
        verdict = verify(statement, table, meanings)
        if verdict.supported is None:
            continue
        reading = read(framed(tokens(statement)).statement, table, meanings)
        programs = ranked(reading.claim, reading.runs)
        share = programs.share(next(programs.order()).result.truth)
        verdicts.append((confidence_features(share, reading.claim), verdict.supported is truth))
    return verdicts


def _right_of_sure(decided: Sequence[tuple[float, bool]]) -> float:
    sure = [right for share, right in decided if share >= SURE]
    return round(sum(sure) / max(1, len(sure)), 3)


if __name__ == "__main__":
    main()
