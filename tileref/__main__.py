"""``python -m tileref`` is ``tileref``."""

import sys

from tileref.cli import main

sys.exit(main())
