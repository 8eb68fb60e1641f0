// What cuFFT's link-time callbacks cost by the length of their lines: transforms of n³ cells, alone and with a function
// in place of their last stores, with 2 and with 7 words of traffic a cell for real results, with none for complex.
//     nvcc -O3 -std=c++17 -arch=sm_90 callback_lengths.cu -lcufft -lnvrtc -o callback_lengths
//     ./callback_lengths 256 512
// A line a length: milliseconds, medians of 7, and what compiler/model/store_callbacks.cpp makes of them.
#include <cufftXt.h>
#include <nvrtc.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

#include "median_ms.cuh"

// The extents are constants, as in emitted code.
static const char* const text = R"(
struct Fields { const float *line, *in[5]; const float2 *spectral; float *out; };
__device__ void light(void *, unsigned long long cell, float v, void *given, void *) {
    const Fields *f = (const Fields *)given;
    const int i = (int)cell;
    const float m = f->line[i % NX];
    f->out[i] = m * (m * f->out[i] - f->in[0][i] * v);
}
__device__ void heavy(void *, unsigned long long cell, float v, void *given, void *) {
    const Fields *f = (const Fields *)given;
    const int i = (int)cell;
    float sum = v;
    for (int k = 0; k < 5; ++k) sum = sum * f->in[k][i] + f->line[i % NX];
    f->out[i] = sum + f->out[i];
}
__device__ void spectral(void *, unsigned long long cell, float2 v, void *given, void *) {
    const Fields *f = (const Fields *)given;
    const int i = (int)cell;
    const float2 d = f->spectral[i % (NX / 2 + 1)];
    ((float2 *)f->out)[i] = make_float2(v.x * d.x - v.y * d.y, v.x * d.y + v.y * d.x);
}
)";
struct Fields {
    const float *line, *in[5];
    const float2* spectral;
    float* out;
};

static void check(int status, const char* what) {
    if (status != 0) std::printf("%s: status %d\n", what, status), std::exit(1);
}
__global__ void fill(float* p, size_t n, unsigned seed) {
    for (size_t i = blockIdx.x * (size_t)blockDim.x + threadIdx.x; i < n; i += (size_t)gridDim.x * blockDim.x) {
        unsigned h = ((unsigned)i ^ seed) * 2654435761u;
        h = (h ^ (h >> 15)) * 2246822519u, h ^= h >> 13;
        p[i] = (h >> 8) * (1.f / 16777216.f) - 0.5f;
    }
}
static float* array(size_t n, unsigned seed) {
    float* p = nullptr;
    check(cudaMalloc(&p, n * sizeof *p), "memory");
    fill<<<1024, 256>>>(p, n, seed);
    return p;
}
static std::vector<char> compiled(int n) {
    const std::string extent = "-DNX=" + std::to_string(n);
    const char* const options[] = {"--gpu-architecture=sm_90", "--std=c++17", "--relocatable-device-code=true",
                                   "--dlink-time-opt", extent.c_str()};
    nvrtcProgram program;
    size_t size = 0;
    check(nvrtcCreateProgram(&program, text, "callbacks.cu", 0, nullptr, nullptr), "source");
    check(nvrtcCompileProgram(program, 5, options), "compilation");
    check(nvrtcGetLTOIRSize(program, &size), "code");
    std::vector<char> code(size);
    check(nvrtcGetLTOIR(program, code.data()), "code");
    nvrtcDestroyProgram(&program);
    return code;
}

static void run(int n) {
    const size_t cells = (size_t)n * n * n, half = (size_t)n * n * (n / 2 + 1);
    const std::vector<char> code = compiled(n);
    Fields f{}, *device;
    f.line = array(n, 1), f.spectral = (const float2*)array(2 * n, 2), f.out = array(half * 2, 3);
    for (int k = 0; k < 5; ++k) f.in[k] = array(cells, 10 + k);
    float *from = array(half * 2, 4), *to = array(half * 2, 5);
    check(cudaMalloc(&device, sizeof f), "memory");
    check(cudaMemcpy(device, &f, sizeof f, cudaMemcpyHostToDevice), "memory");
    void* given[1] = {device};
    const auto ms = [&](bool forward, const char* name) {
        cufftHandle plan;
        size_t area = 0;
        check(cufftCreate(&plan), "plan");
        if (name != nullptr)
            check(cufftXtSetJITCallback(plan, name, code.data(), code.size(),
                                        forward ? CUFFT_CB_ST_COMPLEX : CUFFT_CB_ST_REAL, given),
                  name);
        check(cufftMakePlan3d(plan, n, n, n, forward ? CUFFT_R2C : CUFFT_C2R, &area), "plan");
        fill<<<1024, 256>>>(from, half * 2, 6);
        const float median =
            median_ms([&] { forward ? cufftExecR2C(plan, from, (float2*)to) : cufftExecC2R(plan, (float2*)from, to); });
        check(cudaDeviceSynchronize(), "transform");
        cufftDestroy(plan);
        return median;
    };
    const float back = ms(false, nullptr), there = ms(true, nullptr), light = ms(false, "light"),
                heavy = ms(false, "heavy"), spectral = ms(true, "spectral");
    // Extra time of a real result = passes · (a third of the transform) + share · words · 4 bytes / 3030 GB/s.
    const double word = cells * 4 / 3.03e9, share = std::max(0.0, (heavy - light) / (5 * word));
    std::printf(
        "%4d c2r %.4f 2 words %.4f 7 words %.4f r2c %.4f spectral %.4f: real passes %.2f share %.2f, complex passes "
        "%.2f\n",
        n, back, light, heavy, there, spectral, (light - back - share * 2 * word) / (back / 3), share,
        (spectral - there) / (there / 3));
    std::fflush(stdout);
    for (const float* p : f.in) cudaFree((void*)p);
    for (void* p : {(void*)f.line, (void*)f.spectral, (void*)f.out, (void*)from, (void*)to, (void*)device}) cudaFree(p);
}

int main(int argc, char** argv) {
    for (int a = 1; a < argc; ++a) run(std::atoi(argv[a]));
}
