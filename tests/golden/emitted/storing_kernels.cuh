// Kernels made by kasc.
#pragma once

#include "kasc_device.cuh"
#include "kasc_at_store.cuh"

namespace {

// u_spectrum = damped * fft(u)
__global__ void __launch_bounds__(256)
storing_k0(const float *__restrict__ damped, float2 *__restrict__ u_spectrum, int nkx, int ny, float c0) {
    const int kx = (int)blockIdx.x * 32 + (int)threadIdx.x;
    const int y = (int)blockIdx.y * 8 + (int)threadIdx.y;
    if (kx < nkx && y < ny) {
        const long long i = (long long)y * nkx + kx;
        const float damped_0 = damped[i];
        const float2 u_spectrum_fft_0 = u_spectrum[i];
        u_spectrum[i] = make_float2(c0 * (damped_0 * u_spectrum_fft_0.x), c0 * (damped_0 * u_spectrum_fft_0.y));
    }
}

// What transforms compute as they store: as functions, and as text that cuFFT links into its own kernels.
KASC_AT_STORE(storing_at_store,
// u = ifft(damped * fft(u)) + u
struct storing_k1_arguments {
    const float *u;
    float *u_new;
    int nx;
    int ny;
};
__device__ void storing_k1(void *, unsigned long long kasc_cell, float u_ifft_0, void *kasc_given, void *) {
    const storing_k1_arguments *const kasc_arguments = (storing_k1_arguments *)kasc_given;
    [[maybe_unused]] const float *u = kasc_arguments->u;
    [[maybe_unused]] float *u_new = kasc_arguments->u_new;
    [[maybe_unused]] const int nx = KASC_EXTENT(0, kasc_arguments->nx);
    [[maybe_unused]] const int ny = KASC_EXTENT(1, kasc_arguments->ny);
    [[maybe_unused]] const int at = (int)kasc_cell;
    __builtin_assume(at >= 0);
    const long long i = (long long)at;
    const float u_0 = u[i];
    u_new[i] = u_ifft_0 + u_0;
}
)

}  // namespace
