#include "random/runs_by_ranks.hpp"

#include <algorithm>
#include <thread>

#include "contract/check_data.hpp"
#include "execute/plan_run.hpp"
#include "random/interpreted_device.hpp"
#include "random/memory_words.hpp"
#include "runtime/devices/played_ranks.hpp"
#include "support/thread_ranks.hpp"

namespace kasc::random {

using namespace test;
using test::Problem;  // not the model's

namespace {

/// Complex cells are two words.
kernel::Type word_in_memory(CellType type) {
    const kernel::Type word = kernel::word_type(type);
    return word == kernel::Type::c32 ? kernel::Type::f32 : word == kernel::Type::c64 ? kernel::Type::f64 : word;
}
Bytes packed(CellType type, const Cells& cells) {
    Bytes bytes;
    with_word(type == CellType::uint8 ? kernel::Type::u8 : word_in_memory(type), [&]<class Word>(Word) {
        bytes.resize(cells.size() * sizeof(Word));
        write_words<Word>(bytes.data(), cells);
    });
    return bytes;
}
Cells unpacked(CellType type, const Bytes& bytes) {
    Cells cells;
    with_word(type == CellType::uint8 ? kernel::Type::u8 : word_in_memory(type), [&]<class Word>(Word) {
        cells.resize(bytes.size() / sizeof(Word));
        read_words<Word>(bytes.data(), cells);
    });
    return cells;
}

/// Inputs and outputs of a run as the host has them.
struct HostArrays {
    std::vector<Bytes> inputs, outputs;
    runtime::EntryArguments arguments;
};

HostArrays host_arrays(const Program& program, const FieldRunCase& run) {
    HostArrays host;
    host.arguments.extents = run.problem.extents;
    host.arguments.parameters = run.problem.parameters;
    const auto type_of = [&](VariableId v) { return field_shape(program, v).type; };
    for (std::size_t k = 0; k < program.inputs.size(); ++k)
        host.inputs.push_back(packed(type_of(program.inputs[k]), run.inputs[k]));
    for (const VariableId v : program.outputs) {
        const Cells cells(word_count(run.problem, field_shape(program, v)));
        host.outputs.push_back(packed(type_of(v), cells));
    }
    for (const Bytes& input : host.inputs) host.arguments.inputs.push_back(input.data());
    for (Bytes& output : host.outputs) host.arguments.outputs.push_back(output.data());
    return host;
}

/// What a process has of them; the rest of its arrays is noise.
class HostParts {
public:
    runtime::EntryArguments arguments;

    HostParts(const Program& program, const execute::ProcessArrays& arrays, const HostArrays& host, int rank)
        : arguments(host.arguments), inputs_(host.inputs), outputs_(host.outputs) {
        std::vector<bool> in_rows;
        for (const VariableId v : program.inputs) in_rows.push_back(arrays.ends.contains(v));
        const std::vector<bool> whole = asked_whole(program, contract_of(program), in_rows);
        for (std::size_t k = 0; k < inputs_.size(); ++k) {
            const bool split = in_rows[k] && !whole[k];
            arguments.inputs_held.push_back(split ? runtime::HeldBy::parts : runtime::HeldBy::each);
            if (split) {
                const auto [low, high] = bytes_of(arrays.ends.at(program.inputs[k]), rank, inputs_[k].size());
                std::fill(inputs_[k].begin(), inputs_[k].begin() + low, noise);
                std::fill(inputs_[k].begin() + high, inputs_[k].end(), noise);
            }
            arguments.inputs[k] = inputs_[k].data();
        }
        for (std::size_t k = 0; k < outputs_.size(); ++k) {
            const auto ends = arrays.ends.find(program.outputs[k]);
            const bool split = ends != arrays.ends.end();
            arguments.outputs_held.push_back(split ? runtime::HeldBy::parts : runtime::HeldBy::first);
            const auto all = static_cast<std::ptrdiff_t>(outputs_[k].size());
            own_.push_back(split ? bytes_of(ends->second, rank, outputs_[k].size())
                                 : std::pair(std::ptrdiff_t{0}, rank == 0 ? all : 0));
            arguments.outputs[k] = outputs_[k].data();
        }
    }
    /// Results of this process to those of all.
    void bring(HostArrays& host) const {
        for (std::size_t k = 0; k < outputs_.size(); ++k)
            std::copy(outputs_[k].begin() + own_[k].first, outputs_[k].begin() + own_[k].second,
                      host.outputs[k].begin() + own_[k].first);
    }

private:
    static constexpr std::byte noise{0xa5};
    std::vector<Bytes> inputs_, outputs_;
    std::vector<std::pair<std::ptrdiff_t, std::ptrdiff_t>> own_;

