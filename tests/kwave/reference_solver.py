#!/usr/bin/env python3
"""k-Wave's time step in NumPy, double precision, for files of k-Wave's HDF5 input format 1.2.

    reference_solver.py INPUT.h5 [OUTPUT.h5] [--start STEP] [--single] [--compare REFERENCE.h5]

Written from the equations alone, for tests: it shares no code with k-Wave. Units are the file's: m, s, m/s, kg/m^3, Pa,
dB/(MHz^y cm). Arrays are indexed [z, y, x] as in the file. What the file says is done literally: *_source_flag is the
number of samples, signals are already scaled, rho0_sg* are taken as they stand.
"""

import argparse

import h5py
import numpy as np

AXIS = {"x": 2, "y": 1, "z": 0}


def read(path):
    """All datasets of the root group in double precision; those of one element as numbers, flags and sizes as int."""
    values = {}
    with h5py.File(path) as file:
        for name, dataset in file.items():
            value = dataset[()]
            value = value.astype(np.int64 if value.dtype.kind in "ui" else np.float64)
            values[name] = value.item() if value.size == 1 and "index" not in name and "input" not in name else value
    return values


def rounded(value, real):
    """An array, real or complex, in a precision. Numbers stay: arrays decide the precision of what they meet."""
    if not isinstance(value, np.ndarray) or value.dtype.kind not in "fc":
        return value
    return value.astype(np.result_type(real, np.complex64) if value.dtype.kind == "c" else real)


def along(axis, values):
    """A vector as an array that varies along one axis."""
    shape = [1, 1, 1]
    shape[AXIS[axis]] = -1
    return np.reshape(values, shape)


