"""gpu_calls.py [cupy] [torch] [jax] [numpy]   what a call of a program on arrays of a GPU costs beside its kernels, and what
the packages' own functions take for the same.

Microseconds: median (10th to 90th percentile), on random data; results are compared. `JSON` lines go to the standard
error. Kernels' own times are those of PyTorch's profiler.
"""

import contextlib
import functools
import json
import sys
import time

import numpy as np

import kasc

STEPS = 10
PROGRAMS = {
    "scale: u = 2*u + 1": ("float u[x];\ninput u;\nu = 2 * u + 1;\nreturn u;\n", lambda xp, u: 2 * u + 1),
    "stencil: v = u[x - 1] + u[x + 1] - 2*u": (
        "float u[x] boundary periodic, v[x];\ninput u;\nv = u[x - 1] + u[x + 1] - 2 * u;\nreturn v;\n",
        lambda xp, u: xp.roll(u, 1) + xp.roll(u, -1) - 2 * u,
    ),
    "norm: sqrt(sum(u*u))": (
        "float u[x], r[];\ninput u;\nr = sqrt(sum(u * u));\nreturn r;\n",
        lambda xp, u: xp.sqrt(xp.sum(u * u)),
    ),
    f"{STEPS} steps of u = u + (u[x - 1] + u[x + 1] - 2*u)/8": (
        f"float u[x] boundary periodic;\ninput u;\nfor (n = 0; n < {STEPS}; n++) "
        "{ u = u + 0.125 * (u[x - 1] + u[x + 1] - 2 * u); }\nreturn u;\n",
        lambda xp, u: steps(xp, u),
    ),
}
SCALED = "param float a = 2;\nfloat u[x];\ninput u;\nu = a * u + 1;\nreturn u;\n"
HEAT = (
    "param float dt = 0.1;\nfloat T[x, y] boundary keep(1);\ninput T;\n"
    "for (n = 0; n < 10; n++) { T = T + dt * (T[x - 1] + T[x + 1] + T[y - 1] + T[y + 1] - 4 * T); }\nreturn T;\n"
)
WORDS = "vector3 u[x, y], w[x, y];\nmatrix3x3 M[];\ninput u, M;\nw = mvmul33(M, u);\nreturn w;\n"


def steps(xp, u):
    for _ in range(STEPS):
        u = u + 0.125 * (xp.roll(u, 1) + xp.roll(u, -1) - 2 * u)
    return u


class Cupy:
    def __init__(self):
        import cupy

        self.xp = cupy
        self.array, self.numpy = cupy.asarray, cupy.asnumpy
        self.streams = {"default": contextlib.nullcontext, "own": lambda: cupy.cuda.Stream(non_blocking=True)}

    def wait(self, _last):
        self.xp.cuda.get_current_stream().synchronize()

    def compiled(self, function):
        return function


class Torch(Cupy):
    def __init__(self):
        import torch

        self.xp, self.torch = torch, torch
        self.streams = {"default": contextlib.nullcontext, "own": lambda: torch.cuda.stream(torch.cuda.Stream())}

    def array(self, a):
        return self.torch.from_numpy(a).cuda()

    def numpy(self, a):
        return a.cpu().numpy()

    def wait(self, _last):
        self.torch.cuda.current_stream().synchronize()

    def kernels(self, call, calls=20):
        """Microseconds of all kernels of a call."""
        with self.torch.profiler.profile(activities=[self.torch.profiler.ProfilerActivity.CUDA]) as profile:
            for _ in range(calls):
                call()
            self.torch.cuda.synchronize()
        return sum(e.device_time_total for e in profile.key_averages() if "Memcpy" not in e.key) / calls


class Jax(Cupy):
    def __init__(self):
        import jax

        self.jax, self.xp, self.numpy = jax, jax.numpy, np.asarray
        self.array = jax.numpy.asarray
        self.streams = {"jax": contextlib.nullcontext}

    def wait(self, last):
        last.block_until_ready()

    def compiled(self, function):
        return self.jax.jit(function)


class Numpy(Cupy):
    def __init__(self):
        self.xp, self.array, self.numpy = np, np.copy, np.asarray
        self.streams = {"host": contextlib.nullcontext}

    def wait(self, _last):
        pass


