// Host side made by kasc.
#include "column.h"

#include <climits>
#include <memory>

#include "column_kernels.cuh"
#include "kasc_calls.hpp"

namespace {

// T = T + 0.1 * (T[z - 1] - 2 * T + T[z + 1])
int launch_column_k0(const column_arguments &args, kasc_memory &memory, kasc_memory::array<float> array_T, kasc_memory::array<float> array_T_new) {
    const kasc_range range("column_k0");
    const int nx = (int)args.nx;
    const int ny = (int)args.ny;
    const int nz = (int)args.nz;
    const long long grid_x = (nx + 31) / 32;
    const long long grid_y = (ny + 3) / 4;
    const long long grid_z = (nz + 7) / 8;
    if (grid_x <= 0 || grid_y <= 0 || grid_z <= 0) return 0;
    if (grid_x > INT_MAX || grid_y > 65535 || grid_z > 65535) return kasc_fail(1, "the arrays are too large for column_k0");
    column_k0<<<dim3((unsigned)grid_x, (unsigned)grid_y, (unsigned)grid_z), dim3(32, 4, 1), 0, memory.stream()>>>(array_T, array_T_new, nx, ny, nz);
    return kasc_check(cudaGetLastError(), "column_k0");
}

// The program on arrays in the target's memory: what it needs beside them, and how far a run has come.
struct column_run {
    kasc_memory &memory;
    column_arguments args = {};
    kasc_memory::array<float> T_in = {};
    kasc_memory::array<float> T = {};

    explicit column_run(kasc_memory &of) : memory(of) {}
    static int check(const column_arguments &given);
    int prepare(const column_arguments &given);
    void bind();
    int begin(const column_arguments &given);
    int advance();
    int deliver();
    int release();
};

// Extents that the program takes.
int column_run::check(const column_arguments &given) {
    if (given.nx < 1 || given.nx > INT_MAX - 1024) {
        return kasc_fail(1, "extent nx is %lld: from 1 to %d are taken", given.nx, INT_MAX - 1024);
    }
    if (given.ny < 1 || given.ny > INT_MAX - 1024) {
        return kasc_fail(1, "extent ny is %lld: from 1 to %d are taken", given.ny, INT_MAX - 1024);
    }
    if (given.nz < 1 || given.nz > INT_MAX - 1024) {
        return kasc_fail(1, "extent nz is %lld: from 1 to %d are taken", given.nz, INT_MAX - 1024);
    }
    return 0;
}

// All that does not depend on the caller's arrays.
int column_run::prepare(const column_arguments &given) {
    args = given;
    memory.load({reinterpret_cast<const void *>(column_k0)});
    memory.synchronise();
    return memory.status();
}

// Where the arrays of args lie; loops change some places.
void column_run::bind() {
    T_in = memory.input("T_in", args.T, args.nx * args.ny * args.nz);
    T = memory.output("T", args.T_out, args.nx * args.ny * args.nz);
}

// A run on these arrays: what kernels expect to find in memory, and where loops begin.
int column_run::begin(const column_arguments &given) {
    if (given.nx != args.nx) return kasc_fail(1, "nx is %lld, the program is prepared for %lld", given.nx, args.nx);
    if (given.ny != args.ny) return kasc_fail(1, "ny is %lld, the program is prepared for %lld", given.ny, args.ny);
    if (given.nz != args.nz) return kasc_fail(1, "nz is %lld, the program is prepared for %lld", given.nz, args.nz);
    memory.expect("T", given.T);
    memory.expect("T_out", given.T_out);
    if (memory.status() != 0) return memory.status();
    args = given;
    bind();
    return memory.status();
}

// All launches.
int column_run::advance() {
    const kasc_range range("column");
    if (const int status = launch_column_k0(args, memory, T_in, T); status != 0) return status;
    return memory.status();
}

// Ends the run.
int column_run::deliver() {
    memory.deliver(args.T_out, T, args.nx * args.ny * args.nz);
    return memory.status();
}

int column_run::release() {
    return 0;
}

}  // namespace

