"""Times stencils in time loops on this machine's GPU: one step a kernel, as many as kasc's model finds best, and given numbers of them;
beside PyTorch, compiled, and JAX, which have a step a kernel.

    python3 steps.py --kasc ../../bundle/bin/kasc [--before OTHER_KASC] --out results

First plans, random data. All variants are compared to the bit with one step a kernel before anything is timed."""
import argparse
import json
import os
import re
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

os.environ["XLA_PYTHON_CLIENT_PREALLOCATE"] = "false"  # JAX leaves memory to the others
import torch

from emitted import Emitted, compile_program, give_back, in_rounds, median_and_spread
from measure import copy_rate, time_events

HERE = Path(__file__).resolve().parent
STENCILS, EXAMPLES = HERE / "stencils", HERE.parent.parent / "examples"
STEPS = 24
# By name: the program, cells along each axis, axes, words of a cell that a step has to move.
CASES = {
    "heat2d": (EXAMPLES / "heat2d.kas", 16384, "xy", 2),
    "cahn": (STENCILS / "cahn.kas", 8192, "xy", 2),
    "perona": (STENCILS / "perona.kas", 8192, "xy", 2),
    "shallow": (STENCILS / "shallow.kas", 8192, "xy", 6),
    "jacobi": (HERE / "programs/jacobi.kas", 384, "xyz", 3),
    "diffusion": (EXAMPLES / "diffusion.kas", 512, "xyz", 3),
    "grayscott": (STENCILS / "grayscott.kas", 384, "xyz", 4),
    "burgers": (STENCILS / "burgers.kas", 384, "xyz", 6),
    "double7": (STENCILS / "double7.kas", 384, "xyz", 3),
    "wave8": (STENCILS / "wave8.kas", 384, "xyz", 4),
    "yee": (STENCILS / "yee.kas", 384, "xyz", 12),
    "elastic": (STENCILS / "elastic.kas", 384, "xyz", 21),
}


def variants(options):
    made = {"one": (options.kasc, ["--steps", "1"]), "best": (options.kasc, ["--steps", "best"])}
    for n in options.steps:
        made[f"{n}"] = (options.kasc, ["--steps", str(n)])
    return {**({"before": (options.before, [])} if options.before else {}), **made}


def scalars_of(program, name):
    given = {a: float(b) for a, b in re.findall(r"param (?:float|int|double) (\w+) = ([-\d.e]+)", CASES[name][0].read_text())}
    given.update(steps=STEPS)
    return {
        n: CASES[name][1] if k == "long long" else int(given[n]) if k == "int" else given[n]
        for k, n, _ in program.members
        if k not in ("in", "out")
    }


def same_bits(a, b):
    """Whatever they are: schemes that are not stable on random data end in NaN, and these in the same cells."""
    words = torch.int64 if a.element_size() == 8 else torch.int32
    return torch.equal(a.view(words), b.view(words))


def called(program, name, inputs):
    """Its arguments on these inputs, drawn where they are not there yet."""
    scalars, arrays = scalars_of(program, name), {}
    for kind, array, _ in program.members:
        shape, cells = program.shape(array, {**scalars}) if kind in ("in", "out") else None, program.cells.get(array)
        if kind == "in":
            if array not in inputs:
                inputs[array] = 0.5 + 0.1 * torch.rand(shape, device="cuda", dtype=cells)
            arrays[array] = inputs[array]
        elif kind == "out":
            arrays[array] = torch.zeros(shape, device="cuda", dtype=cells)
    return program.arguments(scalars, arrays), arrays


def heat2d(xp, T):
    inside = T[1:-1, 1:-1] + 0.2 * (T[1:-1, :-2] + T[1:-1, 2:] + T[:-2, 1:-1] + T[2:, 1:-1] - 4 * T[1:-1, 1:-1])
    if xp is torch:
        made = T.clone()
        made[1:-1, 1:-1] = inside
        return made
    return T.at[1:-1, 1:-1].set(inside)


