"""Times sums along any axis, and sums of what stencils compute (sums/), on this machine's GPU beside torch.compile and JAX; with --before beside
another kasc.

    python3 sums.py --kasc ../../bundle/bin/kasc --out results [--before OTHER_KASC]

First plans, random data. The two kascs are compared to the bit, and results with PyTorch in double precision, before anything is timed.
Programs with a loop are timed whole, twenty steps."""
import argparse
import math
import os
from pathlib import Path

os.environ["XLA_PYTHON_CLIENT_PREALLOCATE"] = "false"  # JAX leaves memory to the others
import torch

from cells import uniform
from emitted import Emitted, compile_program, give_back
from jax_ms import jax_ms
from measure import copy_rate, time_events
from table import Table, kernel_ms, peer_ms

PROGRAMS = Path(__file__).resolve().parent / "sums"
STEPS = 20


# One text for PyTorch and JAX: xp is torch or jax.numpy; axes stand as in files, the last one varies fastest.
def film(xp, s):
    a, tone = s["film"], s["tone"][:, None, None]
    m = a.mean(0)
    spread = xp.sqrt((a * a).mean(0) - m * m)
    mt = s["tone"].mean()
    st = xp.sqrt((s["tone"] * s["tone"]).mean() - mt * mt)
    return {"m": m, "s": spread, "c": ((a * tone).mean(0) - m * mt) / (spread * st + 1e-3)}


def softmax(xp, s):
    largest = s["a"].amax(0) if xp is torch else s["a"].max(0)
    e = xp.exp(s["a"] - largest)
    return {"e": e / e.sum(0)}


def centred(xp, s):
    return {"a_out": s["a"] - s["a"].mean(0)}


def middle(xp, s):
    return {"s": s["a"].sum(1)}


def first(xp, s):
    return {"s": s["a"].sum(2)}


def forms(xp, s):
    w = (s["A"] * s["v"][:, None, :]).sum(2)
    return {"w": w, "q": (w * s["v"]).sum(1)}


def beside(xp, a, axis, by, edge):
    """The neighbour; beyond the edge zero or the edge's cell."""
    n = a.shape[axis]
    cut = lambda low, high: tuple(slice(low, high) if k == axis else slice(None) for k in range(a.ndim))
    end = a[cut(n - 1, n)] if by > 0 else a[cut(0, 1)]
    end = end if edge == "mirror" else 0 * end
    parts = [a[cut(1, n)], end] if by > 0 else [end, a[cut(0, n - 1)]]
    return xp.cat(parts, axis) if xp is torch else xp.concatenate(parts, axis)


def residual(xp, s):
    u, k = s["u"], s["k"]
    flow, around = 0 * u, 0 * k
    for axis in range(3):
        for by in (1, -1):
            ku = beside(xp, k, axis, by, "mirror")
            flow = flow + (k + ku) * (u - beside(xp, u, axis, by, "zero"))
            around = around + ku
    r = s["f"] - flow / 2
    return {"next": u + 0.6 * r / (3 * k + 0.5 * around), "two": xp.sqrt((r * r).sum()), "most": abs(r).max()}


def wave(xp, s):
    p, q, peaks = s["p"], s["q"], []
    for _ in range(STEPS):
        near = sum(xp.roll(p, by, axis) for axis in (0, 1) for by in (1, -1)) - 4 * p
        p, q = 2 * p - q + 0.1 * s["c"] * near, p
        peaks.append(abs(p).max())
    return {"p_out": p, "peak": xp.stack(peaks)}


def heat(xp, s):
    T, energies = s["T"], []
    for _ in range(STEPS):
        change = -7.5 * T
        for axis in range(3):
            for by in (1, -1):
                near = beside(xp, T, axis, by, "mirror")
                # Two cells beyond the edge is the second cell within: the mirror stands at the outer face of the first.
                n, cut = T.shape[axis], lambda low, high: tuple(slice(low, high) if k == axis else slice(None) for k in range(3))
                ends = (
                    [T[cut(2, n)], T[cut(n - 1, n)], T[cut(n - 2, n - 1)]]
                    if by > 0
                    else [T[cut(1, 2)], T[cut(0, 1)], T[cut(0, n - 2)]]
                )
                far = xp.cat(ends, axis) if xp is torch else xp.concatenate(ends, axis)
                change = change + (4 * near / 3 - far / 12)
        T = T + 0.05 * s["k"] * change
        energies.append((T * T).sum())
    return {"T_out": T, "e": xp.stack(energies)}


