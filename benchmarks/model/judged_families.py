"""Families of stencils that the model is judged on: each from a draw to a program. Extents are set by draw.size."""
from stencil_draw import AXES, box, fields, lap, loop, offset, offsets_of_box, reaction


def pointwise(d):
    """Several arrays of one cell, with functions from none to many."""
    n, k = d.random.choice([1, 2, 3]), d.random.randint(2, 8)
    d.size(n, k + 1)
    a = [f"a{i}" for i in range(k)]
    wrap = ["{}", "{}", "sqrt({})", "exp(-{})", "1/(1 + {})", "sin({})", "tanh({})"]
    terms = " + ".join(d.random.choice(wrap).format(f"{x}*{d.random.choice(a)}") for x in a)
    return fields(d, a + ["r"], n) + f"input {', '.join(a)};\nr = {terms};\nreturn r;\n"


def boxes(d):
    n = d.random.choice([2, 3])
    r = d.random.choice([1, 1, 2, 3]) if n == 2 else d.random.choice([1, 1, 2])
    d.size(n, 2)
    return fields(d, ["u"], n, d.face(r)) + "input u;\n" + loop(f"    u = {box(d, 'u', n, r)};\n") + "return u;\n"


def divergence(d):
    """Flux form: coefficients are read at neighbours, too, and divided."""
    n = d.random.choice([2, 3])
    d.size(n, 3)
    face = d.face(1)
    harmonic = d.random.random() < 0.5

    def mean(o):
        return f"2*k*k{o}/(k + k{o})" if harmonic else f"0.5*(k + k{o})"

    flux = " + ".join(f"{mean(offset(j, n, s))}*(u{offset(j, n, s)} - u)" for j in range(n) for s in (-1, 1))
    return fields(d, ["u", "k"], n, face) + "input u, k;\n" + loop(f"    u = u + 0.1*({flux});\n") + "return u;\n"


def yee(d):
    d.size(3, 12)
    c, face = d.number(), d.random.choice(["boundary value(0)", "boundary periodic", "boundary mirror"])
    text = ""
    for s, o in (("h", "e"), ("e", "h")):
        for k in range(3):
            i, j = (k + 1) % 3, (k + 2) % 3
            step = "+1" if s == "h" else "-1"
            a, b = f"{o}{AXES[j]}", f"{o}{AXES[i]}"
            da, db = f"({a}[{AXES[i]}{step}] - {a})", f"({b}[{AXES[j]}{step}] - {b})"
            text += f"    {s}{AXES[k]} = {s}{AXES[k]} {'-' if s == 'h' else '-'} {c}*({da} - {db});\n"
    names = [f"{s}{a}" for s in "eh" for a in AXES]
    return fields(d, names, 3, face) + f"input {', '.join(names)};\n" + loop(text, 1) + f"return {', '.join(names)};\n"


def elastic(d):
    """P and SV waves in a plane, velocity and stress, of fourth order."""
    d.size(2, 13)
    face = d.random.choice(["boundary value(0)", "boundary mirror", "boundary periodic"])

    def diff(u, a, ahead):
        near, far = (("+1", ""), ("+2", "-1")) if ahead else (("", "-1"), ("+1", "-2"))
        at = lambda s: f"{u}[{a}{s}]" if s else u
        return f"(1.125*({at(near[0])} - {at(near[1])}) - 0.0416667*({at(far[0])} - {at(far[1])}))"

    text = (
        f"    vx = vx + 0.01*b*({diff('txx', 'x', True)} + {diff('txy', 'y', False)});\n"
        f"    vy = vy + 0.01*b*({diff('txy', 'x', False)} + {diff('tyy', 'y', True)});\n"
        f"    txx = txx + 0.01*((l + 2*m)*{diff('vx', 'x', False)} + l*{diff('vy', 'y', False)});\n"
        f"    tyy = tyy + 0.01*((l + 2*m)*{diff('vy', 'y', False)} + l*{diff('vx', 'x', False)});\n"
        f"    txy = txy + 0.01*m*({diff('vx', 'y', True)} + {diff('vy', 'x', True)});\n"
    )
    names = ["vx", "vy", "txx", "tyy", "txy"]
    return (
        fields(d, names, 2, face)
        + fields(d, ["l", "m", "b"], 2)
        + f"input {', '.join(names)}, l, m, b;\n"
        + loop(text)
        + f"return {', '.join(names)};\n"
    )


def fitzhugh(d):
    """Cells that are excitable: a cubic, or exponentials of ion channels."""
    if d.random.random() < 0.5:
        return reaction(d, ("0.1*(u*(1 - u)*(u - 0.1) - v)", "0.01*(0.5*u - v)"))
    return reaction(d, ("0.1*(1/(1 + exp(-4*u)) - v)*(1 - u)", "0.02*(exp(-u*u) - v)/(1 + 0.5*exp(u))"))


