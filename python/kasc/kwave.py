"""k-wave-python with kasc in place of k-Wave's own compiled solvers.

    import kasc.kwave
    kasc.kwave.install()
    from kwave.kspaceFirstOrder2D import kspaceFirstOrder2D
    …

From then on, in this process, all that would call ``kspaceFirstOrder-OMP`` or ``kspaceFirstOrder-CUDA`` calls
``kasc kwave``: functions with execution options, and ``kspaceFirstOrder(…, backend="cpp")``.
"""

from __future__ import annotations

import logging
import os
import subprocess
import sys
import urllib.request
from pathlib import Path

_solvers = ("kspaceFirstOrder-OMP", "kspaceFirstOrder-CUDA")


def solver_folder() -> Path:
    """A folder of the user's in which the solvers' names stand for kasc; made where missing.

    For ``binary_dir`` and ``binary_path`` of the package, and ``BinaryPath`` of MATLAB's.
    """
    cache = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache")
    folder = cache / "kasc" / "as-kwave"
    folder.mkdir(parents=True, exist_ok=True, mode=0o700)
    command = Path(__file__).resolve().parent / "bin" / "kasc-kwave"
    for name in _solvers:
        link = folder / name
        if link.is_symlink() and Path(os.readlink(link)) == command:
            continue
        new = folder / f".{name}.{os.getpid()}"
        new.symlink_to(command)
        new.replace(link)
    return folder


def install() -> Path:
    """Lets k-wave-python run kasc; returns solver_folder(). Call it before any import of kwave on a machine without a
    network, where the package would try to fetch its solvers."""
    folder = solver_folder()
    fetch = urllib.request.urlretrieve
    level = logging.root.manager.disable
    try:
        urllib.request.urlretrieve = _fetches_nothing
        logging.disable(logging.WARNING)  # of what was not fetched
        import kwave
        import kwave.options.simulation_execution_options as options
    finally:
        urllib.request.urlretrieve = fetch
        logging.disable(level)
    kwave.BINARY_PATH = kwave.BINARY_DIR = folder
    options.BINARY_DIR = folder  # it has it by value
    return folder


def prepare(*names: str) -> None:
    """Has the programs built that common simulations are, as far as they did not come with this package: some minutes,
    once on a machine. ``names`` are those that ``kasc kwave-prepare --list`` prints, or their beginnings, as "2d"; all
    where none is given. ``python -m kasc.kwave`` does the same."""
    command = Path(__file__).resolve().parent / "bin" / "kasc"
    subprocess.run([str(command), "kwave-prepare", *names], check=True)


def _fetches_nothing(*_args: object, **_named: object) -> None:
    raise TimeoutError("kasc takes the solvers' place")


if __name__ == "__main__":
    prepare(*sys.argv[1:])
