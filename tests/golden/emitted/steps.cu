// Host side made by kasc.
#include "steps.h"

#include <algorithm>
#include <climits>
#include <memory>
#include <utility>
#include <vector>

#include "steps_kernels.cuh"
#include "kasc_calls.hpp"
#include "kasc_pieces.hpp"

namespace {

// T = T + dt * (T[-1, 0] + T[1, 0] + T[0, -1] + T[0, 1] - 4 * T + q * on[t = n]) (2 times)
int launch_steps_k0(const steps_arguments &args, kasc_memory &memory, int n_2, kasc_memory::array<float> array_T, kasc_memory::array<float> array_q, kasc_memory::array<float> array_on, kasc_memory::array<float> array_T_new, kasc_memory::array<float> array_T_new_2) {
    const kasc_range range("steps_k0");
    const float dt = args.dt;
    if (const long long at = n_2; at < 0 || at >= args.nt) {
        return kasc_fail(1, "position %lld lies outside of axis t, which has %lld cells", at, args.nt);
    }
    if (const long long at = n_2 + 1; at < 0 || at >= args.nt) {
        return kasc_fail(1, "position %lld lies outside of axis t, which has %lld cells", at, args.nt);
    }
    if (args.nx % 4 == 0 && args.nx * args.ny <= 2147483647) {
        const int nx = (int)args.nx;
        const int ny = (int)args.ny;
        const int c0 = n_2 + 1;
        const long long grid_x = (nx + 503) / 504;
        const long long grid_y = (ny + 7) / 8;
        if (grid_x <= 0 || grid_y <= 0) return 0;
        if (grid_x > INT_MAX || grid_y > 65535) return kasc_fail(1, "the arrays are too large for steps_k0");
        steps_k0<<<dim3((unsigned)grid_x, (unsigned)grid_y, 1), dim3(128, 1, 1), 0, memory.stream()>>>(array_T, array_q, array_on, array_T_new, array_T_new_2, nx, ny, dt, n_2, c0);
        return kasc_check(cudaGetLastError(), "steps_k0");
    }
    if (args.nx * args.ny <= 2147483647) {
        const int nx = (int)args.nx;
        const int ny = (int)args.ny;
        const int c0 = n_2 + 1;
        const long long grid_x = (nx + 503) / 504;
        const long long grid_y = (ny + 7) / 8;
        if (grid_x <= 0 || grid_y <= 0) return 0;
        if (grid_x > INT_MAX || grid_y > 65535) return kasc_fail(1, "the arrays are too large for steps_k0_parted");
        steps_k0_parted<<<dim3((unsigned)grid_x, (unsigned)grid_y, 1), dim3(128, 1, 1), 0, memory.stream()>>>(array_T, array_q, array_on, array_T_new, array_T_new_2, nx, ny, dt, n_2, c0);
        return kasc_check(cudaGetLastError(), "steps_k0_parted");
    }
    const int nx = (int)args.nx;
    const int ny = (int)args.ny;
    const int c0 = n_2 + 1;
    const long long grid_x = (nx + 503) / 504;
    const long long grid_y = (ny + 7) / 8;
    if (grid_x <= 0 || grid_y <= 0) return 0;
    if (grid_x > INT_MAX || grid_y > 65535) return kasc_fail(1, "the arrays are too large for steps_k0_wide");
    steps_k0_wide<<<dim3((unsigned)grid_x, (unsigned)grid_y, 1), dim3(128, 1, 1), 0, memory.stream()>>>(array_T, array_q, array_on, array_T_new, array_T_new_2, nx, ny, dt, n_2, c0);
    return kasc_check(cudaGetLastError(), "steps_k0_wide");
}

// movie[t = n] = T
int launch_steps_k1(const steps_arguments &args, kasc_memory &memory, int n_2, kasc_memory::array<float> array_T, kasc_memory::array<float> array_movie) {
    const kasc_range range("steps_k1");
    if (const long long at = n_2; at < 0 || at >= args.nt) {
        return kasc_fail(1, "position %lld lies outside of axis t, which has %lld cells", at, args.nt);
    }
    if (args.nx % 4 == 0) {
        const int nx = (int)args.nx;
        const int ny = (int)args.ny;
        const long long grid_x = (nx + 127) / 128;
        const long long grid_y = (ny + 7) / 8;
        if (grid_x <= 0 || grid_y <= 0) return 0;
        if (grid_x > INT_MAX || grid_y > 65535) return kasc_fail(1, "the arrays are too large for steps_k1");
        steps_k1<<<dim3((unsigned)grid_x, (unsigned)grid_y, 1), dim3(32, 8, 1), 0, memory.stream()>>>(array_T, array_movie, nx, ny, n_2);
        return kasc_check(cudaGetLastError(), "steps_k1");
    }
    const int nx = (int)args.nx;
    const int ny = (int)args.ny;
    const long long grid_x = (nx + 31) / 32;
    const long long grid_y = (ny + 7) / 8;
    if (grid_x <= 0 || grid_y <= 0) return 0;
    if (grid_x > INT_MAX || grid_y > 65535) return kasc_fail(1, "the arrays are too large for steps_k1_v1");
    steps_k1_v1<<<dim3((unsigned)grid_x, (unsigned)grid_y, 1), dim3(32, 8, 1), 0, memory.stream()>>>(array_T, array_movie, nx, ny, n_2);
    return kasc_check(cudaGetLastError(), "steps_k1_v1");
}

// movie[t = n] = T
int launch_steps_k2(const steps_arguments &args, kasc_memory &memory, int n_2, kasc_memory::array<float> array_T, kasc_memory::array<float> array_movie_new) {
    const kasc_range range("steps_k2");
    if (const long long at = n_2 + 1; at < 0 || at >= args.nt) {
        return kasc_fail(1, "position %lld lies outside of axis t, which has %lld cells", at, args.nt);
    }
    if (args.nx % 4 == 0) {
        const int nx = (int)args.nx;
        const int ny = (int)args.ny;
        const int c0 = n_2 + 1;
        const long long grid_x = (nx + 127) / 128;
        const long long grid_y = (ny + 7) / 8;
        if (grid_x <= 0 || grid_y <= 0) return 0;
        if (grid_x > INT_MAX || grid_y > 65535) return kasc_fail(1, "the arrays are too large for steps_k2");
        steps_k2<<<dim3((unsigned)grid_x, (unsigned)grid_y, 1), dim3(32, 8, 1), 0, memory.stream()>>>(array_T, array_movie_new, nx, ny, c0);
        return kasc_check(cudaGetLastError(), "steps_k2");
    }
    const int nx = (int)args.nx;
    const int ny = (int)args.ny;
    const int c0 = n_2 + 1;
    const long long grid_x = (nx + 31) / 32;
    const long long grid_y = (ny + 7) / 8;
    if (grid_x <= 0 || grid_y <= 0) return 0;
    if (grid_x > INT_MAX || grid_y > 65535) return kasc_fail(1, "the arrays are too large for steps_k2_v1");
    steps_k2_v1<<<dim3((unsigned)grid_x, (unsigned)grid_y, 1), dim3(32, 8, 1), 0, memory.stream()>>>(array_T, array_movie_new, nx, ny, c0);
    return kasc_check(cudaGetLastError(), "steps_k2_v1");
}

// T = T + dt * (T[-1, 0] + T[1, 0] + T[0, -1] + T[0, 1] - 4 * T + q * on[t = n])
int launch_steps_k3(const steps_arguments &args, kasc_memory &memory, int n, kasc_memory::array<float> array_T, kasc_memory::array<float> array_q, kasc_memory::array<float> array_on, kasc_memory::array<float> array_T_new) {
    const kasc_range range("steps_k3");
    const float dt = args.dt;
    if (const long long at = n; at < 0 || at >= args.nt) {
        return kasc_fail(1, "position %lld lies outside of axis t, which has %lld cells", at, args.nt);
    }
    const int nx = (int)args.nx;
    const int ny = (int)args.ny;
    const long long grid_x = (nx + 31) / 32;
    const long long grid_y = (ny + 7) / 8;
    if (grid_x <= 0 || grid_y <= 0) return 0;
    if (grid_x > INT_MAX || grid_y > 65535) return kasc_fail(1, "the arrays are too large for steps_k3");
    steps_k3<<<dim3((unsigned)grid_x, (unsigned)grid_y, 1), dim3(32, 8, 1), 0, memory.stream()>>>(array_T, array_q, array_on, array_T_new, nx, ny, dt, n);
    return kasc_check(cudaGetLastError(), "steps_k3");
}

// movie[t = n] = T
int launch_steps_k4(const steps_arguments &args, kasc_memory &memory, int n, kasc_memory::array<float> array_T, kasc_memory::array<float> array_movie_new) {
    const kasc_range range("steps_k4");
    if (const long long at = n; at < 0 || at >= args.nt) {
        return kasc_fail(1, "position %lld lies outside of axis t, which has %lld cells", at, args.nt);
    }
    if (args.nx % 4 == 0) {
        const int nx = (int)args.nx;
        const int ny = (int)args.ny;
        const long long grid_x = (nx + 127) / 128;
        const long long grid_y = (ny + 7) / 8;
        if (grid_x <= 0 || grid_y <= 0) return 0;
        if (grid_x > INT_MAX || grid_y > 65535) return kasc_fail(1, "the arrays are too large for steps_k4");
        steps_k4<<<dim3((unsigned)grid_x, (unsigned)grid_y, 1), dim3(32, 8, 1), 0, memory.stream()>>>(array_T, array_movie_new, nx, ny, n);
        return kasc_check(cudaGetLastError(), "steps_k4");
    }
    const int nx = (int)args.nx;
    const int ny = (int)args.ny;
    const long long grid_x = (nx + 31) / 32;
    const long long grid_y = (ny + 7) / 8;
    if (grid_x <= 0 || grid_y <= 0) return 0;
    if (grid_x > INT_MAX || grid_y > 65535) return kasc_fail(1, "the arrays are too large for steps_k4_v1");
    steps_k4_v1<<<dim3((unsigned)grid_x, (unsigned)grid_y, 1), dim3(32, 8, 1), 0, memory.stream()>>>(array_T, array_movie_new, nx, ny, n);
    return kasc_check(cudaGetLastError(), "steps_k4_v1");
}

// The program on arrays in the target's memory: what it needs beside them, and how far a run has come.
struct steps_run {
    kasc_memory &memory;
    steps_arguments args = {};
    kasc_memory::array<float> T_in = {};
    kasc_memory::array<float> q_in = {};
    kasc_memory::array<float> on_in = {};
    kasc_memory::array<float> T = {};
    kasc_memory::array<float> T_2 = {};
    kasc_memory::array<float> T_3 = {};
    kasc_memory::array<float> movie = {};
    kasc_memory::array<float> T_4 = {};
    kasc_memory::array<float> own_T_3 = {};
    kasc_memory::array<float> own_T_4 = {};
    kasc_window<float> movie_window;
    int n_from = 0, n_to = 0, n = 0;  // of the loop that is part 1
    int part = -1;  // none: nothing was begun
    long long done = 0, total = 0;  // iterations of the outermost loops

