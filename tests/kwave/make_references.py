#!/usr/bin/env python3
"""Writes k-Wave input files and what k-Wave-python's NumPy solver computes for them.

    make_references.py [--full] [--out FOLDER] [--only TEXT]

Needs k-wave-python 0.6.0. Every case becomes CASE.input.h5, written by the package, and CASE.reference.h5, laid out as
k-Wave's output files are. The table that is printed compares the package's solver with what reference_solver.py makes of
the file. Units: m, s, m/s, kg/m^3, Pa, dB/(MHz^y cm). All input values are exact in single precision, so that a file and
the double-precision run have the same data.
"""

import argparse
import copy
import logging
import os
import shutil
import tempfile
import urllib.request
import warnings
import zlib

import h5py
import numpy as np

import reference_solver


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
from kwave.ktransducer import NotATransducer, kWaveTransducerSimple
from kwave.options.simulation_execution_options import SimulationExecutionOptions
from kwave.options.simulation_options import SimulationOptions
from kwave.solvers.kspace_solver import Simulation

DATE = "01-Jan-2026-00-00-00"
AXES = "xyz"
MODES = {"dirichlet": 0, "additive-no-correction": 1, "additive": 2}
UNTOUCHED = ("2d_p0_homogeneous", "2d_p_additive_many")  # these stay as the package wrote them, but for the date


def single(value):
    """Rounded to single precision, in double precision."""
    return np.float64(np.float32(value))


def exact(signal, scale):
    """A signal whose product with its scale is exact in single precision."""
    return single(signal * scale) / scale