def quantiles(values):
    values = sorted(values)
    return [values[len(values) * q // 100] for q in (50, 10, 90)]


def shown(q):
    return f"{q[0]:.1f} ({q[1]:.1f} to {q[2]:.1f})"


def now():
    return 1e-3 * time.perf_counter_ns()


def times(call, wait):
    """Until it returns, of many in a row, until it is done. Fewer calls where they are slow."""
    for _ in range(20):
        last = call()
    wait(last)
    begun = now()
    for _ in range(5):
        wait(call())
    share = min(1.0, 60 / ((now() - begun) / 5))
    returned, row, done = [], [], []
    for _ in range(max(5, int(41 * share))):  # the queue is empty every so often, so that no call waits for it
        for _ in range(50):
            begun = now()
            last = call()
            returned.append(now() - begun)
        wait(last)
    for _ in range(21):
        calls = max(10, int(200 * share))
        begun = now()
        for _ in range(calls):
            last = call()
        wait(last)
        row.append((now() - begun) / calls)
    for _ in range(max(50, int(1000 * share))):
        begun = now()
        wait(call())
        done.append(now() - begun)
    return {"returned": quantiles(returned), "row": quantiles(row), "done": quantiles(done)}


def told(row, *names):
    print(
        "| "
        + " | ".join(str(row[n]) for n in ("arrays", "program", "cells"))
        + " | "
        + " | ".join(shown(row[n][m]) for m in ("returned", "row", "done") for n in names)
        + " |",
        flush=True,
    )
    print("JSON", json.dumps(row), file=sys.stderr, flush=True)


def compare(side, package):
    calls = []
    for stream_name, stream in side.streams.items():
        for name, (source, other) in PROGRAMS.items():
            for cells in (4096, 1 << 20):
                if stream_name == "own" and cells > 4096:
                    continue
                with stream():
                    program = kasc.Program(source, target="cuda")
                    u = side.array(np.random.default_rng(1).random(cells).astype("float32"))
                    own = side.compiled(functools.partial(other, side.xp))
                    np.testing.assert_allclose(side.numpy(program(u)), side.numpy(own(u)), rtol=1e-4)
                    row = {"arrays": f"{package}, {stream_name}", "program": name, "cells": cells}
                    row["kasc"] = times(lambda: program(u), side.wait)
                    row["own"] = times(lambda: own(u), side.wait)
                    told(row, "kasc", "own")
                    if stream_name == "default":
                        calls.append((name, cells, functools.partial(program, u), functools.partial(own, u)))
    return calls


def changing(side, package):
    """Calls that are not like those before them."""
    rng = np.random.default_rng(1)

    def random(*shape):
        return side.array(rng.random(shape).astype("float32"))

    scaled, heat, words = (kasc.Program(text, target="cuda") for text in (SCALED, HEAT, WORDS))
    u, T, w, M = random(4096), random(64, 64), random(64, 64, 3), random(3, 3)
    many, count = [random(64, 64) for _ in range(16)], [0]

    def next_number():
        count[0] += 1
        return count[0]

    state = [T]

    def forwards():
        state[0] = heat(state[0])
        return state[0]

    cases = {
        "u = a*u + 1": ("4096", lambda: scaled(u)),
        "the same, a given, as before": ("4096", lambda: scaled(u, a=3)),
        "the same, another a each time": ("4096", lambda: scaled(u, a=1e-6 * (next_number() % 100000))),
        "10 steps of heat": ("64x64", lambda: heat(T)),
        "the same of its own result": ("64x64", forwards),
        "the same, 16 arrays in turn": ("64x64", lambda: heat(many[next_number() % 16])),
        "a matrix by the vectors of a field": ("64x64", lambda: words(w, M)),
    }
    if hasattr(side.xp, "fft") and package != "jax":
        axis = "axis kx = half(x);\nfloat T[x, y];\ninput T;\nT = ifft(fft(T) * exp(-0.01 * kx));\nreturn T;\n"
        modes = kasc.Program(axis, target="cuda")
        cases["a transform and its inverse, 16 arrays in turn"] = ("64x64", lambda: modes(many[next_number() % 16]))
    for name, (cells, call) in cases.items():
        told({"arrays": package, "program": name, "cells": cells, "kasc": times(call, side.wait)}, "kasc")


def baseline(side):
    """A kernel that does nothing, launched by CuPy."""
    kernel = side.xp.RawKernel('extern "C" __global__ void nothing(float* a) {}', "nothing")
    u = side.array(np.zeros(4096, "float32"))
    arguments = (u,)
    told(
        {
            "arrays": "cupy, default",
            "program": "an empty RawKernel",
            "cells": 0,
            "own": times(lambda: kernel((1,), (32,), arguments), side.wait),
        },
        "own",
    )


def main(packages):
    for package in packages:
        side = {"cupy": Cupy, "torch": Torch, "jax": Jax, "numpy": Numpy}[package]()
        print(
            "| arrays, stream | program | cells | until it returns: kasc | own | of many in a row: kasc | own | until it is done: kasc | own |"
        )
        print("|---|---|---|---|---|---|---|---|---|")
        calls = compare(side, package)
        print("| arrays | program | cells | until it returns | of many in a row | until it is done |\n|---|---|---|---|---|---|")
        if package == "cupy":
            baseline(side)
        changing(side, package)
        if package == "torch":  # at the end: what looks at launches slows them
            print("| kernels of | cells | kasc | own |\n|---|---|---|---|")
            for name, cells, program, own in calls:
                print(f"| {name} | {cells} | {side.kernels(program):.2f} | {side.kernels(own):.2f} |", flush=True)


if __name__ == "__main__":
    main(sys.argv[1:] or ["cupy", "torch", "jax", "numpy"])
