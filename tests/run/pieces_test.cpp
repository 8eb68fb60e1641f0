// Runs in pieces: at every iteration the state moves into a new run of another plan, series lie in windows of every
// size, and the results equal those of one call, bit for bit. Runs are of emitted code, in checking mode, and of host
// plans that are walked, by one device, by three ranks that do what they are asked for late and in a random order, and
// by three processes, here threads, some of them late: their results are those of emitted code.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <map>

#include "driver/compilation.hpp"
#include "emit/emit.hpp"
#include "engine/conducted_run.hpp"
#include "execute/plan_run.hpp"
#include "run/pieces_cases.hpp"
#include "runtime/building/build.hpp"
#include "runtime/devices/cpu_device.hpp"
#include "runtime/devices/played_ranks.hpp"
#include "runtime/runs/piecewise_run.hpp"
#include "support/temporary.hpp"
#include "support/thread_ranks.hpp"

namespace kasc {
namespace {

enum class How { built, walked, shared, together };
std::ostream& operator<<(std::ostream& out, How how) {
    constexpr std::array names{"built", "walked", "shared", "together"};
    return out << names.at(static_cast<std::size_t>(how));
}

/// One plan of a program.
struct BuiltPlan {
    runtime::Entry entry;                            ///< of its emitted code
    std::shared_ptr<const Compilation> compilation;  ///< walked: its first plan is run
    std::string kernels;                             ///< a library of them
};

/// Rank 0's run, and the threads that follow it.
class Together final : public runtime::PiecewiseRun {
public:
    static constexpr int ranks = 3;
    /// `begin`: the run of a rank.
    template <class Begin>
    Together(const Begin& begin, unsigned seed) : all_(std::make_shared<test::ThreadRanks>()) {
        for (int rank = 0; rank < ranks; ++rank)
            own_.push_back(std::make_unique<test::ThreadRank>(all_, rank, ranks, seed));
        for (int rank = 1; rank < ranks; ++rank) {
            others_.emplace_back([this, begin, rank] {
                runtime::Communicator& own = *own_.at(static_cast<std::size_t>(rank));
                const auto run = begin(own);
                static_cast<void>(follow(*run, own));  // what fails on one fails on all of them
            });
        }
        run_ = conduct(begin(*own_.front()), *own_.front());
    }
    Together(const Together&) = delete;
    Together& operator=(const Together&) = delete;
    ~Together() override {
        run_.reset();
        for (std::thread& other : others_) other.join();
    }

    [[nodiscard]] Diagnostics advance(long long n) override { return run_->advance(n); }
    [[nodiscard]] Diagnostics finish() override { return run_->finish(); }
    [[nodiscard]] long long done() const override { return run_->done(); }
    [[nodiscard]] long long total() const override { return run_->total(); }
    [[nodiscard]] double kernel_seconds() const override { return run_->kernel_seconds(); }
    [[nodiscard]] std::vector<runtime::StateArray> state() const override { return run_->state(); }
    [[nodiscard]] Diagnostics read_state(std::size_t index, void* values) override {
        return run_->read_state(index, values);
    }
    [[nodiscard]] Diagnostics write_state(std::size_t index, const void* values) override {
        return run_->write_state(index, values);
    }
    [[nodiscard]] Diagnostics seek(long long iteration) override { return run_->seek(iteration); }
    [[nodiscard]] Diagnostics load(std::size_t series, long long first, long long rows, const void* values) override {
        return run_->load(series, first, rows, values);
    }
    [[nodiscard]] Diagnostics save(std::size_t series, long long first, long long rows, void* values) override {
        return run_->save(series, first, rows, values);
    }

private:
    const std::shared_ptr<test::ThreadRanks> all_;
    std::vector<std::unique_ptr<test::ThreadRank>> own_;
    std::vector<std::thread> others_;
    std::unique_ptr<runtime::PiecewiseRun> run_;
};

class Pieces : public testing::TestWithParam<std::tuple<PiecesCase, How>> {
protected:
    using Arrays = std::vector<std::vector<float>>;

    [[nodiscard]] static const PiecesCase& program() { return std::get<0>(GetParam()); }

    void build_kernels(const PiecesCase& c, const std::string& strategy, const CompileRequest& request,
                       BuiltPlan& plan) {
        const HostPlan& host = *plan.compilation->plans.front().host;
        const auto module =
            emit::emit_module({plan.compilation->program, plan.compilation->library, host, emit::Target::cpu, nullptr,
                               (request.data_folder / "support").string(), 0});
        ASSERT_TRUE(module);
        const std::filesystem::path& folder = kernels_.path();
        ASSERT_EQ(module->units.size(), 1U);
        const emit::EmittedFile& unit = module->units.front();
        test::write_file(folder / unit.name, unit.text);
        for (const emit::EmittedFile& header : module->headers) test::write_file(folder / header.name, header.text);
        runtime::BuildRequest build;
        build.sources.push_back((folder / unit.name).string());
        build.library = plan.kernels = (folder / (c.name + "_" + strategy + ".so")).string();
        build.link_names = module->libraries;
        build.purpose = runtime::BuildPurpose::one_look;
        const auto built = runtime::build_shared_library(build);
        ASSERT_TRUE(built) << built.diagnostics.front().message;
    }

