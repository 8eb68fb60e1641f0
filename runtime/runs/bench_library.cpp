// Computing is timed twice with different numbers of rounds; what the two have in common (launch, loads) falls out of
// the difference:   4 rounds 10 us, 20 rounds 26 us: 1 us a round.

#include "runtime/runs/bench_library.hpp"

#include <dlfcn.h>
#include <fmt/format.h>

#include <algorithm>
#include <span>

namespace kasc::runtime {

namespace {

constexpr int few_rounds = 4, many_rounds = 20;
constexpr int phase_load = 0, phase_compute = 1, phase_save = 2;

/// Ones and twos: no value that arithmetic is slow or special for.
std::vector<float> some_words(std::size_t count) {
    std::vector<float> words(count);
    for (std::size_t i = 0; i < count; ++i) words[i] = static_cast<float>(1 + i % 2);
    return words;
}

}  // namespace

Outcome<BenchLibrary> BenchLibrary::open(const std::string& library, DeviceMemory& memory, int n,
                                         const std::vector<int>& input_words, int output_words) {
    BenchLibrary bench;
    bench.n_ = n;
    bench.code_.reset(dlopen(library.c_str(), RTLD_NOW | RTLD_LOCAL | RTLD_NODELETE), [](void* handle) {
        if (handle != nullptr) dlclose(handle);
    });
    if (bench.code_) bench.function_ = reinterpret_cast<kasc_bench_function>(dlsym(bench.code_.get(), "kasc_bench"));
    if (bench.function_ == nullptr)
        return failure<BenchLibrary>(placeless("K0804", fmt::format("cannot load '{}': {}", library, dlerror()), ""));
    const auto no_room = [] {
        return failure<BenchLibrary>(
            placeless("K0812", "the device has no room for the streams", "measure fewer elements with --size"));
    };
    for (const int words : input_words) {
        const std::size_t count = static_cast<std::size_t>(words) * static_cast<std::size_t>(n);
        void* p = memory.allocate(count * sizeof(float));
        const std::vector<float> some = some_words(count);
        if (p == nullptr || !memory.upload(p, std::as_bytes(std::span(some)))) return no_room();
        bench.inputs_.push_back(static_cast<float*>(p));
    }
    const std::size_t count = static_cast<std::size_t>(output_words) * static_cast<std::size_t>(n);
    bench.output_ = static_cast<float*>(memory.allocate(count * sizeof(float)));
    return bench.output_ == nullptr ? no_room() : success(std::move(bench));
}

Outcome<BenchTimes> BenchLibrary::measure(const BenchPoint& point, int repeats) const {
    kasc_bench_call call{point.elements, 0, 0, point.extra_shared_bytes, n_, inputs_.data(), output_, 0, 0, 0, 0};
    bool good = true, fits = true;
    const auto median_ns = [&](int phase, int rounds) {
        call.phase = phase;
        call.rounds = rounds;
        std::vector<double> times;
        for (int i = -1; i < repeats && good && fits; ++i) {  // the first finds cold caches
            good = function_(&call) == 0;
            fits = call.resident_blocks > 0;
            if (i >= 0) times.push_back(1e9 * call.seconds);
        }
        std::sort(times.begin(), times.end());
        return times.empty() ? 0 : times[times.size() / 2];
    };
    BenchTimes times;
    times.load_ns = median_ns(phase_load, 0);
    times.save_ns = median_ns(phase_save, 0);
    const double few = median_ns(phase_compute, few_rounds), many = median_ns(phase_compute, many_rounds);
    times.compute_ns = std::max(0.0, (many - few) / (many_rounds - few_rounds));
    times.registers = call.registers;
    times.resident_threads = call.resident_blocks * call.threads;
    times.fits = fits;
    if (!good) return failure<BenchTimes>(placeless("K0812", "the device failed in a function of the library", ""));
    return success(times);
}

}  // namespace kasc::runtime
