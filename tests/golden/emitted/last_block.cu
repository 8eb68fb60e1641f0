// Host side made by kasc.
#include "last_block.h"

#include <algorithm>
#include <climits>
#include <memory>

#include "last_block_kernels.cuh"
#include "kasc_calls.hpp"

namespace {

// The caller's arguments, and lengths of axes that are the run's own: in how many parts reductions go over their cells.
struct last_block_run_arguments : last_block_arguments {
    long long nnorm_sum_part = 1;

    last_block_run_arguments() : last_block_arguments() {}
    last_block_run_arguments(const last_block_arguments &arguments) : last_block_arguments(arguments) {}
};

// v = 2*u
// norm_sum_parts = sum(v*v)
// then, by the last block to finish: norm_sum = sum(v*v)
// then, by the last block to finish: norm = sqrt(sum(v*v))
// then, by the last block to finish: inverse = 1/norm
int launch_last_block_k0(const last_block_run_arguments &args, kasc_memory &memory, kasc_memory::array<int> kasc_finished, kasc_memory::array<float> array_u, kasc_memory::array<float> array_v, kasc_memory::array<double> array_norm_sum_parts, kasc_memory::array<float> array_norm_sum, kasc_memory::array<float> array_norm, kasc_memory::array<float> array_inverse) {
    const kasc_range range("last_block_k0");
    const int nnorm_sum_part = (int)args.nnorm_sum_part;
    const int nx = (int)args.nx;
    const long long grid_x = (long long)nnorm_sum_part;
    if (grid_x <= 0) return 0;
    if (grid_x > INT_MAX) return kasc_fail(1, "the arrays are too large for last_block_k0");
    last_block_k0<<<dim3((unsigned)grid_x, 1, 1), dim3(256, 1, 1), 0, memory.stream()>>>(array_u, array_v, array_norm_sum_parts, array_norm_sum, array_norm, array_inverse, nnorm_sum_part, nx, kasc_finished);
    return kasc_check(cudaGetLastError(), "last_block_k0");
}

// The program on arrays in the target's memory: what it needs beside them, and how far a run has come.
struct last_block_run {
    kasc_memory &memory;
    last_block_run_arguments args = {};
    kasc_memory::array<float> u_in = {};
    kasc_memory::array<float> v = {};
    kasc_memory::array<double> norm_sum_parts = {};
    kasc_memory::array<float> norm_sum = {};
    kasc_memory::array<float> norm = {};
    kasc_memory::array<float> inverse = {};
    kasc_memory::array<int> last_block_k0_finished = {};  // blocks that have finished

    explicit last_block_run(kasc_memory &of) : memory(of) {}
    static int check(const last_block_arguments &given);
    int prepare(const last_block_arguments &given);
    void bind();
    int begin(const last_block_arguments &given);
    int advance();
    int deliver();
    int release();
};

// Extents that the program takes.
int last_block_run::check(const last_block_arguments &given) {
    if (given.nx < 1 || given.nx > INT_MAX - 1024) {
        return kasc_fail(1, "extent nx is %lld: from 1 to %d are taken", given.nx, INT_MAX - 1024);
    }
    return 0;
}

// All that does not depend on the caller's arrays.
int last_block_run::prepare(const last_block_arguments &given) {
    args = given;
    args.nnorm_sum_part = std::min(16384LL, (args.nx + 4095) / 4096);
    norm_sum_parts = memory.take<double>("norm_sum_parts", args.nnorm_sum_part);
    norm_sum = memory.take<float>("norm_sum", 1);
    last_block_k0_finished = memory.take<int>("last_block_k0_finished", 1);
    memory.zero(last_block_k0_finished, 1);
    memory.load({reinterpret_cast<const void *>(last_block_k0)});
    memory.synchronise();
    return memory.status();
}

// Where the arrays of args lie; loops change some places.
void last_block_run::bind() {
    u_in = memory.input("u_in", args.u, args.nx);
    v = memory.output("v", args.v, args.nx);
    norm = memory.output("norm", args.norm, 1);
    inverse = memory.output("inverse", args.inverse, 1);
}

// A run on these arrays: what kernels expect to find in memory, and where loops begin.
int last_block_run::begin(const last_block_arguments &given) {
    if (given.nx != args.nx) return kasc_fail(1, "nx is %lld, the program is prepared for %lld", given.nx, args.nx);
    memory.expect("u", given.u);
    memory.expect("v", given.v);
    memory.expect("norm", given.norm);
    memory.expect("inverse", given.inverse);
    if (memory.status() != 0) return memory.status();
    args = given;
    args.nnorm_sum_part = std::min(16384LL, (args.nx + 4095) / 4096);
    bind();
    return memory.status();
}

// All launches.
int last_block_run::advance() {
    const kasc_range range("last_block");
    if (const int status = launch_last_block_k0(args, memory, last_block_k0_finished, u_in, v, norm_sum_parts, norm_sum, norm, inverse); status != 0) return status;
    return memory.status();
}

// Ends the run.
int last_block_run::deliver() {
    memory.deliver(args.v, v, args.nx);
    memory.deliver(args.norm, norm, 1);
    memory.deliver(args.inverse, inverse, 1);
    return memory.status();
}

int last_block_run::release() {
    return 0;
}

}  // namespace

