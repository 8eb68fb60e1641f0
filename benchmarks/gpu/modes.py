"""Times loops of linear steps (modes/) as products of their waves, `--rewrite=modes`, beside the steps: as many in a kernel as
the model likes, and one by one; and beside one step alone.

    python3 modes.py --kasc ../../bundle/bin/kasc --out results

First plans, random data, each checked against the steps of PyTorch in double precision before anything is timed."""
import math

import torch

from cells import uniform
from emitted import Emitted, compile_program, give_back
from measure import copy_rate
from pathlib import Path
from table import Table, kernel_ms, options_of

PROGRAMS = Path(__file__).resolve().parent / "modes"
WAYS = {"modes": ["--rewrite=modes"], "steps": [], "one by one": ["--steps", "1"], "one step": ["--steps", "1"]}
DT = 0.20000000298023224  # as a float has it


def heat(T):
    return T + DT * (T.roll(1, 0) + T.roll(-1, 0) + T.roll(1, 1) + T.roll(-1, 1) - 4 * T)


def walls(T):
    image = torch.nn.functional.pad(T[None, None], (1, 1, 1, 1), mode="replicate")[0, 0]
    around = image[1:-1, :-2] + image[1:-1, 2:] + image[:-2, 1:-1] + image[2:, 1:-1]
    return T + DT * (around - 4 * T)


def upwind(T):
    return T - DT * (T - T.roll(1, 1)) - DT / 2 * (T - T.roll(1, 0))


def case(step, n, steps):
    return step, n, steps


CASES = {
    "heat 16384 x 16384": case(heat, 16384, 100),
    "heat 16384 x 16384, 10 steps": case(heat, 16384, 10),
    "heat 16384 x 16384, 1000 steps": case(heat, 16384, 1000),
    "heat 4096 x 4096": case(heat, 4096, 100),
    "walls 8192 x 8192": case(walls, 8192, 100),
    "upwind 16384 x 16384": case(upwind, 16384, 100),
}


def arguments_of(program, T, n, steps):
    scalars = {"nx": n, "ny": n, "dt": DT, "steps": steps}
    # A field that is an input and an output is two arrays.
    arrays = {
        name: T if kind == "in" else torch.full_like(T, math.nan) for kind, name, _ in program.members if kind in ("in", "out")
    }
    return program.arguments(scalars, arrays), arrays


def off(program, T, wanted, n, steps):
    arguments, arrays = arguments_of(program, T, n, steps)
    program.kernel_seconds(arguments)
    found = next(arrays[name] for kind, name, _ in program.members if kind == "out").double()
    by = float((found - wanted).abs().max() / wanted.abs().max())
    if not by < 1e-5:
        raise SystemExit(f"{program.folder}: {by}")
    return by


def stepped(step, T, steps):
    wanted = T.double()
    for _ in range(steps):
        wanted = step(wanted)
    return wanted


def main():
    options = options_of(__doc__, CASES)
    rate = copy_rate()["copy GB/s"]
    columns = ["program", *(f"ms (10 to 90 %): {way}" for way in WAYS), "modes / one step", "off: modes", "off: steps"]
    table = Table(options.out, "modes", rate, columns)
    for name in options.programs:
        step, n, steps = CASES[name]
        T = uniform((n, n), 0, 1, 1)
        wanted = stepped(step, T, steps)
        runs, offs = {}, {}
        for way, extra in WAYS.items():
            folder = options.out / f"{name}_{way}".replace(" ", "_").replace(",", "")
            settings = ["--set", f"x={n}", "--set", f"y={n}", "--set", f"steps={steps}"]
            file = PROGRAMS / f"{step.__name__}.kas"
            program = Emitted(compile_program(options.kasc, file, folder, *settings, *extra), libraries=["cufft"])
            if way != "one step":
                offs[way] = off(program, T, wanted, n, steps)
            runs[way] = (program, *arguments_of(program, T, n, 1 if way == "one step" else steps))
        del wanted
        give_back()
        times = kernel_ms(runs)
        for program, _, _ in runs.values():
            program.release()
        ratio = times["modes"][0] / times["one step"][0]
        cells = [f"{ratio:.2f}", f"{offs['modes']:.1e}", f"{offs['steps']:.1e}"]
        table.add(name, times, cells, {"off": offs, "modes / one step": ratio})
        del runs, T
        give_back()
    table.write()


if __name__ == "__main__":
    main()
