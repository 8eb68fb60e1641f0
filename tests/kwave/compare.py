#!/usr/bin/env python3
"""Runs examples/kwave/kwave.kas on reference cases and prints how far its results are from them, as a table.

    compare.py [--kasc COMMAND] [--target cpu|cuda] [--only TEXT] [FOLDER]

FOLDER holds what make_references.py wrote; tests/kwave/data if it is not named. Columns: the largest difference in the
series p, over its largest value; the largest of all datasets, each over its own largest value; what the step in NumPy with
single precision (reference_solver.py) has there; the largest of the pressures over the largest pressure of the whole grid
and run. Exit status 1 where that, or a velocity over its own largest, is above 2e-5, k-Wave's own bound for its CUDA code.
Sensors by corners are left out.
"""

import argparse
import pathlib
import re
import subprocess
import sys
import tempfile

import numpy as np

from reference_solver import datasets, difference, solve

HERE = pathlib.Path(__file__).resolve().parent
PROGRAM = HERE / "../../examples/kwave/kwave.kas"
BOUND = 2e-5
RECORDED = "p p_max p_min p_rms p_max_all p_min_all p_final u u_max u_min u_rms u_final".split()


def quantity(name):
    """The option's name for a dataset: of ux_max it is u_max."""
    return re.sub(r"^u[xyz]", "u", name)


def run(arguments, source, wanted, folder):
    """Datasets that kasc computes of an input file."""
    result = pathlib.Path(folder) / "out.h5"
    on = {quantity(name) for name in wanted} | {"p_max_all", "p_min_all"}
    settings = [word for name in RECORDED for word in ("--set", f"record_{name}={int(name in on)}")]
    call = [arguments.kasc, "run", PROGRAM, "--target", arguments.target, "--in", source, "--out", result, *settings]
    subprocess.run(call, check=True, stdout=subprocess.DEVNULL)
    return datasets(result)


def main():
    parser = argparse.ArgumentParser(description="Compares kasc with reference results.")
    parser.add_argument("folder", nargs="?", type=pathlib.Path, default=HERE / "data")
    parser.add_argument("--kasc", default="kasc", help="the command")
    parser.add_argument("--target", default="auto", choices=["auto", "cpu", "cuda"])
    parser.add_argument("--only", default="", help="only cases whose name holds this")
    arguments = parser.parse_args()
    print("| case | points, steps | p | all | | NumPy, single | p, of the grid's largest |\n|---|---|---|---|---|---|---|")
    above = []
    for source in sorted(arguments.folder.glob("*.input.h5")):
        case = source.name.removesuffix(".input.h5")
        if "corners" in case or arguments.only not in case:
            continue
        expected = datasets(arguments.folder / f"{case}.reference.h5")
        wanted = {name: value for name, value in expected.items() if quantity(name) in RECORDED}
        with tempfile.TemporaryDirectory() as folder:
            found = run(arguments, source, wanted, folder)
        differences = {name: difference(found[name].reshape(value.shape), value) for name, value in wanted.items()}
        worst = max(differences, key=differences.get)
        numpy_single = difference(solve(source, real=np.float32)[worst], wanted[worst])
        largest = max(np.abs(found["p_max_all"]).max(), np.abs(found["p_min_all"]).max())
        of_grid = max(d * np.abs(wanted[name]).max() / largest for name, d in differences.items() if name[0] == "p")
        if not max([of_grid] + [d for name, d in differences.items() if name[0] == "u"]) <= BOUND:
            above.append(case)
        size = {name: int(value.flat[0]) for name, value in datasets(source).items() if name in ("Nx", "Ny", "Nz", "Nt")}
        points = "×".join(str(size[n]) for n in ("Nx", "Ny", "Nz") if size[n] > 1)
        numbers = f"{differences['p']:.1e} | {differences[worst]:.1e} | {worst} | {numpy_single:.1e} | {of_grid:.1e}"
        print(f"| {case} | {points}, {size['Nt']} | {numbers} |", flush=True)
    if above:
        sys.exit(f"above {BOUND}: {', '.join(above)}")


if __name__ == "__main__":
    main()
