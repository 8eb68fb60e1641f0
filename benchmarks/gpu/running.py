"""Times running sums (running/) on this machine's GPU beside torch.cumsum and jnp.cumsum: rows, columns and single lines, many and
few, short and long.

    python3 running.py --kasc ../../bundle/bin/kasc --out results

First plans, random data, checked against PyTorch in double precision before anything is timed."""
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

PROGRAMS = Path(__file__).resolve().parent / "running"


def rows(s):
    return torch.cumsum(s["a"], -1)


def rows_jax():
    import jax.numpy as jnp

    return lambda s: jnp.cumsum(s["a"], -1)


def columns(s):
    return torch.cumsum(s["a"].flip(0), 0).flip(0)


def columns_jax():
    import jax.numpy as jnp

    return lambda s: jnp.flip(jnp.cumsum(jnp.flip(s["a"], 0), 0), 0)


def largest(s):
    return torch.cummax(s["a"] * s["b"] + 0.5 * s["a"], 0).values


def largest_jax():
    import jax

    return lambda s: jax.lax.cummax(s["a"] * s["b"] + 0.5 * s["a"])


def case(program, dims, bytes_of_word=4, inputs=("a",)):
    shape = tuple(reversed(dims.values()))
    return program, dims, shape, inputs, bytes_of_word * math.prod(shape) * (len(inputs) + 1)


CASES = {
    "rows 8192 x 8192": case("rows", dict(x=8192, y=8192)),
    "rows 64 x 1048576": case("rows", dict(x=64, y=1 << 20)),
    "rows 500 x 100000": case("rows", dict(x=500, y=100000)),
    "rows 1048576 x 64": case("rows", dict(x=1 << 20, y=64)),
    "rows 8192 x 4096, double": case("rows_double", dict(x=8192, y=4096), 8),
    "columns 8192 x 8192": case("columns", dict(x=8192, y=8192)),
    "columns 1048576 x 64": case("columns", dict(x=1 << 20, y=64)),
    "columns 64 x 1048576": case("columns", dict(x=64, y=1 << 20)),
    "line 268435456": case("line", dict(x=1 << 28)),
    "line 16777216": case("line", dict(x=1 << 24)),
    "line 1048576": case("line", dict(x=1 << 20)),
    "largest 134217728": case("largest", dict(x=1 << 27), inputs=("a", "b")),
}
PEERS = {
    "rows": (rows, rows_jax),
    "rows_double": (rows, None),
    "line": (rows, rows_jax),
    "columns": (columns, columns_jax),
    "largest": (largest, largest_jax),
}


def drawn(name):
    program, _, shape, inputs, _ = CASES[name]
    state = {n: uniform(shape, -1, 1, k + 1) for k, n in enumerate(inputs)}
    return {n: a.double() for n, a in state.items()} if program.endswith("double") else state


def called(program, name, state):
    scalars = {f"n{a}": n for a, n in CASES[name][1].items()}
    arrays = dict(state)
    for kind, array, _ in program.members:
        if kind == "out":
            arrays[array] = torch.full(program.shape(array, scalars), math.nan, dtype=program.cells[array], device="cuda")
    return program.arguments(scalars, arrays), arrays


def check(program, name, state):
    arguments, found = called(program, name, state)
    program.kernel_seconds(arguments)
    wanted = PEERS[CASES[name][0]][0]({k: a.double() for k, a in state.items()})
    off = float((found["s"].reshape(wanted.shape).double() - wanted).abs().max() / wanted.abs().max())
    if not off < 1e-6:
        raise SystemExit(f"{name}: {off}")
    return off


def peer_off(name):
    """How far PyTorch's own single precision is from double."""
    state, peer = drawn(name), PEERS[CASES[name][0]][0]
    wanted = peer({k: a.double() for k, a in state.items()})
    return float((peer(state).double() - wanted).abs().max() / wanted.abs().max())


def main():
    options = options_of(__doc__, CASES)
    rate = copy_rate()["copy GB/s"]
    table = Table(
        options.out,
        "running",
        rate,
        ["program", "ms (10 to 90 %): kasc", "PyTorch", "JAX", "of the copy rate", "off", "PyTorch's"],
    )
    for name in options.programs:
        file, dims, _, _, moved = CASES[name]
        settings = [w for a, n in dims.items() for w in ("--set", f"{a}={n}")]
        folder = options.out / name.replace(" ", "_").replace(",", "")
        program = Emitted(compile_program(options.kasc, PROGRAMS / f"{file}.kas", folder, *settings))
        state = drawn(name)
        off = check(program, name, state)
        give_back()
        times = kernel_ms({"kasc": (program, *called(program, name, state))})
        program.release()
        give_back()
        by_torch, by_jax = PEERS[file]
        times["PyTorch"] = [t * 1e3 for t in time_events(lambda: by_torch(state), repeats=15, inner=3)]
        times["JAX"] = peer_ms(name, "JAX", lambda: jax_ms(by_jax(), drawn(name))) if by_jax else (math.nan,) * 3
        give_back()
        gb_s = moved / times["kasc"][0] / 1e6
        table.add(name, times, [f"{gb_s / rate:.0%}", f"{off:.1e}", f"{peer_off(name):.1e}"], {"off": off})
        give_back()
    table.write()


if __name__ == "__main__":
    main()