def padded(xp, a, *beyond):
    """Along the last axes, so many cells before and behind, like the nearest one."""
    if xp is torch:
        flat = [n for pair in reversed(beyond) for n in pair]
        return (
            torch.nn.functional.pad(a[None, None], flat, mode="replicate")[0, 0]
            if a.ndim == 2
            else torch.nn.functional.pad(a[None], flat, mode="replicate")[0]
        )
    return xp.pad(a, [(0, 0)] * (a.ndim - len(beyond)) + list(beyond), mode="edge")


def around(xp, a, of=lambda cells, j, i: cells):
    """The sum of 7 x 7 cells."""
    (rows, row), wide = a.shape, padded(xp, a, (3, 3), (3, 3))
    return sum(of(wide[j : j + rows, i : i + row], j, i) for j in range(7) for i in range(7))


def window(xp, s):
    return {"b": around(xp, s["u"], lambda cells, j, i: s["w"][j, i] * cells)}


def row(xp, s):
    n, wide = s["a"].shape[1], padded(xp, s["a"], (0, 0), (15, 15))
    return {"b": sum(wide[:, i : i + n] for i in range(31)) / 31}


def fir(xp, s):
    n, wide = s["a"].shape[1], padded(xp, s["a"], (0, 0), (63, 0))
    return {"o": sum(s["w"][k] * wide[:, 63 - k : 63 - k + n] for k in range(64))}


def channels(xp, s):
    (_, rows, n), wide = s["a"].shape, padded(xp, s["a"], (1, 1), (1, 1))
    weight = lambda j, i: s["w"][:, j, i][:, None, None]
    return {"b": sum(weight(j, i) * wide[:, j : j + rows, i : i + n] for j in range(3) for i in range(3))}


def guided(xp, s):
    mean = lambda a: around(xp, a) / 49
    mI, mp = mean(s["I"]), mean(s["p"])
    a = (mean(s["I"] * s["p"]) - mI * mp) / (mean(s["I"] * s["I"]) - mI * mI + 0.01)
    return {"q": mean(a) * s["I"] + mean(mp - a * mI)}


def pyramid(xp, s):
    smooth = lambda a, axis: (beside(xp, a, axis, -1, "mirror") + 2 * a + beside(xp, a, axis, 1, "mirror")) / 4
    return {"d": smooth(smooth(s["a"], 1), 0)[::2, ::2]}


def matrices(xp, s):
    return {"c": xp.matmul(s["a"], s["w"])}


def case(program, function, moved, **dims):
    """`moved`: words of a cell, those of the program's least traffic."""
    return program, function, dims, 4 * moved * math.prod(dims.values())


