// Host side made by kasc.
#include "histogram.h"

#include <algorithm>
#include <climits>
#include <memory>

#include "histogram_kernels.cuh"
#include "kasc_calls.hpp"

namespace {

// The caller's arguments, and lengths of axes that are the run's own: in how many parts reductions go over their cells.
struct histogram_run_arguments : histogram_arguments {
    long long nx_y_entries = 1;
    long long nx_y_entries_chunks = 1;
    long long nx_copy = 1;

    histogram_run_arguments() : histogram_arguments() {}
    histogram_run_arguments(const histogram_arguments &arguments) : histogram_arguments(arguments) {}
};

// bin = picture/4
// count[b = bin] += 1
int launch_histogram_k0(const histogram_run_arguments &args, kasc_memory &memory, kasc_memory::array<unsigned char> array_picture, kasc_memory::array<int> array_count_new) {
    const kasc_range range("histogram_k0");
    if (args.nx % 8 == 0 && args.nb <= 8192) {
        const int ny = (int)args.ny;
        const int nx = (int)args.nx;
        const int nb = (int)args.nb;
        const long long grid_x = ((long long)nx * (long long)ny + 65535) / 65536;
        if (grid_x <= 0) return 0;
        if (grid_x > INT_MAX) return kasc_fail(1, "the arrays are too large for histogram_k0");
        histogram_k0<<<dim3((unsigned)grid_x, 1, 1), dim3(512, 1, 1), 0, memory.stream()>>>(array_picture, array_count_new, ny, nx, nb);
        return kasc_check(cudaGetLastError(), "histogram_k0");
    }
    const int nx = (int)args.nx;
    const int ny = (int)args.ny;
    const int nb = (int)args.nb;
    const long long grid_x = (nx + 511) / 512;
    const long long grid_y = ny;
    if (grid_x <= 0 || grid_y <= 0) return 0;
    if (grid_x > INT_MAX || grid_y > 65535) return kasc_fail(1, "the arrays are too large for histogram_k0_grid");
    histogram_k0_grid<<<dim3((unsigned)grid_x, (unsigned)grid_y, 1), dim3(512, 1, 1), 0, memory.stream()>>>(array_picture, array_count_new, nx, ny, nb);
    return kasc_check(cudaGetLastError(), "histogram_k0_grid");
}

// The program on arrays in the target's memory: what it needs beside them, and how far a run has come.
struct histogram_run {
    kasc_memory &memory;
    histogram_run_arguments args = {};
    kasc_memory::array<unsigned char> picture_in = {};
    kasc_memory::array<int> count_in = {};
    kasc_memory::array<int> count = {};

    explicit histogram_run(kasc_memory &of) : memory(of) {}
    static int check(const histogram_arguments &given);
    int prepare(const histogram_arguments &given);
    void bind();
    int begin(const histogram_arguments &given);
    int advance();
    int deliver();
    int release();
};

// Extents that the program takes.
int histogram_run::check(const histogram_arguments &given) {
    if (given.nx < 1 || given.nx > INT_MAX - 1024) {
        return kasc_fail(1, "extent nx is %lld: from 1 to %d are taken", given.nx, INT_MAX - 1024);
    }
    if (given.ny < 1 || given.ny > INT_MAX - 1024) {
        return kasc_fail(1, "extent ny is %lld: from 1 to %d are taken", given.ny, INT_MAX - 1024);
    }
    if (given.nb < 1 || given.nb > INT_MAX - 1024) {
        return kasc_fail(1, "extent nb is %lld: from 1 to %d are taken", given.nb, INT_MAX - 1024);
    }
    return 0;
}

// All that does not depend on the caller's arrays.
int histogram_run::prepare(const histogram_arguments &given) {
    args = given;
    args.nx_y_entries = (args.nx * args.ny + 0) / 1;
    args.nx_y_entries_chunks = (args.nx_y_entries + 63) / 64;
    args.nx_copy = std::min(1024LL, (args.nx * args.ny + 1023) / 1024);
    memory.load({reinterpret_cast<const void *>(histogram_k0), reinterpret_cast<const void *>(histogram_k0_grid)});
    memory.synchronise();
    return memory.status();
}

// Where the arrays of args lie; loops change some places.
void histogram_run::bind() {
    picture_in = memory.input("picture_in", args.picture, args.nx * args.ny);
    count_in = memory.input("count_in", args.count, args.nb);
    count = memory.output("count", args.count_out, args.nb);
}

// A run on these arrays: what kernels expect to find in memory, and where loops begin.
int histogram_run::begin(const histogram_arguments &given) {
    if (given.nx != args.nx) return kasc_fail(1, "nx is %lld, the program is prepared for %lld", given.nx, args.nx);
    if (given.ny != args.ny) return kasc_fail(1, "ny is %lld, the program is prepared for %lld", given.ny, args.ny);
    if (given.nb != args.nb) return kasc_fail(1, "nb is %lld, the program is prepared for %lld", given.nb, args.nb);
    memory.expect("picture", given.picture);
    memory.expect("count", given.count);
    memory.expect("count_out", given.count_out);
    if (memory.status() != 0) return memory.status();
    args = given;
    args.nx_y_entries = (args.nx * args.ny + 0) / 1;
    args.nx_y_entries_chunks = (args.nx_y_entries + 63) / 64;
    args.nx_copy = std::min(1024LL, (args.nx * args.ny + 1023) / 1024);
    bind();
    memory.copy(count, count_in, args.nb);
    return memory.status();
}

// All launches.
int histogram_run::advance() {
    const kasc_range range("histogram");
    if (const int status = launch_histogram_k0(args, memory, picture_in, count); status != 0) return status;
    return memory.status();
}

// Ends the run.
int histogram_run::deliver() {
    memory.deliver(args.count_out, count, args.nb);
    return memory.status();
}

int histogram_run::release() {
    return 0;
}

}  // namespace

