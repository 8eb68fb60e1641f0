// How many threads share a loop over blocks: all of them, or the one that comes to it.
//
// Threads must be woken and waited for. For a short loop that takes longer than the loop, and where other work keeps
// the cores busy, a loop is over when the last of its threads has been given a core: a step of 64 x 48 cells takes one
// thread 4 us, and two of them 20 to 3000 us beside busy processes. So each loop is timed, as it runs. While it is
// shared, the first thread's own part, times the number of threads, is what one alone would take:
//
//   shared 15 us, own part 11 us of 2 threads: alone 22 us     stays shared
//   shared 58 us, own part  3 us of 2 threads: alone  6 us     one thread, for 1200 us; then shared again, as a trial
//   the trial is no better: 2400 us, 4800 us …                 longer where it lost much, so that trials cost a
//                                                              twentieth at most while the load lasts
//   alone it is 70 us, not 6                                   shared after four loops, and for long
//
// Each block is computed once, and none sees another's results: no word of them depends on who computes it.
#pragma once

#include <time.h>

#ifdef _OPENMP
#include <omp.h>
#endif

namespace {

// What the times of a loop, which runs again and again, say of the next.
class kasc_sharing {
public:
    bool shared() const { return shared_; }
    // Takes the seconds of the last loop; of one that was shared, by so many threads, also the first thread's own part.
    void judge(double took, double part, int threads) {
        if (unjudged_ > 0) {
            --unjudged_;
            if (shared_) gained_ -= took;
            return;
        }
        shared_ ? judge_shared(took, part, threads) : judge_alone(took);
    }

private:
    static constexpr double bad_loops = 16;     // a loop's time that sharing must lose before it ends: no single delay
    static constexpr double first_pause = 200;  // loops alone before the first trial
    static constexpr double dearest = 20;       // a pause is so many times what the trial before it lost
    static constexpr double longest_pause = 4;  // seconds
    static constexpr int enough = 4;            // loops alone, to know what one takes
    static constexpr double recent = 1.0 / 16;  // what the last loop counts in a mean
    static constexpr double forgetting = 1.02;  // the least estimate is of the last fifty loops or so
    static constexpr double remembering = 0.999;  // what was measured alone is of the last thousand

    bool shared_ = true;
    int unjudged_ = 2;        // loops that wake threads, or start them
    double shared_mean_ = 0;  // seconds of a loop
    double estimate_ = 0;     // of one thread alone, from its part: the least
    double alone_ = 0;        // of one thread, measured
    double lost_ = 0;         // seconds, by sharing
    double gained_ = 0;       // seconds, since the change to sharing
    double pause_ = 0, left_ = 0;
    int loops_alone_ = 0;

    static void mean(double& of, double took) { of = of == 0 ? took : of + recent * (took - of); }

    void judge_shared(double took, double part, int threads) {
        mean(shared_mean_, took);
        const double estimate = part * threads;
        estimate_ = estimate_ == 0 || estimate < forgetting * estimate_ ? estimate : forgetting * estimate_;
        alone_ *= remembering;
        const double alone = estimate_ > alone_ ? estimate_ : alone_;
        gained_ += alone - took;
        lost_ = lost_ + took > alone ? lost_ + took - alone : 0;
        if (lost_ <= bad_loops * alone) return;
        // A thousand loops may gain a little each, and one that waits 50 ms for a core lose it all.
        const double again = gained_ < 0 ? 2 * pause_ : 0, dear = dearest * -gained_;
        pause_ = first_pause * alone;
        pause_ = pause_ > again ? pause_ : again;
        pause_ = pause_ > dear ? pause_ : dear;
        left_ = pause_ = pause_ < longest_pause ? pause_ : longest_pause;
        alone_ = 0;
        loops_alone_ = 0;
        change();
    }
    void judge_alone(double took) {
        // A loop that lost its core says nothing of the others; a pause ends with such a one more often than not.
        mean(alone_, alone_ > 0 && took > 2 * alone_ ? 2 * alone_ : took);
        left_ -= took;
        ++loops_alone_;
        if (left_ > 0 && (loops_alone_ < enough || alone_ <= shared_mean_)) return;
        lost_ = gained_ = estimate_ = 0;
        change();
    }
    void change() {
        shared_ = !shared_;
        unjudged_ = 1;
    }
};

// Seconds, from some moment on. <chrono> says the same, and takes the compiler a sixth of a second.
inline double kasc_seconds() {
    timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

// What a loop does with a block, whatever it is, while what it was made of lives: one code for the loops of all kernels
// takes the compiler a third less than one for each, and a call is nothing beside a block.
class kasc_body {
public:
    kasc_body() = default;
    template <class Body>
    kasc_body(const Body& body) : body_(&body), call_(call<Body>) {}
    void operator()(long long x, long long y, long long z) const { call_(body_, x, y, z); }

private:
    const void* body_ = nullptr;
    void (*call_)(const void*, long long, long long, long long) = nullptr;

    template <class Body>
    static void call(const void* body, long long x, long long y, long long z) {
        (*static_cast<const Body*>(body))(x, y, z);
    }
};

// The threads of one loop, which runs again and again.
class kasc_crew {
public:
    // body(x, y, z) for all blocks, x fastest.
    void run(long long blocks_x, long long blocks_y, long long blocks_z, const kasc_body& body) {
        share(sharing_, blocks_x * blocks_y * blocks_z > 1, [&](bool timed) {
            // Not the time before, in which the first thread wakes the others: that is what sharing costs.
            const double began = timed ? kasc_seconds() : 0;
#pragma omp for collapse(3) schedule(static) nowait
            for (long long z = 0; z < blocks_z; ++z)
                for (long long y = 0; y < blocks_y; ++y)
                    for (long long x = 0; x < blocks_x; ++x) body(x, y, z);
            return timed ? kasc_seconds() - began : 0;
        });
    }
    // What begins with this loop and goes on with others: work(timed) by each thread, which returns, where it is timed,
    // the seconds that it has computed.
    template <class Work>
    void share_sweep(const Work& work) {
        share(sweeps_, true, work);
    }
    static int threads() {
#ifdef _OPENMP
        return omp_get_max_threads();
#else
        return 1;
#endif
    }

private:
    kasc_sharing sharing_, sweeps_;

    template <class Work>
    static void share(kasc_sharing& sharing, bool several, const Work& work) {
        const bool many = several && threads() > 1, together = many && sharing.shared();
        const double began = many ? kasc_seconds() : 0;
        double part = 0;
#pragma omp parallel if (together)
        {
            const double own = work(together);
#pragma omp master
            part = own;
        }
        if (many) sharing.judge(kasc_seconds() - began, part, threads());
    }
};

}  // namespace
