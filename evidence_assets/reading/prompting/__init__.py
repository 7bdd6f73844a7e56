"""Language models asked in words: what a request says, what a reply has to be, and what is answered of it."""
