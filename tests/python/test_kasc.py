"""The package of Python as a user has it: from its wheel, in an environment of its own (wheel.sh)."""

import importlib.metadata
import os
import subprocess
import sys
import tempfile
import textwrap
import threading
import unittest
import warnings
from pathlib import Path

import numpy as np

import kasc

HEAT = """
param float dt = 0.125;
param int steps = 10;
float T[x, y] boundary keep(1);
input T;
for (n = 0; n < steps; n++) {
    T = T + dt * (T[x - 1] + T[x + 1] + T[y - 1] + T[y + 1] - 4 * T);
}
return T;
"""
SWEPT = """
float u[x], v[x], total[];
input u;
v = 2 * u + 1;
total = sum(v);
return v, total;
"""
VECTORS = """
vector3 u[x, y], w[x, y];
matrix3x3 M[];
input u, M;
w = mvmul33(M, u);
return w;
"""
STREAM = "matrix3x3 A, B, C;\ninput A, B;\nC = mmul33(A, B);\nreturn C;\n"


def random(*shape, dtype="float32"):
    return np.random.default_rng(7).random(shape).astype(dtype)


def has_gpu():
    try:
        return kasc.Program(SWEPT, target="cuda").plan(x=8) is not None
    except kasc.Error:
        return False


def heat_by_numpy(T, dt, steps):
    T = T.copy()
    for _ in range(steps):
        inner = T[1:-1, :-2] + T[1:-1, 2:] + T[:-2, 1:-1] + T[2:, 1:-1] - 4 * T[1:-1, 1:-1]
        T[1:-1, 1:-1] += np.float32(dt) * inner
    return T


