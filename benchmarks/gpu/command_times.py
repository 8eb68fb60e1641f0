#!/usr/bin/env python3
"""Wall time of whole commands: the first call on a machine, which builds, and the calls after it.

    command_times.py rounds kasc … [-- kasc …]       medians, least and most, by phase

Every round has a cache of its own, so that its first call builds what its second finds. Files that the call writes are
written over. The phases are those of --timing, which the command must take.
"""

import json
import os
import statistics
import subprocess
import sys
import tempfile
import time


def call(words, cache):
    began = time.perf_counter()
    run = subprocess.run([*words, "--timing=json"], env={**os.environ, "KASC_CACHE": cache}, capture_output=True, text=True)
    seconds = time.perf_counter() - began
    if run.returncode != 0:
        sys.exit(run.stdout + run.stderr)
    line = next(line for line in reversed(run.stdout.splitlines()) if line.startswith("{"))
    phases = json.loads(line)
    return {"the whole command": seconds, **dict(flat(phases["timing"]))}


def flat(timing):
    for name, value in timing.items():
        yield from value.items() if isinstance(value, dict) else [(name, value)]


def main():
    rounds, words = int(sys.argv[1]), sys.argv[2:]
    commands, one = [], []
    for word in [*words, "--"]:
        if word != "--":
            one.append(word)
        elif one:
            commands.append(one)
            one = []
    for command in commands:
        print(" ".join(command))
        taken = {"first": [], "later": []}
        for _ in range(rounds):
            with tempfile.TemporaryDirectory() as folder:
                cache = os.path.join(folder, "cache")
                for which in taken:
                    taken[which].append(call(command, cache))
        for which, times in taken.items():
            for name in times[0]:
                values = [t.get(name, 0) for t in times]
                print(f"  {which}  {name:32} {statistics.median(values):8.3f}  {min(values):8.3f} to {max(values):.3f}")


if __name__ == "__main__":
    main()
