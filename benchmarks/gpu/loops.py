"""Times programs whose loops go along an axis, or through time, cell by cell (loops/) on this machine's GPU: as kasc runs them
within kernels, with a launch an iteration, and beside JAX (lax.scan, cumsum) and PyTorch (cumsum).

    python3 loops.py --kasc ../../bundle/bin/kasc --out results

First plans. kasc's two programs are compared to the bit, and the first with PyTorch in double precision, before anything is timed.
"""

import math
import os
from pathlib import Path

os.environ["XLA_PYTHON_CLIENT_PREALLOCATE"] = "false"  # JAX leaves memory to the others
import torch

from cells import uniform
from emitted import Emitted, compile_program, give_back
from jax_ms import jax_ms
from measure import copy_rate, time_events
from table import Table, kernel_ms, options_of

PROGRAMS = Path(__file__).resolve().parent / "loops"
N, ROWS, CELLS, STEPS, COLUMNS, LAYERS = 512, 8192, 1 << 18, 1000, 1024, 100


# In PyTorch, a cell's coordinates are [z, y, x]. Each gives the program's first result.
def tridiagonal(axis):
    def solve(s):
        f, r = s["f"].movedim(axis, 0), 0.7
        c, d = [-r / (1 + 2 * r)], [f[0] / (1 + 2 * r)]
        for k in range(1, N):
            below = 1 + 2 * r + r * c[-1]
            d.append((f[k] + r * d[-1]) / below)
            c.append(-r / below)
        u = [d[-1]]
        for k in range(N - 2, -1, -1):
            u.append(d[k] - c[k] * u[-1])
        return torch.stack(u[::-1]).movedim(0, axis)

    return solve


def tridiagonal_jax(axis):
    import jax
    import jax.numpy as jnp

    def solve(s):
        f, r = jnp.moveaxis(s["f"], axis, 0), jnp.float32(0.7)

        def down(state, of_row):
            c, d = state
            below = 1 + 2 * r + r * c
            state = (-r / below, (of_row + r * d) / below)
            return state, state

        def up(u, cd):
            u = cd[1] - cd[0] * u
            return u, u

        first = (-r / (1 + 2 * r), f[0] / (1 + 2 * r))
        last, (c, d) = jax.lax.scan(down, first, f[1:])
        c, d = jnp.concatenate([first[0][None], c]), jnp.concatenate([first[1][None], d])
        _, u = jax.lax.scan(up, d[-1], (c[:-1], d[:-1]), reverse=True)
        return jnp.moveaxis(jnp.concatenate([u, d[-1][None]]), 0, axis)

    return solve


def neurons(s):
    v, w, dt = s["v"], s["w"], torch.tensor(0.05, dtype=torch.float32).to(s["v"].dtype)
    for n in range(STEPS):
        before, drive = v, s["drive"] if 10 < n * 0.05 < 20 else 0
        v = v + dt * (v - v * v * v / 3 - w + drive)
        w = w + dt * 0.08 * (before + 0.7 - 0.8 * w)
    return v


def neurons_jax():
    import jax
    import jax.numpy as jnp

    def run(s):
        def step(state, time):
            v, w = state
            drive = jnp.where((time > 10) & (time < 20), s["drive"], 0)
            v2 = v + 0.05 * (v - v * v * v / 3 - w + drive)
            return (v2, w + 0.05 * 0.08 * (v + 0.7 - 0.8 * w)), v2

        return jax.lax.scan(step, (s["v"], s["w"]), jnp.arange(STEPS) * jnp.float32(0.05))

    return run


def atmosphere(s):
    flux, down = s["top"], []
    for k in range(LAYERS):
        down.append(flux)
        flux = flux * torch.exp(-s["tau"][k])
    flux, heating = 0.3 * flux, []
    for k in range(LAYERS - 1, -1, -1):
        heating.append((down[k] + flux) * (1 - torch.exp(-s["tau"][k])))
        flux = flux * torch.exp(-s["tau"][k])
    return torch.stack(heating[::-1])


def atmosphere_jax():
    import jax
    import jax.numpy as jnp

    def run(s):
        flux, down = jax.lax.scan(lambda f, tau: (f * jnp.exp(-tau), f), s["top"], s["tau"])
        up = lambda f, both: (f * jnp.exp(-both[1]), (both[0] + f) * (1 - jnp.exp(-both[1])))
        return jax.lax.scan(up, 0.3 * flux, (down, s["tau"]), reverse=True)[1]

    return run