    template <class Run>
    [[nodiscard]] static std::unique_ptr<Run> begun(Outcome<std::unique_ptr<Run>> run) {
        EXPECT_TRUE(run) << run.diagnostics.front().message;
        return run ? std::move(*run.value) : nullptr;
    }
    [[nodiscard]] static std::unique_ptr<execute::WalkedRun> walk(const BuiltPlan& plan,
                                                                  const runtime::EntryArguments& arguments,
                                                                  bool copies = false) {
        auto device = runtime::open_cpu_device(plan.kernels, copies);
        EXPECT_TRUE(device);
        if (!device) return nullptr;
        const Compilation& c = *plan.compilation;
        static unsigned seed = 0;
        if (std::get<1>(GetParam()) == How::shared)
            device.value = runtime::play_ranks(std::move(*device.value), 3, ++seed);
        return begun(execute::begin_plan({c.program, c.library, *c.plans.front().host, arguments,
                                          std::move(*device.value), ranks::Sharing::always}));
    }
    [[nodiscard]] static std::unique_ptr<runtime::PiecewiseRun> walk_together(
        const BuiltPlan& plan, const runtime::EntryArguments& arguments) {
        static unsigned seed = 0;
        ++seed;
        // Messages lie where arrays do, or are brought there, as of GPUs.
        const auto rank = [plan, arguments, copies = seed % 2 == 0](runtime::Communicator& own) {
            // A library of its own: what one has learned of its loops is not another's.
            const std::string library = plan.kernels + std::to_string(own.rank());
            std::filesystem::copy_file(plan.kernels, library, std::filesystem::copy_options::skip_existing);
            auto device = runtime::open_cpu_device(library, copies);
            runtime::EntryArguments given = arguments;
            if (own.rank() > 0) {
                std::fill(given.inputs.begin(), given.inputs.end(), nullptr);
                std::fill(given.outputs.begin(), given.outputs.end(), nullptr);
            }
            const Compilation& c = *plan.compilation;
            return begun(execute::begin_plan({c.program, c.library, *c.plans.front().host, given,
                                              std::move(*device.value), ranks::Sharing::always, &own}));
        };
        return std::make_unique<Together>(rank, seed);
    }
    [[nodiscard]] static std::unique_ptr<runtime::PiecewiseRun> begin(const BuiltPlan& plan,
                                                                      const runtime::EntryArguments& arguments) {
        if (std::get<1>(GetParam()) == How::together) return walk_together(plan, arguments);
        if (std::get<1>(GetParam()) != How::built) return walk(plan, arguments);
        return begun(runtime::begin_built(plan.entry, arguments));
    }

    /// Built once for all tests of a program.
    void build(const PiecesCase& c) {
        for (const char* strategy : {"exact", "none"}) {
            CompileRequest request;
            request.source = make_source(c.name + ".kas", c.source);
            request.data_folder = KASC_SOURCE_DIR;
            request.plan.strategy = strategy;
            if (c.steps > 1) request.lists = Lists::cells;  // of both plans
            request.steps = std::string(strategy) == "exact" ? c.steps : 1;
            const auto compiled = compile(request);
            ASSERT_TRUE(compiled);
            const auto code = emit_plan(*compiled, request, 0, emit::Target::cpu_checking);
            ASSERT_TRUE(code);
            const test::Temporary here;
            const std::filesystem::path& folder = here.path();
            for (const emit::EmittedFile& file : code->files) test::write_file(folder / file.name, file.text);
            test::write_file(folder / code->entry.name, code->entry.text);
            runtime::BuildRequest build;
            build.target = runtime::BuildTarget::cpu;
            build.sources = {(folder / (c.name + ".cpp")).string(), (folder / code->entry.name).string()};
            build.library = (folder / "program.so").string();
            if (c.name == "spectra") build.link_names = {"fftw3f"};
            const auto built = runtime::build_shared_library(build);
            ASSERT_TRUE(built) << built.diagnostics.front().message;
            BuiltPlan plan{*runtime::load_entry(*built.value, c.name).value,  // stays when the file goes
                           std::make_shared<const Compilation>(*compiled), ""};
            ASSERT_NO_FATAL_FAILURE(build_kernels(c, strategy, request, plan));
            built_[c.name].push_back(std::move(plan));
        }
    }

