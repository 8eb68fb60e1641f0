"""Times programs of sums on this machine's GPU, examples/blas, beside PyTorch, compiled, and JAX.

    python3 folds.py --kasc ../../bundle/bin/kasc --out results [--before OTHER_KASC] [--programs bicgk softmax] [--prototype folds]
    python3 folds.py --kasc ../../bundle/bin/kasc --out results --small --joins-apart

First plans. Each result is compared with PyTorch's in double precision before anything is timed. Rates are of the fused minimum: each input
read once and each result written once, where one pass can (of GEMVER's matrix three: its second product needs all of the first). The copy
rate is that of the device within this run. --prototype runs a program that prints its own figures beside them."""
import argparse
import json
import math
import os
import subprocess
import time
from pathlib import Path

os.environ["XLA_PYTHON_CLIENT_PREALLOCATE"] = "false"  # JAX leaves memory to the others
import torch

from cells import uniform
from emitted import Emitted, beside_before, compile_program, give_back, in_rounds, median_and_spread
from measure import copy_rate, time_events

BLAS = Path(__file__).resolve().parents[2] / "examples" / "blas"
ALPHA, BETA, LEAST = 1.5, 1.2, 1e-5


def sums(xp):
    """Sums and maxima of a row or of a column of a [row, column] array, as PyTorch and JAX spell them."""
    along = (lambda a, dim: a.sum(dim)) if xp is torch else (lambda a, dim: xp.sum(a, axis=dim))
    largest = (lambda a: a.amax(1)) if xp is torch else (lambda a: xp.max(a, axis=1))
    return along, largest


def bicgk(xp, s):
    along, _ = sums(xp)
    return {"q": along(s["A"] * s["p"], 1), "s": along(s["A"] * s["r"][:, None], 0)}


def atax(xp, s):
    along, _ = sums(xp)
    return {"y": along(s["A"] * along(s["A"] * s["x"], 1)[:, None], 0)}


def gesummv(xp, s):
    along, _ = sums(xp)
    return {"y": ALPHA * along(s["A"] * s["x"], 1) + BETA * along(s["B"] * s["x"], 1)}


def gemver(xp, s):
    along, _ = sums(xp)
    b = s["A"] + s["u1"][:, None] * s["v1"] + s["u2"][:, None] * s["v2"]
    x = BETA * along(b * s["y"][:, None], 0) + s["z"]
    return {"B": b, "x": x, "w": ALPHA * along(b * x, 1)}


def matrices(xp, s):
    along, _ = sums(xp)
    c = s["A"] + s["B"]
    return {"C": c, "rows": along(c, 1), "columns": along(c, 0)}


def softmax(xp, s):
    along, largest = sums(xp)
    e = xp.exp(s["a"] - largest(s["a"])[:, None])
    return {"b": e / along(e, 1)[:, None]}


def layer_norm(xp, s):
    along, _ = sums(xp)
    d = s["a"] - (along(s["a"], 1) / s["a"].shape[1])[:, None]
    return {"b": d / xp.sqrt(along(d * d, 1) / s["a"].shape[1] + LEAST)[:, None] * s["scale"] + s["shift"]}


def axpydot(xp, s):
    z = s["w"] - 0.5 * s["v"]
    return {"z": z, "r": (z * s["u"]).sum()}


def vectors(xp, s):
    x = s["x"]
    return {"w": ALPHA * x + BETA * s["y"], "total": x.sum(), "largest": abs(x).max(), "norm": xp.sqrt((x * x).sum())}


def laplace(xp, p):
    padded = torch.nn.functional.pad(p, (1,) * 6) if xp is torch else xp.pad(p, 1)
    part = lambda dim, begin: padded[tuple(slice(begin, begin + p.shape[d]) if d == dim else slice(1, -1) for d in range(3))]
    return 6 * p - sum(part(d, b) for d in range(3) for b in (0, 2))


def conjugate_gradients(xp, s):
    """A step: x, r, p and rr, advanced."""
    q = laplace(xp, s["p"])
    a = s["rr"] / (s["p"] * q).sum()
    x, r = s["x"] + a * s["p"], s["r"] - a * q
    rr = (r * r).sum()
    return {"x": x, "r": r, "p": r + rr / s["rr"] * s["p"], "rr": rr}


