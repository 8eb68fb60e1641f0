"""Times the programs of the gallery, and writes docs/gallery.md from what was measured.

    measure.py cpu KASC FILE.json [NAME…]      beside NumPy, on this machine's CPU
    measure.py gpu KASC FILE.json [NAME…]      beside JAX, where a program says how, on this machine's GPU
    measure.py page CPU.json [GPU.json]        docs/gallery.md from these files, which lie in benchmarks/results

Each result is compared with the reference (on a CPU) or, small, with the CPU's, from which all its values together may be 2e-5 of them
away (on a GPU), before a time is written down; JAX's, small, with the reference, and large with kasc's. Times are the least of three
runs, and for JAX of three behind the first, which compiles."""

import datetime
import json
import os
import pathlib
import platform
import re
import subprocess
import sys
import time

import numpy as np

import gallery

ROOT = gallery.HERE.parents[1]
HEAD = """\
# The gallery

Short programs of many fields of science, in [examples/gallery](../examples/gallery). Beside each one lies the same in NumPy, with which `ctest -R gallery`
compares it, in double precision. Pictures are kasc's own, by `kasc run --picture` and `kasc view`:

    examples/gallery/gallery.py check build/bin/kasc waves/double_slit
    examples/gallery/gallery.py picture build/bin/kasc waves/double_slit

This page is written by [measure.py](../examples/gallery/measure.py) from files in [benchmarks/results](../benchmarks/results). *kernels*: how many launches
an H100 has a step, in the loop that has the most of them (`kasc explain`). *the command*: all of `kasc run`, with reading, checking and writing files, what it
builds found in its cache. NumPy computes in double, by the text that lies beside the program, which is written to be read, on one core. The least
of three runs each.
"""
REPEATS = 3


def least(measured):
    return min(measured() for _ in range(REPEATS))


def seconds(call):
    begin = time.perf_counter()
    call()
    return time.perf_counter() - begin


def kasc_times(kasc, name, inputs, settings, target):
    """Results; seconds in kernels and of the whole command, whose build is found in the cache."""
    taken = []
    for _ in range(1 + REPEATS):  # the first one builds
        begin = time.perf_counter()
        found, printed = gallery.run(kasc, name, inputs, settings, "--timing=json", target=target)
        whole = time.perf_counter() - begin
        timing = json.loads(printed[printed.index('{"timing"') :].splitlines()[0])["timing"]
        taken.append((timing["kernel_seconds"], timing["total_seconds"], whole))
    return found, min(kernels for kernels, _, _ in taken[1:]), min(total for _, total, _ in taken[1:])


def kernels_of_a_step(kasc, name, settings, device):
    """Kernels of the loop that has most of them, those of loops within it too; that a kernel has several steps says its name."""
    words = [word for setting, value in settings.items() for word in ("--set", f"{setting}={value}")]
    printed = subprocess.run(
        [kasc, "explain", gallery.HERE / f"{name}.kas", "--device", device, "--format", "json", *words],
        capture_output=True,
        text=True,
        check=True,
    ).stdout
    loops = [graph for graph in json.loads(printed)["plans"][0]["graphs"] if graph["graph"] != "program"]
    return {graph["graph"]: len(graph["kernels"]) for graph in loops}


def save(file, device, results):
    """Other programs' results of the same device and day stay."""
    file, day = pathlib.Path(file), str(datetime.date.today())
    former = json.loads(file.read_text()) if file.exists() else {}
    kept = former.get("programs", {}) if (former.get("device"), former.get("date")) == (device, day) else {}
    file.write_text(json.dumps({"device": device, "date": day, "programs": kept | results}, indent=1) + "\n")


def cpu_name():
    lines = pathlib.Path("/proc/cpuinfo").read_text().splitlines()
    model = next((line.split(":")[1].strip() for line in lines if line.startswith("model name")), platform.machine())
    return f"{model}, {sum(line.startswith('processor') for line in lines)} cores"


def on_cpu(kasc, file, *names):
    for name in names or gallery.NAMES:
        module = gallery.load(name)
        inputs, settings = gallery.problem(module, module.TIMED)
        found, kernels, whole = kasc_times(kasc, name, inputs, settings, "cpu")
        expected = module.reference(inputs, **settings)
        # Larger and longer than what is checked: errors are as many times larger, at most.
        far = [
            field
            for field, bound in module.BOUNDS.items()
            if np.abs(found[field] - expected[field]).max() > max(100 * bound, 1e-4) * np.abs(expected[field]).max()
        ]
        if far:
            print(f"{name}: {far} differ, no time is kept")
            continue
        numpy = least(lambda: seconds(lambda: module.reference(inputs, **settings)))
        result = {
            "size": module.TIMED,
            "kasc kernels s": kernels,
            "kasc whole s": whole,
            "numpy s": numpy,
            "kernels": kernels_of_a_step(kasc, name, settings, "h100"),
        }
        print(name, result, flush=True)
        save(file, cpu_name(), {name: result})


def jax_seconds(module, inputs, settings):
    os.environ.setdefault("XLA_PYTHON_CLIENT_PREALLOCATE", "false")  # kasc runs beside it
    import jax

    arrays = {
        name: jax.numpy.asarray(value if np.issubdtype(value.dtype, np.integer) else value.astype(np.float32))
        for name, value in inputs.items()
    }
    compiled = jax.jit(module.in_jax(jax, **settings))
    run = lambda: jax.block_until_ready(compiled(arrays))
    found = {name: np.asarray(value, np.float64) for name, value in run().items()}
    return found, least(lambda: seconds(run))


