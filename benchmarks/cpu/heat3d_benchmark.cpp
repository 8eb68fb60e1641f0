// The emitted CPU code of examples/heat3d.kas against a plain hand-written OpenMP loop, on random data in one run;
// their results are compared first.
#include <benchmark/benchmark.h>

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <random>
#include <vector>

#include "heat3d.h"
#include "heat3d_plain.hpp"

namespace {

constexpr int steps = 40;

struct Block {
    int n;
    std::vector<float> T, beta, q, on;

    explicit Block(int extent) : n(extent), T(cells()), beta(cells()), q(cells()), on(steps) {
        std::mt19937 random(7);
        std::uniform_real_distribution<float> uniform(0.0F, 1.0F);
        for (float& v : T) v = 37.0F + uniform(random);
        for (float& v : beta) v = 1.4e-7F * (0.5F + uniform(random));
        for (float& v : q) v = uniform(random);
        for (float& v : on) v = uniform(random);
    }
    [[nodiscard]] std::size_t cells() const { return static_cast<std::size_t>(n) * n * n; }
};

void run_emitted(const Block& block, std::vector<float>& out) {
    heat3d_arguments a{};
    a.nx = a.ny = a.nz = block.n;
    a.nt = a.steps = steps;
    a.dt = 0.1F;
    a.dx = 1e-3F;
    a.T = block.T.data(), a.beta = block.beta.data(), a.q = block.q.data(), a.on = block.on.data();
    a.T_out = out.data();
    if (heat3d_launch(&a, nullptr, nullptr, nullptr, nullptr) != heat3d_ok) {
        std::fprintf(stderr, "%s\n", heat3d_message());
        std::abort();
    }
}

/// The same copies as the emitted code makes: the input stays as it is.
void run_plain(const Block& block, std::vector<float>& out, std::vector<float>& work) {
    out = block.T;
    work = block.T;
    plain::heat3d(block.n, block.n, block.n, steps, 0.1F, 1e-3F, block.beta.data(), block.q.data(), block.on.data(),
                  out.data(), work.data());
}

void check(const Block& block) {
    std::vector<float> a(block.cells()), b(block.cells()), work;
    run_emitted(block, a);
    run_plain(block, b, work);
    for (std::size_t i = 0; i < a.size(); ++i) {
        if (!(std::abs(a[i] - b[i]) <= 1e-5F * std::abs(b[i]))) {
            std::fprintf(stderr, "word %zu: %g and %g\n", i, static_cast<double>(a[i]), static_cast<double>(b[i]));
            std::abort();
        }
    }
}

void rate(benchmark::State& state, const Block& block) {
    state.counters["GCell/s"] =
        benchmark::Counter(static_cast<double>(state.iterations()) * steps * static_cast<double>(block.cells()) * 1e-9,
                           benchmark::Counter::kIsRate);
}

void emitted(benchmark::State& state) {
    const Block block(static_cast<int>(state.range(0)));
    check(block);
    std::vector<float> out(block.cells());
    for (auto _ : state) run_emitted(block, out);
    rate(state, block);
}

void by_hand(benchmark::State& state) {
    const Block block(static_cast<int>(state.range(0)));
    std::vector<float> out, work;
    for (auto _ : state) run_plain(block, out, work);
    rate(state, block);
}

BENCHMARK(by_hand)->Arg(128)->Arg(256)->UseRealTime()->Unit(benchmark::kMillisecond);
BENCHMARK(emitted)->Arg(128)->Arg(256)->UseRealTime()->Unit(benchmark::kMillisecond);

}  // namespace

BENCHMARK_MAIN();
