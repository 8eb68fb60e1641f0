"""Sine and cosine transforms beside their definitions, as matrices: all types, there and back, of even and odd lengths and of
short ones, along one axis and all, in both precisions.

    walls.py KASC
"""

import os
import pathlib
import subprocess
import sys
import tempfile

import h5py
import numpy as np
from numpy import cos, pi, sin

SHAPES = {"float": ((2, 7),), "double": ((27, 32),)}
if "KASC_FULL" in os.environ:
    SHAPES = {number: ((2, 7), (27, 32)) for number in SHAPES}
OF_ONE_CELL = ((3, 1),)  # of which there is no dct1
TYPES = (1, 2, 3, 4)


def matrix(kind, kind_type, n):
    """Of docs/language.md."""
    k, j = np.arange(n)[:, None], np.arange(n)[None, :]
    if kind_type == 1:
        if kind == "dst":
            return 2 * sin(pi * (k + 1) * (j + 1) / (n + 1))
        m = 2 * cos(pi * j * k / (n - 1))
        m[:, 0], m[:, -1] = 1, (-1.0) ** k[:, 0]
        return m
    if kind_type == 2:
        return 2 * (cos(pi * k * (2 * j + 1) / (2 * n)) if kind == "dct" else sin(pi * (k + 1) * (2 * j + 1) / (2 * n)))
    if kind_type == 3:
        m = 2 * (cos(pi * j * (2 * k + 1) / (2 * n)) if kind == "dct" else sin(pi * (j + 1) * (2 * k + 1) / (2 * n)))
        m[:, 0 if kind == "dct" else -1] /= 2
        return m
    return 2 * (cos if kind == "dct" else sin)(pi * (2 * j + 1) * (2 * k + 1) / (4 * n))


def run(kasc, kind, number, p):
    """By output what kasc computes and what the definitions say, of p[y, x]."""
    statements, expected = "", {}
    for t in TYPES:
        name = f"{kind}{t}"
        of_x, of_y = matrix(kind, t, p.shape[1]), matrix(kind, t, p.shape[0])
        statements += f"{name}_y = {name}(0.5*p, y); {name}_all = {name}(p) + {name}(p, x);"
        expected[f"{name}_y"] = of_y @ (0.5 * p)
        expected[f"{name}_all"] = of_y @ p @ of_x.T + p @ of_x.T
        statements += f"{name}_back = i{name}({name}_y, y) + i{name}({name}(p), x, y);"
        expected[f"{name}_back"] = 1.5 * p
    fields = ", ".join(f"{name}[x, y]" for name in expected)
    text = f"{number} p[x, y], {fields}; input p; {statements} return {', '.join(expected)};"
    with tempfile.TemporaryDirectory() as folder:
        program, given, found = (pathlib.Path(folder) / name for name in ("walls.kas", "in.h5", "out.h5"))
        program.write_text(text)
        with h5py.File(given, "w") as file:
            file["p"] = p.astype(np.float32 if number == "float" else np.float64)
        call = [kasc, "run", program, "--target", "cpu", "--in", given, "--out", found]
        done = subprocess.run(call, capture_output=True, text=True)
        if done.returncode != 0:
            sys.exit(done.stdout + done.stderr)
        with h5py.File(found) as file:
            return {name: (file[name][()].astype(float), value) for name, value in expected.items()}


def main():
    random = np.random.default_rng(5)
    worst = {"float": 0.0, "double": 0.0}
    for number in worst:
        for kind in ("dct", "dst"):
            for shape in SHAPES[number] + (OF_ONE_CELL if (kind, number) == ("dst", "float") else ()):
                p = random.standard_normal(shape).astype(np.float32).astype(float)
                for name, (value, wanted) in run(sys.argv[1], kind, number, p).items():
                    error = np.linalg.norm(value - wanted) / np.linalg.norm(wanted)
                    worst[number] = max(worst[number], error)
                    if not error <= (5e-7 if number == "float" else 5e-15):
                        sys.exit(f"{name} of {number} {shape} differs by {error:.2g}")
    print(", ".join(f"{number}: relative errors up to {error:.2g}" for number, error in worst.items()))


main()