    void SetUp() override {
        const PiecesCase& c = program();
        if (c.name == "spectra" && std::get<1>(GetParam()) == How::together)
            GTEST_SKIP() << "threads may not make FFTW's plans at the same time";
        if (!built_.contains(c.name)) build(c);
        plans_ = built_[c.name];
        unsigned random = 7;
        for (const std::size_t words : c.input_words) {
            inputs_.emplace_back(words);
            for (float& word : inputs_.back())
                word = static_cast<float>((random = random * 1664525U + 1013904223U) >> 20U) / 2048.0F - 1.0F;
        }
    }

    [[nodiscard]] runtime::EntryArguments arguments(Arrays& outputs, long long rows) const {
        const PiecesCase& c = program();
        runtime::EntryArguments a;
        a.extents = c.extents;
        a.parameters = c.parameters;
        for (const auto& input : inputs_) a.inputs.push_back(input.data());
        outputs.clear();
        for (const std::size_t words : c.output_words) outputs.emplace_back(words, NAN);
        for (auto& output : outputs) a.outputs.push_back(output.data());
        if (rows == 0) return a;
        a.rows.assign(c.series.size(), rows);
        for (const SeriesCase& s : c.series) {
            if (s.input) {
                a.inputs[s.position] = nullptr;
            } else {
                a.outputs[s.position] = nullptr;
                std::fill(outputs[s.position].begin(), outputs[s.position].end(), 0.0F);
            }
        }
        return a;
    }

    /// The state goes to a new run of the other plan behind each piece.
    void move_between_plans(long long piece);

    [[nodiscard]] Arrays whole() const {
        Arrays outputs;
        runtime::EntryArguments a = arguments(outputs, 0);
        EXPECT_TRUE(runtime::invoke(plans_[0].entry, a));
        return outputs;
    }

