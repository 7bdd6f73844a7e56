"""Questions asked of a graph: parsing, queries, facts."""
