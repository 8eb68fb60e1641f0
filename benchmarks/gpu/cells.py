"""Times programs over cells that have a shape on this machine's GPU beside PyTorch, compiled, and JAX.

    python3 cells.py --kasc ../../bundle/bin/kasc --out results [--programs lattice elastic_waves anisotropy stream_parameters stream_scalars]

First plans. Each result is compared with PyTorch's in double precision before anything is timed. Rates count every input word that a step
needs read once and every result written once; the copy rate is that of the device within this run. Peers have the words as arrays
[word, z, y, x]; each advances its state as its own compiler likes best.

stream_parameters and stream_scalars are one formula over a stream, with two numbers of the run or two numbers an element: what the first
moves, 15 words an element, is all but these."""
import math
import os
import time
from pathlib import Path

os.environ["XLA_PYTHON_CLIENT_PREALLOCATE"] = "false"  # JAX leaves memory to the others
import torch

from emitted import Emitted, compile_program, give_back, median_and_spread
from measure import copy_rate
from table import Table, options_of, peer_ms

HERE = Path(__file__).resolve().parent
EXAMPLES = HERE.parents[1] / "examples"
C = [
    (0, 0, 0),
    (-1, 0, 0),
    (0, -1, 0),
    (0, 0, -1),
    (0, 0, 1),
    (0, 1, 0),
    (1, 0, 0),
    (-1, -1, 0),
    (-1, 0, -1),
    (-1, 0, 1),
    (-1, 1, 0),
    (0, -1, -1),
    (0, -1, 1),
    (0, 1, -1),
    (0, 1, 1),
    (1, -1, 0),
    (1, 0, -1),
    (1, 0, 1),
    (1, 1, 0),
]
W = [1 / 3] + 6 * [1 / 18] + 12 * [1 / 36]


def lattice(xp, s, n):
    """A step of nineteen populations: they stream along C and relax. s: f [19, z, y, x]."""
    roll = (lambda a, k: torch.roll(a, k, (0, 1, 2))) if xp is torch else (lambda a, k: xp.roll(a, k, (0, 1, 2)))
    f = s["f"]
    g = [roll(f[k], (c[2], c[1], c[0])) for k, c in enumerate(C)]
    rho = sum(g[1:], g[0])
    u = [sum(c[a] * g[k] for k, c in enumerate(C) if c[a]) / rho for a in range(3)]
    square = 1.5 * (u[0] * u[0] + u[1] * u[1] + u[2] * u[2])
    new = []
    for k, c in enumerate(C):
        cu = sum((c[a] * u[a] for a in range(3) if c[a]), 0 * u[0])
        new.append(g[k] + 1.2 * (W[k] * rho * (1 + 3 * cu + 4.5 * cu * cu - square) - g[k]))
    return {"f": xp.stack(new)}


def shifted(xp, a, axis, by):
    """Of a [z, y, x]: the neighbour along the axis (0: x), zero beyond the grid."""
    dim = 2 - axis
    zero = xp.zeros_like(a.narrow(dim, 0, 1) if xp is torch else a.take(xp.array([0]), dim))
    n = a.shape[dim]
    part = (
        (lambda b, m: a.narrow(dim, b, m))
        if xp is torch
        else (lambda b, m: a[tuple(slice(b, b + m) if d == dim else slice(None) for d in range(3))])
    )
    pieces = [part(1, n - 1), zero] if by > 0 else [zero, part(0, n - 1)]
    return xp.cat(pieces, dim) if xp is torch else xp.concatenate(pieces, dim)


