"""Programs of a claim, ranked by what they leave of it, and the verdict that they come to."""
