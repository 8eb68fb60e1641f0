"""calls.py   what a call of a program costs beside its kernels, and what NumPy takes for the same.

Median and largest of the batches' means, in microseconds a call, on random data whose results are compared.
"""

import os
import time

import numpy as np

import kasc

PROGRAMS = {
    "scale: u = 2*u + 1": ("float u[x];\ninput u;\nu = 2 * u + 1;\nreturn u;\n", lambda u: 2 * u + 1),
    "stencil: v = u[x - 1] + u[x + 1] - 2*u": (
        "float u[x] boundary periodic, v[x];\ninput u;\nv = u[x - 1] + u[x + 1] - 2 * u;\nreturn v;\n",
        lambda u: np.roll(u, 1) + np.roll(u, -1) - 2 * u,
    ),
    "norm: sqrt(sum(u*u))": (
        "float u[x], r[];\ninput u;\nr = sqrt(sum(u * u));\nreturn r;\n",
        lambda u: np.float32(np.sqrt(np.sum(u * u, dtype="float64"))),
    ),
}


def microseconds(call, batches=11, seconds=0.05):
    call()
    begun = time.perf_counter()
    call()
    count = max(1, int(seconds / max(1e-6, time.perf_counter() - begun)))
    means = []
    for _ in range(batches):
        begun = time.perf_counter()
        for _ in range(count):
            call()
        means.append(1e6 * (time.perf_counter() - begun) / count)
    return sorted(means)[batches // 2], max(means)


def main():
    print(f"kasc {kasc.version()}, NumPy {np.__version__}, {os.cpu_count()} cores")
    print("| program | cells | a call | its code alone | NumPy |\n|---|---|---|---|---|")
    for name, (text, by_numpy) in PROGRAMS.items():
        for cells in (64, 4096, 1 << 20):
            program = kasc.Program(text, target="cpu")
            u = np.random.default_rng(1).random(cells).astype("float32")
            np.testing.assert_allclose(program(u), by_numpy(u), rtol=1e-5)
            ready = next(iter(program._ready.values()))
            out = [np.asarray(program(u))]
            whole, alone, other = (
                microseconds(call)
                for call in (
                    lambda: program(u),
                    lambda: ready.caller.call([u], out, [], False, False, 0),
                    lambda: by_numpy(u),
                )
            )
            print(f"| {name} | {cells} | " + " | ".join(f"{m:.1f} ({most:.1f})" for m, most in (whole, alone, other)) + " |")


if __name__ == "__main__":
    main()
