// cuFFT's link-time callbacks beside kernels of their own: each transform of a step of k-Wave with what follows, at n³.
//     nvcc -O3 -std=c++17 -gencode arch=compute_90,code=lto_90 -dc -fatbin callbacks_device.cu -o callbacks.fatbin
//     nvcc -O3 -std=c++17 -arch=sm_90 callbacks.cu -lcufft -o callbacks && ./callbacks 256 512
// Milliseconds, medians of 7: the transform alone, the kernel alone, the transform that calls the same function as it
// stores. Results of both ways are compared on random data.
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <vector>

#include "callbacks_device.cuh"
#include "median_ms.cuh"

static void check(int status, const char* what) {
    if (status != 0) std::printf("%s: status %d\n", what, status), std::exit(1);
}

__global__ void fill(float* p, size_t n, unsigned seed, float low, float high) {
    for (size_t i = blockIdx.x * (size_t)blockDim.x + threadIdx.x; i < n; i += (size_t)gridDim.x * blockDim.x) {
        unsigned h = ((unsigned)i ^ seed) * 2654435761u;
        h = (h ^ (h >> 15)) * 2246822519u, h ^= h >> 13;
        p[i] = low + (high - low) * ((h >> 8) * (1.f / 16777216.f));
    }
}
static float* array(size_t n, unsigned seed, float low = -1, float high = 1) {
    float* p = nullptr;
    check(cudaMalloc(&p, n * sizeof *p), "memory");
    fill<<<1024, 256>>>(p, n, seed, low, high);
    return p;
}
__global__ void largest(const float* a, const float* b, size_t n, float* difference, float* value) {
    float d = 0, m = 0;
    for (size_t i = blockIdx.x * (size_t)blockDim.x + threadIdx.x; i < n; i += (size_t)gridDim.x * blockDim.x)
        d = fmaxf(d, fabsf(a[i] - b[i])), m = fmaxf(m, fabsf(a[i]));
    atomicMax((int*)difference, __float_as_int(d)), atomicMax((int*)value, __float_as_int(m));
}

#define KERNEL(name, word)                                                                        \
    __global__ void __launch_bounds__(256) name(Step s, word* to, const word* from, unsigned n) { \
        const unsigned i = blockIdx.x * 256 + threadIdx.x;                                        \
        if (i < n) name##_cell(s, to, i, from[i]);                                                \
    }
KERNEL(derivative, float2)
KERNEL(power, float2)
KERNEL(gradient, float2)
KERNEL(velocity, float)
KERNEL(density, float)
KERNEL(pressure, float)

struct Case {
    const char* name;
    bool forward;
    void (*spectral)(Step, float2*, const float2*, unsigned);
    void (*cells)(Step, float*, const float*, unsigned);
    int results;  // of Step::out, beside what is stored to `to`
};
constexpr Case cases[] = {{"derivative", true, derivative, nullptr, 0}, {"power", true, power, nullptr, 0},
                          {"gradient", true, gradient, nullptr, 3},     {"velocity", false, nullptr, velocity, 0},
                          {"density", false, nullptr, density, 4},      {"pressure", false, nullptr, pressure, 0}};

