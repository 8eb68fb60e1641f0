"""Times programs that nothing was tuned for (unseen/) on this machine's GPU, first plans beside torch.compile and JAX, and beside the time that a
copy takes of what has to be moved.

    python3 unseen.py --kasc ../../bundle/bin/kasc --out results [--programs adamw lu4] [--seconds 400]
    python3 unseen.py --kasc … --out emitted --emit              what kasc emits, for a machine without it: --kasc emitted there
    python3 unseen.py --kasc … --out small --small               each at small lengths on the CPU, compared and not timed

First all is built and checked by several processes at once, kasc's results and the peers' with PyTorch in double precision, which fills the caches
of the peers' compilers. Then one process alone times what was right. Whatever fails, or takes longer than --limit, ends in the table as that;
unseen.md and unseen.json are written anew after each program."""

import argparse
import json
import os
import signal
import subprocess
import sys
import tempfile
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import torch

from emitted import Emitted, Header, compile_program
from unseen import CASES
from unseen.lengths import compulsory_bytes, scalars_of

HERE = Path(__file__).resolve().parent
WHO = ("kasc", "torch.compile", "JAX")


def settings(dims):
    return [w for a, n in dims.items() for w in ("--set", f"{a}={n}")]


def emit(kasc, name, out):
    """kasc's files in a folder, and what it predicts of them. Returns what went wrong."""
    folder = Path(out) / name
    try:
        compile_program(kasc, HERE / "unseen" / f"{name}.kas", folder, "--device", "h200", *settings(CASES[name].dims))
        told = [
            kasc,
            "explain",
            str(HERE / "unseen" / f"{name}.kas"),
            "--device",
            "h200",
            "--format",
            "json",
            *settings(CASES[name].dims),
        ]
        plans = json.loads(subprocess.run(told, check=True, capture_output=True, text=True).stdout)["plans"]
        (folder / "predicted.json").write_text(json.dumps({"ms": plans[0]["time_ns"] / 1e6}))
    except Exception as e:
        return f"kasc: {str(e)[:200]}"


def built(folder):
    try:
        Emitted(folder)
    except Exception as e:
        return f"nvcc: {str(e)[-200:]}"


class Worker(threading.Thread):
    """Hands items (program, who) to processes, one after the other; a process that stands still too long, or dies, is followed by another."""

    def __init__(self, phase, items, options, number, heard):
        super().__init__()
        self.phase, self.items, self.options, self.heard = phase, list(items), options, heard
        self.lines = options.out / f"{phase}_{number}.jsonl"
        self.start()

    def run(self):
        self.lines.write_text("")
        read = 0
        while self.items and time.time() < self.options.deadline:
            log = open(self.lines.with_suffix(".log"), "a")
            told = [sys.executable, str(HERE / "unseen.py"), "--kasc", str(self.options.kasc), "--out", str(self.options.out)]
            told += ["--work", self.phase, str(self.lines), *(f"{name}/{who}" for name, who in self.items)]
            process = subprocess.Popen(told, stdout=log, stderr=log, start_new_session=True)
            since, done = time.time(), False
            while not done:
                done = process.poll() is not None
                for line in self.lines.read_text().splitlines()[read:]:
                    read, since = read + 1, time.time()
                    self.heard(self.items.pop(0), json.loads(line))
                late = time.time() - since > self.options.limit or time.time() > self.options.deadline
                if late and not done:
                    os.killpg(process.pid, signal.SIGKILL)  # with what compiles for it
                    process.wait()
                    done = True
                time.sleep(0.1)
            if self.items and process.returncode != 0:
                what = (
                    f"more than {self.options.limit} s"
                    if process.returncode == -9
                    else f"the process ended with {process.returncode}"
                )
                self.heard(self.items.pop(0), {"error": what})


def shared_out(programs, several):
    """Items of as many lists: what one program asks for stays together."""
    lists = [[] for _ in range(several)]
    for k, name in enumerate(programs):
        lists[k % several] += [(name, who) for who in WHO if who != "JAX" or CASES[name].jax]
    return lists


def shown(results, name):
    of, times = results[name], []
    for who in WHO:
        ms, failed = of.get("ms", {}).get(who), of.get("error", {}).get(who)
        times.append(
            f"{ms[0]:.3f} ({ms[1]:.3f} to {ms[2]:.3f})"
            if ms
            else failed.replace("|", "/").replace("\n", " ")[:80] if failed else "–"
        )
    number = lambda n, form: format(n, form) if n is not None else "–"
    kasc, least = of.get("ms", {}).get("kasc"), of.get("compulsory ms")
    others = [of["ms"][w][0] for w in WHO[1:] if w in of.get("ms", {})]
    cells = [name, *times, number(of.get("predicted ms"), ".3f"), number(least, ".3f")]
    cells += [number(kasc and least and kasc[0] / least, ".1f"), number(kasc and others and kasc[0] / min(others) or None, ".2f")]
    return f"| {' | '.join([*cells, ', '.join(f'{off:.0e}' for off in of.get('off', {}).values())])} |"