def differences(found, expected, of):
    """Of each result, as a part of its largest value (of = np.max) or of all its values together (np.sum)."""
    apart = {field: of(np.abs(value - expected[field])) for field, value in found.items()}
    return {field: float(far / of(np.abs(expected[field]))) if far else 0.0 for field, far in apart.items()}


def beside_jax(name, module, small, large, of_kasc):
    """Seconds, if JAX gives the same. Large, a few cells fall on the other side of a threshold: there all cells count together."""
    inputs, settings = small
    of_small = differences(jax_seconds(module, *small)[0], module.reference(inputs, **settings), np.max)
    found, taken = jax_seconds(module, *large)
    of_large = differences(found, of_kasc, np.sum)
    far = [
        field
        for field, bound in module.BOUNDS.items()  # NaN is far
        if not (of_small[field] <= max(10 * bound, 1e-5) and of_large[field] <= max(10 * bound, 1e-3))
    ]
    if far:
        print(f"{name}: {far} differ in JAX, its time is not kept; small, by {of_small}, large, by {of_large}")
        return {}
    return {"jax s": taken, "jax differs by": of_large}


def on_gpu(kasc, file, *names):
    device = subprocess.run(["nvidia-smi", "--query-gpu=name", "--format=csv,noheader"], capture_output=True, text=True, check=True)
    for name in names or gallery.NAMES:
        module = gallery.load(name)
        small = gallery.problem(module, module.SMALL)
        on_both = [gallery.run(kasc, name, *small, target=target)[0] for target in ("cuda", "cpu")]
        apart = differences(*on_both, np.sum)  # functions and transforms of libraries round differently
        if not all(apart[field] <= 2e-5 for field in module.BOUNDS):
            print(f"{name}: a GPU and a CPU differ by {apart}, no time is kept")
            continue
        inputs, settings = gallery.problem(module, module.LARGE)
        found, kernels, whole = kasc_times(kasc, name, inputs, settings, "cuda")
        result = {"size": module.LARGE, "kasc kernels s": kernels, "kasc whole s": whole}
        if hasattr(module, "in_jax"):
            result |= beside_jax(name, module, small, (inputs, settings), found)
        print(name, result, flush=True)
        save(file, device.stdout.strip().splitlines()[0], {name: result})


def shown(value):
    return "–" if value is None else f"{value:.2f} s" if value >= 1 else f"{value * 1e3:.3g} ms"


def size_text(size):
    return ", ".join(f"{name} {value}" for name, value in size.items())


def kernels_text(loops):
    """Of the loop that has most; its name says how many steps stand in it: n_4."""
    loop = max(loops, key=loops.get, default="")
    several = re.search(r"_(\d+)$", loop)
    return "–" if not loop else f"{loops[loop]} for {several.group(1)} steps" if several else str(loops[loop])


def row(name, cpu, gpu):
    times = cpu.get("programs", {}).get(name, {})
    on_gpu = gpu.get("programs", {}).get(name, {})
    cells = [
        f"[{name}](#{name.split('/')[1]})",
        kernels_text(times.get("kernels", {})),
        size_text(times.get("size", {})),
        shown(times.get("kasc kernels s")),
        shown(times.get("kasc whole s")),
        shown(times.get("numpy s")),
    ]
    if gpu:
        cells += [size_text(on_gpu.get("size", {})), shown(on_gpu.get("kasc kernels s")), shown(on_gpu.get("jax s"))]
    return f"| {' | '.join(cells)} |"


def page(cpu_file, gpu_file=None):
    cpu = json.loads(pathlib.Path(cpu_file).read_text())
    gpu = json.loads(pathlib.Path(gpu_file).read_text()) if gpu_file else {}
    columns = ["program", "kernels", "size", "kasc, kernels", "kasc, the command", "NumPy"]
    measured = f"Measured on {cpu['date']}: {cpu['device']}."
    if gpu:
        columns += ["size on a GPU", "kasc, kernels", "JAX"]
        measured += (
            f" {gpu['date']}: {gpu['device']}, on which JAX computes in single precision, by the text that lies beside the"
            " program, all steps in one compiled function."
        )
    lines = [
        HEAD.rstrip(),
        "",
        measured,
        "",
        f"| {' | '.join(columns)} |",
        "|---" * len(columns) + "|",
        *(row(name, cpu, gpu) for name in gallery.NAMES),
    ]
    science = None
    for name in gallery.NAMES:
        folder, program = name.split("/")
        if folder != science:
            lines += ["", f"## {folder.replace('_', ' ').capitalize()}"]
            science = folder
        lines += [
            "",
            f"### {program}",
            f"{gallery.load(name).__doc__.splitlines()[0].rstrip('.')}"
            f" ([program](../examples/gallery/{name}.kas), [check](../examples/gallery/{name}.py)).",
            "",
            f"![{program}](../examples/gallery/{name}.png)",
        ]
    (ROOT / "docs/gallery.md").write_text("\n".join(lines) + "\n")


if __name__ == "__main__":
    {"cpu": on_cpu, "gpu": on_gpu, "page": page}[sys.argv[1]](*sys.argv[2:])
