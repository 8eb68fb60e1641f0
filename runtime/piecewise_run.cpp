#include "runtime/piecewise_run.hpp"

#include <dlfcn.h>

namespace kasc::runtime {

namespace {

/// <program>_array of the header.
struct EmittedArray {
    const char* name;
    int type;
    long long words;
};

}  // namespace

/// The header's functions; a run is opaque.
struct PiecewiseRun::Calls {
    const char* (*message)() = nullptr;
    int (*begin_entry)(const kasc_entry_call*, void**) = nullptr;
    int (*advance)(void*, long long, double*) = nullptr;
    int (*finish)(void*) = nullptr;
    void (*end)(void*) = nullptr;
    long long (*done)(const void*) = nullptr;
    long long (*total)(const void*) = nullptr;
    int (*state)(const void*, int, EmittedArray*) = nullptr;
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

Outcome<PiecewiseRun> PiecewiseRun::begin(const Entry& entry, const EntryArguments& arguments) {
    const auto calls = std::make_shared<Calls>();
    if (const std::string missing = calls->find(entry); !missing.empty()) {
        Diagnostic d;
        d.code = "K0804";
        d.message = "the program that was built lacks " + missing;
        return failure<PiecewiseRun>(std::move(d));
    }
    kasc_entry_call call{};
    call.extents = arguments.extents.data();
    call.parameters = arguments.parameters.data();
    call.inputs = arguments.inputs.data();
    call.outputs = arguments.outputs.data();
    if (!arguments.rows.empty()) call.rows = arguments.rows.data();
    call.resident = arguments.resident ? 1 : 0;
    void* run = nullptr;
    const int status = calls->begin_entry(&call, &run);
    if (status != 0) return failure<PiecewiseRun>(run_fault(entry.program, status, calls->message()));
    return success(PiecewiseRun(entry, calls, std::shared_ptr<void>(run, calls->end)));
}

Diagnostics PiecewiseRun::said(int status) const {
    if (status == 0) return {};
    return {run_fault(entry_.program, status, calls_->message())};
}

Diagnostics PiecewiseRun::advance(long long iterations) {
    double seconds = 0;
    const int status = calls_->advance(run_.get(), iterations, &seconds);
    kernel_seconds_ += seconds;
    return said(status);
}

Diagnostics PiecewiseRun::finish() { return said(calls_->finish(run_.get())); }

long long PiecewiseRun::done() const { return calls_->done(run_.get()); }

long long PiecewiseRun::total() const { return calls_->total(run_.get()); }

std::vector<StateArray> PiecewiseRun::state() const {
    std::vector<StateArray> all;
    EmittedArray array{};
    for (int i = 0; calls_->state(run_.get(), i, &array) != 0; ++i)
        all.push_back({array.name, static_cast<WordType>(array.type), static_cast<std::uint64_t>(array.words)});
    return all;
}

Diagnostics PiecewiseRun::read_state(std::size_t index, void* values) {
    return said(calls_->read_state(run_.get(), static_cast<int>(index), values));
}

Diagnostics PiecewiseRun::write_state(std::size_t index, const void* values) {
    return said(calls_->write_state(run_.get(), static_cast<int>(index), values));
}

Diagnostics PiecewiseRun::seek(long long iteration) { return said(calls_->seek(run_.get(), iteration)); }

Diagnostics PiecewiseRun::load(std::size_t series, long long first, long long rows, const void* values) {
    return said(calls_->load(run_.get(), static_cast<int>(series), first, rows, values));
}

Diagnostics PiecewiseRun::save(std::size_t series, long long first, long long rows, void* values) {
    return said(calls_->save(run_.get(), static_cast<int>(series), first, rows, values));
}

}  // namespace kasc::runtime
