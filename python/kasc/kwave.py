"""k-wave-python with kasc in place of k-Wave's own compiled solvers.

    import kasc.kwave
    kasc.kwave.install()
    from kwave.kspaceFirstOrder2D import kspaceFirstOrder2D
    …

From then on, in this process, all that would call ``kspaceFirstOrder-OMP`` or ``kspaceFirstOrder-CUDA`` calls
``kasc kwave``: functions with execution options, and ``kspaceFirstOrder(…, backend="cpp")``.
"""

from __future__ import annotations

import itertools
import logging
import os
import tempfile
import urllib.request
import warnings
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


def prepare() -> None:
    """Has the programs built that most simulations in two dimensions are, so that the first run of a script finds its
    own: a minute, once on a machine. ``python -m kasc.kwave`` does the same."""
    install()
    import numpy as np
    from kwave.kgrid import kWaveGrid
    from kwave.kmedium import kWaveMedium
    from kwave.ksensor import kSensor
    from kwave.ksource import kSource
    from kwave.kspaceFirstOrder2D import kspaceFirstOrder2D
    from kwave.options.simulation_execution_options import SimulationExecutionOptions
    from kwave.options.simulation_options import SimulationOptions

    n, steps = 32, 3
    cells = np.zeros((n, n), dtype=bool)
    cells[n // 2, 10:13] = True
    for (speed, density), absorbs, sent in itertools.product(
        ((0, 0), (1, 0), (1, 1)), (False, True), ("p0", "one signal", "a signal each")
    ):
        grid = kWaveGrid([n, n], [1e-4, 1e-4])
        grid.setTime(steps, 1e-8)
        medium = kWaveMedium(sound_speed=1500 + np.zeros((n, n)) if speed else 1500)
        medium.density = 1000 + np.zeros((n, n)) if density else 1000
        if absorbs:
            medium.alpha_coeff, medium.alpha_power = 0.5, 1.5
        source = kSource()
        if sent == "p0":
            source.p0 = 1.0 * cells
        else:
            source.p_mask, source.p = cells, np.ones((1 if sent == "one signal" else int(cells.sum()), steps))
        with tempfile.TemporaryDirectory() as folder, warnings.catch_warnings():
            warnings.simplefilter("ignore")
            options = SimulationOptions(pml_inside=True, pml_size=[4, 4], save_to_disk=True, data_path=folder)
            kspaceFirstOrder2D(grid, source, kSensor(mask=cells), medium, options, SimulationExecutionOptions(show_sim_log=False))


def _fetches_nothing(*_args: object, **_named: object) -> None:
    raise TimeoutError("kasc takes the solvers' place")


if __name__ == "__main__":
    prepare()
