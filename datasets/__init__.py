"""Makes and loads labelled pictures. Development only; not in the wheel."""
