"""Steps of simulations of more disciplines, 18 to 40 statements each, and three of a hundred, written for each field by itself as
those of `kinds.py`. `python3 disciplines.py FOLDER` writes them all, for `bounds.py` and `compile_times.py`."""
import itertools
import random

from kinds import PLANE, SPACE, program, reactions, total, write


class Step:
    """Statements of a step, and the fields that they are about. `kept`: fields that the next step reads."""

    def __init__(self, axes, kept, given=()):
        self.axes = axes
        self.kept = list(kept)
        self.fields = dict.fromkeys([*kept, *given])
        self.given = list(given)
        self.body = []

    def make(self, name, value):
        self.fields[name] = None
        self.body.append(f"{name} = {value};")
        return name

    def text(self, boundary="periodic", params=("dt = 0.001",), functions=""):
        return program(self.axes, self.fields, self.body, self.kept + self.given, boundary, params, functions)


def ahead(f, a):
    return f"({f}[{a} + 1] - {f})"


def back(f, a):
    return f"({f} - {f}[{a} - 1])"


def middle(f, a):
    return f"0.5*({f}[{a} + 1] - {f}[{a} - 1])"


def laplacian(f, axes):
    return f"({total(f'{f}[{a} - 1] + {f}[{a} + 1]' for a in axes)} - {2 * len(axes)}*{f})"


def drude():
    """Light in a metal: Yee's cells, currents of two poles."""
    step = Step(SPACE, [f"{q}{a}" for q in "EHJKP" for a in SPACE], ["eps", "wp"])
    for k, a in enumerate(SPACE):
        b, c = SPACE[(k + 1) % 3], SPACE[(k + 2) % 3]
        step.make(f"H{a}", f"H{a} - dt*({ahead(f'E{c}', b)} - {ahead(f'E{b}', c)})")
    for a in SPACE:
        step.make(f"J{a}", f"0.99*J{a} + dt*wp*E{a}")
        step.make(f"K{a}", f"K{a} + dt*(wp*E{a} - 0.3*K{a} - 2.1*P{a})")
        step.make(f"P{a}", f"P{a} + dt*K{a}")
    for k, a in enumerate(SPACE):
        b, c = SPACE[(k + 1) % 3], SPACE[(k + 2) % 3]
        step.make(f"C{a}", f"{back(f'H{c}', b)} - {back(f'H{b}', c)}")
        step.make(f"E{a}", f"E{a} + dt*(C{a} - J{a} - K{a})/eps")
    return step.text("value(0)")


def runge_kutta(stages):
    """Spots of Gray and Scott, by so many stages of Runge and Kutta."""
    step = Step(PLANE, ["u", "v"])
    u, v = "u", "v"
    for k in range(stages):
        step.make(f"q{k}", f"{u}*{v}*{v}")
        step.make(f"ku{k}", f"0.16*{laplacian(u, PLANE)} - q{k} + 0.06*(1 - {u})")
        step.make(f"kv{k}", f"0.08*{laplacian(v, PLANE)} + q{k} - 0.12*{v}")
        if k + 1 < stages:
            u, v = step.make(f"u{k}", f"u + 0.5*dt*ku{k}"), step.make(f"v{k}", f"v + 0.5*dt*kv{k}")
    for f in "uv":
        step.make(f, f"{f} + dt*({total(f'k{f}{k}' for k in range(stages))})/{stages}.0")
    return step.text()


