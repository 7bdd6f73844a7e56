"""Whether a reading that seems sure is what was asked: each file has one way in which it may not be."""
