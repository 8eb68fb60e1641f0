"""What a process does that checks or times items, program/who: a line of JSON each."""

import json
import math
import os
from pathlib import Path

os.environ["XLA_PYTHON_CLIENT_PREALLOCATE"] = "false"  # JAX leaves memory to the others
os.environ["JAX_DEFAULT_MATMUL_PRECISION"] = "highest"  # products of float32, as PyTorch's and kasc's
import torch

from emitted import Emitted, Header, give_back
from jax_ms import jax_ms
from measure import copy_rate, time_events
from table import kernel_ms
from unseen import CASES
from unseen.case import uniform
from unseen.lengths import scalars_of

HERE = Path(__file__).resolve().parent


def plain(array):
    """An array's name in the program: gamma is a function of C, so that emitted code has gamma_."""
    return array.removesuffix("_")


def drawn(name, header, scalars, device="cuda"):
    """The inputs, by name; complex ones as such."""
    state = {}
    for k, (kind, array, _) in enumerate(header.members):
        if kind == "in":
            g = torch.Generator(device=device).manual_seed(k + 1)
            shape, cells = header.shape(array, scalars), header.cells[array]
            values = CASES[name].inputs.get(array, uniform(-1, 1))(shape, cells, g)
            state[plain(array)] = torch.view_as_complex(values) if header.is_complex(array) else values
    return state


def in_double(state):
    wider = lambda a: a.double() if a.dtype == torch.float32 else a.to(torch.complex128) if a.is_complex() else a
    return {k: wider(a) for k, a in state.items()}


def off_by(found, wanted):
    """The largest difference of a result, relative to its largest value."""
    worst = 0.0
    for name, values in wanted.items():
        have, wide = found[name], torch.complex128 if values.is_complex() else torch.float64
        if values.is_complex() and not have.is_complex():
            have = torch.view_as_complex(have)
        values, have = values.to(wide), have.to(wide).reshape(values.shape)
        off = float((have - values).abs().max() / values.abs().max().clamp(min=1e-30))
        worst = max(worst, off) if math.isfinite(off) else math.inf
    return worst


def called(program, scalars, state):
    real = {}
    for kind, array, _ in program.members:
        if kind == "in":
            real[array] = state[plain(array)]
            real[array] = torch.view_as_real(real[array]) if real[array].is_complex() else real[array]
        if kind == "out":
            shape, cells = program.shape(array, scalars), program.cells[array]
            real[array] = torch.full(shape, math.nan if cells.is_floating_point else 0, dtype=cells, device="cuda")
    return program.arguments(scalars, real), real


def results_of(name, who, header, scalars, state, folder):
    if who == "kasc":
        program = Emitted(folder, build=False)
        arguments, arrays = called(program, scalars, state)
        program.kernel_seconds(arguments)
        torch.cuda.synchronize()
        program.release()
        return {plain(n): a for n, a in arrays.items()}
    if who == "torch.compile":
        return CASES[name].peer(torch.compile)(state)
    import jax
    import jax.numpy as jnp

    arrays = jax.jit(CASES[name].jax)({k: jnp.asarray(a.cpu().numpy()) for k, a in state.items()})
    return {k: torch.from_numpy(jax.device_get(a).copy()).cuda() for k, a in arrays.items()}


def checked(name, who, header, scalars, state, folder):
    wanted = CASES[name].peer(lambda f: f)(in_double(state))
    give_back()
    off = off_by(results_of(name, who, header, scalars, state, folder), wanted)
    return {"off": off} if off <= CASES[name].most else {"error": f"off by {off:.1e}"}


def timed(name, who, header, scalars, state, folder):
    if who == "kasc":
        program = Emitted(folder, build=False)
        return {"ms": kernel_ms({who: (program, *called(program, scalars, state))})[who]}
    if who == "torch.compile":
        run = CASES[name].peer(torch.compile)
        run(state)
        return {"ms": [t * 1e3 for t in time_events(lambda: run(state), repeats=15, inner=3)]}
    return {"ms": jax_ms(CASES[name].jax, state)}


def work(out, phase, lines, *items):
    torch._dynamo.config.cache_size_limit = 64
    for item in items:
        name, who = item.split("/")
        try:
            if name == "copy":
                told = {"GB/s": copy_rate()["copy GB/s"]}
            else:
                folder = out / name
                header = Header(folder)
                scalars = scalars_of((HERE / f"{name}.kas").read_text(), CASES[name].dims, header)
                told = (checked if phase == "check" else timed)(name, who, header, scalars, drawn(name, header, scalars), folder)
        except Exception as e:
            told = {"error": f"{type(e).__name__}: {e}"[:300]}
        with open(lines, "a") as f:
            f.write(json.dumps(told) + "\n")
        torch._dynamo.reset()
        try:
            give_back()
        except Exception:
            return  # the device does nothing more for this process: another one goes on