    static std::pair<std::ptrdiff_t, std::ptrdiff_t> bytes_of(const std::vector<long long>& ends, int rank,
                                                              std::size_t bytes) {
        const auto plane = static_cast<std::ptrdiff_t>(bytes) / ends.back();
        const auto r = static_cast<std::size_t>(rank);
        return {r == 0 ? 0 : ends[r - 1] * plane, ends[r] * plane};
    }
};

/// What is wrong; empty: nothing.
std::string walk(execute::PlanRunRequest request) {
    auto begun = execute::begin_plan(std::move(request));
    Diagnostics said = begun.diagnostics;
    if (begun) {
        execute::WalkedRun& walked = **begun.value;
        said = walked.advance(1);  // a piece ends, and the rest is another
        if (said.empty()) said = walked.advance(-1);
        if (said.empty()) said = walked.finish();
    }
    return said.empty() ? "" : said.front().message;
}

FieldPlanRun result_of(const Program& program, const HostArrays& host, std::string fault) {
    FieldPlanRun result;
    result.fault = std::move(fault);
    for (std::size_t k = 0; k < host.outputs.size(); ++k)
        result.outputs.push_back(unpacked(field_shape(program, program.outputs[k]).type, host.outputs[k]));
    return result;
}

}  // namespace

FieldPlanRun run_by_ranks(const Program& program, const Library& library, const TestedFieldPlan& plan,
                          const FieldRunCase& run, int ranks, unsigned seed) {
    const HostArrays host = host_arrays(program, run);
    auto device = runtime::play_ranks(interpreted_device(plan, run.problem), ranks, seed);
    std::string fault = walk({program, library, plan.host, host.arguments, std::move(device), ranks::Sharing::always});
    return result_of(program, host, std::move(fault));
}

FieldPlanRun run_by_processes(const Program& program, const Library& library, const TestedFieldPlan& plan,
                              const FieldRunCase& run, int ranks, unsigned seed) {
    HostArrays host = host_arrays(program, run);
    const execute::ProcessArrays arrays = execute::process_arrays(program, library, plan.host, host.arguments,
                                                                  {ranks, ranks::Sharing::always, ranks::Memory::own});
    const auto all = std::make_shared<test::ThreadRanks>();
    std::vector<std::string> faults(static_cast<std::size_t>(ranks));
    const auto walk_rank = [&](int rank) {
        test::ThreadRank own(all, rank, ranks, seed);
        HostParts parts(program, arrays, host, rank);
        const runtime::EntryArguments& arguments = parts.arguments;
        std::string& fault = faults[static_cast<std::size_t>(rank)];
        try {
            const bool rims = seed % 2 == 1;  // as on GPUs, which go on beside an exchange
            std::unique_ptr<runtime::ComputeDevice> device = interpreted_device(plan, run.problem);
            if (rims) device = runtime::play_ranks(std::move(device), 1, seed + static_cast<unsigned>(rank));
            fault = walk({program, library, plan.host, arguments, std::move(device), ranks::Sharing::always, &own,
                          rims ? ranks::Processor::gpu : ranks::Processor::cpu});
        } catch (const std::runtime_error& e) {
            fault = e.what();
        }
        if (!fault.empty()) all->end();
        parts.bring(host);
    };
    std::vector<std::thread> others;
    for (int rank = 1; rank < ranks; ++rank) others.emplace_back(walk_rank, rank);
    walk_rank(0);
    for (std::thread& other : others) other.join();
    std::string told;
    for (const std::string& fault : faults)
        if (told.empty() || (!fault.empty() && fault.find("another rank") == std::string::npos)) told = fault;
    return result_of(program, host, told);
}

}  // namespace kasc::random
