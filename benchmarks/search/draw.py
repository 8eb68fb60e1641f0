"""Programs drawn at random, in families that are hard for the search in different ways: text of a program for a family,
a number of statements and a seed. `python3 draw.py dense-3d 60 1` prints one."""
import random
import sys

AXES = {"1d": ["x"], "2d": ["x", "y"], "3d": ["x", "y", "z"]}
WORDS = [6, 19, 64]
EXTENTS = {"1d": 1000, "2d": 4096, "3d": 512}


def sources(structure, k, rng, inputs):
    """The values that statement k reads: fields by number, those below 0 are inputs."""
    if structure == "chain":  # each the one before, and an input
        return [k - 1 if k else -1, -1 - rng.randrange(inputs)]
    if structure == "side":  # each two of the inputs
        return [-1 - j for j in rng.sample(range(inputs), 2)]
    if structure == "layered":  # each three of the layer before; five in a layer
        first = k // 5 * 5 - 5
        return [first + rng.randrange(5) if first >= 0 else -1 - rng.randrange(inputs) for _ in range(3)]
    # dense: each two of the last four, or inputs
    return [(k - 1 - rng.randrange(4)) if rng.random() < 0.7 and k >= 4 else -1 - rng.randrange(inputs) for _ in range(2)]


def name(k):
    return f"v{k}" if k >= 0 else f"a{-1 - k}"


def read_of(k, axes, rng, near):
    if rng.random() >= near:
        return name(k)
    return f"{name(k)}[{rng.choice(axes)} {rng.choice('+-')} 1]"


def fields(structure, geometry, statements, seed):
    rng = random.Random(f"{structure} {geometry} {statements} {seed}")
    axes, inputs = AXES[geometry], 4
    unread, lines = set(), []
    for k in range(statements):
        terms = []
        for s in sources(structure, k, rng, inputs):
            unread.discard(s)
            terms.append(f"{rng.randrange(2, 9)} * {read_of(s, axes, rng, 0.3)}")
        unread.add(k)
        lines.append(f"v{k} = {' + '.join(terms)};")
    boundary = f"[{', '.join(axes)}] boundary periodic"
    declared = ", ".join(name(k) + boundary for k in range(-inputs, statements))
    asked = ", ".join(name(k) for k in sorted(unread))
    return "\n".join(
        [f"float {declared};", f"input {', '.join(name(-1 - j) for j in range(inputs))};", *lines, f"return {asked};", ""]
    )


def updates(geometry, statements, seed):
    """Six fields, each statement updates one of them from two others."""
    rng = random.Random(f"updates {geometry} {statements} {seed}")
    axes, names = AXES[geometry], [f"f{k}" for k in range(6)]
    boundary = f"[{', '.join(axes)}] boundary periodic"
    lines = []
    for _ in range(statements):
        to, a, b = rng.sample(names, 3)
        near = f"[{rng.choice(axes)} {rng.choice('+-')} 1]" if rng.random() < 0.3 else ""
        lines.append(f"{to} = {to} + {rng.randrange(2, 9)} * {a} * {b}{near};")
    return "\n".join(
        [
            f"float {', '.join(n + boundary for n in names)};",
            f"input {', '.join(names)};",
            *lines,
            f"return {', '.join(names)};",
            "",
        ]
    )


def streams(structure, statements, seed):
    rng = random.Random(f"{structure} streams {statements} {seed}")
    inputs = 4
    unread, lines = set(), []
    for k in range(statements):
        two = sources(structure, k, rng, inputs)[:2]
        unread -= set(two)
        unread.add(k)
        lines.append(f"v{k} = {rng.choice(['mmul33', 'madd33'])}({name(two[0])}, {name(two[1])});")
    declared = ", ".join(name(k) for k in range(-inputs, statements))
    asked = ", ".join(name(k) for k in sorted(unread))
    return "\n".join(
        [f"matrix3x3 {declared};", f"input {', '.join(name(-1 - j) for j in range(inputs))};", *lines, f"return {asked};", ""]
    )


def coupled(geometry, statements, seed):
    """A step of as many fields, of which each reads all."""
    rng = random.Random(f"coupled {geometry} {statements} {seed}")
    axes = AXES[geometry]
    names = [f"c{k}" for k in range(statements)]
    boundary, cell = f"[{', '.join(axes)}] boundary mirror", f"[{', '.join(axes)}]"
    lines = []
    for k in range(statements):
        terms = [f"{rng.randrange(1, 9)} * {n}" for n in names] + [f"{names[k]}[{rng.choice(axes)} - 1]"]
        lines.append(f"    d{k} = {' + '.join(terms)};")
    lines += [f"    c{k} = d{k};" for k in range(statements)]
    declared = ", ".join([n + boundary for n in names] + [f"d{k}{cell}" for k in range(statements)])
    return "\n".join(
        [
            f"float {declared};",
            f"input {', '.join(names)};",
            "for (i = 0; i < 9; i++) {",
            *lines,
            "}",
            f"return {', '.join(names)};",
            "",
        ]
    )


def cells(words, geometry, statements, seed):
    """Each about cells of so many words, reads the one before, one of the last four and the sum of a cell's words."""
    rng = random.Random(f"cells {words} {geometry} {statements} {seed}")
    axes = AXES[geometry]
    boundary = f"[{', '.join(axes)}] boundary periodic"
    lines = [f"s = sum({name(-1)});"]
    for k in range(statements - 1):
        other = max(k - 1 - rng.randrange(4), -2)
        lines.append(f"v{k} = {read_of(max(k - 1, -1), axes, rng, 0.3)} + 0.1 * (s - {read_of(other, axes, rng, 0.3)});")
    declared = ", ".join(name(k) + boundary for k in range(-2, statements - 1))
    return "\n".join(
        [
            f"type many = float[{words}];",
            f"many {declared};",
            f"float s{boundary};",
            f"input {name(-1)}, {name(-2)};",
            *lines,
            f"return v{statements - 2};",
            "",
        ]
    )


STRUCTURES = ["dense", "chain", "side", "layered"]
FAMILIES = (
    [f"{s}-{g}" for g in ["1d", "2d", "3d", "stream"] for s in STRUCTURES]
    + [f"updates-{g}" for g in ["1d", "2d", "3d"]]
    + [f"coupled-{g}" for g in ["2d", "3d"]]
    + [f"cells{w}-{g}" for g in ["2d", "3d"] for w in WORDS]
)


def program(family, statements, seed):
    structure, kind = family.split("-")
    if kind == "stream":
        return streams(structure, statements, seed)
    if structure.startswith("cells"):
        return cells(int(structure[5:]), kind, statements, seed)
    if structure == "coupled":
        return coupled(kind, statements, seed)
    return updates(kind, statements, seed) if structure == "updates" else fields(structure, kind, statements, seed)


def sizes(family):
    """Options of `kasc` that say how large the fields are."""
    kind = family.split("-")[1]
    return [part for axis in AXES.get(kind, []) for part in ("--set", f"{axis}={EXTENTS[kind]}")]


if __name__ == "__main__":
    print(program(sys.argv[1], int(sys.argv[2]), int(sys.argv[3])), end="")
