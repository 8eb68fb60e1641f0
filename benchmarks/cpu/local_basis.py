#!/usr/bin/env python3
"""How far runs in blocks (--basis local:N) are from runs of the whole grid: k-Wave's simulations in three dimensions, by overlap.

    benchmarks/cpu/local_basis.py KASC [--size 96] [--steps 80] [--svg FILE.svg]

Each simulation is run by one process, and by 8 in 2x2x2 blocks and by 2 in 2x1x1, for every overlap. The numbers are the largest difference
of pressures at any point from the run of one process, over the largest pressure: of the series at a plane of sensors that goes through faces
of the blocks, and of p_max_all. They depend on no clock. Needs NumPy, h5py, and mpirun.
"""

import argparse
import math
import os
import subprocess
import tempfile

import h5py
import numpy as np

OVERLAPS = (4, 8, 12, 16, 20)
BLOCKS = {8: "2x2x2", 2: "2x1x1"}
SPACING, STEP, SOUND, DENSITY = 1e-4, 2e-8, 1500.0, 1000.0
SIMULATIONS = {
    "pulse": "an initial pressure of 5 points' width, in a medium that varies",
    "steep": "the same in a nonlinear medium that absorbs by a power law of 1.5",
    "slow": "the same, absorption by a power law of 1.1",
    "disc": "a source of pressure: a disc of single points, a tone burst of 8 points a wave",
}