class Operators:
    """Fourier operators and absorbing layers of one file."""

    def __init__(self, f):
        self.axes = "xyz" if f["Nz"] > 1 else "xy"
        self.shape = (f["Nz"], f["Ny"], f["Nx"])
        self.wave_numbers = wave_numbers = {a: self.wave_numbers_along(f, a) for a in self.axes}
        self.k = np.sqrt(sum(k**2 for k in wave_numbers.values()))
        half_phase = f["c_ref"] * f["dt"] / 2 * self.k
        self.kappa = kappa = np.where(self.k == 0, 1, np.sin(half_phase) / np.where(self.k == 0, 1, half_phase))
        self.source_kappa = np.cos(half_phase)
        self.forward, self.backward, self.pml, self.pml_sg = {}, {}, {}, {}
        for a in self.axes:
            k, d = wave_numbers[a], f["d" + a]
            self.forward[a] = 1j * k * np.exp(0.5j * k * d) * kappa
            self.backward[a] = 1j * k * np.exp(-0.5j * k * d) * kappa
            self.pml[a] = self.layer(f, a, 0.0)
            self.pml_sg[a] = self.layer(f, a, 0.5)

    def wave_numbers_along(self, f, a):
        n, d = f["N" + a], f["d" + a]
        frequency = np.arange(n // 2 + 1) if a == "x" else (np.arange(n) + n // 2) % n - n // 2
        numbers = along(a, 2 * np.pi / (n * d) * frequency)
        if a == "x" and n % 2 == 0:
            numbers[..., -1] *= -1  # the highest frequency of an even number of points is the negative one
        return numbers

    def round(self, real):
        """All factors to a precision; they are computed in double."""
        for factors in (self.forward, self.backward, self.pml, self.pml_sg):
            for a in self.axes:
                factors[a] = rounded(factors[a], real)
        self.source_kappa = rounded(self.source_kappa, real)

    def layer(self, f, a, offset):
        """Profile of the absorbing layer at points i + offset of axis a."""
        n, size = f["N" + a], f[f"pml_{a}_size"]
        profile = np.ones(n)
        if size > 0:
            i = np.arange(size) + offset
            rate = f["dt"] / 2 * f[f"pml_{a}_alpha"] * f["c_ref"] / f["d" + a]
            profile[:size] = np.exp(-rate * ((size - i) / size) ** 4)
            profile[n - size :] = np.exp(-rate * ((i + 1) / size) ** 4)
        return along(a, profile)

    def transform(self, field):
        return np.fft.rfftn(field)

    def inverse(self, spectrum):
        return np.fft.irfftn(spectrum, self.shape, axes=(0, 1, 2))

    def filtered(self, factor, field):
        return self.inverse(factor * self.transform(field))

    def gradient(self, p):
        spectrum = self.transform(p)
        return {a: self.inverse(self.forward[a] * spectrum) for a in self.axes}

    def slopes(self, u):
        """The parts of the divergence, each of one component."""
        return {a: self.filtered(self.backward[a], u[a]) for a in self.axes}

    def corrected(self, field, what):
        """The k-space correction of a source of "p", "ux" …"""
        return self.filtered(self.source_kappa, field)


def add_source(ops, field, what, cells, values, mode):
    """Sets (0) or adds (1), (2: with the k-space correction) values of "p", "ux" … at linear cell numbers."""
    if mode == 0:
        field.flat[cells] = values
    elif mode == 1:
        field.flat[cells] += values
    else:
        grid = np.zeros_like(field)
        grid.flat[cells] = values
        field += ops.corrected(grid, what)


def unstaggered(field, axis):
    """Velocity moved half a cell back, to where pressure is. The highest frequency of an even axis drops out."""
    n = field.shape[AXIS[axis]]
    shift = np.exp(-1j * np.pi / n * np.arange(n // 2 + 1))
    if n % 2 == 0:
        shift[-1] = 0
    return np.fft.irfft(along(axis, shift) * np.fft.rfft(field, axis=AXIS[axis]), n, axis=AXIS[axis])


class Sensors:
    """Series and statistics at the cells of a mask, or in each box of a list of corners, from step `start` on."""

    def __init__(self, f):
        if f["sensor_mask_type"] == 0:
            cells = np.ravel(f["sensor_mask_index"]) - 1
            self.places = {"": lambda field: field.flat[cells]}
        else:
            self.places = {}
            for i, (x1, y1, z1, x2, y2, z2) in enumerate(np.reshape(f["sensor_mask_corners"], (-1, 6)).tolist()):
                box = np.s_[z1 - 1 : z2, y1 - 1 : y2, x1 - 1 : x2]
                self.places[f"/{i + 1}"] = lambda field, box=box: field[box]
        self.series = {}

    def sample(self, name, field):
        for place, values in self.places.items():
            self.series.setdefault((name, place), []).append(values(field).copy())

    def results(self):
        out = {}
        for (name, place), rows in self.series.items():
            rows = np.array(rows)
            index = place == ""
            if "non_staggered" in name:
                out[name + place] = rows[None] if index else rows
                continue
            for key, value in (
                ("", rows),
                ("_max", rows.max(axis=0)),
                ("_min", rows.min(axis=0)),
                ("_rms", np.sqrt((rows**2).mean(axis=0))),
            ):
                out[name + key + place] = (value[None] if key == "" else value[None, None]) if index else value
        return out


def solve(path, start=1, real=np.float64):
    """Runs an input file. Returns datasets under the names of k-Wave's output files, in double precision.

    `start` is the first step that sensors record, from 1. Series are [1, step, sensor], or [step, z, y, x] per box. `real` is
    the precision of every step: np.float32 shows what single precision alone does to a result (with NumPy 2, whose
    transforms keep it).
    """
    f = read(path)
    for flag in ("nonuniform_grid_flag", "elastic_flag"):
        if f.get(flag, 0):
            raise ValueError(f"{path}: {flag} is not supported")
    if f.get("axisymmetric_flag", 0):
        from axisymmetric import AxisymmetricOperators as operators
    else:
        operators = Operators
    ops = operators(f)
    axes, dt, c0, rho0 = ops.axes, f["dt"], f["c0"], f["rho0"]
    nonlinear, absorbing = f["nonlinear_flag"], f["absorbing_flag"]
    dt_over_rho0 = {a: dt / f["rho0_sg" + a] for a in axes}
    if absorbing:
        y = f["alpha_power"] if absorbing == 1 else 2.0
        if y == 1:
            raise ValueError(f"{path}: alpha_power 1 has no dispersion term")
        alpha = 100 * f["alpha_coeff"] * (1e-6 / (2 * np.pi)) ** y / (20 * np.log10(np.e))
        tau = -2 * alpha * c0 ** (y - 1)
        eta = 2 * alpha * c0**y * np.tan(np.pi * y / 2)
        positive = np.where(ops.k == 0, 1, ops.k)
        nabla1 = np.where(ops.k == 0, 0, positive ** (y - 2))
        nabla2 = np.where(ops.k == 0, 0, positive ** (y - 1))

        tau, eta, nabla1, nabla2 = (rounded(factor, real) for factor in (tau, eta, nabla1, nabla2))
    ops.round(real)
    f = {name: rounded(value, real) for name, value in f.items()}
    c0, rho0 = f["c0"], f["rho0"]
    dt_over_rho0 = {a: rounded(value, real) for a, value in dt_over_rho0.items()}

    def cells(name):
        return np.ravel(f[name]) - 1

    p = np.zeros(ops.shape, real)
    u = {a: np.zeros(ops.shape, real) for a in axes}
    rho = {a: np.zeros(ops.shape, real) for a in axes}
    sensors = Sensors(f)
    highest, lowest = np.full(ops.shape, -np.inf, real), np.full(ops.shape, np.inf, real)
    for t in range(f["Nt"]):
        gradient = ops.gradient(p)
        for a in axes:
            u[a] = ops.pml_sg[a] * (ops.pml_sg[a] * u[a] - dt_over_rho0[a] * gradient[a])
            if f[f"u{a}_source_flag"] > t:
                add_source(ops, u[a], "u" + a, cells("u_source_index"), f[f"u{a}_source_input"][0, t], f["u_source_mode"])
        if f["transducer_source_flag"] > t:
            signal = np.ravel(f["transducer_source_input"])
            add_source(ops, u["x"], "ux", cells("u_source_index"), signal[np.ravel(f["delay_mask"]) - 1 + t], 1)

        total = sum(rho.values())
        factor = dt * (2 * total + rho0) if nonlinear else dt * rho0
        du = ops.slopes(u)
        for a in axes:
            rho[a] = ops.pml[a] * (ops.pml[a] * rho[a] - factor * du[a])
            if f["p_source_flag"] > t:
                add_source(ops, rho[a], "p", cells("p_source_index"), f["p_source_input"][0, t], f["p_source_mode"])

        total, divergence = sum(rho.values()), sum(du.values())
        p = total.copy()
        if absorbing == 1:
            p += tau * ops.filtered(nabla1, rho0 * divergence) - eta * ops.filtered(nabla2, total)
        elif absorbing == 2:
            p += tau * rho0 * divergence
        if nonlinear:
            p += f["BonA"] * total**2 / (2 * rho0)
        p *= c0**2

        if t == 0 and f["p0_source_flag"]:
            p = f["p0_source_input"].copy()
            gradient = ops.gradient(p)
            for a in axes:
                rho[a] = p / (len(axes) * c0**2)
                u[a] = dt_over_rho0[a] / 2 * gradient[a]

        if t + 1 >= start:
            sensors.sample("p", p)
            for a in axes:
                sensors.sample("u" + a, u[a])
                sensors.sample(f"u{a}_non_staggered", unstaggered(u[a], a))
            highest, lowest = np.maximum(highest, p), np.minimum(lowest, p)

    out = sensors.results()
    out.update(p_final=p, p_max_all=highest, p_min_all=lowest)
    out.update({f"u{a}_final": u[a] for a in axes})
    return out


def difference(result, expected):
    """Largest difference in units of the largest expected value."""
    largest = np.abs(expected).max()
    return np.abs(result - expected).max() / (largest if largest > 0 else 1)


def datasets(path):
    """All datasets of a file, by their path from the root."""
    found = {}
    with h5py.File(path) as file:
        file.visititems(lambda name, item: found.update({name: item[()]}) if isinstance(item, h5py.Dataset) else None)
    return found


def main():
    parser = argparse.ArgumentParser(description="k-Wave's time step in NumPy, double precision.")
    parser.add_argument("input")
    parser.add_argument("output", nargs="?")
    parser.add_argument("--start", type=int, default=1, help="first step that sensors record, from 1")
    parser.add_argument("--single", action="store_true", help="in single precision")
    parser.add_argument("--compare", help="file of expected results: prints the difference of each dataset")
    arguments = parser.parse_args()
    results = solve(arguments.input, arguments.start, np.float32 if arguments.single else np.float64)
    if arguments.output:
        with h5py.File(arguments.output, "w") as file:
            for name, value in results.items():
                file.create_dataset(name, data=value.astype(np.float32))
    if arguments.compare:
        for name, expected in datasets(arguments.compare).items():
            print(f"{name:20} {difference(results[name], expected):.2e}")


if __name__ == "__main__":
    main()
