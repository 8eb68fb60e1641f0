// cuFFT alone: one transform of n³ reals to half a spectrum and back, out of place; milliseconds of each, median of 7.
//     nvcc -O3 -arch=sm_90 transforms.cu -lcufft -o transforms && ./transforms 256 512
#include <cuda_runtime.h>
#include <cufft.h>

#include <cstdio>
#include <cstdlib>
#include <vector>

#include "median_ms.cuh"

int main(int argc, char** argv) {
    for (int a = 1; a < argc; ++a) {
        const int n = std::atoi(argv[a]);
        const size_t cells = (size_t)n * n * n, half = (size_t)n * n * (n / 2 + 1);
        float* field;
        cufftComplex* spectrum;
        cudaMalloc(&field, cells * sizeof *field), cudaMalloc(&spectrum, half * sizeof *spectrum);
        std::vector<float> random(cells);
        for (float& r : random) r = (float)std::rand() / RAND_MAX - 0.5f;
        cudaMemcpy(field, random.data(), cells * sizeof *field, cudaMemcpyHostToDevice);
        cufftHandle forward, backward;
        if (cufftPlan3d(&forward, n, n, n, CUFFT_R2C) != CUFFT_SUCCESS ||
            cufftPlan3d(&backward, n, n, n, CUFFT_C2R) != CUFFT_SUCCESS)
            return 1;
        const float there = median_ms([&] { cufftExecR2C(forward, field, spectrum); });
        const float back = median_ms([&] { cufftExecC2R(backward, spectrum, field); });
        std::printf("%d %.5f %.5f\n", n, there, back);
        cufftDestroy(forward), cufftDestroy(backward), cudaFree(field), cudaFree(spectrum);
    }
    return cudaDeviceSynchronize() == cudaSuccess ? 0 : 1;
}