// What the header's functions work on.
struct __attribute__((visibility("hidden"))) column_prepared {
    kasc_memory memory;
    column_run run;

    explicit column_prepared(void *given) : memory(given), run(memory) {}
};

namespace {

int prepare(column_prepared &prepared, const column_arguments &given) {
    if (const int status = prepared.memory.status(); status != 0) return status;
    if (const int status = prepared.run.check(given); status != 0) return status;
    return prepared.run.prepare(given);
}

int run_whole(column_prepared &prepared, const column_arguments &given, double *kernel_seconds) {
    kasc_memory &memory = prepared.memory;
    column_run &run = prepared.run;
    if (const int status = run.begin(given); status != 0) return status;
    if (kernel_seconds != nullptr) memory.begin_timing();
    if (const int status = run.advance(); status != 0) return status;
    if (kernel_seconds != nullptr) *kernel_seconds = memory.end_timing();
    return run.deliver();
}

int release(column_prepared &prepared) {
    int status = prepared.run.release();
    if (const int failed = prepared.memory.release(); status == 0) status = failed;
    return status;
}

int give_up(column_prepared &prepared, int status) {
    const kasc_first_message kept;
    (void)release(prepared);
    return status;
}

// Of arrays in host memory: all there is to a run.
int compute(column_prepared &prepared, const column_arguments &host, double *kernel_seconds) {
    kasc_memory &memory = prepared.memory;
    if (const int status = prepared.run.check(host); status != 0) return status;
    memory.present("T", host.T);
    memory.present("T_out", host.T_out);
    column_arguments given = host;
    given.T = memory.upload("T", host.T, host.nx * host.ny * host.nz);
    given.T_out = memory.result("T_out", host.T_out, host.nx * host.ny * host.nz);
    if (const int status = memory.status(); status != 0) return status;
    if (const int status = prepare(prepared, given); status != 0) return status;
    if (const int status = run_whole(prepared, given, kernel_seconds); status != 0) return status;
    memory.download(host.T_out, given.T_out, host.nx * host.ny * host.nz);
    memory.synchronise();
    return memory.status();
}

}  // namespace

KASC_API const char *column_message(void)
{
    return kasc_message;
}

KASC_API int column_prepare(const column_arguments *arguments, void *stream, column_prepared **prepared)
{
    return kasc_call([&]() -> int {
        if (prepared == nullptr) return kasc_null("prepared");
        *prepared = nullptr;
        if (arguments == nullptr) return kasc_null("arguments");
        auto made = std::make_unique<column_prepared>(stream);
        if (const int status = prepare(*made, *arguments); status != 0) return give_up(*made, status);
        *prepared = made.release();
        return 0;
    });
}

KASC_API int column_launch(column_prepared *prepared, const column_arguments *arguments, double *kernel_seconds)
{
    return kasc_call([&]() -> int {
        if (prepared == nullptr) return kasc_null("prepared");
        if (arguments == nullptr) return kasc_null("arguments");
        if (const int status = prepared->memory.enter(); status != 0) return status;
        return run_whole(*prepared, *arguments, kernel_seconds);
    });
}

KASC_API int column_release(column_prepared *prepared)
{
    return kasc_call([&]() -> int {
        const std::unique_ptr<column_prepared> owned(prepared);
        return prepared == nullptr ? 0 : release(*prepared);
    });
}

KASC_API int column_compute(const column_arguments *arguments, column_progress, void *, double *kernel_seconds)
{
    return kasc_call([&]() -> int {
        if (arguments == nullptr) return kasc_null("arguments");
        column_prepared prepared(nullptr);
        const int status = compute(prepared, *arguments, kernel_seconds);
        return status != 0 ? give_up(prepared, status) : release(prepared);
    });
}