class Calls(unittest.TestCase):
    def test_computes_what_numpy_does(self):
        heat = kasc.Program(HEAT, target="cpu")
        T = random(48, 64)
        before = T.copy()
        for dt, steps in ((0.125, 10), (0.1, 3)):
            np.testing.assert_allclose(heat(T, dt=dt, steps=steps), heat_by_numpy(T, dt, steps), rtol=2e-5)
        np.testing.assert_array_equal(T, before)  # an input stays as it is
        np.testing.assert_allclose(heat(T=T[:20, :30].copy()), heat_by_numpy(T[:20, :30], 0.125, 10), rtol=2e-5)

    def test_several_results_have_names(self):
        u = random(1000)
        result = kasc.Program(SWEPT, target="cpu")(u)
        np.testing.assert_array_equal(result.v, 2 * u + 1)
        self.assertEqual(result.total.shape, ())
        np.testing.assert_allclose(result.total, (2 * u + 1).sum(), rtol=1e-5)

    def test_words_of_cells_are_the_last_dimensions(self):
        program = kasc.Program(VECTORS, target="cpu")
        self.assertEqual(repr(program.inputs), "[float32 u[y, x, 3], float32 M[3, 3]]")
        u, M = random(5, 7, 3), random(3, 3)
        expected = np.einsum("ij,yxj->yxi", M, u)
        np.testing.assert_allclose(program(u, M), expected, rtol=1e-5)
        apart = np.moveaxis(np.ascontiguousarray(np.moveaxis(u, -1, 0)), 0, -1)  # no copy is made of this
        w = program(apart, M)
        np.testing.assert_allclose(w, expected, rtol=1e-5)
        self.assertEqual(w.shape, (5, 7, 3))
        np.testing.assert_allclose(program(u, M, out=np.empty_like(w)), expected, rtol=1e-5)
        with self.assertRaisesRegex(ValueError, "words of its cells"):
            program(u, M, out=np.empty((5, 7, 3), "float32"))

    def test_words_of_cells_come_first_where_they_are_declared_so(self):
        program = kasc.Program(VECTORS.replace("w[x, y]", "w[x, y] layout(soa)").replace("M[]", "M[] layout(soa)"), target="cpu")
        self.assertEqual(repr(program.inputs), "[float32 u[y, x, 3], float32 M[3, 3]]")
        self.assertEqual(repr(program.outputs), "[float32 w[3, y, x]]")
        u, M = random(5, 7, 3), random(3, 3)
        expected = np.einsum("ij,yxj->iyx", M, u)
        w = program(u, M)
        self.assertEqual((w.shape, w.flags.c_contiguous), ((3, 5, 7), True))
        np.testing.assert_allclose(w, expected, rtol=1e-5)
        out = np.empty_like(w)
        np.testing.assert_allclose(program(u, M, out=out), expected, rtol=1e-5)
        np.testing.assert_array_equal(out, w)
        first = kasc.Program("matrix2x2 F[x] layout(soa); input F; F = 2*F; return F;", target="cpu")
        F = random(2, 2, 9)
        np.testing.assert_array_equal(first(F), 2 * F)
        np.testing.assert_array_equal(first(np.asfortranarray(F)), 2 * F)  # copied
        with self.assertRaisesRegex(ValueError, r"its dimensions are float32 F\[2, 2, x\]"):
            first(random(9, 2, 2))

    def test_streams(self):
        A, B = random(999, 3, 3), random(999, 3, 3)[::-1].copy()
        np.testing.assert_allclose(kasc.Program(STREAM, target="cpu")(A=A, B=B), A @ B, rtol=1e-5)

    def test_types(self):
        program = kasc.Program(
            "double a[x]; int k[x]; uint8 b[x]; complex c[x], d[x]; half h[x], g[x]; int64 m[x], l[x];\n"
            "input a, k, b, c, h, m;\nk = k + 1; d = 2 * c; g = 2 * h; l = m + 1; a = a + b;\n"
            "return a, k, d, g, l;\n",
            target="cpu",
        )
        a, k, c = random(9, dtype="float64"), np.arange(9, dtype="int32"), random(9).astype("complex64")
        b, h, m = k.astype("uint8"), random(9).astype("float16"), np.arange(9) + 2**40
        result = program(a, k, b > 4, c, h, m)
        np.testing.assert_array_equal(result.a, a + (b > 4))
        np.testing.assert_array_equal(result.k, k + 1)
        np.testing.assert_array_equal(result.d, 2 * c)
        np.testing.assert_array_equal(result.g, 2 * h)
        np.testing.assert_array_equal(result.l, m + 1)

    def test_numbers_and_extents(self):
        text = "param float slope = 2;\nfloat r[x], start[];\ninput start;\nr = start + slope * x;\nreturn r;\n"
        program = kasc.Program(text, target="cpu", x=4)
        np.testing.assert_array_equal(program(start=3), np.float32([3, 5, 7, 9]))
        np.testing.assert_array_equal(program(start=3, slope=-1), np.float32([3, 2, 1, 0]))
        np.testing.assert_array_equal(program(3, x=4), np.float32([3, 5, 7, 9]))

    def test_out_is_computed_into(self):
        heat = kasc.Program(HEAT, target="cpu")
        T, out = random(32, 32), np.empty((32, 32), "float32")
        self.assertIs(heat(T, out=out), out)
        np.testing.assert_array_equal(out, heat(T))
        with self.assertRaisesRegex(ValueError, "T_?o?u?t?: overlaps the input T"):
            heat(T, out=T)
        out.flags.writeable = False
        with self.assertRaisesRegex(ValueError, "read-only"):
            heat(T, out=out)

    def test_threads(self):
        heat = kasc.Program(HEAT, target="cpu")
        inputs = [random(40, 40) * k for k in range(8)]
        results = [None] * 8

        def call(k):
            results[k] = heat(inputs[k], steps=20)

        threads = [threading.Thread(target=call, args=(k,)) for k in range(8)]
        for t in threads:
            t.start()
        for t in threads:
            t.join()
        for T, result in zip(inputs, results):
            np.testing.assert_array_equal(result, heat(T, steps=20))

    def test_a_file(self):
        with tempfile.TemporaryDirectory() as folder:
            file = Path(folder) / "plate.kas"
            file.write_text(HEAT)
            self.assertEqual(kasc.Program(file, target="cpu").name, "plate")
            self.assertEqual(kasc.Program(str(file), target="cpu").parameters, ["dt", "steps"])