    explicit steps_run(kasc_memory &of) : memory(of) {}
    static int check(const steps_arguments &given);
    int prepare(const steps_arguments &given);
    void bind();
    int begin(const steps_arguments &given);
    int advance(long long until);
    int seek(long long iteration);
    std::vector<kasc_live_array> state() const;
    kasc_rows *window(int series);
    int deliver();
    int release();
};

// Extents that the program takes.
int steps_run::check(const steps_arguments &given) {
    if (given.nx < 1 || given.nx > INT_MAX - 1024) {
        return kasc_fail(1, "extent nx is %lld: from 1 to %d are taken", given.nx, INT_MAX - 1024);
    }
    if (given.ny < 1 || given.ny > INT_MAX - 1024) {
        return kasc_fail(1, "extent ny is %lld: from 1 to %d are taken", given.ny, INT_MAX - 1024);
    }
    if (given.nt < 1 || given.nt > INT_MAX - 1024) {
        return kasc_fail(1, "extent nt is %lld: from 1 to %d are taken", given.nt, INT_MAX - 1024);
    }
    return 0;
}

// All that does not depend on the caller's arrays.
int steps_run::prepare(const steps_arguments &given) {
    args = given;
    T_2 = memory.take<float>("T_2", args.nx * args.ny);
    own_T_3 = memory.take<float>("T_3", args.nx * args.ny);
    if (args.movie_rows != 0) movie_window.take(memory, "movie", &movie, args.nx * args.ny, args.nt, std::min(args.movie_rows, args.nt));
    own_T_4 = memory.take<float>("T_4", args.nx * args.ny);
    memory.load({reinterpret_cast<const void *>(steps_k0), reinterpret_cast<const void *>(steps_k0_parted), reinterpret_cast<const void *>(steps_k0_wide), reinterpret_cast<const void *>(steps_k1), reinterpret_cast<const void *>(steps_k1_v1), reinterpret_cast<const void *>(steps_k2), reinterpret_cast<const void *>(steps_k2_v1), reinterpret_cast<const void *>(steps_k3), reinterpret_cast<const void *>(steps_k4), reinterpret_cast<const void *>(steps_k4_v1)});
    memory.synchronise();
    return memory.status();
}

// Where the arrays of args lie; loops change some places.
void steps_run::bind() {
    T_in = memory.input("T_in", args.T, args.nx * args.ny);
    q_in = memory.input("q_in", args.q, args.nx * args.ny);
    on_in = memory.input("on_in", args.on, args.nt);
    T = memory.output("T", args.T_out, args.nx * args.ny);
    T_3 = own_T_3;
    if (args.movie_rows == 0) movie = memory.output("movie", args.movie, args.nx * args.ny * args.nt);
    T_4 = own_T_4;
}

// A run on these arrays: what kernels expect to find in memory, and where loops begin.
int steps_run::begin(const steps_arguments &given) {
    part = -1;
    if (given.nx != args.nx) return kasc_fail(1, "nx is %lld, the program is prepared for %lld", given.nx, args.nx);
    if (given.ny != args.ny) return kasc_fail(1, "ny is %lld, the program is prepared for %lld", given.ny, args.ny);
    if (given.nt != args.nt) return kasc_fail(1, "nt is %lld, the program is prepared for %lld", given.nt, args.nt);
    if (given.movie_rows != args.movie_rows) return kasc_fail(1, "movie_rows is %lld, the program is prepared for %lld", given.movie_rows, args.movie_rows);
    memory.expect("T", given.T);
    memory.expect("q", given.q);
    memory.expect("on", given.on);
    memory.expect("T_out", given.T_out);
    if (given.movie_rows == 0) memory.expect("movie", given.movie);
    if (memory.status() != 0) return memory.status();
    args = given;
    bind();
    movie_window.clear();
    const int steps = args.steps;
    memory.copy(T_2, T_in, args.nx * args.ny);
    memory.copy(T_3, T_in, args.nx * args.ny);
    if (args.movie_rows == 0) memory.zero(movie, args.nx * args.ny * args.nt);
    memory.copy(T_4, T_in, args.nx * args.ny);
    memory.copy(T, T_in, args.nx * args.ny);
    part = 0, done = 0, total = 0;
    n = n_from = 0, n_to = steps;
    total += std::max(0LL, (long long)n_to - n_from);
    return memory.status();
}

// As far as `until` iterations; what stands between the loops runs on the way.
int steps_run::advance(long long until) {
    const kasc_range range("steps");
    switch (part) {
        case 0: {
            part = 1;
        }
        [[fallthrough]];
        case 1: {
            [[maybe_unused]] int n_2 = n;
            for (; (long long)n_to - n >= 2 && until - done >= 2 && movie_window.holds(n) && movie_window.holds(n + 1); n_2 = n += 2, done += 2) {
                if (const int status = launch_steps_k0(args, memory, n_2, T, q_in, on_in, T_2, T_3); status != 0) return status;
                if (const int status = launch_steps_k1(args, memory, n_2, T_2, movie); status != 0) return status;
                if (const int status = launch_steps_k2(args, memory, n_2, T_3, movie); status != 0) return status;
                std::swap(T, T_3);
            }
            for (; n < n_to; ++n, ++done) {
                if (done == until) return memory.status();
                if (!movie_window.holds(n)) return movie_window.lacks(n);
                if (const int status = launch_steps_k3(args, memory, n, T, q_in, on_in, T_4); status != 0) return status;
                if (const int status = launch_steps_k4(args, memory, n, T_4, movie); status != 0) return status;
                std::swap(T, T_4);
            }
            part = 2;
        }
        [[fallthrough]];
        case 2: {
            part = 3;
        }
    }
    return memory.status();
}

// To the start of an iteration; its state is the caller's to write.
int steps_run::seek(long long iteration) {
    long long first = 0;
    const long long n_count = std::max(0LL, (long long)n_to - n_from);
    if (iteration >= first && iteration < first + n_count) {
        n = n_from + (int)(iteration - first), part = 1, done = iteration;
        return 0;
    }
    return kasc_fail(1, "the run has no iteration %lld of %lld", iteration, total);
}

// What an iteration needs of those before it.
std::vector<kasc_live_array> steps_run::state() const {
    if (part == 1) {
        return kasc_live({
            {"T.1", 0, T, args.nx * args.ny, sizeof(float)},
            {"movie", 0, movie, args.movie_rows == 0 ? args.nx * args.ny * args.nt : -1, sizeof(float)},
        });
    }
    return {};
}

// Null: there is no such series, or all of it lies in memory.
kasc_rows *steps_run::window(int series) {
    if (series == 0 && args.movie_rows != 0) return &movie_window;
    return nullptr;
}

// Ends the run.
int steps_run::deliver() {
    memory.deliver(args.T_out, T, args.nx * args.ny);
    if (args.movie_rows == 0) memory.deliver(args.movie, movie, args.nx * args.ny * args.nt);
    part = -1;
    return memory.status();
}

int steps_run::release() {
    return 0;
}

}  // namespace

