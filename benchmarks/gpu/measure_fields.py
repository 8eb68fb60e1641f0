"""Measures what field programs are made of beyond the examples: lists of points, labels of materials, the dose, updates in
place, doubles. One run, random data; each result is checked first: against the CPU at a small size, fused against unfused
bit for bit at the measured one.

    python3 benchmarks/gpu/measure_fields.py --kasc bundle/bin/kasc --out results [--before OTHER_KASC]

Writes fields.json and fields.md. 'Of copy' is the share of what the device's copy rate, measured in the same run, allows at
the fewest bytes: every field read once, what is assigned written once, a step."""
import argparse
import json
import re
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path

import torch

from emitted import Emitted, beside_before, compile_program, give_back, in_rounds, variants
from measure import copy_rate, outputs, versions

HERE = Path(__file__).resolve().parent
EXAMPLES = HERE.parents[1] / "examples"
KINDS, POINTS, PROBES = 12, 1000, 64  # of materials; of sources and of probes in lists
SCALARS = {"dt": 0.1, "dx": 1e-3, "blood": 37, "omega": 0.9, "alpha": 0.2}

# name: program, cells a side, bytes a cell and step, steps
WORK = {
    "points 128": (HERE / "programs/points.kas", 128, 24, 100),
    "points 256": (HERE / "programs/points.kas", 256, 24, 40),
    "points 512": (HERE / "programs/points.kas", 512, 24, 20),
    "sources 128": (HERE / "programs/sources.kas", 128, 16, 100),
    "sources 256": (HERE / "programs/sources.kas", 256, 16, 40),
    "sources 512": (HERE / "programs/sources.kas", 512, 16, 20),
    "probes 128": (HERE / "programs/probes.kas", 128, 24, 100),
    "probes 256": (HERE / "programs/probes.kas", 256, 24, 40),
    "probes 512": (HERE / "programs/probes.kas", 512, 24, 20),
    "no points 128": (HERE / "programs/no_points.kas", 128, 24, 100),
    "no points 256": (HERE / "programs/no_points.kas", 256, 24, 40),
    "no points 512": (HERE / "programs/no_points.kas", 512, 24, 20),
    "labels 512": (HERE / "programs/labels.kas", 512, 21, 20),
    "coloured 512": (HERE / "programs/coloured.kas", 512, 12, 20),
    "jacobi 512": (HERE / "programs/jacobi.kas", 512, 12, 20),
    "double 512": (HERE / "programs/diffusion_double.kas", 512, 24, 20),
    "hyperthermia 512": (EXAMPLES / "hyperthermia.kas", 512, 28, 20),
}


def variants_of(name, options):
    """For lists also each way to run them."""
    ways = {"points": ("cells", "kernels"), "sources": ("cells", "kernels"), "probes": ("kernels",)}.get(name.split()[0], ())
    return {**variants(options), **{way: (options.kasc, ["--lists", way]) for way in ways}}


