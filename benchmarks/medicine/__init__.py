"""Medical questions to a biomedical graph."""