    static inline std::map<std::string, std::vector<BuiltPlan>> built_;
    static inline const test::Temporary kernels_;
    std::vector<BuiltPlan> plans_;  ///< of one program
    Arrays inputs_;
};

std::string text(const Diagnostics& diagnostics) { return diagnostics.empty() ? "" : diagnostics.front().message; }

void Pieces::move_between_plans(long long piece) {
    std::array<Arrays, 2> outputs;  // a run's own: what one begins must not be another's state
    auto run = begin(plans_[0], arguments(outputs[0], 0));
    ASSERT_TRUE(run);
    const long long total = run->total();
    EXPECT_EQ(text(run->advance(0)), "");
    std::vector<std::string> names;
    for (const auto& array : run->state()) names.push_back(array.name);
    EXPECT_EQ(names, program().state);
    std::size_t other = 0;
    for (long long n = piece; n < total; n += piece) {
        ASSERT_EQ(text(run->advance(piece)), "");
        ASSERT_EQ(run->done(), n);
        other = 1 - other;
        auto next = begin(plans_[other], arguments(outputs[other], 0));
        ASSERT_TRUE(next);
        ASSERT_EQ(text(next->advance(0)), "");
        ASSERT_EQ(text(next->seek(n)), "");
        const auto from = run->state(), to = next->state();
        for (std::size_t i = 0; i < to.size(); ++i) {
            const auto same =
                std::find_if(from.begin(), from.end(), [&](const auto& f) { return f.name == to[i].name; });
            ASSERT_NE(same, from.end()) << to[i].name;
            std::vector<float> values(to[i].words);
            ASSERT_EQ(text(run->read_state(static_cast<std::size_t>(same - from.begin()), values.data())), "");
            ASSERT_EQ(text(next->write_state(i, values.data())), "");
        }
        run = std::move(next);
    }
    ASSERT_EQ(text(run->finish()), "");
    EXPECT_EQ(outputs[other], whole()) << piece;
}

TEST_P(Pieces, StateMovesBetweenPlansAtEveryIteration) { move_between_plans(1); }

TEST_P(Pieces, StateMovesBetweenPlansBetweenPiecesOfAnyLength) {
    for (const long long piece : {2, 3, 5, 7, 11}) ASSERT_NO_FATAL_FAILURE(move_between_plans(piece));
}

TEST_P(Pieces, PiecesOfAnyLengthMakeTheSame) {
    const Arrays expected = whole();
    for (const BuiltPlan& plan : plans_) {
        for (const long long piece : {1, 3, 4, 7, 9}) {
            Arrays outputs;
            auto run = begin(plan, arguments(outputs, 0));
            ASSERT_TRUE(run);
            while (run->done() < run->total()) ASSERT_EQ(text(run->advance(piece)), "");
            ASSERT_EQ(text(run->finish()), "");
            EXPECT_EQ(outputs, expected) << piece;
        }
    }
}

TEST_P(Pieces, ARewoundRunComputesTheSame) {
    if (std::get<1>(GetParam()) == How::built) GTEST_SKIP() << "of walked plans alone";
    const Arrays expected = whole();
    for (const BuiltPlan& plan : plans_) {
        Arrays outputs;
        const runtime::EntryArguments given = arguments(outputs, 0);
        auto run = walk(plan, given);
        ASSERT_TRUE(run);
        // Rewound at its start, in the midst and at its end.
        for (const long long pieces : {0LL, 2LL, -1LL, -1LL}) {
            ASSERT_EQ(text(run->advance(pieces)), "");
            if (pieces < 0) {
                ASSERT_EQ(text(run->finish()), "");
                EXPECT_EQ(outputs, expected);
                for (auto& output : outputs) std::fill(output.begin(), output.end(), NAN);
            }
            ASSERT_EQ(text(run->rewind(given)), "");
            EXPECT_EQ(run->done(), 0);
        }
    }
}

TEST_P(Pieces, ARewoundRunTakesOtherArraysOfTheHost) {
    if (std::get<1>(GetParam()) == How::built) GTEST_SKIP() << "of walked plans alone";
    const Arrays expected = whole();
    for (const BuiltPlan& plan : plans_) {
        Arrays outputs, others;
        auto run = walk(plan, arguments(outputs, 0), true);
        ASSERT_TRUE(run);
        ASSERT_EQ(text(run->finish()), "");
        EXPECT_EQ(outputs, expected);
        Arrays former = std::exchange(inputs_, Arrays(inputs_));
        for (Arrays* arrays : {&former, &outputs}) {
            for (auto& array : *arrays) std::fill(array.begin(), array.end(), NAN);
        }
        ASSERT_EQ(text(run->rewind(arguments(others, 0))), "");
        ASSERT_EQ(text(run->finish()), "");
        EXPECT_EQ(others, expected);
        for (const auto& output : outputs) EXPECT_TRUE(std::isnan(output.front()));
    }
}

TEST_P(Pieces, SeriesLieInWindows) {
    const PiecesCase& c = program();
    const Arrays expected = whole();
    for (long long rows = 1; rows < 5 && !c.series.empty(); ++rows) {
        Arrays outputs;
        auto run = begin(plans_[static_cast<std::size_t>(rows % 2)], arguments(outputs, rows));
        ASSERT_TRUE(run);
        while (run->done() < run->total()) {
            const long long first = run->done();
            long long piece = rows;
            for (std::size_t i = 0; i < c.series.size(); ++i) {
                const SeriesCase& s = c.series[i];
                const auto from = s.row(first);
                if (!from) continue;
                piece = std::min(piece, s.start + s.iterations - first);
                const float* values =
                    s.input ? &inputs_[s.position][static_cast<std::size_t>(*from * s.row_words)] : nullptr;
                ASSERT_EQ(text(run->load(i, *from, std::min(rows, s.extent - *from), values)), "");
            }
            ASSERT_EQ(text(run->advance(piece)), "");
            for (std::size_t i = 0; i < c.series.size(); ++i) {
                const SeriesCase& s = c.series[i];
                const auto from = s.row(first);
                if (s.input || !from) continue;
                float* to = &outputs[s.position][static_cast<std::size_t>(*from * s.row_words)];
                ASSERT_EQ(text(run->save(i, *from, piece, to)), "");
            }
        }
        ASSERT_EQ(text(run->finish()), "");
        EXPECT_EQ(outputs, expected) << rows;
    }
}

TEST_P(Pieces, AnIterationWithoutItsRowsFails) {
    if (program().series.empty()) return;
    Arrays outputs;
    auto run = begin(plans_[0], arguments(outputs, 2));
    ASSERT_TRUE(run);
    const Diagnostics said = run->advance(1);
    ASSERT_EQ(said.size(), 1U);
    EXPECT_EQ(said.front().code, "K0811");
    EXPECT_NE(said.front().message.find("is not in its window"), std::string::npos) << said.front().message;
    const float* values = program().series.front().input ? inputs_[program().series.front().position].data() : nullptr;
    EXPECT_NE(text(run->load(0, 0, 3, values)).find("do not fit its window"), std::string::npos);
    EXPECT_NE(text(run->load(99, 0, 1, inputs_[0].data())), "");
    EXPECT_NE(text(run->seek(1000)), "");
    EXPECT_NE(text(run->read_state(99, nullptr)), "");
}

INSTANTIATE_TEST_SUITE_P(Programs, Pieces,
                         testing::Combine(testing::ValuesIn(pieces_cases),
                                          testing::Values(How::built, How::walked, How::shared, How::together)),
                         [](const auto& given) {
                             return std::get<0>(given.param).name + "_" +
                                    testing::PrintToString(std::get<1>(given.param));
                         });

}  // namespace
}  // namespace kasc