def written(out, results, about):
    columns = [
        "program",
        *(f"{w} ms (10 to 90 %)" for w in WHO),
        "predicted",
        "copy of its bytes",
        "kasc / copy",
        "kasc / best peer",
        "off",
    ]
    lines = [about, "", f"| {' | '.join(columns)} |", "|---" * len(columns) + "|", *(shown(results, n) for n in results)]
    (out / "unseen.md").write_text("\n".join(lines) + "\n")
    (out / "unseen.json").write_text(json.dumps(results, indent=1))


def measure(options):
    """All phases, with the table written anew whenever something is known."""
    results = {name: {"ms": {}, "error": {}, "off": {}} for name in options.programs}
    folder = lambda name: options.out / name
    about, lock = [f"{torch.cuda.get_device_name()}, PyTorch {torch.__version__}"], threading.Lock()

    def heard(item, told):
        (name, who), of = item, results.get(item[0], {})
        with lock:
            if name == "copy" and "GB/s" in told:
                about[0] += f", copy {told['GB/s']:.0f} GB/s"
                for n, r in results.items():
                    if "bytes" in r:
                        r["compulsory ms"] = r["bytes"] / told["GB/s"] / 1e6
            elif name != "copy" and "error" in told:
                of["error"][who] = told["error"]
            elif name != "copy":
                of["off" if "off" in told else "ms"][who] = told.get("off", told.get("ms"))
            print(f"{name} {who}: {json.dumps(told)}", flush=True)
            written(options.out, results, about[0])

    if Path(options.kasc).is_dir():
        options.out.mkdir(parents=True, exist_ok=True)
        for name in options.programs:
            subprocess.run(["cp", "-r", str(Path(options.kasc) / name), str(options.out)])
    for name in options.programs:
        wrong = None if Path(options.kasc).is_dir() else emit(options.kasc, name, options.out)
        if wrong is None and (folder(name) / "predicted.json").exists():
            results[name]["predicted ms"] = json.loads((folder(name) / "predicted.json").read_text())["ms"]
            header = Header(folder(name))
            results[name]["bytes"] = compulsory_bytes(header, scalars_of(text_of(name), CASES[name].dims, header))
        else:
            heard((name, "kasc"), {"error": wrong or "kasc emitted nothing"})
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        for name, wrong in zip(options.programs, pool.map(lambda n: built(folder(n)), options.programs)):
            if wrong and "kasc" not in results[name]["error"]:
                heard((name, "kasc"), {"error": wrong})
    going = lambda items: [(n, w) for n, w in items if w not in results[n]["error"]]
    for worker in [
        Worker("check", going(items), options, k, heard) for k, items in enumerate(shared_out(options.programs, options.processes))
    ]:
        worker.join()
    items = [i for i in going(shared_out(options.programs, 1)[0]) if i[1] in results[i[0]]["off"]]
    Worker("time", [("copy", "rate"), *items], options, 0, heard).join()
    print((options.out / "unseen.md").read_text())


def text_of(name):
    return (HERE / "unseen" / f"{name}.kas").read_text()


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--kasc", required=True, help="the command, or a folder of what it emitted")
    parser.add_argument("--out", required=True, type=Path)
    parser.add_argument("--programs", nargs="*", default=list(CASES))
    parser.add_argument("--seconds", type=float, default=400, help="for all")
    parser.add_argument("--limit", type=float, default=90, help="seconds for what one compiler does with one program")
    parser.add_argument("--processes", type=int, default=6, help="that check at once")
    parser.add_argument("--emit", action="store_true")
    parser.add_argument("--small", action="store_true")
    parser.add_argument("--work", nargs="+", help=argparse.SUPPRESS)
    options = parser.parse_args()
    options.out.mkdir(parents=True, exist_ok=True)
    options.deadline = time.time() + options.seconds
    if options.work:
        from unseen.work import work

        return work(options.out, *options.work)
    if options.emit:
        for name in options.programs:
            print(name, emit(options.kasc, name, options.out) or "", flush=True)
    elif options.small:
        from unseen.small import compared

        for name in options.programs:
            print(name, compared(options.kasc, name, options.out), flush=True)
    else:
        with tempfile.TemporaryDirectory() as caches:  # what the peers' compilers make, for the processes that time
            os.environ.update(TORCHINDUCTOR_CACHE_DIR=f"{caches}/torch", TRITON_CACHE_DIR=f"{caches}/triton")
            os.environ.update(JAX_COMPILATION_CACHE_DIR=f"{caches}/jax", JAX_PERSISTENT_CACHE_MIN_COMPILE_TIME_SECS="0")
            measure(options)


if __name__ == "__main__":
    main()
