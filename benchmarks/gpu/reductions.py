"""Reductions on a GPU: programs/reductions.kas beside torch.sum, torch.max and a copy, on random data.

    python3 reductions.py --kasc ../../bundle/bin/kasc [--size 512] [--before OTHER_KASC]

Prints a line of JSON: milliseconds, medians of 7 with their spread, and GB/s of the bytes that have to move. Of kasc's
kernels the profiler's times.
"""
import argparse
import json
import re
import tempfile
from pathlib import Path

import torch

from emitted import Emitted, compile_program

PROGRAM = Path(__file__).resolve().parent / "programs" / "reductions.kas"


def timed(call, times=20):
    begin, end = torch.cuda.Event(enable_timing=True), torch.cuda.Event(enable_timing=True)
    samples = []
    for _ in range(8):
        begin.record()
        for _ in range(times):
            call()
        end.record()
        torch.cuda.synchronize()
        samples.append(begin.elapsed_time(end) / times)
    return samples[1:]


def entry(samples, gigabytes):
    samples = sorted(samples)
    median = samples[len(samples) // 2]
    return {"ms": median, "spread": [samples[0], samples[-1]], "GB/s": gigabytes / median * 1e3}


def run(program, u, v, steps):
    n = u.shape[0]
    out = {
        "u_out": torch.empty_like(u),
        "energy": torch.zeros(steps, device="cuda"),
        "total": torch.zeros(1, device="cuda"),
        "peak": torch.zeros(1, device="cuda"),
    }
    scalars = dict(nx=n, ny=n, nz=n, nt=steps, dt=0.1, steps=steps)
    program.launch(program.arguments(scalars, dict(out, u=u, v=v)))
    return out


def check(program, u, v):
    out = run(program, u, v, 20)
    wanted = float(v.double().sum())
    if abs(float(out["total"]) - wanted) > 1e-6 * wanted or float(out["peak"]) != float(v.max()):
        raise SystemExit(f"wrong: {float(out['total'])} for {wanted}, {float(out['peak'])} for {float(v.max())}")
    energy = float((out["u_out"].double() ** 2).sum())
    if abs(float(out["energy"][19]) - energy) > 1e-6 * energy:
        raise SystemExit(f"wrong: {float(out['energy'][19])} for {energy}")


def entries(samples, gigabytes, suffix=""):
    kernels = lambda *names: [sum(parts) for parts in zip(*(samples[k] for k in names))]
    return {
        "sum(v)" + suffix: entry(kernels("k0", "k1"), gigabytes),
        "maximum(v)" + suffix: entry(kernels("k2", "k3"), gigabytes),
        "a step of diffusion" + suffix: entry(kernels("k4"), 2 * gigabytes),
        "sum(u*u), recorded" + suffix: entry(kernels("k5", "k6"), gigabytes),
    }


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--kasc", required=True)
    parser.add_argument("--size", type=int, default=512)
    parser.add_argument("--before", help="another kasc to compare with")
    options = parser.parse_args()
    commands = {"": options.kasc, **({", before": options.before} if options.before else {})}
    n = options.size
    generator = torch.Generator(device="cuda").manual_seed(1)
    u, v = (torch.rand(n, n, n, generator=generator, device="cuda") for _ in range(2))
    samples = {suffix: {} for suffix in commands}
    with tempfile.TemporaryDirectory() as folder:
        settings = [w for a in "xyz" for w in ("--set", f"{a}={n}")]
        programs = {
            suffix: Emitted(compile_program(kasc, PROGRAM, f"{folder}/kasc{len(suffix)}", *settings))
            for suffix, kasc in commands.items()
        }
        for program in programs.values():
            check(program, u, v)
        for suffix, program in list(programs.items()) * 7:
            with torch.profiler.profile(activities=[torch.profiler.ProfilerActivity.CUDA]) as profile:
                run(program, u, v, 20)
                torch.cuda.synchronize()
            for event in profile.key_averages():
                if kernel := re.search(r"reductions_(k\d)", event.key):
                    samples[suffix].setdefault(kernel.group(1), []).append(event.device_time_total / event.count / 1e3)
    gigabytes = n**3 * 4 / 1e9
    other = torch.empty_like(v)
    kasc = {name: e for suffix, taken in samples.items() for name, e in entries(taken, gigabytes, suffix).items()}
    print(
        json.dumps(
            {
                "device": torch.cuda.get_device_name(0),
                "torch": torch.__version__,
                "n": n,
                **kasc,
                "torch.sum": entry(timed(lambda: torch.sum(v)), gigabytes),
                "torch.max": entry(timed(lambda: torch.max(v)), gigabytes),
                "torch.sum(u * u)": entry(timed(lambda: torch.sum(v * v)), gigabytes),
                "copy": entry(timed(lambda: other.copy_(v)), 2 * gigabytes),
            }
        )
    )


if __name__ == "__main__":
    main()