class Faults(unittest.TestCase):
    def test_of_the_program(self):
        with self.assertRaises(kasc.Error) as raised:
            kasc.Program("float u[x];\ninput u;\nu = 2 * w;\nreturn u;\n")
        self.assertTrue(raised.exception.code.startswith("K02"))
        self.assertIn("program.kas:3", str(raised.exception))
        self.assertIn("^", str(raised.exception))
        self.assertEqual(raised.exception.diagnostics[0]["code"], raised.exception.code)

    def test_of_the_call(self):
        heat = kasc.Program(HEAT, target="cpu")
        T = random(8, 8)
        for arguments, error, text in (
            (dict(), TypeError, r"misses T: it takes float32 T\[y, x\]"),
            (dict(T=T, step=3), TypeError, "did you mean steps"),
            (
                dict(T=T.astype("float64")),
                TypeError,
                r'T: has to be of float32; convert it, as in T.astype\("float32"\)',
            ),
            (dict(T=T[0]), ValueError, r"T: has shape \(8,\), and its dimensions are float32 T\[y, x\]"),
            (dict(T=T[:, ::2]), ValueError, "not contiguous"),
            (dict(T=T, x=9), ValueError, "x=9, and T has 8 along it"),
            (dict(T=T, dt=float("nan")), kasc.Error, "dt"),
        ):
            with self.subTest(arguments=list(arguments)), self.assertRaisesRegex(error, text):
                heat(**arguments)

    def test_of_the_data(self):
        program = kasc.Program("float u[x], r[p];\nint at[p];\ninput u, at;\nr = u[x = at];\nreturn r;\n", target="cpu")
        u, at = random(10), np.int32([0, 9, 3])
        np.testing.assert_array_equal(program(u, at), u[at])
        with self.assertRaises(kasc.Error) as raised:
            program(u, np.int32([0, 10, 3]))
        self.assertEqual(raised.exception.code, "K0742")

    def test_of_the_machine(self):
        if has_gpu():
            self.skipTest("there is a GPU")
        with self.assertRaises(kasc.Error) as raised:
            kasc.Program(HEAT, target="cuda")(random(8, 8))
        self.assertIn(raised.exception.code, ("K0801", "K0805"))


class Package(unittest.TestCase):
    def test_has_the_compilers_version(self):
        self.assertEqual(importlib.metadata.version("kasc"), kasc.version())


class PlansOfAProgram(unittest.TestCase):
    def test_explanation(self):
        explanation = kasc.Program(HEAT, target="cpu").explain(x=512, y=512)
        self.assertIn("kernel", explanation)
        self.assertIn("<iframe", explanation._repr_html_())
        self.assertIn("T[x - 1] + T[x + 1]", explanation.page)
        self.assertIsInstance(explanation.data, dict)

    def test_plans_are_objects(self):
        heat = kasc.Program(HEAT, target="cpu", plans=4)
        plans = heat.plan(x=512, y=512)
        self.assertGreaterEqual(len(plans), 2)
        times = [plan.predicted_ns for plan in plans]
        self.assertEqual(times, sorted(times))
        self.assertIn("program.cpp", plans[0].files())
        with tempfile.TemporaryDirectory() as folder:
            self.assertTrue(all(path.is_file() for path in plans[1].write(folder)))
        T = random(64, 64)
        np.testing.assert_array_equal(kasc.Program(HEAT, target="cpu", plan=plans[1])(T), heat(T))
        with self.assertRaises(IndexError):
            plans[len(plans)]

    def test_space_is_a_frame(self):
        frame = kasc.Program(HEAT, target="cpu").space(x=512, y=512)
        self.assertGreater(len(frame), 2)
        self.assertIn("prediction.time_ns", list(frame.columns) if hasattr(frame, "columns") else list(frame[0]))

    def test_tuning_takes_the_fastest(self):
        heat = kasc.Program(HEAT, target="cpu", plans=3)
        T = random(64, 64)
        tuning = heat.tune(T, repeats=3)
        self.assertTrue(all(m.equal for m in tuning.measured))
        medians = [m.median for m in tuning.measured]
        self.assertEqual(medians, sorted(medians))
        self.assertEqual(tuning.best.number, tuning.measured[0].plan.number)
        self.assertTrue(tuning.page().startswith("<!"))
        np.testing.assert_allclose(heat(T), heat_by_numpy(T, 0.125, 10), rtol=2e-5)

    def test_strategies(self):
        self.assertIn("exact", kasc.strategies())
        T = random(32, 32)
        np.testing.assert_array_equal(kasc.Program(HEAT, target="cpu", strategy="greedy")(T), kasc.Program(HEAT, target="cpu")(T))


