"""A program at small lengths, on the CPU: kasc run, PyTorch in double precision and JAX agree."""

import re
import subprocess
from pathlib import Path

import h5py
import numpy
import torch

from emitted import Header, compile_program
from unseen import CASES
from unseen.lengths import scalars_of
from unseen.work import HERE, drawn, in_double, off_by, plain


def compared(kasc, name, out):
    """How far kasc's results and JAX's are off."""
    case, folder = CASES[name], Path(out) / name
    settings = [w for a, n in case.small.items() for w in ("--set", f"{a}={n}")]
    compile_program(kasc, HERE / f"{name}.kas", folder, *settings)
    header = Header(folder)
    state = drawn(name, header, scalars_of((HERE / f"{name}.kas").read_text(), case.small, header), "cpu")
    with h5py.File(folder / "in.h5", "w") as f:
        for array, values in state.items():
            f[array] = values.numpy()
    told = [
        kasc,
        "run",
        str(HERE / f"{name}.kas"),
        "--target",
        "cpu",
        "--in",
        str(folder / "in.h5"),
        "--out",
        str(folder / "out.h5"),
    ]
    subprocess.run(told, check=True, stdout=subprocess.DEVNULL)
    with h5py.File(folder / "out.h5") as f:
        found = {plain(k): torch.from_numpy(numpy.asarray(v[()])) for k, v in f.items()}
    wanted = case.peer(lambda f: f)(in_double(state))
    found.update({k: found[re.sub("_out$", "", k)] for k in wanted if k not in found})
    off = [off_by(found, wanted)]
    if case.jax:
        import jax
        import jax.numpy as jnp

        arrays = jax.jit(case.jax)({k: jnp.asarray(a.numpy()) for k, a in state.items()})
        off.append(off_by({k: torch.from_numpy(numpy.array(a)) for k, a in arrays.items()}, wanted))
    return ", ".join(f"{n:.0e}" for n in off) + ("" if all(n <= case.most for n in off) else "  WRONG")
