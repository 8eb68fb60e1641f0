"""Packages of arrays as test_gpu.py needs them, and what is free of a GPU's memory."""

import contextlib
import ctypes

import numpy as np


class Numpy:
    """A package, as the tests need it."""

    name = "numpy"

    def array(self, a):
        return a.copy()

    def numpy(self, a):
        return np.asarray(a)

    def is_own(self, a):
        return type(a) is np.ndarray

    def await_all(self):
        pass

    streams = ()


class Cupy(Numpy):
    name = "cupy"

    def __init__(self):
        import cupy

        self.cupy = cupy
        stream = cupy.cuda.Stream
        self.streams = (
            ("default", contextlib.nullcontext),
            ("blocking", lambda: stream()),
            ("non-blocking", lambda: stream(non_blocking=True)),
            ("per thread", lambda: stream.ptds),
        )

    def array(self, a):
        return self.cupy.asarray(a)

    def numpy(self, a):
        return self.cupy.asnumpy(a)

    def is_own(self, a):
        return isinstance(a, self.cupy.ndarray)

    def await_all(self):
        self.cupy.cuda.Device().synchronize()

    def event(self):
        event = self.cupy.cuda.Event()
        event.record()
        return lambda: event.done

    def of_long_work(self, a):
        """`a`, at the end of some milliseconds of work in the stream."""
        big = self.cupy.ones((6144, 6144), "float32")
        for _ in range(10):
            big = big @ big * 1e-4
        return a + 0 * big[0, 0]


class Torch(Numpy):
    name = "torch"

    def __init__(self):
        import torch

        self.torch = torch
        torch.backends.cuda.matmul.allow_tf32 = False
        self.streams = (("default", contextlib.nullcontext), ("stream", lambda: torch.cuda.stream(torch.cuda.Stream())))

    def array(self, a):
        return self.torch.from_numpy(a).cuda()

    def numpy(self, a):
        return a.cpu().numpy()

    def is_own(self, a):
        return isinstance(a, self.torch.Tensor) and a.is_cuda

    def await_all(self):
        self.torch.cuda.synchronize()

    def event(self):
        event = self.torch.cuda.Event()
        event.record()
        return event.query

    def of_long_work(self, a):
        big = self.torch.ones((6144, 6144), device="cuda")
        for _ in range(10):
            big = big @ big * 1e-4
        return a + 0 * big[0, 0]


class Jax(Numpy):
    name = "jax"

    def __init__(self):
        import jax

        jax.config.update("jax_enable_x64", True)
        self.jax = jax

    def array(self, a):
        return self.jax.numpy.asarray(a)

    def is_own(self, a):
        return isinstance(a, self.jax.Array) and next(iter(a.devices())).platform == "gpu"

    def of_long_work(self, a):
        big = self.jax.numpy.ones((6144, 6144), "float32")
        for _ in range(10):
            big = big @ big * 1e-4
        return a + 0 * big[0, 0]


def free_bytes():
    driver = ctypes.CDLL("libcuda.so.1")
    free, total = ctypes.c_size_t(), ctypes.c_size_t()
    context, now = ctypes.c_void_p(), ctypes.c_void_p()
    driver.cuInit(0)
    driver.cuCtxGetCurrent(ctypes.byref(now))
    driver.cuDevicePrimaryCtxRetain(ctypes.byref(context), 0)
    driver.cuCtxSetCurrent(context)
    if driver.cuMemGetInfo_v2(ctypes.byref(free), ctypes.byref(total)) != 0:
        raise OSError("cuMemGetInfo")
    driver.cuCtxSetCurrent(now)
    driver.cuDevicePrimaryCtxRelease_v2(0)
    return free.value
