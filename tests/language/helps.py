"""Follows the helps that programs of other languages get, and compares the results with NumPy's: helps.py KASC

Each case is a statement with a form that the language does not have. What the help shows takes its place, as often as
something is said of it; then the program is run."""

import json
import pathlib
import re
import subprocess
import sys
import tempfile

import h5py
import numpy as np

# What a case names is declared; those of them that have data are inputs.
FIELDS = {
    "T": "float T[x, y] boundary mirror",
    "a": "float a[x] boundary mirror",
    "w": "float w[k]",
    "A": "float A[k, l]",
    "B": "float B[j, k]",
    "cost": "float cost[e]",
    "start": "float start[v]",
    "m": "int m[p]",
    "from": "int from[e]",
    "to": "int to[e]",
    "u": "float u[x, y]",
    "r": "float r[x]",
    "up": "float up[y]",
    "s": "float s[]",
    "C": "float C[j, l]",
    "dist": "float dist[v]",
    "at": "int at[x]",
    "cells": "int cells[b]",
    "rank": "int rank[x]",
}
LENGTHS = {"x": 7, "y": 5, "b": 12}

RANDOM = np.random.default_rng(3)
DATA = {
    "T": (RANDOM.random((5, 7)) * 6 - 3).astype("f4"),
    "a": (RANDOM.random(7) - 0.5).astype("f4"),
    "w": RANDOM.random(3).astype("f4"),
    "A": RANDOM.random((4, 3)).astype("f4"),
    "B": RANDOM.random((3, 2)).astype("f4"),
    "cost": RANDOM.random(9).astype("f4"),
    "start": (RANDOM.random(5) * 5).astype("f4"),
    "m": RANDOM.integers(0, 12, 20).astype("i4"),
    "from": RANDOM.integers(0, 5, 9).astype("i4"),
    "to": RANDOM.integers(0, 5, 9).astype("i4"),
}


def relaxed(data):
    """One round of Bellman and Ford."""
    dist = data["start"].copy()
    np.minimum.at(dist, data["to"], data["start"][data["from"]] + data["cost"])
    return dist


