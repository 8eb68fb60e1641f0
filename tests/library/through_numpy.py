#!/usr/bin/env python3
"""Every function of elementlib/stream against NumPy and SciPy in double precision.

    through_numpy.py KASC SOURCES [--errors]

One program over streams calls all functions on random elements, with what is hard for some of them among these: rotations by
nearly nothing and by half a turn, equal eigenvalues, matrices whose first pivot is 0. Errors are relative to the largest word of
the element's result; each bound says how many roundings of float32 (6e-8) the function is given, two or three times what it
takes. A function without a case here is a fault.
"""
import pathlib
import re
import subprocess
import sys
import tempfile

try:
    import h5py
    import numpy as np
    from scipy.linalg import expm
    from scipy.spatial.transform import Rotation
except ImportError as missing:
    print(f"not run: {missing}")
    sys.exit(77)

count = 512
rounding = 6e-8
random = np.random.default_rng(5)


def noise(*shape):
    return random.uniform(-2, 2, (count,) + shape)


def positive(low=0.1, high=3):
    return random.uniform(low, high, count)


def turns():
    """Rotation vectors: of any angle below half a turn, tiny, nothing, and just half a turn."""
    axis = noise(3)
    axis /= np.linalg.norm(axis, axis=1)[:, None]
    angle = random.uniform(0, 3.1, count)
    angle[:40] = 10.0 ** -np.arange(40)
    angle[40] = 0
    angle[41:60] = np.pi - 10.0 ** -np.arange(1, 20)
    return axis * angle[:, None]


def quaternions(vectors):
    x, y, z, w = Rotation.from_rotvec(vectors).as_quat().T
    return np.stack([w, x, y, z], 1)


def rotations(vectors):
    return Rotation.from_rotvec(vectors).as_matrix()


def unit(q):
    return q / np.linalg.norm(q, axis=1)[:, None]


