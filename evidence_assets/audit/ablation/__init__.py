"""What becomes of answers without some of their evidence, and what that says of the citations."""
