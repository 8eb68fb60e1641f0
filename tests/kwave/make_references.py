#!/usr/bin/env python3
"""Writes k-Wave input files and what k-Wave-python's NumPy solver computes for them.

    make_references.py [--full] [--out FOLDER] [--only TEXT]

Needs k-wave-python 0.6.0. Every case becomes CASE.input.h5, written by the package, and CASE.reference.h5, laid out as
k-Wave's output files are. The table that is printed compares the package's solver with what reference_solver.py makes of
the file. Units: m, s, m/s, kg/m^3, Pa, dB/(MHz^y cm). All input values are exact in single precision, so that a file and
the double-precision run have the same data.
"""

import argparse
import os

import reference_solver
from cases import cases
from package import run_package, write_input
from stored import write_reference


def recorded(case, results):
    """Of all that reference_solver.py gives what is kept of a case."""
    quantities = ["p"] + (["ux", "uy"] if case.velocity else [])
    kept = {q + what for q in quantities for what in ("", "_max", "_min", "_rms")} | set(case.fields)
    kept |= {"ux_non_staggered", "uy_non_staggered"} if case.unstaggered else set()
    return [name for name in results if name.split("/")[0] in kept]


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
        results = reference_solver.solve(stem + ".input.h5")
        expected = {name: results[name] for name in recorded(case, results)} if case.axisymmetric else run_package(case)
        stored = {name: results[name] for name in expected} if case.from_file else expected
        author = "reference_solver.py" if case.from_file else "NumPy solver of k-Wave-python 0.6.0"
        write_reference(stored, author, stem + ".reference.h5")
        worst = max((reference_solver.difference(results[name], value), name) for name, value in expected.items())
        p = max(reference_solver.difference(results[n], v) for n, v in expected.items() if n.split("/")[0] == "p")
        size = os.path.getsize(stem + ".input.h5") + os.path.getsize(stem + ".reference.h5")
        print(f"{case.name:44} p {p:.1e}  worst {worst[0]:.1e} {worst[1]:20} {size / 1024:6.0f} KB", flush=True)


if __name__ == "__main__":
    main()
