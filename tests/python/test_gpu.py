"""The package on a GPU: arrays of NumPy, CuPy, PyTorch and JAX, streams, threads, memory, faults. Skipped where there is
no GPU, and each part where its package is not."""

import contextlib
import gc
import os
import subprocess
import sys
import tempfile
import threading
import time
import unittest
import warnings
from pathlib import Path

import numpy as np

import kasc
from gpu_packages import Cupy, Jax, Numpy, Torch, free_bytes
from test_kasc import HEAT, STREAM, SWEPT, VECTORS, has_gpu, heat_by_numpy, random

TARGET = os.environ.get("KASC_TEST_TARGET", "cuda")  # cpu: the tests themselves are tried

OPTIONS = """
option nonlinear = no in (no, yes);
param float a = 2;
float u[x], v[x];
input u;
if (nonlinear == yes) { v = a * u * u; } else { v = a * u; }
return v;
"""
UNTIL = """
param float small = 1e-3;
float u[x], left[];
int rounds[];
input u;
left = maximum(u);
rounds = 0;
for (k = 0; k < 1000 && left > small; k++) {
    u = 0.5 * u;
    left = maximum(u);
    rounds = rounds + 1;
}
return u, rounds;
"""
SPECTRUM = """
axis kx = half(x);
float T[x, y];
param float dt = 0.1;
param int steps = 3;
function wave(k, n) = 6.2831853/n*(k < (n + 1)/2 ? k : k - n);
function square(u) = u*u;
input T;
for (n = 0; n < steps; n++) {
    T = T + 0.01*T*T;
    T = ifft(exp(-dt*(square(wave(kx, extent(x))) + square(wave(y, extent(y)))))*fft(T));
}
return T;
"""
# Several kernels an iteration, which are replayed as CUDA graphs.
REPLAYED = """
param int steps = 6;
float T[x, y] boundary periodic, most[];
input T;
most = 0;
for (n = 0; n < steps; n++) {
    T = 0.5 * T + 0.25 * (T[x - 1] + T[y + 1]);
    most = maximum(T);
    T = T / most;
}
return T, most;
"""
TYPES = (
    "double a[x]; int k[x]; uint8 b[x]; complex c[x], d[x]; half h[x], g[x]; int64 m[x], l[x];\n"
    "input a, k, b, c, h, m;\nk = k + 1; d = 2 * c; g = 2 * h; l = m + 1; a = a + b;\n"
    "return a, k, d, g, l;\n"
)


def by_modes(T, dt=0.1, steps=3):
    waves = [2 * np.pi * np.fft.fftfreq(n) for n in T.shape]
    decay = np.exp(-dt * (waves[0][:, None] ** 2 + waves[1][None, :] ** 2))
    T = T.astype("float64")
    for _ in range(steps):
        T = np.fft.ifft2(decay * np.fft.fft2(T + 0.01 * T * T)).real
    return T


def replayed(T, steps=6):
    for _ in range(steps):
        T = 0.5 * T + 0.25 * (np.roll(T, 1, 1) + np.roll(T, -1, 0))
        T = T / T.max()
    return T


free = free_bytes if TARGET == "cuda" else int  # none is taken of a CPU
HAS_GPU = TARGET == "cpu" or has_gpu()