# The statement, what the help takes the place of (none: what the caret is under), the target, NumPy's value.
CASES = [
    ("u = np.roll(T, 1, axis=0);", "np.roll(T, 1, axis=0)", "u", lambda d: np.roll(d["T"], 1, axis=0)),
    ("u = np.roll(T, -2, axis=1);", "np.roll(T, -2, axis=1)", "u", lambda d: np.roll(d["T"], -2, axis=1)),
    ("u = 2*np.roll(T, 1, -2);", "np.roll(T, 1, -2)", "u", lambda d: 2 * np.roll(d["T"], 1, -2)),
    ("r = np.mean(T, axis=0);", "np.mean(T, axis=0)", "r", lambda d: np.mean(d["T"], axis=0)),
    ("up = sum(T, axis=1);", "sum(T, axis=1)", "up", lambda d: np.sum(d["T"], axis=1)),
    ("up = T.max(axis=-1);", "T.max(axis=-1)", "up", lambda d: d["T"].max(axis=-1)),
    ("r = np.std(T, axis=0);", "np.std(T, axis=0)", "r", lambda d: np.std(d["T"], axis=0)),
    ("at = np.argmin(T, axis=0);", "np.argmin(T, axis=0)", "at", lambda d: np.argmin(d["T"], axis=0)),
    ("s = np.mean(T, axis=(0, 1));", "np.mean(T, axis=(0, 1))", "s", lambda d: np.mean(d["T"])),
    (
        "u = T - np.mean(T*T, axis=1);",
        "np.mean(T*T, axis=1)",
        "u",
        lambda d: d["T"] - np.mean(d["T"] ** 2, axis=1)[:, None],
    ),
    ("u = np.cumsum(T, axis=0);", "np.cumsum(T, axis=0)", "u", lambda d: np.cumsum(d["T"], axis=0)),
    ("u = 1 - 2*np.cumsum(T*T, axis=1);", "np.cumsum(T*T, axis=1)", "u", lambda d: 1 - 2 * np.cumsum(d["T"] ** 2, axis=1)),
    ("u = T.cumsum(-1);", "T.cumsum(-1)", "u", lambda d: d["T"].cumsum(-1)),
    ("u = running_sum(T, axis=0);", "running_sum(T, axis=0)", "u", lambda d: np.cumsum(d["T"], axis=0)),
    ("r = cumsum(2*a);", "cumsum(2*a)", "r", lambda d: np.cumsum(2 * d["a"])),
    ("r = cumprod(a);", "cumprod(a)", "r", lambda d: np.cumprod(d["a"])),
    ("r = cummax(a);", "cummax(a)", "r", lambda d: np.maximum.accumulate(d["a"])),
    ("u = np.minimum.accumulate(T, axis=0);", "np.minimum.accumulate(T, axis=0)", "u", lambda d: np.minimum.accumulate(d["T"])),
    ("r = 2*exclusive_scan(a);", "exclusive_scan(a)", "r", lambda d: 2 * (np.cumsum(d["a"]) - d["a"])),
    ("r = suffix_sum(a);", "suffix_sum(a)", "r", lambda d: np.cumsum(d["a"][::-1])[::-1]),
    (
        "r = scipy.integrate.cumulative_trapezoid(a, dx=dt);",
        "scipy.integrate.cumulative_trapezoid(a, dx=dt)",
        "r",
        lambda d: 0.25 * (np.cumsum(d["a"]) - (d["a"] + d["a"][0]) / 2),
    ),
    ("u = np.gradient(T, axis=0);", "np.gradient(T, axis=0)", "u", lambda d: np.gradient(d["T"], axis=0)),
    ("u = np.flip(T);", "np.flip(T)", "u", lambda d: np.flip(d["T"])),
    ("u = np.flip(T, 0);", "np.flip(T, 0)", "u", lambda d: np.flip(d["T"], 0)),
    (
        "r = np.trapz(T, axis=0);",
        "np.trapz(T, axis=0)",
        "r",
        lambda d: np.sum(d["T"], 0) - (d["T"][0] + d["T"][-1]) / 2,
    ),
    (
        "s = np.trapz(a, dx=dt);",
        "np.trapz(a, dx=dt)",
        "s",
        lambda d: 0.25 * (np.sum(d["a"]) - (d["a"][0] + d["a"][-1]) / 2),
    ),
    ("C = np.matmul(A, B);", "np.matmul(A, B)", "C", lambda d: d["A"] @ d["B"]),
    ("s = dot(a, a);", "dot(a, a)", "s", lambda d: d["a"] @ d["a"]),
    ("u = 2*np.mod(T, 3);", "np.mod(T, 3)", "u", lambda d: 2 * np.mod(d["T"], 3)),
    ("r = mod(x - 4, 3);", "mod(x - 4, 3)", "r", lambda d: np.mod(np.arange(7) - 4, 3)),
    ("u = 1/cot(T);", "cot(T)", "u", lambda d: np.tan(d["T"])),
    ("u = 1 + np.where(T > 0, T, 0);", "np.where(T > 0, T, 0)", "u", lambda d: 1 + np.where(d["T"] > 0, d["T"], 0)),
    ("r = np.linspace(1, 3, 7);", "np.linspace(1, 3, 7)", "r", lambda d: np.linspace(1, 3, 7)),
    ("u = fract(T)*2;", "fract(T)", "u", lambda d: (d["T"] - np.floor(d["T"])) * 2),
    ("u = np.sinc(T);", "np.sinc(T)", "u", lambda d: np.sinc(d["T"])),
    ("u = isinf(T) ? 1 : 0;", "isinf(T)", "u", lambda d: 0 * d["T"]),
    ("r = convolve(a, w);", "convolve(a, w)", "r", lambda d: np.convolve(d["a"], d["w"])[:7]),
    ("r = sort(a);", "r = sort(a);", "r", lambda d: np.sort(d["a"])),
    ("cells = bincount(m);", "cells = bincount(m);", "cells", lambda d: np.bincount(d["m"], minlength=12)),
    ("u = np.take(T, 2, axis=0);", "np.take(T, 2, axis=0)", "u", lambda d: np.tile(np.take(d["T"], 2, axis=0), (5, 1))),
    ("u = log(abs(T), 3)*2;", "log(abs(T), 3)", "u", lambda d: 2 * np.log(np.abs(d["T"])) / np.log(3)),
    ("u = atan(T, 2);", "atan(T, 2)", "u", lambda d: np.arctan2(d["T"], 2)),
    ("u = tanh(T)^2;", None, "u", lambda d: np.tanh(d["T"]) ** 2),
    (
        "u = (x - 5)^2 + (y - 5)^2;",
        None,
        "u",
        lambda d: ((np.arange(7) - 5) ** 2)[None, :] + ((np.arange(5) - 5) ** 2)[:, None],
    ),
    ("u = exp(-x^2/10.0);", None, "u", lambda d: np.tile(np.exp(-np.arange(7) ** 2 / 10), (5, 1))),
    ("u = 3*T^2 - T/T^3;", None, "u", lambda d: 3 * d["T"] ** 2 - d["T"] ** -2),
    ("u = 1/T^2;", None, "u", lambda d: d["T"] ** -2),
    (
        "u = x^2 + y^2 < 9 ? 1 : 0;",
        None,
        "u",
        lambda d: (np.arange(7) ** 2)[None, :] + (np.arange(5) ** 2)[:, None] < 9,
    ),
    ("u = T*10^-3;", None, "u", lambda d: d["T"] * 1e-3),
    ("s = 2^10;", None, "s", lambda d: 1024),
    (
        "cells = 0; cells[b = abs(a)*10] += 1;",
        "abs(a)*10",
        "cells",
        lambda d: np.bincount((np.abs(d["a"]) * 10).astype(int), minlength=12)[:12],
    ),
    ("r = a[extent(x) - 1 - x];", "a[extent(x) - 1 - x]", "r", lambda d: d["a"][::-1]),
    ("r = a[2*x];", "a[2*x]", "r", lambda d: d["a"][np.minimum(2 * np.arange(7), 6)]),
    ("u = not (T > 0) ? 1 : 0;", "not (T > 0)", "u", lambda d: d["T"] <= 0),
    ("u = T > 0 and T < 1 ? 1 : 0;", "T > 0 and T < 1", "u", lambda d: (d["T"] > 0) & (d["T"] < 1)),
    ("u = T > 0 ? T : NaN;", "NaN", "u", lambda d: np.where(d["T"] > 0, d["T"], np.nan)),
    ("u = 2 T;", None, "u", lambda d: 2 * d["T"]),
    ("u = 1,5*T;", "1,5", "u", lambda d: 1.5 * d["T"]),
    (
        "u = T; for (n = 0; n < maximum(x); n++) { u = u + 1; }",
        "for (n = 0; n < maximum(x); n++)",
        "u",
        lambda d: d["T"] + 6,
    ),
    ("u = T; for n = 1:10 u = u + n; end", "for n = 1:10 u = u + n; end", "u", lambda d: d["T"] + 55),
    (
        "dist = start; dist[v = to] min= dist[v = from] + cost;",
        "dist[v = to] min= dist[v = from] + cost;",
        "dist",
        relaxed,
    ),
]


