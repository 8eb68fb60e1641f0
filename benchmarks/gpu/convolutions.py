"""Times weights of neighbours over channels, filter banks, and sums with functions of their indices (convolutions/) beside PyTorch.

    python3 convolutions.py --kasc ../../bundle/bin/kasc --out results

Every result is compared with PyTorch in double precision before anything is timed. PyTorch's own convolutions are those of cuDNN, in float32 and
with what they may round to TF32."""

from pathlib import Path

import torch
from torch.nn.functional import conv1d, conv2d, pad

from cells import uniform
from emitted import Emitted, compile_program, give_back
from measure import copy_rate, time_events
from table import Table, kernel_ms, options_of, peer_ms

HERE = Path(__file__).resolve().parent


def nearest(u, low, high):
    """Beyond the picture its last cells; padding of doubles has no other way."""
    rows = torch.arange(-low, u.shape[-2] + high, device=u.device).clamp(0, u.shape[-2] - 1)
    return u[..., rows, :][..., torch.arange(-low, u.shape[-1] + high, device=u.device).clamp(0, u.shape[-1] - 1)]


def channels(u, w, bias):
    return torch.relu(conv2d(nearest(u, 1, 1), w, bias))


def channels_last(u, w, bias):
    return channels(u.permute(0, 3, 1, 2), w.permute(3, 2, 0, 1), bias).permute(0, 2, 3, 1)


def strided(u, w):
    return conv2d(nearest(u, 3, 3), w, stride=2)[..., : u.shape[-2] // 2, : u.shape[-1] // 2]


def filters(u, h):
    before = pad(u[:, None], (63, 0), mode="constant") + 0
    before[..., :63] = u[:, None, :1]
    return conv1d(before, h.flip(1)[:, None]).transpose(0, 1)


def cosines(u):
    n = u.shape[1]
    x, k = torch.arange(n, device=u.device, dtype=u.dtype), torch.arange(256, device=u.device, dtype=u.dtype)
    return u @ torch.cos(3.14159265 * (2 * x[:, None] + 1) * k / (2 * n))


def spectrogram(u):
    window = 0.5 - 0.5 * torch.cos(6.2831853 * torch.arange(1024, device=u.device, dtype=u.dtype) / 1024)
    return 20 * torch.log10(torch.fft.rfft(u.unfold(0, 1024, 512) * window).abs() + 1e-9)


# What PyTorch computes, extents, shapes of the inputs and of the result, operations in all, bytes that have to move.
CASES = {
    "channels": (
        channels,
        dict(x=128, y=128, c=64, o=64, n=16, i=3, j=3),
        dict(u=(16, 64, 128, 128), w=(64, 64, 3, 3), bias=(64,)),
        (16, 64, 128, 128),
        2 * 9 * 64,
    ),
    "channels_last": (
        channels_last,
        dict(x=128, y=128, c=64, o=64, n=16, i=3, j=3),
        dict(u=(16, 128, 128, 64), w=(3, 3, 64, 64), bias=(64,)),
        (16, 128, 128, 64),
        2 * 9 * 64,
    ),
    "strided": (
        strided,
        dict(x=224, y=224, c=3, o=64, n=64, i=7, j=7, p=112, q=112),
        dict(u=(64, 3, 224, 224), w=(64, 3, 7, 7)),
        (64, 64, 112, 112),
        2 * 147,
    ),
    "filters": (filters, dict(t=65536, c=64, f=16, k=64), dict(u=(64, 65536), h=(16, 64)), (16, 64, 65536), 2 * 64),
    "cosines": (cosines, dict(x=256, m=65536, k=256), dict(u=(65536, 256)), (65536, 256), 2 * 256),
    "spectrogram": (spectrogram, dict(t=1 << 25, m=65535, j=1024, k=513), dict(u=(1 << 25,)), (65535, 513), 0),
}


def drawn(name):
    return {n: uniform(shape, -1, 1, k + 1) for k, (n, shape) in enumerate(CASES[name][2].items())}


def check(name, made, inputs):
    wanted = CASES[name][0](**{n: a.double() for n, a in inputs.items()})
    # In decibels what a float rounds is told of large ones: little waves are differences of large words. An angle of 800 is off by 3e-5.
    far = (made - wanted).abs()[wanted > -40] if name == "spectrogram" else (made - wanted).abs()
    off, allowed = float(far.max() / wanted.abs().max()), {"spectrogram": 1e-3, "cosines": 1e-4}
    if not off <= allowed.get(name, 1e-5):
        raise SystemExit(f"{name} is off by {off}")


def main():
    options = options_of(__doc__, CASES, before=True)
    rate = copy_rate()["copy GB/s"]
    columns = ["program", "kasc", "before", "PyTorch, float32", "PyTorch, TF32", "TFLOP/s", "moved at the copy rate"]
    table = Table(options.out, "convolutions", rate, columns, ". ms (10 to 90 %).")
    for name in options.programs:
        of_peer, extents, inputs, shape, operations = CASES[name]
        settings = [w for axis, n in extents.items() for w in ("--set", f"{axis}={n}")]
        given = {f"n{axis}": n for axis, n in extents.items()}
        state, result = drawn(name), torch.empty(shape, device="cuda")
        runs = {}
        for who, kasc in (("kasc", options.kasc), ("before", options.before)):
            if kasc is None:
                continue
            folder = compile_program(kasc, HERE / "convolutions" / f"{name}.kas", options.out / who / name, *settings)
            program = Emitted(folder, libraries=("cufft",))
            arguments = program.arguments(given, {**state, "v": result})
            program.kernel_seconds(arguments)
            check(name, result, state)
            runs[who] = (program, arguments, {**state, "v": result})
        times = kernel_ms(runs)
        times.setdefault("before", (float("nan"),) * 3)
        for program, _, _ in runs.values():
            program.release()
        runs.clear()
        del result
        give_back()
        for who, allowed in (("PyTorch, float32", False), ("PyTorch, TF32", True)):
            torch.backends.cudnn.allow_tf32 = torch.backends.cuda.matmul.allow_tf32 = allowed
            torch.backends.cudnn.benchmark = True
            times[who] = peer_ms(name, who, lambda: [t * 1e3 for t in time_events(lambda: of_peer(**state), repeats=15, inner=1)])
        results = 1
        for n in shape:
            results *= n
        moved = 4 * (results + sum(a.numel() for a in state.values())) / rate / 1e6
        of_all = operations * results / times["kasc"][0] / 1e9
        table.add(name, times, [f"{of_all:.1f}" if operations else "–", f"{moved:.3f}"], {"moved ms": moved})
    table.write()


if __name__ == "__main__":
    main()