@unittest.skipUnless(HAS_GPU, "no GPU, or no NVRTC")
class OnGpu:
    package = Numpy

    @classmethod
    def setUpClass(cls):
        try:
            cls.p = cls.package()
        except ImportError:
            raise unittest.SkipTest(f"no {cls.package.name}") from None

    def program(self, text, **options):
        return kasc.Program(text, target=TARGET, **options)

    def same(self, result, expected, rtol=2e-5):
        self.assertTrue(self.p.is_own(result), f"{type(result)}")
        np.testing.assert_allclose(self.p.numpy(result), expected, rtol=rtol, atol=1e-6)

    def test_heat(self):
        heat, T = self.program(HEAT), random(97, 130)
        given = self.p.array(T)
        for dt, steps in ((0.125, 10), (0.1, 3), (0.1, 101), (0.125, 10)):
            self.same(heat(given, dt=dt, steps=steps), heat_by_numpy(T, dt, steps))
        np.testing.assert_array_equal(self.p.numpy(given), T)

    def test_sums(self):
        swept = self.program(SWEPT)
        for cells in (1, 7, 1000, 4096, 1 << 20):
            u = random(cells)
            result = swept(self.p.array(u))
            self.same(result.v, 2 * u + 1)
            self.same(result.total, (2 * u + 1).sum(dtype="float64"))

    def test_stream_programs(self):
        program = self.program(STREAM)
        for elements in (1, 2, 50, 95, 96, 97, 127, 128, 999, 1000, 1024, 4099, 100001):
            with self.subTest(elements=elements):
                A, B = random(elements, 3, 3), random(elements, 3, 3)[::-1].copy()
                for _ in range(2):
                    self.same(program(self.p.array(A), self.p.array(B)), A @ B, rtol=1e-4)

    def test_parameters_and_options(self):
        u = random(1000)
        for word, power in (("no", 1), ("yes", 2)):
            program = self.program(OPTIONS, nonlinear=word)
            self.same(program(self.p.array(u)), 2 * u**power)
            self.same(program(self.p.array(u), a=-3), -3 * u**power)
        self.same(self.program(OPTIONS, a=5)(self.p.array(u)), 5 * u)

    def test_words_of_cells(self):
        for cells in ((5, 7), (64, 33), (128, 256)):
            program, u, M = self.program(VECTORS), random(*cells, 3), random(3, 3)
            result = program(self.p.array(u), self.p.array(M))
            self.same(result, np.einsum("ij,yxj->yxi", M, u))
            self.same(program(result, self.p.array(M)), np.einsum("ij,jk,yxk->yxi", M, M, u))

    def test_numbers(self):
        program = self.program("float u[], v[x], r[x];\ninput u, v;\nr = u + v;\nreturn r;\n")
        v = random(100)
        self.same(program(3, self.p.array(v)), 3 + v)
        self.same(program(np.float64(3), self.p.array(v)), 3 + v)

    def test_replayed_loops(self):
        program, T = self.program(REPLAYED), random(48, 64)
        given = self.p.array(T)
        for name, stream in self.p.streams or (("none", contextlib.nullcontext),):
            with self.subTest(stream=name), stream():
                for _ in range(4):
                    result = program(given)
                    self.same(result.T, replayed(T))

    def test_types(self):
        a, k, c = random(9, dtype="float64"), np.arange(9, dtype="int32"), random(9).astype("complex64")
        b, h, m = k.astype("uint8"), random(9).astype("float16"), np.arange(9) + 2**40
        result = self.program(TYPES)(*(self.p.array(x) for x in (a, k, b, c, h, m)))
        for got, expected in zip(result, (a + b, k + 1, 2 * c, 2 * h, m + 1)):
            np.testing.assert_array_equal(self.p.numpy(got), expected)

    def test_loops_that_end_by_what_they_compute(self):
        u = random(1000)
        result = self.program(UNTIL)(self.p.array(u))
        rounds = int(np.ceil(np.log2(u.max() / 1e-3)))
        self.same(result.u, u * np.float32(0.5) ** rounds)
        self.assertEqual(int(result.rounds), rounds)

    def test_transforms(self):
        program = self.program(SPECTRUM)
        for _ in range(3):
            T = random(64, 96)
            self.same(program(self.p.array(T)), by_modes(T), rtol=1e-4)

    def test_changing_arrays(self):
        heat = self.program(HEAT)
        arrays = [random(48, 64) * (k + 1) for k in range(20)]
        given = [self.p.array(T) for T in arrays]
        for _ in range(2):
            results = [heat(T) for T in given]
            for T, result in zip(arrays, results):
                self.same(result, heat_by_numpy(T, 0.125, 10))

    def test_changing_sizes(self):
        heat = self.program(HEAT)
        for _ in range(2):
            for k in range(12):
                T = random(20 + k, 33)
                self.same(heat(self.p.array(T)), heat_by_numpy(T, 0.125, 10))

    def test_changing_parameters(self):
        heat, T = self.program(HEAT), random(48, 64)
        given = self.p.array(T)
        for k in range(30):
            self.same(heat(given, dt=0.004 * k, steps=k), heat_by_numpy(T, 0.004 * k, k))

    def test_threads(self):
        heat, T = self.program(HEAT), [random(48, 64) * (k + 1) for k in range(8)]
        given = [self.p.array(t) for t in T]
        first, results = self.p.numpy(heat(given[0])), [None] * 8

        def call(k):
            try:
                for _ in range(5):
                    results[k] = heat(given[k])
                self.p.await_all()
            except Exception as error:
                results[k] = error

        threads = [threading.Thread(target=call, args=(k,)) for k in range(8)]
        for t in threads:
            t.start()
        for t in threads:
            t.join()
        for t, result in zip(T, results):
            self.assertNotIsInstance(result, Exception, f"{result}")
            self.same(result, heat_by_numpy(t, 0.125, 10))
        np.testing.assert_array_equal(first, self.p.numpy(results[0]))

    def test_memory_stays(self):
        heat, T = self.program(HEAT), self.p.array(random(256, 256))
        for _ in range(50):
            T = heat(T)
        self.p.await_all()
        before = free()
        for k in range(1000):
            T = heat(T, dt=0.125 if k % 2 else 0.0625)
        self.p.await_all()
        self.assertLess(before - free(), 16 << 20)

    def test_memory_of_programs_comes_back(self):
        def use():
            program = self.program(HEAT)
            program(self.p.array(T), steps=3)  # which takes 8 MiB besides its arrays

        T = random(1024, 2048)
        for _ in range(3):
            use()
        gc.collect()
        self.p.await_all()
        before = free()
        for _ in range(20):
            use()
        gc.collect()
        self.p.await_all()
        self.assertLess(before - free(), 40 << 20)

    def test_faults(self):
        heat, T = self.program(HEAT), random(64, 64)
        given = self.p.array(T)
        faults = [
            (lambda: heat(self.p.array(T.astype("float64"))), TypeError, "has to be of float32"),
            (lambda: heat(given[0]), ValueError, "has shape"),
            (lambda: heat(given, step=3), TypeError, "did you mean steps"),
        ]
        if self.p.name != "jax":
            faults += [
                (lambda: heat(given[:, ::2]), ValueError, "not contiguous"),
                (lambda: heat(given, out=given), ValueError, "overlaps"),
            ]
        if self.p.name not in ("numpy", "jax"):
            row = self.program(SWEPT)
            faults += [(lambda: row(self.p.array(random(65))[1:]), ValueError, "16 bytes")]
        for call, error, text in faults:
            with self.subTest(text=text), self.assertRaisesRegex(error, text):
                self.p.await_all() if call() is None else self.p.await_all()
        self.same(heat(given), heat_by_numpy(T, 0.125, 10))

    def test_mixed(self):
        if self.p.name == "numpy":
            return
        program = kasc.Program("float u[x], v[x];\ninput u, v;\nu = u + v;\nreturn u;\n")
        with self.assertRaisesRegex(ValueError, "lies in the host's memory"):
            program(self.p.array(random(8)), random(8))

    def test_out(self):
        heat, T = self.program(HEAT), random(64, 64)
        if self.p.name == "jax":
            return
        out = self.p.array(np.zeros_like(T))
        self.assertIs(heat(self.p.array(T), out=out), out)
        self.same(out, heat_by_numpy(T, 0.125, 10))
        with self.assertRaisesRegex(ValueError, "out has shape"):
            heat(self.p.array(T), out=out[:32])
        swept, u = self.program(SWEPT), random(64)
        out = {"total": self.p.array(np.zeros((), "float32")), "v": self.p.array(np.zeros(64, "float32"))}
        swept(self.p.array(u), out=out)
        self.same(out["v"], 2 * u + 1)
        self.same(out["total"], (2 * u + 1).sum())

    def test_streams(self):
        """What stands before the call in its stream is done before it, what stands behind it after; nothing waits."""
        for name, stream in self.p.streams:
            with self.subTest(stream=name):
                heat, T = self.program(HEAT), random(48, 64)
                given = self.p.array(T)
                self.p.await_all()
                for round in range(4):
                    with stream():
                        if round < 2:
                            heat(self.p.of_long_work(given))  # builds, and is not timed
                            self.p.await_all()
                        late = self.p.of_long_work(given * (round + 1))
                        begun = time.perf_counter()
                        result = heat(late)
                        called = time.perf_counter() - begun
                        done = self.p.event()
                        after = result * 2 + late
                        if round >= 2:
                            self.assertFalse(done(), f"the call waits: {1e3 * called:.2f} ms")
                        out = self.p.numpy(after)
                    expected = T * np.float32(round + 1)
                    np.testing.assert_allclose(out, 2 * heat_by_numpy(expected, 0.125, 10) + expected, rtol=2e-5)

    def test_late_arrays(self):
        if self.p.name == "numpy":
            return
        heat, T = self.program(HEAT), random(48, 64)
        given = self.p.array(T)
        self.same(heat(given), heat_by_numpy(T, 0.125, 10))
        for k in range(3):
            self.same(heat(self.p.of_long_work(given * (k + 2))), heat_by_numpy(T * np.float32(k + 2), 0.125, 10))

    def test_tuning(self):
        heat, T = self.program(HEAT, plans=4), random(256, 256)
        tuning = heat.tune(self.p.array(T), repeats=5)
        self.assertTrue(all(m.equal for m in tuning.measured), repr(tuning))
        self.assertEqual(sorted(m.median for m in tuning.measured), [m.median for m in tuning.measured])
        self.assertIn('"measured_ns"', tuning.page())
        self.same(heat(self.p.array(T)), heat_by_numpy(T, 0.125, 10))


