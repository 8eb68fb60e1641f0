"""What k-Wave-python is given for a case, what it writes and what its NumPy solver computes."""

import copy
import logging
import os
import shutil
import tempfile
import urllib.request
import warnings

import h5py
import numpy as np

from case import AXES
from stored import DATE, pack


def import_kwave():
    """kwave downloads compiled solvers when it is imported. They are not needed: refuse, and leave nothing behind."""

    def refuse(*_):
        raise TimeoutError

    download, urllib.request.urlretrieve = urllib.request.urlretrieve, refuse
    logging.disable(logging.WARNING)
    import kwave  # noqa: F401

    urllib.request.urlretrieve = download


import_kwave()
from kwave.kgrid import kWaveGrid
from kwave.kmedium import kWaveMedium
from kwave.ksensor import kSensor
from kwave.ksource import kSource
from kwave.kspaceFirstOrder import kspaceFirstOrder
from kwave.kspaceFirstOrder2D import kspaceFirstOrder2D
from kwave.kspaceFirstOrder3D import kspaceFirstOrder3D
from kwave.kspaceFirstOrderAS import kspaceFirstOrderASC
from kwave.ktransducer import NotATransducer, kWaveTransducerSimple
from kwave.options.simulation_execution_options import SimulationExecutionOptions
from kwave.options.simulation_options import SimulationOptions, SimulationType
from kwave.solvers.kspace_solver import Simulation

UNTOUCHED = ("2d_p0_homogeneous", "2d_p_additive_many")  # these stay as the package wrote them, but for the date


def package_grid(case):
    grid = kWaveGrid(list(case.shape), list(case.spacing))
    grid.setTime(case.steps, float(case.dt))
    return grid


def package_medium(case):
    medium = kWaveMedium(**copy.deepcopy(case.medium))
    if case.name.endswith("stokes") and case.writer == "legacy":
        medium.alpha_mode, medium.alpha_power = "stokes", None
    return medium


def package_source(case, scaled=False):
    """The sources; `scaled` to what the file shall hold."""
    source = kSource()
    if case.p0 is not None:
        source.p0 = case.p0.copy()
    if case.p is not None:
        source.p_mask, source.p_mode = case.p["mask"].copy(), case.p["mode"]
        source.p = case.p["signal"] * (case.p["scale"] if scaled else 1)
    if case.u is not None:
        source.u_mask, source.u_mode = case.u["mask"].copy(), case.u["mode"]
        for a in AXES[: len(case.shape)]:
            setattr(source, "u" + a, case.u[a]["signal"] * (case.u[a]["scale"] if scaled else 1))
    return source


def package_transducer(case, grid):
    """Six elements of 2 x 6 cells on a plane of constant x, focussed in both directions."""
    elements = kWaveTransducerSimple(
        grid, number_elements=6, element_width=2, element_length=6, element_spacing=1, position=[9, 7, 9]
    )
    return NotATransducer(
        elements,
        grid,
        active_elements=np.array([[0], [1], [1], [1], [1], [1]]),
        focus_distance=1.5e-3,
        elevation_focus_distance=1.2e-3,
        steering_angle=20,
        steering_angle_max=30,
        sound_speed=1500.0,
        input_signal=case.transducer.copy(),
    )


def package_sensor(case):
    if case.corners is not None:
        return kSensor(np.array(case.corners).T)
    mask = np.zeros(np.prod(case.shape))
    mask[case.sensors] = 1
    return kSensor(mask.reshape(case.shape, order="F"))


def write_input(case, path):
    """The input file, from the package's writer."""
    grid, medium, sensor = package_grid(case), package_medium(case), package_sensor(case)
    with tempfile.TemporaryDirectory() as folder, warnings.catch_warnings():
        warnings.simplefilter("ignore")
        if case.writer == "new":
            written = os.path.join(folder, "kwave_input.h5")
            kspaceFirstOrder(
                grid,
                medium,
                package_source(case),
                sensor,
                pml_size=case.pml,
                pml_inside=True,
                smooth_p0=False,
                backend="cpp",
                save_only=True,
                data_path=folder,
            )
        else:
            written = os.path.join(folder, "input.h5")
            options = SimulationOptions(
                simulation_type=SimulationType.AXISYMMETRIC if case.axisymmetric else SimulationType.FLUID,
                pml_inside=True,
                pml_size=list(case.pml),
                pml_search_range=[case.pml[0] - 1, case.pml[0]],  # around an axis it chooses, whatever it is given
                smooth_p0=False,
                scale_source_terms=case.package_scales,
                save_to_disk=True,
                save_to_disk_exit=True,
                data_path=folder,
                input_filename="input.h5",
            )
            if case.transducer is not None:
                source = package_transducer(case, grid)
            else:
                source = package_source(case, scaled=not case.package_scales)
            write = kspaceFirstOrder2D if len(case.shape) == 2 else kspaceFirstOrder3D
            if case.axisymmetric:
                write = kspaceFirstOrderASC
            write(grid, source, sensor, medium, options, SimulationExecutionOptions())
        if case.name in UNTOUCHED:
            with h5py.File(written, "a") as file:
                file.attrs.create("creation_date", DATE, dtype=file.attrs.get_id("creation_date").dtype)
            shutil.copyfile(written, path)
        else:
            pack(written, path)


