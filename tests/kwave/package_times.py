#!/usr/bin/env python3
"""How long a call of k-Wave's Python package takes with kasc, where nothing was built before and where the program was,
and with its own solver: in turns, each in a process of its own, imports not counted. Writes a table.

    package_times.py [--repeats N] [--sizes 128x200 256x200 …]

Needs the package and kasc's own in the same Python.
"""

import argparse
import os
import statistics
import subprocess
import sys
import tempfile

# Points along both axes, steps.
SIZES = ("128x200", "128x600", "128x1000", "256x200", "256x600", "512x200")
MEDIA = ("lossless", "absorbing")

CALL = """
import sys, time, warnings
n, steps, medium, backend = int(sys.argv[1]), int(sys.argv[2]), sys.argv[3], sys.argv[4]
warnings.simplefilter("ignore")
import kasc.kwave
kasc.kwave.install()
import numpy as np
from kwave.kgrid import kWaveGrid
from kwave.kmedium import kWaveMedium
from kwave.ksensor import kSensor
from kwave.ksource import kSource
from kwave.kspaceFirstOrder import kspaceFirstOrder
import kwave.solvers.cpp_simulation, kwave.solvers.kspace_solver, kwave.utils.filters, scipy.interpolate
x, y = np.meshgrid(np.arange(n), np.arange(n), indexing="ij")
grid = kWaveGrid([n, n], [1e-4, 1e-4])
grid.setTime(steps, 1.5e-8)
if medium == "lossless":
    matter = kWaveMedium(sound_speed=1500, density=1000)
else:
    matter = kWaveMedium(sound_speed=1500 + 50 * np.sin(x / 9) * np.cos(y / 7), density=1000, alpha_coeff=0.75, alpha_power=1.5)
source = kSource()
source.p0 = np.exp(-((x - n / 3) ** 2 + (y - n / 2) ** 2) / 18.0)
mask = np.zeros((n, n), dtype=bool)
mask[n // 2, 20:-20] = True
began = time.perf_counter()
kspaceFirstOrder(grid, matter, source, kSensor(mask=mask), pml_inside=True, backend=backend, quiet=True)
print(time.perf_counter() - began)
"""


def seconds(n, steps, medium, backend, cache):
    call = [sys.executable, "-c", CALL, str(n), str(steps), medium, backend]
    done = subprocess.run(call, env=dict(os.environ, XDG_CACHE_HOME=cache), capture_output=True, text=True, check=True)
    return float(done.stdout.split()[-1])


def shown(values):
    return f"{statistics.median(values):.2f} ({min(values):.2f} to {max(values):.2f})"


def main():
    words = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    words.add_argument("--repeats", type=int, default=5, metavar="N")
    words.add_argument("--sizes", nargs="+", default=SIZES, metavar="POINTSxSTEPS")
    repeats, sizes = vars(words.parse_args()).values()
    print("| points, steps | medium | kasc, nothing built | kasc, built before | its own solver |\n|---|---|---|---|---|")
    for medium in MEDIA:
        for n, steps in (map(int, size.split("x")) for size in sizes):
            cold, warm, own = [], [], []
            for _ in range(repeats):
                with tempfile.TemporaryDirectory() as cache:
                    cold.append(seconds(n, steps, medium, "cpp", cache))
                    warm.append(seconds(n, steps, medium, "cpp", cache))
                    own.append(seconds(n, steps, medium, "python", cache))
            print(f"| {n}², {steps} | {medium} | {shown(cold)} | {shown(warm)} | {shown(own)} |", flush=True)


main()