def two_phases():
    """Cahn and Hilliard's phases in an incompressible fluid, two pressures' sweeps."""
    step = Step(PLANE, ["c", "ux", "uy", "p"])
    step.make("mu", f"c*c*c - c - 0.01*{laplacian('c', PLANE)}")
    step.make("M", "max(0, 1 - c*c) + 0.05")
    step.make("rho", "0.5*(1 + c) + 0.05*(1 - c)")
    step.make("eta", "exp(0.5*(1 + c)*0.3)")
    for a in PLANE:
        step.make(f"G{a}", f"0.5*(M + M[{a} + 1])*{ahead('mu', a)}")
        step.make(f"A{a}", f"0.5*u{a}*(c[{a} + 1] + c)")
    step.make("cn", f"c + dt*({total(back(f'G{a}', a) for a in PLANE)} - {total(back(f'A{a}', a) for a in PLANE)})")
    for a, b in itertools.product(PLANE, repeat=2):
        step.make(f"D{a}{b}", middle(f"u{a}", b))
    for a in PLANE:
        step.make(f"N{a}", total(f"u{b}*D{a}{b}" for b in PLANE))
        step.make(f"T{a}", total(f"eta*(D{a}{b} + D{b}{a})" for b in PLANE))
        step.make(f"w{a}", f"u{a} + dt*(-N{a} + ({total(middle(f'T{a}', b) for b in PLANE)} + mu*{middle('c', a)})/rho)")
    step.make("div", total(middle(f"w{a}", a) for a in PLANE))
    for k in range(2):
        last = f"p{k - 1}" if k else "p"
        step.make(f"p{k}", f"0.25*({total(f'{last}[{a} - 1] + {last}[{a} + 1]' for a in PLANE)} - div)")
    for a in PLANE:
        step.make(f"u{a}", f"w{a} - dt*{middle('p1', a)}/rho")
    step.make("p", "p1")
    step.make("c", "cn")
    return step.text()


def ocean():
    """Shallow water with Arakawa's cells, and four tracers with upwind fluxes."""
    tracers = [f"t{k}" for k in range(4)]
    step = Step(PLANE, ["h", "u", "v", *tracers], ["b", "f"])
    step.make("U", "0.5*(h + h[x - 1])*u")
    step.make("V", "0.5*(h + h[y - 1])*v")
    step.make("z", "(f + (v - v[x - 1]) - (u - u[y - 1]))/(0.25*(h + h[x - 1] + h[y - 1] + h[x - 1, y - 1]))")
    step.make("B", "9.81*(h + b) + 0.25*(u*u + u[x + 1]*u[x + 1] + v*v + v[y + 1]*v[y + 1])")
    step.make("qu", "0.125*(z + z[y + 1])*(V + V[y + 1] + V[x - 1] + V[x - 1, y + 1])")
    step.make("qv", "0.125*(z + z[x + 1])*(U + U[x + 1] + U[y - 1] + U[x + 1, y - 1])")
    for t in tracers:
        step.make(f"X{t}", f"U*(U > 0 ? {t}[x - 1] : {t})")
        step.make(f"Y{t}", f"V*(V > 0 ? {t}[y - 1] : {t})")
    step.make("hn", f"h - dt*({ahead('U', 'x')} + {ahead('V', 'y')})")
    for t in tracers:
        step.make(t, f"({t}*h - dt*({ahead(f'X{t}', 'x')} + {ahead(f'Y{t}', 'y')}))/hn")
    step.make("u", f"u + dt*(qu - {back('B', 'x')} + 0.1*{laplacian('u', PLANE)})")
    step.make("v", f"v + dt*(-qv - {back('B', 'y')} + 0.1*{laplacian('v', PLANE)})")
    step.make("h", "hn")
    return step.text()


def eddies():
    """Turbulence with Smagorinsky's viscosity."""
    step = Step(SPACE, [f"u{a}" for a in SPACE] + ["p"])
    for a, b in itertools.product(SPACE, repeat=2):
        step.make(f"g{a}{b}", middle(f"u{a}", b))
    pairs = list(itertools.combinations_with_replacement(SPACE, 2))
    for a, b in pairs:
        step.make(f"s{a}{b}", f"0.5*(g{a}{b} + g{b}{a})")
    step.make("n", f"0.03*sqrt(2*({total(f'{1 if a == b else 2}*s{a}{b}*s{a}{b}' for a, b in pairs)}))")
    for a, b in pairs:
        step.make(f"t{a}{b}", f"2*(n + 0.001)*s{a}{b} - u{a}*u{b}")
    for a in SPACE:
        force = total(middle("t" + "".join(sorted(a + b)), b) for b in SPACE)
        step.make(f"w{a}", f"u{a} + dt*({force} - {middle('p', a)})")
    step.make("d", total(middle(f"w{a}", a) for a in SPACE))
    step.make("p", "p - 0.5*d")
    for a in SPACE:
        step.make(f"u{a}", f"w{a} - dt*{middle('d', a)}")
    return step.text()