def cumulative(axis):
    return lambda s: torch.cumsum(s["a"], axis)


def cumulative_jax(axis):
    import jax.numpy as jnp

    return lambda s: jnp.cumsum(s["a"], axis)


# Loops whose cells look at each other along lines that a block has: whole steps, of as many lines as there are.
LINE_STEPS, LENGTH = 10000, 512


def rods(s):
    t = s["T"]
    for _ in range(LINE_STEPS):
        t = t + 0.25 * (torch.cat([t[..., :1], t[..., :-1]], -1) - 2 * t + torch.cat([t[..., 1:], t[..., -1:]], -1))
    return t


def rods_jax():
    import jax
    import jax.numpy as jnp

    def step(_, t):
        left = jnp.concatenate([t[..., :1], t[..., :-1]], -1)
        return t + 0.25 * (left - 2 * t + jnp.concatenate([t[..., 1:], t[..., -1:]], -1))

    return lambda s: jax.lax.fori_loop(0, LINE_STEPS, step, s["T"])


def gray_scott_step(xp, u, v):
    around = lambda a: sum(xp.roll(a, by, axis) for by in (1, -1) for axis in (0, 1)) - 4 * a
    r = u * v * v
    return u + 0.2 * around(u) - r + 0.04 * (1 - u), v + 0.1 * around(v) + r - (0.04 + 0.06) * v


def gray_scott(s):
    u, v = s["u"], s["v"]
    for _ in range(LINE_STEPS):
        u, v = gray_scott_step(torch, u, v)
    return u


def gray_scott_jax():
    import jax
    import jax.numpy as jnp

    return lambda s: jax.lax.fori_loop(0, LINE_STEPS, lambda _, uv: gray_scott_step(jnp, *uv), (s["u"], s["v"]))


def time_warping(s):
    u, v = s["u"], s["v"]
    far = torch.full((u.shape[0], 1), 1e30, dtype=u.dtype, device=u.device)
    before, last = torch.full_like(u, 1e30), torch.full_like(u, 1e30)
    last[:, 0] = (u[:, 0] - v[:, 0]).abs()
    i = torch.arange(LENGTH, device=u.device)
    for k in range(1, 2 * LENGTH - 1):
        shifted = lambda d: torch.cat([far, d[:, :-1]], 1)
        least = torch.minimum(last, torch.minimum(shifted(last), shifted(before)))
        here = (u - v[:, (k - i).clamp(0, LENGTH - 1)]).abs() + least
        before, last = last, torch.where((k - i >= 0) & (k - i < LENGTH), here, far)
    return last[:, -1]


def time_warping_jax():
    import jax
    import jax.numpy as jnp

    def run(s):
        u, v, i = s["u"], s["v"], jnp.arange(LENGTH)
        far = jnp.full((u.shape[0], 1), 1e30, jnp.float32)
        shifted = lambda d: jnp.concatenate([far, d[:, :-1]], 1)

        def diagonal(k, both):
            before, last = both
            least = jnp.minimum(last, jnp.minimum(shifted(last), shifted(before)))
            here = jnp.abs(u - v[:, jnp.clip(k - i, 0, LENGTH - 1)]) + least
            return last, jnp.where((k - i >= 0) & (k - i < LENGTH), here, jnp.float32(1e30))

        first = jnp.full_like(u, 1e30).at[:, 0].set(jnp.abs(u[:, 0] - v[:, 0]))
        return jax.lax.fori_loop(1, 2 * LENGTH - 1, diagonal, (jnp.full_like(u, 1e30), first))[1][:, -1]

    return run