// What the header's functions work on.
struct __attribute__((visibility("hidden"))) histogram_prepared {
    kasc_memory memory;
    histogram_run run;

    explicit histogram_prepared(void *given) : memory(given), run(memory) {}
};

namespace {

int prepare(histogram_prepared &prepared, const histogram_arguments &given) {
    if (const int status = prepared.memory.status(); status != 0) return status;
    if (const int status = prepared.run.check(given); status != 0) return status;
    return prepared.run.prepare(given);
}

int run_whole(histogram_prepared &prepared, const histogram_arguments &given, double *kernel_seconds) {
    kasc_memory &memory = prepared.memory;
    histogram_run &run = prepared.run;
    if (const int status = run.begin(given); status != 0) return status;
    if (kernel_seconds != nullptr) memory.begin_timing();
    if (const int status = run.advance(); status != 0) return status;
    if (kernel_seconds != nullptr) *kernel_seconds = memory.end_timing();
    return run.deliver();
}

int release(histogram_prepared &prepared) {
    int status = prepared.run.release();
    if (const int failed = prepared.memory.release(); status == 0) status = failed;
    return status;
}

int give_up(histogram_prepared &prepared, int status) {
    const kasc_first_message kept;
    (void)release(prepared);
    return status;
}

// Of arrays in host memory: all there is to a run.
int compute(histogram_prepared &prepared, const histogram_arguments &host, double *kernel_seconds) {
    kasc_memory &memory = prepared.memory;
    if (const int status = prepared.run.check(host); status != 0) return status;
    memory.present("picture", host.picture);
    memory.present("count", host.count);
    memory.present("count_out", host.count_out);
    histogram_arguments given = host;
    given.picture = memory.upload("picture", host.picture, host.nx * host.ny);
    given.count = memory.upload("count", host.count, host.nb);
    given.count_out = memory.result("count_out", host.count_out, host.nb);
    if (const int status = memory.status(); status != 0) return status;
    if (const int status = prepare(prepared, given); status != 0) return status;
    if (const int status = run_whole(prepared, given, kernel_seconds); status != 0) return status;
    memory.download(host.count_out, given.count_out, host.nb);
    memory.synchronise();
    return memory.status();
}

}  // namespace

KASC_API const char *histogram_message(void)
{
    return kasc_message;
}

KASC_API int histogram_prepare(const histogram_arguments *arguments, void *stream, histogram_prepared **prepared)
{
    return kasc_call([&]() -> int {
        if (prepared == nullptr) return kasc_null("prepared");
        *prepared = nullptr;
        if (arguments == nullptr) return kasc_null("arguments");
        auto made = std::make_unique<histogram_prepared>(stream);
        if (const int status = prepare(*made, *arguments); status != 0) return give_up(*made, status);
        *prepared = made.release();
        return 0;
    });
}

KASC_API int histogram_launch(histogram_prepared *prepared, const histogram_arguments *arguments, double *kernel_seconds)
{
    return kasc_call([&]() -> int {
        if (prepared == nullptr) return kasc_null("prepared");
        if (arguments == nullptr) return kasc_null("arguments");
        if (const int status = prepared->memory.enter(); status != 0) return status;
        return run_whole(*prepared, *arguments, kernel_seconds);
    });
}

KASC_API int histogram_release(histogram_prepared *prepared)
{
    return kasc_call([&]() -> int {
        const std::unique_ptr<histogram_prepared> owned(prepared);
        return prepared == nullptr ? 0 : release(*prepared);
    });
}

KASC_API int histogram_compute(const histogram_arguments *arguments, histogram_progress, void *, double *kernel_seconds)
{
    return kasc_call([&]() -> int {
        if (arguments == nullptr) return kasc_null("arguments");
        histogram_prepared prepared(nullptr);
        const int status = compute(prepared, *arguments, kernel_seconds);
        return status != 0 ? give_up(prepared, status) : release(prepared);
    });
}

