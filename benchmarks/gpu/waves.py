"""Times a step of examples/kwave/kwave.kas on a GPU beside the same step in PyTorch and JAX and the bare transforms.

    python3 waves.py --kasc ../../bundle/bin/kasc --out results --date YYYY-MM-DD [--sizes 256 512] [--before OTHER_KASC]
    python3 waves.py --kasc ../../bundle/bin/kasc … --before ../../bundle/bin/kasc --before-options=--no-rewrite=passes

Media vary from cell to cell, smooth and random; the initial pressure too. First each program's final pressure is
compared with a solver in double precision (64³, 60 steps, and at the measured size, 20 steps); then the mean of steps
100 to 500 is timed, since the device slows as it warms.
"""
import argparse
import ctypes
import json
import math
import os
import subprocess
import tempfile
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

os.environ["XLA_PYTHON_CLIENT_PREALLOCATE"] = "false"  # JAX leaves memory to the others
import torch

from emitted import Emitted, compile_program, give_back

HERE = Path(__file__).resolve().parent
PROGRAM = HERE / "../../examples/kwave/kwave.kas"
PHYSICS = {
    "nonlinear, power law": dict(nonlinear_flag=1, absorbing_flag=1),
    "linear, lossless": dict(nonlinear_flag=0, absorbing_flag=0),
}
TRANSFORMS = {"nonlinear, power law": (6, 8), "linear, lossless": (4, 6)}  # forward, backward


def smooth(n, low, high, seed):
    """A smooth random field [z, y, x] between two values."""
    g = torch.Generator(device="cuda").manual_seed(seed)
    a = torch.fft.rfftn(torch.randn(n, n, n, device="cuda", generator=g))
    f, h = torch.fft.fftfreq(n, device="cuda") * n, torch.fft.rfftfreq(n, device="cuda") * n
    a *= torch.exp(-(f[:, None, None] ** 2 + f[None, :, None] ** 2 + h[None, None, :] ** 2) / 50)
    a = torch.fft.irfftn(a, s=(n, n, n))
    a = (a - a.min()) / (a.max() - a.min())
    return (low + (high - low) * a).contiguous()


def case(n):
    """Inputs of the program by name (float32, [z, y, x]) and its numbers; SI units, absorption in dB/(MHz^y cm)."""
    fields = dict(
        c0=smooth(n, 1450, 1600, 1),
        rho0=smooth(n, 950, 1100, 2),
        BonA=smooth(n, 5, 9, 3),
        alpha_coeff=smooth(n, 0.3, 0.9, 4),
        p0_source_input=smooth(n, -1e6, 1e6, 5),
    )
    for axis, name in enumerate(("rho0_sgz", "rho0_sgy", "rho0_sgx")):
        rho = fields["rho0"]
        ahead = torch.cat([rho.narrow(axis, 1, n - 1), rho.narrow(axis, n - 1, 1)], axis)
        fields[name] = (0.5 * (rho + ahead)).contiguous()
    dx = 1e-4
    numbers = dict(
        dx=dx, dy=dx, dz=dx, dt=0.3 * dx / 1600, c_ref=1600.0, alpha_power=1.5, Nx=n, Ny=n, largest_k=math.sqrt(3) * math.pi / dx
    )
    numbers.update({f"pml_{a}_size": 10 for a in "xyz"}, **{f"pml_{a}_alpha": 2.0 for a in "xyz"})
    return fields, numbers


