// Host side made by kasc.
#include "storing.h"

#include <climits>
#include <memory>

#include "storing_kernels.cuh"
#include "kasc_calls.hpp"
#include "kasc_transforms.cuh"

namespace {

// u_spectrum = damped * fft(u)
int launch_storing_k0(const storing_arguments &args, kasc_memory &memory, kasc_memory::array<float> array_damped, kasc_memory::array<float2> array_u_spectrum) {
    const kasc_range range("storing_k0");
    const int nkx = (int)args.nkx;
    const int ny = (int)args.ny;
    const float c0 = 1.0f / ((float)args.nx * (float)args.ny);
    const long long grid_x = (nkx + 31) / 32;
    const long long grid_y = (ny + 7) / 8;
    if (grid_x <= 0 || grid_y <= 0) return 0;
    if (grid_x > INT_MAX || grid_y > 65535) return kasc_fail(1, "the arrays are too large for storing_k0");
    storing_k0<<<dim3((unsigned)grid_x, (unsigned)grid_y, 1), dim3(32, 8, 1), 0, memory.stream()>>>(array_damped, array_u_spectrum, nkx, ny, c0);
    return kasc_check(cudaGetLastError(), "storing_k0");
}

// u = ifft(damped * fft(u)) + u
int launch_storing_k1(const storing_arguments &args, kasc_memory &memory, kasc_transforms &transforms, kasc_storing<float2, float, storing_k1_arguments, storing_k1> &storing, float *result, float2 *source, kasc_memory::array<float> array_u, kasc_memory::array<float> array_u_new) {
    const kasc_range range("storing_k1");
    const int nx = (int)args.nx;
    const int ny = (int)args.ny;
    return storing.run(memory, transforms, result, source, false, {array_u, array_u_new, nx, ny});
}

// The program on arrays in the target's memory: what it needs beside them, and how far a run has come.
struct storing_run {
    kasc_memory &memory;
    storing_arguments args = {};
    kasc_memory::array<float> u_in = {};
    kasc_memory::array<float> damped_in = {};
    kasc_memory::array<float2> u_spectrum_fft = {};
    kasc_memory::array<float> u_ifft = {};
    kasc_transforms transforms;
    kasc_store_code store_code;
    kasc_storing<float2, float, storing_k1_arguments, storing_k1> storing_storing_k1;

    explicit storing_run(kasc_memory &of) : memory(of) {}
    static int check(const storing_arguments &given);
    int prepare(const storing_arguments &given);
    void bind();
    int begin(const storing_arguments &given);
    int advance();
    int deliver();
    int release();
};

// Extents that the program takes.
int storing_run::check(const storing_arguments &given) {
    if (given.nx < 1 || given.nx > INT_MAX - 1024) {
        return kasc_fail(1, "extent nx is %lld: from 1 to %d are taken", given.nx, INT_MAX - 1024);
    }
    if (given.ny < 1 || given.ny > INT_MAX - 1024) {
        return kasc_fail(1, "extent ny is %lld: from 1 to %d are taken", given.ny, INT_MAX - 1024);
    }
    if (given.nkx < 1 || given.nkx > INT_MAX - 1024) {
        return kasc_fail(1, "extent nkx is %lld: from 1 to %d are taken", given.nkx, INT_MAX - 1024);
    }
    if (given.nkx != given.nx / 2 + 1) {
        return kasc_fail(1, "extent nkx is %lld: half a spectrum has %lld", given.nkx, given.nx / 2 + 1);
    }
    return 0;
}

// All that does not depend on the caller's arrays.
int storing_run::prepare(const storing_arguments &given) {
    args = given;
    u_spectrum_fft = memory.take<float2>("u_spectrum_fft", args.nkx * args.ny);
    transforms.add<float, float2>(memory, {args.ny, args.nx}, 1, 1);
    store_code.compile(storing_at_store_text, {args.nx, args.ny, args.nkx});
    storing_storing_k1.prepare(memory, transforms, store_code, "storing_k1", {args.ny, args.nx}, 1, 1);
    transforms.ready(memory);
    memory.load({reinterpret_cast<const void *>(storing_k0)});
    memory.synchronise();
    return memory.status();
}

// Where the arrays of args lie; loops change some places.
void storing_run::bind() {
    u_in = memory.input("u_in", args.u, args.nx * args.ny);
    damped_in = memory.input("damped_in", args.damped, args.nkx * args.ny);
    u_ifft = memory.output("u_ifft", args.u_out, args.nx * args.ny);
}

// A run on these arrays: what kernels expect to find in memory, and where loops begin.
int storing_run::begin(const storing_arguments &given) {
    if (given.nx != args.nx) return kasc_fail(1, "nx is %lld, the program is prepared for %lld", given.nx, args.nx);
    if (given.ny != args.ny) return kasc_fail(1, "ny is %lld, the program is prepared for %lld", given.ny, args.ny);
    if (given.nkx != args.nkx) return kasc_fail(1, "nkx is %lld, the program is prepared for %lld", given.nkx, args.nkx);
    memory.expect("u", given.u);
    memory.expect("damped", given.damped);
    memory.expect("u_out", given.u_out);
    if (memory.status() != 0) return memory.status();
    args = given;
    bind();
    return memory.status();
}

// All launches.
int storing_run::advance() {
    const kasc_range range("storing");
    transforms.run<float, float2>(memory, 0, u_spectrum_fft, u_in, true);
    if (const int status = launch_storing_k0(args, memory, damped_in, u_spectrum_fft); status != 0) return status;
    if (const int status = launch_storing_k1(args, memory, transforms, storing_storing_k1, u_ifft, u_spectrum_fft, u_in, u_ifft); status != 0) return status;
    return memory.status();
}

// Ends the run.
int storing_run::deliver() {
    memory.deliver(args.u_out, u_ifft, args.nx * args.ny);
    return memory.status();
}

int storing_run::release() {
    int status = 0;
    if (const int failed = transforms.release(); status == 0) status = failed;
    return status;
}

}  // namespace