// What the header's functions work on.
struct __attribute__((visibility("hidden"))) steps_prepared {
    kasc_memory memory;
    steps_run run;

    explicit steps_prepared(void *given) : memory(given), run(memory) {}
};

namespace {

int prepare(steps_prepared &prepared, const steps_arguments &given) {
    if (const int status = prepared.memory.status(); status != 0) return status;
    if (const int status = prepared.run.check(given); status != 0) return status;
    return prepared.run.prepare(given);
}

// In pieces only where someone asks how far it has come.
int run_whole(steps_prepared &prepared, const steps_arguments &given, steps_progress progress, void *user, double *kernel_seconds) {
    kasc_memory &memory = prepared.memory;
    steps_run &run = prepared.run;
    if (given.movie_rows != 0) return kasc_fail(1, "movie_rows: only a run in pieces has windows");
    if (const int status = run.begin(given); status != 0) return status;
    if (kernel_seconds != nullptr) memory.begin_timing();
    const long long piece = progress == nullptr ? run.total : 16;
    do {
        if (const int status = run.advance(std::min(run.total, run.done + piece)); status != 0) return status;
        if (progress == nullptr || run.total == 0) continue;
        memory.synchronise();
        if (memory.status() != 0) return memory.status();
        if (progress(user, run.done, run.total) != 0) return kasc_fail(4, "stopped");
    } while (run.done < run.total);
    if (kernel_seconds != nullptr) *kernel_seconds = memory.end_timing();
    return run.deliver();
}

int release(steps_prepared &prepared) {
    int status = prepared.run.release();
    if (const int failed = prepared.memory.release(); status == 0) status = failed;
    return status;
}

int give_up(steps_prepared &prepared, int status) {
    const kasc_first_message kept;
    (void)release(prepared);
    return status;
}

// Of arrays in host memory: all there is to a run.
int compute(steps_prepared &prepared, const steps_arguments &host, steps_progress progress, void *user, double *kernel_seconds) {
    kasc_memory &memory = prepared.memory;
    if (const int status = prepared.run.check(host); status != 0) return status;
    memory.present("T", host.T);
    memory.present("q", host.q);
    memory.present("on", host.on);
    memory.present("T_out", host.T_out);
    memory.present("movie", host.movie);
    steps_arguments given = host;
    given.T = memory.upload("T", host.T, host.nx * host.ny);
    given.q = memory.upload("q", host.q, host.nx * host.ny);
    given.on = memory.upload("on", host.on, host.nt);
    given.T_out = memory.result("T_out", host.T_out, host.nx * host.ny);
    given.movie = memory.result("movie", host.movie, host.nx * host.ny * host.nt);
    if (const int status = memory.status(); status != 0) return status;
    if (const int status = prepare(prepared, given); status != 0) return status;
    if (const int status = run_whole(prepared, given, progress, user, kernel_seconds); status != 0) return status;
    memory.download(host.T_out, given.T_out, host.nx * host.ny);
    memory.download(host.movie, given.movie, host.nx * host.ny * host.nt);
    memory.synchronise();
    return memory.status();
}

}  // namespace

