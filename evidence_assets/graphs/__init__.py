"""Knowledge graphs: labels, templates, the graph in memory, linking texts to it, triples as evidence."""
