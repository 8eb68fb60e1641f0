"""What compiling takes: user seconds and peak MB of `kasc compile PROGRAM --emit cuda` for each of kasc's examples and
benchmarks, medians of five, and those of another kasc in turn. `python3 compile_times.py build/bin/kasc [--before OTHER_KASC]
[--target cpu] [--rounds 5] [PROGRAM.kas …]` prints lines of a table."""
import argparse
import statistics
from pathlib import Path

from bounds import run

ROOT = Path(__file__).resolve().parents[2]
FOLDERS = ["examples", "examples/kwave", "benchmarks/gpu/programs", "benchmarks/gpu/stencils"]


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("kasc")
    parser.add_argument("programs", type=Path, nargs="*", default=[p for f in FOLDERS for p in sorted((ROOT / f).glob("*.kas"))])
    parser.add_argument("--before")
    parser.add_argument("--target", choices=["cuda", "cpu"], default="cuda")
    parser.add_argument("--rounds", type=int, default=5)
    options = parser.parse_intermixed_args()
    commands = [c for c in (options.before, options.kasc) if c]
    print("| program |" + " before, s | before, MB | after, s | after, MB | after / before |" if options.before else " s | MB |")
    for program in options.programs:
        taken = {command: [] for command in commands}
        for _ in range(options.rounds):
            for command in commands:
                taken[command].append(run([command, "compile", str(program), "--target", options.target, "--emit", "cuda"])[1:])
        medians = [[statistics.median(figures) for figures in zip(*taken[command])] for command in commands]
        cells = [f"{seconds:.3f} | {megabytes:.0f}" for seconds, megabytes in medians]
        if options.before:
            cells.append(f"{medians[1][0] / medians[0][0]:.2f}")
        print(f"| {program.stem} | {' | '.join(cells)} |", flush=True)


if __name__ == "__main__":
    main()