KASC_API const char *steps_message(void)
{
    return kasc_message;
}

KASC_API int steps_prepare(const steps_arguments *arguments, void *stream, steps_prepared **prepared)
{
    return kasc_call([&]() -> int {
        if (prepared == nullptr) return kasc_null("prepared");
        *prepared = nullptr;
        if (arguments == nullptr) return kasc_null("arguments");
        auto made = std::make_unique<steps_prepared>(stream);
        if (const int status = prepare(*made, *arguments); status != 0) return give_up(*made, status);
        *prepared = made.release();
        return 0;
    });
}

KASC_API int steps_launch(steps_prepared *prepared, const steps_arguments *arguments, double *kernel_seconds)
{
    return kasc_call([&]() -> int {
        if (prepared == nullptr) return kasc_null("prepared");
        if (arguments == nullptr) return kasc_null("arguments");
        if (const int status = prepared->memory.enter(); status != 0) return status;
        return run_whole(*prepared, *arguments, nullptr, nullptr, kernel_seconds);
    });
}

KASC_API int steps_release(steps_prepared *prepared)
{
    return kasc_call([&]() -> int {
        const std::unique_ptr<steps_prepared> owned(prepared);
        return prepared == nullptr ? 0 : release(*prepared);
    });
}

KASC_API int steps_compute(const steps_arguments *arguments, steps_progress progress, void *user, double *kernel_seconds)
{
    return kasc_call([&]() -> int {
        if (arguments == nullptr) return kasc_null("arguments");
        steps_prepared prepared(nullptr);
        const int status = compute(prepared, *arguments, progress, user, kernel_seconds);
        return status != 0 ? give_up(prepared, status) : release(prepared);
    });
}