def write(path, n, steps, kind):
    """An input file as k-Wave's tools write it."""
    x, y, z = np.meshgrid(*[np.arange(n)] * 3, indexing="ij")
    wave = np.sin(2 * np.pi * 3 * x / n) * np.sin(2 * np.pi * 2 * y / n + 1) * np.cos(2 * np.pi * 2 * z / n)
    inside = 0.5 * (1 + np.tanh((n / 5 - np.sqrt((x - 0.6 * n) ** 2 + (y - 0.45 * n) ** 2 + (z - 0.5 * n) ** 2)) / 3))
    sound, density = SOUND * (1 + 0.05 * wave + 0.1 * inside), DENSITY * (1 + 0.05 * wave + 0.2 * inside)
    with h5py.File(path, "w") as file:
        file.attrs.update(
            created_by=b"benchmarks", file_description=b"blocks", file_type=b"input", major_version=b"1", minor_version=b"2"
        )

        def add(name, values, integer=False):
            values = np.asarray(values, dtype="u8" if integer else "f4")
            data = file.create_dataset(name, data=values.reshape(values.shape if values.ndim == 3 else (1, 1, -1)))
            data.attrs.update(data_type=b"long" if integer else b"float", domain_type=b"real")

        flags = "ux uy uz p p0 transducer"
        for name, value in {**{f"N{a}": n for a in "xyz"}, "Nt": steps, **{f"pml_{a}_size": 10 for a in "xyz"}}.items():
            add(name, value, True)
        for name in [f"{f}_source_flag" for f in flags.split()] + ["nonuniform_grid_flag", "axisymmetric_flag", "sensor_mask_type"]:
            value = {"p0_source_flag": kind != "disc", "p_source_flag": steps if kind == "disc" else 0}.get(name, 0)
            add(name, int(value), True)
        add("nonlinear_flag", int(kind in ("steep", "slow")), True)
        add("absorbing_flag", int(kind in ("steep", "slow")), True)
        for name, value in {
            "dt": STEP,
            "c_ref": SOUND * 1.1,
            **{f"d{a}": SPACING for a in "xyz"},
            **{f"pml_{a}_alpha": 2 for a in "xyz"},
        }.items():
            add(name, value)
        add("c0", sound.transpose(2, 1, 0))
        for name in ("rho0", "rho0_sgx", "rho0_sgy", "rho0_sgz"):
            add(name, density.transpose(2, 1, 0))
        if kind in ("steep", "slow"):
            add("BonA", 6.0)
            add("alpha_coeff", 0.75)
            add("alpha_power", 1.5 if kind == "steep" else 1.1)
        middle = n // 2 - 7
        if kind == "disc":
            r = (y - n / 2) ** 2 + (z - n / 2) ** 2
            at = np.flatnonzero(((r < (n / 6) ** 2) & (x == middle)).transpose(2, 1, 0)) + 1
            add("p_source_mode", 2, True)
            add("p_source_many", 0, True)
            add("p_source_index", at, True)
            t = np.arange(steps) * STEP
            burst = np.sin(2 * np.pi * SOUND / (8 * SPACING) * t) * np.sin(np.pi * np.minimum(t / (60 * STEP), 1)) ** 2
            file.create_dataset("p_source_input", data=burst.astype("f4").reshape(1, steps, 1))
            file["p_source_input"].attrs.update(data_type=b"float", domain_type=b"real")
        else:
            r = (x - middle) ** 2 + (y - n / 2 + 3) ** 2 + (z - n / 2 + 1) ** 2
            file.create_dataset("p0_source_input", data=(1e6 * np.exp(-r / 12.5)).astype("f4").transpose(2, 1, 0))
            file["p0_source_input"].attrs.update(data_type=b"float", domain_type=b"real")
        # A plane of sensors across faces.
        add("sensor_mask_index", np.flatnonzero((z == n // 2 + 4).transpose(2, 1, 0))[::7] + 1, True)


def run(kasc, folder, kind, processes=1, overlap=0):
    """The pressures of a run."""
    call = [kasc, "kwave", "--target", "cpu", "-i", f"{folder}/{kind}.h5", "-o", f"{folder}/out.h5", "--p_raw", "--p_max_all"]
    environment = dict(os.environ)
    if processes > 1:
        call = [
            "mpirun",
            "--oversubscribe",
            "-n",
            str(processes),
            *call,
            "--basis",
            f"local:{overlap}",
            "--blocks",
            BLOCKS[processes],
        ]
        environment.update(OMP_NUM_THREADS="1", OMPI_ALLOW_RUN_AS_ROOT="1", OMPI_ALLOW_RUN_AS_ROOT_CONFIRM="1")
    subprocess.run(call, check=True, env=environment, stdout=subprocess.DEVNULL)
    with h5py.File(f"{folder}/out.h5") as file:
        return [file[name][...].astype("f8") for name in ("p", "p_max_all")]


def error(alone, blocks):
    """Of the series and of the largest pressures: the larger."""
    return max(float(np.max(abs(a - b)) / np.max(abs(a))) for a, b in zip(alone, blocks))


def plot(path, errors):
    """Errors by overlap, in powers of ten."""
    low = math.floor(math.log10(min(min(row.values()) for row in errors.values())))
    high = math.ceil(math.log10(max(max(row.values()) for row in errors.values())))
    px = lambda o: 70 + 20 * (o - 2)  # noqa: E731
    py = lambda e: 20 + 300 * (high - math.log10(e)) / (high - low)  # noqa: E731
    colours = ("#1b6ca8", "#c0392b", "#8e44ad", "#2e8b57")
    parts = [
        '<svg xmlns="http://www.w3.org/2000/svg" width="640" height="380" font-family="sans-serif" font-size="13">',
        '<rect width="640" height="380" fill="white"/>',
    ]
    for power in range(low, high + 1):
        parts.append(f'<line x1="70" x2="450" y1="{py(10.0**power):.1f}" y2="{py(10.0**power):.1f}" stroke="#ddd"/>')
        parts.append(f'<text x="62" y="{py(10.0**power) + 4:.1f}" text-anchor="end">1e{power}</text>')
    for o in OVERLAPS:
        parts.append(f'<text x="{px(o)}" y="340" text-anchor="middle">{o}</text>')
    parts.append('<text x="260" y="365" text-anchor="middle">overlap, points</text>')
    for number, ((kind, processes), row) in enumerate(errors.items()):
        colour = colours[list(SIMULATIONS).index(kind)]
        dash = "" if processes == 8 else ' stroke-dasharray="5 4"'
        points = " ".join(f"{px(o)},{py(e):.1f}" for o, e in row.items())
        parts.append(f'<polyline points="{points}" fill="none" stroke="{colour}" stroke-width="2"{dash}/>')
        parts.append(
            f'<line x1="470" x2="500" y1="{30 + 22 * number}" y2="{30 + 22 * number}" stroke="{colour}" stroke-width="2"{dash}/>'
        )
        parts.append(f'<text x="508" y="{34 + 22 * number}">{kind}, {BLOCKS[processes]}</text>')
    with open(path, "w") as file:
        file.write("\n".join([*parts, "</svg>", ""]))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("kasc")
    parser.add_argument("--size", type=int, default=96)
    parser.add_argument("--steps", type=int, default=80)
    parser.add_argument("--svg")
    given = parser.parse_args()
    errors = {}
    with tempfile.TemporaryDirectory() as folder:
        for kind in SIMULATIONS:
            write(f"{folder}/{kind}.h5", given.size, given.steps, kind)
            alone = run(given.kasc, folder, kind)
            for processes in BLOCKS:
                errors[kind, processes] = row = {o: error(alone, run(given.kasc, folder, kind, processes, o)) for o in OVERLAPS}
                print(f"| {kind} | {BLOCKS[processes]} | " + " | ".join(f"{e:.1e}" for e in row.values()) + " |", flush=True)
    if given.svg:
        plot(given.svg, errors)


if __name__ == "__main__":
    main()