def constants(xp, real, fields, numbers, n):
    """What a step needs, as arrays of xp (torch or jax.numpy)."""
    c, dt, dx, y = numbers["c_ref"], numbers["dt"], numbers["dx"], numbers["alpha_power"]
    on = {"device": "cuda"} if xp is torch else {}
    f, h = xp.fft.fftfreq(n, d=dx, **on) * 2 * math.pi, xp.fft.rfftfreq(n, d=dx, **on) * 2 * math.pi
    k = xp.sqrt(f[:, None, None] ** 2 + f[None, :, None] ** 2 + h[None, None, :] ** 2)
    lines = (h[None, None, :], f[None, :, None], f[:, None, None])
    k0 = xp.where(k == 0, 1.0, k) if xp is not torch else torch.where(k == 0, torch.ones_like(k), k)
    inside = 1.0 * (k != 0)

    def layer(half):
        p, a = 10, 2.0
        line = [1.0] * n
        for i in range(p):
            line[i] = math.exp(-dt / 2 * a * c / dx * ((p - i - half) / p) ** 4)
            line[n - p + i] = math.exp(-dt / 2 * a * c / dx * ((i + 1 + half) / p) ** 4)
        line = torch.tensor(line, device="cuda", dtype=torch.float64) if xp is torch else xp.array(line)
        return (real(line)[None, None, :], real(line)[None, :, None], real(line)[:, None, None])

    alpha = fields["alpha_coeff"] * (100 * (1e-6 / (2 * math.pi)) ** y / (20 * math.log10(math.e)))
    shift = lambda q, sign: 1j * real(q) * xp.exp(sign * 0.5j * real(q) * dx)
    return dict(
        kappa=real(xp.sinc(c * k * dt / 2 / math.pi)),
        pos=[shift(q, 1) for q in lines],
        neg=[shift(q, -1) for q in lines],
        nabla1=real(inside * k0 ** (y - 2)),
        nabla2=real(inside * k0 ** (y - 1)),
        pml=layer(0),
        sg=layer(0.5),
        dt=dt,
        n=n,
        c0=fields["c0"],
        rho0=fields["rho0"],
        rho_sg=[fields["rho0_sgx"], fields["rho0_sgy"], fields["rho0_sgz"]],
        BonA=fields["BonA"],
        tau=-2 * alpha * fields["c0"] ** (y - 1),
        eta=2 * alpha * fields["c0"] ** y * math.tan(math.pi * y / 2),
    )


def first(xp, c, p):
    F, I = xp.fft.rfftn, lambda a: xp.fft.irfftn(a, s=(c["n"],) * 3)
    P = F(p) * c["kappa"]
    u = [c["dt"] / (2 * r) * I(d * P) for d, r in zip(c["pos"], c["rho_sg"])]
    return (p, *u, *(p / (3 * c["c0"] ** 2) for _ in range(3)))


def step(xp, c, state, nonlinear, absorbing):
    p, u, rho = state[0], state[1:4], state[4:7]
    F, I = xp.fft.rfftn, lambda a: xp.fft.irfftn(a, s=(c["n"],) * 3)
    P = F(p) * c["kappa"]
    u = [s * (s * v - c["dt"] / r * I(d * P)) for s, v, r, d in zip(c["sg"], u, c["rho_sg"], c["pos"])]
    du = [I(d * c["kappa"] * F(v)) for d, v in zip(c["neg"], u)]
    R = c["dt"] * (2 * (rho[0] + rho[1] + rho[2]) + c["rho0"] if nonlinear else c["rho0"])
    rho = [m * (m * r - R * d) for m, r, d in zip(c["pml"], rho, du)]
    s = rho[0] + rho[1] + rho[2]
    q = s
    if nonlinear:
        q = q + c["BonA"] * s * s / (2 * c["rho0"])
    if absorbing:
        q = q + c["tau"] * I(c["nabla1"] * F(c["rho0"] * (du[0] + du[1] + du[2]))) - c["eta"] * I(c["nabla2"] * F(s))
    return (c["c0"] ** 2 * q, *u, *rho)


def ours(job, kasc, folder):
    physics, n, which = job
    command, *more = kasc
    folder = f"{folder}/{which}_{n}_{len(physics)}"
    options = dict(PHYSICS[physics], Nz=n, p0_source_flag=1, record_p=0, record_p_final=1, x=n, y=n, z=n)
    sets = [word for name, value in options.items() for word in ("--set", f"{name}={value}")]
    compile_program(command, PROGRAM, folder, *sets, *more)
    return Emitted(folder, libraries=["cufft"])


