-- Every printed figure beside each of ours of the same system, variant, benchmark and metric: a row a pair,
-- and one for a figure that nothing here was measured for. What differs is named; nothing is averaged over.
CREATE VIEW score_comparison AS
WITH graphs AS (SELECT benchmark, min(kg) AS kg FROM question_concepts GROUP BY benchmark),
sizes AS (SELECT kg, count(*) AS triples FROM triples GROUP BY kg),
miners AS (SELECT kg, min(model_id) AS model FROM harvested_triples GROUP BY kg),
ours AS (
    SELECT system, split_part(arm, '@', 1) AS variant, split_part(arm, '@', 2) AS model, arm, benchmark, metric,
        value, low, high, n, complete, kg, triples
    FROM benchmark_scores LEFT JOIN graphs USING (benchmark) LEFT JOIN sizes USING (kg)
    UNION ALL BY NAME
    SELECT split_part(kg, '_', 1) AS system, kg AS variant, model, kg AS arm, metric, value, low, high, n
    FROM harvest_scores LEFT JOIN miners USING (kg) WHERE relation = ''
),
printed AS (
    SELECT scores.*, split_part(arm, '@', 1) AS variant, split_part(arm, '@', 2) AS model, questions, graph,
        graph_triples, articles
    FROM published_scores AS scores LEFT JOIN published_setups USING (system, benchmark, source)
)
SELECT printed.system, printed.variant, printed.benchmark, printed.metric, printed.source,
    printed.table_number, printed.value AS published_value, printed.model AS published_model,
    printed.questions AS published_n, printed.graph AS published_graph,
    printed.graph_triples AS published_triples, printed.articles AS published_articles,
    ours.arm AS our_arm, ours.value AS our_value, ours.low AS our_low, ours.high AS our_high, ours.n AS our_n,
    ours.model AS our_model, ours.kg AS our_graph, ours.triples AS our_triples, ours.complete AS our_complete,
    list_filter([
        CASE WHEN ours.arm IS NULL THEN 'not measured here' END,
        CASE WHEN ours.arm IS NOT NULL AND ours.model IS DISTINCT FROM printed.model
            THEN 'model: printed ' || printed.model || ', ours ' || coalesce(ours.model, 'not told') END,
        CASE WHEN ours.n <> printed.questions
            THEN 'questions: printed ' || printed.questions || ', ours ' || ours.n END,
        CASE WHEN ours.arm IS NOT NULL AND ours.benchmark IS NOT NULL AND printed.questions IS NULL
            THEN 'questions: the paper does not say how many, ours ' || ours.n END,
        CASE WHEN ours.triples <> printed.graph_triples
            THEN 'graph: printed ' || printed.graph || ' of ' || printed.graph_triples || ' triples, ours '
                || ours.kg || ' of ' || ours.triples END,
        CASE WHEN ours.arm IS NOT NULL AND printed.graph IS NOT NULL AND ours.kg IS NULL
            AND ours.benchmark IS NOT NULL THEN 'graph: printed ' || printed.graph || ', ours none' END,
        CASE WHEN NOT ours.complete THEN 'ours is incomplete' END
    ], lambda difference: difference IS NOT NULL) AS differs
FROM printed LEFT JOIN ours
    ON ours.system = printed.system AND ours.variant = printed.variant AND ours.metric = printed.metric
    AND (ours.benchmark = printed.benchmark OR ours.benchmark IS NULL);

COMMENT ON VIEW score_comparison IS
    'Figures as papers print them beside ours, a row a pair, with what differs between the two set-ups.';
COMMENT ON COLUMN score_comparison.variant IS 'the arm without its reader: how evidence is found; of a harvest the graph';
COMMENT ON COLUMN score_comparison.published_value IS 'the figure that the paper prints';
COMMENT ON COLUMN score_comparison.published_model IS 'the model that the paper''s figure was measured with';
COMMENT ON COLUMN score_comparison.published_n IS 'questions that the paper''s figure is over; null where it does not say';
COMMENT ON COLUMN score_comparison.published_graph IS 'the knowledge graph that the paper used; null where it names none';
COMMENT ON COLUMN score_comparison.published_triples IS 'triples of that graph; null where the paper does not say';
COMMENT ON COLUMN score_comparison.published_articles IS 'articles of the paper''s corpus; null where it does not say';
COMMENT ON COLUMN score_comparison.our_arm IS 'the arm measured here; null where none was';
COMMENT ON COLUMN score_comparison.our_value IS 'our figure';
COMMENT ON COLUMN score_comparison.our_low IS 'lower end of our figure''s 95 % interval';
COMMENT ON COLUMN score_comparison.our_high IS 'upper end of our figure''s 95 % interval';
COMMENT ON COLUMN score_comparison.our_n IS 'questions that our figure is over';
COMMENT ON COLUMN score_comparison.our_model IS 'the model that our figure was measured with';
COMMENT ON COLUMN score_comparison.our_graph IS 'the knowledge graph that our questions are about; null where there is none';
COMMENT ON COLUMN score_comparison.our_triples IS 'triples of that graph';
COMMENT ON COLUMN score_comparison.our_complete IS 'whether every question was answered for our figure';
COMMENT ON COLUMN score_comparison.differs IS 'what differs between the two set-ups, in words; empty where nothing is known to';
