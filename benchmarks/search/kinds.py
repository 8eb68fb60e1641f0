"""Steps of simulations of many kinds, 15 to 130 statements each, as one would write them for each field by itself: lattices of
populations, conducting fluids, fluids with limiters and with WENO, elastic waves with absorbing layers, reactions between species.
`python3 kinds.py FOLDER` writes them all, for `compile_times.py`."""
import itertools
import random
import sys
from pathlib import Path

PLANE, SPACE = "xy", "xyz"


def program(axes, fields, body, kept, boundary="periodic", params=("dt = 0.001",), functions=""):
    """A time loop that goes through the statements."""
    cells = f"[{', '.join(axes)}] boundary {boundary}"
    return "\n".join(
        [
            f"float {', '.join(f + cells for f in fields)};",
            *(f"param float {p};" for p in params),
            "param int steps = 100;",
            *([functions] if functions else []),
            f"input {', '.join(kept)};",
            "for (step = 0; step < steps; step++) {",
            *(f"    {line}" for line in body),
            "}",
            f"return {', '.join(kept)};",
            "",
        ]
    )


def total(terms):
    return " + ".join(terms)


def at(field, steps, axes):
    moves = [f"{a} {'+' if s > 0 else '-'} {abs(s)}" for a, s in zip(axes, steps) if s]
    return f"{field}[{', '.join(moves)}]" if moves else field


def lattice(axes, most):
    """Populations that move to the cells around, up to so many axes at once, and relax to equilibrium."""
    ways = [w for w in itertools.product((-1, 0, 1), repeat=len(axes)) if sum(map(abs, w)) <= most]
    along = [f"u{a}" for a in axes]

    def signed(way_of, names):
        return "0" + "".join((" + " if s > 0 else " - ") + name for s, name in zip(way_of, names) if s)

    streamed = [f"g{k} = {at(f'f{k}', [-s for s in way], axes)};" for k, way in enumerate(ways)]
    moments = ["rho = " + total(f"g{k}" for k in range(len(ways))) + ";"]
    for k, u in enumerate(along):
        moments.append(f"{u} = ({signed([w[k] for w in ways], [f'g{j}' for j in range(len(ways))])})/rho;")
    moments.append(f"s = 1.5*({total(f'{u}*{u}' for u in along)});")
    relaxed = []
    for k, way in enumerate(ways):
        weight, speed = 1 / (1 + sum(map(abs, way))), signed(way, along)
        relaxed.append(f"f{k} = g{k} + omega*({weight:.4f}*rho*(1 + 3*({speed}) + 4.5*({speed})*({speed}) - s) - g{k});")
    kept = [f"f{k}" for k in range(len(ways))]
    fields = kept + [f"g{k}" for k in range(len(ways))] + ["rho", "s", *along]
    return program(axes, fields, streamed + moments + relaxed, kept, params=("omega = 1.2",))


class Fluid:
    """Density, momentum and energy, with velocities and pressure, and what a scheme adds to them."""

    def __init__(self, axes):
        self.axes = axes
        self.kept = ["r", *(f"m{a}" for a in axes), "E"]
        self.fields = dict.fromkeys([*self.kept, *(f"u{a}" for a in axes), "p"])
        speed = total(f"u{a}*u{a}" for a in axes)
        self.body = [*(f"u{a} = m{a}/r;" for a in axes), f"p = 0.4*(E - 0.5*r*({speed}));"]

    def make(self, name, value):
        self.fields[name] = None
        self.body.append(f"{name} = {value};")

    def flux(self, q, axis, side=""):
        """What flows along the axis, of the cell or of one side of a face."""
        u, p = f"{side}u{axis}", f"{side}p"
        return f"{u}*({self.held(q, side)}{f' + {p}' if q == 'E' else ''})" + (f" + {p}" if q == f"m{axis}" else "")

    def held(self, q, side):
        if not side or q == "r":
            return side + q
        speed = total(f"{side}u{a}*{side}u{a}" for a in self.axes)
        return f"({side}p/0.4 + 0.5*{side}r*({speed}))" if q == "E" else f"{side}r*{side}u{q[1]}"

    def program(self, functions):
        for q in self.kept:
            self.make(q, f"{q} - dt*({total(f'F{a}_{q} - F{a}_{q}[{a} - 1]' for a in self.axes)})")
        return program(self.axes, self.fields, self.body, self.kept, functions=functions)