def run(emitted, fields, numbers, n, steps):
    """Seconds of all steps, and the final pressure."""
    final = torch.empty(n, n, n, device="cuda")
    no_sources = {f"{name}_samples": 0 for name in ("p", "ux", "uy", "uz", "transducer")}
    scalars = dict(numbers, nx=n, ny=n, nz=n, nkx=n // 2 + 1, Nt=steps, **no_sources)
    seconds = emitted.kernel_seconds(emitted.arguments(scalars, dict(fields, p_final=final)))
    return seconds, final


def difference(found, wanted):
    return float((found.double() - wanted.double()).abs().max() / wanted.double().abs().max())


def in_double(fields, numbers, n, steps, physics):
    double = {name: a.double() for name, a in fields.items()}
    torch.set_default_dtype(torch.float64)
    c = constants(torch, lambda a: a.double(), double, numbers, n)
    torch.set_default_dtype(torch.float32)
    state = first(torch, c, double["p0_source_input"])
    for _ in range(1, steps):
        state = step(torch, c, state, *PHYSICS[physics].values())
    return state[0]


def timed(advance, warm, steps):
    """Mean milliseconds of a step after `warm` steps."""
    begin, end = torch.cuda.Event(enable_timing=True), torch.cuda.Event(enable_timing=True)
    for _ in range(warm):
        advance()
    begin.record()
    for _ in range(steps):
        advance()
    end.record()
    torch.cuda.synchronize()
    return begin.elapsed_time(end) / steps


def torch_ms(fields, numbers, n, physics, steps):
    c = constants(torch, lambda a: a.float(), fields, numbers, n)
    state = list(first(torch, c, fields["p0_source_input"]))
    function = torch.compile(lambda s: step(torch, c, s, *PHYSICS[physics].values()))

    def advance():
        nonlocal state
        state = function(tuple(state))

    return timed(advance, 20, steps)


def jax_ms(fields, numbers, n, physics, steps):
    """Milliseconds of a step, compiled; the state is given to the function, which may store over it."""
    import jax
    import jax.numpy as jnp

    c = constants(
        jnp, lambda a: a.astype(jnp.float32), {name: jnp.asarray(a.cpu().numpy()) for name, a in fields.items()}, numbers, n
    )
    numbers_of = {name: c.pop(name) for name in ("n", "dt")}
    state = first(jnp, {**c, **numbers_of}, jnp.asarray(fields["p0_source_input"].cpu().numpy()))
    function = jax.jit(lambda c, s: step(jnp, {**c, **numbers_of}, s, *PHYSICS[physics].values()), donate_argnums=1)
    for _ in range(20):
        state = function(c, state)
    jax.block_until_ready(state)
    begin = time.perf_counter()
    for _ in range(steps):
        state = function(c, state)
    jax.block_until_ready(state)
    return (time.perf_counter() - begin) / steps * 1e3


def checked(program, wanted, fields, numbers, n, steps):
    """The largest difference of the final pressure from `wanted`, in parts of its largest value."""
    _, final = run(program, fields, numbers, n, steps)
    error = difference(final, wanted)
    if not error < 2e-5:
        raise SystemExit(f"{n}: {error}")
    return error


def most_bytes(reset=False):
    """What the stream-ordered allocator handed out at most since the last reset."""
    runtime = ctypes.CDLL("libcudart.so.13")
    pool, value = ctypes.c_void_p(), ctypes.c_uint64(0)
    runtime.cudaDeviceGetDefaultMemPool(ctypes.byref(pool), 0)
    if reset:
        runtime.cudaMemPoolSetAttribute(pool, 8, ctypes.byref(value))
    runtime.cudaMemPoolGetAttribute(pool, 8, ctypes.byref(value))
    return value.value


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--kasc", required=True)
    parser.add_argument("--out", required=True)
    parser.add_argument("--date", required=True)
    parser.add_argument("--sizes", type=int, nargs="*", default=[256, 512])
    parser.add_argument("--peers", type=int, default=1)
    parser.add_argument("--before", help="another kasc to compare with")
    parser.add_argument(
        "--before-options", default="", help="its options of kasc compile: cuFFT's transforms by --no-rewrite=passes"
    )
    options = parser.parse_args()
    before = {"before": [options.before, *options.before_options.split()]} if options.before else {}
    commands = {"kasc": [options.kasc], **before}
    out = Path(options.out)
    out.mkdir(parents=True, exist_ok=True)
    results = {"device": torch.cuda.get_device_name(0), "date": options.date, "torch": torch.__version__, "cases": []}
    with tempfile.TemporaryDirectory() as folder:
        subprocess.run(["nvcc", "-O3", "-arch=sm_90", HERE / "transforms.cu", "-lcufft", "-o", f"{folder}/transforms"], check=True)
        jobs = [(physics, n, which) for physics in PHYSICS for n in {64, *options.sizes} for which in commands]
        with ThreadPoolExecutor(14) as pool:
            built = dict(zip(jobs, pool.map(lambda job: ours(job, commands[job[2]], folder), jobs)))
        bare = {}
        for line in subprocess.run(
            [f"{folder}/transforms", *map(str, options.sizes)], check=True, capture_output=True, text=True
        ).stdout.splitlines():
            n, there, back = line.split()
            bare[int(n)] = (float(there), float(back))
        for physics in PHYSICS:
            fields, numbers = case(64)
            wanted = in_double(fields, numbers, 64, 60, physics)
            for which in commands:
                error = checked(built[physics, 64, which], wanted, fields, numbers, 64, 60)
                print(f"{physics}, {which}: 64³, 60 steps: {error:.1e} of the largest pressure beside double precision", flush=True)
            for n in options.sizes:
                fields, numbers = case(n)
                wanted = in_double(fields, numbers, n, 20, physics)
                give_back()
                most_bytes(reset=True)
                program = built[physics, n, "kasc"]
                error = checked(program, wanted, fields, numbers, n, 20)
                inputs = sum(a.numel() * 4 for name, a in fields.items() if any(m[1] == name for m in program.members))
                memory = most_bytes() + inputs + n**3 * 4
                samples = {which: [] for which in commands}
                for _ in range(3):
                    for which in commands:
                        short, _ = run(built[physics, n, which], fields, numbers, n, 101)
                        long, final = run(built[physics, n, which], fields, numbers, n, 501)
                        samples[which].append((long - short) / 400 * 1e3)
                for which in commands:
                    built[physics, n, which].release()
                there, back = bare[n]
                alone = TRANSFORMS[physics][0] * there + TRANSFORMS[physics][1] * back
                least, ms, most = sorted(samples["kasc"])
                entry = dict(
                    physics=physics,
                    n=n,
                    ms=ms,
                    spread=[least, most],
                    transforms_ms=alone,
                    error=error,
                    bytes=memory,
                    finite=bool(torch.isfinite(final).all()),
                )
                if options.before:
                    least, entry["before_ms"], most = sorted(samples["before"])
                    entry["before_spread"] = [least, most]
                if options.peers:
                    entry["torch_ms"] = torch_ms(fields, numbers, n, physics, 100)
                    torch._dynamo.reset()
                    give_back()
                    entry["jax_ms"] = jax_ms(fields, numbers, n, physics, 100)
                print(json.dumps(entry), flush=True)
                results["cases"].append(entry)
    (out / "waves.json").write_text(json.dumps(results, indent=1) + "\n")


if __name__ == "__main__":
    main()