def burgers(d):
    n = d.random.choice([1, 2, 3])
    d.size(n, 2 * n)
    v = [f"u{k}" for k in range(n)]
    text = ""
    for q in v:
        moved = " + ".join(f"{v[k]}*({v[k]} > 0 ? {q} - {q}{offset(k, n, -1)} : {q}{offset(k, n, 1)} - {q})" for k in range(n))
        text += f"    n{q} = {q} + 0.1*(0.05*{lap(q, n)} - ({moved}));\n"
    text += "".join(f"    {q} = n{q};\n" for q in v)
    return (
        fields(d, v, n, d.face())
        + fields(d, [f"n{q}" for q in v], n)
        + f"input {', '.join(v)};\n"
        + loop(text)
        + f"return {', '.join(v)};\n"
    )


def euler(d):
    """Gas in one or two dimensions, Lax and Friedrichs: pressures by division."""
    n = d.random.choice([1, 2])
    d.size(n, 2 * (n + 2))
    m = [f"m{AXES[k]}" for k in range(n)]
    kinetic = " + ".join(f"{x}*{x}" for x in m)
    names = ["r"] + m + ["e"]
    text = f"    p = 0.4*(e - 0.5*({kinetic})/r);\n"
    for q in names:

        def flux(k, o):
            w = f"{m[k]}{o}/r{o}"
            if q == "r":
                return f"{m[k]}{o}"
            if q == "e":
                return f"(e{o} + p{o})*{w}"
            return f"{q}{o}*{w}" + (f" + p{o}" if q == m[k] else "")

        mean = " + ".join(f"{q}{offset(k, n, s)}" for k in range(n) for s in (-1, 1))
        diff = " + ".join(f"({flux(k, offset(k, n, 1))}) - ({flux(k, offset(k, n, -1))})" for k in range(n))
        text += f"    n{q} = {1 / (2 * n)}*({mean}) - 0.05*({diff});\n"
    text += "".join(f"    {q} = n{q};\n" for q in names)
    return (
        fields(d, names + ["p"], n, d.face())
        + fields(d, [f"n{q}" for q in names], n)
        + f"input {', '.join(names)};\n"
        + loop(text)
        + f"return {', '.join(names)};\n"
    )


def bilateral(d):
    n, r = (2, d.random.choice([1, 1, 2])) if d.random.random() < 0.7 else (3, 1)
    d.size(n, 2)
    a = " + ".join(f"exp(-2*(u{o} - u)*(u{o} - u))*u{o}" for o in offsets_of_box(n, r))
    b = " + ".join(f"exp(-2*(u{o} - u)*(u{o} - u))" for o in offsets_of_box(n, r))
    return fields(d, ["u"], n, d.face()) + fields(d, ["a", "b", "v"], n) + f"input u;\na = {a};\nb = {b};\nv = a/b;\nreturn v;\n"


def canny(d):
    """Smoothed, differentiated, thinned: three stencils behind each other."""
    d.size(2, 2)
    smooth = "0.0625*(u[-1,-1] + u[1,-1] + u[-1,1] + u[1,1]) + 0.125*(u[-1,0] + u[1,0] + u[0,-1] + u[0,1]) + 0.25*u"
    if d.random.random() < 0.5:
        smooth = box(d, "u", 2, 2)
    return (
        fields(d, ["u", "b", "m"], 2, d.face()) + fields(d, ["e"], 2) + "input u;\n" + f"b = {smooth};\n"
        "m = sqrt((b[1,0] - b[-1,0])*(b[1,0] - b[-1,0]) + (b[0,1] - b[0,-1])*(b[0,1] - b[0,-1]));\n"
        "e = m > m[-1,0] && m > m[1,0] && m > m[0,-1] && m > m[0,1] ? m : 0;\nreturn e;\n"
    )


def cahn(d):
    n = d.random.choice([2, 3])
    d.size(n, 2)
    mobility = d.random.random() < 0.4
    flux = f"(1 - c*c)*{lap('m', n)}" if mobility else lap("m", n)
    return (
        fields(d, ["c", "m"], n, d.face())
        + "input c;\n"
        + loop(f"    m = c*c*c - c - 0.5*{lap('c', n)};\n    c = c + 0.01*{flux};\n")
        + "return c;\n"
    )


