"""Times programs whose loops stay at their cells (cell_loops/) on this machine's GPU: as kasc runs them within kernels, unrolled, with every
iteration in a kernel of its own, and beside PyTorch, compiled, and JAX, whose loops are written out in Python.

    python3 cell_loops.py --kasc ../../bundle/bin/kasc --out results

First plans. kasc's programs are compared to the bit, and the first with PyTorch in double precision, before anything is timed."""
import math
import os
from pathlib import Path

os.environ["XLA_PYTHON_CLIENT_PREALLOCATE"] = "false"  # JAX leaves memory to the others
import torch

from cells import uniform
from emitted import Emitted, compile_program, give_back
from jax_ms import jax_ms
from measure import copy_rate, time_events
from table import Table, kernel_ms, options_of, peer_ms

PROGRAMS = Path(__file__).resolve().parent / "cell_loops"
SIDE, CELLS = 4096, 1 << 24


def escape(xp, s):
    a, b = s["a"][None, :], s["b"][:, None]
    re, im = a + 0 * b, 0 * a + b
    count = xp.zeros_like(re, dtype=xp.int32)
    for _ in range(100):
        re, im = re * re - im * im + a, 2 * re * im + b
        count = xp.where(re * re + im * im < 4, count + 1, count)
    return {"count": count}


def kepler(xp, s):
    e, mean = s["e"], s["M"]
    found = mean
    for _ in range(10):
        found = found - (found - e * xp.sin(found) - mean) / (1 - e * xp.cos(found))
    return {"E": found}


def lorenz(xp, s):
    x, y, z = s["x"], s["y"], s["z"]
    for _ in range(100):
        dx, dy, dz = 10 * (y - x), x * (28 - z) - y, x * y - 2.5 * z
        x, y, z = x + 0.01 * dx, y + 0.01 * dy, z + 0.01 * dz
    return {"x": x, "y": y, "z": z}


def splitting(xp, s):
    u, v = s["u"], s["v"]
    roll = (lambda a, n, d: torch.roll(a, n, d)) if xp is torch else (lambda a, n, d: xp.roll(a, n, axis=d))
    laplace = lambda a: roll(a, 1, 0) + roll(a, -1, 0) + roll(a, 1, 1) + roll(a, -1, 1) - 4 * a
    for _ in range(10):
        u, v = u + 0.1 * laplace(u), v + 0.05 * laplace(v)
        for _ in range(8):
            du = 1 - 4 * u + u * u * v
            v = v + 0.01 * (3 * u - u * u * v)
            u = u + 0.01 * du
    return {"u": u, "v": v}


# What is computed, of which extents and inputs (shape, least, most), words that have to move, and what part of all cells, or of the largest
# value, may differ from double precision: counts of orbits near the set's rim do, and a chaotic system is left early.
CASES = {
    "escape": (escape, dict(x=SIDE, y=SIDE), dict(a=((SIDE,), -2, 0.6), b=((SIDE,), -1.2, 1.2)), 1, 2e-2),
    "kepler": (kepler, dict(i=CELLS), dict(M=((CELLS,), -3, 3), e=((CELLS,), 0, 0.7)), 3, 1e-5),
    "lorenz": (lorenz, dict(i=CELLS), {n: ((CELLS,), -10, 10) for n in "xyz"}, 6, 1e-2),
    "splitting": (splitting, dict(x=SIDE, y=SIDE), {n: ((SIDE, SIDE), 0, 2) for n in "uv"}, 4, 1e-5),
}
SCALARS = {"escape": dict(n=100), "kepler": dict(n=10), "lorenz": dict(n=100, dt=0.01), "splitting": dict(n=10, dt=0.01)}


def drawn(name):
    return {n: uniform(shape, low, high, k + 1) for k, (n, (shape, low, high)) in enumerate(CASES[name][2].items())}


def called(program, name, state):
    scalars = {**{f"n{a}": n for a, n in CASES[name][1].items()}, **SCALARS[name]}
    arrays = dict(state)
    for kind, array, _ in program.members:
        if kind == "out":
            arrays[array] = torch.zeros(program.shape(array, scalars), dtype=program.cells[array], device="cuda")
    return program.arguments(scalars, arrays), arrays


def check(programs, name, state):
    found = {}
    for key, program in programs.items():
        arguments, found[key] = called(program, name, state)
        program.kernel_seconds(arguments)
    worst = 0
    for key, wanted in CASES[name][0](torch, {k: a.double() for k, a in state.items()}).items():
        key = key + "_out" if key in state else key  # as a header calls a result that is an input, too
        for other in ("unrolled", "alone"):
            if not torch.equal(found["inside"][key], found[other][key]):
                raise SystemExit(f"{name}: {key} is another {other}")
        ours = found["inside"][key].reshape(wanted.shape)
        off = (ours != wanted).double().mean() if name == "escape" else (ours.double() - wanted).abs().max() / wanted.abs().max()
        worst = max(worst, float(off))
    if not worst < CASES[name][4]:
        raise SystemExit(f"{name}: {worst}")
    return worst


def torch_ms(name):
    torch._dynamo.reset()
    function = torch.compile(lambda s: CASES[name][0](torch, s))
    state = drawn(name)
    for _ in range(3):
        function(state)
    return [t * 1e3 for t in time_events(lambda: function(state), repeats=15, inner=3)]


def jax_of(name):
    import jax.numpy as jnp

    return jax_ms(lambda s: CASES[name][0](jnp, s), drawn(name))


def main():
    options = options_of(__doc__, CASES)
    rate = copy_rate()["copy GB/s"]
    table = Table(
        options.out,
        "cell_loops",
        rate,
        [
            "program",
            "ms (10 to 90 %): kasc",
            "unrolled",
            "a kernel an iteration",
            "torch.compile",
            "JAX",
            "of the copy rate",
            "off",
        ],
    )
    for name in options.programs:
        settings = [w for a, n in CASES[name][1].items() for w in ("--set", f"{a}={n}")]
        ways = {"inside": [], "unrolled": ["--no-rewrite=inside"], "alone": ["--no-rewrite=inside", "--no-rewrite=unroll"]}
        programs = {
            key: Emitted(compile_program(options.kasc, PROGRAMS / f"{name}.kas", options.out / f"{name}_{key}", *settings, *way))
            for key, way in ways.items()
        }
        state = drawn(name)
        off = check(programs, name, state)
        give_back()
        times = kernel_ms({key: (program, *called(program, name, state)) for key, program in programs.items()})
        for program in programs.values():
            program.release()
        for peer, of_peer in (("torch.compile", torch_ms), ("JAX", jax_of)):
            times[peer] = peer_ms(name, peer, lambda: of_peer(name))
        gb_s = 4 * CASES[name][3] * math.prod(CASES[name][1].values()) / times["inside"][0] / 1e6
        table.add(name, times, [f"{gb_s / rate:.0%}", f"{off:.1e}"], {"off": off})
    table.write()


if __name__ == "__main__":
    main()
