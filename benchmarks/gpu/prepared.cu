// Prepared programs on a GPU (prepared.sh). A launch is captured into a graph to find its kernels: the bare kernel is
// the program's own with the same arguments, launched by cudaLaunchKernel.
#include <cuda.h>
#include <cuda_runtime.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <memory>
#include <string>
#include <type_traits>
#include <vector>

#include "convolution.h"
#include "heat2d.h"
#include "matrix_powers.h"
#include "st_venant_inner.h"

namespace {

int faults = 0;

void good(cudaError_t error, const char* what) {
    if (error == cudaSuccess) return;
    std::printf("%s: %s\n", what, cudaGetErrorString(error));
    std::exit(1);
}
#define CUDA(call) good(call, #call)

void good(CUresult error, const char* what) {
    if (error == CUDA_SUCCESS) return;
    const char* text = nullptr;
    cuGetErrorString(error, &text);
    std::printf("%s: %s\n", what, text);
    std::exit(1);
}
#define DRIVER(call) good(call, #call)

void good(int status, const char* message, const char* what) {
    if (status == 0) return;
    std::printf("%s: status %d: %s\n", what, status, message);
    std::exit(1);
}

void check(bool right, const std::string& what) {
    if (right) return;
    ++faults;
    std::printf("WRONG: %s\n", what.c_str());
}

// Words on the device and on the host; integers as floats, so that sums are exact.
struct Array {
    std::vector<float> host;
    float* device = nullptr;

