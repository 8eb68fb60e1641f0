#include "runtime/piecewise_run.hpp"

#include <dlfcn.h>

namespace kasc::runtime {

namespace {

/// The header's functions; a run is opaque.
struct Calls {
    /// <program>_array of the header.
    struct StateEntry {
        const char* name;
        int type;
        long long words;
    };

    const char* (*message)() = nullptr;
    int (*begin_entry)(const kasc_entry_call*, void**) = nullptr;
    int (*advance)(void*, long long, double*) = nullptr;
    int (*finish)(void*) = nullptr;
    void (*end)(void*) = nullptr;
    long long (*done)(const void*) = nullptr;
    long long (*total)(const void*) = nullptr;
    int (*state)(const void*, int, StateEntry*) = nullptr;
    int (*read_state)(void*, int, void*) = nullptr;
    int (*write_state)(void*, int, const void*) = nullptr;
    int (*seek)(void*, long long) = nullptr;
    int (*load)(void*, int, long long, long long, const void*) = nullptr;  ///< null: the program has no series
    int (*save)(void*, int, long long, long long, void*) = nullptr;

    /// The name of the first function that is missing; empty: all are there.
    std::string find(const Entry& entry) {
        std::string missing;
        const auto one = [&](auto& function, const char* name, bool needed = true) {
            const std::string symbol = entry.program + "_" + name;
            function = reinterpret_cast<std::remove_reference_t<decltype(function)>>(
                dlsym(entry.library.get(), symbol.c_str()));
            if (function == nullptr && needed && missing.empty()) missing = symbol;
        };
        one(message, "message");
        one(begin_entry, "begin_entry");
        one(advance, "advance");
        one(finish, "finish");
        one(end, "end");
        one(done, "done");
        one(total, "total");
        one(state, "state");
        one(read_state, "read_state");
        one(write_state, "write_state");
        one(seek, "seek");
        one(load, "load", false);
        one(save, "save", false);
        return missing;
    }
};

class BuiltRun final : public PiecewiseRun {
public:
    BuiltRun(Entry entry, const Calls& calls, void* run) : entry_(std::move(entry)), calls_(calls), run_(run) {}
    BuiltRun(const BuiltRun&) = delete;
    BuiltRun& operator=(const BuiltRun&) = delete;
    ~BuiltRun() override { calls_.end(run_); }

    [[nodiscard]] Diagnostics advance(long long iterations) override {
        double seconds = 0;
        const int status = calls_.advance(run_, iterations, &seconds);
        kernel_seconds_ += seconds;
        return said(status);
    }
    [[nodiscard]] Diagnostics finish() override { return said(calls_.finish(run_)); }
    [[nodiscard]] long long done() const override { return calls_.done(run_); }
    [[nodiscard]] long long total() const override { return calls_.total(run_); }
    [[nodiscard]] double kernel_seconds() const override { return kernel_seconds_; }

    [[nodiscard]] std::vector<StateArray> state() const override {
        std::vector<StateArray> all;
        Calls::StateEntry array{};
        for (int i = 0; calls_.state(run_, i, &array) != 0; ++i)
            all.push_back({array.name, static_cast<WordType>(array.type), static_cast<std::uint64_t>(array.words)});
        return all;
    }
    [[nodiscard]] Diagnostics read_state(std::size_t index, void* values) override {
        return said(calls_.read_state(run_, static_cast<int>(index), values));
    }
    [[nodiscard]] Diagnostics write_state(std::size_t index, const void* values) override {
        return said(calls_.write_state(run_, static_cast<int>(index), values));
    }
    [[nodiscard]] Diagnostics seek(long long iteration) override { return said(calls_.seek(run_, iteration)); }
    [[nodiscard]] Diagnostics load(std::size_t series, long long first, long long rows, const void* values) override {
        return said(calls_.load(run_, static_cast<int>(series), first, rows, values));
    }
    [[nodiscard]] Diagnostics save(std::size_t series, long long first, long long rows, void* values) override {
        return said(calls_.save(run_, static_cast<int>(series), first, rows, values));
    }

private:
    [[nodiscard]] Diagnostics said(int status) const {
        if (status == 0) return {};
        return {run_fault(entry_.program, status, calls_.message())};
    }

    Entry entry_;  ///< keeps the code loaded
    Calls calls_;
    void* run_;
    double kernel_seconds_ = 0;
};

}  // namespace

Outcome<std::unique_ptr<PiecewiseRun>> begin_built(const Entry& entry, const EntryArguments& arguments) {
    using Begun = std::unique_ptr<PiecewiseRun>;
    Calls calls;
    if (const std::string missing = calls.find(entry); !missing.empty()) {
        Diagnostic d;
        d.code = "K0804";
        d.message = "the program that was built lacks " + missing;
        return failure<Begun>(std::move(d));
    }
    kasc_entry_call call{};
    call.extents = arguments.extents.data();
    call.parameters = arguments.parameters.data();
    call.inputs = arguments.inputs.data();
    call.outputs = arguments.outputs.data();
    if (!arguments.rows.empty()) call.rows = arguments.rows.data();
    call.resident = arguments.resident ? 1 : 0;
    void* run = nullptr;
    const int status = calls.begin_entry(&call, &run);
    if (status != 0) return failure<Begun>(run_fault(entry.program, status, calls.message()));
    return success<Begun>(std::make_unique<BuiltRun>(entry, calls, run));
}

}  // namespace kasc::runtime
