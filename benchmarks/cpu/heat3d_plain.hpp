#pragma once

namespace plain {

/// Arrays of nx*ny*nz words, x contiguous, and `steps` words of `on`; the rim of two layers of T and next must be
/// equal. The result is in T for an even number of steps, else in next.
void heat3d(int nx, int ny, int nz, int steps, float dt, float dx, const float* beta, const float* q, const float* on,
            float* T, float* next);

}  // namespace plain