    Array(long long words, int seed) : host((std::size_t)words) {
        CUDA(cudaMalloc(&device, words * sizeof(float)));
        fill(seed);
    }
    ~Array() { cudaFree(device); }
    Array(const Array&) = delete;
    void fill(int seed) {
        unsigned state = (unsigned)seed;
        for (float& word : host) word = (float)((int)(((state = state * 1664525u + 1013904223u) >> 16) % 5u) - 2);
        CUDA(cudaMemcpy(device, host.data(), host.size() * sizeof(float), cudaMemcpyHostToDevice));
        CUDA(cudaDeviceSynchronize());  // a short copy may still be under way, and streams here wait for none
    }
    std::vector<float> now() const {
        std::vector<float> all(host.size());
        CUDA(cudaMemcpy(all.data(), device, all.size() * sizeof(float), cudaMemcpyDeviceToHost));
        return all;
    }
};

bool same(const Array& a, const std::vector<float>& b) {
    const std::vector<float> now = a.now();
    return std::memcmp(now.data(), b.data(), b.size() * sizeof(float)) == 0;
}

// ---- times -------------------------------------------------------------------------------------------------------

double now_us() {
    return std::chrono::duration<double, std::micro>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

struct Times {
    std::vector<double> us;

    double at(double part) const {
        std::vector<double> sorted = us;
        std::sort(sorted.begin(), sorted.end());
        return sorted[(std::size_t)(part * (double)(sorted.size() - 1))];
    }
    std::string text() const {
        char line[64];
        std::snprintf(line, sizeof line, "%7.2f (%.2f to %.2f)", at(0.5), at(0.1), at(0.9));
        return line;
    }
};

constexpr int rounds = 41, in_a_row = 200;  // a queue of 1024 launches makes the host wait

struct Launching {
    Times returns, each,
        alone;  // of a call until it returns; of one of many until all are done; of one until it is done
};

void time_round(Launching& times, cudaStream_t stream, const std::function<void()>& launch) {
    CUDA(cudaStreamSynchronize(stream));
    const double begin = now_us();
    for (int k = 0; k < in_a_row; ++k) launch();
    const double returned = now_us();
    CUDA(cudaStreamSynchronize(stream));
    times.returns.us.push_back((returned - begin) / in_a_row);
    times.each.us.push_back((now_us() - begin) / in_a_row);
    double alone = 0;
    for (int k = 0; k < in_a_row; ++k) {
        const double one = now_us();
        launch();
        CUDA(cudaStreamSynchronize(stream));
        alone += now_us() - one;
    }
    times.alone.us.push_back(alone / in_a_row);
}

// ---- graphs of the caller's --------------------------------------------------------------------------------------

cudaGraph_t captured(cudaStream_t stream, const std::function<void()>& launch) {
    cudaGraph_t graph = nullptr;
    CUDA(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
    launch();
    CUDA(cudaStreamEndCapture(stream, &graph));
    return graph;
}

// The largest of the program's own kernels in the graph of a launch, and how many nodes there are. Asked of the driver,
// whose handle anybody can launch: the runtime's is of the library that the kernel stands in.
CUDA_KERNEL_NODE_PARAMS bare_kernel(cudaGraph_t graph, std::size_t& nodes) {
    CUDA(cudaGraphGetNodes(graph, nullptr, &nodes));
    std::vector<cudaGraphNode_t> all(nodes);
    CUDA(cudaGraphGetNodes(graph, all.data(), &nodes));
    CUDA_KERNEL_NODE_PARAMS largest = {};
    for (const cudaGraphNode_t node : all) {
        cudaGraphNodeType type;
        CUDA(cudaGraphNodeGetType(node, &type));
        if (type != cudaGraphNodeTypeKernel) continue;
        CUDA_KERNEL_NODE_PARAMS kernel = {};
        DRIVER(cuGraphKernelNodeGetParams(node, &kernel));
        if (kernel.func == nullptr) DRIVER(cuKernelGetFunction(&kernel.func, kernel.kern));
        const char* name = nullptr;
        DRIVER(cuFuncGetName(&name, kernel.func));
        if (std::strstr(name, "kasc_copy_some") != nullptr) continue;
        if (kernel.gridDimX > largest.gridDimX) largest = kernel;
    }
    return largest;
}

// Runs what `launch` does as a graph.
struct Graph {
    cudaGraphExec_t runnable = nullptr;

    Graph(cudaStream_t stream, const std::function<void()>& launch) {
        cudaGraph_t graph = captured(stream, launch);
        CUDA(cudaGraphInstantiateWithFlags(&runnable, graph, 0));
        CUDA(cudaGraphDestroy(graph));
    }
    ~Graph() { cudaGraphExecDestroy(runnable); }
    Graph(const Graph&) = delete;
    void run(cudaStream_t stream) const {
        CUDA(cudaGraphLaunch(runnable, stream));
        CUDA(cudaStreamSynchronize(stream));
    }
};

// ---- streams -----------------------------------------------------------------------------------------------------

template <class Arguments, class Prepared>
Prepared* prepared_of(int (*)(const Arguments*, void*, Prepared**));

// What differs between programs: the header's functions, words of an element of each array, the outputs last.
struct StVenantInner {
    using Arguments = st_venant_inner_arguments;
    static constexpr const char* name = "st_venant_inner";
    static constexpr auto prepare = st_venant_inner_prepare;
    static constexpr auto launch = st_venant_inner_launch;
    static constexpr auto release = st_venant_inner_release;
    static constexpr auto reference = st_venant_inner_reference_compute;
    static constexpr auto message = st_venant_inner_message;
    static std::vector<int> words() { return {27, 9, 3, 3, 1, 9}; }
    static Arguments arguments(long long n, const std::vector<float*>& a) {
        return {n, a[0], a[1], a[2], a[3], a[4], a[5]};
    }
};
struct MatrixPowers {
    using Arguments = matrix_powers_arguments;
    static constexpr const char* name = "matrix_powers";
    static constexpr auto prepare = matrix_powers_prepare;
    static constexpr auto launch = matrix_powers_launch;
    static constexpr auto release = matrix_powers_release;
    static constexpr auto reference = matrix_powers_reference_compute;
    static constexpr auto message = matrix_powers_message;
    static std::vector<int> words() { return {9, 3, 3}; }
    static Arguments arguments(long long n, const std::vector<float*>& a) { return {n, 3, a[0], a[1], a[2]}; }
};

// Arrays of n elements each.
struct Arrays {
    std::vector<std::unique_ptr<Array>> all;

    Arrays(const std::vector<int>& words, long long n, int seed) {
        for (const int w : words) all.push_back(std::make_unique<Array>(w * n, seed++));
    }
    std::vector<float*> on_device() const {
        std::vector<float*> pointers;
        for (const auto& array : all) pointers.push_back(array->device);
        return pointers;
    }
    void fill(int seed) {
        for (const auto& array : all) array->fill(seed++);
    }
};

template <class Program>
bool right(const Arrays& arrays, long long n) {
    std::vector<float*> pointers;
    for (const auto& array : arrays.all) pointers.push_back(array->host.data());
    std::vector<float> expected(arrays.all.back()->host.size());
    pointers.back() = expected.data();
    const auto arguments = Program::arguments(n, pointers);
    return Program::reference(&arguments, nullptr, nullptr, nullptr) == 0 && same(*arrays.all.back(), expected);
}

template <class Program>
void stream_of(long long n) {
    cudaStream_t stream;
    CUDA(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
    Arrays first(Program::words(), n, 1), second(Program::words(), n, 100);
    const auto to_first = Program::arguments(n, first.on_device()),
               to_second = Program::arguments(n, second.on_device());
    const std::string what = std::string(Program::name) + ", n = " + std::to_string(n);
    std::remove_pointer_t<decltype(prepared_of(Program::prepare))>* prepared = nullptr;
    good(Program::prepare(&to_first, stream, &prepared), Program::message(), "prepare");
    const auto launch = [&] { good(Program::launch(prepared, &to_first, nullptr), Program::message(), "launch"); };

    {
        // Before anything was launched: what is prepared is loaded, too.
        const Graph both(stream, [&] {
            launch();
            good(Program::launch(prepared, &to_second, nullptr), Program::message(), "launch");
        });
        for (int seed = 7; seed < 10; ++seed) {
            first.fill(seed), second.fill(seed + 1000);
            both.run(stream);
            check(right<Program>(first, n) && right<Program>(second, n), what + ": a graph on other data");
        }
        first.fill(20);
        launch();
        CUDA(cudaStreamSynchronize(stream));
        check(right<Program>(first, n), what + ": a launch");
    }

    cudaGraph_t graph = captured(stream, launch);
    std::size_t nodes = 0, free_before = 0, free_after = 0, all = 0;
    const CUDA_KERNEL_NODE_PARAMS one = bare_kernel(graph, nodes);
    const auto bare = [&] {
        DRIVER(cuLaunchKernel(one.func, one.gridDimX, one.gridDimY, one.gridDimZ, one.blockDimX, one.blockDimY,
                              one.blockDimZ, one.sharedMemBytes, stream, one.kernelParams, nullptr));
    };
    Launching of_kernel, of_program;
    for (int k = 0; k < in_a_row; ++k) bare(), launch();
    CUDA(cudaStreamSynchronize(stream));
    CUDA(cudaMemGetInfo(&free_before, &all));
    for (int round = 0; round < rounds; ++round)
        time_round(of_kernel, stream, bare), time_round(of_program, stream, launch);
    CUDA(cudaMemGetInfo(&free_after, &all));
    check(free_before == free_after, what + ": launches took memory");
    std::printf("%s: %zu node(s) a launch\n", what.c_str(), nodes);
    const auto row = [&](const char* name, const Times& k, const Times& p) {
        std::printf("  %-42s %s  %s  %+.2f\n", name, k.text().c_str(), p.text().c_str(), p.at(0.5) - k.at(0.5));
    };
    row("until the call returns", of_kernel.returns, of_program.returns);
    row("of 200 in a row", of_kernel.each, of_program.each);
    row("until it is done, with synchronisation", of_kernel.alone, of_program.alone);
    CUDA(cudaGraphDestroy(graph));
    good(Program::release(prepared), Program::message(), "release");
    CUDA(cudaStreamDestroy(stream));
}

// ---- fields ------------------------------------------------------------------------------------------------------

bool heat_right(const heat2d_arguments& like, const Array& T, const Array& out) {
    std::vector<float> expected(out.host.size());
    heat2d_arguments args = like;
    args.T = T.host.data(), args.T_out = expected.data();
    return heat2d_reference_compute(&args, nullptr, nullptr, nullptr) == 0 && same(out, expected);
}

// A loop whose iterations are CUDA graphs: on the arrays it was prepared with, on others, with another parameter,
// within a graph of the caller's, and on the default stream.
void heat(bool default_stream) {
    cudaStream_t stream = nullptr;
    if (!default_stream) CUDA(cudaStreamCreate(&stream));
    const long long nx = 130, ny = 97;
    Array T(nx * ny, 1), out(nx * ny, 2), other_T(nx * ny, 3), other_out(nx * ny, 4);
    heat2d_arguments args = {nx, ny, 0.2f, 101, T.device, out.device};
    heat2d_prepared* prepared = nullptr;
    good(heat2d_prepare(&args, stream, &prepared), heat2d_message(), "prepare");
    const auto launch = [&](const heat2d_arguments& a) {
        good(heat2d_launch(prepared, &a, nullptr), heat2d_message(), "launch");
    };
    const std::string what = default_stream ? "heat2d on the default stream" : "heat2d";
    for (int round = 0; round < 3; ++round) {
        launch(args);
        CUDA(cudaStreamSynchronize(stream));
        check(heat_right(args, T, out), what + ": a launch");
        T.fill(round + 50);
    }
    heat2d_arguments elsewhere = args;
    elsewhere.T = other_T.device, elsewhere.T_out = other_out.device, elsewhere.steps = 20, elsewhere.alpha = 0.1f;
    launch(elsewhere);
    CUDA(cudaStreamSynchronize(stream));
    check(heat_right(elsewhere, other_T, other_out), what + ": other arrays and parameters");
    if (!default_stream) {
        const Graph both(stream, [&] { launch(args), launch(elsewhere); });
        for (int seed = 60; seed < 63; ++seed) {
            T.fill(seed), other_T.fill(seed + 1000);
            both.run(stream);
            check(heat_right(args, T, out) && heat_right(elsewhere, other_T, other_out), what + ": the caller's graph");
        }
        double seconds = 0;
        const double begin = now_us();
        good(heat2d_launch(prepared, &args, &seconds), heat2d_message(), "launch");
        std::printf("heat2d, %lld x %lld, %d steps: %.2f us a step, kernels %.2f\n", nx, ny, args.steps,
                    (now_us() - begin) / args.steps, 1e6 * seconds / args.steps);
    }
    good(heat2d_release(prepared), heat2d_message(), "release");
    if (!default_stream) CUDA(cudaStreamDestroy(stream));
}

// With a spectrum of ones the result is the field.
void convolution(long long n) {
    cudaStream_t stream;
    CUDA(cudaStreamCreate(&stream));
    const long long cells = n * n * n, half = (n / 2 + 1) * n * n;
    Array u(cells, 1), v(cells, 2), other_u(cells, 3), other_v(cells, 4), H(half, 5);
    std::fill(H.host.begin(), H.host.end(), 1.0f);
    CUDA(cudaMemcpy(H.device, H.host.data(), half * sizeof(float), cudaMemcpyHostToDevice));
    CUDA(cudaDeviceSynchronize());
    const auto arguments = [&](const Array& from, const Array& to) {
        convolution_arguments a = {};
        a.nx = a.ny = a.nz = n, a.nkx = n / 2 + 1;
        a.u = from.device, a.v = to.device;
        a.H = H.device;
        return a;
    };
    const auto near = [&](const Array& from, const Array& to) {
        const std::vector<float> now = to.now();
        float most = 0;
        for (long long k = 0; k < cells; ++k) most = std::max(most, std::fabs(now[k] - from.host[k]));
        return most < 1e-4f;
    };
    const convolution_arguments args = arguments(u, v), elsewhere = arguments(other_u, other_v);
    convolution_prepared* prepared = nullptr;
    double begin = now_us();
    good(convolution_prepare(&args, stream, &prepared), convolution_message(), "prepare");
    std::printf("convolution, %lld cells cubed: prepared in %.1f ms\n", n, (now_us() - begin) * 1e-3);
    const auto launch = [&](const convolution_arguments& a) {
        good(convolution_launch(prepared, &a, nullptr), convolution_message(), "launch");
    };
    const Graph graph(stream, [&] { launch(args), launch(elsewhere); });  // before anything was launched
    Times wall, returns, kernels;
    for (int k = 0; k < 23; ++k) {
        begin = now_us();
        launch(k % 2 == 0 ? args : elsewhere);
        const double returned = now_us();
        CUDA(cudaStreamSynchronize(stream));
        const double done = now_us();
        double seconds = 0;
        good(convolution_launch(prepared, &args, &seconds), convolution_message(), "launch");
        if (k < 2) continue;
        returns.us.push_back(returned - begin), wall.us.push_back(done - begin), kernels.us.push_back(1e6 * seconds);
    }
    check(near(u, v) && near(other_u, other_v), "convolution: launches");
    std::printf("  us until the call returns                  %s\n", returns.text().c_str());
    std::printf("  us until it is done, with synchronisation  %s\n", wall.text().c_str());
    std::printf("  us of its kernels                          %s\n", kernels.text().c_str());
    u.fill(70), other_u.fill(71);
    graph.run(stream);
    check(near(u, v) && near(other_u, other_v), "convolution: a graph on other data");
    good(convolution_release(prepared), convolution_message(), "release");
    CUDA(cudaStreamDestroy(stream));
}

}  // namespace

int main(int argc, char** argv) {
    cudaDeviceProp device;
    CUDA(cudaGetDeviceProperties(&device, 0));
    std::printf("%s; us, median (10 %% to 90 %%) of %d rounds: the bare kernel, the launch, the difference\n",
                device.name, rounds);
    for (const long long n : {1, 95, 96, 1000, 4096, 4099}) stream_of<StVenantInner>(n);
    for (const long long n : {7, 4096, 4099}) stream_of<MatrixPowers>(n);
    heat(false);
    heat(true);
    convolution(argc > 1 ? std::atoll(argv[1]) : 512);
    std::printf(faults == 0 ? "all results are right\n" : "%d results are wrong\n", faults);
    return faults == 0 ? 0 : 1;
}