def moments():
    """Nine populations, relaxed by their moments, each at a rate of its own."""
    ways = list(itertools.product((-1, 0, 1), repeat=2))
    step = Step(PLANE, [f"f{k}" for k in range(9)])
    for k, (i, j) in enumerate(ways):
        moves = ", ".join(f"{a} {'-' if s > 0 else '+'} 1" for a, s in zip(PLANE, (i, j)) if s)
        step.make(f"g{k}", f"f{k}[{moves}]" if moves else f"f{k}")
    for m, (p, q) in enumerate(itertools.product(range(3), repeat=2)):
        terms = [(k, i**p * j**q) for k, (i, j) in enumerate(ways) if i ** p * j**q]
        step.make(f"m{m}", "0.0" + "".join(f" {'+' if c > 0 else '-'} g{k}" for k, c in terms))
    equal = {2: "m0/3.0 + m1*m1/m0", 4: "m3*m1/m0", 5: "m3*m1*m1/m0", 6: "m0/3.0 + m3*m3/m0", 7: "m3*m3*m1/m0", 8: "m0/9.0"}
    for m, e in equal.items():
        step.make(f"r{m}", f"m{m} + {1 + 0.1 * m:.1f}*({e} - m{m})")
    for k, (i, j) in enumerate(ways):
        step.make(f"f{k}", total(f"{0.1 + 0.05 * ((k * 7 + m) % 5):.2f}*{'r' if m in equal else 'm'}{m}" for m in range(9)))
    return step.text()


def plasma():
    """A conducting fluid in space: fluxes of Lax and Friedrichs for eight fields."""
    conserved = ["r", *(f"m{a}" for a in SPACE), *(f"B{a}" for a in SPACE), "E"]
    step = Step(SPACE, conserved)
    for a in SPACE:
        step.make(f"u{a}", f"m{a}/r")
    step.make("b2", f"0.5*({total(f'B{a}*B{a}' for a in SPACE)})")
    step.make("p", f"0.4*(E - 0.5*r*({total(f'u{a}*u{a}' for a in SPACE)}) - b2)")
    step.make("s", "sqrt((1.4*p + 2*b2)/r)")
    for a in SPACE:
        for q in conserved:
            if q == "r":
                flux = f"m{a}"
            elif q == "E":
                flux = f"(E + p + b2)*u{a} - B{a}*({total(f'u{b}*B{b}' for b in SPACE)})"
            elif q[0] == "m":
                flux = f"{q}*u{a} - B{a}*B{q[1]}" + (" + p + b2" if q[1] == a else "")
            else:
                flux = "0.0*p" if q[1] == a else f"u{a}*{q} - u{q[1]}*B{a}"
            step.make(f"F{a}{q}", flux)
    for q in conserved:
        flows = total(middle(f"F{a}{q}", a) for a in SPACE)
        step.make(f"n{q}", f"{q} - dt*({flows}) + 0.1*dt*s*{laplacian(q, SPACE)}")
    for q in conserved:
        step.make(q, f"n{q}")
    return step.text()


