// What stands beside the transforms of a step of k-Wave, as functions of a cell: called by kernels of their own, and by
// cuFFT's callbacks of the same names.
#pragma once
#include <cufftXt.h>

struct Step {
    const float2* line;     // i k of a line, as many as the longest axis has
    const float *k2, *pml;  // (c dt k / 2)² of a line, the absorbing layer of a line
    const float* in[6];     // fields
    float* out[4];          // fields that are read and written, or spectra
    int nx, ny, nz, nkx;
    float dt, scale;
};
struct Place {
    unsigned x, y, z;
};
__device__ __forceinline__ Place place(unsigned i, unsigned nx, unsigned ny) {
    const unsigned row = i / nx, z = row / ny;
    return {i - row * nx, row - z * ny, z};
}
__device__ __forceinline__ float2 product(float2 a, float2 b) {
    return make_float2(a.x * b.x - a.y * b.y, a.x * b.y + a.y * b.x);
}
// sin(sqrt(q)) / sqrt(q) for q below 8: six products, no branch.
__device__ __forceinline__ float sinc_of_square(float q) {
    return 1.f + q * (-1.f / 6 + q * (1.f / 120 + q * (-1.f / 5040 + q * (1.f / 362880 - q * (1.f / 39916800)))));
}

// Of a spectrum: the derivative along x of one, of one times a field, along all axes of one.
__device__ __forceinline__ void derivative_cell(const Step& s, float2* to, unsigned i, float2 v) {
    const Place p = place(i, s.nkx, s.ny);
    const float kappa = s.scale * sinc_of_square(s.k2[p.x] + s.k2[p.y] + s.k2[p.z]);
    to[i] = product(make_float2(kappa * v.x, kappa * v.y), s.line[p.x]);
}
__device__ __forceinline__ void power_cell(const Step& s, float2* to, unsigned i, float2 v) {
    const float nabla = s.scale * s.in[5][i];
    to[i] = make_float2(nabla * v.x, nabla * v.y);
}
__device__ __forceinline__ void gradient_cell(const Step& s, float2*, unsigned i, float2 v) {
    const Place p = place(i, s.nkx, s.ny);
    const float kappa = s.scale * sinc_of_square(s.k2[p.x] + s.k2[p.y] + s.k2[p.z]);
    v = make_float2(kappa * v.x, kappa * v.y);
    reinterpret_cast<float2*>(s.out[0])[i] = product(v, s.line[p.x]);
    reinterpret_cast<float2*>(s.out[1])[i] = product(v, s.line[p.y]);
    reinterpret_cast<float2*>(s.out[2])[i] = product(v, s.line[p.z]);
}
// Of a field: velocity, densities and their sum, pressure.
__device__ __forceinline__ void velocity_cell(const Step& s, float* u, unsigned i, float v) {
    const float m = s.pml[i % s.nx];
    u[i] = m * (m * u[i] - s.dt / s.in[0][i] * v);
}
__device__ __forceinline__ void density_cell(const Step& s, float* to, unsigned i, float v) {
    const Place p = place(i, s.nx, s.ny);
    const float a = s.pml[p.x], b = s.pml[p.y], c = s.pml[p.z], dux = s.in[0][i], duy = s.in[1][i], rho = s.in[2][i];
    float x = s.out[0][i], y = s.out[1][i], z = s.out[2][i];
    const float r = s.dt * (2 * (x + y + z) + rho);
    x = a * (a * x - r * dux), y = b * (b * y - r * duy), z = c * (c * z - r * v);
    s.out[0][i] = x, s.out[1][i] = y, s.out[2][i] = z, s.out[3][i] = x + y + z;
    to[i] = rho * (dux + duy + v);
}
__device__ __forceinline__ void pressure_cell(const Step& s, float* to, unsigned i, float v) {
    const float c = s.in[0][i], sum = s.in[1][i];
    to[i] = c * c * (sum + s.in[2][i] * sum * sum / (2 * s.in[3][i]) + s.in[4][i] * s.in[5][i] - s.out[0][i] * v);
}