def elastic_waves(xp, s, n):
    """Virieux's step: v [3, …], s [6, …] as xx, yy, zz, yz, xz, xy."""
    v, t, lam, mu, density, dt, h = list(s["v"]), list(s["s"]), s["lambda"], s["mu"], s["density"], 1e-3, 10.0
    ahead = lambda a, axis: (shifted(xp, a, axis, 1) - a) / h
    behind = lambda a, axis: (a - shifted(xp, a, axis, -1)) / h
    r = dt / density
    v = [
        v[0] + r * (ahead(t[0], 0) + behind(t[5], 1) + behind(t[4], 2)),
        v[1] + r * (behind(t[5], 0) + ahead(t[1], 1) + behind(t[3], 2)),
        v[2] + r * (behind(t[4], 0) + behind(t[3], 1) + ahead(t[2], 2)),
    ]
    e = [behind(v[0], 0), behind(v[1], 1), behind(v[2], 2)]
    p = lam * (e[0] + e[1] + e[2])
    shear = [(ahead(v[1], 2) + ahead(v[2], 1)) / 2, (ahead(v[0], 2) + ahead(v[2], 0)) / 2, (ahead(v[0], 1) + ahead(v[1], 0)) / 2]
    t = [t[k] + dt * (2 * mu * e[k] + p) for k in range(3)] + [t[3 + k] + dt * (2 * mu * shear[k]) for k in range(3)]
    return {**s, "v": xp.stack(v), "s": xp.stack(t)}


def anisotropy(xp, s, n):
    """Smoothed tensors [6, …], their eigenvalues by the trigonometric form, fractional anisotropy."""
    m = []
    for a in s["D"]:
        sum_of = 0 * a
        for dim in range(3):
            edge = lambda b: (a.narrow(dim, b, 1) if xp is torch else xp.take(a, xp.array([b]), dim))
            k = a.shape[dim]
            part = (
                (lambda b, c: a.narrow(dim, b, c))
                if xp is torch
                else (lambda b, c: a[tuple(slice(b, b + c) if d == dim else slice(None) for d in range(3))])
            )
            join = xp.cat if xp is torch else xp.concatenate
            sum_of = sum_of + join([part(1, k - 1), edge(k - 1)], dim) + join([edge(0), part(0, k - 1)], dim) - 2 * a
        m.append(a + 0.1 * sum_of)
    xx, xy, xz, yy, yz, zz = m
    q = (xx + yy + zz) / 3
    p = xp.sqrt(((xx - q) ** 2 + (yy - q) ** 2 + (zz - q) ** 2 + 2 * (xy * xy + xz * xz + yz * yz)) / 6)
    a, b, c, d, e, f = (xx - q) / p, (yy - q) / p, (zz - q) / p, xy / p, xz / p, yz / p
    half = (a * (b * c - f * f) - d * (d * c - f * e) + e * (d * f - b * e)) / 2
    angle = xp.arccos(xp.clip(half, -1, 1)) / 3
    one = q + 2 * p * xp.cos(angle)
    three = q + 2 * p * xp.cos(angle + 2 * math.pi / 3)
    two = 3 * q - one - three
    squares = one * one + two * two + three * three
    fa = xp.sqrt(((one - two) ** 2 + (two - three) ** 2 + (three - one) ** 2) / (2 * squares))
    return {**s, "eigenvalues": xp.stack([one, two, three]), "anisotropy": fa}


def turned(xp, s, n):
    """v = a*A u + b*u of each element: A [9, e], u [3, e], a and b numbers or [e]."""
    a, u = s["A"], s["u"]
    product = [a[3 * k] * u[0] + a[3 * k + 1] * u[1] + a[3 * k + 2] * u[2] for k in range(3)]
    return {**s, "v": xp.stack([s.get("a", 1.5) * product[k] + s.get("b", 0.25) * u[k] for k in range(3)])}


def uniform(shape, low, high, seed):
    g = torch.Generator(device="cuda").manual_seed(seed)
    return low + (high - low) * torch.rand(*shape, device="cuda", generator=g)


def lattice_case(n):
    w = torch.tensor(W, device="cuda").view(19, 1, 1, 1)
    return {"f": w * uniform((19, n, n, n), 0.9, 1.1, 1)}