def limited(axes):
    """Limited slopes, and fluxes of Harten, Lax and van Leer."""
    fluid = Fluid(axes)
    primitive = ["r", *(f"u{a}" for a in axes), "p"]
    for a in axes:
        for q in primitive:
            fluid.make(f"S{a}_{q}", f"minmod({q} - {q}[{a} - 1], {q}[{a} + 1] - {q})")
        for q in primitive:
            fluid.make(f"L{a}_{q}", f"{q} + 0.5*S{a}_{q}")
            fluid.make(f"R{a}_{q}", f"{q}[{a} + 1] - 0.5*S{a}_{q}[{a} + 1]")
        left, right = (f"{side}{a}_u{a} {{}} sqrt(1.4*{side}{a}_p/{side}{a}_r)" for side in "LR")
        fluid.make(f"l{a}", f"min({left.format('-')}, {right.format('-')})")
        fluid.make(f"g{a}", f"max({left.format('+')}, {right.format('+')})")
        for q in fluid.kept:
            sides = [of(q) for of in (lambda q: fluid.flux(q, a, f"L{a}_"), lambda q: fluid.flux(q, a, f"R{a}_"))]
            sides += [fluid.held(q, f"L{a}_"), fluid.held(q, f"R{a}_")]
            fluid.make(f"F{a}_{q}", f"hll(l{a}, g{a}, {', '.join(sides)})")
    return fluid.program(
        "function minmod(a, b) = a*b > 0 ? (abs(a) < abs(b) ? a : b) : 0;\n"
        "function hll(l, r, fl, fr, ul, ur) = l >= 0 ? fl : r <= 0 ? fr : (r*fl - l*fr + l*r*(ur - ul))/(r - l);"
    )


def weno(axes):
    """Fluxes split in two, each made of three parabolas with weights (Jiang and Shu 1996)."""
    fluid = Fluid(axes)
    fluid.make("c", "sqrt(1.4*p/r)")
    for a in axes:
        for q in fluid.kept:
            for name, sign in (("P", "+"), ("M", "-")):
                fluid.make(f"{name}{a}_{q}", f"0.5*({fluid.flux(q, a)} {sign} (abs(u{a}) + c)*{q})")
        for q in fluid.kept:
            fluid.make(f"F{a}_{q}", f"up(P{a}_{q}, {a}) + down(M{a}_{q}, {a})")
    return fluid.program(
        "function bend(a, b, c) = 13/12.0*(a - 2*b + c)*(a - 2*b + c);\n"
        "function b0(a, b, c) = bend(a, b, c) + 0.25*(a - 4*b + 3*c)*(a - 4*b + 3*c);\n"
        "function b1(a, b, c) = bend(a, b, c) + 0.25*(a - c)*(a - c);\n"
        "function b2(a, b, c) = bend(a, b, c) + 0.25*(3*a - 4*b + c)*(3*a - 4*b + c);\n"
        "function w(g, b) = g/((1e-6 + b)*(1e-6 + b));\n"
        "function mean(v, w, x, p, q, r) = (v*p + w*q + x*r)/(v + w + x);\n"
        "function five(a, b, c, d, e) = mean(w(0.1, b0(a, b, c)), w(0.6, b1(b, c, d)), w(0.3, b2(c, d, e)),\n"
        "    (2*a - 7*b + 11*c)/6, (5*c - b + 2*d)/6, (2*c + 5*d - e)/6);\n"
        "function up(f, k) = five(f[k - 2], f[k - 1], f, f[k + 1], f[k + 2]);\n"
        "function down(f, k) = five(f[k + 3], f[k + 2], f[k + 1], f, f[k - 1]);"
    )


