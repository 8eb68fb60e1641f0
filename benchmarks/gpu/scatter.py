"""Times additions to cells that many entries of a list name (scatter/) on this machine's GPU: as kasc plans them, beside kernels by hand
with atomicAdd, PyTorch (index_add_) and JAX (.at[].add).

    python3 scatter.py --kasc ../../bundle/bin/kasc --out results [--programs histogram_256 deposit_cube ...]

First plans. Each result is compared with double precision before anything is timed, and two runs with each other to the bit. Times of
loops are of one step. What orders a list once before a loop is told apart: a run of one step less a step of a run of many."""
import math
import os
import subprocess
from pathlib import Path

os.environ["XLA_PYTHON_CLIENT_PREALLOCATE"] = "false"  # JAX leaves memory to the others
import ctypes

import torch

from emitted import Emitted, compile_program, give_back
from jax_ms import jax_ms
from measure import copy_rate, time_events
from table import Table, kernel_ms, options_of

HERE = Path(__file__).resolve().parent
STEPS, ELEMENTS = 20, 200
MILLIONS = 1 << 24

# By hand: an entry a thread. Integers of 32 bits, floats; small counts in shared memory.
BY_HAND = r"""
template <class T> __global__ void add(T *to, const int *at, const T *values, long long n, T factor)
{
    const long long k = blockIdx.x * 256LL + threadIdx.x;
    if (k < n) atomicAdd(to + at[k], values == nullptr ? factor : factor * values[k]);
}
template <class T> __global__ void add_shared(T *to, const int *at, const T *values, long long n, int bins)
{
    extern __shared__ char memory[];
    T *own = reinterpret_cast<T *>(memory);
    for (int b = threadIdx.x; b < bins; b += blockDim.x) own[b] = 0;
    __syncthreads();
    for (long long k = blockIdx.x * (long long)blockDim.x + threadIdx.x; k < n; k += (long long)gridDim.x * blockDim.x)
        atomicAdd(own + at[k], values == nullptr ? T(1) : values[k]);
    __syncthreads();
    for (int b = threadIdx.x; b < bins; b += blockDim.x)
        if (own[b] != 0) atomicAdd(to + b, own[b]);
}
template <class T> void launch(T *to, const int *at, const T *values, long long n, int bins, T factor, bool shared)
{
    if (shared) add_shared<T><<<1056, 256, bins * sizeof(T)>>>(to, at, values, n, bins);
    else add<T><<<(unsigned)((n + 255) / 256), 256>>>(to, at, values, n, factor);
}
extern "C" void add_int(int *to, const int *at, const int *values, long long n, int bins, int factor, int shared)
{
    launch(to, at, values, n, bins, factor, shared != 0);
}
extern "C" void add_float(float *to, const int *at, const float *values, long long n, int bins, float factor, int shared)
{
    launch(to, at, values, n, bins, factor, shared != 0);
}
"""


def drawn(entries, cells, seed=1):
    return torch.randint(
        0, cells, (entries,), dtype=torch.int32, device="cuda", generator=torch.Generator("cuda").manual_seed(seed)
    )


def sorted_drawn(entries, cells):
    return drawn(entries, cells).sort().values


def corners():
    """Nodes of a mesh of ELEMENTS³ hexahedra, eight an element."""
    n = ELEMENTS + 1
    e = torch.arange(ELEMENTS, device="cuda")
    first = (e[:, None, None] * n + e[None, :, None]) * n + e[None, None, :]
    steps = torch.tensor([i + n * (j + n * k) for k in (0, 1) for j in (0, 1) for i in (0, 1)], device="cuda")
    return (first.reshape(-1, 1) + steps).to(torch.int32)


def weights(*shape):
    return torch.rand(shape, device="cuda", generator=torch.Generator("cuda").manual_seed(7))


# Program, list, values by name, extents, the target with its cells, steps.
def histogram(bins, program="histogram"):
    at = drawn(1 << 26, bins)
    of = {} if program == "histogram" else {"weight": weights(at.numel())}
    return program, {"bin": at}, of, dict(np=at.numel(), nb=bins), ("count" if program == "histogram" else "total", bins), 1


def deposit(program, cells, at=drawn):
    return (
        f"deposit_{program}",
        {"at": at(MILLIONS, cells)},
        {"weight": weights(MILLIONS)},
        dict(np=MILLIONS, nc=cells),
        ("u", cells),
        STEPS,
    )


def assembly():
    at = corners()
    nodes = (ELEMENTS + 1) ** 3
    return (
        "assembly",
        {"node": at},
        {"force": weights(*at.shape)},
        dict(ncorner=8, nelement=at.shape[0], nn=nodes),
        ("f", nodes),
        STEPS,
    )


CASES = {
    "histogram_256": lambda: histogram(256),
    "histogram_65536": lambda: histogram(1 << 16),
    "weighted_16": lambda: histogram(16, "weighted"),
    "weighted_64": lambda: histogram(64, "weighted"),
    "weighted_256": lambda: histogram(256, "weighted"),
    "weighted_65536": lambda: histogram(1 << 16, "weighted"),
    "deposit_cube": lambda: deposit("fixed", 256**3),
    "deposit_plane": lambda: deposit("fixed", 4096**2),
    "deposit_cube_in_order": lambda: deposit("fixed", 256**3, sorted_drawn),
    "moving_cube": lambda: deposit("moving", 256**3),
    "moving_plane": lambda: deposit("moving", 4096**2),
    "assembly": assembly,
}


