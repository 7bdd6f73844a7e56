"""The pages of docs/ that are written from results: results.md and printed.md."""
