"""Runs a program of examples/ on a CPU and compares what it gives with what NumPy computes in double precision."""

import pathlib
import subprocess
import sys
import tempfile

import h5py
import numpy as np

EXAMPLES = pathlib.Path(__file__).resolve().parents[2] / "examples"


def uniform(random, shape, low, high):
    """Numbers that float32 has, in double: both sides begin with the same."""
    return random.uniform(low, high, shape).astype(np.float32).astype(np.float64)


def single(values):
    return np.complex64 if np.iscomplexobj(values) else np.float32


def double(values):
    return np.complex128 if values.dtype.kind == "c" else np.float64


def outputs_of(program, inputs, settings):
    """Inputs by their names, axes reversed and the words of a cell last; settings of the command line."""
    words = [word for name, value in settings.items() for word in ("--set", f"{name}={value}")]
    with tempfile.TemporaryDirectory() as folder:
        given, found = pathlib.Path(folder) / "in.h5", pathlib.Path(folder) / "out.h5"
        with h5py.File(given, "w") as file:
            for name, value in inputs.items():
                file[name] = value if np.issubdtype(value.dtype, np.integer) else value.astype(single(value))
        kasc = [sys.argv[1], "run", EXAMPLES / f"{program}.kas", "--target", "cpu", "--in", given, "--out", found]
        run = subprocess.run(kasc + words, capture_output=True, text=True)
        if run.returncode != 0:
            sys.exit(run.stdout + run.stderr)
        with h5py.File(found) as file:
            return {name: file[name][()].astype(double(file[name])) for name in file}


def distances(program, inputs, settings, expected):
    """By output, how far it is from what is expected, at most, of the largest of its values."""
    found = outputs_of(program, inputs, settings)
    shapes = {name: value.shape for name, value in expected.items()}
    given = {name: value.shape for name, value in found.items()}
    if given != shapes:
        sys.exit(f"{program} gives {given}, expected is {shapes}")
    return {name: np.abs(found[name] - value).max() / np.abs(value).max() for name, value in expected.items()}


def compare(program, inputs, settings, expected):
    """Expected: for each output its values in double, and how far from them it may be, of the largest of them."""
    faults = 0
    values = {name: value for name, (value, _) in expected.items()}
    for name, distance in distances(program, inputs, settings, values).items():
        value, bound = expected[name]
        print(f"{program}: {name} differs by {distance:.2g} of its largest, {np.abs(value).max():.3g}; at most are {bound:g}")
        faults += not distance <= bound  # NaN is a fault
    sys.exit(faults > 0)
