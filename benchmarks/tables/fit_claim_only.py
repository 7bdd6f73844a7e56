"""Fit the classifiers that judge a claim without its table, on development claims, and keep their weights.

    python -m benchmarks.tables.fit_claim_only

Two labels: the development half of 600 tables of TabFact's test that are not among the small test, so that
no claim of `tabfact_small` is seen. Three labels: the development half of SciTab; a claim about one of its
tables is judged by a classifier fitted without that table's fold. Needs the data sets.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from benchmarks.real_texts import real_data
from benchmarks.tables.table_sets import FOLDS, Claims, fold_of, in_development, scitab, tabfact
from benchmarks.tables.table_verification import VERDICTS, scitab_ids
from evidence_assets.reading import log_linear
from evidence_assets.tables.claim_only import NAME, THREE, TWO, form_words

PENALTY, LEAST_SEEN, DECIMALS = 0.3, 2, 3


def fit(claims: Claims, table_ids: Mapping[str, str]) -> dict[str, Any]:
    """Return what is kept of one set of labels. `table_ids`: the lake's id of each table, by its name."""
    names = [table.table_id for table, _, _ in claims]
    texts = [text for _, text, _ in claims]
    labels = [VERDICTS[truth] for _, _, truth in claims]
    ordered = [label for label in VERDICTS.values() if label in set(labels)]
    folds = {name: fold_of(name) for name in dict.fromkeys(names)} if table_ids else {}
    parts = [
        _fitted(
            [text for text, name in zip(texts, names, strict=True) if folds[name] != number],
            [label for label, name in zip(labels, names, strict=True) if folds[name] != number],
            ordered,
        )
        for number in range(FOLDS if folds else 0)
    ]
    return {
        "claims": len(claims),
        "tables": len(set(names)),
        "labels": ordered,
        "commonest": Counter(labels).most_common(1)[0][0],
        "whole": _fitted(texts, labels, ordered),
        "folds": parts,
        "fold_of": {table_ids[name]: fold for name, fold in folds.items()},
    }


def _fitted(texts: Sequence[str], labels: Sequence[str], ordered: Sequence[str]) -> dict[str, Any]:
    from sklearn.feature_extraction.text import CountVectorizer
    from sklearn.linear_model import LogisticRegression

    vectorizer = CountVectorizer(analyzer=form_words, min_df=LEAST_SEEN, binary=True)
    model = LogisticRegression(C=PENALTY, max_iter=2_000)
    model.fit(vectorizer.fit_transform(texts), labels)
    weights, intercepts = model.coef_, model.intercept_
    if len(ordered) == 2:
        # Of two labels the regression keeps the second one's alone.
        weights, intercepts = [0 * weights[0], weights[0]], [0.0, intercepts[0]]
    rows = dict(zip(model.classes_, weights, strict=True))
    starts = dict(zip(model.classes_, intercepts, strict=True))
    return {
        "intercepts": [round(float(starts[label]), DECIMALS) for label in ordered],
        "weights": {
            str(word): [round(float(rows[label][place]), DECIMALS) for label in ordered]
            for word, place in sorted(vectorizer.vocabulary_.items())
        },
    }


def main() -> None:
    """Fit both and write their weights."""
    folder = real_data() / "tables"
    three = [claim for claim in scitab(folder / "sci_tab.json") if in_development(claim[0].table_id)]
    two = [claim for claim in tabfact(folder, more=True) if in_development(claim[0].table_id)]
    content = {
        "fitted_by": "python -m benchmarks.fit_claim_only",
        TWO: {"fitted_on": "TabFact: the development half of 600 more tables"} | fit(two, {}),
        THREE: {"fitted_on": "SciTab: the development half of its tables"} | fit(three, scitab_ids()),
    }
    path = Path(log_linear.__file__).parent / "measured" / f"{NAME}.json"
    path.write_text(json.dumps(content, separators=(",", ":")) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
