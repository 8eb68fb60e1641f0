"""Reductions on a GPU: programs/reductions.kas beside torch.sum, torch.max and a copy, on random data.

    python3 reductions.py --kasc ../../bundle/bin/kasc [--size 512]

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


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--kasc", required=True)
    parser.add_argument("--size", type=int, default=512)
    options = parser.parse_args()
    n = options.size
    generator = torch.Generator(device="cuda").manual_seed(1)
    u, v = (torch.rand(n, n, n, generator=generator, device="cuda") for _ in range(2))
    with tempfile.TemporaryDirectory() as folder:
        compile_program(str(Path(options.kasc).resolve()), PROGRAM, folder, *(w for a in "xyz" for w in ("--set", f"{a}={n}")))
        program = Emitted(folder)

        def run(steps):
            out = {"u_out": torch.empty_like(u), "energy": torch.zeros(max(steps, 1), device="cuda"),
                   "total": torch.zeros(1, device="cuda"), "peak": torch.zeros(1, device="cuda")}
            scalars = dict(nx=n, ny=n, nz=n, nt=max(steps, 1), dt=0.1, steps=steps)
            return program.kernel_seconds(program.arguments(scalars, dict(out, u=u, v=v))) * 1e3, out

        _, out = run(20)
        wanted = float(v.double().sum())
        if abs(float(out["total"]) - wanted) > 1e-6 * wanted or float(out["peak"]) != float(v.max()):
            raise SystemExit(f"wrong: {float(out['total'])} for {wanted}, {float(out['peak'])} for {float(v.max())}")
        energy = float((out["u_out"].double() ** 2).sum())
        if abs(float(out["energy"][19]) - energy) > 1e-6 * energy:
            raise SystemExit(f"wrong: {float(out['energy'][19])} for {energy}")
        samples = {}
        for _ in range(7):
            with torch.profiler.profile(activities=[torch.profiler.ProfilerActivity.CUDA]) as profile:
                run(20)
            for event in profile.key_averages():
                if kernel := re.search(r"reductions_(k\d)", event.key):
                    samples.setdefault(kernel.group(1), []).append(event.device_time_total / event.count / 1e3)

    def kernels(*names):
        return [sum(parts) for parts in zip(*(samples[k] for k in names))]

    gigabytes = n ** 3 * 4 / 1e9
    other = torch.empty_like(v)
    print(json.dumps({
        "device": torch.cuda.get_device_name(0), "torch": torch.__version__, "n": n,
        "sum(v)": entry(kernels("k0", "k1"), gigabytes),
        "maximum(v)": entry(kernels("k2", "k3"), gigabytes),
        "a step of diffusion": entry(kernels("k4"), 2 * gigabytes),
        "sum(u*u), recorded": entry(kernels("k5", "k6"), gigabytes),
        "torch.sum": entry(timed(lambda: torch.sum(v)), gigabytes),
        "torch.max": entry(timed(lambda: torch.max(v)), gigabytes),
        "torch.sum(u * u)": entry(timed(lambda: torch.sum(v * v)), gigabytes),
        "copy": entry(timed(lambda: other.copy_(v)), 2 * gigabytes)}))


if __name__ == "__main__":
    main()