def layers(axes):
    """Velocities and stresses of a solid, with what absorbing layers at the rim remember of each derivative."""
    pairs = list(itertools.combinations_with_replacement(axes, 2))
    kept, body, made = [f"v{a}" for a in axes] + [f"s{a}{b}" for a, b in pairs], [], []

    def derivative(name, field, axis, ahead):
        step = f"{field}[{axis} + 1] - {field}" if ahead else f"{field} - {field}[{axis} - 1]"
        body.extend([f"d{name} = ({step})/h;", f"{name} = b*{name} + c*d{name};"])
        kept.append(name)
        made.append(f"d{name}")

    for a, b in itertools.product(axes, repeat=2):
        derivative(f"p{a}{b}", "s" + "".join(sorted(a + b)), b, a == b)
    body += [f"v{a} = v{a} + dt*({total(f'dp{a}{b} + p{a}{b}' for b in axes)});" for a in axes]
    for a, b in itertools.product(axes, repeat=2):
        derivative(f"q{a}{b}", f"v{a}", b, a != b)
    for a, b in pairs:
        all_axes = total(f"dq{k}{k} + q{k}{k}" for k in axes)
        shear = f"mu*(dq{a}{b} + q{a}{b} + dq{b}{a} + q{b}{a})"
        body.append(f"s{a}{b} = s{a}{b} + dt*({f'lambda*({all_axes}) + ' if a == b else ''}{shear});")
    given = ["b", "c", "lambda", "mu"]
    return program(axes, kept + made + given, body, kept + given, "value(0)", ("dt = 0.001", "h = 1"))


def reactions(axes, species, rates):
    rng = random.Random(1)
    names, speeds = [f"c{k}" for k in range(species)], [f"r{k}" for k in range(rates)]
    body = []
    for r in speeds:
        one, other = rng.sample(names, 2)
        body.append(f"{r} = {rng.random():.3f}*exp(-{rng.random():.3f}/T)*{one}*{other};")
    for c in names:
        a, b, d, e = (rng.choice(speeds) for _ in range(4))
        around = f"{total(f'{c}[{k} - 1] + {c}[{k} + 1]' for k in axes)} - {2 * len(axes)}*{c}"
        body.append(f"new_{c} = {c} + dt*({a} + {b} - {d} - {e} + 0.1*({around}));")
    body += [f"{c} = new_{c};" for c in names]
    body.append(f"T = T + dt*({total(f'{rng.random():.2f}*{r}' for r in speeds)});")
    return program(axes, [*names, *speeds, *(f"new_{c}" for c in names), "T"], body, [*names, "T"], "mirror")


KINDS = {
    "lattice_9": lambda: lattice(PLANE, 2),
    "lattice_19": lambda: lattice(SPACE, 2),
    "lattice_27": lambda: lattice(SPACE, 3),
    "limited_plane": lambda: limited(PLANE),
    "limited_space": lambda: limited(SPACE),
    "weno_plane": lambda: weno(PLANE),
    "weno_space": lambda: weno(SPACE),
    "layers_plane": lambda: layers(PLANE),
    "layers_space": lambda: layers(SPACE),
    "reactions_8": lambda: reactions(PLANE, 8, 12),
    "reactions_16": lambda: reactions(SPACE, 16, 24),
    "reactions_20": lambda: reactions(PLANE, 20, 30),
}


def write(programs):
    """Each of `programs`, which makes a text, as a file of its name in the folder that the command names."""
    folder = Path(sys.argv[1])
    folder.mkdir(exist_ok=True)
    for name, make in programs.items():
        (folder / f"{name}.kas").write_text(make())


if __name__ == "__main__":
    write(KINDS)
