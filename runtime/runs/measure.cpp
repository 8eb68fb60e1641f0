// Candidates 1 2 3, of which 2 is wrong, three repeats:
//
//   copy; begun 1; begun 2; invalid 2 correctness; begun 3;      each checked once
//   begun 1; begun 3; begun 1; begun 3; …                        two rounds or more to warm up, three timed
//   measured 1; measured 3; ended

#include "runtime/runs/measure.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <memory>
#include <span>

#include "runtime/devices/memory.hpp"
#include "runtime/files/word_file.hpp"
#include "runtime/runs/compare.hpp"

namespace kasc::runtime {

namespace {

/// Bytes of the copy that measures the device: 1 GiB read and 1 GiB written is far beyond any cache; less where memory
/// is short.
constexpr std::uint64_t copied_bytes = std::uint64_t{1} << 30U, fewest_copied_bytes = std::uint64_t{1} << 22U;
constexpr int copies = 10;  // of which the best counts: an H100 gives 2600 to 3000 GB/s in turns
/// The first rounds find cold caches and clocks: results are compared on the host meanwhile, and an H100 that has
/// done nothing takes twice as long for kernels of 40 us. The check before has loaded the code.
constexpr int warm_up_rounds = 2;
constexpr double warm_up_seconds = 0.5;
/// Rounds end when every candidate has had so many seconds in the mean and at least as many rounds as quartiles need.
constexpr double enough_seconds = 2;
constexpr int fewest_rounds = 4;

std::span<const std::byte> bytes_of(const Words& words) {
    return {static_cast<const std::byte*>(words.data()), words.size_bytes()};
}

struct Timed {
    const MeasureJob::Candidate* candidate;
    std::vector<double> times_ns;
};

class Measuring {
public:
    Measuring(const MeasureJob& job, const std::function<void(const MeasureEvent&)>& say) : job_(job), say_(say) {}

    void run() {
        memory_ = open_device_memory(job_.target);
        if (!memory_) return;
        measure_copy();
        if (!prepare()) return;
        for (const MeasureJob::Candidate& candidate : job_.candidates) {
            if (!check(candidate)) return;
        }
        if (!time_rounds()) return;
        for (Timed& t : good_)
            say_({MeasureEvent::Kind::measured, t.candidate->number, 0, "", "", std::move(t.times_ns)});
        say_({});
    }

private:
    const MeasureJob& job_;
    const std::function<void(const MeasureEvent&)>& say_;
    std::unique_ptr<DeviceMemory> memory_;
    std::vector<WordFile> given_, expected_;
    EntryArguments arguments_;
    std::vector<Timed> good_;
    std::unique_ptr<std::byte[]> fetched_;
    std::size_t fetched_bytes_ = 0;

    void invalid(int candidate, const char* invalidity, std::string message) {
        say_({MeasureEvent::Kind::invalid, candidate, 0, invalidity, std::move(message), {}});
    }
    void begin(int candidate) {
        say_({MeasureEvent::Kind::begun, candidate, 0, "", "", {}});
        alarm(static_cast<unsigned>(job_.limit_seconds));
    }

    /// In memory that is given back at once, before the program's arrays need it.
    void measure_copy() {
        const auto scratch = open_device_memory(job_.target);
        // The host's own copy is slow and its memory may be in use: a small one serves for a CPU.
        std::uint64_t bytes = job_.target == BuildTarget::cuda ? copied_bytes : copied_bytes / 16;
        for (; scratch && bytes >= fewest_copied_bytes; bytes /= 4) {
            void* a = scratch->allocate(bytes);
            void* b = a == nullptr ? nullptr : scratch->allocate(bytes);
            if (b == nullptr) continue;
            double best = 0;
            for (int i = 0; i < copies; ++i) best = std::max(best, scratch->copy_gb_s(a, b, bytes));
            say_({MeasureEvent::Kind::copy, 0, best, "", "", {}});
            return;
        }
    }

