#!/usr/bin/env python3
"""k-Wave's Python package with kasc as its compiled solver: both of its interfaces write a file, call
kspaceFirstOrder-OMP, which is a link to kasc-kwave, and read what it has written. The package's own solver says what
is right; around an axis, where it has none, reference_solver.py.

    through_python.py BUILD/bin/kasc-kwave
"""

import os
import pathlib
import subprocess
import sys
import tempfile

import numpy as np

sys.path.insert(0, str(pathlib.Path(__file__).parent))
from package import import_kwave  # noqa: E402

import_kwave()
import kwave  # noqa: E402
from kwave.kgrid import kWaveGrid  # noqa: E402
from kwave.kmedium import kWaveMedium  # noqa: E402
from kwave.ksensor import kSensor  # noqa: E402
from kwave.ksource import kSource  # noqa: E402
from kwave.kspaceFirstOrder import kspaceFirstOrder  # noqa: E402
from kwave.kspaceFirstOrder2D import kspaceFirstOrder2D  # noqa: E402
from kwave.kspaceFirstOrder3D import kspaceFirstOrder3D  # noqa: E402
from kwave.kspaceFirstOrderAS import kspaceFirstOrderASC  # noqa: E402
from kwave.options.simulation_execution_options import SimulationExecutionOptions  # noqa: E402
from kwave.options.simulation_options import SimulationOptions, SimulationType  # noqa: E402
from reference_solver import solve  # noqa: E402

BOUND = 2e-5  # single precision beside double
LAST_AXIS_FASTEST = kwave.__version__ != "0.6.0"  # so the package's own solver numbers points since 0.6.1


def simulation():
    kgrid = kWaveGrid([64, 48], [1e-4, 1e-4])
    kgrid.setTime(60, 2e-8)
    medium = kWaveMedium(sound_speed=1500, density=1000)
    x, y = np.meshgrid(np.arange(64), np.arange(48), indexing="ij")
    source = kSource()
    source.p0 = 1e5 * np.exp(-((x - 30) ** 2 + (y - 20) ** 2) / 18.0)
    mask = np.zeros((64, 48), dtype=bool)
    mask[12::8, 12::8] = True
    return kgrid, medium, source, kSensor(mask=mask, record=["p", "p_final"])


def transmission(last_axis_fastest=False):
    """A curved source that varies in time, in a medium that absorbs, seen from step 21 on. Its points have signals of their
    own, in the order that is asked."""
    kgrid = kWaveGrid([32, 30, 28], [1e-4, 1e-4, 1e-4])
    kgrid.setTime(60, 2e-8)
    medium = kWaveMedium(sound_speed=1500, density=1000, alpha_coeff=0.75, alpha_power=1.5, BonA=6)
    x, y, z = np.meshgrid(np.arange(32), np.arange(30), np.arange(28), indexing="ij")
    source = kSource()
    source.p_mask = (x == 8 + ((y - 15) ** 2 + (z - 14) ** 2) // 20) & (abs(y - 15) < 7) & (abs(z - 14) < 7)
    phase = 0.05 * y + 0.02 * z
    phases = (phase[source.p_mask] if last_axis_fastest else phase.T[source.p_mask.T])[:, None]
    source.p = 1e5 * np.sin(2 * np.pi * (2e6 * kgrid.dt * np.arange(40)[None, :] - phases))
    sensor = kSensor(mask=(x == 22) & (z == 14), record=["p", "p_max", "p_rms"])
    sensor.record_start_index = 21
    return kgrid, medium, source, sensor


def as_in_files(wanted, mask):
    """What the package's own solver gives, points numbered as in k-Wave's files, the first axis fastest."""
    if not LAST_AXIS_FASTEST:
        return wanted
    rank = np.empty(mask.shape, dtype=int)
    rank[mask] = np.arange(mask.sum())
    return wanted[rank.T[mask.T]]


def difference(found, wanted, mask):
    found, wanted = np.squeeze(found), as_in_files(np.squeeze(wanted), mask)
    if found.shape != wanted.shape:
        found = found.T
    return np.abs(found - wanted).max() / np.abs(wanted).max()


def main():
    command = pathlib.Path(sys.argv[1]).resolve()
    with tempfile.TemporaryDirectory() as folder:
        os.symlink(command, os.path.join(folder, "kspaceFirstOrder-OMP"))
        kwave.BINARY_PATH = pathlib.Path(folder)
        shared = dict(pml_inside=True, pml_size=10, smooth_p0=False)
        wanted = kspaceFirstOrder(*simulation(), backend="python", **shared)
        found = kspaceFirstOrder(*simulation(), backend="cpp", quiet=True, **shared)
        worst = {"kspaceFirstOrder": difference(found["p"], wanted["p"], simulation()[3].mask)}

        kgrid, medium, source, sensor = simulation()
        options = SimulationOptions(pml_inside=True, pml_size=[10, 10], smooth_p0=False, save_to_disk=True, data_path=folder)
        execution = SimulationExecutionOptions(is_gpu_simulation=False, binary_dir=folder, show_sim_log=False)
        found = kspaceFirstOrder2D(kgrid, source, sensor, medium, options, execution)
        worst["kspaceFirstOrder2D"] = difference(found["p"], wanted["p"], simulation()[3].mask)
        assert found["p_final"].shape == (48, 64), found["p_final"].shape

        kgrid, medium, source, sensor = simulation()
        options = SimulationOptions(
            SimulationType.AXISYMMETRIC, pml_inside=True, smooth_p0=False, save_to_disk=True, data_path=folder
        )
        found = kspaceFirstOrderASC(kgrid, source, sensor, medium, options, execution)
        around = solve(options.input_filename)["p"].squeeze()
        worst["kspaceFirstOrderASC"] = np.abs(np.squeeze(found["p"]) - around).max() / np.abs(around).max()

        wanted = kspaceFirstOrder(*transmission(LAST_AXIS_FASTEST), backend="python", quiet=True, pml_inside=True, pml_size=6)
        kgrid, medium, source, sensor = transmission()
        options = SimulationOptions(pml_inside=True, pml_size=[6, 6, 6], save_to_disk=True, data_path=folder)
        found = kspaceFirstOrder3D(kgrid, source, sensor, medium, options, execution)
        for name in ("p", "p_max", "p_rms"):
            worst["kspaceFirstOrder3D, " + name] = difference(found[name], wanted[name], sensor.mask)
        # What this version says of its file is not so, and what would be computed of it is none of this source.
        if kwave.__version__ == "0.6.0":
            try:
                kspaceFirstOrder(*transmission(), backend="cpp", quiet=True, pml_inside=True, pml_size=6)
                sys.exit("a source whose flag is not its number of samples was computed with")
            except subprocess.CalledProcessError as refused:
                assert "extent(p_time) == p_samples" in refused.stderr, refused.stderr
    for name, value in worst.items():
        print(f"{name}: {value:.1e} of the largest pressure")
    sys.exit(0 if all(value < BOUND for value in worst.values()) else 1)


main()
