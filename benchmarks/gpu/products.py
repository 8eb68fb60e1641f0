"""Times programs that fold more cells than words, matrix products and all pairs, beside PyTorch (cuBLAS), PyTorch compiled, and JAX.

    python3 products.py --kasc ../../bundle/bin/kasc --out results [--programs product forces]

First plans. Each result is compared with PyTorch's in double precision before anything is timed. PyTorch and JAX compute products of float32
in float32 (no tensor cores: `highest`); what JAX does by default, with TF32, stands beside it. TFLOP/s count two operations a triple of
a matrix product, of pairs none are said."""
import argparse
import json
import math
import os
import time
from pathlib import Path

os.environ["XLA_PYTHON_CLIENT_PREALLOCATE"] = "false"  # JAX leaves memory to the others
import torch

from cells import uniform
from emitted import Emitted, compile_program, give_back, in_rounds
from jax_ms import jax_ms
from measure import time_events

HERE, BLAS = Path(__file__).resolve().parent / "products", Path(__file__).resolve().parents[2] / "examples" / "blas"
WIDTH = 0.01


def product(xp, s):
    return {"C": s["B"] @ s["A"]}


def transposed(xp, s):
    return {"C": s["B"] @ s["A"].T}


def layer(xp, s):
    y = s["x"] @ s["w"].T + s["bias"]
    return {"y": torch.relu(y) if xp is torch else xp.maximum(y, 0)}


def covariance(xp, s):
    x = s["x"]
    mean = x.mean(0)
    return {"covariance": x.T @ x / x.shape[0] - mean[:, None] * mean}


def attention(xp, s):
    """Arrays are [depth, row]: out[depth, query] of score[query, key]."""
    score = s["q"].T @ s["k"] / math.sqrt(s["q"].shape[0])
    weight = xp.exp(score - (score.amax(1) if xp is torch else score.max(1))[:, None])
    return {"out": ((weight @ s["v"].T) / weight.sum(1)[:, None]).T}


def forces(xp, s):
    """On the bodies at `of`, or all."""
    d = s["place"][:, None, :] - s.get("of", s["place"])[None, :, :]
    far = (d * d).sum(2) + 0.0025
    return {"pull": ((s["mass"][:, None] / (far * xp.sqrt(far)))[..., None] * d).sum(0)}


def nearest(xp, s):
    d = [s[b][:, None] - s[a][None, :] for a, b in (("x", "u"), ("y", "v"), ("z", "w"))]
    far = d[0] * d[0] + d[1] * d[1] + d[2] * d[2]
    return {"near": far.amin(0) if xp is torch else far.min(0), "which": far.argmin(0)}


def density(xp, s):
    d = s["at"][None, :] - s["point"][:, None]
    return {"density": xp.exp(-d * d / (2 * WIDTH * WIDTH)).sum(0)}


def drawn(**shapes):
    return lambda: {name: uniform(shape, 0, 1, k + 1) for k, (name, shape) in enumerate(shapes.items())}


def square(function, program, n, k=None, m=None):
    """Arrays have the first axis of the program last: A[i, k] is [k, i]."""
    k, m = k or n, m or n
    a = (n, k) if program == "transposed" else (k, n)
    return (program, function, dict(i=n, j=m, k=k), drawn(A=a, B=(m, k)), 2.0 * n * m * k)


def of_pairs(program, function, n, names):
    extents = dict(i=n) if program == "forces" else dict(i=n, j=n)
    return (program, function, extents, drawn(**{name: (n,) for name in names.split()}), None)


# By name: the program, what is computed, its extents, its inputs, operations of a matrix product.
CASES = {
    **{f"product {n}": square(product, "product", n) for n in (512, 1024, 2048, 4096, 8192, 1000, 4100)},
    "product 4096 4096 512": square(product, "product", 4096, 512),
    "product 512 512 65536": square(product, "product", 512, 65536),
    "transposed 4096": square(transposed, "transposed", 4096),
    "layer": (
        "layer",
        layer,
        dict(feature=4096, sample=4096, neuron=4096),
        drawn(x=(4096, 4096), w=(4096, 4096), bias=(4096,)),
        2.0 * 4096**3,
    ),
    "covariance": ("covariance", covariance, dict(channel=64, sample=1 << 20), drawn(x=(1 << 20, 64)), 2.0 * 64 * 64 * (1 << 20)),
    "attention": (
        "attention",
        attention,
        dict(query=4096, key=4096, depth=64),
        drawn(q=(64, 4096), k=(64, 4096), v=(64, 4096)),
        4.0 * 64 * 4096 * 4096,
    ),
    "forces 16384": ("forces", forces, dict(i=16384), drawn(place=(16384, 3), mass=(16384,)), None),
    "forces 65536": ("forces", forces, dict(i=65536), drawn(place=(65536, 3), mass=(65536,)), None),
    "nearest 16384": of_pairs("nearest", nearest, 16384, "x y z u v w"),
    "density 16384": of_pairs("density", density, 16384, "at point"),
    "density 65536": of_pairs("density", density, 65536, "at point"),
}


