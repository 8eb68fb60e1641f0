"""Times programs with transforms on a GPU: kernels of kasc that transform lines (first plans), the same programs with cuFFT's transforms and
fused kernels between them, and PyTorch, whose transforms are cuFFT's too.

    python3 spectral.py --kasc ../../bundle/bin/kasc --out results

Random data; each result is compared with PyTorch in double precision before anything is timed.
"""
import math
import tempfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import torch

from emitted import Emitted, compile_program, give_back
from table import Table, kernel_ms, options_of, peer_ms

HERE = Path(__file__).resolve().parent
WAYS = {"lines": [], "cuFFT": ["--no-rewrite=passes"]}


def waves(n, real=torch.float32, half=False):
    frequency = torch.fft.rfftfreq if half else torch.fft.fftfreq
    return 2 * math.pi * frequency(n, device="cuda", dtype=real)


def wave_square(shape, real, half):
    """Of an array [z, y, x]."""
    total = 0
    for axis, n in enumerate(shape):
        k = waves(n, real, half and axis + 1 == len(shape))
        total = total + (k * k).reshape([-1 if a == axis else 1 for a in range(len(shape))])
    return total


def convolution(d):
    return {"u": torch.fft.irfftn(d["K"] * torch.fft.rfftn(d["u"]), s=d["u"].shape)}


def poisson(d):
    u = d["u"]
    k2 = wave_square(u.shape, u.dtype, True)
    return {"u": torch.fft.irfftn(torch.where(k2 == 0, torch.zeros_like(k2), -1 / k2) * torch.fft.rfftn(u), s=u.shape)}


def turns(n, real):
    """exp(i pi k/(2n)) of a cosine transform of type 2."""
    angle = math.pi / (2 * n) * torch.arange(n, device="cuda", dtype=real)
    return torch.complex(torch.cos(angle), torch.sin(angle))


def dct2(t, axis):
    t = t.transpose(axis, -1)
    line = torch.cat([t[..., ::2], t[..., 1::2].flip(-1)], -1)
    return (2 * (torch.fft.fft(line) * turns(t.shape[-1], t.dtype).conj()).real).transpose(axis, -1)


def idct2(t, axis):
    t = t.transpose(axis, -1)
    mirrored = torch.cat([torch.zeros_like(t[..., :1]), t[..., 1:].flip(-1)], -1)
    line = torch.fft.ifft(0.5 * turns(t.shape[-1], t.dtype) * torch.complex(t, -mirrored)).real
    cells, first = torch.empty_like(line), (line.shape[-1] + 1) // 2
    cells[..., ::2], cells[..., 1::2] = line[..., :first], line[..., first:].flip(-1)
    return cells.transpose(axis, -1)


def walls(d):
    u, k2 = d["u"], 0
    for axis, n in enumerate(u.shape):
        k = math.pi / n * torch.arange(n, device="cuda", dtype=u.dtype)
        k2 = k2 + (k * k).reshape([-1 if a == axis else 1 for a in range(u.dim())])
    for axis in range(u.dim()):
        u = dct2(u, axis)
    u = torch.where(k2 == 0, torch.zeros_like(k2), -1 / k2) * u
    for axis in range(u.dim()):
        u = idct2(u, axis)
    return {"u": u.contiguous()}


def schrodinger(d):
    psi, V, dt = d["psi"], d["V"], 0.01
    turn = torch.exp(-0.5j * dt * wave_square(psi.shape, V.dtype, False))
    for _ in range(10):
        psi = torch.fft.ifftn(turn * torch.fft.fftn(torch.exp(-1j * dt * V) * psi))
    return {"psi": psi}


def cahn_hilliard(d):
    c, dt, kappa = d["c"], 0.01, 0.5
    k2 = wave_square(c.shape, c.dtype, True)
    for _ in range(10):
        c = torch.fft.irfftn(
            (torch.fft.rfftn(c) - dt * k2 * torch.fft.rfftn(c * c * c - c)) / (1 + dt * kappa * k2 * k2), s=c.shape
        )
    return {"c": c}


def lines(axis):
    return lambda d: {"b": torch.fft.fft(d["a"], dim=axis)}


# By name: the program, extents [z, y, x], inputs by name (real, complex, or real and of half a spectrum), the same in PyTorch.
CASES = {
    "convolution 256³": ("convolution3d", (256,) * 3, {"u": "real", "K": "half"}, convolution),
    "convolution 512³": ("convolution3d", (512,) * 3, {"u": "real", "K": "half"}, convolution),
    "convolution 2048²": ("convolution2d", (2048,) * 2, {"u": "real", "K": "half"}, convolution),
    "Poisson 512³": ("poisson", (512,) * 3, {"u": "real"}, poisson),
    "Poisson 384 × 480 × 500": ("poisson", (384, 480, 500), {"u": "real"}, poisson),
    "Poisson between walls 256³": ("walls", (256,) * 3, {"u": "real"}, walls),
    "Poisson between walls 512³": ("walls", (512,) * 3, {"u": "real"}, walls),
    "split-step Schrödinger 256³, 10 steps": ("schrodinger", (256,) * 3, {"psi": "complex", "V": "real"}, schrodinger),
    "split-step Schrödinger 512³, 10 steps": ("schrodinger", (512,) * 3, {"psi": "complex", "V": "real"}, schrodinger),
    "Cahn-Hilliard 2048², 10 steps": ("cahn_hilliard", (2048,) * 2, {"c": "real"}, cahn_hilliard),
    "lines along y, 512³": ("lines_y", (512,) * 3, {"a": "complex"}, lines(1)),
    "lines along z, 512³": ("lines_z", (512,) * 3, {"a": "complex"}, lines(0)),
}


