"""Times programs on one GPU and on several of this machine that share them (kasc run --ranks), as kasc says what their kernels took.

    python3 ranks.py --kasc ../../bundle/bin/kasc --ranks 1 2 4 --out results [--only heat wave] [--scaling weak]

Random data. Of strong scaling all numbers of GPUs compute the same, and their outputs are compared to the byte; of weak scaling each GPU
has as much as one alone. Files lie in memory (/dev/shm)."""
import argparse
import json
import os
import re
import statistics
import subprocess
import time
from pathlib import Path

import h5py
import numpy as np

HERE = Path(__file__).resolve().parent
EXAMPLES = HERE.parent.parent / "examples"


def noise(rng, shape, low, high, kind=np.float32):
    """A block of random numbers side by side: what is drawn anew for each cell takes longer than all else."""
    cells = int(np.prod(shape))
    block = min(cells, 1 << 24)
    values = rng.random(block, dtype=np.float32) * (high - low) + low
    return np.resize(values.astype(kind), cells).reshape(shape)


def grid(n, gpus):
    return (n * gpus, n, n)


def heat(rng, shape):
    return {"T": noise(rng, shape, 30, 40), "beta": noise(rng, shape, 1e-8, 1e-7)}, {}


def hifu(rng, shape):
    probes = 64
    inputs = {
        "T": noise(rng, shape, 36, 38),
        "tissue": noise(rng, shape, 0, 4, np.uint8),
        "beam": noise(rng, shape, 0, 1000),
        "beta": np.float32([1e-7, 1.2e-7, 1.4e-7, 1.1e-7]),
        "w": np.float32([1e-3, 2e-3, 1e-4, 0]),
        "absorb": np.float32([1e-6, 2e-6, 1e-6, 3e-6]),
    }
    for axis, name in enumerate(("pz", "py", "px")):
        inputs[name] = rng.integers(0, shape[axis], probes).astype(np.int32)
    return inputs, {"frames": 1}


def wave(rng, shape):
    return {"p": noise(rng, shape, 0, 1e-3), "q": noise(rng, shape, 0, 1e-3), "c": noise(rng, shape, 0.5, 1)}, {"dt2": 0.01}


def gradients(rng, shape):
    return {"b": noise(rng, shape, 0, 1)}, {}


def bicgk(rng, shape):
    return {"A": noise(rng, shape, 0, 1), "p": noise(rng, shape[1:], 0, 1), "r": noise(rng, shape[:1], 0, 1)}, {}


# By name: the program, what makes its inputs, the shape by GPUs, steps, weak or strong scaling.
CASES = {
    "heat 512 a GPU": (EXAMPLES / "diffusion.kas", heat, lambda g: (512 * g, 512, 512), 2000, "weak"),
    "heat 512": (EXAMPLES / "diffusion.kas", heat, lambda g: (512, 512, 512), 10000, "strong"),
    "heat 1024": (EXAMPLES / "diffusion.kas", heat, lambda g: (1024, 1024, 1024), 400, "strong"),
    "heat 256": (EXAMPLES / "diffusion.kas", heat, lambda g: (256, 256, 256), 10000, "strong"),
    "hifu 512 a GPU": (EXAMPLES / "hifu.kas", hifu, lambda g: (512 * g, 512, 512), 600, "weak"),
    "wave8 512 a GPU": (HERE / "stencils/wave8.kas", wave, lambda g: (512 * g, 512, 512), 1500, "weak"),
    "wave8 512": (HERE / "stencils/wave8.kas", wave, lambda g: (512, 512, 512), 1500, "strong"),
    "gradients 512": (EXAMPLES / "blas/conjugate_gradients.kas", gradients, lambda g: (512, 512, 512), 1000, "strong"),
    "bicgk 32768": (HERE / "ranks/bicgk.kas", bicgk, lambda g: (32768, 32768), 500, "strong"),
}