def heun(d):
    """Advection of two fields, predicted and corrected."""
    n = d.random.choice([1, 2, 3])
    d.size(n, 4)
    rate = (
        lambda a, b: " + ".join(f"{d.number()}*({a}{offset(k, n, 1)} - {a}{offset(k, n, -1)})" for k in range(n))
        + f" + {d.number()}*{b}"
    )
    text = (
        f"    a = u + 0.1*({rate('u', 'v')});\n    b = v - 0.1*({rate('v', 'u')});\n"
        f"    c = 0.5*(u + a + 0.1*({rate('a', 'b')}));\n    v = 0.5*(v + b - 0.1*({rate('b', 'a')}));\n    u = c;\n"
    )
    return fields(d, ["u", "v", "a", "b"], n, d.face()) + fields(d, ["c"], n) + "input u, v;\n" + loop(text) + "return u, v;\n"


def life(d):
    """A cellular automaton."""
    d.size(2, 2)
    near = " + ".join(f"u{o}" for o in offsets_of_box(2, 1) if o != "[0, 0]")
    return (
        fields(d, ["u"], 2, d.random.choice(["boundary periodic", "boundary value(0)"]))
        + fields(d, ["c"], 2)
        + "input u;\n"
        + loop(f"    c = {near};\n    u = c > 3.5 ? 0.5 : c > 2.5 ? 1 : c > 1.5 ? u : 0.5;\n")
        + "return u;\n"
    )


def lattice(d):
    """Populations that stream and relax: nine in a plane."""
    c = [(0, 0), (1, 0), (0, 1), (-1, 0), (0, -1), (1, 1), (-1, 1), (-1, -1), (1, -1)]
    w = ["0.4444444"] + ["0.1111111"] * 4 + ["0.0277778"] * 4
    d.type = "float"
    d.size(2, 18)
    f = [f"f{i}" for i in range(9)]
    at = [f"{f[i]}[{-x}, {-y}]" for i, (x, y) in enumerate(c)]
    text = f"    r = {' + '.join(at)};\n"
    text += "    a = (" + " + ".join(f"{x}*{t}" for (x, _), t in zip(c, at) if x) + ")/r;\n"
    text += "    b = (" + " + ".join(f"{y}*{t}" for (_, y), t in zip(c, at) if y) + ")/r;\n"
    for i, (x, y) in enumerate(c):
        e = f"({x}*a + {y}*b)"
        text += f"    g{i} = 0.4*{at[i]} + 0.6*{w[i]}*r*(1 + 3*{e} + 4.5*{e}*{e} - 1.5*(a*a + b*b));\n"
    text += "".join(f"    f{i} = g{i};\n" for i in range(9))
    return (
        fields(d, f, 2, "boundary periodic")
        + fields(d, ["r", "a", "b"] + [f"g{i}" for i in range(9)], 2)
        + f"input {', '.join(f)};\n"
        + loop(text)
        + f"return {', '.join(f)};\n"
    )


def tensor(d):
    """Anisotropic diffusion: mixed derivatives with coefficients."""
    n = d.random.choice([2, 3])
    pairs = [(i, j) for i in range(n) for j in range(i, n)]
    d.size(n, 2 + len(pairs))
    k = [f"k{AXES[i]}{AXES[j]}" for i, j in pairs]
    terms = []
    for (i, j), name in zip(pairs, k):
        if i == j:
            terms.append(f"{name}*(u{offset(i, n, 1)} - 2*u + u{offset(i, n, -1)})")
        else:
            at = lambda a, b: "u[" + ", ".join(str(a if q == i else b if q == j else 0) for q in range(n)) + "]"
            terms.append(f"0.5*{name}*({at(1, 1)} - {at(1, -1)} - {at(-1, 1)} + {at(-1, -1)})")
    return (
        fields(d, ["u"], n, d.face(1))
        + fields(d, k, n)
        + f"input u, {', '.join(k)};\n"
        + loop("    u = u + 0.1*(" + " + ".join(terms) + ");\n")
        + "return u;\n"
    )


def curvature(d):
    """Level sets that move by their curvature: roots and quotients."""
    n = d.random.choice([2, 3])
    d.size(n, 2)
    first = [f"(0.5*(u{offset(k, n, 1)} - u{offset(k, n, -1)}))" for k in range(n)]
    norm = " + ".join(f"{f}*{f}" for f in first) + " + 0.01"
    second = " + ".join(f"(u{offset(k, n, 1)} - 2*u + u{offset(k, n, -1)})*(1 - {first[k]}*{first[k]}/({norm}))" for k in range(n))
    return fields(d, ["u"], n, d.face(1)) + "input u;\n" + loop(f"    u = u + 0.1*({second} - 0.5*sqrt({norm}));\n") + "return u;\n"


def kdv(d):
    """Waves along a line: third derivatives, a product."""
    d.size(1, 2)
    return (
        fields(d, ["u"], 1, d.face())
        + "input u;\n"
        + loop("    u = u - 0.01*((u[1] + u + u[-1])*(u[1] - u[-1]) + 0.1*(u[2] - 2*u[1] + 2*u[-1] - u[-2]));\n")
        + "return u;\n"
    )