def started(b):
    return {"x": torch.zeros_like(b), "r": b.clone(), "p": b.clone(), "rr": (b * b).sum()}


def drawn(**shapes):
    return lambda: {name: uniform(shape, -1, 1, k + 1) for k, (name, shape) in enumerate(shapes.items())}


def matrix(rows, columns, matrices_, row_words="", column_words=""):
    """Random [row, column] matrices, and vectors of a word a row or a column."""
    return drawn(
        **{m: (rows, columns) for m in matrices_},
        **{r: (rows,) for r in row_words.split()},
        **{c: (columns,) for c in column_words.split()},
    )


N, ROWS, COLUMNS, CELLS, GRID = 16384, 65536, 4096, 1 << 28, 512
SQUARE, FLAT = dict(row=N, column=N), dict(row=ROWS, column=COLUMNS)
# What is computed, of which extents and inputs, and how many words a cell have to move.
CASES = {
    "bicgk": (bicgk, SQUARE, matrix(N, N, "A", "r", "p"), 1),
    "atax": (atax, SQUARE, matrix(N, N, "A", "", "x"), 1),
    "gesummv": (gesummv, SQUARE, matrix(N, N, "AB", "", "x"), 2),
    "gemver": (gemver, SQUARE, matrix(N, N, "A", "u1 u2 y", "v1 v2 z"), 3),
    "matrices": (matrices, SQUARE, matrix(N, N, "AB"), 3),
    "softmax": (softmax, FLAT, matrix(ROWS, COLUMNS, "a"), 2),
    "layer_norm": (layer_norm, FLAT, matrix(ROWS, COLUMNS, "a", "", "scale shift"), 2),
    "axpydot": (axpydot, dict(i=CELLS), drawn(w=(CELLS,), v=(CELLS,), u=(CELLS,)), 4),
    "vectors": (vectors, dict(i=CELLS), drawn(x=(CELLS,), y=(CELLS,)), 3),
    "conjugate_gradients": (conjugate_gradients, dict(i=GRID, j=GRID, k=GRID), drawn(b=(GRID,) * 3), 10),
}
# Rows of other lengths: short ones, ones of no round number, and such as no block holds in registers.
for _rows, _columns in (
    (1 << 22, 16),
    (1 << 20, 64),
    (1 << 19, 300),
    (1 << 18, 1000),
    (1 << 16, 5000),
    (1 << 14, N),
    (1 << 12, 1 << 16),
    (N // 16, N // 16),
):
    for _name, _of_columns in (("softmax", ""), ("layer_norm", "scale shift")):
        CASES[f"{_name} of {_columns}"] = (
            CASES[_name][0],
            dict(row=_rows, column=_columns),
            matrix(_rows, _columns, "a", "", _of_columns),
            2,
        )
# Where launches count.
SMALL = ("bicgk", "atax", "gesummv", "gemver", "matrices", "axpydot", "vectors", "conjugate_gradients")
for _n in (1024, 2048, 4096, 8192):
    for _name in ("bicgk", "atax", "gesummv", "gemver", "matrices"):
        _step, _, _, _words = CASES[_name]
        _of_rows, _of_columns = {"bicgk": ("r", "p"), "gemver": ("u1 u2 y", "v1 v2 z"), "matrices": ("", "")}.get(_name, ("", "x"))
        _matrices = "AB" if _name in ("gesummv", "matrices") else "A"
        CASES[f"{_name} of {_n}"] = (
            _step,
            dict(row=_n, column=_n),
            matrix(_n, _n, _matrices, _of_rows, _of_columns),
            _words,
        )
for _n in (1 << 16, 1 << 20, 1 << 24):
    CASES[f"axpydot of {_n}"] = (axpydot, dict(i=_n), drawn(w=(_n,), v=(_n,), u=(_n,)), 4)
    CASES[f"vectors of {_n}"] = (vectors, dict(i=_n), drawn(x=(_n,), y=(_n,)), 3)
for _n in (64, 128, 256):
    CASES[f"conjugate_gradients of {_n}"] = (conjugate_gradients, dict(i=_n, j=_n, k=_n), drawn(b=(_n,) * 3), 10)
# Plans in which a kernel of its own folds the parts of each sum that others wait for.
JOINS_APART = {"conjugate_gradients": "rr:; pq:; next:"}
PARAMETERS = {
    "gesummv": dict(alpha=ALPHA, beta=BETA),
    "gemver": dict(alpha=ALPHA, beta=BETA),
    "axpydot": dict(alpha=0.5),
    "vectors": dict(alpha=ALPHA, beta=BETA),
    "layer_norm": dict(least=LEAST),
}


def program_of(case):
    return case.split()[0]


def is_loop(case):
    return program_of(case) == "conjugate_gradients"


def size_of(case):
    """As a table has it."""
    extents = list(CASES[case][1].values())
    return f"{extents[0]}³" if is_loop(case) else " × ".join(str(n) for n in extents)


def called(program, name, state, steps=1):
    """The arguments of a call, and what it fills in."""
    extents = CASES[name][1]
    scalars = {**{f"n{a}": n for a, n in extents.items()}, **PARAMETERS.get(program_of(name), {}), "nt": steps, "steps": steps}
    arrays = dict(state)
    for kind, array, _ in program.members:
        if kind == "out":
            arrays[array] = torch.full(program.shape(array, scalars) or [1], float("nan"), device="cuda")
    return program.arguments(scalars, arrays), arrays


def check(program, name, state, steps=3):
    step = CASES[name][0]
    arguments, found = called(program, name, state, steps)
    program.kernel_seconds(arguments)
    doubles = {key: a.double() for key, a in state.items()}
    if is_loop(name):
        doubles = started(doubles["b"])
        for _ in range(steps):
            doubles = step(torch, doubles)
        wanted = {"x": doubles["x"]}
    else:
        wanted = step(torch, doubles)
    worst = 0
    for key, value in wanted.items():
        worst = max(worst, float((found[key].double().reshape(value.shape) - value).abs().max() / value.abs().max()))
    if not worst < 1e-5:
        raise SystemExit(f"{name}: {worst}")
    return worst


def ours(program, name, state):
    """A function that takes one sample, ms; of programs with a loop the difference of 30 and 10 steps, a step."""
    if not is_loop(name):
        arguments, arrays = called(program, name, state)
        return lambda arrays=arrays: program.kernel_seconds(arguments) * 1e3
    (long, a), (short, b) = called(program, name, state, 30), called(program, name, state, 10)
    return lambda held=(a, b): (program.kernel_seconds(long) - program.kernel_seconds(short)) / 20 * 1e3


def torch_ms(name):
    step, _, make, _ = CASES[name]
    torch._dynamo.reset()
    function = torch.compile(lambda s: step(torch, s))
    state = make()
    if not is_loop(name):
        for _ in range(3):
            function(state)
        time.sleep(0.5)  # while the driver clears what was given back
        return [t * 1e3 for t in time_events(lambda: function(state), repeats=15, inner=5)]
    state = started(state["b"])
    for _ in range(3):
        state = function(state)

    def steps():
        nonlocal state
        state = function(state)

    return [t * 1e3 for t in time_events(steps, repeats=15, inner=10)]


def jax_ms(name):
    import jax
    import jax.numpy as jnp

    step, _, make, _ = CASES[name]
    state = make()
    state = {k: jnp.asarray(a.cpu().numpy()) for k, a in (started(state["b"]) if is_loop(name) else state).items()}
    give_back()
    loop = is_loop(name)
    time.sleep(0.5)  # while the driver clears what was given back
    function = jax.jit(lambda s: step(jnp, s), donate_argnums=0) if loop else jax.jit(lambda s: step(jnp, s))
    taken = []
    for k in range(18):
        begin = time.perf_counter()
        for _ in range(10):
            result = function(state)
            state = result if loop else state
        jax.block_until_ready(result)
        taken.append((time.perf_counter() - begin) / 10 * 1e3)
    return median_and_spread(taken[3:])


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--kasc", required=True)
    parser.add_argument("--before", help="another kasc to compare with")
    parser.add_argument("--out", required=True)
    parser.add_argument("--programs", nargs="*", default=list(CASES))
    parser.add_argument("--prototype", help="a program that prints its own figures")
    parser.add_argument("--no-peers", action="store_true")
    parser.add_argument("--small", action="store_true", help="the programs of SMALL, at all of their sizes")
    parser.add_argument("--joins-apart", action="store_true", help="beside plans in which no block folds parts before its cells")
    options = parser.parse_args()
    out = Path(options.out)
    out.mkdir(parents=True, exist_ok=True)
    rate = copy_rate()["copy GB/s"]
    lines = [
        f"{torch.cuda.get_device_name()}, copy {rate:.0f} GB/s",
        "",
        "| program | ms (10 to 90 %): kasc | torch.compile | JAX | GB/s of the fused minimum: kasc | torch.compile | JAX | error |",
        "|---|---|---|---|---|---|---|---|",
    ]
    results, compared = {}, []
    apart = []
    for name in [n for n in CASES if program_of(n) in SMALL] if options.small else options.programs:
        _step, extents, make, words = CASES[name]
        commands = {"fused": (options.kasc, []), **({"before": (options.before, [])} if options.before else {})}
        if options.joins_apart and program_of(name) in JOINS_APART:
            commands["joins apart"] = (options.kasc, ["--plan", JOINS_APART[program_of(name)]])
        settings = [w for a, n in extents.items() for w in ("--set", f"{a}={n}")]
        programs = {
            key: Emitted(
                compile_program(kasc, BLAS / f"{program_of(name)}.kas", out / f"{name}_{key}".replace(" ", "_"), *settings, *plan)
            )
            for key, (kasc, plan) in commands.items()
        }
        state = make()
        error = check(programs["fused"], name, state)
        try:
            error = max(error, *(check(program, name, state) for program in programs.values()))
        except RuntimeError as e:  # another kasc may not take so many rows
            print(name, str(e)[:200])
            programs.pop("before", None)
        # No memory is given back before: the driver clears it, at the cost of what runs meanwhile.
        timed = in_rounds({key: ours(program, name, state) for key, program in programs.items()}, 15)
        for program in programs.values():
            program.release()
        del state
        give_back()
        times = {"kasc": timed["fused"]}
        if "joins apart" in timed:
            ms, low, high = timed["joins apart"]
            apart.append(f"| {program_of(name)} {size_of(name)} | {timed['fused'][0]:.4f} | {ms:.4f} ({low:.4f} to {high:.4f}) |")
        for peer, of_peer in (("torch.compile", torch_ms), ("JAX", jax_ms)):
            try:
                times[peer] = (math.nan,) * 3 if options.no_peers else of_peer(name)
            except Exception as e:  # a peer that lacks memory or an operation has no figure
                print(name, peer, str(e)[:300])
                times[peer] = (math.nan,) * 3
            give_back()
        gb_s = {who: 4 * words * math.prod(extents.values()) / ms[0] / 1e6 for who, ms in times.items()}
        shown = [f"{ms:.4f} ({low:.4f} to {high:.4f})" for ms, low, high in times.values()]
        lines.append(
            f"| {program_of(name)} {size_of(name)} | {' | '.join(shown)} | {' | '.join(f'{g:.0f}' for g in gb_s.values())} | {error:.1e} |"
        )
        print(lines[-1], flush=True)
        results[name] = {"extents": extents, "ms": times, "GB/s": gb_s, "copy GB/s": rate, "error": error}
        compared.append({"program": name, **{key: dict(zip(("ms", "ms 10 %", "ms 90 %"), t)) for key, t in timed.items()}})
    if apart:
        lines += ["", "| program | ms, first plan | the parts of each sum in a kernel of their own |", "|---|---|---|", *apart]
    if options.before:
        lines += beside_before(compared)
    if options.prototype:
        lines += [
            "",
            "By hand:",
            "",
            "```",
            subprocess.run([options.prototype], check=True, capture_output=True, text=True).stdout.strip(),
            "```",
        ]
    (out / "folds.md").write_text("\n".join(lines) + "\n")
    (out / "folds.json").write_text(json.dumps(results, indent=1))


if __name__ == "__main__":
    main()
