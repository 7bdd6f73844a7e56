"""Claims of what is above, below or as high as what: extremes and comparisons."""