class Case:
    """One simulation: what its name says. Lengths in cells."""

    def __init__(self, name, shape, steps, pml, spacing):
        self.name, self.shape, self.steps, self.pml = name, shape, steps, pml
        self.random = np.random.default_rng(zlib.crc32(name.encode()))
        self.spacing = tuple(single(1e-4 * s) for s in spacing)
        self.dt = single(2e-8)
        self.medium = {"sound_speed": 1500.0, "density": 1000.0}
        self.writer = "legacy"  # or "new": kspaceFirstOrder(backend="cpp")
        self.package_scales = True  # the legacy writer scales sources itself
        self.p0 = self.p = self.u = self.transducer = self.corners = None
        self.velocity = self.unstaggered = False  # velocities are recorded too; and where pressure is
        self.from_file = False  # the reference is what reference_solver.py makes of the file
        self.fields = ("p_final",) if len(shape) == 2 else ()  # whole fields that are recorded
        cells = self.random.choice(np.prod(shape), 20 if len(shape) == 2 else 24, replace=False)
        self.sensors = np.unique(np.concatenate([[0, np.prod(shape) - 1], cells]))  # x fastest, from 0

    def smooth(self, width):
        """Random field in [-1, 1], smooth over `width` cells, not periodic."""
        noise = self.random.standard_normal([2 * n for n in self.shape])
        k2 = sum(np.meshgrid(*[(2 * np.pi * np.fft.fftfreq(2 * n)) ** 2 for n in self.shape], indexing="ij"))
        field = np.fft.ifftn(np.fft.fftn(noise) * np.exp(-k2 * width**2 / 2)).real
        field = field[tuple(slice(n) for n in self.shape)]
        return field / np.abs(field).max()

    def heterogeneous(self, *names):
        """Media that vary by some per cent. Rounded: the files get small."""
        fields = {
            "sound_speed": lambda f: np.round(1500 + 120 * f),
            "density": lambda f: np.round(1000 + 100 * f),
            "BonA": lambda f: np.round(8 * (6 + 2 * f)) / 8,
            "alpha_coeff": lambda f: np.round(16 * (3 + 2 * f)) / 16,
        }
        for name in names:
            self.medium[name] = fields[name](self.smooth(4))

    def initial_pressure(self, amplitude=5e6):
        """Some bumps, one of them reaching into the absorbing layer."""
        grids = np.meshgrid(*[np.arange(n) for n in self.shape], indexing="ij")
        p0 = np.zeros(self.shape)
        for place, width, sign in ((0.35, 2.0, 1.0), (0.55, 2.5, -0.6), (0.12, 1.8, 0.5)):
            r2 = sum((g - place * n * (1 + 0.1 * i)) ** 2 for i, (g, n) in enumerate(zip(grids, self.shape)))
            p0 += sign * np.exp(-r2 / (2 * width**2))
        self.p0 = np.round(p0 * amplitude / 1024) * 1024

    def signals(self, count, samples):
        """Tone bursts of about 1.5 MHz, each with its own delay, phase and amplitude. The last sample is not 0."""
        t = np.arange(samples)[None]
        delay, phase = self.random.uniform(0, 8, (count, 1)), self.random.uniform(0, np.pi, (count, 1))
        window = 1 - np.exp(-(((t + 1) / 6) ** 2))
        return self.random.uniform(0.6, 1, (count, 1)) * window * np.sin(2 * np.pi * 0.03 * (t - delay) + phase)

    def source_mask(self, place, extent):
        """An oblique line (2D) or patch (3D) of cells."""
        mask = np.zeros(self.shape)
        for j in range(extent):
            for k in range(4 if len(self.shape) == 3 else 1):
                mask[(place + j // 3 + k, self.shape[1] // 3 + j, self.shape[-1] // 3 + k)[: len(self.shape)]] = 1
        return mask

    def at(self, mask):
        """Sound speed at the cells of a mask, as a column."""
        c0 = np.broadcast_to(self.medium["sound_speed"], self.shape)
        return c0.ravel(order="F")[mask.ravel(order="F") != 0][:, None]

    def pressure_source(self, mode, many, place=12):
        """A source of pressure that ends before the simulation, or, in one mode, would last longer."""
        mask = self.source_mask(place, 10 if len(self.shape) == 2 else 5)
        count = int(mask.sum()) if many else 1
        c0 = self.at(mask)[:count]
        dimensions = len(self.shape)
        if mode == "dirichlet":
            scale = 1 / (dimensions * c0**2)
        else:
            scale = 2 * self.dt / (dimensions * c0 * self.spacing[0])
        self.p = {"mask": mask, "mode": mode, "scale": scale}
        samples = self.steps + 5 if mode == "additive-no-correction" and not many else 2 * self.steps // 3
        self.p["signal"] = exact(1e6 * self.signals(count, samples), scale)

    def velocity_source(self, mode, many, place=14):
        """A source of velocity, of another length along each axis."""
        mask = self.source_mask(place, 10 if len(self.shape) == 2 else 5)
        count = int(mask.sum()) if many else 1
        c0 = self.at(mask)[:count]
        self.u = {"mask": mask, "mode": mode}
        for i, a in enumerate(AXES[: len(self.shape)]):
            scale = np.ones_like(c0) if mode == "dirichlet" else 2 * c0 * self.dt / self.spacing[i]
            signals = self.signals(count, self.steps // 2 + 5 * i)
            self.u[a] = {"scale": scale, "signal": exact(0.5 * signals, scale)}
        if mode == "dirichlet":
            self.package_scales = False  # else the legacy writer drops ux


# What the package is given.


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
                pml_inside=True,
                pml_size=list(case.pml),
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
            write(grid, source, sensor, medium, options, SimulationExecutionOptions())
        if case.name in UNTOUCHED:
            with h5py.File(written, "a") as file:
                file.attrs.create("creation_date", DATE, dtype=file.attrs.get_id("creation_date").dtype)
            shutil.copyfile(written, path)
        else:
            pack(written, path)


def pack(source, target):
    """Copies a file, with all attributes: large datasets compressed, small ones without chunks, the date fixed.

    In chunks, as the package writes them, each of the 45 numbers takes 2 KB.
    """
    with h5py.File(source) as old, h5py.File(target, "w") as new:
        for name in old:
            data = old[name][()]
            small = data.nbytes < 1024
            layout = {} if small else {"chunks": data.shape, "compression": 9, "shuffle": True}
            new.create_dataset(name, data=data, **layout)
            copy_attributes(old[name].attrs, new[name].attrs)
        copy_attributes(old.attrs, new.attrs)
        new.attrs.create("creation_date", DATE, dtype=old.attrs.get_id("creation_date").dtype)


def copy_attributes(old, new):
    for name, value in old.items():
        new.create(name, value, dtype=old.get_id(name).dtype)


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


def write_reference(results, author, path):
    with h5py.File(path, "w", libver=("v110", "v110")) as file:
        for name, value in results.items():
            small = value.size < 256
            layout = {} if small else {"chunks": value.shape, "compression": 9, "shuffle": True}
            data = file.create_dataset(name, data=value.astype(np.float32), **layout)
            data.attrs.create("data_type", "float", dtype="S5")
            data.attrs.create("domain_type", "real", dtype="S4")
        attributes = {"file_type": "output", "major_version": "1", "minor_version": "2", "creation_date": DATE}
        attributes["created_by"] = author
        for name, value in attributes.items():
            file.attrs.create(name, value, dtype=f"S{len(value)}")


def cases(full):
    """All cases; the p source needs equal spacings, as the package scales each axis by its own."""
    for dimensions in (2, 3):
        if full:
            shape, steps, pml = ((128, 128), 200, (20, 20)) if dimensions == 2 else ((64, 64, 64), 200, (10, 10, 10))
        else:
            shape, steps, pml = ((64, 48), 60, (10, 8)) if dimensions == 2 else ((32, 30, 24), 60, (6, 5, 4))
        cube, cuboid = (1, 1, 1)[:dimensions], (1, 1.1, 1.25)[:dimensions]
        odd = tuple(n - 1 - 2 * i for i, n in enumerate(shape))

        def new(name, shape=shape, spacing=cuboid):
            return Case(f"{dimensions}d_{name}", shape, steps, pml, spacing)

        case = new("p0_homogeneous")
        case.writer = "new"
        case.initial_pressure()
        yield case

        case = new("p0_odd_size", shape=odd)
        case.writer = "new"
        case.initial_pressure()
        case.velocity = case.unstaggered = dimensions == 2
        case.fields = ("p_final",)
        yield case

        for writer in ("new", "legacy"):
            case = new("p0_heterogeneous" + ("_legacy" if writer == "legacy" else ""))
            case.random = np.random.default_rng(dimensions)  # the same media twice
            case.writer = writer
            case.from_file = writer == "new"  # it writes other rho0_sg than the package's solver uses
            case.heterogeneous("sound_speed", "density")
            case.initial_pressure()
            yield case

        case = new("p0_nonlinear")
        case.medium["BonA"] = 6.0
        case.initial_pressure()
        yield case

        case = new("p0_stokes")
        case.writer = "new"
        case.medium.update(alpha_coeff=2.0, alpha_power=2.0)
        case.initial_pressure()
        yield case

        case = new("p0_heterogeneous_stokes")
        case.heterogeneous("sound_speed", "density", "alpha_coeff")
        case.medium["alpha_power"] = 2.0
        case.initial_pressure()
        if dimensions == 2:
            yield case

        case = new("p0_power_law")
        case.medium.update(alpha_coeff=2.0, alpha_power=single(1.1))
        case.initial_pressure()
        yield case

        case = new("p0_power_law_nonlinear_heterogeneous")
        case.heterogeneous("sound_speed", "density", "BonA", "alpha_coeff")
        case.medium["alpha_power"] = 1.5
        case.initial_pressure()
        case.velocity, case.unstaggered = True, dimensions == 2
        case.fields = ("p_final", "p_max_all", "p_min_all", "ux_final", "uy_final")
        if dimensions == 3:
            case.fields = ("p_final", "uz_final")
        yield case

        for mode in MODES:
            for many in (False, True):
                case = new(f"p_{mode.replace('-', '_')}_{'many' if many else 'one'}", spacing=cube)
                case.pressure_source(mode, many)
                yield case
        for mode in MODES:
            for many in (False, True):
                case = new(f"u_{mode.replace('-', '_')}_{'many' if many else 'one'}")
                case.velocity_source(mode, many)
                case.velocity = True
                yield case

        for mode in ("dirichlet", "additive"):
            case = new(f"p_u_{mode}_heterogeneous", spacing=cube)
            case.heterogeneous("sound_speed", "density")
            case.pressure_source(mode, many=True)
            case.velocity_source(mode, many=True)
            case.package_scales = False  # the legacy writer errs where sound speed varies
            if dimensions == 2 or mode == "additive":
                yield case

        case = new("p_u_power_law_nonlinear", spacing=cube)
        case.heterogeneous("density")
        case.medium.update(BonA=6.0, alpha_coeff=2.0, alpha_power=1.5)
        case.pressure_source("additive", many=True)
        case.velocity_source("additive", many=True, place=20)
        case.velocity = True
        yield case

        case = new("p0_u")  # what the source adds in the first step is lost
        case.initial_pressure()
        case.velocity_source("additive", many=False)
        case.velocity = True
        if dimensions == 2:
            yield case

        case = new("corners")
        case.corners = [(20, 25, 22, 30), (40, 10, 45, 12), (5, 5, 5, 5)]
        if dimensions == 3:
            case.corners = [(9, 8, 7, 11, 12, 9), (20, 15, 12, 23, 15, 13), (4, 4, 4, 4, 4, 4)]
        case.initial_pressure()
        case.velocity = dimensions == 2
        yield case

        if dimensions == 3:
            case = new("transducer", spacing=cube)
            scale = 2 * 1500.0 * case.dt / case.spacing[0]
            case.transducer = np.ravel(exact(0.5 * case.signals(1, 25), scale))
            case.velocity = True
            yield case


def main():
    here = os.path.dirname(os.path.abspath(__file__))
    parser = argparse.ArgumentParser(description="Writes k-Wave input files and reference results.")
    parser.add_argument("--full", action="store_true", help="128 x 128 and 64 x 64 x 64 points, 200 steps")
    parser.add_argument("--out", help="folder that the files are written to; data, or out/kwave with --full")
    parser.add_argument("--only", default="", help="only cases whose name holds this")
    arguments = parser.parse_args()
    folder = arguments.out or os.path.join(here, "../../out/kwave" if arguments.full else "data")
    os.environ.pop("USERNAME", None)  # the writer puts it into the file
    os.makedirs(folder, exist_ok=True)
    for case in cases(arguments.full):
        if arguments.only not in case.name:
            continue
        stem = os.path.join(folder, case.name)
        write_input(case, stem + ".input.h5")
        expected = run_package(case)
        results = reference_solver.solve(stem + ".input.h5")
        stored = {name: results[name] for name in expected} if case.from_file else expected
        author = "reference_solver.py" if case.from_file else "NumPy solver of k-Wave-python 0.6.0"
        write_reference(stored, author, stem + ".reference.h5")
        worst = max((reference_solver.difference(results[name], value), name) for name, value in expected.items())
        p = max(reference_solver.difference(results[n], v) for n, v in expected.items() if n.split("/")[0] == "p")
        size = os.path.getsize(stem + ".input.h5") + os.path.getsize(stem + ".reference.h5")
        print(f"{case.name:44} p {p:.1e}  worst {worst[0]:.1e} {worst[1]:20} {size / 1024:6.0f} KB", flush=True)


if __name__ == "__main__":
    main()