def rubber():
    """Forces of a solid of Mooney and Rivlin that is deformed much."""
    step = Step(SPACE, [f"{q}{a}" for q in "dv" for a in SPACE])
    for k, a in enumerate(SPACE):
        for b in SPACE:
            step.make(f"F{a}{b}", f"{middle(f'd{a}', b)}" + (" + 1" if a == b else ""))
    cofactor = lambda a, b: [
        SPACE[(SPACE.index(a) + k) % 3] + SPACE[(SPACE.index(b) + j) % 3] for k, j in ((1, 1), (2, 2), (1, 2), (2, 1))
    ]
    for a, b in itertools.product(SPACE, repeat=2):
        one, two, three, four = cofactor(a, b)
        step.make(f"K{a}{b}", f"F{one}*F{two} - F{three}*F{four}")
    step.make("J", total(f"Fx{b}*Kx{b}" for b in SPACE))
    step.make("I", total(f"F{a}{b}*F{a}{b}" for a in SPACE for b in SPACE))
    step.make("c", "pow(J, -0.6667)")
    for a, b in itertools.product(SPACE, repeat=2):
        step.make(f"P{a}{b}", f"0.8*c*(F{a}{b} - I*K{a}{b}/(3*J)) + 20*(J - 1)*K{a}{b}")
    for a in SPACE:
        step.make(f"v{a}", f"v{a} + dt*({total(middle(f'P{a}{b}', b) for b in SPACE)})")
    for a in SPACE:
        step.make(f"d{a}", f"d{a} + dt*v{a}")
    return step.text("value(0)")


def convection():
    """Warm fluid that rises: advection of third order, diffusion, pressure by sweeps."""
    step = Step(SPACE, [*(f"u{a}" for a in SPACE), "T", "p"])
    quantities = [*(f"u{a}" for a in SPACE), "T"]
    upwind = "function third(u, a, b, c, d, e) = u > 0 ? u*(2*d + 3*c - 6*b + a)/6.0 : u*(6*d - e - 3*c - 2*b)/6.0;"
    for q in quantities:
        for a in SPACE:
            step.make(f"A{q}{a}", f"third(u{a}, {q}[{a} - 2], {q}[{a} - 1], {q}, {q}[{a} + 1], {q}[{a} + 2])")
    for q in quantities:
        rises = " + 9.81*0.003*T" if q == "uz" else ""
        step.make(f"n{q}", f"{q} + dt*(0.01*{laplacian(q, SPACE)} - {total(f'A{q}{a}' for a in SPACE)}{rises})")
    step.make("d", total(middle(f"nu{a}", a) for a in SPACE))
    last = "p"
    for k in range(4):
        last = step.make(f"p{k}", f"({total(f'{last}[{a} - 1] + {last}[{a} + 1]' for a in SPACE)} - d)/6.0")
    for a in SPACE:
        step.make(f"u{a}", f"nu{a} - {middle(last, a)}")
    step.make("T", "nT")
    step.make("p", last)
    return step.text(functions=upwind)


def flow_of_images():
    """How pixels of two pictures move (Horn and Schunck): gradients, then sweeps."""
    step = Step(PLANE, ["u", "v"], ["a", "b"])
    step.make("ix", "0.25*(a[x + 1] - a + a[x + 1, y + 1] - a[y + 1] + b[x + 1] - b + b[x + 1, y + 1] - b[y + 1])")
    step.make("iy", "0.25*(a[y + 1] - a + a[x + 1, y + 1] - a[x + 1] + b[y + 1] - b + b[x + 1, y + 1] - b[x + 1])")
    step.make("it", "b - a")
    step.make("w", "1/(0.5 + ix*ix + iy*iy)")
    for k in range(7):
        for q in "uv":
            near = total(f"{q}[{p} {s} 1]" for p in PLANE for s in "+-")
            far = total(f"{q}[x {s} 1, y {t} 1]" for s in "+-" for t in "+-")
            step.make(f"{q}m", f"({near})/6.0 + ({far})/12.0")
        step.make(f"e{k}", "(ix*um + iy*vm + it)*w")
        step.make("u", f"um - ix*e{k}")
        step.make("v", f"vm - iy*e{k}")
    return step.text("mirror")


