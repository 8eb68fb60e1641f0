"""Arrays of NumPy, CuPy, PyTorch and JAX: whose they are, and new ones of the same kind.

None of these packages but NumPy is imported before the caller has.
"""

from __future__ import annotations

import functools
from typing import Any, Callable, Iterable

import numpy as np


class Kind:
    """A package of arrays on one device.

    name: the package. on_gpu: its arrays lie in a GPU's memory. empty: (shape, type's name) → a new array.
    of: (numbers, type's name) → an array of them.
    stream: the address of the stream in which the package works now; 0: there is none, and calls wait. wait: for all
    that it was asked for there.
    address: (array, field's name, type's name) → where the array lies, if it is as code takes it; else the array, which the
    library looks at. None: that is for all arrays. strides: of an array, in bytes, where there are addresses.
    """

    def __init__(
        self,
        name: str,
        on_gpu: bool,
        empty: Callable[[tuple, str], Any],
        of: Callable[[Any, str], Any],
        stream: Callable[[], int] = lambda: 0,
        wait: Callable[[], Any] = lambda: None,
        address: Callable[[Any, str, str], Any] | None = None,
        strides: Callable[[Any], Iterable[int]] = lambda array: (),
    ):
        self.name, self.on_gpu, self.empty, self.of = name, on_gpu, empty, of
        self.stream, self.wait, self.address, self.strides = stream, wait, address, strides


_default_stream = 1  # CU_STREAM_LEGACY: packages say 0
alignment = 16  # bytes, of what kernels move at a time


@functools.cache
def _numpy_type(name: str) -> np.dtype:
    if name == "bfloat16":
        import ml_dtypes  # of JAX; NumPy itself has no such type

        return np.dtype(ml_dtypes.bfloat16)
    return np.dtype(name)


numpy_kind = Kind(
    "numpy",
    False,
    lambda shape, name: np.empty(shape, _numpy_type(name)),
    lambda value, name: np.asarray(value, _numpy_type(name)),
)
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
    """The argument itself where it is an array; numbers and lists of them become one of the others' kind."""
    if not isinstance(value, np.generic) and (hasattr(value, "__dlpack__") or hasattr(value, "__array_interface__")):
        return value
    return kind.of(value, name)


def _torch(device: Any) -> Kind:
    kind = _torch_kinds.get(device)
    if kind is None:
        import torch

        on_gpu = device.type == "cuda"
        is_first = on_gpu and device.index == 0
        types = functools.cache(functools.partial(getattr, torch))
        raw_stream = getattr(torch._C, "_cuda_getCurrentRawStream", None)  # as what PyTorch compiles asks for it

        def stream() -> int:
            now = raw_stream(device.index) if raw_stream else torch.cuda.current_stream(device).cuda_stream
            return now or _default_stream

        def strides(array: Any) -> Iterable[int]:
            return [array.element_size() * step for step in array.stride()]

        def address(array: Any, field: str, name: str) -> Any:
            if isinstance(array, torch.Tensor) and array.requires_grad and torch.is_grad_enabled():
                raise TypeError(f"{field}: kasc computes no gradients; give {field}.detach()")
            if type(array) is not torch.Tensor:
                return array
            plain = array.dtype is types(name) and array.layout is torch.strided and array.is_contiguous()
            if not plain or array.device != device or array.is_conj() or array.is_neg():
                return array
            place = array.data_ptr()
            return place if not on_gpu or (is_first and place % alignment == 0) else array

        kind = Kind(
            "torch",
            on_gpu,
            lambda shape, name: torch.empty(shape, dtype=types(name), device=device),
            lambda value, name: torch.tensor(value, dtype=types(name), device=device),
            stream if on_gpu else lambda: 0,
            (lambda: torch.cuda.current_stream(device).synchronize()) if on_gpu else lambda: None,
            address,
            strides,
        )
        _torch_kinds[device] = kind
    return kind


def _cupy() -> Kind:
    if not _cupy_kind:
        import cupy

        def address(array: Any, _field: str, name: str) -> Any:
            if type(array) is not cupy.ndarray or array.dtype != _numpy_type(name) or not array.flags.c_contiguous:
                return array
            data = array.data
            return data.ptr if data.device_id == 0 and data.ptr % alignment == 0 else array

        _cupy_kind.append(
            Kind(
                "cupy",
                True,
                lambda shape, name: cupy.empty(shape, _numpy_type(name)),
                lambda value, name: cupy.asarray(value, _numpy_type(name)),
                lambda: cupy.cuda.get_current_stream().ptr or _default_stream,
                lambda: cupy.cuda.get_current_stream().synchronize(),
                address,
                lambda array: array.strides,
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

        def of(value: Any, name: str) -> Any:
            return jax.device_put(jax.numpy.asarray(value, name), device)

        kind = Kind("jax", device.platform == "gpu", empty, of)
        _jax_kinds[device] = kind
    return kind