def solvable(n):
    """Far from singular; rows in any order, so that zeros stand where a pivot is looked for."""
    m = noise(n, n) * 0.3 + 3 * np.eye(n)
    m[: count // 2] = np.eye(n) * random.uniform(1, 3, n)[None, :, None]
    order = np.argsort(random.uniform(size=(count, n)), 1)
    return np.take_along_axis(m, order[:, :, None], 1)


def definite(n):
    m = noise(n, n)
    return m @ m.transpose(0, 2, 1) + np.eye(n)


def symmetric():
    """Of any kind; multiples of the identity and nearly so, two equal eigenvalues, diagonal ones."""
    m = noise(3, 3)
    m = m + m.transpose(0, 2, 1)
    v = noise(3)
    m[:20] = np.eye(3) * noise()[:20, None, None]
    m[20:40] = np.eye(3) + 1e-6 * m[20:40]
    m[40:80] = np.eye(3) + v[40:80, :, None] * v[40:80, None, :]
    m[80:100] = np.eye(3) * noise(3)[80:100, None, :]
    m[100] = 0
    return m


order = [0, 4, 8, 5, 2, 1]  # xx, yy, zz, yz, xz, xy


def six(m):
    return m.reshape(-1, 9)[:, order]


def full(s):
    m = np.zeros((len(s), 9))
    m[:, order] = s
    m[:, [7, 6, 3]] = s[:, 3:]
    return m.reshape(-1, 3, 3)


def of_eigenvalues(f):
    def apply(s):
        values, vectors = np.linalg.eigh(full(s))
        return six(np.einsum("eik,ek,ejk->eij", vectors, f(values), vectors))

    return apply


def multiply(q, p):
    w, x, y, z = q.T
    a, b, c, d = p.T
    return np.stack(
        [
            w * a - x * b - y * c - z * d,
            w * b + x * a + y * d - z * c,
            w * c - x * d + y * a + z * b,
            w * d + x * c - y * b + z * a,
        ],
        1,
    )


def slerp(a, b, t):
    b = np.where(np.sum(a * b, 1)[:, None] < 0, -b, b)
    angle = np.arccos(np.clip(np.sum(a * b, 1), -1, 1))[:, None]
    t = t[:, None]
    with np.errstate(all="ignore"):
        wide = (np.sin((1 - t) * angle) * a + np.sin(t * angle) * b) / np.sin(angle)
    return np.where(angle < 1e-6, unit((1 - t) * a + t * b), wide)


def trace(m):
    return np.trace(m, axis1=1, axis2=2)


def outer(a, b):
    return a[:, :, None] * b[:, None, :]


def apply(m, v):
    return np.einsum("eij,ej->ei", m, v)


def diagonal(m, n):
    return np.broadcast_to(np.eye(n), (count, n, n)) * m


def anisotropy(v):
    a, b, c = v.T
    return np.sqrt(((a - b) ** 2 + (b - c) ** 2 + (c - a) ** 2) / (2 * np.sum(v * v, 1)))


def isotropic(la, mu):
    c = np.zeros((count, 6, 6))
    c[:, :3, :3] = la[:, None, None]
    for k in range(6):
        c[:, k, k] += (2 if k < 3 else 1) * mu
    return c


def is_basis(vectors, matrix):
    """Worst of: not orthonormal, no eigenvectors, not in the order of eigenvalues, no rotation."""
    values = np.linalg.eigvalsh(matrix)[:, ::-1]
    size = np.maximum(np.abs(values).max(1), 1e-30)[:, None, None]
    left = np.abs(vectors.transpose(0, 2, 1) @ vectors - np.eye(3)).max()
    there = np.abs((matrix @ vectors - vectors * values[:, None, :]) / size).max()
    turned = np.abs(np.linalg.det(vectors) - 1).max()
    return max(left, there, turned)


def cases():
    """Arguments, what is right, and how many roundings it may be away; or a measure of the error in its place."""
    all = {}
    a, b, s = noise(), noise(), noise()
    for name, f in dict(sadd=np.add, ssub=np.subtract, smul=np.multiply, sdiv=np.divide, smax=np.maximum, smin=np.minimum).items():
        all[name] = ([a, b], f, 1)
    for name, f in dict(sabs=np.abs, sneg=np.negative, shalf=lambda x: x / 2, sexp=np.exp).items():
        all[name] = ([a], f, 4)
    all["ssqrt"] = ([positive()], np.sqrt, 1)
    all["slog"] = ([positive(1.5)], np.log, 4)
    for n in range(2, 7):
        u, v = noise(n), noise(n)
        for name, f in dict(vadd=np.add, vsub=np.subtract, vmul=np.multiply).items():
            all[f"{name}{n}"] = ([u, v], f, 1)
        all[f"vabs{n}"] = ([u], np.abs, 1)
        all[f"svmul{n}"] = ([u, s], lambda v, s: v * s[:, None], 1)
        all[f"vdot{n}"] = ([u, np.abs(v) * np.sign(u)], lambda u, v: np.sum(u * v, 1), 8)
        all[f"venorm{n}"] = ([u], lambda v: np.linalg.norm(v, axis=1), 8)
        all[f"vnormalise{n}"] = ([u], unit, 5)
        all[f"vouter{n}"] = ([u, v], outer, 1)
        m, k = noise(n, n), noise(n, n)
        nn = f"{n}{n}"
        for name, f in dict(madd=np.add, msub=np.subtract).items():
            all[name + nn] = ([m, k], f, 1)
        all["mmul" + nn] = ([m, k], np.matmul, 10)
        all["mtmul" + nn] = ([m, k], lambda m, k: m.transpose(0, 2, 1) @ k, 10)
        all["mmult" + nn] = ([m, k], lambda m, k: m @ k.transpose(0, 2, 1), 10)
        all["mvmul" + nn] = ([np.abs(m), np.abs(u)], apply, 8)
        all["mddot" + nn] = ([m, np.abs(k) * np.sign(m)], lambda m, k: np.sum(m * k, (1, 2)), 15)
        all["smmul" + nn] = ([m, s], lambda m, s: m * s[:, None, None], 1)
        all["mabs" + nn] = ([m], np.abs, 1)
        all["transpose" + nn] = ([m], lambda m: m.transpose(0, 2, 1), 0)
        all["trace" + nn] = ([np.abs(m)], trace, 6)
        all["identity" + nn] = ([], lambda n=n: diagonal(1, n), 0)
        regular, right = solvable(n), noise(n)
        all["det" + nn] = ([regular], np.linalg.det, 15)
        all["inverse" + nn] = ([regular], np.linalg.inv, 15)
        all["msolve" + nn] = ([regular, right], lambda m, b: np.linalg.solve(m, b[:, :, None])[:, :, 0], 15)
        spd = definite(n)
        all["cholesky" + nn] = ([spd], np.linalg.cholesky, 12)
        all["cholsolve" + nn] = ([spd, right], lambda m, b: np.linalg.solve(m, b[:, :, None])[:, :, 0], 60)
    u, v, m, q, p = noise(3), noise(3), noise(3, 3), noise(4), noise(4)
    all["vcross3"] = ([u, v], np.cross, 15)
    all["vvmulabs3"] = ([u, np.abs(v) * np.sign(u)], lambda u, v: np.abs(np.sum(u * v, 1)), 8)
    all["vmean3"] = ([np.abs(u)], lambda v: v.mean(1), 4)
    all["anisotropy3"] = ([u], anisotropy, 8)
    all["mhalf33"] = ([m], lambda m: m / 2, 0)
    all["smimul33"] = ([s], lambda s: diagonal(s[:, None, None], 3), 0)
    all["ttmul311"] = ([noise(3, 3, 3), u], lambda t, v: np.einsum("eijk,ek->eij", t, v), 8)
    all["ttmul3212"] = ([noise(3, 3, 3), m], lambda t, m: np.einsum("eilk,elj->eijk", t, m), 8)
    all["ttmul411"] = ([noise(3, 3, 3, 3), u], lambda t, v: np.einsum("eijkl,el->eijk", t, v), 8)
    t3, t4 = noise(3, 3, 3), noise(3, 3, 3, 3)
    for name, t in dict(t3=t3, t4=t4).items():
        of = s.reshape(-1, *[1] * (t.ndim - 1))
        all["tadd" + name[1]] = ([t, 2 * t[::-1]], np.add, 2)
        all["tsub" + name[1]] = ([t, 2 * t[::-1]], np.subtract, 2)
        all["stmul" + name[1]] = ([t, s], lambda t, s, of=of: t * of, 3)
        all["tabs" + name[1]] = ([t], np.abs, 0)
    all["tmddot4"] = ([t4, m], lambda t, m: np.einsum("eijkl,ekl->eij", t, m), 15)
    all["mouter33"] = ([m, noise(3, 3)], lambda a, b: np.einsum("eij,ekl->eijkl", a, b), 1)
    all["qadd"] = ([q, p], np.add, 2)
    all["qsub"] = ([q, p], np.subtract, 2)
    all["sqmul"] = ([q, s], lambda q, s: q * s[:, None], 2)
    all["qdot"] = ([np.abs(q), np.abs(p)], lambda q, p: np.sum(q * p, 1), 8)
    all["qmul"] = ([q, p], multiply, 8)
    all["qconj"] = ([q], lambda q: q * [1, -1, -1, -1], 0)
    all["qnormalise"] = ([q], unit, 4)
    turned = turns()
    of_turns, of_others = quaternions(turned), quaternions(noise(3))
    all["qrotate"] = ([of_turns, v], lambda q, v: Rotation.from_quat(q[:, [1, 2, 3, 0]]).apply(v), 20)
    all["qexp"] = ([turned], quaternions, 8)
    all["rexp33"] = ([turned], lambda v: rotations(v), 16)
    all["qtom33"] = ([of_turns], lambda q: Rotation.from_quat(q[:, [1, 2, 3, 0]]).as_matrix(), 10)
    # Logarithms are compared by the rotation that they are of: near half a turn its axis may point either way.
    all["mtoq33"] = (
        [rotations(turned)],
        lambda m: m,
        10,
        lambda q, m: np.abs(Rotation.from_quat(q[:, [1, 2, 3, 0]]).as_matrix() - m).max() + max(0, -q[:, 0].min()),
    )
    all["qlog"] = (
        [of_turns],
        lambda q: Rotation.from_quat(q[:, [1, 2, 3, 0]]).as_matrix(),
        12,
        lambda v, m: np.abs(rotations(v) - m).max(),
    )
    all["rlog33"] = ([rotations(turned)], lambda m: m, 15, lambda v, m: np.abs(rotations(v) - m).max())
    t = random.uniform(0, 1, count)
    near = of_others.copy()
    near[:100] = unit(of_turns[:100] + 1e-4 * q[:100])
    all["qslerp"] = ([of_turns, near, t], slerp, 10)
    s3 = six(symmetric())
    spd = six(definite(3))
    other = six(symmetric())
    all["maddsym33"] = ([s3, other], np.add, 1)
    all["msubsym33"] = ([s3, other], np.subtract, 1)
    all["smmulsym33"] = ([s3, s], lambda v, s: v * s[:, None], 1)
    all["symmetric33"] = ([m], lambda m: six((m + m.transpose(0, 2, 1)) / 2), 2)
    all["fullsym33"] = ([s3], full, 0)
    all["tracesym33"] = ([np.abs(s3)], lambda s: trace(full(s)), 4)
    all["deviatorsym33"] = ([np.abs(s3) + 1], lambda s: six(full(s) - np.eye(3) * trace(full(s))[:, None, None] / 3), 12)
    all["mddotsym33"] = ([np.abs(s3), np.abs(other)], lambda a, b: np.sum(full(a) * full(b), (1, 2)), 8)
    all["mvmulsym33"] = ([s3, v], lambda s, v: apply(full(s), v), 8)
    all["vselfouter3"] = ([v], lambda v: six(outer(v, v)), 1)
    all["detsym33"] = ([spd], lambda s: np.linalg.det(full(s)), 30)
    all["inversesym33"] = ([spd], lambda s: six(np.linalg.inv(full(s))), 30)
    all["rotatesym33"] = ([rotations(turned), s3], lambda r, s: six(r @ full(s) @ r.transpose(0, 2, 1)), 10)
    all["eigsym33"] = ([symmetric()], lambda m: np.linalg.eigvalsh(m)[:, ::-1], 10)
    all["eigvalsym33"] = ([s3], lambda s: np.linalg.eigvalsh(full(s))[:, ::-1], 10)
    all["eigvec33"] = ([symmetric()], lambda m: m, 16, is_basis)
    all["eigvecsym33"] = ([s3], full, 16, is_basis)
    all["sqrtsym33"] = ([spd], of_eigenvalues(np.sqrt), 25)
    all["logsym33"] = ([spd], of_eigenvalues(np.log), 30)
    all["expsym33"] = ([s3], lambda s: six(np.array([expm(m) for m in full(s)])), 50)
    twice = np.array([1, 1, 1, 2, 2, 2])
    w = noise(6)
    all["voigtstress"] = ([s3], lambda s: s, 0)
    all["stressvoigt"] = ([w], lambda v: v, 0)
    all["voigtstrain"] = ([s3], lambda s: s * twice, 0)
    all["strainvoigt"] = ([w], lambda v: v / twice, 0)
    c = definite(6)
    all["hooke66"] = ([c, s3], lambda c, e: apply(c, e * twice), 15)
    la, mu = positive(), positive()
    all["hookeiso66"] = ([la, mu], isotropic, 2)
    all["hookeisosym33"] = ([s3, la, mu], lambda e, la, mu: apply(isotropic(la, mu), e * twice), 8)
    return all


def signatures(folder):
    """Names of all functions with the types of their arguments and results, as the files have them."""
    found = {}
    for file in sorted(folder.glob("*.cu")):
        text = file.read_text()
        table = re.search(r"/\*# variants metadata\n(.*?)#\*/", text, re.S)
        rows = [{}]
        if table:
            lines = [[part.strip() for part in re.split("[=,]", line)] for line in table[1].strip().split("\n")]
            rows = [dict(zip(lines[0], line)) for line in lines[1:]]
        for row in rows:
            made = re.sub(r"\$\{?([a-z]+)\}?", lambda name: row.get(name[1], ""), text)
            for block in re.finditer(r"/\*# (\w+) metadata\nArguments = (.*)\nResult = (.*)\n", made):
                arguments = [] if block[2] == "none" else [part.strip() for part in block[2].split(",")]
                found[block[1]] = (arguments, block[3])
    return found


def main():
    kasc = pathlib.Path(sys.argv[1]).resolve()
    sources = pathlib.Path(sys.argv[2])
    declared = signatures(sources / "elementlib" / "stream")
    all = cases()
    faults = [f"no case for {name}" for name in declared if name not in all]
    faults += [f"no function {name}" for name in all if name not in declared]
    names = [name for name in all if name in declared]
    variables, statements, inputs = [], [], {}
    for name in names:
        arguments = []
        for k, (values, of_type) in enumerate(zip(all[name][0], declared[name][0])):
            given = f"{name}_{k}"
            inputs[given] = values.astype(np.float32)
            variables.append(f"{of_type} {given};")
            arguments.append(given)
        variables.append(f"{declared[name][1]} r_{name};")
        statements.append(f"r_{name} = {name}({', '.join(arguments)});")
    program = (
        "\n".join(
            variables + [f"input {', '.join(inputs)};"] + statements + [f"return {', '.join('r_' + name for name in names)};"]
        )
        + "\n"
    )
    with tempfile.TemporaryDirectory() as folder:
        here = pathlib.Path(folder)
        (here / "all.kas").write_text(program)
        with h5py.File(here / "in.h5", "w") as file:
            for name, values in inputs.items():
                file[name] = values
        run = subprocess.run(
            [kasc, "run", "all.kas", "--target", "cpu", "--in", "in.h5", "--out", "out.h5", "--max-fusion", "1"],
            cwd=here,
            capture_output=True,
            text=True,
        )
        if run.returncode != 0:
            sys.exit(run.stdout + run.stderr)
        with h5py.File(here / "out.h5") as file:
            results = {name: file["r_" + name][()].astype(float) for name in names}
    for name in names:
        arguments, right, roundings, *measure = all[name]
        # What the function was given is what float32 could hold of it.
        expected = right(*(values.astype(np.float32).astype(float) for values in arguments))
        result = results[name]
        if measure:
            error = measure[0](result, expected)
        elif result.shape != expected.shape:
            faults.append(f"{name}: {result.shape} in place of {expected.shape}")
            continue
        else:
            words = tuple(range(1, expected.ndim))
            size = np.abs(expected).max(words, keepdims=True) if words else np.abs(expected)
            error = (np.abs(result - expected) / np.maximum(size, 1e-30)).max()
        if "--errors" in sys.argv:
            print(f"{name:16} {error / rounding:8.1f} of {roundings}")
        if not error <= roundings * rounding:
            faults.append(f"{name}: {error:.3g}, which is {error / rounding:.0f} roundings, {roundings} are allowed")
    print("\n".join(faults) if faults else f"{len(names)} functions are as in double precision")
    sys.exit(1 if faults else 0)


if __name__ == "__main__":
    main()
