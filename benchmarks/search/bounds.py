"""How near to the model's best the search says it is, and what that takes: draws programs (draw.py), compiles each and prints a
line a program: family, statements, seed, seconds (user), peak MB, fusions priced, schedules priced, predicted time in us, the
stated bound in per cent. Run from anywhere: `python3 bounds.py build/bin/kasc [--sizes 30 60 100] [--seeds 1 2] [--device h100]
[--families dense-3d …]`, or of programs at hand, such as those of kinds.py and disciplines.py: `python3 bounds.py build/bin/kasc
--programs kinds/*.kas`."""
import argparse
import json
import os
import re
import resource
import subprocess
import sys
import tempfile
from pathlib import Path

import draw

STATED = re.compile(r"at most ([0-9.]+) % slower")


def run(command):
    """Output, user seconds and peak MB of the command."""
    with tempfile.TemporaryFile() as out, tempfile.TemporaryFile() as errors:
        process = subprocess.Popen(command, stdout=out, stderr=errors)
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
        out.seek(0)
        errors.seek(0)
        if process.returncode != 0:
            sys.exit(errors.read().decode())
        return out.read().decode(), usage.ru_utime, usage.ru_maxrss / 1024


def stated(graphs):
    """The largest of the graphs' bounds; 0 where all is priced."""
    bounds = [float(found.group(1)) for g in graphs if (found := STATED.search(g["bound"]))]
    unknown = [g["bound"] for g in graphs if not STATED.search(g["bound"]) and g["bound"] != "optimal for the model"]
    return unknown[0] if unknown else max(bounds, default=0.0)


def measure(kasc, path, device, sizes=()):
    text, seconds, peak = run([kasc, "explain", str(path), "--format", "json", "--device", device, *sizes])
    plan = json.loads(text)["plans"][0]
    graphs = plan["graphs"]
    return {
        "seconds": seconds,
        "mb": peak,
        "fusions": sum(g["fusions"] for g in graphs),
        "schedules": sum(g["evaluated"] for g in graphs),
        "us": plan["time_ns"] / 1000,
        "launches": sum(len(g["kernels"]) for g in graphs),
        "bound": stated(graphs),
    }


def measure_drawn(kasc, family, statements, seed, device):
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "drawn.kas")
        with open(path, "w") as file:
            file.write(draw.program(family, statements, seed))
        return measure(kasc, path, device, draw.sizes(family))


def show(name, m):
    print(
        f"{name}  {m['seconds']:6.2f} s {m['mb']:5.0f} MB  "
        f"{m['fusions']:5} fusions {m['schedules']:7} schedules  {m['launches']:3} kernels "
        f"{m['us']:9.1f} us  {m['bound']} %",
        flush=True,
    )


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("kasc")
    parser.add_argument("--sizes", type=int, nargs="+", default=[30, 60, 100])
    parser.add_argument("--seeds", type=int, nargs="+", default=[1, 2])
    parser.add_argument("--device", default="h100")
    parser.add_argument("--families", nargs="+", default=draw.FAMILIES)
    parser.add_argument("--programs", nargs="+", type=Path, default=[])
    options = parser.parse_args()
    for program in options.programs:
        show(f"{program.stem:24}", measure(options.kasc, program, options.device))
    if options.programs:
        return
    for statements in options.sizes:
        for family in options.families:
            for seed in options.seeds:
                m = measure_drawn(options.kasc, family, statements, seed, options.device)
                show(f"{family:15} {statements:4} {seed:2}", m)


if __name__ == "__main__":
    main()
