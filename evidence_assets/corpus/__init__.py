"""Articles to chunks, term statistics, embeddings and index."""
