-- Which evidence still stands in its source: unchanged, changed (the source is there and says otherwise now) or
-- gone. Ids are hashes of content, so that a triple, a table or a path that was edited is gone.
CREATE VIEW evidence_states AS
-- A question may stand in one benchmark, and be reworded in another that was given the same.
WITH units AS (
    SELECT DISTINCT ON (evidence_id, of_benchmark)
        *, CASE source_table WHEN 'questions' THEN benchmark END AS of_benchmark
    FROM evidence_rows
),
steps AS (
    SELECT evidence_id, unnest(locator.triple_ids) AS triple_id
    FROM units
    WHERE source_table = 'reasoning_paths'
),
lost_steps AS (
    SELECT DISTINCT evidence_id FROM steps ANTI JOIN triples USING (triple_id)
)
SELECT
    evidence.evidence_id,
    evidence.source_table,
    evidence.source_key,
    evidence.of_benchmark AS benchmark,
    CASE
        WHEN CASE evidence.source_table
            WHEN 'chunks' THEN chunks.text_hash = evidence.source_version
            WHEN 'triples' THEN triples.triple_id IS NOT NULL
            WHEN 'reasoning_paths' THEN lost_steps.evidence_id IS NULL
            WHEN 'tables' THEN tables.table_id IS NOT NULL
            WHEN 'node_documents' THEN contains(documents.text, evidence.text)
            WHEN 'generated_triples' THEN stated_by_model.generated_triple_id IS NOT NULL
                AND (stated_by_model.request_hash IS NULL OR generations.request_hash IS NOT NULL)
            WHEN 'questions' THEN questions.question = evidence.text
            ELSE true
        END THEN 'unchanged'
        WHEN articles.article_id IS NOT NULL
            OR documents.document_id IS NOT NULL
            OR questions.question_id IS NOT NULL THEN 'changed'
        ELSE 'gone'
    END AS source_state
FROM units AS evidence
LEFT JOIN chunks ON evidence.source_table = 'chunks' AND chunks.chunk_id = evidence.source_key
LEFT JOIN articles ON articles.article_id = evidence.locator.article_id
LEFT JOIN triples ON evidence.source_table = 'triples' AND triples.triple_id = evidence.source_key
LEFT JOIN lost_steps ON lost_steps.evidence_id = evidence.evidence_id
LEFT JOIN (SELECT DISTINCT table_id FROM tables) AS tables
    ON evidence.source_table = 'tables' AND tables.table_id = evidence.source_key
LEFT JOIN node_documents AS documents
    ON evidence.source_table = 'node_documents' AND documents.document_id = evidence.source_key
LEFT JOIN generated_triples AS stated_by_model
    ON evidence.source_table = 'generated_triples'
    AND stated_by_model.generated_triple_id = evidence.source_key
LEFT JOIN generations ON generations.request_hash = stated_by_model.request_hash
LEFT JOIN questions
    ON questions.benchmark = evidence.of_benchmark AND questions.question_id = evidence.source_key;

-- Predictions that were given or cite what no longer stands in its source, or answer a question that is asked no
-- more: what to make anew after an edit.
CREATE VIEW stale_predictions AS
SELECT
    predictions.prediction_id,
    predictions.system,
    predictions.arm,
    predictions.benchmark,
    predictions.question_id,
    predictions.predicted,
    used.role,
    states.evidence_id,
    states.source_table,
    states.source_key,
    states.source_state
FROM evidence_states AS states
JOIN prediction_evidence AS used USING (evidence_id)
JOIN predictions USING (prediction_id)
WHERE states.source_state <> 'unchanged'
    AND (states.benchmark IS NULL OR states.benchmark = predictions.benchmark)
UNION ALL
SELECT
    predictions.prediction_id,
    predictions.system,
    predictions.arm,
    predictions.benchmark,
    predictions.question_id,
    predictions.predicted,
    'answered',
    NULL,
    'questions',
    predictions.question_id,
    'gone'
FROM predictions
ANTI JOIN questions USING (benchmark, question_id);

-- By what names sources go: what may be asked of impact.
CREATE VIEW source_names AS
SELECT 'article' AS kind, unnest([article_id, source_key, source_uri]) AS name FROM articles
UNION ALL
SELECT 'chunk', chunk_id FROM chunks
UNION ALL
SELECT 'triple', unnest([triple_id, kg, head, tail]) FROM triples
UNION ALL
SELECT 'graph file', source_uri FROM graph_sources
UNION ALL
SELECT 'concept', unnest(keys) FROM graph_concepts
UNION ALL
SELECT 'document', unnest([document_id, label]) FROM node_documents
UNION ALL
SELECT 'table', unnest([table_id, key, source_uri]) FROM tables
UNION ALL
SELECT 'generated triple', unnest([generated_triple_id, head, tail, request_hash]) FROM generated_triples;

