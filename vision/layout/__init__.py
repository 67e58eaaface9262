"""Which tiles lie together: sets on a table, rows on a rack, from the tiles' oriented corners alone.

Only geometry decides here. Whether a set is legal is never asked, so that an illegal set stays illegal.

Convention: (x, y) picture pixels, x right, y down; the corners of a tile run clockwise from its *own* upper
left. Inside, everything is measured in tile widths on the rectified table plane.
"""

from vision.layout.reader import LaidSet, Layout, read_layout

__all__ = ["LaidSet", "Layout", "read_layout"]
