"""Runs programs of the gallery and compares what they give with what NumPy computes in double precision.

    gallery.py check KASC FIELD/NAME      one program, small
    gallery.py picture KASC FIELD/NAME    draws the picture that stands in docs/gallery.md

Beside FIELD/NAME.kas lies FIELD/NAME.py, which says
    problem(random, **size)            the inputs by their names, axes reversed and the words of a cell last, and the settings
    reference(inputs, **settings)      the results, in double precision
    SMALL, DRAWN, TIMED, LARGE         sizes: to check, to draw, to measure on a CPU and on a GPU
    in_jax(jax, **settings)            a function of the inputs that gives the same in JAX, in single precision (optional)
    BOUNDS                             how far each result may be from the reference, as a part of its largest value
    PICTURE                            what is drawn: a result, and options of `kasc view`
"""

import importlib.util
import pathlib
import subprocess
import sys
import tempfile

import h5py
import numpy as np

HERE = pathlib.Path(__file__).resolve().parent
NAMES = sorted(str(path.relative_to(HERE).with_suffix("")) for path in HERE.glob("*/*.kas"))


def single(values):
    """Numbers that float32 has, in double: both sides begin with the same."""
    return np.asarray(values).astype(np.float32).astype(np.float64)


def uniform(random, shape, low, high):
    return single(random.uniform(low, high, shape))


def laplace_periodic(u):
    return np.roll(u, 1, 0) + np.roll(u, -1, 0) + np.roll(u, 1, 1) + np.roll(u, -1, 1) - 4 * u


def load(name):
    spec = importlib.util.spec_from_file_location(name.replace("/", "_"), HERE / f"{name}.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def problem(module, size):
    """Inputs that float32 has, settings."""
    inputs, settings = module.problem(np.random.default_rng(1), **size)
    return {name: value if np.issubdtype(value.dtype, np.integer) else single(value) for name, value in inputs.items()}, settings


def run(kasc, name, inputs, settings, *more, target="cpu", out=None):
    """What the program gives, in double, and what the command printed."""
    words = [word for setting, value in settings.items() for word in ("--set", f"{setting}={value}")]
    with tempfile.TemporaryDirectory() as folder:
        given, found = pathlib.Path(folder) / "in.h5", out or pathlib.Path(folder) / "out.h5"
        with h5py.File(given, "w") as file:
            for field, value in inputs.items():
                file[field] = value if np.issubdtype(value.dtype, np.integer) else value.astype(np.float32)
        call = [kasc, "run", HERE / f"{name}.kas", "--target", target, "--out", found, *words, *more]
        done = subprocess.run(call + (["--in", given] if inputs else []), capture_output=True, text=True)
        if done.returncode != 0:
            sys.exit(done.stdout + done.stderr)
        with h5py.File(found) as file:
            return {field: file[field][()].astype(np.float64) for field in file}, done.stdout + done.stderr


def faults(name, module, found, expected):
    """Prints how far each result is from its reference; how many are too far."""
    count = 0
    for field, bound in module.BOUNDS.items():
        value = np.asarray(expected[field])
        if found[field].shape != value.shape:
            sys.exit(f"{name}: {field} has the shape {found[field].shape}, expected is {value.shape}")
        largest = np.abs(value).max()
        distance = np.abs(found[field] - value).max() / largest
        print(f"{name}: {field} differs by {distance:.2g} of its largest, {largest:.3g}; at most are {bound:g}")
        count += not distance <= bound  # NaN is a fault
    return count


def check(kasc, name):
    module = load(name)
    inputs, settings = problem(module, module.SMALL)
    found, printed = run(kasc, name, inputs, settings)
    if "warning" in printed:
        sys.exit(printed)
    sys.exit(faults(name, module, found, module.reference(inputs, **settings)) > 0)


def picture(kasc, name):
    module = load(name)
    inputs, settings = problem(module, module.DRAWN)
    image = HERE / f"{name}.png"
    field, *options = module.PICTURE.split()
    if not options:
        run(kasc, name, inputs, settings, "--picture", f"{field}={image}")
        return
    with tempfile.TemporaryDirectory() as folder:
        results = pathlib.Path(folder) / "out.h5"
        run(kasc, name, inputs, settings, out=results)
        subprocess.run([kasc, "view", results, field, *options, "-o", image], check=True, stdout=subprocess.DEVNULL)


if __name__ == "__main__":
    sys.modules["gallery"] = sys.modules["__main__"]
    {"check": check, "picture": picture}[sys.argv[1]](*sys.argv[2:])