def clouds():
    """Six kinds of water and heat, carried by wind, and what they become of each other."""
    kinds = ["qv", "qc", "qr", "qi", "qs", "T"]
    step = Step(SPACE, kinds, [f"w{a}" for a in SPACE])
    for q in kinds:
        step.make(f"a{q}", f"{q} - dt*({total(f'(w{a} > 0 ? w{a}*{back(q, a)} : w{a}*{ahead(q, a)})' for a in SPACE)})")
    step.make("es", "6.11*exp(17.27*(aT - 273.15)/(aT - 35.86))")
    step.make("ei", "6.11*exp(21.87*(aT - 273.15)/(aT - 7.66))")
    step.make("sw", "0.622*es/(900 - es)")
    step.make("si", "0.622*ei/(900 - ei)")
    step.make("cond", "max(0, aqv - sw)/(1 + 4098*2500*sw/((aT - 35.86)*(aT - 35.86)))")
    step.make("auto", "0.001*max(0, aqc - 0.0005)")
    step.make("accr", "2.2*aqc*pow(max(aqr, 1e-9), 0.875)")
    step.make("evap", "max(0, sw - aqv)*(1.6 + 124.9*pow(max(aqr, 1e-9), 0.2046))*pow(max(aqr, 1e-9), 0.525)")
    step.make("depo", "aT < 273.15 ? 0.01*(aqv - si) : 0")
    step.make("melt", "aT > 273.15 ? 0.02*(aqi + aqs)*(aT - 273.15) : 0")
    step.make("aggr", "0.001*exp(0.025*(aT - 273.15))*max(0, aqi - 0.0006)")
    step.make("rime", "aT < 273.15 ? 1.5*aqc*pow(max(aqs, 1e-9), 0.8) : 0")
    step.make("fall", "36.3*pow(max(aqr, 1e-9), 0.1364)")
    step.make("snow", "11.7*pow(max(aqs, 1e-9), 0.25)")
    step.make("qv", "aqv - cond + dt*(evap - depo)")
    step.make("qc", "aqc + cond - dt*(auto + accr + rime)")
    step.make("qr", f"aqr + dt*(auto + accr - evap + melt + (fall[z + 1]*aqr[z + 1] - fall*aqr))")
    step.make("qi", "aqi + dt*(depo - aggr - 0.5*melt)")
    step.make("qs", "aqs + dt*(aggr + rime - 0.5*melt + (snow[z + 1]*aqs[z + 1] - snow*aqs))")
    step.make("T", "aT + 2.5*cond + dt*(2.5*(depo - evap) - 0.33*melt)")
    return step.text("mirror")


def semiconductor():
    """Electrons and holes by fluxes of Scharfetter and Gummel, and their potential by sweeps."""
    step = Step(PLANE, ["n", "p", "V"], ["doping"])
    for a in PLANE:
        step.make(f"d{a}", ahead("V", a))
        step.make(f"e{a}", f"exp(d{a})")
        step.make(f"b{a}", f"abs(d{a}) < 0.001 ? 1 - 0.5*d{a} : d{a}/(e{a} - 1)")
        step.make(f"c{a}", f"b{a}*e{a}")
        step.make(f"N{a}", f"b{a}*n[{a} + 1] - c{a}*n")
        step.make(f"P{a}", f"c{a}*p[{a} + 1] - b{a}*p")
    step.make("R", "(n*p - 1e-6)/(n + p + 0.002)")
    step.make("n", f"n + dt*({total(back(f'N{a}', a) for a in PLANE)} - R)")
    step.make("p", f"p + dt*({total(back(f'P{a}', a) for a in PLANE)} - R)")
    step.make("q", "p - n + doping")
    for k in range(5):
        step.make("V", f"0.25*({total(f'V[{a} - 1] + V[{a} + 1]' for a in PLANE)} + q)")
    return step.text("mirror")


def heart():
    """Currents through membranes of the heart's cells by twelve gates, and what spreads between cells."""
    rng = random.Random(3)
    gates = [f"g{k}" for k in range(12)]
    step = Step(SPACE, ["V", "Ca", *gates], ["D"])
    for g in gates:
        low, wide = rng.randrange(-60, -10), rng.randrange(5, 12)
        step.make(f"i{g}", f"1/(1 + exp((V {'+' if low < 0 else '-'} {abs(low)})/{wide}.0))")
        step.make(g, f"i{g} + ({g} - i{g})*exp(-dt/{rng.randrange(2, 90)}.0)")
    step.make("Na", "14.8*g0*g0*g0*g1*g2*(V - 55)")
    step.make("K", "(0.3*g3*g4 + 0.15*g5*g5 + 0.2*g6)*(V + 85)")
    step.make("L", "0.09*g7*g8*g9*(V - 70*Ca)")
    step.make("X", "0.4*g10*g11*(V + 10)/(1 + Ca)")
    step.make("Ca", "Ca + dt*(0.1*(0.05 - Ca) - 0.02*L)")
    for a in SPACE:
        step.make(f"J{a}", f"0.5*(D + D[{a} + 1])*{ahead('V', a)}")
    step.make("V", f"V + dt*({total(back(f'J{a}', a) for a in SPACE)} - Na - K - L - X)")
    return step.text("mirror")