def boxes(case):
    """Corners x1, y1, z1, x2, y2, z2 from 1, both included."""
    for c in case.corners:
        yield (c[0], c[1], 1, c[2], c[3], 1) if len(case.shape) == 2 else c


def box_cells(case, box):
    """Cells of a box as linear numbers [z, y, x], x fastest, from 0."""
    x1, y1, z1, x2, y2, z2 = box
    x, y, z = np.arange(x1 - 1, x2), np.arange(y1 - 1, y2), np.arange(z1 - 1, z2)
    return x + case.shape[0] * (y[:, None] + case.shape[1] * z[:, None, None])


def run_package(case):
    """Runs the package's NumPy solver, stepwise: kspaceFirstOrder crops p_final to inside the absorbing layer.

    Returns datasets named and shaped as in k-Wave's output files.
    """
    assert not case.axisymmetric, "the package's NumPy solver has no such simulations"
    grid = package_grid(case)
    source = package_source(case)
    if case.transducer is not None:
        # The solver has no transducers: the same as velocities along x, one delayed signal for each cell.
        transducer = package_transducer(case, grid)
        mask = transducer.active_elements_mask
        delay = transducer.delay_mask().ravel(order="F")[mask.ravel(order="F") != 0].astype(int)
        signal = np.ravel(transducer.input_signal)
        source.u_mask, source.u_mode = mask, "additive-no-correction"
        source.ux = signal[delay[:, None] + np.arange(signal.size - int(transducer.delay_mask().max()))]
    cells = case.sensors
    if case.corners is not None:
        cells = np.unique(np.concatenate([box_cells(case, box).ravel() for box in boxes(case)]))
    mask = np.zeros(np.prod(case.shape))
    mask[cells] = 1
    axes = AXES[: len(case.shape)]
    record = ["p"] + (["u", "u_staggered"] if case.velocity else [])
    sensor = kSensor(mask.reshape(case.shape, order="F"), record)
    medium = kWaveMedium(**case.medium)
    size = {"pml_size": case.pml, "pml_alpha": (2.0,) * len(case.shape)}
    simulation = Simulation(grid, medium, source, sensor, smooth_p0=False, **size).setup()
    highest, lowest = np.full(case.shape, -np.inf), np.full(case.shape, np.inf)
    for _ in range(case.steps):
        simulation.step()
        highest, lowest = np.maximum(highest, simulation.p), np.minimum(lowest, simulation.p)
    recorded = simulation.run()

    out = {}
    series = {"p": recorded["p"].T}
    for a in axes if case.velocity else ():
        series["u" + a] = recorded[f"u{a}_staggered"].T
        if case.unstaggered:
            out[f"u{a}_non_staggered"] = recorded["u" + a].T[None]
    for name, rows in series.items():
        statistics = {"_max": rows.max(axis=0), "_min": rows.min(axis=0), "_rms": np.sqrt((rows**2).mean(axis=0))}
        if case.corners is None:
            out[name] = rows[None]
            out.update({name + key: value[None, None] for key, value in statistics.items()})
        else:
            for i, box in enumerate(boxes(case)):
                at = np.searchsorted(cells, box_cells(case, box))
                out[f"{name}/{i + 1}"] = rows[:, at]
                out.update({f"{name}{key}/{i + 1}": value[at] for key, value in statistics.items()})
    whole = {"p_final": simulation.p, "p_max_all": highest, "p_min_all": lowest}
    whole.update({f"u{a}_final": simulation.u[i] for i, a in enumerate(axes)})
    for name in case.fields:
        field = whole[name]
        out[name] = np.transpose(field.reshape(field.shape + (1,) * (3 - field.ndim)))
    return out
