"""The documentation: its prose, its commands, the site that is made of it."""
