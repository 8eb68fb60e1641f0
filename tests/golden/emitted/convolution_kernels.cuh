// Kernels made by kasc.
#pragma once

#include "kasc_device.cuh"
#include "kasc_butterflies.hpp"

namespace {

// u_spectrum_fft = fft(u, x)
// u_spectrum = k * fft(u, x)
// u_ifft = ifft(k * fft(u, x), x)
// u = u + ifft(k * fft(u, x), x)
__global__ void __launch_bounds__(32, 16)
convolution_k0(const float *__restrict__ u, const float *__restrict__ k, float *__restrict__ u_new, int ny, int nx, float c0) {
    const int y_from = (int)blockIdx.x * 8;
    __shared__ __align__(16) float2 lines[284];  // numbers of lines, between stages
    float2 u_spectrum_fft_line[8];
    float2 u_spectrum_fft_opposite[8];
    float2 u_ifft_line[8];
    {
        const int h = kasc_kept((int)threadIdx.x);
        const int line = (int)threadIdx.y;
        const int b = h;
        #pragma unroll
        for (int j = 0; j < 8; ++j) {
            const int i = b + j * 8;
            const int x = i;
            float u_words[2];
            #pragma unroll
            for (int in_pair = 0; in_pair < 2; ++in_pair) {
                const int y = min(y_from + line * 2 + in_pair, ny - 1);
                const float u_own = u[(long long)y * nx + x];
                u_words[in_pair] = u_own;
            }
            u_spectrum_fft_line[j] = make_float2(u_words[0], u_words[1]);
        }
    }
    {
        const int h = kasc_kept((int)threadIdx.x);
        const int line = (int)threadIdx.y;
        const int b = h;
        const int from = b;
        kasc_butterfly<float2, 8, false>(u_spectrum_fft_line + 0);
        #pragma unroll
        for (int j = 0; j < 8; ++j) {
            lines[from + j * 9 + line * 71] = u_spectrum_fft_line[j];
        }
    }
    __syncthreads();  // stage 2 of u_spectrum_fft reads lines, which other threads left
    {
        const int h = kasc_kept((int)threadIdx.x);
        const int line = (int)threadIdx.y;
        const int b = h;
        const int from = b * 9;
        #pragma unroll
        for (int j = 0; j < 8; ++j) {
            u_spectrum_fft_line[j] = lines[from + j + line * 71];
        }
        const float2 turn = kasc_turnf((int)threadIdx.x % 8, 64);
        kasc_butterfly<float2, 8, false>(u_spectrum_fft_line + 0, turn);
        #pragma unroll
        for (int j = 0; j < 8; ++j) {
            lines[from + j + line * 71] = u_spectrum_fft_line[j];
        }
    }
    __syncthreads();  // stage 3 of u_spectrum_fft reads lines, which other threads left
    {
        const int h = kasc_kept((int)threadIdx.x);
        const int line = (int)threadIdx.y;
        const int b = h;
        const int b_across = b == 0 ? 0 : 8 - b;
        const int from = b_across * 9;
        #pragma unroll
        for (int j = 0; j < 8; ++j) {
            u_spectrum_fft_opposite[j] = lines[from + (b == 0 ? (8 - j) % 8 : 7 - j) + line * 71];
        }
    }
    {
        const int h = kasc_kept((int)threadIdx.x);
        const int b = h;
        #pragma unroll
        for (int j = 0; j < 1; ++j) {
            const int i = b + j * 8;
            const int kx = i;
            const float2 u_spectrum_fft_number = u_spectrum_fft_line[j];
            const float2 u_spectrum_fft_across = u_spectrum_fft_opposite[j];
            float2 u_spectrum_words[2];
            #pragma unroll
            for (int in_pair = 0; in_pair < 2; ++in_pair) {
                const long long i_k = kx;
                const float k_0 = k[i_k];
                const float2 u_spectrum_fft_0 = make_float2(in_pair == 0 ? 0.5f * (u_spectrum_fft_number.x + u_spectrum_fft_across.x) : 0.5f * (u_spectrum_fft_number.y + u_spectrum_fft_across.y), in_pair == 0 ? 0.5f * (u_spectrum_fft_number.y - u_spectrum_fft_across.y) : -(0.5f * (u_spectrum_fft_number.x - u_spectrum_fft_across.x)));
                const float2 u_spectrum_0 = make_float2(c0 * (k_0 * u_spectrum_fft_0.x), c0 * (k_0 * u_spectrum_fft_0.y));
                const float2 u_spectrum_own = u_spectrum_0;
                u_spectrum_words[in_pair] = u_spectrum_own;
            }
            u_ifft_line[j] = make_float2(u_spectrum_words[0].x - (i == 0 ? 0.0f : u_spectrum_words[1].y), (i == 0 ? 0.0f : u_spectrum_words[0].y) + u_spectrum_words[1].x);
        }
        #pragma unroll
        for (int j = 1; j < 4; ++j) {
            const int i = b + j * 8;
            const int kx = i;
            const float2 u_spectrum_fft_number = u_spectrum_fft_line[j];
            const float2 u_spectrum_fft_across = u_spectrum_fft_opposite[j];
            float2 u_spectrum_words[2];
            #pragma unroll
            for (int in_pair = 0; in_pair < 2; ++in_pair) {
                const long long i_k = kx;
                const float k_0 = k[i_k];
                const float2 u_spectrum_fft_0 = make_float2(in_pair == 0 ? 0.5f * (u_spectrum_fft_number.x + u_spectrum_fft_across.x) : 0.5f * (u_spectrum_fft_number.y + u_spectrum_fft_across.y), in_pair == 0 ? 0.5f * (u_spectrum_fft_number.y - u_spectrum_fft_across.y) : -(0.5f * (u_spectrum_fft_number.x - u_spectrum_fft_across.x)));
                const float2 u_spectrum_0 = make_float2(c0 * (k_0 * u_spectrum_fft_0.x), c0 * (k_0 * u_spectrum_fft_0.y));
                const float2 u_spectrum_own = u_spectrum_0;
                u_spectrum_words[in_pair] = u_spectrum_own;
            }
            u_ifft_line[j] = make_float2(u_spectrum_words[0].x - u_spectrum_words[1].y, u_spectrum_words[0].y + u_spectrum_words[1].x);
        }
        #pragma unroll
        for (int j = 4; j < 5; ++j) {
            const int i = b + j * 8;
            const int kx = min(i, 64 - i);
            const float2 u_spectrum_fft_number = u_spectrum_fft_line[j];
            const float2 u_spectrum_fft_across = u_spectrum_fft_opposite[j];
            float2 u_spectrum_words[2];
            #pragma unroll
            for (int in_pair = 0; in_pair < 2; ++in_pair) {
                const long long i_k = kx;
                const float k_0 = k[i_k];
                const float2 u_spectrum_fft_0 = make_float2(in_pair == 0 ? 0.5f * (u_spectrum_fft_number.x + u_spectrum_fft_across.x) : 0.5f * (u_spectrum_fft_number.y + u_spectrum_fft_across.y), i * 2 <= 64 ? (in_pair == 0 ? 0.5f * (u_spectrum_fft_number.y - u_spectrum_fft_across.y) : -(0.5f * (u_spectrum_fft_number.x - u_spectrum_fft_across.x))) : -(in_pair == 0 ? 0.5f * (u_spectrum_fft_number.y - u_spectrum_fft_across.y) : -(0.5f * (u_spectrum_fft_number.x - u_spectrum_fft_across.x))));
                const float2 u_spectrum_0 = make_float2(c0 * (k_0 * u_spectrum_fft_0.x), c0 * (k_0 * u_spectrum_fft_0.y));
                const float2 u_spectrum_own = u_spectrum_0;
                u_spectrum_words[in_pair] = u_spectrum_own;
            }
            u_ifft_line[j] = make_float2(u_spectrum_words[0].x - (i * 2 == 64 ? 0.0f : i * 2 <= 64 ? u_spectrum_words[1].y : -u_spectrum_words[1].y), (i * 2 == 64 ? 0.0f : i * 2 <= 64 ? u_spectrum_words[0].y : -u_spectrum_words[0].y) + u_spectrum_words[1].x);
        }
        #pragma unroll
        for (int j = 5; j < 8; ++j) {
            const int i = b + j * 8;
            const int kx = 64 - i;
            const float2 u_spectrum_fft_number = u_spectrum_fft_line[j];
            const float2 u_spectrum_fft_across = u_spectrum_fft_opposite[j];
            float2 u_spectrum_words[2];
            #pragma unroll
            for (int in_pair = 0; in_pair < 2; ++in_pair) {
                const long long i_k = kx;
                const float k_0 = k[i_k];
                const float2 u_spectrum_fft_0 = make_float2(in_pair == 0 ? 0.5f * (u_spectrum_fft_number.x + u_spectrum_fft_across.x) : 0.5f * (u_spectrum_fft_number.y + u_spectrum_fft_across.y), -(in_pair == 0 ? 0.5f * (u_spectrum_fft_number.y - u_spectrum_fft_across.y) : -(0.5f * (u_spectrum_fft_number.x - u_spectrum_fft_across.x))));
                const float2 u_spectrum_0 = make_float2(c0 * (k_0 * u_spectrum_fft_0.x), c0 * (k_0 * u_spectrum_fft_0.y));
                const float2 u_spectrum_own = u_spectrum_0;
                u_spectrum_words[in_pair] = u_spectrum_own;
            }
            u_ifft_line[j] = make_float2(u_spectrum_words[0].x - -u_spectrum_words[1].y, -u_spectrum_words[0].y + u_spectrum_words[1].x);
        }
    }
    __syncthreads();  // stage 1 of u_ifft writes lines, which other threads may still read
    {
        const int h = kasc_kept((int)threadIdx.x);
        const int line = (int)threadIdx.y;
        const int b = h;
        const int from = b * 9;
        kasc_butterfly<float2, 8, true>(u_ifft_line + 0);
        #pragma unroll
        for (int j = 0; j < 8; ++j) {
            lines[from + j + line * 71] = u_ifft_line[j];
        }
    }
    __syncthreads();  // stage 2 of u_ifft reads lines, which other threads left
    {
        const int h = kasc_kept((int)threadIdx.x);
        const int line = (int)threadIdx.y;
        const int b = h;
        const int from = b;
        #pragma unroll
        for (int j = 0; j < 8; ++j) {
            u_ifft_line[j] = lines[from + j * 9 + line * 71];
        }
        const float2 turn = kasc_turnf((int)threadIdx.x % 8, 64);
        kasc_butterfly<float2, 8, true>(u_ifft_line + 0, turn);
    }
    {
        const int h = kasc_kept((int)threadIdx.x);
        const int line = (int)threadIdx.y;
        const int b = h;
        #pragma unroll
        for (int j = 0; j < 8; ++j) {
            const int i = b + j * 8;
            const int x = i;
            const float2 u_ifft_number = u_ifft_line[j];
            #pragma unroll
            for (int in_pair = 0; in_pair < 2; ++in_pair) {
                const int y = min(y_from + line * 2 + in_pair, ny - 1);
                const long long i_2 = (long long)y * nx + x;
                const float u_0 = u[i_2];
                const float u_ifft_0 = in_pair == 0 ? u_ifft_number.x : u_ifft_number.y;
                const float u_new_0 = u_0 + u_ifft_0;
                const float u_own_2 = u_new_0;
                if (y_from + line * 2 + in_pair < ny) {
                    u_new[(long long)y * nx + x] = u_own_2;
                }
            }
        }
    }
}

}  // namespace