def stream_case(n):
    return {"A": uniform((9, n), -1, 1, 1), "u": uniform((3, n), -1, 1, 2)}


def scalars_case(n):
    return {**stream_case(n), "a": uniform((n,), 1, 2, 3), "b": uniform((n,), 0, 1, 4)}


def elastic_case(n):
    return {
        "v": uniform((3, n, n, n), -1, 1, 1),
        "s": uniform((6, n, n, n), -1e6, 1e6, 2),
        "lambda": uniform((n, n, n), 1e10, 2e10, 3),
        "mu": uniform((n, n, n), 1e10, 2e10, 4),
        "density": uniform((n, n, n), 2000, 3000, 5),
    }


# Words that a step moves a cell; the program's fields of cells, what it returns, and its numbers.
CASES = {
    "lattice": dict(
        n=256,
        step=lattice,
        make=lattice_case,
        words=38,
        loop=True,
        cells={"f": [str(k) for k in range(19)]},
        out=["f"],
        numbers=dict(omega=1.2),
    ),
    "elastic_waves": dict(
        n=384,
        step=elastic_waves,
        make=elastic_case,
        words=21,
        loop=True,
        cells={"v": "xyz", "s": "012345"},
        out=["v", "s"],
        numbers=dict(dt=1e-3, h=10.0, sx=3, sy=3, sz=3, px=4, py=4, pz=4),
    ),
    "anisotropy": dict(
        n=256,
        step=anisotropy,
        make=lambda n: {"D": uniform((6, n, n, n), -1, 1, 1)},
        words=10,
        loop=False,
        cells={"D": "012345", "eigenvalues": "xyz"},
        out=["eigenvalues", "anisotropy"],
        numbers=dict(width=0.1),
    ),
}
ROWS = [a + b for a in "xyz" for b in "xyz"]
STREAM = dict(
    n=1 << 25,
    step=turned,
    loop=False,
    axes=["elements"],
    folder=HERE / "programs",
    cells={"A": ROWS, "u": "xyz", "v": "xyz"},
    out=["v"],
)
CASES["stream_parameters"] = dict(STREAM, make=stream_case, words=15, numbers=dict(a=1.5, b=0.25))
CASES["stream_scalars"] = dict(STREAM, make=scalars_case, words=17, numbers={})


def axes_of(case):
    return case.get("axes", ["x", "y", "z"])


def arrays_of(case, state, steps):
    """By the names of the header: inputs, and room for results."""
    arrays = {}
    for name, value in state.items():
        for k, word in enumerate(case["cells"].get(name, [""])):
            arrays[f"{name}_{word}" if word else name] = value[k] if word else value
    some = next(iter(state.values()))
    for name in case["out"]:
        for word in case["cells"].get(name, [""]):
            whole = f"{name}_{word}" if word else name
            arrays[whole + "_out" if whole in arrays else whole] = torch.empty(some.shape[1:], device="cuda")
    arrays["source"], arrays["seen"] = torch.zeros(steps, device="cuda"), torch.empty(steps, device="cuda")
    return arrays


def ours(program, case, state, n, steps):
    """A call of so many steps, and where its results stand."""
    arrays = arrays_of(case, state, steps)
    scalars = dict(case["numbers"], nt=steps, steps=steps, **{f"n{axis}": n for axis in axes_of(case)})
    arguments = program.arguments(scalars, arrays)
    result = {}
    for name in case["out"]:
        words = [f"{name}_{w}" if w else name for w in case["cells"].get(name, [""])]
        found = [arrays[w + "_out"] if w + "_out" in arrays else arrays[w] for w in words]
        result[name] = (arguments, found)
    return arguments, {name: found for name, (_, found) in result.items()}, arrays


