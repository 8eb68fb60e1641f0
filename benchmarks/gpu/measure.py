"""Measures emitted programs on this machine's GPU: fused, unfused, the device's own copy rate, torch.compile and JAX, all
in one run, on random data, each result checked first.

    python3 benchmarks/gpu/measure.py --kasc bundle/bin/kasc --out results [--before OTHER_KASC]

Writes results.json and results.md; with --before the kernels of another kasc too, in turn with those of the first. GB/s are those of the fused minimum: every input of the program read once, every
output written once, whatever the variant really moves."""
import argparse
import ctypes
import itertools
import json
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path

import torch

from emitted import Emitted, beside_before, compile_program, give_back, in_rounds, median_and_spread, variants
from workloads import FIELDS, PARAMETERS, STREAMS, STREAM_ELEMENTS, sets

ROOT = Path(__file__).resolve().parents[2]
REPEATS = 30
STREAM_CALLS = 20  # a sample: a stream's kernel takes some 50 us, the start of a sample several


def sample(f, inner):
    """Seconds a call, of `inner` calls."""
    a, b = torch.cuda.Event(True), torch.cuda.Event(True)
    a.record()
    for _ in range(inner):
        f()
    b.record()
    b.synchronize()
    return a.elapsed_time(b) / inner * 1e-3


def time_events(f, repeats=REPEATS, inner=5):
    """Seconds a call: median and 10th to 90th percentile of `repeats` samples of `inner` calls each."""
    return in_rounds({"f": partial(sample, f, inner)}, repeats)["f"]


def in_turn(f, arguments):
    """Calls f with the next of the arguments each time."""
    turn = itertools.cycle(arguments)
    return lambda: f(next(turn))


def copy_rate(words=1 << 30, inner=5):
    """Of a copy of so many words within the device: short copies do not reach the rate of long ones."""
    pairs = [(torch.rand(words, device="cuda"), torch.empty(words, device="cuda")) for _ in range(sets(8 * words))]
    seconds, low, high = time_events(in_turn(lambda pair: pair[1].copy_(pair[0]), pairs), repeats=15, inner=inner)
    return {"copy GB/s": 8 * words / seconds / 1e9, "spread": [8 * words / high / 1e9, 8 * words / low / 1e9]}


def random_like(program, scalars, seed, integers):
    generator = torch.Generator(device="cuda").manual_seed(seed)
    arrays = {}
    for kind, name, _ in program.members:
        if kind not in ("in", "out"):
            continue
        shape = program.shape(name, scalars) or [1]
        if kind == "out":
            arrays[name] = torch.full(shape, float("nan"), device="cuda")
        elif integers:
            arrays[name] = torch.randint(-2, 3, shape, device="cuda", generator=generator).float()
        else:
            arrays[name] = torch.rand(shape, device="cuda", generator=generator)
        if kind == "in" and name == "F" and shape[-2:] == [3, 3]:  # a deformation gradient: near a rotation, det > 0
            arrays[name] = torch.eye(3, device="cuda") + 0.3 * arrays[name]
    return arrays


def outputs(program):
    return [name for kind, name, _ in program.members if kind == "out"]


def check_against_reference(program, scalars, seed=5):
    """The emitted kernels on the GPU against the unfused CPU reference, word for word."""
    arrays = random_like(program, scalars, seed, integers=False)
    for name, array in list(arrays.items()):
        if name == "beta":
            arrays[name] = array * 1.4e-7
    program.launch(program.arguments(scalars, arrays))
    torch.cuda.synchronize()
    host = {n: a.cpu().contiguous() for n, a in arrays.items()}
    expected = {n: (torch.full_like(host[n], float("nan")) if n in outputs(program) else host[n]) for n in host}
    program.reference(program.arguments(scalars, expected))
    worst = 0.0
    for name in outputs(program):
        same = torch.equal(host[name].view(torch.int32), expected[name].view(torch.int32))
        if not same:
            worst = max(worst, ((host[name] - expected[name]).abs().max() / expected[name].abs().max()).item())
            if not worst < 1e-5:
                raise RuntimeError(f"{program.name}: {name} differs from the reference by {worst}")
    return "bitwise" if worst == 0 else f"{worst:.1e}"


