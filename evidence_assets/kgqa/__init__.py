"""Questions asked of a typed graph: its schema, parsing, conjunctive queries, retrieval of facts."""