-- The file of an experiment's other table, beside that of one of its tables.
CREATE MACRO beside(filename, table_name) AS
    regexp_replace(filename, '[^/]+((?:/[^/]+){4})$', table_name || '\1');

-- Down: everything predictions were given and cited, to the words in the source they were taken from. Of an
-- experiment's tables only the files beside the predictions' own are opened; keys and files are joined on at once,
-- for what one join tells of both is handed down to the files.
CREATE MACRO traces(wanted) AS TABLE
WITH chosen AS MATERIALIZED (
    SELECT * FROM prediction_rows WHERE prediction_id IN (SELECT unnest(wanted))
),
-- A typing error is no prediction without evidence.
known AS MATERIALIZED (
    SELECT DISTINCT
        beside(chosen.filename, 'prediction_evidence') AS filename,
        CASE
            WHEN chosen.prediction_id IS NULL THEN error(
                'no prediction ' || named.prediction_id
                || ' in this lake; remedy: take an id from the view predictions'
            )
            ELSE chosen.prediction_id
        END AS prediction_id
    FROM (SELECT unnest(wanted) AS prediction_id) AS named
    LEFT JOIN chosen ON chosen.prediction_id = named.prediction_id
),
used AS MATERIALIZED (
    SELECT * FROM prediction_evidence_rows SEMI JOIN known USING (prediction_id, filename)
),
used_units AS (
    SELECT DISTINCT evidence_id, beside(filename, 'evidence') AS filename FROM used
),
units AS MATERIALIZED (
    -- Chosen before they are made distinct: the view evidence would make all of them so first.
    SELECT DISTINCT ON (evidence_id) * FROM evidence_rows SEMI JOIN used_units USING (evidence_id, filename)
),
-- A triple is one step, a path several.
steps AS (
    SELECT evidence_id, source_key AS triple_id, 1 AS place, NULL AS length
    FROM units
    WHERE source_table = 'triples'
    UNION ALL
    SELECT
        evidence_id,
        unnest(locator.triple_ids),
        generate_subscripts(locator.triple_ids, 1),
        len(locator.triple_ids)
    FROM units
    WHERE source_table = 'reasoning_paths'
),
stepped AS (
    SELECT
        steps.evidence_id,
        steps.place,
        steps.length,
        triples.kg,
        concat_ws(' ', triples.head, triples.relation, triples.tail) AS said,
        triples.sources
    FROM steps
    JOIN triples USING (triple_id)
),
documents AS (
    SELECT
        units.evidence_id, units.text AS words, told.kg, told.label, told.text
    FROM units
    JOIN node_documents AS told ON told.document_id = units.source_key
    WHERE units.source_table = 'node_documents'
),
-- Who states each step; a document stands in its node's triples.
stated AS (
    SELECT evidence_id, place, kg, unnest(sources) AS one FROM stepped
    UNION ALL
    SELECT documents.evidence_id, NULL, documents.kg, unnest(around.sources)
    FROM documents
    JOIN (SELECT kg, sources, unnest([head, tail]) AS label FROM triples) AS around USING (kg, label)
),
-- What each kind of source tells of a unit: `stands` where something goes by its name still, whatever it says
-- now. An inner join for each kind, since an outer one hands nothing down to the files.
by_kind AS (
    -- An article's key and characters.
    SELECT
        units.evidence_id,
        articles.title,
        [articles.source_uri] AS uris,
        articles.source_key
            || ', characters ' || units.locator.char_start || ' to ' || units.locator.char_end AS record,
        articles.licence,
        substring(
            articles.text, units.locator.char_start + 1, units.locator.char_end - units.locator.char_start
        ) AS text,
        true AS stands
    FROM units
    JOIN articles ON articles.article_id = units.locator.article_id
    UNION ALL BY NAME
    SELECT units.evidence_id, chunks.text_hash = units.source_version AS unchanged
    FROM units
    JOIN chunks ON chunks.chunk_id = units.source_key
    WHERE units.source_table = 'chunks'
    UNION ALL BY NAME
    -- A table's key, row and column (from 1); a cell as it was published, a row's cells, a column's name, else the
    -- caption. Benchmarks may share a table: its id is a hash of what it holds, so either will do, but one that
    -- names a file outside the lake tells more.
    (SELECT DISTINCT ON (units.evidence_id)
        units.evidence_id,
        coalesce(nullif(tables.caption, ''), tables.key) AS title,
        [tables.source_uri] AS uris,
        concat_ws(
            ', ',
            'table ' || tables.key,
            'row ' || (nullif(units.locator.row, -1) + 1),
            'column ' || (units.locator.column + 1)
        ) AS record,
        tables.licence,
        coalesce(
            CASE WHEN units.locator.column IS NULL
                THEN array_to_string(tables.rows[units.locator.row + 1], ' | ') END,
            tables.rows[units.locator.row + 1][units.locator.column + 1],
            tables.header[units.locator.column + 1],
            tables.caption
        ) AS text,
        true AS unchanged
    FROM units
    JOIN tables ON tables.table_id = units.source_key
    WHERE units.source_table = 'tables'
    ORDER BY units.evidence_id, starts_with(tables.source_uri, 'lake://'), tables.source)
    UNION ALL BY NAME
    -- What a path says: its triples in its order.
    SELECT
        evidence_id,
        min(kg) AS title,
        string_agg(said, '; ' ORDER BY place) AS text,
        coalesce(count(*) = min(length), true) AS unchanged
    FROM stepped
    GROUP BY evidence_id
    UNION ALL BY NAME
    -- The source and the record of each triple. A lake of an earlier version does not know where a source is: its
    -- name stands for the place. Lists are made distinct by themselves: a distinct aggregate would be a grouping
    -- and a join of its own.
    SELECT
        stated.evidence_id,
        list_sort(list_distinct(list(coalesce(files.source_uri, one.source)))) AS uris,
        string_agg(concat_ws(', ', one.source, one.record), '; ' ORDER BY place, one.source, one.record)
            FILTER (place IS NOT NULL) AS record,
        array_to_string(list_sort(list_distinct(list(one.licence))), '; ') AS licence
    FROM stated
    LEFT JOIN graph_sources AS files ON files.kg = stated.kg AND files.source = one.source
    GROUP BY stated.evidence_id
    UNION ALL BY NAME
    -- The records that describe a node.
    SELECT
        documents.evidence_id,
        documents.kg || ', ' || documents.label AS title,
        array_to_string(concepts.records, '; ') AS record,
        contains(documents.text, documents.words) AS unchanged,
        CASE WHEN unchanged THEN documents.words ELSE documents.text END AS text,
        true AS stands
    FROM documents
    LEFT JOIN graph_concepts AS concepts ON concepts.kg = documents.kg AND concepts.label = documents.label
    UNION ALL BY NAME
    SELECT
        units.evidence_id,
        stated_by_model.model AS title,
        CASE WHEN stated_by_model.request_hash IS NOT NULL
            THEN ['generations ' || stated_by_model.request_hash] END AS uris,
        concat_ws(' ', stated_by_model.head, stated_by_model.relation, stated_by_model.tail) AS text,
        stated_by_model.request_hash IS NULL OR generations.request_hash IS NOT NULL AS unchanged
    FROM units
    JOIN generated_triples AS stated_by_model ON stated_by_model.generated_triple_id = units.source_key
    LEFT JOIN generations ON generations.request_hash = stated_by_model.request_hash
    WHERE units.source_table = 'generated_triples'
),
sources AS (
    SELECT
        evidence_id,
        min(title) AS title,
        min(uris) AS uris,
        min(record) AS record,
        min(licence) AS licence,
        min(text) AS text,
        bool_or(unchanged) AS unchanged,
        bool_or(stands) AS stands
    FROM by_kind
    GROUP BY evidence_id
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
    -- Whether it speaks for the answer that was given: of the option that was chosen, or of the question alone.
    predictions.predicted IS NOT NULL
        AND (used.candidate = -1 OR used.candidate IS NOT DISTINCT FROM predictions.predicted_index) AS chosen,
    evidence.evidence_id,
    evidence.kind,
    evidence.text AS evidence_text,
    evidence.source_table,
    evidence.source_key,
    coalesce(sources.title, '') AS source_title,
    -- The files that it stands in, as the configuration writes them: one each, and in one text by semicolons.
    CASE
        WHEN evidence.source_table <> 'questions' THEN sources.uris
        WHEN questions.source_uri IS NOT NULL THEN [questions.source_uri]
    END AS source_uris,
    array_to_string(source_uris, '; ') AS source_uri,
    -- Where in them, as each kind of source tells.
    CASE evidence.source_table
        WHEN 'questions' THEN 'question ' || questions.question_id
        ELSE sources.record
    END AS source_record,
    CASE evidence.source_table
        WHEN 'questions' THEN questions.licence
        WHEN 'generated_triples' THEN 'no source states it, a model does'
        ELSE sources.licence
    END AS licence,
    evidence.locator,
    CASE evidence.source_table WHEN 'questions' THEN questions.question ELSE sources.text END AS source_text,
    -- False where the source was changed after the evidence was taken: materialise the experiment anew.
    CASE
        WHEN evidence.source_table = 'questions' THEN coalesce(questions.question = evidence.text, false)
        WHEN evidence.source_table IN (
            'chunks', 'triples', 'reasoning_paths', 'tables', 'node_documents', 'generated_triples'
        ) THEN coalesce(sources.unchanged, false)
        ELSE true
    END AS source_unchanged,
    CASE
        WHEN source_unchanged THEN 'unchanged'
        WHEN sources.stands
            OR (evidence.source_table = 'questions' AND questions.question_id IS NOT NULL) THEN 'changed'
        ELSE 'gone'
    END AS source_state
FROM chosen AS predictions
JOIN used USING (prediction_id)
JOIN units AS evidence USING (evidence_id)
LEFT JOIN questions
    ON questions.benchmark = predictions.benchmark AND questions.question_id = predictions.question_id
LEFT JOIN sources ON sources.evidence_id = evidence.evidence_id
ORDER BY predictions.prediction_id, used.role, used.candidate, used.rank;

-- The same of one prediction.
CREATE MACRO trace(wanted) AS TABLE SELECT * FROM traces([wanted]);

-- Up: every prediction that rests on a source, named by any key it has: an evidence id, the key of a row
-- (chunk, triple, table, document), an article's id, its key or a table's in its source (a file's name in a
-- folder), the URI of a source file, the name of a knowledge graph, a concept of one or an identifier of it in a source, or
-- the request that a model was sent.
CREATE MACRO impact(wanted) AS TABLE
WITH named_files AS (
    SELECT kg, source FROM graph_sources WHERE source_uri = wanted
),
-- Triples name a concept by its label, whatever its identifiers.
named_concepts AS (
    SELECT kg, label FROM graph_concepts WHERE list_contains(keys, wanted)
),
-- Named by themselves or by what they join, which a graph or a file is not.
joined_triples AS (
    SELECT triple_id, kg, head, tail FROM triples WHERE wanted IN (triple_id, head, tail)
    UNION
    SELECT triple_id, kg, head, tail
    FROM triples
    SEMI JOIN named_concepts
        ON named_concepts.kg = triples.kg AND named_concepts.label IN (triples.head, triples.tail)
),
named_triples AS (
    SELECT triple_id, kg, head, tail FROM joined_triples
    UNION
    SELECT triple_id, kg, head, tail FROM triples WHERE kg = wanted
    UNION
    SELECT triple_id, kg, head, tail
    FROM (SELECT *, unnest(sources).source AS source FROM triples SEMI JOIN named_files USING (kg))
    SEMI JOIN named_files USING (kg, source)
),
-- A document reads out its node's triples.
named_nodes AS (
    SELECT kg, unnest([head, tail]) AS label FROM joined_triples
    UNION
    SELECT kg, label FROM named_concepts
),
named_rows AS (
    SELECT 'tables' AS source_table, table_id AS source_key FROM tables WHERE wanted IN (key, source_uri)
    UNION
    SELECT 'triples', triple_id FROM named_triples
    UNION
    SELECT 'node_documents', document_id FROM node_documents WHERE wanted IN (kg, label)
    UNION
    SELECT 'node_documents', document_id FROM node_documents SEMI JOIN named_nodes USING (kg, label)
    UNION
    SELECT 'generated_triples', generated_triple_id
    FROM generated_triples
    WHERE wanted IN (head, tail, request_hash)
    UNION
    -- A model knows a concept by its name alone.
    SELECT 'generated_triples', generated_triple_id
    FROM generated_triples
    SEMI JOIN named_concepts ON named_concepts.label IN (generated_triples.head, generated_triples.tail)
),
-- Each way to be named reads its own columns of all evidence, and passes over what its statistics rule out.
units AS MATERIALIZED (
    SELECT evidence_id, source_table, source_key, filename
    FROM evidence_rows
    WHERE evidence_id = wanted
    UNION
    SELECT evidence_id, source_table, source_key, filename
    FROM evidence_rows
    WHERE source_key = wanted
    UNION
    SELECT evidence_id, source_table, source_key, filename
    FROM evidence_rows
    SEMI JOIN named_rows USING (source_table, source_key)
    UNION
    SELECT evidence_id, source_table, source_key, filename
    FROM evidence_rows
    WHERE locator.article_id IN (SELECT article_id FROM articles WHERE wanted IN (source_key, source_uri))
    UNION
    -- Of an article that is gone its id is known still.
    SELECT evidence_id, source_table, source_key, filename
    FROM evidence_rows
    WHERE locator.article_id = wanted
    UNION
    SELECT evidence_id, source_table, source_key, filename
    FROM evidence_rows
    WHERE list_contains(locator.triple_ids, wanted)
    UNION
    SELECT evidence_id, source_table, source_key, filename
    FROM evidence_rows
    WHERE source_table = 'reasoning_paths'
        AND list_has_any(locator.triple_ids, (SELECT list(triple_id) FROM named_triples))
),
-- A typing error is no source without predictions. Names are looked through where nothing rests on this one alone.
unused AS MATERIALIZED (
    SELECT true AS is_unused WHERE wanted IS NOT NULL AND NOT EXISTS (SELECT 1 FROM units)
),
likely AS MATERIALIZED (
    -- The end of a path is as near as a name comes, and of several the shortest is meant, not a copy of it.
    SELECT DISTINCT
        name,
        CASE
            WHEN ends_with(lower(name), '/' || lower(wanted)) OR ends_with(lower(wanted), '/' || lower(name))
            THEN 1
            ELSE jaro_winkler_similarity(lower(name), lower(wanted)) END AS likeness
    FROM (SELECT name, true AS is_unused FROM source_names) SEMI JOIN unused USING (is_unused)
    WHERE name = wanted OR likeness >= 0.8
    UNION
    -- An article goes by its key, and people know its title.
    SELECT source_key, 1
    FROM (SELECT source_key, title, true AS is_unused FROM articles) SEMI JOIN unused USING (is_unused)
    WHERE lower(title) = lower(wanted)
),
-- Everything is joined on these ids, so that whatever is asked of the rest, an unknown name is told.
known AS MATERIALIZED (
    SELECT evidence_id, source_table, source_key, filename FROM units
    UNION ALL
    SELECT
        error(
            'no source ' || wanted || ' in this lake'
            || coalesce('; the nearest: ' || (
                SELECT string_agg(name, ', ' ORDER BY likeness DESC, length(name), name)
                FROM (FROM likely ORDER BY likeness DESC, length(name), name LIMIT 3)
            ), '')
            || '; remedy: take a name from the view source_names; an article that is gone goes by the id that '
            || 'trace tells of it'
        ),
        NULL, NULL, NULL
    FROM unused
    WHERE NOT EXISTS (SELECT 1 FROM likely WHERE name = wanted)
),
used_units AS (
    SELECT DISTINCT evidence_id, beside(filename, 'prediction_evidence') AS filename FROM known
),
used AS MATERIALIZED (
    SELECT DISTINCT prediction_id, role, evidence_id, beside(filename, 'predictions') AS filename
    FROM prediction_evidence_rows
    SEMI JOIN used_units USING (evidence_id, filename)
)
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
FROM (SELECT DISTINCT evidence_id, source_table, source_key FROM known) AS evidence
JOIN used USING (evidence_id)
JOIN prediction_rows AS predictions USING (prediction_id, filename)
ORDER BY ALL;

COMMENT ON VIEW evidence_states IS 'Whether each unit of evidence still stands in its source.';
COMMENT ON COLUMN evidence_states.benchmark IS 'of a question, which of those it was asked in; else null';
COMMENT ON COLUMN evidence_states.source_state IS 'unchanged, changed (the source says otherwise now) or gone';
COMMENT ON VIEW stale_predictions IS
    'Predictions that were given or cite what no longer stands in its source, with what that is.';
COMMENT ON COLUMN stale_predictions.role IS 'given, cited, or answered: the question itself';
COMMENT ON COLUMN stale_predictions.source_state IS 'changed (the source says otherwise now) or gone';
COMMENT ON VIEW source_names IS 'By what names sources go, which the macro impact takes; a name may come twice.';
COMMENT ON COLUMN source_names.kind IS 'what goes by the name: article, triple, table, …';
COMMENT ON COLUMN source_names.name IS 'an id, a key in the source, a file, a graph, a concept';
COMMENT ON MACRO TABLE traces IS
    'traces(list of prediction_ids): what each was given and cited, down to the words in the source.';
COMMENT ON MACRO TABLE trace IS
    'trace(prediction_id): what the prediction was given and cited, down to the words in the source.';
COMMENT ON MACRO TABLE impact IS
    'impact(key): every prediction that rests on an article, chunk, triple, table, node, graph or file.';
