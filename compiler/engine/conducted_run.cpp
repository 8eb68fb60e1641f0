#include "engine/conducted_run.hpp"

#include <cstdint>
#include <exception>

#include "runtime/processes/agreed.hpp"

namespace kasc {

namespace {

enum class Call : std::int64_t {
    end,
    advance,
    finish,
    read_state,
    write_state,
    digest_state,
    store_state,
    take_state,
    seek,
    load,
    load_zeros,
    save
};

constexpr const char* not_stored = "K0721";

/// As it is sent.
struct Told {
    Call call = Call::end;
    long long a = 0, b = 0, c = 0;
};

/// Each process stores its rows of an array in the file that rank 0 has made. `file`: there, elsewhere null.
Diagnostics store_together(runtime::PiecewiseRun& run, std::size_t index, runtime::ArrayFile* file, std::size_t array,
                           runtime::Communicator& processes) {
    const std::string path = broadcast_text(processes, file != nullptr ? file->path() : "");
    std::uint64_t place = file != nullptr ? file->places().at(array) : 0;
    processes.broadcast(&place, sizeof(place));
    if (file != nullptr) {
        if (Diagnostics bad = agreed(&processes, {}, not_stored); !bad.empty()) return bad;
        return agreed(&processes, run.store_state(index, *file, array), not_stored);
    }
    const runtime::StateArray of = run.state().at(index);
    auto own = runtime::ArrayFile::reopen(path, {{of.name, {of.words}, of.type}}, {place});
    if (Diagnostics bad = agreed(&processes, own.diagnostics, not_stored); !bad.empty()) return bad;
    Diagnostics bad = run.store_state(index, *own.value, 0);
    // To disk: rank 0, which puts the file in its place, may be on another machine.
    if (bad.empty()) bad = own.value->sync();
    return agreed(&processes, std::move(bad), not_stored);
}

class ConductedRun final : public runtime::PiecewiseRun {
public:
    ConductedRun(std::unique_ptr<runtime::PiecewiseRun> run, runtime::Communicator& processes)
        : run_(std::move(run)), processes_(processes) {}
    ConductedRun(const ConductedRun&) = delete;
    ConductedRun& operator=(const ConductedRun&) = delete;
    ~ConductedRun() override {
        if (!failed_ && std::uncaught_exceptions() == 0) tell({});
    }

    [[nodiscard]] Diagnostics advance(long long iterations) override {
        tell({Call::advance, iterations});
        return judged(run_->advance(iterations));
    }
    [[nodiscard]] Diagnostics finish() override {
        tell({Call::finish});
        return judged(run_->finish());
    }
    [[nodiscard]] long long done() const override { return run_->done(); }
    [[nodiscard]] long long total() const override { return run_->total(); }
    [[nodiscard]] double kernel_seconds() const override { return run_->kernel_seconds(); }
    [[nodiscard]] std::vector<runtime::StateArray> state() const override { return run_->state(); }
    [[nodiscard]] Diagnostics read_state(std::size_t index, void* values) override {
        tell({Call::read_state, static_cast<long long>(index)});
        return judged(run_->read_state(index, values));
    }
    [[nodiscard]] Diagnostics write_state(std::size_t index, const void* values) override {
        tell({Call::write_state, static_cast<long long>(index)});
        return judged(run_->write_state(index, values));
    }
    [[nodiscard]] Diagnostics digest_state(std::size_t index, runtime::Digest& digest) override {
        tell({Call::digest_state, static_cast<long long>(index)});
        return judged(run_->digest_state(index, digest));
    }
    [[nodiscard]] Diagnostics store_state(std::size_t index, runtime::ArrayFile& file, std::size_t array) override {
        tell({Call::store_state, static_cast<long long>(index)});
        return judged(store_together(*run_, index, &file, array, processes_));
    }
    [[nodiscard]] Diagnostics take_state(std::size_t index, const void* values) override {
        tell({Call::take_state, static_cast<long long>(index)});
        return judged(run_->take_state(index, values));
    }
    [[nodiscard]] Diagnostics seek(long long iteration) override {
        tell({Call::seek, iteration});
        return judged(run_->seek(iteration));
    }
    [[nodiscard]] Diagnostics load(std::size_t series, long long first, long long rows, const void* values) override {
        tell({values != nullptr ? Call::load : Call::load_zeros, static_cast<long long>(series), first, rows});
        return judged(run_->load(series, first, rows, values));
    }
    [[nodiscard]] Diagnostics save(std::size_t series, long long first, long long rows, void* values) override {
        tell({Call::save, static_cast<long long>(series), first, rows});
        return judged(run_->save(series, first, rows, values));
    }

private:
    const std::unique_ptr<runtime::PiecewiseRun> run_;
    runtime::Communicator& processes_;
    bool failed_ = false;

    void tell(Told told) {
        if (!failed_) processes_.broadcast(&told, sizeof(told));
    }
    Diagnostics judged(Diagnostics said) {
        failed_ = failed_ || has_errors(said);
        return said;
    }
};

}  // namespace

std::unique_ptr<runtime::PiecewiseRun> conduct(std::unique_ptr<runtime::PiecewiseRun> run,
                                               runtime::Communicator& processes) {
    return std::make_unique<ConductedRun>(std::move(run), processes);
}

Diagnostics follow(runtime::PiecewiseRun& run, runtime::Communicator& processes, const runtime::Checkpoint* from) {
    for (;;) {
        Told told;
        processes.broadcast(&told, sizeof(told));
        const auto index = static_cast<std::size_t>(told.a);
        static const char any = 0;  // stands for values that rank 0 has
        Diagnostics said;
        switch (told.call) {
            case Call::end:
                return {};
            case Call::advance:
                said = run.advance(told.a);
                break;
            case Call::finish:
                said = run.finish();
                break;
            case Call::read_state:
                said = run.read_state(index, nullptr);
                break;
            case Call::write_state:
                said = run.write_state(index, nullptr);
                break;
            case Call::digest_state: {
                runtime::Digest of_all;
                said = run.digest_state(index, of_all);
                break;
            }
            case Call::store_state:
                said = store_together(run, index, nullptr, 0, processes);
                break;
            case Call::take_state:
                said = run.take_state(index, from == nullptr ? nullptr : find_state(*from, run.state().at(index)));
                break;
            case Call::seek:
                said = run.seek(told.a);
                break;
            case Call::load:
            case Call::load_zeros:
                said = run.load(index, told.b, told.c, told.call == Call::load ? &any : nullptr);
                break;
            case Call::save:
                said = run.save(index, told.b, told.c, nullptr);
                break;
        }
        if (has_errors(said)) return said;
    }
}

}  // namespace kasc