static void run(int n, const std::vector<char>& code) {
    const size_t cells = (size_t)n * n * n, half = (size_t)n * n * (n / 2 + 1);
    Step s{};
    s.nx = s.ny = s.nz = n, s.nkx = n / 2 + 1, s.dt = 0.1f, s.scale = 1.f / cells;
    s.line = (float2*)array(2 * n, 1), s.k2 = array(n, 2, 0, 1), s.pml = array(n, 3, 0.9f, 1);
    for (int k = 0; k < 6; ++k) s.in[k] = array(half * 2, 10 + k, 1, 2);
    float *spectrum = array(half * 2, 4), *field = array(cells, 5, -1e-3f, 1e-3f), *to = array(half * 2, 6),
          *difference;
    float *outs[2][4], *tos[2] = {to, array(half * 2, 6)};
    for (auto& of_run : outs)
        for (int k = 0; k < 4; ++k) of_run[k] = array(half * 2, 20 + k);
    check(cudaMallocManaged(&difference, 2 * sizeof(float)), "memory");
    Step* device;
    check(cudaMalloc(&device, sizeof s), "memory");
    cufftHandle forward;
    check(cufftPlan3d(&forward, n, n, n, CUFFT_R2C), "plan");
    for (const Case& c : cases) {
        cufftHandle alone, with;
        size_t work = 0;
        const cufftType type = c.forward ? CUFFT_R2C : CUFFT_C2R;
        void* infos[1] = {device};
        cufftCreate(&alone), cufftCreate(&with);
        check(cufftMakePlan3d(alone, n, n, n, type, &work), "plan");
        check(cufftXtSetJITCallback(with, c.name, code.data(), code.size(),
                                    c.forward ? CUFFT_CB_ST_COMPLEX : CUFFT_CB_ST_REAL, infos),
              c.name);
        check(cufftMakePlan3d(with, n, n, n, type, &work), c.name);
        const unsigned points = (unsigned)(c.forward ? half : cells);
        float* between = array(half * 2, 7);
        const auto transform = [&](cufftHandle plan, float* result) {
            return c.forward ? cufftExecR2C(plan, field, (float2*)result)
                             : cufftExecC2R(plan, (float2*)spectrum, result);
        };
        const auto kernel = [&] {
            const unsigned blocks = (points + 255) / 256;
            if (c.spectral)
                c.spectral<<<blocks, 256>>>(s, (float2*)tos[0], (const float2*)between, points);
            else
                c.cells<<<blocks, 256>>>(s, tos[0], between, points);
        };
        const auto use = [&](int run) {
            for (int k = 0; k < 4; ++k) s.out[k] = outs[run][k];
            cudaMemcpy(device, &s, sizeof s, cudaMemcpyHostToDevice);
        };
        // Both ways once, from the same values.
        for (int r = 0; r < 2; ++r) {
            fill<<<1024, 256>>>(tos[r], half * 2, 6, -1, 1);
            for (int k = 0; k < 4; ++k) fill<<<1024, 256>>>(outs[r][k], half * 2, 20 + k, -1, 1);
            // The spectrum of a field: what of others comes back is not defined.
            check(cufftExecR2C(forward, field, (float2*)spectrum), "spectrum");
            use(r);
            if (r == 0)
                check(transform(alone, between), "transform"), kernel();
            else
                check(transform(with, tos[1]), c.name);
        }
        float worst = 0;
        for (int k = -1; k < c.results; ++k) {
            difference[0] = difference[1] = 0;
            if (k < 0 && c.results == 3) continue;  // nothing of its own
            largest<<<1024, 256>>>(k < 0 ? tos[0] : outs[0][k], k < 0 ? tos[1] : outs[1][k],
                                   c.forward ? half * 2 : cells, difference, difference + 1);
            check(cudaDeviceSynchronize(), c.name);
            worst = std::max(worst, difference[0] / difference[1]);
        }
        use(0);
        const float apart = median_ms([&] { transform(alone, between); }), own = median_ms(kernel);
        const float joined = median_ms([&] { transform(with, tos[0]); });
        std::printf("%d %-10s transform %.4f kernel %.4f joined %.4f saves %+.4f difference %.1e\n", n, c.name, apart,
                    own, joined, apart + own - joined, worst);
        cufftDestroy(alone), cufftDestroy(with), cudaFree(between);
    }
    check(cudaDeviceSynchronize(), "device");
    check(cudaDeviceReset(), "reset");
}

int main(int argc, char** argv) {
    std::ifstream in("callbacks.fatbin", std::ios::binary);
    const std::vector<char> code((std::istreambuf_iterator<char>(in)), {});
    for (int a = 1; a < argc; ++a) run(std::atoi(argv[a]), code);
}
