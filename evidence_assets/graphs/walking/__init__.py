"""Ways through a graph: neighbours, random walks, shortest paths."""