def check(program, case, steps=3, n=64):
    state = case["make"](n)
    arguments, found, _arrays = ours(program, case, state, n, steps)
    program.kernel_seconds(arguments)
    wanted = {name: a.double() for name, a in state.items()}
    for _ in range(steps if case["loop"] else 1):
        wanted = case["step"](torch, wanted, n)
    worst = 0
    for name, words in found.items():
        w = wanted[name] if len(words) > 1 else wanted[name][None]
        worst = max(worst, float((torch.stack(words).double() - w).abs().max() / w.abs().max()))
    if not worst < 2e-5:
        raise SystemExit(f"{program.name}: {worst}")
    return worst


def ours_ms(program, case, n, samples=15):
    """Milliseconds a step: of programs with a loop, the difference of 60 and 10 steps."""
    state = case["make"](n)
    if not case["loop"]:
        arguments, _found, _arrays = ours(program, case, state, n, 1)
        for _ in range(10):
            program.kernel_seconds(arguments)
        return median_and_spread([program.kernel_seconds(arguments) * 1e3 for _ in range(samples)])
    long, _f, _a = ours(program, case, state, n, 60)
    short, _f, _b = ours(program, case, state, n, 10)
    seconds = lambda a: program.kernel_seconds(a)
    seconds(long), seconds(short)
    return median_and_spread([(seconds(long) - seconds(short)) / 50 * 1e3 for _ in range(samples)])


def torch_ms(case, n, samples=15, inner=20):
    state = case["make"](n)
    function = torch.compile(lambda s: case["step"](torch, s, n))
    begin, end = torch.cuda.Event(enable_timing=True), torch.cuda.Event(enable_timing=True)
    for _ in range(5):
        state = function(state)
    taken = []
    for _ in range(samples):
        begin.record()
        for _ in range(inner):
            state = function(state)
        end.record()
        torch.cuda.synchronize()
        taken.append(begin.elapsed_time(end) / inner)
    return median_and_spread(taken)


def jax_ms(case, n, samples=15, inner=20):
    import jax
    import jax.numpy as jnp

    state = {name: jnp.asarray(a.cpu().numpy()) for name, a in case["make"](n).items()}
    function = jax.jit(lambda s: case["step"](jnp, s, n), donate_argnums=0)
    for _ in range(5):
        state = function(state)
    jax.block_until_ready(state)
    taken = []
    for _ in range(samples):
        begin = time.perf_counter()
        for _ in range(inner):
            state = function(state)
        jax.block_until_ready(state)
        taken.append((time.perf_counter() - begin) / inner * 1e3)
    return median_and_spread(taken)


def main():
    options = options_of(__doc__, CASES)
    rate = copy_rate(words=1 << 29)["copy GB/s"]
    table = Table(
        options.out,
        "cells",
        rate,
        ["program", "ms a step: kasc", "torch.compile", "JAX", "GB/s of kasc", "of the copy rate", "error"],
    )
    for name in options.programs:
        case = CASES[name]
        n = case["n"]
        sets = [w for axis in axes_of(case) for w in ("--set", f"{axis}={n}")]
        source = case.get("folder", EXAMPLES) / f"{name}.kas"
        program = Emitted(compile_program(options.kasc, source, options.out / name, *sets))
        error = check(program, case)
        times = {"kasc": ours_ms(program, case, n)}
        program.release()
        give_back()
        for peer, of_peer in (("torch.compile", torch_ms), ("JAX", jax_ms)):
            times[peer] = peer_ms(name, peer, lambda: of_peer(case, n))
        gb_s = 4 * case["words"] * n ** len(axes_of(case)) / times["kasc"][0] / 1e6
        table.add(
            name,
            times,
            [f"{gb_s:.0f}", f"{100 * gb_s / rate:.0f} %", f"{error:.1e}"],
            {"n": n, "GB/s": gb_s, "error": error},
            f"{name} {n}" + ("³" if len(axes_of(case)) == 3 else ""),
        )
    table.write()


if __name__ == "__main__":
    main()
