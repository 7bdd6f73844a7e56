"""Parts of a question that nothing of the table tells, so that an answer is not given."""
