"""Claims of what rose, fell or stayed from one time to another, and of the time between rows."""