def same_bits(fused, variant, of_fused, of_other):
    for name in outputs(fused):
        if not torch.equal(of_fused[name].view(torch.int32), of_other[name].view(torch.int32)):
            raise RuntimeError(f"{fused.name}: fused and {variant} differ in {name}")


def build(options, name, variant, work):
    program, extents = (FIELDS[name][0], FIELDS[name][2]) if name in FIELDS else (name, {})
    settings = [x for k, v in extents.items() for x in ("--set", f"{k[1:]}={v}")]
    kasc, strategy = variants(options)[variant]
    folder = compile_program(
        kasc, ROOT / "examples" / f"{program}.kas", work / f"{name.replace(' ', '_')}_{variant}", *settings, *strategy
    )
    return Emitted(folder, reference=variant == "fused")


def measure_stream(name, programs):
    function, bytes_each = STREAMS[name]
    n = STREAM_ELEMENTS
    fused = programs["fused"]
    scalars = {"n": n, **PARAMETERS.get(name, {})}
    row = {
        "program": name,
        "bytes": bytes_each,
        "check": check_against_reference(fused, {**scalars, "n": 100004}),
        "copy of as many bytes": copy_rate(n * bytes_each // 8, STREAM_CALLS),
    }
    data, samples = {}, {}
    for variant, p in programs.items():
        data[variant] = [random_like(p, scalars, 1 + k, integers=False) for k in range(sets(n * bytes_each))]
        calls = [p.arguments(scalars, arrays) for arrays in data[variant]]
        for a in calls:
            p.launch(a)
        samples[variant] = partial(sample, in_turn(p.launch, calls), STREAM_CALLS)
    for variant, (seconds, low, high) in in_rounds(samples, REPEATS).items():
        row[variant] = {"ms": seconds * 1e3, "GB/s": n * bytes_each / seconds / 1e9, "ms 10 %": low * 1e3, "ms 90 %": high * 1e3}
    for variant in programs.keys() - {"fused"}:
        for of_fused, of_other in zip(data["fused"], data.pop(variant)):
            same_bits(fused, variant, of_fused, of_other)
    for p in programs.values():
        p.release()
    inputs = [{k: v for k, v in arrays.items() if k not in outputs(fused)} for arrays in data["fused"]]
    torch._dynamo.reset()  # else the ninth program would run uncompiled: dynamo bounds recompilations of one function
    peer = torch.compile(lambda d: function(torch, d))
    result = peer(inputs[0])
    first = data["fused"][0]
    for key, value in result.items():
        got = first[f"{key}_out" if f"{key}_out" in first else key]
        error = ((got.reshape(value.shape) - value).norm() / value.norm()).item()
        if not error < 1e-5:
            raise RuntimeError(f"{name}: {key} differs from torch by {error}")
    seconds, low, high = time_events(in_turn(peer, inputs), inner=STREAM_CALLS)
    row["torch.compile"] = {
        "ms": seconds * 1e3,
        "GB/s": n * bytes_each / seconds / 1e9,
        "ms 10 %": low * 1e3,
        "ms 90 %": high * 1e3,
    }
    return row


def field_data(fused, scalars):
    arrays = random_like(fused, scalars, 2, integers=False)
    if "beta" in arrays:
        arrays["beta"] *= 1.4e-7
    if "dose" in arrays:
        arrays["T"] = arrays["T"] * 10 + 36  # around 43 degrees
    return arrays


def naive_rate(library, program, data, extents, words, cells, steps):
    """The program as a first CUDA version, built from naive.cu."""
    T = data["T"].clone()
    out = T.clone()
    pointer = lambda name: ctypes.c_void_p(data[name].data_ptr() if name in data else None)
    if program == "heat2d":
        seconds = [
            library.naive_heat2d(ctypes.c_void_p(T.data_ptr()), ctypes.c_void_p(out.data_ptr()), *extents.values(), steps)
            for _ in range(7)
        ]
    else:
        kind = ["diffusion", "heat3d", "hyperthermia"].index(program)
        dose = torch.zeros_like(T)
        seconds = [
            library.naive_heat3d(
                kind,
                ctypes.c_void_p(T.data_ptr()),
                ctypes.c_void_p(out.data_ptr()),
                pointer("beta"),
                pointer("q"),
                pointer("perf"),
                ctypes.c_void_p(dose.data_ptr()),
                *extents.values(),
                steps,
            )
            for _ in range(7)
        ]
    if min(seconds) <= 0:
        raise RuntimeError(f"{program}: the naive kernel failed")
    return rate(*median_and_spread(seconds[2:]), words * 4, cells)


def rate(seconds, low, high, bytes_each, cells):
    return {
        "ms": seconds * 1e3,
        "GB/s": cells * bytes_each / seconds / 1e9,
        "GCell/s": cells / seconds / 1e9,
        "ms 10 %": low * 1e3,
        "ms 90 %": high * 1e3,
    }


def measure_field(name, programs, naive):
    program, step, extents, words, steps = FIELDS[name]
    cells = 1
    for e in extents.values():
        cells *= e
    scalars = {**extents, "steps": steps, "nt": steps, "dt": 0.1, "dx": 1e-3, "alpha": 0.2, "blood": 37}
    small = {**scalars, "steps": 7, **{k: (65 if len(extents) == 3 else 259) for k in extents}}
    row = {"program": name, "bytes": words * 4, "check": check_against_reference(programs["fused"], small)}
    arrays = {v: field_data(p, scalars) for v, p in programs.items()}
    samples = {v: partial(p.kernel_seconds, p.arguments(scalars, arrays[v])) for v, p in programs.items()}
    for variant, times in in_rounds(samples, 10).items():
        row[variant] = rate(*(t / steps for t in times), words * 4, cells)
    data = arrays.pop("fused")
    for variant in programs.keys() - {"fused"}:
        same_bits(programs["fused"], variant, data, arrays.pop(variant))
    for p in programs.values():
        p.release()
    row["naive"] = naive_rate(naive, program, data, extents, words, cells, steps)

    def put(T, i, new):
        out = T.clone()
        out[i] = new
        return out

    data["put"] = put
    torch._dynamo.reset()
    peer = torch.compile(lambda T, n: step(torch, data, T, n))
    dosed = program == "hyperthermia"
    T = (data["T"], torch.zeros_like(data["T"])) if dosed else data["T"]
    expected = T
    for n in range(steps):
        expected = peer(expected, n)
    for got, wanted in (
        (data["T_out"] if "T_out" in data else data["T"], expected[0] if dosed else expected),
        *([(data["dose"], expected[1])] if dosed else []),
    ):
        error = ((got - wanted).norm() / wanted.norm()).item()
        if not error < 1e-5:
            raise RuntimeError(f"{name}: differs from torch by {error}")
    del expected
    row["torch.compile"] = rate(*time_events(lambda: peer(T, 0), repeats=15, inner=3), words * 4, cells)
    return row


def jax_rows():
    done = subprocess.run([sys.executable, str(Path(__file__).with_name("measure_jax.py"))], capture_output=True, text=True)
    if done.returncode != 0:
        print(done.stderr[-2000:], file=sys.stderr)
        return {}
    return json.loads(done.stdout.strip().splitlines()[-1])


def versions():
    nvcc = subprocess.run(["nvcc", "--version"], capture_output=True, text=True).stdout.strip().splitlines()[-1]
    driver = subprocess.run(
        ["nvidia-smi", "--query-gpu=driver_version", "--format=csv,noheader"], capture_output=True, text=True
    ).stdout.strip()
    return {"device": torch.cuda.get_device_name(), "driver": driver, "nvcc": nvcc, "torch": torch.__version__}


def table(results):
    v = results["versions"]
    copy = results["copy"]["copy GB/s"]
    lines = [
        f"# {v['device']}, {results['date']}",
        "",
        f"Driver {v['driver']}, {v['nvcc']}, torch {v['torch']}, JAX {results.get('jax version', '-')}. Copy rate, device to device, in the same run: "
        f"{copy:.0f} GB/s (10 to 90 %: {results['copy']['spread'][0]:.0f} to {results['copy']['spread'][1]:.0f}).",
        "",
        "GB/s of the fused minimum (every input read once, every output written once), medians of 10 to 30 samples on random data, "
        "of which there are so many sets in turn that none is left in L2 from the last time; "
        "every result checked first (fused against unfused: bit for bit on the device; against the CPU: the column 'CPU').",
        "",
        "| program | bytes | fused | of copy | copy of as many bytes | unfused | speed-up | torch.compile | JAX | CPU | fused ms (10 to 90 %) |",
        "|---|---|---|---|---|---|---|---|---|---|---|",
    ]
    for r in [r for r in results["rows"] if "naive" not in r]:
        jax = results["jax"].get(r["program"], {}).get("GB/s")
        f, u, t = r["fused"], r["unfused"], r.get("torch.compile")
        peer = f"{t['GB/s']:.0f}" if t else "-"
        same = f"{r['copy of as many bytes']['copy GB/s']:.0f}" if "copy of as many bytes" in r else "-"
        lines.append(
            f"| {r['program']} | {r['bytes']} | {f['GB/s']:.0f} | {f['GB/s'] / copy * 100:.0f} % | {same} | {u['GB/s']:.0f} | {u['ms'] / f['ms']:.2f} | "
            f"{peer} | {f'{jax:.0f}' if jax else '-'} | {r['check']} | {f['ms']:.3f} ({f['ms 10 %']:.3f} to {f['ms 90 %']:.3f}) |"
        )
    lines += [
        "",
        "Fields, GCell/s. 'naive': one thread a cell, by hand (naive.cu). 'of copy': of what the copy rate allows at the fused "
        "minimum's bytes. Results equal the unfused kernels' bit for bit and torch's to rounding.",
        "",
        "| program | bytes a cell | kasc | of copy | unfused | speed-up | naive | torch.compile | JAX | CPU | ms a step (10 to 90 %) |",
        "|---|---|---|---|---|---|---|---|---|---|---|",
    ]
    for r in [r for r in results["rows"] if "naive" in r]:
        jax = results["jax"].get(r["program"], {}).get("GCell/s")
        f, u = r["fused"], r["unfused"]
        lines.append(
            f"| {r['program']} | {r['bytes']} | {f['GCell/s']:.1f} | {f['GB/s'] / copy * 100:.0f} % | {u['GCell/s']:.1f} | {u['ms'] / f['ms']:.2f} | "
            f"{r['naive']['GCell/s']:.1f} | {r['torch.compile']['GCell/s']:.1f} | {f'{jax:.1f}' if jax else '-'} | {r['check']} | "
            f"{f['ms']:.3f} ({f['ms 10 %']:.3f} to {f['ms 90 %']:.3f}) |"
        )
    return "\n".join([*lines, *beside_before(results["rows"])]) + "\n"


def naive_library(work):
    subprocess.run(
        [
            "nvcc",
            "-std=c++17",
            "-O3",
            "-arch=sm_90",
            "-Xcompiler",
            "-fPIC",
            "-shared",
            "-o",
            str(work / "naive.so"),
            str(Path(__file__).with_name("naive.cu")),
        ],
        check=True,
    )
    library = ctypes.CDLL(str(work / "naive.so"))
    library.naive_heat2d.restype = library.naive_heat3d.restype = ctypes.c_double
    return library


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--kasc", required=True)
    parser.add_argument("--out", required=True)
    parser.add_argument("--date", default="")
    parser.add_argument("--only", default="")
    parser.add_argument("--before", help="another kasc to compare with")
    arguments = parser.parse_args()
    work = Path(tempfile.mkdtemp())
    results = {"date": arguments.date, "versions": versions(), "copy": copy_rate(), "rows": []}
    give_back()
    naive = naive_library(work)
    wanted = arguments.only.split(",") if arguments.only else [*STREAMS, *FIELDS]
    failed = []
    with ThreadPoolExecutor(14) as pool:
        builds = {name: {v: pool.submit(build, arguments, name, v, work) for v in variants(arguments)} for name in wanted}
    for name in wanted:
        try:
            programs = {v: built.result() for v, built in builds.pop(name).items()}
            row = measure_stream(name, programs) if name in STREAMS else measure_field(name, programs, naive)
            results["rows"].append(row)
            print(json.dumps(row), flush=True)
        except (RuntimeError, subprocess.CalledProcessError) as fault:  # the other programs are measured all the same
            failed.append(f"{name}: {fault}")
        give_back()
    results["jax"] = jax_rows()
    results["jax version"] = results["jax"].pop("version", "-")
    Path(arguments.out).mkdir(parents=True, exist_ok=True)
    (Path(arguments.out) / "results.json").write_text(json.dumps(results, indent=1) + "\n")
    (Path(arguments.out) / "results.md").write_text(table(results))
    print(table(results))
    for line in failed:
        print("FAILED", line, file=sys.stderr)
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    main()
