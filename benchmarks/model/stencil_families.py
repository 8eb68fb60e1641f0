"""Stencil programs drawn at random from families of the literature, for what the model is fitted on and what it is judged on.

    python3 benchmarks/model/stencil_families.py --seed 1 --each 2 --out programs

writes PROGRAM.kas for each draw, programs.txt, a list for kasc batch, and programs.json: name, family, group (`fit`: constants of the model may be fitted on it; `judge`: the
model never sees it before it is judged) and the extents to plan for. A family belongs to one group with all its draws, so that what is
judged differs from what was fitted by more than numbers. The same seed gives the same programs.

A draw has a radius of 1 to 4, float or double, faces of one kind or of two, and extents of 160 to 430 MB of arrays, a third of which are
no multiple of 4. Loops run twice, since a step is what counts, or as often as --steps says."""
import argparse
import json
import re
from pathlib import Path

from fitted_families import (
    acoustic,
    biharmonic,
    copies,
    grayscott,
    harris,
    heat,
    mask,
    material,
    midpoint,
    morphology,
    perona,
    shallow,
    upwind,
    wave,
)
from judged_families import (
    bilateral,
    boxes,
    burgers,
    cahn,
    canny,
    curvature,
    divergence,
    elastic,
    euler,
    fitzhugh,
    heun,
    kdv,
    lattice,
    life,
    pointwise,
    tensor,
    yee,
)
from stencil_draw import Draw, box, fields, offset, star


def drawn(d):
    """None of them: arrays, reaches, functions and stages as they fall."""
    n, stages, inputs = d.random.choice([1, 2, 3, 3]), d.random.randint(1, 3), d.random.randint(1, 5)
    a = [f"a{i}" for i in range(inputs)]
    s = [f"s{i}" for i in range(stages)]
    d.size(n, inputs + stages)
    wrap = ["{}", "{}", "{}", "{}", "sqrt(abs({}) + 1)", "exp(-abs({}))", "1/(2 + abs({}))", "max({}, 0.1)", "sin({})"]
    text, known = "", list(a)
    for k, name in enumerate(s):
        used = d.random.sample(known, min(len(known), d.random.randint(1, 4)))
        if k > 0 and s[k - 1] not in used:
            used.append(s[k - 1])
        terms = []
        for u in used:
            r = d.radius() if stages == 1 else d.radius(1, 2)
            kind = d.random.choice(["own", "star", "star", "box", "some", "ahead"])
            if kind == "own":
                t = u
            elif kind == "star":
                t = "(" + star(d, u, n, r) + ")"
            elif kind == "box":
                t = "(" + box(d, u, n, 1) + ")"
            elif kind == "ahead":
                k0 = d.random.randrange(n)
                t = f"({u}{offset(k0, n, r)} - {u})"
            else:
                at = ["[" + ", ".join(str(d.random.randint(-r, r)) for _ in range(n)) + "]" for _ in range(d.random.randint(2, 6))]
                t = "(" + " + ".join(f"{d.number()}*{u}{o}" for o in at) + ")"
            terms.append(d.random.choice(wrap).format(t))
        text += f"{name} = " + d.random.choice([" + ", " + ", "*"]).join(terms) + ";\n"
        known.append(name)
    out = s[-1:] + [x for x in s[:-1] if d.random.random() < 0.3]
    return (
        "".join(fields(d, [u], n, d.face(2 if u in a else 0)) for u in a + s)
        + f"input {', '.join(a)};\n{text}return {', '.join(out)};\n"
    )


FIT = [copies, wave, heat, material, acoustic, grayscott, upwind, shallow, perona, harris, morphology, biharmonic, midpoint, mask]
JUDGE = [
    pointwise,
    boxes,
    divergence,
    yee,
    elastic,
    fitzhugh,
    burgers,
    euler,
    bilateral,
    canny,
    cahn,
    heun,
    life,
    lattice,
    tensor,
    curvature,
    kdv,
]
RANDOM = 3  # of those that are of no family, beside one draw of each


def programs(seed, each, scale=1.0):
    """The first draw of every family, then the second of each, and so on."""
    counted = {}
    for k in range(each):
        for group, families in (("fit", FIT), ("judge", JUDGE)):
            for family in families + [drawn] * RANDOM:
                name = f"{family.__name__}{k}"
                if family is drawn:
                    counted[group] = counted.get(group, 0) + 1
                    name = f"drawn_{group}{counted[group] - 1}"
                draw = Draw(seed, group, name, scale)
                text = family(draw)
                yield {"name": name, "family": family.__name__, "group": group, "type": draw.type, "extents": draw.extents}, text


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--each", type=int, default=2, help="draws a family")
    parser.add_argument("--out", required=True)
    parser.add_argument("--scale", type=float, default=1, help="of the arrays: 1 is 160 to 430 MB")
    parser.add_argument("--steps", type=int, help="of loops")
    arguments = parser.parse_args()
    out = Path(arguments.out)
    out.mkdir(parents=True, exist_ok=True)
    found = []
    for about, text in programs(arguments.seed, arguments.each, arguments.scale):
        if arguments.steps:
            text = re.sub(r"n < \d+", f"n < {arguments.steps}", text)
        (out / f"{about['name']}.kas").write_text(text)
        found.append(about)
    (out / "programs.json").write_text(json.dumps(found, indent=1) + "\n")
    sizes = {p["name"]: " ".join(f"--set {x}={n}" for x, n in p["extents"].items()) for p in found}
    (out / "programs.txt").write_text("".join(f"{p['name']}.kas {sizes[p['name']]}\n" for p in found))


if __name__ == "__main__":
    main()
