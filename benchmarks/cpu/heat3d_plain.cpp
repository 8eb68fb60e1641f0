// 3D heat with a diffusivity per voxel and a switched source as one would write it by hand: one loop nest over the
// inside, the x loop vectorised, rows shared among the cores. The expression is that of the kasc programs, contraction
// spelled out, so that the results must be the same words.
#include "heat3d_plain.hpp"

#include <math.h>

#include <utility>

namespace plain {

namespace {

/// Fourth-order second derivative times 12 dx², at distance `d` of neighbours.
inline float second(const float* t, long long d) {
    return fmaf(-30.0f, t[0], fmaf(16.0f, t[-d] + t[d], -(t[-2 * d] + t[2 * d])));
}

template <bool heated>
void step(const Block& block, float source, const float* __restrict__ T, float* __restrict__ next) {
    const int nx = block.nx, ny = block.ny, nz = block.nz;
    const long long row = nx, plane = row * ny;
    const float dt = block.dt, scale = 1.0f / (12.0f * block.dx * block.dx);
    const float* __restrict__ beta = block.beta, * __restrict__ q = block.q;
#pragma omp parallel for collapse(2) schedule(static)
    for (int z = 2; z < nz - 2; ++z) {
        for (int y = 2; y < ny - 2; ++y) {
            const long long begin = z * plane + y * row;
#pragma omp simd
            for (int x = 2; x < nx - 2; ++x) {
                const long long i = begin + x;
                const float laplace = (second(T + i, 1) + second(T + i, row) + second(T + i, plane)) * scale;
                const float t = fmaf(dt, beta[i] * laplace, T[i]);
                next[i] = heated ? fmaf(source, q[i], t) : t;
            }
        }
    }
}

}  // namespace

float* heat3d(const Block& block, int steps, float* T, float* next) {
    for (int n = 0; n < steps; ++n) {
        block.q != nullptr ? step<true>(block, block.dt * block.on[n], T, next) : step<false>(block, 0, T, next);
        std::swap(T, next);
    }
    return T;
}

}  // namespace plain
