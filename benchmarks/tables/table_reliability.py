"""How far verdicts on claims can be trusted over tables of unknown domains.

    python -m benchmarks.tables.table_reliability [--record DOMAIN ...]

fits what tells how likely a verdict is right on claims as they were read when their domains were opened,
keeps it, and prints from which reliability on `ASKED` of them are right, each set of domains decided by what
the others show. `--record` first adds the verdicts on claims of some domains as they are read now: right
after these were opened, before a rule or weight is changed with their claims in view; they are fitted on once
the domains are development data.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterable, Sequence
from pathlib import Path

import numpy as np

from benchmarks import fitting
from benchmarks.authored.table_claims import FOLDER
from benchmarks.real_texts import cached_encoder
from benchmarks.tables.table_sets import DEVELOPMENT_DOMAINS, Claims, authored
from evidence_assets.reading import log_linear
from evidence_assets.reading.log_linear import Features
from evidence_assets.tables.programs.verdicts.claim_ranking import ranked, read
from evidence_assets.tables.programs.verdicts.leftovers.claim_accounting import carried
from evidence_assets.tables.programs.verdicts.meanings import meanings_of
from evidence_assets.tables.programs.verdicts.reliability import VERDICTS, verdict_features
from evidence_assets.tables.programs.wording.words import tokens

WHEN_BLIND = FOLDER.parent / "table_verdicts_when_blind.json"
MEASURED = Path(log_linear.__file__).parent / "measured"
ASKED, PENALTY = 0.9, 1.0

# The features of a verdict, and whether it is right.
Verdicts = list[tuple[Features, bool]]


def main() -> None:
    """Record verdicts where that is wanted, fit, keep the weights, and print the least reliability."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--record", nargs="+", metavar="DOMAIN", default=[])
    if domains := parser.parse_args().record:
        verdicts = verdicts_on(authored(domains))
        write_verdicts(WHEN_BLIND, {**recorded(), ", ".join(sorted(domains)): verdicts})
    opened = when_blind()
    fitted_on = f"authored claims as they were read when opened: {'; '.join(opened)}"
    fitting.keep_weights(MEASURED / f"ranking_{VERDICTS}.json", weighed(opened.values()), fitted_on)
    decided = crossed(opened)
    least = least_reliability(decided)
    print(f"{least:.3f}: {sum(share >= least for share, _ in decided)} of {len(decided)} verdicts")


def when_blind() -> dict[str, Verdicts]:
    """Return the verdicts on claims of development domains, by those opened together, when they were."""
    return {
        domains: verdicts
        for domains, verdicts in recorded().items()
        if set(domains.split(", ")) <= set(DEVELOPMENT_DOMAINS)
    }


def recorded() -> dict[str, Verdicts]:
    """Return the verdicts on claims of all domains that were opened together, when they were."""
    return read_verdicts(WHEN_BLIND)


def read_verdicts(file: Path) -> dict[str, Verdicts]:
    """Return verdicts that `write_verdicts` kept, by what was opened together."""
    kept = json.loads(file.read_text(encoding="utf-8"))
    return {
        opened: [
            (dict(zip(kept["features"], values, strict=True)), bool(right)) for *values, right in verdicts
        ]
        for opened, verdicts in kept["opened"].items()
    }


def verdicts_on(claims: Claims) -> Verdicts:
    """Return the verdicts on claims as they are read now, without those that are never given."""
    meant = meanings_of([(statement, table) for table, statement, _ in claims], cached_encoder().encode)
    verdicts = []
    for (table, statement, truth), meanings in zip(claims, meant, strict=True):
        reading = read(tokens(statement), table, meanings)
        claim, programs = reading.claim, ranked(reading.claim, reading.runs)
        run = next(programs.order(), None)
        if run is not None:
            verdict = run.result.truth
            if not (run.lacks_predicate and verdict):
                features = verdict_features(programs.share(verdict), run, len(carried(claim)))
                verdicts.append((features, verdict is truth))
    return verdicts


def weighed(opened: Iterable[Verdicts]) -> dict[str, float]:
    """Return the weights under which the verdicts that are right are likeliest so."""
    pairs = [[(features, right), ({}, not right)] for part in opened for features, right in part]
    return fitting.fitted(pairs, PENALTY)


def crossed(opened: dict[str, Verdicts]) -> list[tuple[float, bool]]:
    """Return how likely each verdict is right, as the domains opened at other times show; and if it is."""
    decided = []
    for name, verdicts in opened.items():
        weights = weighed(others for domain, others in opened.items() if domain != name)
        decided += [
            (log_linear.probabilities([features, {}], weights)[0], right) for features, right in verdicts
        ]
    return decided


def least_reliability(decided: Sequence[tuple[float, bool]]) -> float:
    """Return the least reliability from which `ASKED` of the verdicts are right; 1 where there is none."""
    ordered = sorted(decided, reverse=True)
    right = np.cumsum([is_right for _, is_right in ordered])
    enough = np.flatnonzero(right >= ASKED * np.arange(1, len(ordered) + 1))
    return ordered[enough[-1]][0] if len(enough) else 1.0


def write_verdicts(file: Path, opened: dict[str, Verdicts]) -> None:
    """Keep the features of verdicts, and whether each is right, by what was opened together."""
    names = list(next(iter(opened.values()))[0][0])
    rows = {
        domains: [[*(round(features[name], 4) for name in names), int(right)] for features, right in verdicts]
        for domains, verdicts in opened.items()
    }
    lines = [
        f' "{domains}": [\n' + ",\n".join(f"  {json.dumps(row)}" for row in part) + "\n ]"
        for domains, part in rows.items()
    ]
    text = f'{{"features": {json.dumps(names)},\n"opened": {{\n' + ",\n".join(lines) + "\n}}\n"
    file.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