def peers_ms():
    """heat2d, milliseconds a step: a loop of compiled steps, and a loop that XLA compiles."""
    import jax
    import jax.numpy as jnp

    side = CASES["heat2d"][1]
    data = 0.5 + 0.1 * torch.rand((side, side), device="cuda")
    step = torch.compile(lambda T: heat2d(torch, T))

    def loop():
        T = data
        for _ in range(STEPS):
            T = step(T)
        return T

    loop()
    found = {"torch.compile": [t * 1e3 / STEPS for t in time_events(loop, repeats=10, inner=1)]}
    many = jax.jit(lambda T: jax.lax.fori_loop(0, STEPS, lambda _, T: heat2d(jnp, T), T))
    T = jnp.asarray(data.cpu().numpy())
    many(T).block_until_ready()
    samples = []
    for _ in range(10):
        begun = time.perf_counter()
        many(T).block_until_ready()
        samples.append((time.perf_counter() - begun) * 1e3 / STEPS)
    return {**found, "JAX": median_and_spread(samples)}


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--kasc", required=True)
    parser.add_argument("--before")
    parser.add_argument("--steps", type=int, nargs="*", default=[2, 4, 8])
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--no-peers", action="store_true")
    options = parser.parse_args()
    options.out.mkdir(parents=True, exist_ok=True)
    made = variants(options)

    def build(job):
        name, variant = job
        kasc, extra = made[variant]
        sizes = [w for axis in CASES[name][2] for w in ("--set", f"{axis}={CASES[name][1]}")]
        return job, Emitted(compile_program(kasc, CASES[name][0], options.out / f"{name}-{variant}", *sizes, *extra))

    with ThreadPoolExecutor(os.cpu_count()) as pool:
        programs = dict(pool.map(build, [(name, variant) for name in CASES for variant in made]))
    rate = copy_rate()["copy GB/s"]
    results = {"copy_gb_s": rate, "steps": STEPS, "programs": {}}
    print(f"copy {rate:.0f} GB/s, median ms a step (10th to 90th percentile), of {STEPS} steps\n")
    print("| program | cells | floor | " + " | ".join(made) + " | best / one |\n|---|---|---|" + "---|" * (len(made) + 1))
    for name, (_, side, axes, words) in CASES.items():
        inputs, samples, first = {}, {}, None
        for variant in made:
            program = programs[name, variant]
            arguments, arrays = called(program, name, inputs)
            program.kernel_seconds(arguments)
            outputs = [arrays[n].clone() for k, n, _ in program.members if k == "out"]
            if first is not None and not all(same_bits(a, b) for a, b in zip(first, outputs)):
                raise SystemExit(f"{name}: {variant} has other results")
            first = outputs if first is None else first
            samples[variant] = lambda p=program, a=arguments, keep=arrays: p.kernel_seconds(a) * 1e3 / STEPS
        times = in_rounds(samples, 15)
        cell = 8 if name == "double7" else 4
        floor = words * cell * side ** len(axes) / rate / 1e6
        results["programs"][name] = {"floor_ms": floor, **times}
        shown = " | ".join("{:.4f} ({:.4f} to {:.4f})".format(*times[v]) for v in made)
        print(
            f"| {name} | {side}{'²' if len(axes) == 2 else '³'} | {floor:.4f} | {shown} | {times['one'][0] / times['best'][0]:.2f} |",
            flush=True,
        )
        for variant in made:
            programs[name, variant].release()
        del samples, inputs, first
        give_back()
    if not options.no_peers:
        results["peers"] = peers_ms()
        print("\nheat2d: " + ", ".join("{} {:.4f} ({:.4f} to {:.4f})".format(k, *v) for k, v in results["peers"].items()))
    (options.out / "steps.json").write_text(json.dumps(results, indent=1))


if __name__ == "__main__":
    main()
