"""Makes the parts of the documentation site that nobody writes by hand; mkdocs.yml names its hooks."""