def program_of(statements, targets):
    """A program of these statements, with all that they name."""
    text = "\n".join(statements)
    words = set(re.findall(r"[A-Za-z_]\w*", text)) | {"T"}
    declared = [line for name, line in FIELDS.items() if name in words]
    declared += [re.sub(r" \w+\[", f" {target}[", FIELDS[target.split("_")[0]]) for target in targets if "_" in target]
    lengths = [f"axis {axis} = {length};" for axis, length in LENGTHS.items() if axis == "b" and "cells" in text]
    if "rank" in words:
        lengths.append("axis i = extent(x);")
    inputs = [name for name in DATA if name in words and name in FIELDS]
    head = ";\n".join(declared) + ";\n" + "param float dt = 0.25;\n" * ("dt" in words) + "\n".join(lengths)
    return f"{head}\ninput {', '.join(inputs)};\n{text}\nreturn {', '.join(targets)};\n"


def told(kasc, folder, program):
    """The first of the errors, or of warnings that a power may be meant; none: there is none."""
    (folder / "p.kas").write_text(program)
    said = subprocess.run(
        [kasc, "compile", folder / "p.kas", "--emit", "program", "--diagnostics", "json"],
        capture_output=True,
        text=True,
    ).stderr
    for one in json.loads(said) if said.strip() else []:
        if one["severity"] == "error" or one["code"] == "K0273":
            return one
    return None


def followed(program, statement, wrong, said):
    """The statement with what the help shows in the place of what is wrong."""
    forms = re.findall(r"'([^']+)'", said.get("help", ""))
    whole = [form for form in forms if form.endswith((";", "}")) and not re.match(r"(float|int|axis|param|let) ", form)]
    if not forms:
        return statement
    if whole and wrong is None:
        return whole[0]
    form = whole[0] if whole else forms[-1] if said["help"].startswith(("weights", "of cells")) else forms[0]
    if wrong is None or wrong not in statement:
        line = program.splitlines()[said["line"] - 1]
        wrong = line[said["column"] - 1 : said["column"] - 1 + said["length"]]
        if said["code"] == "K0227":  # the caret is under the condition that '^' seems to have
            wrong = re.findall(r"\w+\^\d", line[: said["column"]])[-1]
    return statement.replace(wrong, form, 1)


def settled(kasc, folder, case):
    """The statement of a case, its helps followed until nothing is said of it."""
    statement, wrong, target, _ = case
    for _ in range(6):
        program = program_of([statement], [target])
        said = told(kasc, folder, program)
        if said is None:
            break
        statement = followed(program, statement, wrong, said)
        wrong = None
    return statement


def main(kasc):
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        with h5py.File(folder / "in.h5", "w") as file:
            for field, values in DATA.items():
                file[field] = values
        statements, targets = [], []
        for number, case in enumerate(CASES):
            targets.append(f"{case[2]}_{number}")
            statement = settled(kasc, folder, case)
            statements.append(re.sub(rf"\b{case[2]}\b(?! =>)", targets[-1], statement))
        (folder / "p.kas").write_text(program_of(statements, targets))
        run = [kasc, "run", folder / "p.kas", "--in", folder / "in.h5", "--out", folder / "out.h5", "--target", "cpu"]
        done = subprocess.run(run, capture_output=True, text=True)
        if done.returncode != 0:
            print(done.stderr)
            return 1
        failed = 0
        with h5py.File(folder / "out.h5") as file:
            for (wrote, _, _, expected), target, statement in zip(CASES, targets, statements):
                got, numpy_says = file[target][()], expected(DATA)
                if np.allclose(got, numpy_says, rtol=2e-5, atol=1e-6, equal_nan=True):
                    continue
                failed += 1
                print(f"'{wrote}' became '{statement}':\n{got}\nNumPy:\n{numpy_says}")
    print(f"{len(CASES) - failed} of {len(CASES)} helps lead to NumPy's numbers")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