    bool prepare() {
        arguments_.resident = true;
        arguments_.extents = job_.extents;
        arguments_.parameters = job_.parameters;
        for (const RawArray& file : job_.inputs) {
            auto words = WordFile::open(file.path, file.type);
            void* p = words ? memory_->allocate(words->words().size_bytes()) : nullptr;
            if (p == nullptr || !memory_->upload(p, bytes_of(words->words()))) return false;
            arguments_.inputs.push_back(p);
            given_.push_back(std::move(*words));
        }
        for (const RawArray& file : job_.outputs) {
            auto words = WordFile::open(file.path, file.type);
            void* p = words ? memory_->allocate(words->words().size_bytes()) : nullptr;
            if (p == nullptr) return false;
            arguments_.outputs.push_back(p);
            expected_.push_back(std::move(*words));
        }
        return true;
    }

    /// False: the device failed.
    bool check(const MeasureJob::Candidate& candidate) {
        begin(candidate.number);
        if (!spoil_outputs()) return false;
        const auto run = candidate.run(arguments_);
        if (!run) {
            const Diagnostic& why = run.diagnostics.front();
            invalid(candidate.number, why.code == "K0811" ? "constraints" : "runtime", why.message);
            return why.code == "K0811" || why.code == "K0804";
        }
        const auto fault = wrong_result();
        if (!fault) return false;
        if (fault->empty()) {
            good_.push_back({&candidate, {}});
        } else {
            invalid(candidate.number, "correctness", *fault);
        }
        return true;
    }

    /// What hardly a program computes, so that a word that is not written is found: as reals no numbers.
    bool spoil_outputs() {
        for (std::size_t i = 0; i < expected_.size(); ++i) {
            if (!memory_->fill(arguments_.outputs[i], std::byte{0xFF}, expected_[i].words().size_bytes())) return false;
        }
        return true;
    }

    /// What lies at `from` is in `fetched_`, whose pages serve every array: a fresh one costs more than its copy.
    bool fetch(const void* from, std::size_t bytes) {
        if (bytes > fetched_bytes_) {
            fetched_ = std::make_unique_for_overwrite<std::byte[]>(bytes);
            fetched_bytes_ = bytes;
        }
        return memory_->download({fetched_.get(), bytes}, from);
    }

    /// Empty: all is well. None: the device failed.
    std::optional<std::string> wrong_result() {
        for (std::size_t i = 0; i < expected_.size(); ++i) {
            const Words& expected = expected_[i].words();
            if (!fetch(arguments_.outputs[i], expected.size_bytes())) return std::nullopt;
            const Words result(expected.type(), fetched_.get(), expected.size());
            const auto word = job_.check ? first_difference(result, expected, job_.tolerance) : std::nullopt;
            if (word) return difference_text(job_.outputs[i].name, result, expected, *word);
        }
        for (std::size_t i = 0; i < given_.size(); ++i) {
            const auto given = bytes_of(given_[i].words());
            if (!fetch(arguments_.inputs[i], given.size())) return std::nullopt;
            if (same_bytes(fetched_.get(), given.data(), given.size())) continue;
            // The next candidate finds its inputs as they were.
            if (!memory_->upload(const_cast<void*>(arguments_.inputs[i]), given)) return std::nullopt;
            return fmt::format("it changes its input {}", job_.inputs[i].name);
        }
        return "";
    }

    /// False: the device failed.
    bool time_rounds() {
        const auto began = std::chrono::steady_clock::now();
        const auto passed = [&] {
            return std::chrono::duration<double>(std::chrono::steady_clock::now() - began).count();
        };
        for (int round = -warm_up_rounds; round < job_.repeats; ++round) {
            if (round == 0 && passed() < warm_up_seconds) round = -1;
            for (Timed& timed : good_) {
                begin(timed.candidate->number);
                const auto seconds = timed.candidate->run(arguments_);
                if (!seconds) {
                    invalid(timed.candidate->number, "runtime", seconds.diagnostics.front().message);
                    return false;
                }
                if (round >= 0) timed.times_ns.push_back(1e9 * *seconds);
            }
            if (round + 1 >= fewest_rounds && passed() > enough_seconds * static_cast<double>(good_.size())) break;
        }
        alarm(0);
        return true;
    }
};

}  // namespace

void measure(const MeasureJob& job, const std::function<void(const MeasureEvent&)>& say) { Measuring(job, say).run(); }

}  // namespace kasc::runtime