KASC_API int steps_begin(steps_prepared *prepared, const steps_arguments *arguments)
{
    return kasc_call([&]() -> int {
        if (prepared == nullptr) return kasc_null("prepared");
        if (arguments == nullptr) return kasc_null("arguments");
        if (const int status = prepared->memory.enter(); status != 0) return status;
        return prepared->run.begin(*arguments);
    });
}

KASC_API int steps_advance(steps_prepared *prepared, long long iterations, double *kernel_seconds)
{
    return kasc_call([&]() -> int {
        if (prepared == nullptr) return kasc_null("prepared");
        if (prepared->run.part < 0) return kasc_fail(1, "no run has begun");
        auto &run = prepared->run;
        kasc_memory &memory = prepared->memory;
        const long long left = run.total - run.done;
        const long long until = iterations < 0 || iterations > left ? run.total : run.done + iterations;
        if (kernel_seconds != nullptr) memory.begin_timing();
        const int status = run.advance(until);
        if (kernel_seconds != nullptr) *kernel_seconds = memory.end_timing();
        return status != 0 ? status : memory.status();
    });
}

KASC_API int steps_wait(steps_prepared *prepared)
{
    return kasc_call([&]() -> int {
        if (prepared == nullptr) return kasc_null("prepared");
        prepared->memory.synchronise();
        return prepared->memory.status();
    });
}

