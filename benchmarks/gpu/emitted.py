"""An emitted program, built by nvcc and called through its C header: arguments as a ctypes struct read off the header,
device arrays as torch tensors."""

import ctypes
import math
import re
import subprocess
import time
from pathlib import Path

import torch


def give_back():
    """Memory that nothing holds any more, to the driver. It clears that meanwhile: kernels beside take 15 % longer."""
    torch.cuda.empty_cache()
    torch.cuda.synchronize()
    time.sleep(0.5)


def compile_program(kasc, program, folder, *options):
    """kasc's own files for `program` in `folder`; returns the folder. `kasc`: the command, or a folder of what it made elsewhere."""
    if Path(kasc).is_dir():
        return Path(kasc) / Path(folder).name
    subprocess.run([kasc, "compile", str(program), "-o", str(folder), *options], check=True, stdout=subprocess.DEVNULL)
    return Path(folder)


def variants(options):
    """What is measured of a program, by name: whose code, and its options of kasc compile."""
    before = {"before": (options.before, [])} if options.before else {}
    return {"fused": (options.kasc, []), **before, "unfused": (options.kasc, ["--strategy", "none"])}


# By the type of a header's member: what torch and ctypes call it.
CELLS = {
    "float": torch.float32,
    "double": torch.float64,
    "int": torch.int32,
    "unsigned char": torch.uint8,
    "long long": torch.int64,
    "kasc_half": torch.float16,
}
SCALARS = {"long long": ctypes.c_longlong, "int": ctypes.c_int, "float": ctypes.c_float, "double": ctypes.c_double}


class Header:
    """What the C header in `folder` says of an emitted program's arguments."""

    def __init__(self, folder):
        self.folder = Path(folder)
        header = next(p for p in sorted(self.folder.glob("*.h")) if not p.name.startswith("kasc_"))
        self.name = header.stem
        text = header.read_text()
        body = re.search(r"typedef struct \w+_arguments \{(.*?)\}", text, re.S).group(1)
        self.members = []  # (kind, name, shape text); kind: "in", "out" or a scalar's type
        self.cells = {}  # torch's type by the name of an array
        for line in body.strip().splitlines():
            array = re.match(r"\s*(const )?(float|double|int|unsigned char|long long|kasc_half) \*(\w+); /\* \w+:\s*(.*) \*/", line)
            scalar = re.match(r"\s*(long long|int|float|double) (\w+);", line)
            if array:
                self.members.append(("in" if array.group(1) else "out", array.group(3), array.group(4)))
                self.cells[array.group(3)] = CELLS[array.group(2)]
            else:
                self.members.append((scalar.group(1), scalar.group(2), ""))

    def shape(self, name, scalars):
        text = next(s for _, n, s in self.members if n == name)
        return [int(scalars[e]) if e in scalars else int(e) for e in re.findall(r"\[(\w+)\]", text)]

    def is_complex(self, name):
        return any(n == name and s.endswith("real and imaginary part") for _, n, s in self.members)


class Emitted(Header):
    """`build`: by nvcc, else it was built before."""

    def __init__(self, folder, architecture="sm_90", reference=False, libraries=(), build=True):
        super().__init__(folder)
        types = {**SCALARS, "in": ctypes.c_void_p, "out": ctypes.c_void_p}
        self.Arguments = type("Arguments", (ctypes.Structure,), {"_fields_": [(n, types[k]) for k, n, _ in self.members]})
        if build:
            self._build(architecture, reference, libraries)
        self.library = ctypes.CDLL(str(self.folder / f"{self.name}.so"))
        getattr(self.library, f"{self.name}_message").restype = ctypes.c_char_p
        self.prepared = {}

    def _build(self, architecture, reference, libraries):
        so = self.folder / f"{self.name}.so"
        if (self.folder / "kasc_at_store.cuh").exists():
            libraries = [*libraries, "nvrtc"]
        sources = [self.folder / f"{self.name}.cu"] + ([self.folder / f"{self.name}_reference.cpp"] if reference else [])
        subprocess.run(
            [
                "nvcc",
                "-std=c++17",
                "-O3",
                "--fmad=false",
                f"-arch={architecture}",
                "-Xcompiler",
                "-fPIC,-fopenmp,-ffp-contract=off,-march=native",
                "-Werror",
                "all-warnings",
                "-shared",
                "-o",
                str(so),
                *map(str, sources),
                "-lgomp",
                *(f"-l{name}" for name in libraries),
            ],
            check=True,
        )

    def arguments(self, scalars, arrays):
        """A struct with `scalars` by name and the data pointers of `arrays` by name."""
        a = self.Arguments()
        for kind, name, _ in self.members:
            setattr(a, name, arrays[name].data_ptr() if kind in ("in", "out") else scalars[name])
        return a

    def _call(self, function, *arguments):
        status = getattr(self.library, f"{self.name}_{function}")(*arguments)
        if status != 0:
            raise RuntimeError(
                f"{self.name}_{function}: status {status}: {getattr(self.library, self.name + '_message')().decode()}"
            )

    def _prepared(self, a):
        """Once for the extents; where loops are CUDA graphs, which serve the arrays they are made with, for all that `a` says."""
        graphs = (self.folder / "kasc_graphs.cuh").exists()
        key = bytes(a) if graphs else tuple(getattr(a, n) for k, n, _ in self.members if k == "long long")
        if key not in self.prepared:
            made = ctypes.c_void_p()
            self._call("prepare", ctypes.byref(a), None, ctypes.byref(made))
            self.prepared[key] = made
        return self.prepared[key]

    def release(self):
        """Gives back what was prepared, once all launches are done."""
        torch.cuda.synchronize()
        while self.prepared:
            self._call("release", self.prepared.popitem()[1])

    def launch(self, a):
        self._call("launch", self._prepared(a), ctypes.byref(a), None)

    def kernel_seconds(self, a):
        seconds = ctypes.c_double()
        self._call("launch", self._prepared(a), ctypes.byref(a), ctypes.byref(seconds))
        return seconds.value

    def reference(self, a):
        self._call("reference_compute", ctypes.byref(a), None, None, None)


def median_and_spread(samples):
    ordered = sorted(samples)
    n = len(ordered)
    return ordered[n // 2], ordered[max(0, math.floor(0.1 * n))], ordered[min(n - 1, math.ceil(0.9 * n) - 1)]


def in_rounds(samples, repeats, rounds=5):
    """Median and spread of each of `samples` (functions, by name). Each has a turn in every round, whose first sample does not
    count: it finds the caches as another left them. Every other round goes backwards."""
    taken = {name: [] for name in samples}
    for turn in range(rounds):
        for name in [*samples][:: -1 if turn % 2 else 1]:
            taken[name] += [samples[name]() for _ in range(1 + repeats // rounds)][1:]
    return {name: median_and_spread(of_one) for name, of_one in taken.items()}


def beside_before(rows):
    """Lines of a table of kasc beside another, where another was asked for."""
    rows = [r for r in rows if "before" in r]
    shown = lambda r: f"{r['ms']:.4f} ({r['ms 10 %']:.4f} to {r['ms 90 %']:.4f})"
    head = [
        "",
        "kasc beside another, in turn in the same run, ms (10 to 90 %).",
        "",
        "| program | before | after | after / before |",
        "|---|---|---|---|",
    ]
    return rows and head + [
        f"| {r['program']} | {shown(r['before'])} | {shown(r['fused'])} | {r['fused']['ms'] / r['before']['ms']:.3f} |"
        for r in rows
    ]
