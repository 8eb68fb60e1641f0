#!/usr/bin/env python3
"""How long kasc takes from the call to the compiler: input read, examined and ready.

    input.py make kind size file.h5          a file as k-Wave's tools write it, heterogeneous in all that may be: eight
                                             fields of float32; kind: contiguous, chunked (a plane each), deflated
    input.py time rounds file.h5 kasc …      CPU and wall time of each kasc, least of so many rounds, in turns

Needs h5py. The C++ compiler is taken to be false(1): the run ends where it is called.
"""

import os
import resource
import subprocess
import sys
import time

FIELDS = {
    "c0": 1500,
    "rho0": 1000,
    "rho0_sgx": 1000,
    "rho0_sgy": 1000,
    "rho0_sgz": 1000,
    "BonA": 6,
    "alpha_coeff": 0.75,
    "p0_source_input": 1e5,
}
LAYOUTS = {
    "contiguous": lambda n: {},
    "chunked": lambda n: {"chunks": (1, n, n)},
    "deflated": lambda n: {"chunks": (1, n, n), "compression": 4, "shuffle": True},
}


def make(kind, n, path):
    import h5py
    import numpy as np

    random = np.random.default_rng(1)
    with h5py.File(path, "w") as file:
        for name, text in {"file_type": "input", "major_version": "1", "minor_version": "2"}.items():
            file.attrs.create(name, text, dtype=f"S{len(text)}")

        def number(name, value, dtype=np.uint64):
            file.create_dataset(name, data=np.full((1, 1, 1), value, dtype))

        for name in ("Nx", "Ny", "Nz"):
            number(name, n)
        for name in ("pml_x_size", "pml_y_size", "pml_z_size", "Nt"):
            number(name, 10)
        for name in (
            "p_source",
            "transducer_source",
            "ux_source",
            "uy_source",
            "uz_source",
            "nonuniform_grid",
            "axisymmetric",
            "elastic",
        ):
            number(name + "_flag", 0)
        for name in ("p0_source_flag", "absorbing_flag", "nonlinear_flag"):
            number(name, 1)
        number("sensor_mask_type", 0)
        for name, value in {
            "dt": 2e-8,
            "dx": 1e-4,
            "dy": 1e-4,
            "dz": 1e-4,
            "c_ref": 1700,
            "pml_x_alpha": 2,
            "pml_y_alpha": 2,
            "pml_z_alpha": 2,
            "alpha_power": 1.5,
        }.items():
            number(name, value, np.float32)
        for name, value in FIELDS.items():
            noise = random.random((n, n, n), dtype=np.float32)
            data = np.round(value * (1 + np.float32(0.05) * noise), 3).astype(np.float32)
            file.create_dataset(name, data=data, **LAYOUTS[kind](n))
        file.create_dataset("sensor_mask_index", data=np.arange(1, 4 * n * n + 1, dtype=np.uint64).reshape(1, 1, -1))


def once(kasc, path):
    call = [kasc, "kwave", "-i", path, "-o", "/tmp/input-timing.h5", "--target", "cpu", "--p_max"]
    before, began = resource.getrusage(resource.RUSAGE_CHILDREN), time.monotonic()
    run = subprocess.run(call, env=dict(os.environ, CXX="false"), capture_output=True, text=True)
    wall, after = time.monotonic() - began, resource.getrusage(resource.RUSAGE_CHILDREN)
    if "K0802" not in run.stderr:
        sys.exit(f"{kasc} did not come to the compiler: {run.stderr}")
    return after.ru_utime - before.ru_utime, after.ru_stime - before.ru_stime, wall


def measure(rounds, path, commands):
    times = {kasc: [] for kasc in commands}
    for _ in range(rounds):
        for kasc in commands:
            times[kasc].append(once(kasc, path))
    for kasc, runs in times.items():
        user, system, _ = min(runs, key=lambda t: t[0] + t[1])
        print(f"{kasc}: user {user:.2f} + system {system:.2f} = {user + system:.2f} s CPU, wall {min(t[2] for t in runs):.2f} s")


if __name__ == "__main__":
    if len(sys.argv) > 4 and sys.argv[1] == "make":
        make(sys.argv[2], int(sys.argv[3]), sys.argv[4])
    elif len(sys.argv) > 4 and sys.argv[1] == "time":
        measure(int(sys.argv[2]), sys.argv[3], sys.argv[4:])
    else:
        sys.exit(__doc__)