def ways_of(name):
    """A transform along one axis is no several passes."""
    return ["lines"] if name.startswith("lines") else [*WAYS]


def data_of(shape, inputs):
    g = torch.Generator(device="cuda").manual_seed(1)
    random = lambda s: torch.rand(s, device="cuda", generator=g)
    # Of a spectrum that a real field has.
    symmetric = lambda: (torch.fft.rfftn(random(shape)) / random(shape).numel() ** 0.5).real.contiguous()
    made = {
        "real": lambda: random(shape),
        "half": symmetric,
        "complex": lambda: torch.complex(random(shape), random(shape)),
    }
    return {name: made[kind]() for name, kind in inputs.items()}


def build(kasc, name, way, folder):
    program, shape, _, _ = CASES[name]
    sets = [w for axis, n in zip("xyz", reversed(shape)) for w in ("--set", f"{axis}={n}")]
    where = Path(folder) / f"{list(CASES).index(name)}_{way}"
    return Emitted(compile_program(kasc, HERE / "spectral" / f"{program}.kas", where, *sets, *WAYS[way]), libraries=["cufft"])


def double(t):
    return t.to(torch.complex128 if t.is_complex() else torch.float64)


def error_of(found, wanted):
    return float((torch.linalg.vector_norm(double(found) - wanted)) / torch.linalg.vector_norm(wanted))


def copy_rate():
    a = torch.empty(1 << 28, device="cuda")
    b = torch.empty_like(a)
    b.copy_(a)
    begin, end = torch.cuda.Event(enable_timing=True), torch.cuda.Event(enable_timing=True)
    begin.record()
    for _ in range(10):
        b.copy_(a)
    end.record()
    torch.cuda.synchronize()
    return 10 * 2 * a.numel() * 4 / begin.elapsed_time(end) / 1e6


def torch_sample(function, data):
    begin, end = torch.cuda.Event(enable_timing=True), torch.cuda.Event(enable_timing=True)
    function(data)
    samples = []
    for _ in range(7):
        begin.record()
        function(data)
        end.record()
        torch.cuda.synchronize()
        samples.append(begin.elapsed_time(end))
    samples.sort()
    return samples[3], samples[0], samples[-1]


def main():
    options = options_of(__doc__, CASES)
    with tempfile.TemporaryDirectory() as folder, ThreadPoolExecutor(14) as pool:
        jobs = [(name, way) for name in options.programs for way in ways_of(name)]
        built = dict(zip(jobs, pool.map(lambda job: build(options.kasc, *job, folder), jobs)))
        table = Table(options.out, "spectral", copy_rate(), ["program", *WAYS, "torch", "lines / cuFFT", "error", "of cuFFT"])
        for name in options.programs:
            _, shape, inputs, peer = CASES[name]
            data = data_of(shape, inputs)
            wanted = peer({n: double(a) for n, a in data.items()})
            scalars = {f"n{axis}": n for axis, n in zip("xyz", reversed(shape))}
            scalars.update(nkx=shape[-1] // 2 + 1, dt=0.01, kappa=0.5, steps=10)
            errors, runs = {}, {}
            for way in ways_of(name):
                found = {
                    n: torch.empty(a.shape, device="cuda", dtype=torch.complex64 if a.is_complex() else torch.float32)
                    for n, a in wanted.items()
                }
                program = built[name, way]
                # An output with the name of an input has another in the header.
                held = {
                    n: data[n.removesuffix("_in")] if kind == "in" else found[n.removesuffix("_out")]
                    for kind, n, _ in program.members
                    if kind in ("in", "out")
                }
                arguments = program.arguments(scalars, held)
                program.kernel_seconds(arguments)
                errors[way] = max(error_of(found[n], a) for n, a in wanted.items())
                if not errors[way] < 1e-4:  # the longest waves of a potential are large, and are made of small differences
                    raise SystemExit(f"{name}, {way}: {errors[way]}")
                runs[way] = (program, arguments, held)
            del wanted
            give_back()
            times = {way: (math.nan,) * 3 for way in WAYS} | kernel_ms(runs)
            times["torch"] = peer_ms(name, "torch", lambda: torch_sample(peer, data))
            beside = times["torch" if math.isnan(times["cuFFT"][0]) else "cuFFT"][0]
            more = [f"{times['lines'][0] / beside:.2f}", *(f"{errors[w]:.1e}" if w in errors else "–" for w in WAYS)]
            table.add(name, times, more, {"error": errors})
            for program, _, _ in runs.values():
                program.release()
    table.write()


if __name__ == "__main__":
    main()
