"""Knowledge graphs: triples, merged concepts, the graph in memory, linking texts to it, walks and paths."""