def write(path, arrays):
    with h5py.File(path, "w", libver="latest") as f:
        for name, values in arrays.items():
            f.create_dataset(name, data=values)


def run(kasc, program, ranks, files, steps, settings, extra):
    """Milliseconds a step, and what kasc said."""
    call = [kasc, "run", program, "--in", files[0], "--out", files[1], "--allow", "not-finite,unstable"]
    for name, value in settings.items():
        call += ["--set", f"{name}={value}"]
    if ranks > 1:
        call += ["--ranks", str(ranks)]
    done = subprocess.run([str(word) for word in call] + extra, capture_output=True, text=True)
    said = done.stdout + done.stderr
    took = re.search(r"([\d.]+) s of it in kernels", said)
    if done.returncode != 0 or not took:
        raise RuntimeError(said[-3000:])
    return float(took[1]) / steps * 1e3, said


def same(a, b):
    with h5py.File(a) as one, h5py.File(b) as other:
        return sorted(one) == sorted(other) and all(
            np.array_equal(one[k][...].view(np.uint8), other[k][...].view(np.uint8)) for k in one if one[k].shape != ()
        )


def measure(options, name):
    program, make, shape_of, steps, scaling = CASES[name]
    rng = np.random.default_rng(7)
    results, made, said = {}, None, {}
    folder = Path(options.scratch)
    for ranks in options.ranks:
        began = time.time()
        shape = shape_of(ranks if scaling == "weak" else 1)
        files = folder / "in.h5", folder / f"out{ranks}.h5"
        if made != shape:
            inputs, settings = make(rng, shape)
            if "frames" in settings:
                inputs["on"] = np.ones(steps, np.float32)
            write(files[0], inputs)
            del inputs
            made = shape
        settings = {**settings, "steps": steps}
        times = []
        for _ in range(options.repeats):
            ms, said[ranks] = run(options.kasc, program, ranks, files, steps, settings, options.extra)
            times.append(ms)
        results[ranks] = {"ms": statistics.median(times), "low": min(times), "high": max(times)}
        if scaling == "strong" and ranks > options.ranks[0]:
            results[ranks]["same bytes"] = bool(same(folder / f"out{options.ranks[0]}.h5", files[1]))
        if ranks != options.ranks[0]:
            files[1].unlink()
        print(f"  {name}, {ranks}: {results[ranks]} in {time.time() - began:.0f} s", flush=True)
    (folder / f"out{options.ranks[0]}.h5").unlink()
    one = results[options.ranks[0]]["ms"]
    for ranks, figures in results.items():
        figures["times one"] = one / figures["ms"] * (ranks if scaling == "weak" else 1)
    return {"steps": steps, "scaling": scaling, "by GPUs": results, "said": said}


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--kasc", required=True)
    parser.add_argument("--ranks", type=int, nargs="+", default=[1, 2, 4])
    parser.add_argument("--repeats", type=int, default=3)
    parser.add_argument("--only", nargs="*", default=list(CASES))
    parser.add_argument("--scratch", default="/dev/shm")
    parser.add_argument("--out", default="results")
    parser.add_argument("--extra", nargs=argparse.REMAINDER, default=[], help="flags of kasc run")
    options = parser.parse_args()
    Path(options.out).mkdir(parents=True, exist_ok=True)
    results = {}
    for name in options.only:
        try:
            results[name] = measure(options, name)
        except RuntimeError as e:
            print(f"  {name}: {e}", flush=True)
            continue
        (Path(options.out) / "ranks.json").write_text(json.dumps(results, indent=1))
    print("| program | GPUs | ms a step | spread | of one GPU | same bytes |\n|---|---|---|---|---|---|")
    for name, result in results.items():
        for ranks, f in result["by GPUs"].items():
            spread = f"{f['low']:.4f} to {f['high']:.4f}"
            print(f"| {name} | {ranks} | {f['ms']:.4f} | {spread} | {f['times one']:.2f} | {f.get('same bytes', '')} |")


if __name__ == "__main__":
    main()
