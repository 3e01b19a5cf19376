"""`python -m barreleye` is the `barreleye` command."""

import sys

from barreleye.cli import main

sys.exit(main())