SQUARE, CUBE = dict(x=ROWS, y=ROWS), dict(x=N, y=N, z=N)
LAYERED = dict(x=COLUMNS, y=COLUMNS, z=LAYERS)
# In double with PyTorch, in JAX, extents, inputs (shape, least, most), words that have to move, how far from double.
CASES = {
    **{
        f"tridiagonal_{a}": (tridiagonal(k), lambda k=k: tridiagonal_jax(k), CUBE, dict(f=((N, N, N), -1, 1)), 4 * N**3, 1e-5)
        for k, a in enumerate("zyx")
    },
    "prefix_columns": (cumulative(0), lambda: cumulative_jax(0), SQUARE, dict(a=((ROWS, ROWS), 0, 1)), 2 * ROWS**2, 1e-4),
    "prefix_rows": (cumulative(1), lambda: cumulative_jax(1), SQUARE, dict(a=((ROWS, ROWS), 0, 1)), 2 * ROWS**2, 1e-4),
    "neurons": (
        neurons,
        neurons_jax,
        dict(cell=CELLS),
        {n: ((CELLS,), -0.5, 0.5) for n in ("v", "w", "drive")},
        CELLS * (STEPS + 5),
        1e-3,
    ),
    "atmosphere": (
        atmosphere,
        atmosphere_jax,
        LAYERED,
        dict(tau=((LAYERS, COLUMNS, COLUMNS), 0, 0.1), top=((COLUMNS, COLUMNS), 1, 2)),
        5 * LAYERS * COLUMNS**2,
        1e-5,
    ),
    "rods": (rods, rods_jax, dict(x=256, rod=4096), dict(T=((4096, 256), 0, 1)), 2 * 4096 * 256, 1e-3),
    "rod": (rods, rods_jax, dict(x=1024), dict(T=((1024,), 0, 1)), 2 * 1024, 1e-3),
    "gray_scott": (
        gray_scott,
        gray_scott_jax,
        dict(x=64, y=64),
        dict(u=((64, 64), 0.4, 0.6), v=((64, 64), 0.2, 0.3)),
        4 * 64**2,
        0.05,
    ),
    "time_warping": (
        time_warping,
        time_warping_jax,
        dict(i=LENGTH, b=4096, j=LENGTH),
        {n: ((4096, LENGTH), -1, 1) for n in "uv"},
        2 * 4096 * LENGTH,
        1e-4,
    ),
}


def drawn(name):
    return {n: uniform(shape, low, high, k + 1) for k, (n, (shape, low, high)) in enumerate(CASES[name][3].items())}


def called(program, name, state):
    scalars = {**{f"n{a}": n for a, n in CASES[name][2].items()}, "nt": STEPS, "steps": STEPS, "dt": 0.05, "r": 0.7, "albedo": 0.3}
    scalars.update({"a": 0.25, "F": 0.04, "k": 0.06, "n": LENGTH})
    scalars.update({member: 0 for _, member, _ in program.members if member.endswith("_rows")})  # series lie in memory as wholes
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
    results = [array for kind, array, _ in programs["inside"].members if kind == "out"]
    for array in results:
        if not torch.equal(found["inside"][array], found["launches"][array]):
            raise SystemExit(f"{name}: {array} is another with a launch an iteration")
    wanted = CASES[name][0]({k: a.double() for k, a in state.items()})
    off = float((found["inside"][results[0]].reshape(wanted.shape).double() - wanted).abs().max() / wanted.abs().max())
    if not off < CASES[name][5]:
        raise SystemExit(f"{name}: {off}")
    return off


def torch_ms(name):
    if not name.startswith("prefix"):
        return (math.nan,) * 3  # a kernel an operation and iteration: no peer
    state = drawn(name)
    return [t * 1e3 for t in time_events(lambda: CASES[name][0](state), repeats=15, inner=3)]


def jax_of(name):
    return jax_ms(CASES[name][1](), drawn(name))


def main():
    options = options_of(__doc__, CASES)
    rate = copy_rate()["copy GB/s"]
    table = Table(
        options.out,
        "loops",
        rate,
        ["program", "ms (10 to 90 %): kasc", "a launch an iteration", "PyTorch", "JAX", "of the copy rate", "off"],
    )
    for name in options.programs:
        settings = [w for a, n in CASES[name][2].items() for w in ("--set", f"{a}={n}")]
        ways = {"inside": [], "launches": ["--no-rewrite=inside"]}
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
        for peer, of_peer in (("PyTorch", torch_ms), ("JAX", jax_of)):
            times[peer] = of_peer(name)
            give_back()
        gb_s = 4 * CASES[name][4] / times["inside"][0] / 1e6
        table.add(name, times, [f"{gb_s / rate:.0%}", f"{off:.1e}"], {"off": off})
    table.write()


if __name__ == "__main__":
    main()
