"""Links of a claim's words, numbers and times to the cells, headers and bounds that they mean."""
