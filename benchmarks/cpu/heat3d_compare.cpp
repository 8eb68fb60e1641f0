// Emitted CPU code of 3D heat diffusion against a plain OpenMP loop nest, in turns in one run. Their results must be
// the same words. One line of CSV a program and side; times are of the steps alone, without copies.
//
//   heat3d_compare ROUNDS STEPS NX [NY NZ]
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <string>
#include <vector>

#include "heat3d.h"
#include "heat3d_plain.hpp"
#include "heat3d_unheated.h"

#ifdef _OPENMP
#include <omp.h>
#endif

namespace {

int threads() {
#ifdef _OPENMP
    return omp_get_max_threads();
#else
    return 1;
#endif
}

/// Words aligned to a cache line; whoever writes a page first has it near.
struct Words {
    explicit Words(long long n) : data(static_cast<float*>(std::aligned_alloc(64, (n * 4 + 63) / 64 * 64))) {
        if (data == nullptr) std::abort();
    }
    ~Words() { std::free(data); }
    Words(const Words&) = delete;
    Words& operator=(const Words&) = delete;
    float* data;
};

/// 0 … 1, of a cell's number and a salt.
float noise(long long i, unsigned salt) {
    unsigned h = static_cast<unsigned>(i) * 2654435761u + salt * 40503u;
    h = (h ^ h >> 15) * 2246822519u;
    return static_cast<float>(h >> 8) * 0x1p-24f;
}

/// Programs that are prepared as they are first called.
struct Prepared {
    heat3d_prepared* heated = nullptr;
    heat3d_unheated_prepared* unheated = nullptr;

    Prepared() = default;
    ~Prepared() {
        heat3d_release(heated);
        heat3d_unheated_release(unheated);
    }
    Prepared(const Prepared&) = delete;
};

struct Problem {
    int nx, ny, nz, steps;
    long long cells = static_cast<long long>(nx) * ny * nz;
    Words T{cells}, beta{cells}, q{cells}, result{cells}, plain_T{cells}, plain_next{cells};
    std::vector<float> on = std::vector<float>(static_cast<std::size_t>(steps));
    Prepared prepared;
    static constexpr float dt = 0.1f, dx = 1e-3f;

    Problem(int nx_, int ny_, int nz_, int steps_) : nx(nx_), ny(ny_), nz(nz_), steps(steps_) {
#pragma omp parallel for schedule(static)
        for (long long i = 0; i < cells; ++i) {
            T.data[i] = plain_T.data[i] = plain_next.data[i] = result.data[i] = 37.0f + noise(i, 1);
            beta.data[i] = 1.4e-7f * (0.5f + noise(i, 2));
            q.data[i] = noise(i, 3);
        }
        for (int n = 0; n < steps; ++n) on[static_cast<std::size_t>(n)] = noise(n, 4);
    }

    double emitted(bool heated) {
        double seconds = 0;
        int status = 0;
        if (heated) {
            heat3d_arguments a{};
            a.nx = nx, a.ny = ny, a.nz = nz, a.nt = a.steps = steps, a.dt = dt, a.dx = dx;
            a.T = T.data, a.beta = beta.data, a.q = q.data, a.on = on.data(), a.T_out = result.data;
            if (prepared.heated == nullptr) status = heat3d_prepare(&a, nullptr, &prepared.heated);
            if (status == 0) status = heat3d_launch(prepared.heated, &a, &seconds);
        } else {
            heat3d_unheated_arguments a{};
            a.nx = nx, a.ny = ny, a.nz = nz, a.steps = steps, a.dt = dt, a.dx = dx;
            a.T = T.data, a.beta = beta.data, a.T_out = result.data;
            if (prepared.unheated == nullptr) status = heat3d_unheated_prepare(&a, nullptr, &prepared.unheated);
            if (status == 0) status = heat3d_unheated_launch(prepared.unheated, &a, &seconds);
        }
        if (status != 0) {
            std::fprintf(stderr, "%s\n", heated ? heat3d_message() : heat3d_unheated_message());
            std::exit(1);
        }
        return seconds;
    }

    const float* plain(bool heated, double& seconds) {
#pragma omp parallel for schedule(static)
        for (long long i = 0; i < cells; ++i) plain_T.data[i] = plain_next.data[i] = T.data[i];
        const plain::Block block{nx, ny, nz, dt, dx, beta.data, heated ? q.data : nullptr, on.data()};
        const auto begin = std::chrono::steady_clock::now();
        const float* out = plain::heat3d(block, steps, plain_T.data, plain_next.data);
        seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
        return out;
    }
};

void report(const char* program, const Problem& p, const char* side, std::vector<double> seconds) {
    std::sort(seconds.begin(), seconds.end());
    const auto rate = [&](double s) { return static_cast<double>(p.cells) * p.steps / s * 1e-9; };
    std::printf("%s,%d,%d,%d,%d,%s,%.3f,%.3f,%.3f,%zu\n", program, p.nx, p.ny, p.nz, threads(), side,
                rate(seconds[seconds.size() / 2]), rate(seconds.back()), rate(seconds.front()), seconds.size());
}

bool compare(Problem& p, bool heated, int rounds) {
    const char* name = heated ? "heat3d" : "heat3d_unheated";
    std::vector<double> emitted, plain;
    for (int r = 0; r <= rounds; ++r) {
        const double e = p.emitted(heated);
        double s = 0;
        const float* want = p.plain(heated, s);
        if (std::memcmp(p.result.data, want, static_cast<std::size_t>(p.cells) * 4) != 0) {
            std::fprintf(stderr, "%s: the results differ\n", name);
            return false;
        }
        if (r == 0) continue;  // warms up
        emitted.push_back(e);
        plain.push_back(s);
    }
    report(name, p, "plain", std::move(plain));
    report(name, p, "emitted", std::move(emitted));
    return true;
}

}  // namespace

int main(int argc, char** argv) {
    if (argc != 4 && argc != 6) {
        std::fprintf(stderr, "usage: %s ROUNDS STEPS NX [NY NZ]\n", argv[0]);
        return 2;
    }
    const int rounds = std::max(1, std::atoi(argv[1])), steps = std::max(1, std::atoi(argv[2]));
    const int nx = std::atoi(argv[3]), ny = argc > 4 ? std::atoi(argv[4]) : nx, nz = argc > 4 ? std::atoi(argv[5]) : nx;
    Problem problem(nx, ny, nz, steps);
    std::printf("program,nx,ny,nz,threads,side,median GCell/s,least,most,rounds\n");
    return compare(problem, false, rounds) && compare(problem, true, rounds) ? 0 : 1;
}
