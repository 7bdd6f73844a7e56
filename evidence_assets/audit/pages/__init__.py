"""Pages to look at answers, their evidence and their scores by: self-contained HTML, rendered from tables."""