// What the header's functions work on.
struct __attribute__((visibility("hidden"))) last_block_prepared {
    kasc_memory memory;
    last_block_run run;

    explicit last_block_prepared(void *given) : memory(given), run(memory) {}
};

namespace {

int prepare(last_block_prepared &prepared, const last_block_arguments &given) {
    if (const int status = prepared.memory.status(); status != 0) return status;
    if (const int status = prepared.run.check(given); status != 0) return status;
    return prepared.run.prepare(given);
}

int run_whole(last_block_prepared &prepared, const last_block_arguments &given, double *kernel_seconds) {
    kasc_memory &memory = prepared.memory;
    last_block_run &run = prepared.run;
    if (const int status = run.begin(given); status != 0) return status;
    if (kernel_seconds != nullptr) memory.begin_timing();
    if (const int status = run.advance(); status != 0) return status;
    if (kernel_seconds != nullptr) *kernel_seconds = memory.end_timing();
    return run.deliver();
}

int release(last_block_prepared &prepared) {
    int status = prepared.run.release();
    if (const int failed = prepared.memory.release(); status == 0) status = failed;
    return status;
}

int give_up(last_block_prepared &prepared, int status) {
    const kasc_first_message kept;
    (void)release(prepared);
    return status;
}

// Of arrays in host memory: all there is to a run.
int compute(last_block_prepared &prepared, const last_block_arguments &host, double *kernel_seconds) {
    kasc_memory &memory = prepared.memory;
    if (const int status = prepared.run.check(host); status != 0) return status;
    memory.present("u", host.u);
    memory.present("v", host.v);
    memory.present("norm", host.norm);
    memory.present("inverse", host.inverse);
    last_block_arguments given = host;
    given.u = memory.upload("u", host.u, host.nx);
    given.v = memory.result("v", host.v, host.nx);
    given.norm = memory.result("norm", host.norm, 1);
    given.inverse = memory.result("inverse", host.inverse, 1);
    if (const int status = memory.status(); status != 0) return status;
    if (const int status = prepare(prepared, given); status != 0) return status;
    if (const int status = run_whole(prepared, given, kernel_seconds); status != 0) return status;
    memory.download(host.v, given.v, host.nx);
    memory.download(host.norm, given.norm, 1);
    memory.download(host.inverse, given.inverse, 1);
    memory.synchronise();
    return memory.status();
}

}  // namespace

KASC_API const char *last_block_message(void)
{
    return kasc_message;
}

KASC_API int last_block_prepare(const last_block_arguments *arguments, void *stream, last_block_prepared **prepared)
{
    return kasc_call([&]() -> int {
        if (prepared == nullptr) return kasc_null("prepared");
        *prepared = nullptr;
        if (arguments == nullptr) return kasc_null("arguments");
        auto made = std::make_unique<last_block_prepared>(stream);
        if (const int status = prepare(*made, *arguments); status != 0) return give_up(*made, status);
        *prepared = made.release();
        return 0;
    });
}

KASC_API int last_block_launch(last_block_prepared *prepared, const last_block_arguments *arguments, double *kernel_seconds)
{
    return kasc_call([&]() -> int {
        if (prepared == nullptr) return kasc_null("prepared");
        if (arguments == nullptr) return kasc_null("arguments");
        if (const int status = prepared->memory.enter(); status != 0) return status;
        return run_whole(*prepared, *arguments, kernel_seconds);
    });
}

KASC_API int last_block_release(last_block_prepared *prepared)
{
    return kasc_call([&]() -> int {
        const std::unique_ptr<last_block_prepared> owned(prepared);
        return prepared == nullptr ? 0 : release(*prepared);
    });
}

KASC_API int last_block_compute(const last_block_arguments *arguments, last_block_progress, void *, double *kernel_seconds)
{
    return kasc_call([&]() -> int {
        if (arguments == nullptr) return kasc_null("arguments");
        last_block_prepared prepared(nullptr);
        const int status = compute(prepared, *arguments, kernel_seconds);
        return status != 0 ? give_up(prepared, status) : release(prepared);
    });
}

