"""`python -m evidence_assets.cli` runs the command."""

import sys

from evidence_assets.cli.main import main

sys.exit(main())
