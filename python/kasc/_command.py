"""The command of the package: ``kasc …``, as docs describe it."""

import os
import sys
from pathlib import Path


def command() -> Path:
    """Where the compiler's command lies."""
    return Path(__file__).resolve().parent / "bin" / "kasc"


def main() -> None:
    os.execv(command(), ["kasc", *sys.argv[1:]])
