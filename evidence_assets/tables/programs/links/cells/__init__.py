"""Words of a claim that name cells: whole, in part, misspelt, as yes and no, denied."""
