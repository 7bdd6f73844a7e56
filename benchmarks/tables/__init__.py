"""Claims and questions over tables."""