class OfNumpy(OnGpu, unittest.TestCase):
    pass


class OfCupy(OnGpu, unittest.TestCase):
    package = Cupy

    def test_a_stream_that_goes(self):
        heat, T = self.program(HEAT), random(48, 64)
        for k in range(12):
            stream = self.p.cupy.cuda.Stream(non_blocking=bool(k % 2))
            with stream:
                result = heat(self.p.array(T), steps=k)
                stream.synchronize()
            del stream
            self.same(result, heat_by_numpy(T, 0.125, k))
        del heat
        gc.collect()
        self.same(self.program(HEAT)(self.p.array(T)), heat_by_numpy(T, 0.125, 10))


class OfTorch(OnGpu, unittest.TestCase):
    package = Torch

    def test_in_a_graph(self):
        torch, T = self.p.torch, random(48, 64)
        for text, by_numpy in ((HEAT, lambda T: heat_by_numpy(T, 0.125, 10)), (REPLAYED, replayed)):
            program, given = self.program(text), self.p.array(T)
            first = self.p.array(np.zeros_like(T))
            out = first if len(program.outputs) == 1 else [first, self.p.array(np.zeros((), "float32"))]
            side = torch.cuda.Stream()
            with torch.cuda.stream(side):
                for _ in range(3):
                    program(given, out=out)
            torch.cuda.synchronize()
            graph = torch.cuda.CUDAGraph()
            with torch.cuda.graph(graph, stream=side):
                program(given, out=out)
            for k in range(12):  # of which the graph's own is not forgotten
                program(self.p.array(T + k), steps=k)
            given.mul_(2)
            graph.replay()
            self.same(first, by_numpy(2 * T))
            with self.assertRaisesRegex(kasc.Error, "before the capture"), torch.cuda.graph(torch.cuda.CUDAGraph(), stream=side):
                program(given, out=out, steps=77)
            torch.cuda.synchronize()

    def test_gradients_are_refused(self):
        with self.assertRaisesRegex(TypeError, "detach"):
            self.program(HEAT)(self.p.array(random(8, 8)).requires_grad_())

    def test_of_the_host(self):
        T = random(48, 64)
        result = self.program(HEAT)(self.p.torch.from_numpy(T))
        self.assertEqual(result.device.type, "cpu")
        np.testing.assert_allclose(result.numpy(), heat_by_numpy(T, 0.125, 10), rtol=2e-5)

    def test_bfloat16(self):
        torch = self.p.torch
        u = torch.rand(1000, device="cuda").to(torch.bfloat16)
        program = self.program("bfloat16 u[x];\ninput u;\nu = 2 * u;\nreturn u;\n")
        self.assertTrue(bool((program(u) == 2 * u).all()))


