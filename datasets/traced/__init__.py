"""Path-traced, photograph-like pictures of tiles on tables and racks, with exact truth.

Units are millimetres; the table's top is the plane z = 0, z points up, x to the right and y away from
the owner.
"""
