"""Times programs whose fields have an axis of few cells (short_axes/) on this machine's GPU: with the axis as words of a thread, with it as
an axis (--no-rewrite=words), and beside torch.compile and JAX.

    python3 short_axes.py --kasc ../../bundle/bin/kasc --out results

First plans, random data; kasc's two programs are compared to the bit, and the first with the same in double precision, before anything is
timed. Programs with a loop are timed whole, twenty steps with what is copied before and behind them."""
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

PROGRAMS = Path(__file__).resolve().parent / "short_axes"
STEPS, N2, N3, NV = 20, 4096, 256, 384
NINE = [(0, 0), (1, 0), (0, 1), (-1, 0), (0, -1), (1, 1), (-1, 1), (-1, -1), (1, -1)]
W9 = [4 / 9] + 4 * [1 / 9] + 4 * [1 / 36]
EX = [0, 1, -1, 0, 0, 0, 0, 1, -1, 1, -1, 1, -1, 1, -1, 0, 0, 0, 0]
EY = [0, 0, 0, 1, -1, 0, 0, 1, -1, -1, 1, 0, 0, 0, 0, 1, -1, 1, -1]
EZ = [0, 0, 0, 0, 0, 1, -1, 0, 0, 0, 0, 1, -1, -1, 1, 1, -1, -1, 1]
W19 = [1 / 3] + 6 * [1 / 18] + 12 * [1 / 36]
RATE = [0.3, 0.5, 0.7, 0.2, 0.9, 0.4, 0.6, 0.8]


# One text for PyTorch and JAX; a cell's coordinates are [q, z, y, x].
def rolled(xp, a, by, axes):
    return xp.roll(a, by, axes)


def boltzmann(directions, weights):
    """A step: populations come from where they were, and relax towards their equilibrium."""
    rank = len(directions[0])

    def step(xp, f):
        g = [rolled(xp, f[k], tuple(reversed(e)), tuple(range(rank))) for k, e in enumerate(directions)]
        rho = sum(g[1:], g[0])
        u = [sum(e[a] * g[k] for k, e in enumerate(directions) if e[a]) / rho for a in range(rank)]
        square, new = 1.5 * sum(c * c for c in u), []
        for k, e in enumerate(directions):
            eu = sum((e[a] * u[a] for a in range(rank) if e[a]), 0 * rho)
            new.append(g[k] + (weights[k] * rho * (1 + 3 * eu + 4.5 * eu * eu - square) - g[k]) / 0.8)
        return xp.stack(new)

    return step


def species(xp, c):
    every = sum(r * c[k] for k, r in enumerate(RATE))
    near = sum(rolled(xp, c, by, axis) for axis in (1, 2) for by in (1, -1))
    rate = xp.stack([0 * every + r for r in RATE])
    return c + 0.001 * (near - 4 * c + every * (1 - c) - rate * c * c)


def pixels(xp, picture):
    bright = 0.2126 * picture[0] + 0.7152 * picture[1] + 0.0722 * picture[2]
    return picture * (0.5 / (bright + 0.01))


def vectors(xp, m):
    m = m / xp.sqrt((m * m).sum(0) + 1e-12)
    field = sum(rolled(xp, m, by, axis) for axis in (1, 2, 3) for by in (1, -1))
    return 3 - 0.5 * (m * field).sum(0)


# What a step does, steps, extents, the input (name, shape, least, most), words that have to move each step, how far from double.
CASES = {
    "d2q9": (boltzmann(NINE, W9), STEPS, dict(x=N2, y=N2), ("f", (9, N2, N2), 0.1, 0.2), 18 * N2**2, 1e-4),
    "d3q19": (
        boltzmann(list(zip(EX, EY, EZ)), W19),
        STEPS,
        dict(x=N3, y=N3, z=N3),
        ("f", (19, N3, N3, N3), 0.05, 0.1),
        38 * N3**3,
        1e-4,
    ),
    "species": (species, STEPS, dict(x=N2, y=N2), ("c", (8, N2, N2), 0, 1), 16 * N2**2, 1e-5),
    "pixels": (pixels, 1, dict(x=N2, y=N2), ("picture", (3, N2, N2), 0, 1), 7 * N2**2, 1e-5),
    "vectors": (vectors, 1, dict(x=NV, y=NV, z=NV), ("m", (3, NV, NV, NV), -1, 1), 10 * NV**3, 1e-4),
}


def drawn(name):
    key, shape, low, high = CASES[name][3]
    return {key: uniform(shape, low, high, 1)}


def called(program, name, state):
    short = next(iter(state.values())).shape[0]
    scalars = {
        **{f"n{a}": n for a, n in CASES[name][2].items()},
        "nq": short,
        "ns": short,
        "nc": short,
        "steps": STEPS,
        "tau": 0.8,
        "dt": 0.001,
    }
    arrays = dict(state)
    for kind, array, _ in program.members:
        if kind == "out":
            arrays[array] = torch.full(program.shape(array, scalars), math.nan, dtype=program.cells[array], device="cuda")
    return program.arguments(scalars, arrays), arrays


def check(programs, name, state):
    found = {}
    for key, program in programs.items():
        arguments, found[key] = called(program, name, state)
        program.kernel_seconds(arguments)
    results = [array for kind, array, _ in programs["words"].members if kind == "out"]
    for array in results:
        if not torch.equal(found["words"][array], found["axis"][array]):
            raise SystemExit(f"{name}: {array} is another with the axis as words")
    step, steps = CASES[name][:2]
    wanted = next(iter(state.values())).double()
    for _ in range(steps):
        wanted = step(torch, wanted)
    off = float((found["words"][results[-1]].reshape(wanted.shape).double() - wanted).abs().max() / wanted.abs().max())
    if not off < CASES[name][5]:
        raise SystemExit(f"{name}: {off}")
    return off


def torch_ms(name):
    step, steps = CASES[name][:2]
    compiled = torch.compile(lambda a: step(torch, a))
    first = next(iter(drawn(name).values()))

    def run():
        a = first
        for _ in range(steps):
            a = compiled(a)
        return a

    run()
    return [t * 1e3 for t in time_events(run, repeats=15, inner=3)]


def jax_of(name):
    import jax
    import jax.numpy as jnp

    step, steps = CASES[name][:2]
    key = CASES[name][3][0]
    if steps == 1:
        return jax_ms(lambda s: step(jnp, s[key]), drawn(name))
    return jax_ms(lambda s: jax.lax.fori_loop(0, steps, lambda _, a: step(jnp, a), s[key]), drawn(name))


def main():
    options = options_of(__doc__, CASES)
    rate = copy_rate()["copy GB/s"]
    table = Table(
        options.out,
        "short_axes",
        rate,
        ["program", "ms (10 to 90 %): words", "an axis", "torch.compile", "JAX", "words, of the copy rate", "off"],
    )
    for name in options.programs:
        settings = [w for a, n in CASES[name][2].items() for w in ("--set", f"{a}={n}")]
        ways = {"words": [], "axis": ["--no-rewrite=words"]}
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
        give_back()
        for peer, measured in (("torch.compile", torch_ms), ("JAX", jax_of)):
            times[peer] = peer_ms(name, peer, lambda: measured(name))
        gb_s = 4 * CASES[name][4] * CASES[name][1] / times["words"][0] / 1e6
        table.add(name, times, [f"{gb_s / rate:.0%}", f"{off:.1e}"], {"off": off})
    table.write()


if __name__ == "__main__":
    main()
