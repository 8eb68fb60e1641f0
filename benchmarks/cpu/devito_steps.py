#!/usr/bin/env python3
"""Steps of stencils on a CPU: code that kasc emits beside Devito's, in turns, in one process, on the same random data.

    OMP_NUM_THREADS=2 devito_steps.py --kasc build/bin/kasc --out results [--size 256] [--rounds 7] [--programs wave8 yee]

Needs Devito (pip install devito) and numpy; both sides are compiled by g++. Devito computes zeros beyond its grid, so the
programs of benchmarks/gpu/stencils and examples/diffusion.kas are given `value(0)` for comparing, and are timed as they
are written as well. Times are milliseconds a step of the loops alone; `--before` names another kasc to compare with.
"""

import argparse
import ctypes
import datetime
import json
import os
import pathlib
import re
import statistics
import subprocess
import tempfile

import devito_programs
import numpy as np

HERE = pathlib.Path(__file__).resolve().parent
STENCILS = HERE / "../gpu/stencils"
PROGRAMS = {
    "wave8": STENCILS / "wave8.kas",
    "diffusion": HERE / "../../examples/diffusion.kas",
    "yee": STENCILS / "yee.kas",
    "elastic": STENCILS / "elastic.kas",
    "grayscott": STENCILS / "grayscott.kas",
}
# As devito_programs has them.
NUMBERS = {"dt2": 0.1, "c": 0.3, "f": 0.03, "k": 0.06, "dt": 0.01, "dx": 1.0}
FLAGS = ["-std=c++17", "-O3", "-march=native", "-ffp-contract=off", "-fno-math-errno", "-fopenmp", "-shared", "-fPIC"]
TYPES = {"long long": ctypes.c_longlong, "int": ctypes.c_int, "float": ctypes.c_float}


class Emitted:
    """A program of kasc for cubes of n cells, prepared and begun."""

    def __init__(self, kasc, source, zeros, n, inputs, folder):
        text = source.read_text()
        if zeros:
            text = re.sub(r"boundary (mirror|periodic|keep\(\d\))", "boundary value(0)", text)
        name, folder = source.stem, pathlib.Path(folder)
        program = folder / source.name
        program.write_text(text)
        sizes = [word for axis in "xyz" for word in ("--set", f"{axis}={n}")]
        command = [*kasc.split(), "compile", program, "--target", "cpu", *sizes, "-o", folder / name]
        subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
        library = folder / f"{name}.so"
        subprocess.run(["g++", *FLAGS, folder / name / f"{name}.cpp", "-o", library], check=True)
        self.name, self.library = name, ctypes.CDLL(str(library))
        header = (folder / name / f"{name}.h").read_text()
        lines = re.search(rf"struct {name}_arguments {{(.*?)}}", header, re.S).group(1).split("\n")
        members = [m.groups() for m in map(re.compile(r"\s*(const )?(long long|int|float) (\*?)(\w+);").match, lines) if m]
        fields = [(m, ctypes.c_void_p if star else TYPES[word]) for _, word, star, m in members]
        self.arguments = type("Arguments", (ctypes.Structure,), {"_fields_": fields})()
        self.arrays = {}
        for constant, word, star, member in members:
            if star:
                of = inputs[member].copy() if constant else np.zeros((n, n, n), np.float32)
                self.arrays[member] = of
                setattr(self.arguments, member, of.ctypes.data)
            elif word == "long long":
                setattr(self.arguments, member, n)
            else:
                setattr(self.arguments, member, 10**6 if member == "steps" else NUMBERS[member])
        self.prepared = ctypes.c_void_p()
        self.call("prepare", ctypes.byref(self.arguments), None, ctypes.byref(self.prepared))
        self.begin()

    def call(self, function, *arguments):
        if getattr(self.library, f"{self.name}_{function}")(*arguments) != 0:
            message = getattr(self.library, f"{self.name}_message")
            message.restype = ctypes.c_char_p
            raise RuntimeError(message().decode())

    def begin(self):
        self.call("begin", self.prepared, ctypes.byref(self.arguments))

    def run(self, steps):
        """Milliseconds a step."""
        seconds = ctypes.c_double()
        self.call("advance", self.prepared, ctypes.c_longlong(steps), ctypes.byref(seconds))
        return 1e3 * seconds.value / steps

    def results(self, steps):
        """What so many steps make of the inputs."""
        self.arguments.steps = steps
        self.begin()
        self.run(steps)
        self.call("finish", self.prepared)
        results = {m[: -len("_out")]: a.copy() for m, a in self.arrays.items() if m.endswith("_out")}
        self.arguments.steps = 10**6
        self.begin()
        return results

    def release(self):
        self.call("release", self.prepared)


def compare(name, n, options):
    """Samples by side; the largest difference between Devito's results and ours, of the largest word."""
    random = np.random.default_rng(1)
    devito = devito_programs.Steps(name, n)
    inputs = {k: (0.1 * random.random((n, n, n))).astype(np.float32) for k in devito.inputs}
    with tempfile.TemporaryDirectory() as folder:
        sides = {"devito": devito}
        kinds = [("kasc", options.kasc, True), ("kasc as written", options.kasc, False)]
        if options.before:
            kinds.append(("kasc before", options.before, True))
        for side, kasc, zeros in kinds:
            (pathlib.Path(folder) / side).mkdir()
            sides[side] = Emitted(kasc, PROGRAMS[name], zeros, n, inputs, pathlib.Path(folder) / side)
        expected, got = devito.results(inputs, 3), sides["kasc"].results(3)
        difference = max(float(np.abs(got[k] - expected[k]).max() / np.abs(expected[k]).max()) for k in got)
        assert difference < 1e-4, f"{name}: {difference}"
        devito.set(inputs)
        for side in sides.values():
            side.run(options.steps)
        samples = {side: [] for side in sides}
        for _ in range(options.rounds):
            for side, run in sides.items():
                samples[side].append(run.run(options.steps))
        for side in sides.values():
            side.release()
    return samples, difference


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--kasc", required=True)
    parser.add_argument("--before")
    parser.add_argument("--out", default=".")
    parser.add_argument("--size", type=int, default=256)
    parser.add_argument("--rounds", type=int, default=7)
    parser.add_argument("--steps", type=int, default=12, help="of a sample")
    parser.add_argument("--programs", nargs="+", default=list(PROGRAMS), choices=list(PROGRAMS))
    options = parser.parse_args()
    found = {}
    for name in options.programs:
        samples, difference = compare(name, options.size, options)
        found[name] = {"ms": samples, "difference": difference}
        ours = statistics.median(samples["kasc"])
        for side, ms in samples.items():
            median = statistics.median(ms)
            row = f"{name:10} {side:16} {median:8.2f} ms ({min(ms):.2f} to {max(ms):.2f})  {median / ours:.2f}"
            print(row, flush=True)
    about = {
        "size": options.size,
        "threads": os.environ.get("OMP_NUM_THREADS", "all"),
        "devito": devito_programs.VERSION,
        "date": datetime.date.today().isoformat(),
        "programs": found,
    }
    path = pathlib.Path(options.out) / f"{about['date']}-cpu-steps-{options.size}.json"
    path.write_text(json.dumps(about, indent=1) + "\n")


if __name__ == "__main__":
    main()