CASES = {
    "film 1024 x 1024 x 128": case("film", film, 1, x=1024, y=1024, t=128),
    "film 300 x 200 x 2000": case("film", film, 1, x=300, y=200, t=2000),
    "softmax 2097152 x 64": case("softmax", softmax, 2, x=1 << 21, y=64),
    "softmax 16777216 x 8": case("softmax", softmax, 2, x=1 << 24, y=8),
    "softmax 1048576 x 300": case("softmax", softmax, 2, x=1 << 20, y=300),
    "softmax 131072 x 1024": case("softmax", softmax, 2, x=1 << 17, y=1024),
    "centred 4194304 x 32": case("centred", centred, 2, x=1 << 22, y=32),
    "centred 1048576 x 300": case("centred", centred, 2, x=1 << 20, y=300),
    "middle 16 x 16 x 1048576": case("middle", middle, 1, x=16, y=16, z=1 << 20),
    "middle 1048576 x 16 x 16": case("middle", middle, 1, x=1 << 20, y=16, z=16),
    "middle 512 x 512 x 512": case("middle", middle, 1, x=512, y=512, z=512),
    "middle 100 x 1000 x 2000": case("middle", middle, 1, x=100, y=1000, z=2000),
    "first 16 x 16 x 1048576": case("first", first, 1, x=16, y=16, z=1 << 20),
    "forms 16 x 16 x 1048576": case("forms", forms, 1, j=16, i=16, b=1 << 20),
    "residual 512 x 512 x 512": case("residual", residual, 4, x=512, y=512, z=512),
    "residual 509 x 512 x 512": case("residual", residual, 4, x=509, y=512, z=512),
    "window 8192 x 8192": case("window", window, 2 / 49, x=8192, y=8192, i=7, j=7),
    "row 8192 x 8192": case("row", row, 2 / 31, x=8192, y=8192, i=31),
    "fir 1048576 x 64": case("fir", fir, 2 / 64, t=1 << 20, c=64, k=64),
    "channels 512 x 512 x 256": case("channels", channels, 2 / 9, x=512, y=512, c=256, i=3, j=3),
    "guided 4096 x 4096": case("guided", guided, 3 / 49, x=4096, y=4096, i=7, j=7),
    "pyramid 8192 x 8192": case("pyramid", pyramid, 5 / 4 / 4096**2, x=8192, y=8192, u=4096, v=4096),
    **{f"matrices {n} x {n}": case("matrices", matrices, 3 / n, k=n, i=n, j=n, b=(1 << 26) // n**2) for n in (4, 8, 16, 32)},
    "wave 8192 x 8192": case("wave", wave, 5 * STEPS, x=8192, y=8192),
    "heat 512 x 512 x 512": case("heat", heat, 3 * STEPS, x=512, y=512, z=512),
}


def drawn(program, dims):
    scalars = scalars_of(dims)
    state = {}
    for k, (kind, name, _) in enumerate(program.members):
        if kind == "in":
            state[name] = uniform(program.shape(name, scalars), -1, 1, k + 1)
    return {n: a.abs() / 2 + 0.5 if n in ("k", "c") else a for n, a in state.items()}


def scalars_of(dims):
    lengths = {w: n for a, n in dims.items() for w in (a, f"n{a}")}
    return {"steps": STEPS, "t": STEPS, "nt": STEPS, **lengths}


def called(program, dims, state):
    scalars, arrays = scalars_of(dims), dict(state)
    for kind, name, _ in program.members:
        if kind == "out":
            arrays[name] = torch.full(program.shape(name, scalars), math.nan, dtype=program.cells[name], device="cuda")
    return program.arguments(scalars, arrays), arrays


def computed(program, dims, state):
    arguments, arrays = called(program, dims, state)
    program.kernel_seconds(arguments)
    return {n: arrays[n].clone() for kind, n, _ in program.members if kind == "out"}


def off_by(found, function, state):
    """The largest difference from PyTorch in double precision, relative to the largest value."""
    wanted, worst = function(torch, {k: a.double() for k, a in state.items()}), 0.0
    for name, values in wanted.items():
        of = found[name if name in found else name.removesuffix("_out")]
        worst = max(worst, float((of.reshape(values.shape).double() - values).abs().max() / values.abs().max()))
    return worst


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--kasc", required=True)
    parser.add_argument("--before")
    parser.add_argument("--other-bits", action="store_true", help="the other kasc may round otherwise")
    parser.add_argument("--out", required=True, type=Path)
    parser.add_argument("--programs", nargs="*", default=list(CASES))
    options = parser.parse_args()
    options.out.mkdir(parents=True, exist_ok=True)
    rate = copy_rate()["copy GB/s"]
    before = ["before"] if options.before else []
    table = Table(
        options.out,
        "sums",
        rate,
        ["program", *[f"{w} ms (10 to 90 %)" for w in ("kasc", *before, "torch.compile", "JAX")], "of the copy rate", "off"],
    )
    for name in options.programs:
        file, function, dims, moved = CASES[name]
        settings = [w for a, n in dims.items() for w in ("--set", f"{a}={n}")]
        runs, state, found = {}, None, None
        for who, kasc in (("kasc", options.kasc), ("before", options.before)):
            if kasc is None:
                continue
            folder = options.out / f"{name} {who}".replace(" ", "_")
            program = Emitted(compile_program(kasc, PROGRAMS / f"{file}.kas", folder, *settings))
            state = state or drawn(program, dims)
            results = computed(program, dims, state)
            if found is None:
                found, off = results, off_by(results, function, state)
                if not off < 1e-4:
                    raise SystemExit(f"{name}: {off}")
            elif not options.other_bits and not all(
                torch.equal(results[n].view(torch.int32), found[n].view(torch.int32)) for n in found
            ):
                raise SystemExit(f"{name}: not the bits of before")
            runs[who] = (program, *called(program, dims, state))
            give_back()
        times = kernel_ms(runs)
        for program, *_ in runs.values():
            program.release()
        del runs, found, results
        give_back()
        compiled = torch.compile(lambda s: function(torch, s))
        times["torch.compile"] = peer_ms(
            name, "torch", lambda: [t * 1e3 for t in time_events(lambda: compiled(state), repeats=15, inner=3)]
        )
        torch._dynamo.reset()
        give_back()

        def by_jax():
            import jax.numpy as jnp

            return jax_ms(lambda s: function(jnp, s), state)

        times["JAX"] = peer_ms(name, "JAX", by_jax)
        give_back()
        gb_s = moved / times["kasc"][0] / 1e6
        table.add(name, times, [f"{gb_s / rate:.0%}", f"{off:.1e}"], {"off": off})
        del state
        give_back()
    table.write()


if __name__ == "__main__":
    main()
