// Makes a kernel's schedule in the order of its decisions: implementations at the chosen number of elements, the
// residence of every value, the steps, lifetimes and the layout of shared memory, barriers.

#include "schedule/stream/schedule.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "graph/expand.hpp"
#include "patterns/start_in_code.hpp"
#include "schedule/stream/task.hpp"

namespace kasc {

namespace {

constexpr int most_stream_threads_z = 64;  // of a block, on every CUDA device so far

BlockShape kernel_shape(const StreamTask& task) {
    BlockShape shape = task.calls.front().enumerated->block;
    for (const TaskCall& call : task.calls)
        if (thread_count(call.enumerated->block) > thread_count(shape)) shape = call.enumerated->block;
    return shape;
}

const Implementation& chosen_implementation(const Graph& graph, const Library& library, NodeId call,
                                            const StreamChoice& choice, std::size_t k) {
    const FunctionId callee = std::get<StreamCall>(graph.nodes[call].what).callee;
    return library.functions[callee].implementations[static_cast<std::size_t>(choice.implementations[k])];
}

/// Empty, or why the choice does not fit the fusion at all.
std::string choice_fault(const Graph& graph, const Library& library, const std::vector<NodeId>& functions,
                         const StreamChoice& choice) {
    if (functions.empty()) return "the fusion has no call";
    if (choice.elements < 1 || choice.batch < 1) return "a block serves at least one element";
    if (choice.padding < 0) return "padding is not negative";
    if (choice.implementations.size() != functions.size()) return "the choice names another number of calls";
    for (std::size_t k = 0; k < functions.size(); ++k) {
        const auto* call = std::get_if<StreamCall>(&graph.nodes[functions[k]].what);
        if (!call) return "a loop on the host or a field update is no elementary call";
        const Function& callee = library.functions[call->callee];
        const int index = choice.implementations[k];
        if (index < 0 || index >= static_cast<int>(callee.implementations.size()))
            return fmt::format("{} has no implementation {}", callee.name, index + 1);
        const Implementation& how = callee.implementations[static_cast<std::size_t>(index)];
        if (!how.faults.empty()) return how.faults.front().message;
    }
    return {};
}

void add_value(StreamTask& task, const Program& program, const Graph& graph, const Library& library, ValueId value) {
    const Variable& variable = program.variables[graph.values[value].variable];
    const auto* stream = std::get_if<StreamShape>(&variable.shape);
    task.values.emplace(value,
                        TaskValue{value_name(graph, program, value), stream ? library.types[stream->type].words : 1});
}

/// The loops among `nodes`, and those inside of them, with the range of their calls.
void add_loops(StreamTask& task, const Program& program, const Graph& graph, const Library& library,
               const std::vector<NodeId>& nodes) {
    for (const NodeId node : nodes) {
        const auto loop = graph.inner.find(node);
        if (loop == graph.inner.end()) continue;
        const std::vector<NodeId> inside = functions_of(graph, {node});
        const auto at = std::find_if(task.calls.begin(), task.calls.end(),
                                     [&](const TaskCall& call) { return call.node == inside.front(); });
        const auto first = static_cast<std::size_t>(at - task.calls.begin());
        for (const auto* moves : {&loop->second.enter, &loop->second.repeat})
            for (const LoopMove& move : *moves)
                for (const ValueId value : {move.from, move.to}) add_value(task, program, graph, library, value);
        task.loops.push_back({node, first, first + inside.size(), loop->second});
        add_loops(task, program, graph, library, loop->second.body);
    }
}

/// Whether every start expression can stand in the author's code where its value lies in shared memory.
std::string schedule_code_fault(const StreamSchedule& schedule, const Graph& graph, const Library& library) {
    const block::BlockProgram& block = schedule.block;
    for (std::size_t k = 0; k < block.steps.size(); ++k) {
        const block::Step& step = block.steps[k];
        if (!calls_a_function(step)) continue;
        const Implementation& how = implementation_of(schedule, graph, library, schedule.calls[k].node);
        std::string fault;
        const auto check = [&](const block::Touch& touch, const Pattern& pattern, const DeviceFunction& function) {
            if (!fault.empty() || block.regions[touch.region].where != Residence::shared) return;
            if (const Verdict stands = patterns::start_in_code(pattern, function, how.name); !stands)
                fault = stands.reason();
        };
        const std::span<const block::Touch> reads = reads_of(step);
        if (step.kind == StepKind::copy) {
            const Transfer& load = how.loads[schedule.calls[k].argument];
            check(*write_of(step), load.pattern, load.function);
        } else if (step.kind == StepKind::store) {
            check(reads.front(), how.save.pattern, how.save.function);
        } else if (step.kind == StepKind::move) {
            check(reads.front(), how.output, how.compute);
            check(*write_of(step), how.output, how.compute);
        } else {
            for (std::size_t r = 0; r < reads.size(); ++r) check(reads[r], how.inputs[r], how.compute);
            check(*write_of(step), how.output, how.compute);
        }
        if (!fault.empty()) return fault;
    }
    return {};
}

}  // namespace

std::span<const block::Touch> reads_of(const block::Step& step) {
    return {step.touches.data(), step.touches.size() - (write_of(step) != nullptr ? 1 : 0)};
}

const block::Touch* write_of(const block::Step& step) {
    return !step.touches.empty() && step.touches.back().writes ? &step.touches.back() : nullptr;
}

bool calls_a_function(const block::Step& step) {
    return step.kind != StepKind::loop_begin && step.kind != StepKind::loop_end && !copies_together(step);
}

const Implementation& implementation_of(const StreamSchedule& schedule, const Graph& graph, const Library& library,
                                        NodeId call) {
    const auto& calls = schedule.functions;
    const auto k = static_cast<std::size_t>(std::find(calls.begin(), calls.end(), call) - calls.begin());
    return chosen_implementation(graph, library, call, schedule.choice, k);
}

StreamScheduleResult arrange_stream(const StreamTask& task) {
    StreamSchedule schedule;
    schedule.fusion = task.fusion;
    schedule.choice = task.choice;
    schedule.shape = kernel_shape(task);
    schedule.threads = thread_count(schedule.shape);
    schedule.elements = task.choice.elements;
    for (const TaskCall& call : task.calls) schedule.functions.push_back(call.node);
    if (schedule.threads > task.max_threads)
        return {std::nullopt,
                fmt::format("{} threads are more than the device's {} a block", schedule.threads, task.max_threads)};
    if (schedule.shape[2] > most_stream_threads_z)
        return {std::nullopt,
                fmt::format("{} threads along z are more than {}", schedule.shape[2], most_stream_threads_z)};
    for (const ValueId value : task.fusion.inputs)
        if (loader_of(task, value).call == nullptr)
            return {std::nullopt, fmt::format("no call has a load function for {}, which a loop may pass on unread",
                                              task.values.at(value).name)};
    std::map<ValueId, ValueResidence> residence = decide_residence(task);
    if (const std::string fault = layout_fault(task, residence); !fault.empty()) return {std::nullopt, fault};
    OrderedSteps steps = order_steps(task, residence, schedule.shape);
    if (const std::string fault = pad_tiles(task, steps.block); !fault.empty()) return {std::nullopt, fault};
    schedule.loops = loops_in(task, steps);
    schedule.calls = std::move(steps.calls);
    schedule.block = share_space(task, std::move(steps.block), schedule.threads);
    for (auto& [value, lies] : residence) schedule.values.push_back({value, std::move(lies.reason)});
    if (const int bytes = shared_bytes(schedule.block); bytes > task.max_shared_bytes)
        return {std::nullopt, fmt::format("{} bytes of shared memory are more than the device's {} a block", bytes,
                                          task.max_shared_bytes)};
    return {std::move(schedule), {}};
}

StreamScheduleResult schedule_stream(const Program& program, const Graph& graph, Enumerations& enumerations,
                                     const Fusion& fusion, const StreamChoice& choice, int max_threads,
                                     int max_shared_bytes) {
    const Library& library = enumerations.library();
    const std::vector<NodeId> functions = functions_of(graph, fusion.calls);
    if (std::string fault = choice_fault(graph, library, functions, choice); !fault.empty())
        return {std::nullopt, fault};
    StreamTask task{fusion, choice, {}, {}, {}, max_threads, max_shared_bytes};
    for (std::size_t k = 0; k < functions.size(); ++k) {
        const Implementation& how = chosen_implementation(graph, library, functions[k], choice, k);
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
        const Node& node = graph.nodes[functions[k]];
        for (const ValueId value : node.reads) add_value(task, program, graph, library, value);
        add_value(task, program, graph, library, node.writes.front());
        task.calls.push_back({functions[k], how.name, node.reads, node.writes.front(), enumerated.value});
    }
    add_loops(task, program, graph, library, fusion.calls);
    StreamScheduleResult result = arrange_stream(task);
    if (result.value)
        if (std::string fault = schedule_code_fault(*result.value, graph, library); !fault.empty())
            return {std::nullopt, fault};
    return result;
}

}  // namespace kasc
