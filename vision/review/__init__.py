"""A recording in, a refereed game out: turns, log, report, annotated film."""
