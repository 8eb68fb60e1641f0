"""First plans of loops over stencils that are drawn at random, beside given numbers of steps in a kernel, on this machine's GPU.

    python3 benchmarks/model/stencil_families.py --seed 23 --each 1 --steps 24 --out programs
    python3 benchmarks/gpu/drawn_loops.py emit --kasc build/bin/kasc [--before OTHER_KASC] --programs programs --out emitted
    python3 benchmarks/gpu/drawn_loops.py time emitted --out loops.json

`emit` needs no GPU, `time` no kasc: folders may be carried from one machine to another. All variants of a program are compared to the
bit with one step a kernel; those that are the same code are built once."""
import argparse
import hashlib
import json
import os
import shutil
import subprocess
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from statistics import median


def emit(a):
    def emitted(program, variant):
        kasc = a.before if variant == "before" else a.kasc
        sizes = [w for x, n in program["extents"].items() for w in ("--set", f"{x}={n}")]
        given = [] if variant in ("first", "before") else ["--steps", variant]
        folder = Path(a.out) / f"{program['name']}-{variant}"
        source = Path(a.programs) / f"{program['name']}.kas"
        command = [kasc, "compile", str(source), "--device", a.device, *sizes, *given, "-o", str(folder)]
        made = subprocess.run(command, capture_output=True, text=True)
        if made.returncode != 0:
            print(folder.name, made.stderr[:300])
            return None
        return {"program": program["name"], "variant": variant, "folder": folder.name, "extents": program["extents"]}

    programs = json.loads((Path(a.programs) / "programs.json").read_text())
    looped = [p for p in programs if "for (n" in (Path(a.programs) / f"{p['name']}.kas").read_text()]
    variants = ["1", "first", *(["before"] if a.before else []), *map(str, a.steps)]
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        jobs = [j for j in pool.map(lambda j: emitted(*j), [(p, v) for p in looped for v in variants]) if j]
    (Path(a.out) / "jobs.json").write_text(json.dumps(jobs, indent=1))


def built(root, jobs):
    """By job: its program, loaded; None where it cannot be built."""
    from emitted import Emitted

    def code(job):
        return hashlib.sha256(b"".join(p.read_bytes() for p in sorted((root / job["folder"]).glob("*.cu*")))).digest()

    def of(job):
        try:
            return Emitted(root / job["folder"])
        except subprocess.CalledProcessError as fault:
            print(job["folder"], fault)
            return None

    firsts = {}
    for job in jobs:
        firsts.setdefault(code(job), job)
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        loaded = dict(zip(firsts, pool.map(of, firsts.values())))
    return [(job, loaded[code(job)]) for job in jobs]


def called(program, job, steps, inputs):
    """Its arguments on these inputs, drawn where they are not there yet, and its results by name."""
    import torch

    extents = {name: n for x, n in job["extents"].items() for name in (x, f"n{x}")}
    scalars, arrays = {**extents, "steps": steps}, {}
    for kind, name, _ in program.members:
        if kind not in ("in", "out"):
            continue
        shape, cells = program.shape(name, scalars), program.cells[name]
        if kind == "in" and name not in inputs:
            inputs[name] = 0.5 + 0.1 * torch.rand(shape, device="cuda", dtype=cells)
        arrays[name] = inputs[name] if kind == "in" else torch.zeros(shape, device="cuda", dtype=cells)
    results = {name: arrays[name] for kind, name, _ in program.members if kind == "out"}
    return program.arguments(scalars, arrays), arrays, results


def time_all(a):
    import torch
    from emitted import give_back, in_rounds
    from steps import same_bits

    root, found = Path(a.folder), {}
    by_program = {}
    for job, program in built(root, json.loads((root / "jobs.json").read_text())):
        if program:
            by_program.setdefault(job["program"], []).append((job, program))
    for name, variants in by_program.items():
        inputs, samples, kept, expected = {}, {}, [], None
        for job, program in variants:
            arguments, arrays, results = called(program, job, a.steps, inputs)
            program.launch(arguments)
            torch.cuda.synchronize()
            expected = expected or {n: t.clone() for n, t in results.items()}
            if not all(same_bits(t, expected[n]) for n, t in results.items()):
                raise SystemExit(f"{job['folder']} differs from one step a kernel")
            kept.append(arrays)
            samples[job["variant"]] = lambda p=program, r=arguments: p.kernel_seconds(r) * 1e3 / a.steps
        taken = in_rounds(samples, a.repeats)
        found[name] = {"extents": variants[0][0]["extents"], "ms": taken}
        line = " ".join(f"{v} {t[0]:.4f}" for v, t in taken.items())
        print(f"{name} {variants[0][0]['extents']}: {line}", flush=True)
        for _, program in variants:
            program.release()
        del inputs, samples, kept, expected
        give_back()
        Path(a.out).write_text(json.dumps(found))
    for variant in ("before", "first"):
        of = sorted(r["ms"][variant][0] / min(t[0] for t in r["ms"].values()) for r in found.values() if variant in r["ms"])
        if of:
            print(
                f"{variant} / best: median {median(of):.3f}, nine of ten within {of[int(0.9 * (len(of) - 1) + 0.5)]:.3f}, worst {of[-1]:.3f}"
            )


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    commands = parser.add_subparsers(dest="command", required=True)
    one = commands.add_parser("emit")
    one.add_argument("--kasc", default=shutil.which("kasc"))
    one.add_argument("--before")
    one.add_argument("--programs", required=True)
    one.add_argument("--device", default="h100")
    one.add_argument("--steps", type=int, nargs="*", default=[2, 3, 4])
    one.add_argument("--out", required=True)
    two = commands.add_parser("time")
    two.add_argument("folder")
    two.add_argument("--out", required=True)
    two.add_argument("--steps", type=int, default=24, help="of the programs' loops")
    two.add_argument("--repeats", type=int, default=10)
    a = parser.parse_args()
    {"emit": emit, "time": time_all}[a.command](a)


if __name__ == "__main__":
    main()
