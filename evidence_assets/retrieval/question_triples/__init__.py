"""What of a graph a benchmark's questions name, and the triples around that."""