class OfJax(OnGpu, unittest.TestCase):
    package = Jax


@unittest.skipUnless(HAS_GPU, "no GPU, or no NVRTC")
class PlansForAGpu(unittest.TestCase):
    def test_explanation(self):
        explanation = kasc.Program(HEAT).explain(x=2048, y=2048)
        self.assertIn("kernel", explanation)
        self.assertIn("<!", explanation.page)

    def test_plans(self):
        plans = kasc.Program(HEAT, plans=3).plan(x=512, y=512)
        self.assertTrue(any(name.endswith(".cu") for name in plans[0].files()), plans[0].files().keys())

    def test_space(self):
        frame = kasc.Program(HEAT).space(x=512, y=512)
        self.assertGreater(len(frame), 2)

    def test_the_command_tunes_and_draws(self):
        command = Path(kasc.__file__).parent / "bin" / "kasc"
        with tempfile.TemporaryDirectory() as folder:
            file, page, base = (str(Path(folder) / name) for name in ("heat.kas", "heat.html", "tuning.sqlite"))
            Path(file).write_text(HEAT)
            sizes = ["--set", "x=1024", "--set", "y=1024"]
            for arguments in (
                ["tune", file, *sizes, "--top", "6", "--repeats", "5", "--db", base],
                ["explain", file, *sizes, "--html", page, "--db", base],
            ):
                run = subprocess.run([command, *arguments], capture_output=True, text=True)
                self.assertEqual(run.returncode, 0, run.stderr + run.stdout)
            text = Path(page).read_text()
            self.assertIn('"measured_ns"', text)


if __name__ == "__main__":
    if not HAS_GPU:
        sys.exit(print("skipped: no GPU, or no NVRTC"))
    warnings.simplefilter("error", kasc.Warning)
    unittest.main(argv=[sys.argv[0], *sys.argv[1:]])