def list_of_cells(count, extent, generator):
    """Different cells of the interior, one number an entry."""
    inner = extent - 8
    cells = torch.randperm(inner**3, device="cuda", generator=generator)[:count]
    return [(4 + cells // inner**k % inner).int() for k in range(3)]


def random_arrays(program, scalars, seed=3):
    generator = torch.Generator(device="cuda").manual_seed(seed)
    arrays = {}
    lists = {
        "p": list_of_cells(scalars["np"], scalars["nx"], generator),
        "s": list_of_cells(scalars["ns"], scalars["nx"], generator),
    }
    for kind, name, _ in program.members:
        if kind not in ("in", "out"):
            continue
        shape, cell = program.shape(name, scalars) or [1], program.cells[name]
        if kind == "out":
            arrays[name] = torch.full(shape, float("nan"), device="cuda").to(cell)
        elif name in ("px", "py", "pz", "sx", "sy", "sz"):
            arrays[name] = lists[name[0]]["xyz".index(name[1])]
        elif name == "tissue":
            arrays[name] = torch.randint(0, KINDS, shape, device="cuda", generator=generator, dtype=cell)
        else:
            arrays[name] = torch.rand(shape, device="cuda", generator=generator, dtype=cell)
    for name, scale in (("beta", 1.4e-7), ("energy", 1e-2), ("perf", 1e-2), ("flow", 1e-2), ("absorb", 1e-2)):
        if name in arrays:
            arrays[name] *= scale
    if "dose" in arrays or "tissue" in arrays:
        arrays["T"] = arrays["T"] * 10 + 36  # around 43 degrees
    return arrays


def scalars_of(side, steps, points=POINTS, probes=PROBES):
    return {
        "nx": side,
        "ny": side,
        "nz": side,
        "nt": steps,
        "nm": KINDS,
        "np": points,
        "ns": probes,
        "steps": steps,
        "energy_rows": 0,
        "probe_rows": 0,
        **SCALARS,
    }


def check_against_reference(program, scalars):
    arrays = random_arrays(program, scalars)
    host = {name: array.cpu().contiguous() for name, array in arrays.items()}
    program.launch(program.arguments(scalars, arrays))
    torch.cuda.synchronize()
    program.reference(program.arguments(scalars, host))
    worst = 0.0
    for name in outputs(program):
        got, wanted = arrays[name].cpu(), host[name]
        if not torch.isfinite(wanted).all():
            raise RuntimeError(f"{program.name}: the reference's {name} is not finite")
        if not torch.equal(got, wanted):
            worst = max(worst, ((got - wanted).abs().max() / wanted.abs().max()).item())
    if not worst < 1e-5:
        raise RuntimeError(f"{program.name}: differs from the reference by {worst}")
    return "bitwise" if worst == 0 else f"{worst:.1e}"


def measure(name, programs):
    _, side, bytes_a_cell, steps = WORK[name]
    fused = programs["fused"]
    row = {"program": name, "bytes": bytes_a_cell, "check": check_against_reference(fused, scalars_of(37, 5, 40, 9))}
    scalars = scalars_of(side, steps)
    arrays = {variant: random_arrays(program, scalars) for variant, program in programs.items()}
    samples = {v: partial(program.kernel_seconds, program.arguments(scalars, arrays[v])) for v, program in programs.items()}
    for variant, times in in_rounds(samples, 10).items():
        seconds, low, high = (t / steps for t in times)
        row[variant] = {
            "ms": seconds * 1e3,
            "ms 10 %": low * 1e3,
            "ms 90 %": high * 1e3,
            "GCell/s": side**3 / seconds / 1e9,
            "GB/s": bytes_a_cell * side**3 / seconds / 1e9,
        }
    for program in programs.values():
        program.release()
    for variant, n in ((v, n) for v in programs for n in outputs(fused)):
        if not torch.equal(arrays[variant][n], arrays["unfused"][n]):
            raise RuntimeError(f"{name}: {variant} and unfused differ in {n}")
    return row


def table(results):
    copy = results["copy"]["copy GB/s"]
    lines = [
        f"Copy rate {copy:.0f} GB/s. Lists: {POINTS} sources, {PROBES} probes.",
        "",
        "| program | bytes a cell | kasc, GCell/s | of copy | unfused | speed-up | CPU | ms a step (10 to 90 %) |",
        "|---|---|---|---|---|---|---|---|",
    ]
    for r in results["rows"]:
        f, u = r["fused"], r["unfused"]
        lines.append(
            f"| {r['program']} | {r['bytes']} | {f['GCell/s']:.1f} | {f['GB/s'] / copy * 100:.0f} % | {u['GCell/s']:.1f} | {u['ms'] / f['ms']:.2f} | "
            f"{r['check']} | {f['ms']:.4f} ({f['ms 10 %']:.4f} to {f['ms 90 %']:.4f}) |"
        )
    lines += [
        "",
        "Lists, us a step: cell by cell in the field's kernel, or kernels of their own (other statements fused alike).",
        "",
        "| program | cells | kernels | taken |",
        "|---|---|---|---|",
    ]
    for r in [r for r in results["rows"] if "cells" in r]:
        taken = min(("cells", "kernels"), key=lambda v: abs(r[v]["ms"] - r["fused"]["ms"]))
        lines.append(f"| {r['program']} | {r['cells']['ms'] * 1e3:.1f} | {r['kernels']['ms'] * 1e3:.1f} | {taken} |")
    lines += [
        "",
        "Recordings, us a step: with the next kernel over the grid, or kernels of their own.",
        "",
        "| program | riding | kernels |",
        "|---|---|---|",
    ]
    for r in [r for r in results["rows"] if "kernels" in r and "cells" not in r]:
        lines.append(f"| {r['program']} | {r['fused']['ms'] * 1e3:.1f} | {r['kernels']['ms'] * 1e3:.1f} |")
    return "\n".join([*lines, *beside_before(results["rows"])]) + "\n"


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--kasc", required=True)
    parser.add_argument("--out", required=True)
    parser.add_argument("--work", default="/tmp/kasc_fields")
    parser.add_argument("--only", default="")
    parser.add_argument("--before", help="another kasc to compare with")
    options = parser.parse_args()
    names = [n for n in WORK if not options.only or any(part in n for part in options.only.split(","))]
    work, out = Path(options.work), Path(options.out)
    work.mkdir(parents=True, exist_ok=True)
    out.mkdir(parents=True, exist_ok=True)

    def build(job):
        name, variant, kasc, strategy = job
        program, side, _, steps = WORK[name]
        extents = {"x": side, "y": side, "z": side, "t": steps, "p": POINTS, "s": PROBES, "m": KINDS}
        declared = re.findall(
            r"\[([a-z, ]+)\]", " ".join(re.findall(r"^(?:float|double|int|uint8) .*?;", program.read_text(), re.M))
        )
        axes = {axis.strip() for axes in declared for axis in axes.split(",")}
        settings = [x for axis, n in extents.items() if axis in axes for x in ("--set", f"{axis}={n}")]
        folder = compile_program(kasc, program, work / f"{name.replace(' ', '_')}_{variant}", *settings, *strategy)
        return Emitted(folder, reference=variant == "fused")

    jobs = [(n, v, *of) for n in names for v, of in variants_of(n, options).items()]
    with ThreadPoolExecutor(14) as pool:
        built = dict(zip((job[:2] for job in jobs), pool.map(build, jobs)))
    results = {"versions": versions(), "copy": copy_rate(), "rows": []}
    for name in names:
        results["rows"].append(measure(name, {v: built[name, v] for v in variants_of(name, options)}))
        give_back()
        (out / "fields.json").write_text(json.dumps(results, indent=1))
        (out / "fields.md").write_text(table(results))
    print(table(results))


if __name__ == "__main__":
    main()
