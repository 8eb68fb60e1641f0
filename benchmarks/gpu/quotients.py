"""Times programs of many quotients by what is the same for all cells (quotients/: derivatives over a width of the grid) beside torch.compile.

    python3 quotients.py --kasc ../../bundle/bin/kasc --out results

First plans, all steps. Every result is compared with PyTorch in double precision before anything is timed."""
from pathlib import Path

import torch
from torch.nn.functional import pad

from cells import uniform
from emitted import Emitted, compile_program, give_back
from measure import copy_rate, time_events
from table import Table, kernel_ms, options_of, peer_ms

HERE = Path(__file__).resolve().parent
SCALARS = dict(h=0.01, dx=0.01, k=0.001, nu=0.001, dt=1e-5, mu=1.2, eps=1000.0)
X, Y, Z = -1, -2, -3


def at(a, n, axis):
    """What periodic neighbours see."""
    return torch.roll(a, -n, axis)


def central(a, axis, h):
    return (at(a, 1, axis) - at(a, -1, axis)) / (2 * h)


def laplace(a, h):
    return sum((at(a, 1, axis) - 2 * a + at(a, -1, axis)) / (h * h) for axis in (X, Y, Z))


def advdiff(c, u, v, w, h, k, dt):
    moved = u * central(c, X, h) + v * central(c, Y, h) + w * central(c, Z, h)
    return {"d": c - dt * moved + dt * k * laplace(c, h)}


def burgers3(u, v, w, h, nu, dt):
    upwind = lambda a, b, axis: torch.where(b > 0, (a - at(a, -1, axis)) / h, (at(a, 1, axis) - a) / h) * b
    step = lambda a: a - dt * (upwind(a, u, X) + upwind(a, v, Y) + upwind(a, w, Z)) + dt * nu * laplace(a, h)
    return {"un": step(u), "vn": step(v), "wn": step(w)}


def vorticity(q, p, dx, nu, dt):
    s = lambda a, i, j: torch.roll(a, (-j, -i), (Y, X))
    j1 = (s(p, 1, 0) - s(p, -1, 0)) * (s(q, 0, 1) - s(q, 0, -1)) - (s(p, 0, 1) - s(p, 0, -1)) * (s(q, 1, 0) - s(q, -1, 0))
    j2 = s(p, 1, 0) * (s(q, 1, 1) - s(q, 1, -1)) - s(p, -1, 0) * (s(q, -1, 1) - s(q, -1, -1))
    j2 = j2 - s(p, 0, 1) * (s(q, 1, 1) - s(q, -1, 1)) + s(p, 0, -1) * (s(q, 1, -1) - s(q, -1, -1))
    j3 = s(q, 0, 1) * (s(p, 1, 1) - s(p, -1, 1)) - s(q, 0, -1) * (s(p, 1, -1) - s(p, -1, -1))
    j3 = j3 - s(q, 1, 0) * (s(p, 1, 1) - s(p, 1, -1)) + s(q, -1, 0) * (s(p, -1, 1) - s(p, -1, -1))
    around = s(q, 1, 0) + s(q, -1, 0) + s(q, 0, 1) + s(q, 0, -1) - 4 * q
    return {"r": q + dt * ((j1 + j2 + j3) / (12 * dx * dx) + nu * around / (dx * dx))}


def maxwell2(e, hx, hy, eps, dx, dt, mu):
    hx = hx - dt / mu * (pad(e, (0, 0, 0, 1))[1:] - e) / dx
    hy = hy + dt / mu * (pad(e, (0, 1))[:, 1:] - e) / dx
    curl = (hy - pad(hy, (1, 0))[:, :-1]) / dx - (hx - pad(hx, (0, 0, 1, 0))[:-1]) / dx
    return {"e": e + dt / eps * curl, "hx": hx, "hy": hy}


def mirrored(a, n, axis):
    """A neighbour beyond the first or last cell is that cell."""
    edge, rest = (a.shape[axis] - 1, 1) if n > 0 else (0, 0)
    inside, rim = a.narrow(axis, rest, a.shape[axis] - 1), a.narrow(axis, edge, 1)
    return torch.cat([inside, rim] if n > 0 else [rim, inside], axis)