// What the header's functions work on.
struct __attribute__((visibility("hidden"))) storing_prepared {
    kasc_memory memory;
    storing_run run;

    explicit storing_prepared(void *given) : memory(given), run(memory) {}
};

namespace {

int prepare(storing_prepared &prepared, const storing_arguments &given) {
    if (const int status = prepared.memory.status(); status != 0) return status;
    if (const int status = prepared.run.check(given); status != 0) return status;
    return prepared.run.prepare(given);
}

int run_whole(storing_prepared &prepared, const storing_arguments &given, double *kernel_seconds) {
    kasc_memory &memory = prepared.memory;
    storing_run &run = prepared.run;
    if (const int status = run.begin(given); status != 0) return status;
    if (kernel_seconds != nullptr) memory.begin_timing();
    if (const int status = run.advance(); status != 0) return status;
    if (kernel_seconds != nullptr) *kernel_seconds = memory.end_timing();
    return run.deliver();
}

int release(storing_prepared &prepared) {
    int status = prepared.run.release();
    if (const int failed = prepared.memory.release(); status == 0) status = failed;
    return status;
}

int give_up(storing_prepared &prepared, int status) {
    const kasc_first_message kept;
    (void)release(prepared);
    return status;
}

// Of arrays in host memory: all there is to a run.
int compute(storing_prepared &prepared, const storing_arguments &host, double *kernel_seconds) {
    kasc_memory &memory = prepared.memory;
    if (const int status = prepared.run.check(host); status != 0) return status;
    memory.present("u", host.u);
    memory.present("damped", host.damped);
    memory.present("u_out", host.u_out);
    storing_arguments given = host;
    given.u = memory.upload("u", host.u, host.nx * host.ny);
    given.damped = memory.upload("damped", host.damped, host.nkx * host.ny);
    given.u_out = memory.result("u_out", host.u_out, host.nx * host.ny);
    if (const int status = memory.status(); status != 0) return status;
    if (const int status = prepare(prepared, given); status != 0) return status;
    if (const int status = run_whole(prepared, given, kernel_seconds); status != 0) return status;
    memory.download(host.u_out, given.u_out, host.nx * host.ny);
    memory.synchronise();
    return memory.status();
}

}  // namespace

KASC_API const char *storing_message(void)
{
    return kasc_message;
}

KASC_API int storing_prepare(const storing_arguments *arguments, void *stream, storing_prepared **prepared)
{
    return kasc_call([&]() -> int {
        if (prepared == nullptr) return kasc_null("prepared");
        *prepared = nullptr;
        if (arguments == nullptr) return kasc_null("arguments");
        auto made = std::make_unique<storing_prepared>(stream);
        if (const int status = prepare(*made, *arguments); status != 0) return give_up(*made, status);
        *prepared = made.release();
        return 0;
    });
}

KASC_API int storing_launch(storing_prepared *prepared, const storing_arguments *arguments, double *kernel_seconds)
{
    return kasc_call([&]() -> int {
        if (prepared == nullptr) return kasc_null("prepared");
        if (arguments == nullptr) return kasc_null("arguments");
        if (const int status = prepared->memory.enter(); status != 0) return status;
        return run_whole(*prepared, *arguments, kernel_seconds);
    });
}

KASC_API int storing_release(storing_prepared *prepared)
{
    return kasc_call([&]() -> int {
        const std::unique_ptr<storing_prepared> owned(prepared);
        return prepared == nullptr ? 0 : release(*prepared);
    });
}

KASC_API int storing_compute(const storing_arguments *arguments, storing_progress, void *, double *kernel_seconds)
{
    return kasc_call([&]() -> int {
        if (arguments == nullptr) return kasc_null("arguments");
        storing_prepared prepared(nullptr);
        const int status = compute(prepared, *arguments, kernel_seconds);
        return status != 0 ? give_up(prepared, status) : release(prepared);
    });
}

