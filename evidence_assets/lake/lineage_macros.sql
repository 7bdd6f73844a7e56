-- Down: everything one prediction was given and cited, to the words in the source they were taken from.
CREATE MACRO trace(wanted) AS TABLE
WITH steps AS (
    SELECT
        evidence_id,
        unnest(locator.triple_ids) AS triple_id,
        generate_subscripts(locator.triple_ids, 1) AS place
    FROM evidence
    WHERE source_table = 'reasoning_paths'
        AND evidence_id IN (SELECT evidence_id FROM prediction_evidence WHERE prediction_id = wanted)
),
-- A path stands in its triples: what they say, in its order, and who states them.
paths AS (
    SELECT
        steps.evidence_id,
        count(*) AS triples,
        min(triples.kg) AS kg,
        string_agg(concat_ws(' ', triples.head, triples.relation, triples.tail), '; ' ORDER BY place) AS said,
        string_agg(
            list_aggregate(
                [concat_ws(', ', one.source, one.record) FOR one IN triples.sources], 'string_agg', '; '
            ),
            '; ' ORDER BY place
        ) AS stated_by,
        list_aggregate(
            list_sort(list_distinct(flatten(list([one.licence FOR one IN triples.sources])))), 'string_agg', '; '
        ) AS licence
    FROM steps
    JOIN triples USING (triple_id)
    GROUP BY steps.evidence_id
)
SELECT
    predictions.prediction_id,
    predictions.system,
    predictions.arm,
    predictions.benchmark,
    predictions.question_id,
    questions.question,
    predictions.predicted,
    predictions.correct,
    used.role,
    used.candidate,
    used.rank,
    used.score,
    evidence.evidence_id,
    evidence.kind,
    evidence.text AS evidence_text,
    evidence.source_table,
    evidence.source_key,
    coalesce(articles.title, triples.kg, paths.kg, nullif(tables.caption, ''), tables.key, '') AS source_title,
    -- A triple is stated by its sources: each source's name, and the record in it.
    coalesce(
        articles.source_uri,
        tables.source_uri,
        list_aggregate([concat_ws(', ', one.source, one.record) FOR one IN triples.sources], 'string_agg', '; '),
        paths.stated_by,
        CASE evidence.source_table WHEN 'questions' THEN questions.source_uri END
    ) AS source_uri,
    coalesce(
        articles.licence,
        tables.licence,
        list_aggregate(list_distinct([one.licence FOR one IN triples.sources]), 'string_agg', '; '),
        paths.licence,
        CASE evidence.source_table WHEN 'questions' THEN questions.licence END
    ) AS licence,
    evidence.locator,
    CASE
        WHEN articles.text IS NOT NULL THEN substring(
            articles.text,
            evidence.locator.char_start + 1,
            evidence.locator.char_end - evidence.locator.char_start
        )
        WHEN triples.triple_id IS NOT NULL
            THEN concat_ws(' ', triples.head, triples.relation, triples.tail)
        -- A cell as it was published, a row's cells, a column's name; else the caption.
        WHEN tables.table_id IS NOT NULL THEN coalesce(
            CASE WHEN evidence.locator.column IS NULL
                THEN array_to_string(tables.rows[evidence.locator.row + 1], ' | ') END,
            tables.rows[evidence.locator.row + 1][evidence.locator.column + 1],
            tables.header[evidence.locator.column + 1],
            tables.caption
        )
        WHEN evidence.source_table = 'questions' THEN questions.question
        ELSE paths.said
    END AS source_text,
    -- False where the source was changed after the evidence was taken: materialise the experiment anew.
    CASE evidence.source_table
        WHEN 'chunks' THEN coalesce(chunks.text_hash = evidence.source_version, false)
        WHEN 'triples' THEN triples.triple_id IS NOT NULL
        WHEN 'reasoning_paths' THEN coalesce(paths.triples = len(evidence.locator.triple_ids), false)
        WHEN 'questions' THEN coalesce(questions.question = evidence.text, false)
        WHEN 'tables' THEN tables.table_id IS NOT NULL
        ELSE true
    END AS source_unchanged
FROM predictions
JOIN prediction_evidence AS used USING (prediction_id)
JOIN evidence USING (evidence_id)
LEFT JOIN questions
    ON questions.benchmark = predictions.benchmark AND questions.question_id = predictions.question_id
LEFT JOIN articles ON articles.article_id = evidence.locator.article_id
LEFT JOIN chunks ON evidence.source_table = 'chunks' AND chunks.chunk_id = evidence.source_key
LEFT JOIN triples ON evidence.source_table = 'triples' AND triples.triple_id = evidence.source_key
-- Benchmarks may share a table: its id is a hash of what it holds, so either will do.
LEFT JOIN (SELECT * FROM tables QUALIFY row_number() OVER (PARTITION BY table_id ORDER BY source) = 1) AS tables
    ON evidence.source_table = 'tables' AND tables.table_id = evidence.source_key
LEFT JOIN paths ON paths.evidence_id = evidence.evidence_id
WHERE predictions.prediction_id = wanted
ORDER BY used.role, used.candidate, used.rank;

-- Up: every prediction that rests on a source, named by any key it has: an evidence id, the key of a row
-- (chunk, triple, table), an article's id, its key in its source (a file's name in a folder), the URI of a
-- source file, the name of a knowledge graph, or a concept of one.
CREATE MACRO impact(wanted) AS TABLE
SELECT DISTINCT
    predictions.prediction_id,
    predictions.system,
    predictions.arm,
    predictions.benchmark,
    predictions.question_id,
    predictions.predicted,
    predictions.correct,
    used.role,
    evidence.evidence_id,
    evidence.source_table,
    evidence.source_key
FROM evidence
JOIN prediction_evidence AS used USING (evidence_id)
JOIN predictions USING (prediction_id)
LEFT JOIN articles ON articles.article_id = evidence.locator.article_id
LEFT JOIN tables ON evidence.source_table = 'tables' AND tables.table_id = evidence.source_key
LEFT JOIN triples ON evidence.source_table = 'triples' AND triples.triple_id = evidence.source_key
WHERE wanted IN (
    evidence.evidence_id,
    evidence.source_key,
    articles.article_id,
    articles.source_key,
    articles.source_uri,
    tables.source_uri,
    triples.kg,
    triples.head,
    triples.tail
)
OR list_contains(evidence.locator.triple_ids, wanted)
OR (
    evidence.source_table = 'reasoning_paths'
    AND list_has_any(
        evidence.locator.triple_ids,
        (SELECT list(triple_id) FROM triples AS named WHERE wanted IN (named.kg, named.head, named.tail))
    )
)
ORDER BY predictions.prediction_id, used.role, evidence.evidence_id;
