"""Times counts of few cells, and sums of reals for few (histograms/), on this machine's GPU: as kasc plans them, beside PyTorch and, where there is one, CuPy.

    python3 histograms.py --kasc ../../bundle/bin/kasc --out results [--programs bytes bytes_alike ...]

--kasc may be a folder of what kasc compile made elsewhere, one folder a program. First plans. Each result is compared with PyTorch's
before anything is timed, and two runs with each other to the bit. Pictures are drawn at random, or have one level alone (alike), which
is the most that additions can meet."""
import math
from pathlib import Path

import torch

from emitted import Emitted, compile_program, give_back
from measure import copy_rate, time_events
from table import Table, kernel_ms, options_of, peer_ms

HERE = Path(__file__).resolve().parent
SIDE, PARTICLES, POINTS = 8192, 1 << 26, 1 << 24


def generator():
    return torch.Generator("cuda").manual_seed(5)


def picture(alike=False):
    if alike:
        return torch.full((SIDE, SIDE), 93, dtype=torch.uint8, device="cuda")
    return torch.randint(0, 256, (SIDE, SIDE), dtype=torch.uint8, device="cuda", generator=generator())


def field(*shape):
    return torch.rand(shape, device="cuda", generator=generator()).clamp_(max=0.99999)


def count(labels, cells):
    return torch.bincount(labels.reshape(-1), minlength=cells).to(torch.int32)


def grid(**more):
    return dict(nx=SIDE, ny=SIDE, **more)


def kmeans(program, clusters):
    """Members of clusters, and the sums of their points."""
    return (
        program,
        {
            "point": field(POINTS, 3),
            "label": torch.randint(0, clusters, (POINTS,), dtype=torch.int32, device="cuda", generator=generator()),
        },
        dict(np=POINTS, nd=3, nk=clusters),
        lambda a: {
            "members": count(a["label"], clusters),
            "sums": torch.zeros(clusters, 3, device="cuda", dtype=torch.float64).index_add_(
                0, a["label"].long(), a["point"].double()
            ),
        },
    )


def binned(values, labels):
    total = torch.zeros(64, device="cuda", dtype=torch.float64).index_add_(0, labels, values.reshape(-1).double())
    return total / count(labels, 64).clamp_(min=1)


# Program, its arrays, extents, and what PyTorch makes of the arrays, by name of the result.
CASES = {
    "bytes": lambda: ("bytes", {"picture": picture()}, grid(nlevel=256), lambda a: {"count": count(a["picture"], 256)}),
    "bytes_alike": lambda: ("bytes", {"picture": picture(True)}, grid(nlevel=256), lambda a: {"count": count(a["picture"], 256)}),
    "levels": lambda: (
        "levels",
        {"u": field(SIDE, SIDE)},
        grid(nk=64),
        lambda a: {"count": count((64 * a["u"]).int().clamp_(max=63), 64)},
    ),
    "joint": lambda: (
        "joint",
        {"a": picture(), "b": picture().flip(0).contiguous()},
        grid(ni=64, nj=64),
        lambda a: {"count": count((a["b"] // 4).int() * 64 + a["a"] // 4, 4096).reshape(64, 64)},
    ),
    "particles": lambda: (
        "particles",
        {"px": field(PARTICLES), "py": field(PARTICLES).flip(0).contiguous()},
        dict(np=PARTICLES, nx=32, ny=32),
        lambda a: {"count": count((32 * a["py"]).int() * 32 + (32 * a["px"]).int(), 1024).reshape(32, 32)},
    ),
    "kmeans": lambda: kmeans("kmeans", 16),
    "kmeans_64": lambda: kmeans("kmeans_64", 64),
    "binned_mean": lambda: (
        "binned_mean",
        {"u": field(SIDE, SIDE)},
        grid(nb=64),
        lambda a: {"average": binned(a["u"], (64 * a["u"]).int().reshape(-1))},
    ),
}


def cupy_ms(case):
    import cupy

    program, arrays = case[0], {name: cupy.asarray(a) for name, a in case[1].items()}
    of = {
        "bytes": lambda a: cupy.bincount(a["picture"].ravel(), minlength=256),
        "levels": lambda a: cupy.histogram(a["u"], bins=64, range=(0, 1))[0],
        "joint": lambda a: cupy.bincount(((a["b"] // 4).astype(cupy.int32) * 64 + a["a"] // 4).ravel(), minlength=4096),
        "particles": lambda a: cupy.histogram2d(a["px"], a["py"], bins=32, range=((0, 1), (0, 1)))[0],
        "kmeans": lambda a: cupy.bincount(a["label"], minlength=16),
        "kmeans_64": lambda a: cupy.bincount(a["label"], minlength=64),
        "binned_mean": lambda a: cupy.histogram(a["u"], 64, (0, 1), weights=a["u"]),
    }[program]
    return [t * 1e3 for t in time_events(lambda: of(arrays), repeats=15, inner=3)]


def called(program, case):
    _, arrays, extents, made_by = case
    results = {name: torch.full_like(wanted, -1, dtype=program.cells[name]) for name, wanted in made_by(arrays).items()}
    return program.arguments(extents, {**arrays, **results}), {**arrays, **results}


def check(name, program, case):
    found = []
    for _ in range(2):
        arguments, arrays = called(program, case)
        program.kernel_seconds(arguments)
        found.append(arrays)
    for result, wanted in case[3](case[1]).items():
        if not torch.equal(found[0][result], found[1][result]):
            raise SystemExit(f"{name}: another {result} the second time")
        off = float((found[0][result].double() - wanted.double()).abs().max() / wanted.double().abs().max())
        if not off <= (1e-5 if wanted.is_floating_point() else 0):
            raise SystemExit(f"{name}: {result} is off by {off}")


def main():
    options = options_of(__doc__, CASES)
    rate = copy_rate()["copy GB/s"]
    table = Table(
        options.out,
        "histograms",
        rate,
        ["program", "kasc", "PyTorch", "CuPy", "read at the copy rate", "kasc / read"],
        ". ms (10 to 90 %).",
    )
    for name in options.programs:
        case = CASES[name]()
        settings = [w for axis, n in case[2].items() for w in ("--set", f"{axis[1:]}={n}") if axis in ("nx", "ny", "np")]
        source = HERE / "histograms" / f"{case[0]}.kas"
        if case[0] == "particles":
            settings = ["--set", f"p={PARTICLES}"]
        program = Emitted(compile_program(options.kasc, source, options.out / case[0], *settings))
        check(name, program, case)
        times = kernel_ms({"kasc": (program, *called(program, case))})
        program.release()
        give_back()
        for peer, measured in (
            ("PyTorch", lambda: [t * 1e3 for t in time_events(lambda: case[3](case[1]), repeats=15, inner=3)]),
            ("CuPy", lambda: cupy_ms(case)),
        ):
            times[peer] = peer_ms(name, peer, measured)
        read = sum(a.numel() * a.element_size() for a in case[1].values()) / rate / 1e6
        table.add(name, times, [f"{read:.3f}", f"{times['kasc'][0] / read:.2f}"], {"read ms": read})
    table.write()


if __name__ == "__main__":
    main()