KASC_API long long steps_done(const steps_prepared *prepared)
{
    if (prepared == nullptr) return kasc_null("prepared"), -1;
    return prepared->run.done;
}

KASC_API long long steps_total(const steps_prepared *prepared)
{
    if (prepared == nullptr) return kasc_null("prepared"), -1;
    return prepared->run.total;
}

KASC_API int steps_finish(steps_prepared *prepared)
{
    return kasc_call([&]() -> int {
        if (prepared == nullptr) return kasc_null("prepared");
        if (prepared->run.part < 0) return kasc_fail(1, "no run has begun");
        auto &run = prepared->run;
        if (const int status = run.advance(run.total); status != 0) return status;
        return run.deliver();
    });
}

KASC_API int steps_state(steps_prepared *prepared, int index, steps_array *array)
{
    return kasc_call([&]() -> int {
        if (prepared == nullptr) return kasc_null("prepared");
        if (array == nullptr) return kasc_null("array");
        *array = {nullptr, 0, 0};
        const std::vector<kasc_live_array> arrays = prepared->run.state();
        if (index < 0) return kasc_fail(1, "the state has no array %d", index);
        if (index < (int)arrays.size()) *array = {arrays[index].name, arrays[index].type, arrays[index].words};
        return 0;
    });
}

KASC_API int steps_read_state(steps_prepared *prepared, int index, void *values)
{
    return kasc_call([&]() -> int {
        if (prepared == nullptr) return kasc_null("prepared");
        if (values == nullptr) return kasc_null("values");
        const std::vector<kasc_live_array> arrays = prepared->run.state();
        if (index < 0 || index >= (int)arrays.size()) return kasc_fail(1, "the state has no array %d", index);
        return kasc_read_live(prepared->memory, arrays[index], values);
    });
}

