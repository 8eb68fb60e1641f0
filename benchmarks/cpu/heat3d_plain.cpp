#include "heat3d_plain.hpp"

#include <utility>

namespace plain {

// 3D heat with a diffusivity per voxel and a switched source, as one would write it by hand: one loop nest over the
// inside, the x loop vectorised, planes shared among the cores.
void heat3d(int nx, int ny, int nz, int steps, float dt, float dx, const float* beta, const float* q, const float* on,
            float* T, float* next) {
    const float scale = 1.0f / (12.0f * dx * dx);
    const long long row = nx, plane = row * ny;
    for (int n = 0; n < steps; ++n) {
        const float source = dt * on[n];
#pragma omp parallel for collapse(2) schedule(static)
        for (int z = 2; z < nz - 2; ++z) {
            for (int y = 2; y < ny - 2; ++y) {
                const float* __restrict__ t = T + z * plane + y * row;
                const float* __restrict__ b = beta + z * plane + y * row;
                const float* __restrict__ s = q + z * plane + y * row;
                float* __restrict__ o = next + z * plane + y * row;
#pragma omp simd
                for (int x = 2; x < nx - 2; ++x) {
                    const float near = t[x - 1] + t[x + 1] + t[x - row] + t[x + row] + t[x - plane] + t[x + plane];
                    const float far =
                        t[x - 2] + t[x + 2] + t[x - 2 * row] + t[x + 2 * row] + t[x - 2 * plane] + t[x + 2 * plane];
                    o[x] = t[x] + dt * b[x] * (16.0f * near - far - 90.0f * t[x]) * scale + source * s[x];
                }
            }
        }
        std::swap(T, next);
    }
}

}  // namespace plain
