"""What draws of stencil programs share: numbers, faces and extents, and pieces of their text."""
import random

AXES = "xyz"


class Draw:
    """What the draws of all families share: a generator of numbers, and the text of what they decide."""

    def __init__(self, seed, group, name, scale=1.0):
        self.random = random.Random(f"{seed} {group} {name}")
        self.scale = scale
        self.type = "double" if self.random.random() < 0.2 else "float"
        self.extents = {}

    def radius(self, least=1, most=4):
        return self.random.choice([r for r in (1, 1, 1, 2, 2, 3, 4) if least <= r <= most])

    def face(self, keeps=0):
        """`keeps`: the layers that may be kept; 0: none, the field has no former value."""
        faces = ["periodic", "mirror", "value(0)", "value(1)"] + ([f"keep({keeps})"] * 2 if keeps else [])
        one = self.random.choice(faces)
        if one != "periodic" and self.random.random() < 0.15:
            other = self.random.choice([f for f in faces if f != "periodic"])
            return f"boundary ({one} / {other})"
        return f"boundary {one}"

    def number(self, low=0.01, high=0.5):
        return f"{self.random.uniform(low, high):.3f}"

    def size(self, axes, arrays, narrow=False):
        """Extents of `axes` axes for so many arrays, of 160 to 430 MB together."""
        words = self.scale * self.random.uniform(0.6, 1.6) * 2**26 / max(arrays, 2) / (2 if self.type == "double" else 1)
        if axes == 1:
            x = int(words)
            self.extents = {"x": x - x % 4 + self.random.choice([0, 0, 0, 1, 2])}
            return
        shape = [self.random.uniform(0.7, 1.5) for _ in range(axes)]
        side = (words / _product(shape)) ** (1 / axes)
        for k in range(axes):
            n = int(side * shape[k])
            unit = 64 if axes == 2 else 16
            self.extents[AXES[k]] = max(unit, n // unit * unit)
        if self.random.random() < 0.33:
            self.extents["x"] += self.random.choice([1, 2, 3, -1, 5, 6])
        elif self.random.random() < 0.3:
            self.extents["x"] += 4 * self.random.randint(1, 7)


def _product(values):
    all_of = 1
    for v in values:
        all_of *= v
    return all_of


def axes_of(n):
    return "[" + ", ".join(AXES[:n]) + "]"


def offset(k, n, step):
    return "[" + ", ".join(str(step) if j == k else "0" for j in range(n)) + "]"


def star(d, u, n, r, weight=None):
    """A sum over the arms of a star."""
    terms = [f"{weight or d.number()}*({u}{offset(k, n, -s)} + {u}{offset(k, n, s)})" for k in range(n) for s in range(1, r + 1)]
    return f"{d.number()}*{u} + " + " + ".join(terms)


def offsets_of_box(n, r):
    found = [[]]
    for _ in range(n):
        found = [[s] + rest for s in range(-r, r + 1) for rest in found]
    return ["[" + ", ".join(map(str, o)) + "]" for o in found]


def box(d, u, n, r):
    return " + ".join(f"{d.number(0.001, 0.1)}*{u}{o}" for o in offsets_of_box(n, r))


def lap(u, n, factor=1):
    return "(" + " + ".join(f"{u}{offset(k, n, s)}" for k in range(n) for s in (-1, 1)) + f" - {2 * n}*{u})"


def loop(text, steps=2):
    return f"for (n = 0; n < {steps}; n++) {{\n{text}}}\n"


def fields(d, names, n, face=None):
    where = f" {face}" if face else ""
    return f"{d.type} " + ", ".join(f"{u}{axes_of(n)}{where}" for u in names) + ";\n"


def reaction(d, made):
    n = d.random.choice([2, 3])
    d.size(n, 4)
    return (
        fields(d, ["u", "v"], n, d.face())
        + fields(d, ["a", "b"], n)
        + "input u, v;\n"
        + loop(f"    a = u + 0.1*{lap('u', n)} + {made[0]};\n    b = v + 0.05*{lap('v', n)} + {made[1]};\n    u = a;\n    v = b;\n")
        + "return u, v;\n"
    )
