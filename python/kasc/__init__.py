"""kasc: numerical pipelines, written as short programs, fused into few kernels and called on arrays.

    import kasc, numpy as np

    heat = kasc.Program('''
        param float dt = 0.1;
        param int steps = 100;
        float T[x, y] boundary keep(1);
        input T;
        for (n = 0; n < steps; n++) {
            T = T + dt * (T[x - 1] + T[x + 1] + T[y - 1] + T[y + 1] - 4 * T);
        }
        return T;
    ''')
    T = heat(T=np.random.rand(512, 512).astype("float32"), steps=1000)
    print(heat.explain(x=512, y=512))

Arrays are dense, the last dimension contiguous, and the first axis of the program is the last dimension: a field
T[x, y] of 640 by 480 cells is an array of shape (480, 640), as in the files of ``kasc run``. Results are arrays of the
caller's kind: NumPy, CuPy, PyTorch or JAX.
"""

from ._errors import Error, Warning
from ._kasc import strategies, version
from ._plans import Explanation, Plan, Plans, Tuning
from ._program import Program

__version__ = version()
__all__ = ["Error", "Explanation", "Plan", "Plans", "Program", "Tuning", "Warning", "strategies", "version"]
