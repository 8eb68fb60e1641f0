#include "runtime/runs/piecewise_run.hpp"

#include <dlfcn.h>

namespace kasc::runtime {

namespace {

/// The header's functions; what is prepared is opaque. A program without a loop has two: it is prepared, and launched.
struct Calls {
    /// <program>_array of the header.
    struct StateEntry {
        const char* name;
        int type;
        long long words;
    };

    const char* (*message)() = nullptr;
    int (*prepare_entry)(const kasc_entry_call*, void**) = nullptr;
    int (*release)(void*) = nullptr;
    int (*launch_entry)(const kasc_entry_call*, void*) = nullptr;  ///< null: the program has pieces
    int (*begin_entry)(const kasc_entry_call*, void*) = nullptr;   ///< null, and all below: it has none
    int (*advance)(void*, long long, double*) = nullptr;
    int (*finish)(void*) = nullptr;
    long long (*done)(const void*) = nullptr;
    long long (*total)(const void*) = nullptr;
    int (*state)(void*, int, StateEntry*) = nullptr;
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
        one(prepare_entry, "prepare_entry");
        one(release, "release");
        one(launch_entry, "launch_entry", false);
        if (launch_entry != nullptr) return missing;
        one(begin_entry, "begin_entry");
        one(advance, "advance");
        one(finish, "finish");
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

Diagnostics said(const Entry& entry, const Calls& calls, int status) {
    if (status == 0) return {};
    return {run_fault(entry.program, status, calls.message())};
}

/// A program that was prepared, as long as this lives.
class Prepared {
public:
    Prepared(Entry entry, const Calls& calls, void* program)
        : entry_(std::move(entry)), calls_(calls), program_(program) {}
    Prepared(const Prepared&) = delete;
    Prepared& operator=(const Prepared&) = delete;
    ~Prepared() { (void)calls_.release(program_); }

    [[nodiscard]] const Calls& calls() const { return calls_; }
    [[nodiscard]] void* get() const { return program_; }
    [[nodiscard]] Diagnostics said(int status) const { return runtime::said(entry_, calls_, status); }

private:
    Entry entry_;  ///< keeps the code loaded
    Calls calls_;
    void* program_;
};

class BuiltRun final : public PiecewiseRun {
public:
    explicit BuiltRun(std::unique_ptr<Prepared> prepared) : prepared_(std::move(prepared)) {}

    [[nodiscard]] Diagnostics advance(long long iterations) override {
        double seconds = 0;
        const int status = calls().advance(program(), iterations, &seconds);
        kernel_seconds_ += seconds;
        return prepared_->said(status);
    }
    [[nodiscard]] Diagnostics finish() override { return prepared_->said(calls().finish(program())); }
    [[nodiscard]] long long done() const override { return calls().done(program()); }
    [[nodiscard]] long long total() const override { return calls().total(program()); }
    [[nodiscard]] double kernel_seconds() const override { return kernel_seconds_; }

    [[nodiscard]] std::vector<StateArray> state() const override {
        std::vector<StateArray> all;
        Calls::StateEntry array{};
        for (int i = 0; calls().state(program(), i, &array) == 0 && array.name != nullptr; ++i)
            all.push_back({array.name, static_cast<WordType>(array.type), static_cast<std::uint64_t>(array.words)});
        return all;
    }
    [[nodiscard]] Diagnostics read_state(std::size_t index, void* values) override {
        return prepared_->said(calls().read_state(program(), static_cast<int>(index), values));
    }
    [[nodiscard]] Diagnostics write_state(std::size_t index, const void* values) override {
        return prepared_->said(calls().write_state(program(), static_cast<int>(index), values));
    }
    [[nodiscard]] Diagnostics seek(long long iteration) override {
        return prepared_->said(calls().seek(program(), iteration));
    }
    [[nodiscard]] Diagnostics load(std::size_t series, long long first, long long rows, const void* values) override {
        return prepared_->said(calls().load(program(), static_cast<int>(series), first, rows, values));
    }
    [[nodiscard]] Diagnostics save(std::size_t series, long long first, long long rows, void* values) override {
        return prepared_->said(calls().save(program(), static_cast<int>(series), first, rows, values));
    }

private:
    [[nodiscard]] const Calls& calls() const { return prepared_->calls(); }
    [[nodiscard]] void* program() const { return prepared_->get(); }

    std::unique_ptr<Prepared> prepared_;
    double kernel_seconds_ = 0;
};

/// A program without a loop: one piece, which its last call launches.
class LaunchedRun final : public PiecewiseRun {
public:
    LaunchedRun(std::unique_ptr<Prepared> prepared, EntryArguments arguments)
        : prepared_(std::move(prepared)), arguments_(std::move(arguments)) {}

