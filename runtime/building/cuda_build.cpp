#include "runtime/building/cuda_build.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cstring>
#include <new>

namespace kasc::runtime {

namespace {

// Room for the code: the largest program of the examples has 0.3 MB, and memory that nothing is written to costs
// nothing.
constexpr std::uint64_t answer_bytes = std::uint64_t{64} << 20;

/// What a child leaves at the beginning of its memory; the code follows.
struct Answer {
    std::uint64_t bytes = 0;  ///< 0: it was refused, or too large
    double seconds = 0;
};

/// NVRTC is given as long as nvcc would be, or as long as the watch says.
ChildLimits limits_of(const ProcessWatch& watch) {
    ChildLimits limits{600, 1200, std::uint64_t{8} << 30};
    if (watch.limit_seconds > 0) limits.wall_seconds = std::min(limits.wall_seconds, watch.limit_seconds);
    return limits;
}

/// The key of all that decides the code's bytes.
BuildKey key_of(const std::string& title, const CudaSource& source) {
    BuildKey key(title, fmt::format("sm_{}", source.compute_capability));
    key.add("kasc", KASC_VERSION);
    key.add("NVRTC", cuda_compiler_identity());
    for (const std::string& option : cuda_compiler_options(source)) key.add("option", option);
    key.add(source.name, source.text);
    for (const auto& [name, text] : source.headers) key.add(name, text);
    return key;
}

}  // namespace

CudaBuild CudaBuild::start(const std::string& title, CudaSource source, BuildCache cache, ProcessWatch watch) {
    CudaBuild build(std::move(source), std::move(cache), std::move(watch));
    if (build.cache_.usable()) {
        build.key_ = key_of(title, build.source_);
        if (auto known = build.cache_.find(*build.key_)) {
            build.found_ = std::move(known->bytes);
            return build;
        }
    }
    auto memory = SharedMemory::allocate(answer_bytes);
    if (!memory) return build;
    build.answer_ = std::make_shared<SharedMemory>(std::move(*memory));
    auto* answer = new (build.answer_->data()) Answer;
    auto child = Child::start(limits_of(build.watch_), [&] {
        const auto began = std::chrono::steady_clock::now();
        const auto code = compile_cuda(build.source_);
        if (!code || code->size() > answer_bytes - sizeof(Answer)) return false;
        std::memcpy(build.answer_->data() + sizeof(Answer), code->data(), code->size());
        answer->seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - began).count();
        answer->bytes = code->size();
        return true;
    });
    if (child) build.child_.emplace(std::move(*child));
    return build;
}

double CudaBuild::compiler_seconds() const {
    return answer_ ? reinterpret_cast<const Answer*>(answer_->data())->seconds : 0;
}

Outcome<std::string> CudaBuild::finish() {
    if (found_) return success(std::move(*found_));
    auto code = compiled();
    if (code && key_) cache_.keep(*key_, {*code, {}});
    return code;
}

Outcome<std::string> CudaBuild::compiled() {
    const ChildEnd end = child_ ? child_->wait(watch_.stop) : ChildEnd::no_child;
    if (end == ChildEnd::finished) {
        const auto* answer = reinterpret_cast<const Answer*>(answer_->data());
        return success(std::string(reinterpret_cast<const char*>(answer_->data()) + sizeof(Answer), answer->bytes));
    }
    if (end == ChildEnd::out_of_time)
        return failure<std::string>(placeless("K0807", "NVRTC took too long on emitted code"));
    if (watch_.stop && watch_.stop()) return failure<std::string>(placeless("K0802", "NVRTC was stopped"));
    // What a child could not do says here why.
    return compile_cuda(source_);
}

}  // namespace kasc::runtime
