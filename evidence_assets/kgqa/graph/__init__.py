"""The graph that is asked: its schema, its nodes and relations, and how they are worded."""
