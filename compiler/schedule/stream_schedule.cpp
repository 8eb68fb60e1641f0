// Makes a kernel's schedule in the order of its decisions: implementations at the chosen number of elements, the
// residence of every value, the steps, lifetimes and the layout of shared memory, barriers.

#include "schedule/stream_schedule.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "schedule/stream_code.hpp"
#include "schedule/stream_task.hpp"

namespace kasc {

namespace {

constexpr int most_threads_z = 64;  // of a block, on every CUDA device so far

BlockShape kernel_block(const StreamTask& task) {
    BlockShape block = task.calls.front().enumerated.block;
    for (const TaskCall& call : task.calls)
        if (thread_count(call.enumerated.block) > thread_count(block)) block = call.enumerated.block;
    return block;
}

std::vector<Placement> place(const std::map<ValueId, ValueResidence>& residence, const std::vector<Step>& steps) {
    std::vector<Placement> placements;
    for (const auto& [value, lies] : residence) {
        Placement placement{value, lies.where, lies.reason, lies.words, 0, static_cast<int>(steps.size()), 0};
        for (int k = 0; k < static_cast<int>(steps.size()); ++k) {
            const Step& step = steps[static_cast<std::size_t>(k)];
            const bool reads = std::find(step.reads.begin(), step.reads.end(), value) != step.reads.end();
            if (!reads && step.writes != value) continue;
            placement.first_step = std::min(placement.first_step, k);
            placement.last_step = std::max(placement.last_step, k);
        }
        placements.push_back(std::move(placement));
    }
    return placements;
}

const Implementation& implementation_of(const Graph& graph, const Library& library, const Fusion& fusion,
                                        const StreamChoice& choice, std::size_t k) {
    const FunctionId callee = std::get<StreamCall>(graph.nodes[fusion.calls[k]].what).callee;
    return library.functions[callee].implementations[static_cast<std::size_t>(choice.implementations[k])];
}

/// Empty, or why the choice does not fit the fusion at all.
std::string choice_fault(const Graph& graph, const Library& library, const Fusion& fusion, const StreamChoice& choice) {
    if (fusion.calls.empty()) return "the fusion has no call";
    if (choice.elements < 1 || choice.batch < 1) return "a block serves at least one element";
    if (choice.implementations.size() != fusion.calls.size()) return "the choice names another number of calls";
    for (std::size_t k = 0; k < fusion.calls.size(); ++k) {
        const auto* call = std::get_if<StreamCall>(&graph.nodes[fusion.calls[k]].what);
        if (!call) return "a loop or field update is no elementary call";
        const Function& callee = library.functions[call->callee];
        const int index = choice.implementations[k];
        if (index < 0 || index >= static_cast<int>(callee.implementations.size()))
            return fmt::format("{} has no implementation {}", callee.name, index + 1);
        const Implementation& how = callee.implementations[static_cast<std::size_t>(index)];
        std::vector<const DeviceFunction*> parts{&how.compute, &how.save.function};
        for (const Transfer& load : how.loads) parts.push_back(&load.function);
        for (const DeviceFunction* part : parts)  // which threads reach it is not for the author to know
            if (part->text.find("__sync") != std::string::npos)
                return fmt::format("{} holds a barrier of its own", part->name);
    }
    return {};
}

void add_value(StreamTask& task, const Program& program, const Graph& graph, const Library& library, ValueId value) {
    const Variable& variable = program.variables[graph.values[value].variable];
    const auto* stream = std::get_if<StreamShape>(&variable.shape);
    task.values.emplace(value,
                        TaskValue{value_name(graph, program, value), stream ? library.types[stream->type].words : 1});
}

/// Whether every start expression can stand in the author's code where its value lies in shared memory.
std::string schedule_code_fault(const StreamSchedule& schedule, const Graph& graph, const Library& library) {
    const auto lies_shared = [&](ValueId value) {
        return std::any_of(schedule.placements.begin(), schedule.placements.end(),
                           [&](const Placement& p) { return p.value == value && p.where == Residence::shared; });
    };
    for (const Step& step : schedule.steps) {
        if (step.staged_words > 0) continue;
        const auto at = std::find(schedule.fusion.calls.begin(), schedule.fusion.calls.end(), step.call);
        const auto k = static_cast<std::size_t>(at - schedule.fusion.calls.begin());
        const Implementation& how = implementation_of(graph, library, schedule.fusion, schedule.choice, k);
        std::string fault;
        const auto check = [&](ValueId value, const Pattern& pattern, const DeviceFunction& function,
                               const AddressSet& set) {
            if (fault.empty() && lies_shared(value))
                fault = code_fault(pattern.start, function, macro_prefix(how.name), step.block, set.start);
        };
        if (step.kind == StepKind::load) {
            const Transfer& load = how.loads[step.argument];
            check(*step.writes, load.pattern, load.function, *step.write_set);
        } else if (step.kind == StepKind::save) {
            check(step.reads.front(), how.save.pattern, how.save.function, step.read_sets.front());
        } else {
            for (std::size_t r = 0; r < step.reads.size(); ++r)
                check(step.reads[r], how.inputs[r], how.compute, step.read_sets[r]);
            check(*step.writes, how.output, how.compute, *step.write_set);
        }
        if (!fault.empty()) return fault;
    }
    return {};
}

}  // namespace

StreamScheduleResult arrange_stream(const StreamTask& task) {
    StreamSchedule schedule;
    schedule.fusion = task.fusion;
    schedule.choice = task.choice;
    schedule.block = kernel_block(task);
    schedule.threads = thread_count(schedule.block);
    schedule.elements = task.choice.elements;
    for (const TaskCall& call : task.calls) schedule.implementations.push_back(call.enumerated);
    if (schedule.threads > task.max_threads)
        return {std::nullopt,
                fmt::format("{} threads are more than the device's {} a block", schedule.threads, task.max_threads)};
    if (schedule.block[2] > most_threads_z)
        return {std::nullopt, fmt::format("{} threads along z are more than {}", schedule.block[2], most_threads_z)};
    const std::map<ValueId, ValueResidence> residence = decide_residence(task);
    if (const std::string fault = layout_fault(task, residence); !fault.empty()) return {std::nullopt, fault};
    schedule.steps = order_steps(task, residence, schedule.block);
    SharedSpace space = share_space(task, place(residence, schedule.steps), schedule.steps, schedule.threads);
    schedule.placements = std::move(space.placements);
    schedule.shared_words = space.words;
    schedule.barriers = std::move(space.barriers);
    const long long shared_bytes = 4LL * schedule.shared_words;
    if (shared_bytes > task.max_shared_bytes)
        return {std::nullopt, fmt::format("{} bytes of shared memory are more than the device's {} a block",
                                          shared_bytes, task.max_shared_bytes)};
    return {std::move(schedule), {}};
}

StreamScheduleResult schedule_stream(const Program& program, const Graph& graph, Enumerations& enumerations,
                                     const Fusion& fusion, const StreamChoice& choice, int max_threads,
                                     int max_shared_bytes) {
    const Library& library = enumerations.library();
    if (std::string fault = choice_fault(graph, library, fusion, choice); !fault.empty()) return {std::nullopt, fault};
    StreamTask task{fusion, choice, {}, {}, max_threads, max_shared_bytes};
    for (std::size_t k = 0; k < fusion.calls.size(); ++k) {
        const Implementation& how = implementation_of(graph, library, fusion, choice, k);
        const EnumerationResult& enumerated = enumerations.of(how, choice.elements);
        if (!enumerated.value) {
            const bool faulty = enumerated.reason.empty() && !enumerated.diagnostics.empty();
            return {std::nullopt, fmt::format("{}: {}", how.name,
                                              faulty ? enumerated.diagnostics.front().message : enumerated.reason)};
        }
        if (thread_count(enumerated.value->block) > max_threads)
            return {std::nullopt,
                    fmt::format("{} needs {} threads for {} elements, the device has {} a block", how.name,
                                thread_count(enumerated.value->block), choice.elements, max_threads)};
        const Node& node = graph.nodes[fusion.calls[k]];
        for (const ValueId value : node.reads) add_value(task, program, graph, library, value);
        add_value(task, program, graph, library, node.writes.front());
        task.calls.push_back({fusion.calls[k], how.name, node.reads, node.writes.front(), *enumerated.value});
    }
    StreamScheduleResult result = arrange_stream(task);
    if (result.value)
        if (std::string fault = schedule_code_fault(*result.value, graph, library); !fault.empty())
            return {std::nullopt, fault};
    return result;
}

}  // namespace kasc
