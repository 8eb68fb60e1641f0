// rotate_scale.kas on a GPU: prepared once, launched on two sets of arrays, captured with a kernel of the caller's.
#include <cuda_runtime.h>

#include <cstdio>
#include <cstdlib>
#include <vector>

#include "rotate_scale.h"

static void check(cudaError_t error) {
    if (error == cudaSuccess) return;
    std::fprintf(stderr, "CUDA: %s\n", cudaGetErrorString(error));
    std::exit(1);
}

static void check(int status) {
    if (status == rotate_scale_ok) return;
    std::fprintf(stderr, "rotate_scale: %s\n", rotate_scale_message());
    std::exit(1);
}

static float* array(long long words) {
    float* words_on_device = nullptr;
    check(cudaMalloc(&words_on_device, words * sizeof(float)));
    check(cudaMemset(words_on_device, 0, words * sizeof(float)));
    return words_on_device;
}

static __global__ void turn_on(float* v, long long words) {
    const long long k = blockIdx.x * 256LL + threadIdx.x;
    if (k < words) v[k] += 1;
}

int main() {
    const long long n = 1000;  // any number of elements
    cudaStream_t stream;
    check(cudaStreamCreate(&stream));

    rotate_scale_arguments first = {};
    first.n = n;
    rotate_scale_prepared* prepared = nullptr;
    check(rotate_scale_prepare(&first, stream, &prepared));  // for n and the stream; arrays may come later

    float* const v = array(3 * n);
    first.R = array(9 * n), first.S = array(9 * n), first.v = v, first.w = array(3 * n), first.length = array(n);
    rotate_scale_arguments second = first;
    second.w = array(3 * n), second.length = array(n);

    check(rotate_scale_launch(prepared, &first, nullptr));  // does not wait

    cudaGraph_t graph;
    cudaGraphExec_t runnable;
    check(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
    check(rotate_scale_launch(prepared, &first, nullptr));
    turn_on<<<(unsigned)((3 * n + 255) / 256), 256, 0, stream>>>(v, 3 * n);
    check(rotate_scale_launch(prepared, &second, nullptr));
    check(cudaStreamEndCapture(stream, &graph));
    check(cudaGraphInstantiateWithFlags(&runnable, graph, 0));
    for (int step = 0; step < 100; ++step) check(cudaGraphLaunch(runnable, stream));
    check(cudaStreamSynchronize(stream));

    check(cudaGraphExecDestroy(runnable));
    check(cudaGraphDestroy(graph));
    check(rotate_scale_release(prepared));  // after the graph, whose kernels use what was prepared
    check(cudaStreamDestroy(stream));
    return 0;
}