class OtherPackages(unittest.TestCase):
    """Arrays of the caller's kind, where the package is installed."""

    def check(self, package, of_numpy, to_numpy):
        heat, swept = kasc.Program(HEAT, target="auto"), kasc.Program(SWEPT, target="auto")
        vectors = kasc.Program(VECTORS, target="auto")
        T, u = random(48, 64), random(1000)
        result = heat(of_numpy(T), steps=5)
        self.assertEqual(type(result).__module__.partition(".")[0], package)
        np.testing.assert_allclose(to_numpy(result), heat_by_numpy(T, 0.125, 5), rtol=2e-5)
        for _ in range(3):  # on the same arrays, and on others
            np.testing.assert_array_equal(to_numpy(heat(of_numpy(T), steps=5)), to_numpy(result))
        np.testing.assert_allclose(to_numpy(swept(of_numpy(u)).total), (2 * u + 1).sum(), rtol=1e-5)
        v, M = random(5, 7, 3), random(3, 3)
        np.testing.assert_allclose(to_numpy(vectors(of_numpy(v), of_numpy(M))), np.einsum("ij,yxj->yxi", M, v), rtol=1e-5)

    def test_torch(self):
        torch = self.imported("torch")
        self.check("torch", torch.from_numpy, lambda a: a.numpy())
        if torch.cuda.is_available():
            self.check("torch", lambda a: torch.from_numpy(a).cuda(), lambda a: a.cpu().numpy())
            with torch.cuda.stream(torch.cuda.Stream()):
                self.check("torch", lambda a: torch.from_numpy(a).cuda(), lambda a: a.cpu().numpy())

    def test_cupy(self):
        cupy = self.imported("cupy")
        self.check("cupy", cupy.asarray, cupy.asnumpy)

    def test_jax(self):
        jax = self.imported("jax")
        self.check("jaxlib", jax.numpy.asarray, np.asarray)

    def imported(self, name):
        try:
            return __import__(name)
        except ImportError:
            self.skipTest(f"no {name}")


class KWave(unittest.TestCase):
    """A package that looks for its solvers, and fetches them, as k-wave-python does when it is imported."""

    PACKAGE = {
        "kwave/__init__.py": """
            from pathlib import Path
            from urllib.request import urlretrieve
            BINARY_PATH = BINARY_DIR = Path(__file__).parent / "bin"
            try:
                urlretrieve("https://solvers.invalid/kspaceFirstOrder-OMP", BINARY_PATH)
            except TimeoutError:
                pass
        """,
        "kwave/options/__init__.py": "",
        "kwave/options/simulation_execution_options.py": "from kwave import BINARY_DIR",
    }

    def test_kasc_takes_the_solvers_place(self):
        with tempfile.TemporaryDirectory() as folder:
            for name, text in self.PACKAGE.items():
                file = Path(folder) / "packages" / name
                file.parent.mkdir(parents=True, exist_ok=True)
                file.write_text(textwrap.dedent(text))
            program = (
                "import kasc.kwave; folder = kasc.kwave.install()\n"
                "import kwave, kwave.options.simulation_execution_options as options\n"
                "assert kwave.BINARY_PATH == kwave.BINARY_DIR == options.BINARY_DIR == folder\n"
                "assert kasc.kwave.install() == folder\n"
                "print(folder)\n"
            )
            path = os.pathsep.join([f"{folder}/packages", *sys.path[1:]])
            surroundings = {**os.environ, "PYTHONPATH": path, "XDG_CACHE_HOME": f"{folder}/cache"}
            run = subprocess.run([sys.executable, "-c", program], env=surroundings, capture_output=True, text=True)
            self.assertEqual(run.returncode, 0, run.stderr)
            for solver in ("kspaceFirstOrder-OMP", "kspaceFirstOrder-CUDA"):
                told = subprocess.run([Path(run.stdout.strip()) / solver, "--version"], capture_output=True, text=True)
                self.assertEqual(told.returncode, 0, told.stderr)
                self.assertIn("kasc", told.stdout)


if __name__ == "__main__":
    warnings.simplefilter("error", kasc.Warning)
    unittest.main(argv=[sys.argv[0], *sys.argv[1:]])
