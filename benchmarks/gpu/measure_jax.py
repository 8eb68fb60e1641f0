"""JAX on the same work, in a process of its own; prints one JSON object {program: {"ms", "GB/s"}, "version"}."""
import itertools
import json
import os
import time

os.environ["XLA_PYTHON_CLIENT_PREALLOCATE"] = "false"
import jax
import jax.numpy as jnp

from emitted import median_and_spread
from workloads import FIELDS, STREAMS, STREAM_ELEMENTS, sets

KEYS = iter(jax.random.split(jax.random.PRNGKey(0), 400))
SHAPES = {
    "big_fusion": {"A": (3, 3), "B": (3, 3), "c": (3,), "D": (5, 5), "E": (5, 5)},
    "sync_test": {"A": (3, 3)},
    "rotate_scale": {"R": (3, 3), "S": (3, 3), "v": (3,)},
    "matrix_powers": {"A": (3, 3), "x": (3,)},
    "st_venant": {"C": (3, 3, 3, 3), "M": (3, 3), "N": (3, 3), "u": (3,), "s": ()},
    "st_venant_inner": {"T": (3, 3, 3), "M": (3, 3), "v": (3,), "w": (3,), "s": ()},
    "st_venant_kirchhoff": {"F": (3, 3), "lambda": (), "mu": ()},
    "strain_energy": {"F": (3, 3), "lambda": (), "mu": ()},
    "neo_hookean_energy": {"F": (3, 3), "lambda": (), "mu": ()},
    "polar_decomposition": {"F": (3, 3)},
    "attitude": {"q": (4,), "dq": (4,), "v": (3,)},
    "block_update": {"A": (5, 5), "inverse": (5, 5), "x": (5,), "b": (5,), "omega": ()},
    "vortices": {"G": (3, 3)},
    "diffusion_tensor": {"D": (3, 3)},
}


def seconds_a_call(f, data, repeats=15, inner=30):
    """`data`: sets of arguments that take turns."""
    # Calls are asynchronous: with many in a row the host's overhead hides behind the device, unless it is the larger.
    jax.block_until_ready(f(data[0]))
    turn = itertools.cycle(data)
    samples = []
    for _ in range(repeats):
        began = time.perf_counter()
        for _ in range(inner):
            r = f(next(turn))
        jax.block_until_ready(r)
        samples.append((time.perf_counter() - began) / inner)
    return median_and_spread(samples)[0]


def main():
    random = lambda *shape: jax.random.uniform(next(KEYS), shape, jnp.float32)
    out = {"version": jax.__version__}
    for name, (function, bytes_each) in STREAMS.items():
        data = [
            {k: random(STREAM_ELEMENTS, *s) for k, s in SHAPES[name].items()} for _ in range(sets(STREAM_ELEMENTS * bytes_each))
        ]
        s = seconds_a_call(jax.jit(lambda d: function(jnp, d)), data)
        out[name] = {"ms": s * 1e3, "GB/s": STREAM_ELEMENTS * bytes_each / s / 1e9}
    for name, (program, step, extents, words, _) in FIELDS.items():
        shape = tuple(reversed(list(extents.values())))
        data = {"T": random(*shape)}
        if program != "heat2d":
            data |= {"beta": random(*shape) * 1.4e-7}
        if program in ("heat3d", "hyperthermia"):
            data |= {"q": random(*shape), "on": random(8)}
        if program == "hyperthermia":
            data |= {"perf": random(*shape), "T": data["T"] * 10 + 36, "dose": random(*shape)}

        def one(d):
            T = (d["T"], d["dose"]) if "dose" in d else d["T"]
            return step(jnp, {**d, "put": lambda T, i, new: T.at[i].set(new)}, T, 0)

        s = seconds_a_call(jax.jit(one), [data], inner=3)
        cells = 1
        for e in shape:
            cells *= e
        out[name] = {"ms": s * 1e3, "GB/s": cells * words * 4 / s / 1e9, "GCell/s": cells / s / 1e9}
    print(json.dumps(out))


if __name__ == "__main__":
    main()