def curvature(u, h, dt, eps):
    m = mirrored
    ux, uy = (m(u, 1, X) - m(u, -1, X)) / (2 * h), (m(u, 1, Y) - m(u, -1, Y)) / (2 * h)
    uxx, uyy = ((m(u, 1, axis) - 2 * u + m(u, -1, axis)) / (h * h) for axis in (X, Y))
    beside = lambda n: m(m(u, 1, X), n, Y) - m(m(u, -1, X), n, Y)
    uxy = (beside(1) - beside(-1)) / (4 * h * h)
    return {"u": u + dt * (uxx * uy * uy - 2 * ux * uy * uxy + uyy * ux * ux) / (ux * ux + uy * uy + eps)}


def heat_double(u, h, dt):
    return {"u": u + dt * sum((mirrored(u, 1, a) - 2 * u + mirrored(u, -1, a)) / (h * h) for a in (X, Y, Z))}


# What a step computes, extents, inputs, parameters, steps, words that have to move in a step.
CASES = {
    "advdiff": (advdiff, (512, 512, 512), "cuvw", ("h", "k", "dt"), 1, 5),
    "burgers3": (burgers3, (384, 384, 384), "uvw", ("h", "nu", "dt"), 1, 6),
    "vorticity": (vorticity, (8192, 8192), "qp", ("dx", "nu", "dt"), 1, 3),
    "maxwell2": (maxwell2, (8192, 8192), ("e", "hx", "hy", "eps"), ("dx", "dt", "mu"), 20, 7),
    "curvature": (curvature, (8192, 8192), "u", ("h", "dt", "eps"), 20, 2),
    "heat_double": (heat_double, (512, 512, 512), "u", ("h", "dt"), 12, 2),
}


def drawn(name):
    word = torch.float64 if name == "heat_double" else torch.float32
    return {n: uniform(CASES[name][1], 0.5, 1.5, k + 1).to(word) for k, n in enumerate(CASES[name][2])}


def extents(name):
    return dict(zip("xyz", reversed(CASES[name][1])))


def scalars(name):
    return {n: SCALARS[n] for n in CASES[name][3]}


def stepped(name, step, state):
    """All steps; what a step makes is what the next one sees."""
    own = scalars(name)
    for _ in range(CASES[name][4]):
        made = step(**state, **own)
        state = {n: made.get(n, a) for n, a in state.items()}
    return made


def check(name, arrays, state):
    wanted = stepped(name, CASES[name][0], {n: a.double() for n, a in state.items()})
    for result, right in wanted.items():
        made = arrays[result if result in arrays else f"{result}_out"]
        off = float((made.double() - right).abs().max() / right.abs().max())
        if not off <= 1e-4:
            raise SystemExit(f"{name}: {result} is off by {off}")


def main():
    options = options_of(__doc__, CASES)
    rate = copy_rate()["copy GB/s"]
    columns = ["program", "kasc", "torch.compile", "moved a step at the copy rate", "kasc / moved in all steps"]
    table = Table(options.out, "quotients", rate, columns, ". ms for all steps (10 to 90 %).")
    for name in options.programs:
        step, shape, _, _, steps, words = CASES[name]
        settings = [w for axis, n in extents(name).items() for w in ("--set", f"{axis}={n}")]
        folder = compile_program(options.kasc, HERE / "quotients" / f"{name}.kas", options.out / name, *settings)
        program, state = Emitted(folder), drawn(name)
        results = {n: torch.empty(shape, dtype=program.cells[n], device="cuda") for k, n, _ in program.members if k == "out"}
        given = {**{f"n{axis}": n for axis, n in extents(name).items()}, **scalars(name)}
        arrays = {**state, **results}
        arguments = program.arguments(given, arrays)
        program.kernel_seconds(arguments)
        check(name, results, state)
        times = kernel_ms({"kasc": (program, arguments, arrays)})
        program.release()
        del results, arrays
        give_back()
        compiled = torch.compile(step, dynamic=False)
        times["torch.compile"] = peer_ms(
            name,
            "torch.compile",
            lambda: [t * 1e3 for t in time_events(lambda: stepped(name, compiled, state), repeats=15, inner=1)],
        )
        cells = next(iter(state.values())).numel()
        moved = words * cells * next(iter(state.values())).element_size() / rate / 1e6
        table.add(name, times, [f"{moved:.3f}", f"{times['kasc'][0] / moved / steps:.2f}"], {"moved ms": moved})
    table.write()


if __name__ == "__main__":
    main()