def called(program, extents, state):
    scalars = {
        **{f"n{a}": n for a, n in extents.items()},
        "nj": extents.get("j", extents.get("i")),
        "nother": extents.get("channel"),
        "width": WIDTH,
    }
    arrays = dict(state)
    if "place" in arrays:  # a vector's words are arrays of their own
        arrays |= {f"place_{axis}": arrays["place"][:, k].contiguous() for k, axis in enumerate("xyz")}
    for kind, array, _ in program.members:
        if kind == "out":
            arrays[array] = torch.full(program.shape(array, scalars) or [1], -1, device="cuda", dtype=program.cells[array])
    return program.arguments(scalars, arrays), arrays


def check(program, name, state):
    """The largest error, of the largest value; in double precision, by blocks of results where pairs would fill the memory."""
    kind, function, extents, _, _ = CASES[name]
    arguments, found = called(program, extents, state)
    program.kernel_seconds(arguments)
    if kind == "forces":
        found["pull"] = torch.stack([found[f"pull_{axis}"] for axis in "xyz"], 1)
    worst = 0
    if kind in ("forces", "density") and extents["i"] > 30000:
        some = torch.arange(0, extents["i"], extents["i"] // 512, device="cuda")
        doubles = {k: a.double() for k, a in state.items()}
        few = {"of": doubles["place"][some]} if kind == "forces" else {"at": doubles["at"][some]}
        wanted = function(torch, doubles | few)
        found = {k: a[some] for k, a in found.items() if k in wanted}
    else:
        wanted = function(torch, {k: a.double() for k, a in state.items()})
    for key, value in wanted.items():
        if key == "which":  # two may be as near as float32 tells
            worst = max(worst, float((found[key].reshape(value.shape) != value).double().mean()) * 1e-3)
            continue
        worst = max(worst, float((found[key].double().reshape(value.shape) - value).abs().max() / value.abs().max()))
    if not worst < 3e-5:
        raise SystemExit(f"{name}: {worst}")
    return worst


def torch_ms(name, compiled):
    _, function, _, make, _ = CASES[name]
    torch._dynamo.reset()
    state = make()
    run = torch.compile(lambda s: function(torch, s)) if compiled else (lambda s: function(torch, s))
    for _ in range(3):
        run(state)
    time.sleep(0.3)  # while the driver clears what was given back
    return [t * 1e3 for t in time_events(lambda: run(state), repeats=15, inner=3)]


def jax_in(name, precision):
    import jax
    import jax.numpy as jnp

    _, function, _, make, _ = CASES[name]
    with jax.default_matmul_precision(precision):
        return jax_ms(lambda s: function(jnp, s), make())


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--kasc", required=True)
    parser.add_argument("--out", required=True)
    parser.add_argument("--programs", nargs="*", default=list(CASES))
    parser.add_argument("--no-peers", action="store_true")
    options = parser.parse_args()
    out = Path(options.out)
    out.mkdir(parents=True, exist_ok=True)
    head = [
        "program",
        "ms (10 to 90 %): kasc",
        "torch",
        "torch.compile",
        "JAX, float32",
        "JAX, as it comes",
        "TFLOP/s: kasc",
        "torch",
        "error",
    ]
    lines = [torch.cuda.get_device_name(), "", "| " + " | ".join(head) + " |", "|" + "---|" * len(head)]
    results = {}
    for name in [n for n in CASES if n in options.programs or n.split()[0] in options.programs]:
        kind, _, extents, make, operations = CASES[name]
        file = BLAS / "product.kas" if kind == "product" else HERE / f"{kind}.kas"
        settings = [w for a, n in extents.items() for w in ("--set", f"{a}={n}")]
        program = Emitted(compile_program(options.kasc, file, out / name.replace(" ", "_"), *settings))
        state = make()
        try:
            error = check(program, name, state)
        except torch.cuda.OutOfMemoryError:
            error = math.nan
        arguments, _held = called(program, extents, state)
        times = {"kasc": in_rounds({"kasc": lambda: program.kernel_seconds(arguments) * 1e3}, 15)["kasc"]}
        program.release()
        del state, _held
        give_back()
        peers = {
            "torch": lambda: torch_ms(name, False),
            "torch.compile": lambda: torch_ms(name, True),
            "JAX, float32": lambda: jax_in(name, "highest"),
            "JAX, as it comes": lambda: jax_in(name, "default"),
        }
        for peer, of_peer in peers.items():
            try:
                times[peer] = (math.nan,) * 3 if options.no_peers else of_peer()
            except Exception as e:  # a peer that lacks memory or an operation has no figure
                print(name, peer, str(e)[:200])
                times[peer] = (math.nan,) * 3
            give_back()
        shown = [f"{ms:.3f} ({low:.3f} to {high:.3f})" for ms, low, high in times.values()]
        rate = lambda who: f"{operations / times[who][0] / 1e9:.1f}" if operations else "–"
        lines.append(f"| {name} | {' | '.join(shown)} | {rate('kasc')} | {rate('torch')} | {error:.1e} |")
        print(lines[-1], flush=True)
        results[name] = {"extents": extents, "ms": times, "error": error}
    (out / "products.md").write_text("\n".join(lines) + "\n")
    (out / "products.json").write_text(json.dumps(results, indent=1))


if __name__ == "__main__":
    main()
