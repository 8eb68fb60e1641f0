"""A data set for cost models: plans of many programs, with their features, what the model predicts, and what they take.

    python3 benchmarks/research/dataset.py draw --out programs
    kasc batch programs/all.txt -o times.jsonl --jobs 4 -- tune --top 300 --spread 55 --repeats 7 --jobs 4 --no-cache --format json
    python3 benchmarks/research/dataset.py pack --programs programs times.jsonl --out candidates.jsonl.xz

`draw` draws stencils of the families of benchmarks/model/stencil_families.py in four sizes, and takes the programs of examples/ whose inputs
are numbers (lists of cells would have to be given). The second call, on a machine with a GPU, goes on where it was when it is repeated; plans
are compared with the reference before they are timed. Examples are measured alone, with --jobs 1: they have several launches. `pack` writes what README.md beside it describes."""
import argparse
import json
import lzma
import shutil
import sys
from pathlib import Path

here = Path(__file__).resolve().parent
root = here.parents[1]
sys.path.insert(0, str(here.parent / "model"))
from stencil_families import programs  # noqa: E402

# (seed, draws of each family, size of the arrays against 160 to 430 MB)
DRAWS = [(11, 1, 1.0), (12, 3, 0.25), (13, 1, 0.05), (14, 2, 0.12)]
# Of examples/, by family, planned for their own sizes; streams of 2^21 elements.
EXAMPLES = {
    "streams": "big_fusion block_update matrix_powers neo_hookean_energy polar_decomposition rotate_scale st_venant st_venant_inner "
    "st_venant_kirchhoff strain_energy sync_test attitude",
    "blas": "blas/atax blas/axpydot blas/bicgk blas/gemver blas/gesummv blas/layer_norm blas/matrices blas/softmax blas/vectors",
    "fields": "anisotropy diffusion diffusion_tensor heat2d heat3d vortices",
}


def draw(a):
    out = Path(a.out)
    out.mkdir(parents=True, exist_ok=True)
    about, lines = [], []
    for seed, each, scale in DRAWS:
        for p, text in programs(seed, each, scale):
            p["name"] = f"{p['name']}_s{seed}"
            (out / f"{p['name']}.kas").write_text(text)
            about.append(p)
    for p in about:
        lines.append(" ".join([f"{p['name']}.kas"] + [f"--set {x}={n}" for x, n in p["extents"].items()]))
    (out / "stencils.txt").write_text("\n".join(lines) + "\n")
    lines.clear()
    for family, names in EXAMPLES.items():
        for name in names.split():
            program = root / "examples" / f"{name}.kas"
            shutil.copy(program, out / program.name)
            about.append({"name": program.stem, "family": family, "group": "judge", "type": "float", "extents": {}})
            # Loops of many short launches would be timed with what the host takes for them.
            lines.append(program.name + (" --set steps=2" if "param int steps" in program.read_text() else ""))
    (out / "programs.json").write_text(json.dumps(about, indent=1) + "\n")
    (out / "examples.txt").write_text("\n".join(lines) + "\n")
    print(f"{len(about)} programs in {out}")


def pack(a):
    folder = Path(a.programs)
    about = {p["name"]: p for p in json.loads((folder / "programs.json").read_text())}
    first, plans, left_out = {}, [], {}
    for row in map(json.loads, Path(a.times).read_text().splitlines()):
        name, result = Path(row["program"]).stem, row["result"]
        if not isinstance(result, dict) or name not in about:
            left_out[name] = (row["diagnostics"] or [{"message": row.get("said", "")}])[0]["message"]
            continue
        first = first or {k: result[k] for k in ("device", "driver", "compiler", "kasc")}
        for plan in result["plans"]:
            plans.append(
                {
                    "program": name,
                    "sizes": result["sizes"],
                    "rank_by_model": plan["plan"],
                    "plan": plan["text"],
                    "invalidity": plan["invalidity"],
                    "predicted_ns": plan["predicted_ns"],
                    "measured_ns": plan.get("measured_ns"),
                    "quartiles_ns": [plan.get("low_quartile_ns"), plan.get("high_quartile_ns")],
                    "copy_gb_s": plan["copy_gb_s"],
                    "launches": plan["launches"],
                }
            )
    used = sorted({p["program"] for p in plans})
    head = {**first, "programs": [{**about[n], "text": (folder / f"{n}.kas").read_text()} for n in used]}
    with lzma.open(a.out, "wt", preset=9) as file:
        for record in [head] + plans:
            file.write(json.dumps(rounded(record), separators=(",", ":")) + "\n")
    valid = sum(p["measured_ns"] is not None for p in plans)
    print(f"{len(plans)} plans of {len(used)} programs, {valid} with a time, {Path(a.out).stat().st_size / 1e6:.2f} MB")
    for name, why in left_out.items():
        print(f"without: {name}: {why}")


def rounded(value):
    """Five digits are more than any time has."""
    if isinstance(value, float):
        return float(f"{value:.5g}")
    if isinstance(value, dict):
        return {k: rounded(v) for k, v in value.items()}
    return [rounded(v) for v in value] if isinstance(value, list) else value


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    commands = parser.add_subparsers(dest="command", required=True)
    drawing = commands.add_parser("draw")
    drawing.add_argument("--out", required=True)
    packing = commands.add_parser("pack")
    packing.add_argument("times")
    packing.add_argument("--programs", required=True)
    packing.add_argument("--out", required=True)
    a = parser.parse_args()
    {"draw": draw, "pack": pack}[a.command](a)


if __name__ == "__main__":
    main()