KASC_API int steps_write_state(steps_prepared *prepared, int index, const void *values)
{
    return kasc_call([&]() -> int {
        if (prepared == nullptr) return kasc_null("prepared");
        if (values == nullptr) return kasc_null("values");
        const std::vector<kasc_live_array> arrays = prepared->run.state();
        if (index < 0 || index >= (int)arrays.size()) return kasc_fail(1, "the state has no array %d", index);
        return kasc_write_live(prepared->memory, arrays[index], values);
    });
}

KASC_API int steps_seek(steps_prepared *prepared, long long iteration)
{
    return kasc_call([&]() -> int {
        if (prepared == nullptr) return kasc_null("prepared");
        if (prepared->run.part < 0) return kasc_fail(1, "no run has begun");
        return prepared->run.seek(iteration);
    });
}

KASC_API int steps_load(steps_prepared *prepared, int series, long long first, long long rows, const void *values)
{
    return kasc_call([&]() -> int {
        if (prepared == nullptr) return kasc_null("prepared");
        if (prepared->run.part < 0) return kasc_fail(1, "no run has begun");
        kasc_rows *window = prepared->run.window(series);
        if (window == nullptr) return kasc_fail(1, "series %d has no window", series);
        if (values == nullptr && false) return kasc_null("values");
        return window->load(prepared->memory, first, rows, values);
    });
}

KASC_API int steps_save(steps_prepared *prepared, int series, long long first, long long rows, void *values)
{
    return kasc_call([&]() -> int {
        if (prepared == nullptr) return kasc_null("prepared");
        if (prepared->run.part < 0) return kasc_fail(1, "no run has begun");
        kasc_rows *window = prepared->run.window(series);
        if (window == nullptr) return kasc_fail(1, "series %d has no window", series);
        if (values == nullptr) return kasc_null("values");
        return window->save(prepared->memory, first, rows, values);
    });
}

