#pragma once

namespace plain {

/// A block of nx*ny*nz cells, x contiguous, whose rim of two layers keeps its temperature.
struct Block {
    int nx, ny, nz;
    float dt, dx;
    const float *beta, *q;  ///< q null: no source
    const float* on;        ///< one word a step
};

/// `steps` steps from T. The rims of T and `next` must be equal; what was T or `next` and holds the result is returned.
float* heat3d(const Block& block, int steps, float* T, float* next);

}  // namespace plain