def viscous_solid():
    """Seismic waves that fade: velocities, stresses, two memories of each."""
    step = Step(
        PLANE, ["vx", "vy", "sxx", "syy", "sxy", *(f"r{q}{k}" for q in ("xx", "yy", "xy") for k in range(2))], ["l", "m", "b"]
    )
    step.make("vx", f"vx + dt*b*({ahead('sxx', 'x')} + {back('sxy', 'y')})")
    step.make("vy", f"vy + dt*b*({back('sxy', 'x')} + {ahead('syy', 'y')})")
    step.make("exx", back("vx", "x"))
    step.make("eyy", back("vy", "y"))
    step.make("exy", f"{ahead('vx', 'y')} + {ahead('vy', 'x')}")
    step.make("tr", "l*(exx + eyy)")
    strains = {"xx": "tr + 2*m*exx", "yy": "tr + 2*m*eyy", "xy": "m*exy"}
    for q, e in strains.items():
        step.make(f"T{q}", e)
        for k in range(2):
            step.make(f"r{q}{k}", f"(r{q}{k}*{1 - 0.1 * k:.1f} - dt*{0.2 + 0.3 * k:.1f}*T{q})/{1.1 + k:.1f}")
        step.make(f"s{q}", f"s{q} + dt*(T{q} + r{q}0 + r{q}1)")
    step.make("E", "0.5*(vx*vx + vy*vy)/b + 0.5*(sxx*exx + syy*eyy + sxy*exy)")
    step.make("I", "max(E, E[x - 1])")
    step.kept.append("I")
    return step.text("value(0)")


def ordinates(axes, angles):
    """Radiation along so many directions, upwind, and what is scattered."""
    rng = random.Random(5)
    ways = [[rng.choice((-1, 1)) * rng.randrange(1, 9) / 10 for _ in axes] for _ in range(angles)]
    step = Step(axes, [f"I{k}" for k in range(angles)], ["k", "s"])
    step.make("J", f"({total(f'I{k}' for k in range(angles))})/{angles}.0")
    step.make("S", "k*s + 0.3*J")
    for n, way in enumerate(ways):
        moved = total(f"{abs(c):.1f}*(I{n} - I{n}[{a} {'-' if c > 0 else '+'} 1])" for a, c in zip(axes, way))
        step.make(f"n{n}", f"I{n} + dt*(S - k*I{n} - ({moved}))")
    for n in range(angles):
        step.make(f"I{n}", f"n{n}")
    return step.text("value(0)")


def scalar_field():
    """A scalar field on a curved space that follows it: derivatives of fourth order, of a metric with three words."""
    step = Step(SPACE, ["f", "q", "A", "B", "C"])
    fourth = lambda f, a: f"(8*({f}[{a} + 1] - {f}[{a} - 1]) - ({f}[{a} + 2] - {f}[{a} - 2]))/12.0"
    for a in SPACE:
        step.make(f"f{a}", fourth("f", a))
    step.make("g", "A*B*C")
    step.make("r", "sqrt(g)")
    for a, w in zip(SPACE, "ABC"):
        step.make(f"h{a}", f"r*f{a}/{w}")
    for a in SPACE:
        step.make(f"D{a}", fourth(f"h{a}", a))
    step.make("L", f"({total(f'D{a}' for a in SPACE)})/r")
    step.make("U", "0.5*f*f*(1 - 0.2*f*f)")
    step.make("e", f"0.5*q*q + U + 0.5*({total(f'f{a}*f{a}/{w}' for a, w in zip(SPACE, 'ABC'))})")
    step.make("H", "sqrt(e*2.1)")
    step.make("qn", "q + dt*(L - f*(1 - 0.4*f*f) - 3*H*q)")
    for w, a in zip("ABC", SPACE):
        step.make(f"k{w}", f"2*H*{w} - 0.1*f{a}*f{a}")
    for w in "ABC":
        step.make(w, f"{w} + dt*(k{w} + 0.01*{laplacian(w, SPACE)})")
    step.make("f", "f + dt*qn")
    step.make("q", "qn")
    return step.text()


