"""Tables with columns and rows of what follows from their cells: contests, hours, spans, quotients."""