def expected(case):
    """In double, of all steps."""
    program, lists, values, extents, (_, cells), steps = case
    at = next(iter(lists.values())).reshape(-1).long()
    given = (
        next(iter(values.values())).reshape(-1).double() if values else torch.ones(at.numel(), device="cuda", dtype=torch.float64)
    )
    total = torch.zeros(cells, dtype=torch.float64, device="cuda")
    for n in range(steps):
        total.index_add_(0, at, (1 + n) * given)
        if program == "deposit_moving":
            at = (at + 4099) % cells
    return total


def called(program, case, steps):
    _, lists, values, extents, (target, cells), _ = case
    scalars = {**extents, "steps": steps}
    scalars.update({member: 0 for _, member, _ in program.members if member.endswith("_rows")})
    arrays = {**lists, **values}
    for kind, array, _ in program.members:
        if kind == "in" and array not in arrays:
            arrays[array] = torch.zeros(cells, dtype=program.cells[array], device="cuda")
        if kind == "out":
            arrays[array] = torch.full((cells,), -1, dtype=program.cells[array], device="cuda")
    return program.arguments(scalars, arrays), arrays


def result_of(arrays, target):
    return arrays.get(f"{target}_out", arrays[target])


def check(program, case):
    target, steps = case[4][0], case[5]
    found = []
    for _ in range(2):
        arguments, arrays = called(program, case, steps)
        program.kernel_seconds(arguments)
        found.append(result_of(arrays, target).clone())
    if not torch.equal(*found):
        raise SystemExit(f"{case[0]}: another result the second time")
    wanted = expected(case)
    off = float((found[0].double() - wanted).abs().max() / wanted.abs().max())
    if not off < (1e-4 if case[2] else 1e-12):
        raise SystemExit(f"{case[0]}: {off}")
    return off


def by_hand(library, case, shared):
    _, lists, values, _, (_, cells), _ = case
    at = next(iter(lists.values())).reshape(-1)
    given = next(iter(values.values())).reshape(-1) if values else None
    to = torch.zeros(cells, dtype=torch.float32 if values else torch.int32, device="cuda")
    function = library.add_float if values else library.add_int
    one = ctypes.c_float(1) if values else ctypes.c_int(1)
    pointer = lambda a: ctypes.c_void_p(None if a is None else a.data_ptr())
    torch.cuda.synchronize()
    stream = torch.cuda.default_stream()

    def run():
        with torch.cuda.stream(stream):
            function(pointer(to), pointer(at), pointer(given), ctypes.c_longlong(at.numel()), cells, one, int(shared))

    return [t * 1e3 for t in time_events(run, repeats=15, inner=3)]


def torch_ms(case):
    _, lists, values, _, (_, cells), _ = case
    at = next(iter(lists.values())).reshape(-1)
    to = torch.zeros(cells, dtype=torch.float32 if values else torch.int32, device="cuda")
    given = next(iter(values.values())).reshape(-1) if values else torch.ones(at.numel(), dtype=torch.int32, device="cuda")
    return [t * 1e3 for t in time_events(lambda: to.index_add_(0, at, given), repeats=15, inner=3)]


def jax_of(case):
    _, lists, values, _, (_, cells), _ = case
    state = {"at": next(iter(lists.values())).reshape(-1), **({"given": next(iter(values.values())).reshape(-1)} if values else {})}

    def run(s):
        import jax.numpy as jnp

        return jnp.zeros(cells, jnp.float32 if values else jnp.int32).at[s["at"]].add(s["given"] if values else 1)

    return jax_ms(run, state)


def build_by_hand(folder):
    source, library = folder / "by_hand.cu", folder / "by_hand.so"
    source.write_text(BY_HAND)
    subprocess.run(
        ["nvcc", "-std=c++17", "-O3", "-arch=sm_90", "-Xcompiler", "-fPIC", "-shared", "-o", str(library), str(source)], check=True
    )
    return ctypes.CDLL(str(library))


def main():
    options = options_of(__doc__, CASES)
    library = build_by_hand(options.out)
    rate = copy_rate()["copy GB/s"]
    table = Table(
        options.out,
        "scatter",
        rate,
        ["program", "kasc", "order", "atomics by hand", "in shared memory", "PyTorch", "JAX", "kasc / best by hand", "off"],
        ". ms a step (10 to 90 %); order: what a list costs before its loop.",
    )
    for name in options.programs:
        case = CASES[name]()
        steps, cells = case[5], case[4][1]
        settings = [w for a, n in case[3].items() for w in ("--set", f"{'bins' if a == 'nb' else a[1:]}={n}")]
        program = Emitted(compile_program(options.kasc, HERE / "scatter" / f"{case[0]}.kas", options.out / name, *settings))
        off = check(program, case)
        taken = kernel_ms({key: (program, *called(program, case, count)) for key, count in (("kasc", steps), ("one", 1))})
        # Of loops a step is the difference between many and one.
        step = [(many - one) / (steps - 1) for many, one in zip(taken["kasc"], taken["one"])] if steps > 1 else taken["kasc"]
        times = {"kasc": step, "order": [one - each for one, each in zip(taken["one"], step)] if steps > 1 else (math.nan,) * 3}
        program.release()
        times["by hand"] = by_hand(library, case, False)
        times["shared"] = by_hand(library, case, True) if cells <= 8192 and steps == 1 else (math.nan,) * 3
        for peer, of_peer in (("PyTorch", torch_ms), ("JAX", jax_of)):
            times[peer] = of_peer(case)
            give_back()
        best = min(t[0] for t in (times["by hand"], times["shared"]) if not math.isnan(t[0]))
        table.add(name, times, [f"{times['kasc'][0] / best:.2f}", f"{off:.1e}"], {"off": off})
    table.write()


if __name__ == "__main__":
    main()