def stages_of_water():
    """Four stages of shallow water in space of layers, 25 statements each."""
    step = Step(SPACE, ["h", "u", "v", "t", "s"])
    now = {q: q for q in step.kept}
    sums = {q: [] for q in step.kept}
    for k in range(4):
        n = {}
        for q in ("u", "v"):
            n[f"f{q}"] = step.make(f"f{q}{k}", f"{now['h']}*{now[q]}")
        for q in ("t", "s"):
            for a in "xy":
                n[q + a] = step.make(f"F{q}{a}{k}", f"0.5*{n['fu' if a == 'x' else 'fv']}*({now[q]} + {now[q]}[{a} + 1])")
        step.make(f"z{k}", f"{middle(now['v'], 'x')} - {middle(now['u'], 'y')} + 0.1")
        step.make(f"k{k}", f"0.5*({now['u']}*{now['u']} + {now['v']}*{now['v']})")
        step.make(f"rho{k}", f"1 - 0.2*{now['t']} + 0.8*{now['s']} + 0.01*{now['t']}*{now['t']}")
        step.make(f"P{k}", f"9.81*rho{k}*{now['h']} + rho{k}[z - 1]*{now['h']}[z - 1]")
        step.make(f"Bu{k}", f"{middle(f'P{k}', 'x')}/rho{k} + {middle(f'k{k}', 'x')}")
        step.make(f"Bv{k}", f"{middle(f'P{k}', 'y')}/rho{k} + {middle(f'k{k}', 'y')}")
        step.make(f"n{k}", f"0.1*sqrt(z{k}*z{k} + 0.01)")
        rates = {
            "h": f"-({middle(f'fu{k}', 'x')} + {middle(f'fv{k}', 'y')})",
            "u": f"z{k}*{now['v']} - Bu{k} + n{k}*{laplacian(now['u'], SPACE)}",
            "v": f"-z{k}*{now['u']} - Bv{k} + n{k}*{laplacian(now['v'], SPACE)}",
            "t": f"-({back(f'Ftx{k}', 'x')} + {back(f'Fty{k}', 'y')})",
            "s": f"-({back(f'Fsx{k}', 'x')} + {back(f'Fsy{k}', 'y')})",
        }
        for q, rate in rates.items():
            sums[q].append(step.make(f"r{q}{k}", rate))
        if k < 3:
            now = {q: step.make(f"{q}{k}", f"{q} + 0.5*dt*r{q}{k}") for q in step.kept}
    for q in step.kept[:5]:
        step.make(q, f"{q} + dt*({total(sums[q])})/4.0")
    return step.text()


DISCIPLINES = {
    "clouds": clouds,
    "convection": convection,
    "drude": drude,
    "eddies": eddies,
    "flow_of_images": flow_of_images,
    "heart": heart,
    "moments": moments,
    "ocean": ocean,
    "ordinates_plane": lambda: ordinates(PLANE, 14),
    "plasma": plasma,
    "rubber": rubber,
    "runge_kutta": lambda: runge_kutta(6),
    "scalar_field": scalar_field,
    "semiconductor": semiconductor,
    "two_phases": two_phases,
    "viscous_solid": viscous_solid,
    "combustion_100": lambda: reactions(SPACE, 24, 48),
    "ordinates_100": lambda: ordinates(SPACE, 49),
    "stages_100": stages_of_water,
}


if __name__ == "__main__":
    write(DISCIPLINES)
