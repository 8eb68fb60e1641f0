"""What scripts that measure a table of programs have alike: their options, the times of emitted programs in turn, a row a program, and the
files that they write."""

import argparse
import json
import math
from pathlib import Path

import torch

from emitted import give_back, in_rounds


def options_of(description, programs, before=False):
    """Which kasc, where results go, which programs; `before`: another kasc may be measured too."""
    parser = argparse.ArgumentParser(description=description, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--kasc", required=True)
    if before:
        parser.add_argument("--before", help="another kasc, or the folder of what it made elsewhere")
    parser.add_argument("--out", required=True, type=Path)
    parser.add_argument("--programs", nargs="*", default=list(programs))
    options = parser.parse_args()
    options.out.mkdir(parents=True, exist_ok=True)
    return options


def kernel_ms(runs, repeats=15):
    """Median and spread of each of `runs`, in turn: by name a program, its arguments, and the arrays that these point to."""
    sample = lambda program, arguments, held: lambda: program.kernel_seconds(arguments) * 1e3
    return dict(in_rounds({name: sample(*run) for name, run in runs.items()}, repeats))


def peer_ms(name, peer, measured):
    """What `measured` gives; no figure, where the peer lacks memory or an operation."""
    try:
        return measured()
    except Exception as e:
        print(name, peer, str(e)[:300])
        return (math.nan,) * 3
    finally:
        give_back()


class Table:
    """Written as name.md and name.json: the device and its copy rate, a row a program."""

    def __init__(self, folder, name, rate, columns, note=""):
        self.folder, self.name, self.rate, self.results = folder, name, rate, {}
        self.lines = [
            f"{torch.cuda.get_device_name()}, copy {rate:.0f} GB/s{note}",
            "",
            f"| {' | '.join(columns)} |",
            "|---" * len(columns) + "|",
        ]

    def add(self, name, times, more, result, shown_as=None):
        """`times`: median, 10th and 90th percentile in milliseconds, by who; `more`: cells behind them."""
        shown = ["–" if math.isnan(ms) else f"{ms:.3f} ({low:.3f} to {high:.3f})" for ms, low, high in times.values()]
        self.lines.append(f"| {' | '.join([shown_as or name, *shown, *more])} |")
        print(self.lines[-1], flush=True)
        self.results[name] = {"ms": times, "copy GB/s": self.rate, **result}

    def write(self):
        (self.folder / f"{self.name}.md").write_text("\n".join(self.lines) + "\n")
        (self.folder / f"{self.name}.json").write_text(json.dumps(self.results, indent=1))
