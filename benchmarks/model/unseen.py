"""First plans of programs drawn by stencil_families.py beside the best of the model's first 24, on the GPU of this machine.

    python3 benchmarks/model/stencil_families.py --out programs
    python3 benchmarks/model/unseen.py tune --kasc build/bin/kasc --programs programs --out before.json [--only NAME ...]
    python3 benchmarks/model/unseen.py report before.json [after.json ...]

`tune` stops after --seconds and goes on where it was when it is called again. Its file has, of every program, what `kasc tune --format json`
printed. `report` prints a row a program and the two groups' numbers; of several files of the same programs each in columns of its own, where
the best is that of all files."""
import argparse
import json
import subprocess
import time
from pathlib import Path
from statistics import median

from quality import spearman


def tune(a):
    begun, out = time.time(), Path(a.out)
    done = json.loads(out.read_text()) if out.exists() else {"programs": {}}
    folder = Path(a.programs)
    for p in json.loads((folder / "programs.json").read_text()):
        name = p["name"]
        if (a.only and name not in a.only) or (a.group and p["group"] != a.group) or name in done["programs"]:
            continue
        if time.time() - begun > a.seconds:
            break
        sizes = [w for x, n in p["extents"].items() for w in ("--set", f"{x}={n}")]
        command = [
            a.kasc,
            "tune",
            str(folder / f"{name}.kas"),
            *sizes,
            "--top",
            str(a.top),
            "--repeats",
            str(a.repeats),
            "--jobs",
            str(a.jobs),
            "--no-cache",
            "--db",
            f"{a.out}.db",
            "--format",
            "json",
        ]
        at = time.time()
        try:
            ran = subprocess.run(command, capture_output=True, text=True, timeout=a.limit)
        except subprocess.TimeoutExpired:
            print(name, "takes too long", flush=True)
            continue
        if ran.returncode != 0 and not ran.stdout.startswith("{"):
            print(name, ran.stderr[-600:], flush=True)
            continue
        done["programs"][name] = {**p, "seconds": time.time() - at, "tuned": json.loads(ran.stdout)}
        out.write_text(json.dumps(done))
        print(name, f"{time.time() - at:.1f} s", line(row(done["programs"][name], None)), flush=True)


def measured(program):
    """(predicted, measured, plan) by predicted order, microseconds."""
    rows = [r for r in program["tuned"]["plans"] if r.get("measured_ns")]
    return sorted(((r["predicted_ns"] / 1e3, r["measured_ns"] / 1e3, r["text"], r) for r in rows), key=lambda r: r[3]["plan"])


def row(program, best):
    """`best`: of other files, too."""
    plans = measured(program)
    least = min([m for _, m, *_ in plans] + ([best] if best else []))
    first = plans[0]
    return {
        "name": program["name"],
        "group": program["group"],
        "plans": len(plans),
        "first": first[1],
        "best": least,
        "ratio": first[1] / least,
        "rank": spearman([(p, m) for p, m, *_ in plans]) if len(plans) > 2 else None,
        "predicted": first[0] / first[1],
        "plan": first[2],
        "of copy": first[3]["minimum_gb_s"] / first[3]["copy_gb_s"],
        "spread": max(m for _, m, *_ in plans) / least,
    }


def line(r):
    rank = "" if r["rank"] is None else f"{r['rank']:.2f}"
    return f"{r['plans']} plans, first {r['first']:.1f} us, first/best {r['ratio']:.3f}, spread {r['spread']:.2f}, rank {rank}, predicted/measured {r['predicted']:.2f}, of copy {r['of copy']:.2f}"


def percentile(values, share):
    values = sorted(values)
    return values[min(len(values) - 1, int(share * (len(values) - 1) + 0.5))]


def report(a):
    files = [json.loads(Path(f).read_text())["programs"] for f in a.files]
    names = [n for n in files[0] if all(n in f for f in files)]
    groups = {}
    for n in names:
        best = min(m for f in files for _, m, *_ in measured(f[n]))
        rows = [row(f[n], best) for f in files]
        groups.setdefault(rows[0]["group"], []).append(rows)
        print(n, " | ".join(line(r) for r in rows))
    for group, all_rows in groups.items():
        for k in range(len(files)):
            rows = [r[k] for r in all_rows]
            ratios, ranks = [r["ratio"] for r in rows], [r["rank"] for r in rows if r["rank"] is not None]
            print(
                f"{group}, {a.files[k]}: {len(rows)} programs, first/best median {median(ratios):.3f}, nine of ten {percentile(ratios, 0.9):.3f}, "
                f"worst {max(ratios):.3f}; within 5 % {sum(r <= 1.05 for r in ratios)}, 15 % {sum(r <= 1.15 for r in ratios)}; rank correlation median {median(ranks):.2f}; "
                f"predicted/measured median {median(r['predicted'] for r in rows):.2f}"
            )


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    commands = parser.add_subparsers(dest="command", required=True)
    run = commands.add_parser("tune")
    run.add_argument("--kasc", required=True)
    run.add_argument("--programs", required=True)
    run.add_argument("--out", required=True)
    run.add_argument("--only", nargs="*", default=[])
    run.add_argument("--group")
    run.add_argument("--top", type=int, default=24)
    run.add_argument("--repeats", type=int, default=7)
    run.add_argument("--jobs", type=int, default=24)
    run.add_argument("--seconds", type=float, default=3600, help="no program is begun after so many")
    run.add_argument("--limit", type=float, default=120, help="seconds a program")
    show = commands.add_parser("report")
    show.add_argument("files", nargs="+")
    a = parser.parse_args()
    {"tune": tune, "report": report}[a.command](a)


if __name__ == "__main__":
    main()
