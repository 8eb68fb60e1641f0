"""Arrays of NumPy, CuPy, PyTorch and JAX: whose they are, and new ones of the same kind.

None of these packages but NumPy is imported before the caller has.
"""

from __future__ import annotations

import functools
from typing import Any, Callable

import numpy as np


class Kind:
    """A package of arrays on one device.

    name: the package. on_gpu: its arrays lie in a GPU's memory. empty: (shape, type's name) → a new array.
    stream: the address of the stream in which the package works now; 0 for none.
    """

    def __init__(self, name: str, on_gpu: bool, empty: Callable[[tuple, str], Any], stream: Callable[[], int] = lambda: 0):
        self.name, self.on_gpu, self.empty, self.stream = name, on_gpu, empty, stream


@functools.cache
def _numpy_type(name: str) -> np.dtype:
    if name == "bfloat16":
        import ml_dtypes  # of JAX; NumPy itself has no such type

        return np.dtype(ml_dtypes.bfloat16)
    return np.dtype(name)


numpy_kind = Kind("numpy", False, lambda shape, name: np.empty(shape, _numpy_type(name)))
_torch_kinds: dict[Any, Kind] = {}
_cupy_kind: list[Kind] = []
_jax_kinds: dict[Any, Kind] = {}


def kind_of(array: Any) -> Kind:
    """Whose array it is; what is no array is NumPy's (``as_array``)."""
    package = type(array).__module__.partition(".")[0]
    if package == "torch":
        return _torch(array.device)
    if package == "cupy":
        return _cupy()
    if package in ("jax", "jaxlib"):
        return _jax(next(iter(array.devices())))
    return numpy_kind


def as_array(value: Any, name: str, kind: Kind) -> Any:
    """The argument itself where it is an array; numbers and lists of them become one of NumPy."""
    if hasattr(value, "__dlpack__") or hasattr(value, "__array_interface__"):
        return value
    if kind.on_gpu:
        raise TypeError(f"{kind.name} arrays are on the GPU, and {value!r} is no array there")
    return np.asarray(value, _numpy_type(name))


def _torch(device: Any) -> Kind:
    kind = _torch_kinds.get(device)
    if kind is None:
        import torch

        on_gpu = device.type == "cuda"
        kind = Kind(
            "torch",
            on_gpu,
            lambda shape, name: torch.empty(shape, dtype=getattr(torch, name), device=device),
            (lambda: torch.cuda.current_stream(device).cuda_stream) if on_gpu else (lambda: 0),
        )
        _torch_kinds[device] = kind
    return kind


def _cupy() -> Kind:
    if not _cupy_kind:
        import cupy

        _cupy_kind.append(
            Kind(
                "cupy",
                True,
                lambda shape, name: cupy.empty(shape, _numpy_type(name)),
                lambda: cupy.cuda.get_current_stream().ptr,
            )
        )
    return _cupy_kind[0]


def _jax(device: Any) -> Kind:
    kind = _jax_kinds.get(device)
    if kind is None:
        import jax

        def empty(shape: tuple, name: str) -> Any:
            # An array that nobody else has seen: what is written there is what it holds from its first reader on.
            made = jax.device_put(jax.numpy.empty(shape, name), device)
            return made.block_until_ready()

        kind = Kind("jax", device.platform == "gpu", empty)
        _jax_kinds[device] = kind
    return kind