    [[nodiscard]] Diagnostics advance(long long) override { return {}; }
    [[nodiscard]] Diagnostics finish() override {
        kasc_entry_call call = call_of(arguments_);
        call.kernel_seconds = &kernel_seconds_;
        return prepared_->said(prepared_->calls().launch_entry(&call, prepared_->get()));
    }
    [[nodiscard]] long long done() const override { return 0; }
    [[nodiscard]] long long total() const override { return 0; }
    [[nodiscard]] double kernel_seconds() const override { return kernel_seconds_; }

    [[nodiscard]] std::vector<StateArray> state() const override { return {}; }
    [[nodiscard]] Diagnostics read_state(std::size_t, void*) override { return {whole()}; }
    [[nodiscard]] Diagnostics write_state(std::size_t, const void*) override { return {whole()}; }
    [[nodiscard]] Diagnostics seek(long long) override { return {whole()}; }
    [[nodiscard]] Diagnostics load(std::size_t, long long, long long, const void*) override { return {whole()}; }
    [[nodiscard]] Diagnostics save(std::size_t, long long, long long, void*) override { return {whole()}; }

private:
    [[nodiscard]] static Diagnostic whole() { return run_fault("", 1, "a program without a loop runs whole"); }

    std::unique_ptr<Prepared> prepared_;
    EntryArguments arguments_;
    double kernel_seconds_ = 0;
};

class BuiltProgram final : public RepeatedRun {
public:
    explicit BuiltProgram(std::unique_ptr<Prepared> prepared) : prepared_(std::move(prepared)) {}

    [[nodiscard]] Outcome<double> compute(const EntryArguments& arguments) override {
        const Calls& calls = prepared_->calls();
        void* program = prepared_->get();
        double seconds = 0;
        kasc_entry_call call = call_of(arguments);
        call.kernel_seconds = &seconds;
        constexpr long long all = -1;
        int status = 0;
        if (calls.launch_entry != nullptr) {
            status = calls.launch_entry(&call, program);
        } else {
            status = calls.begin_entry(&call, program);
            if (status == 0) status = calls.advance(program, all, &seconds);
            if (status == 0) status = calls.finish(program);
        }
        if (status != 0) return failure<double>(prepared_->said(status));
        return success(seconds);
    }

private:
    std::unique_ptr<Prepared> prepared_;
};

Outcome<std::unique_ptr<Prepared>> prepare(const Entry& entry, const kasc_entry_call& call) {
    using Made = std::unique_ptr<Prepared>;
    Calls calls;
    if (const std::string missing = calls.find(entry); !missing.empty())
        return failure<Made>(placeless("K0804", "the program that was built lacks " + missing));
    void* program = nullptr;
    if (const int status = calls.prepare_entry(&call, &program); status != 0)
        return failure<Made>(said(entry, calls, status));
    return success(std::make_unique<Prepared>(entry, calls, program));
}

}  // namespace

Diagnostics PiecewiseRun::digest_state(std::size_t index, Digest& digest) {
    std::vector<std::byte> values(state().at(index).bytes());
    Diagnostics bad = read_state(index, values.data());
    digest = {};
    digest.add(values);
    return bad;
}

Diagnostics PiecewiseRun::store_state(std::size_t index, ArrayFile& file, std::size_t array) {
    std::vector<std::byte> values(state().at(index).bytes());
    if (Diagnostics bad = read_state(index, values.data()); !bad.empty()) return bad;
    return file.write(array, 0, values.data(), values.size());
}

Outcome<std::unique_ptr<RepeatedRun>> prepare_built(const Entry& entry, const EntryArguments& arguments) {
    using Made = std::unique_ptr<RepeatedRun>;
    auto prepared = prepare(entry, call_of(arguments));
    if (!prepared) return failure<Made>(std::move(prepared.diagnostics));
    return success<Made>(std::make_unique<BuiltProgram>(std::move(*prepared.value)));
}

Outcome<std::unique_ptr<PiecewiseRun>> begin_built(const Entry& entry, const EntryArguments& arguments) {
    using Begun = std::unique_ptr<PiecewiseRun>;
    const kasc_entry_call call = call_of(arguments);
    auto made = prepare(entry, call);
    if (!made) return failure<Begun>(std::move(made.diagnostics));
    std::unique_ptr<Prepared> prepared = std::move(*made.value);
    const Calls& calls = prepared->calls();
    if (calls.launch_entry != nullptr)
        return success<Begun>(std::make_unique<LaunchedRun>(std::move(prepared), arguments));
    if (const int status = calls.begin_entry(&call, prepared->get()); status != 0)
        return failure<Begun>(prepared->said(status));
    return success<Begun>(std::make_unique<BuiltRun>(std::move(prepared)));
}

}  // namespace kasc::runtime
