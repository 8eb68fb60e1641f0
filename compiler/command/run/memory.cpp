#include "command/run/memory.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <functional>

#include "engine/binding.hpp"
#include "runtime/array.hpp"
#include "runtime/devices/gpu.hpp"

namespace kasc::command {

namespace {

/// The share of free memory that a run may take; the rest is for page tables, kasc's own data, the driver's context.
constexpr double usable_share = 0.9;

std::uint64_t sum(std::uint64_t a, std::uint64_t b) { return a > UINT64_MAX - b ? UINT64_MAX : a + b; }

std::uint64_t product(std::uint64_t a, std::uint64_t b) { return b != 0 && a > UINT64_MAX / b ? UINT64_MAX : a * b; }

bool fits(const MemoryNeed& need, std::uint64_t budget, const std::vector<long long>& rows) {
    std::uint64_t bytes = need.fixed;
    for (std::size_t i = 0; i < rows.size(); ++i)
        bytes = sum(bytes, rows[i] == 0 ? need.whole[i] : product(need.row[i], static_cast<std::uint64_t>(rows[i])));
    return bytes <= budget;
}

/// The least that is needed: windows of an iteration's rows.
std::uint64_t least(const MemoryNeed& need, const std::vector<long long>& at_once) {
    std::uint64_t bytes = need.fixed;
    for (std::size_t i = 0; i < at_once.size(); ++i)
        bytes = sum(bytes, product(need.row[i], static_cast<std::uint64_t>(at_once[i])));
    return bytes;
}

/// Transforms of several axes need room for a spectrum beside their arrays: cuFFT's work area, which all of a run
/// share. Sizes with large prime factors need some more.
std::uint64_t work_area(const std::vector<HostStep>& steps, const std::function<std::uint64_t(VariableId)>& bytes_of) {
    std::uint64_t most = 0;
    for (const HostStep& step : steps) {
        if (const auto* loop = std::get_if<LoopStep>(&step.what))
            most = std::max(most, work_area(loop->body, bytes_of));
        const auto* transform = std::get_if<TransformStep>(&step.what);
        if (transform != nullptr && orders(transform->statement.direction)) {
            // Entries, their cells twice, and of each tile how many have each digit (support/kasc_order_kernels.cuh).
            const std::uint64_t entries = bytes_of(transform->statement.source);
            most = std::max(most, sum(product(entries, 3), sum(entries / 16, 4096)));
        } else if (transform != nullptr && transforms(transform->statement.direction))
            most = std::max({most, bytes_of(transform->statement.source), bytes_of(transform->statement.target)});
    }
    return most;
}

/// Windows of so many rows, or of what an iteration needs where that is more.
std::vector<long long> windows_of(const RunNeeds& needs, long long rows) {
    std::vector<long long> all;
    for (std::size_t i = 0; i < needs.extents.size(); ++i)
        all.push_back(std::min(std::max(rows, needs.at_once[i]), needs.extents[i]));
    return all;
}

bool fits(const RunNeeds& needs, const Budget& budget, const std::vector<long long>& rows) {
    return fits(needs.host, budget.host, rows) && fits(needs.device, budget.device, rows);
}

/// The largest windows that fit. Requires: those of one row do.
std::vector<long long> largest_windows(const RunNeeds& needs, const Budget& budget) {
    long long fit = 1, above = INT32_MAX;
    while (above - fit > 1) {
        const long long middle = fit + (above - fit) / 2;
        (fits(needs, budget, windows_of(needs, middle)) ? fit : above) = middle;
    }
    return windows_of(needs, fit);
}

Diagnostic too_much(const char* where, const MemoryNeed& need, const std::vector<long long>& at_once,
                    std::uint64_t budget) {
    Diagnostic d;
    d.code = "K0723";
    d.message = fmt::format("the arrays need {} of the {}'s memory, and may take {}",
                            runtime::bytes_text(least(need, at_once)), where, runtime::bytes_text(budget));
    if (!need.row.empty())
        d.notes.push_back({{}, "series that are used near the iteration of their loop alone lie there row by row"});
    d.help = "make the grid smaller";
    d.flag_helps = {{{"--memory"}, "or allow more with {} if there is more"}};
    return d;
}

}  // namespace

RunNeeds run_needs(const Program& program, const Library& library, const HostPlan& plan,
                   const std::vector<Series>& series, const std::vector<long long>& extents, emit::Target target,
                   int ranks) {
    const runtime::ProgramInterface face = interface_of(program, library);
    const bool device = target == emit::Target::cuda;
    RunNeeds needs;
    const auto shape_of = [&](VariableId v) {
        return runtime::expected_shape(face, array_of(program, library, v), extents);
    };
    const auto bytes_of = [&](VariableId v) {
        return product(runtime::cell_count(shape_of(v)).value_or(UINT64_MAX / 8),
                       runtime::word_bytes(array_of(program, library, v).type));
    };
    const auto is_series = [&](VariableId v) {
        return std::any_of(series.begin(), series.end(), [&](const Series& s) { return s.variable == v; });
    };
    const auto add = [&](std::uint64_t& to, VariableId v) {
        if (!is_series(v)) to = sum(to, bytes_of(v));
    };
    for (const VariableId v : program.inputs) add(needs.host.fixed, v);
    for (const VariableId v : program.outputs) add(needs.host.fixed, v);
    for (const Slot& slot : plan.slots) {
        if (device) {
            add(needs.device.fixed, slot.variable);
        } else if (std::holds_alternative<TemporaryStorage>(slot.storage)) {
            add(needs.host.fixed, slot.variable);
        }
    }
    const auto of_rank = [&](std::uint64_t bytes) { return bytes / static_cast<std::uint64_t>(ranks); };
    if (device) needs.work_area = work_area(plan.steps, bytes_of);
    needs.device.fixed = sum(of_rank(needs.device.fixed), needs.work_area);
    for (const Series& s : series) {
        const std::uint64_t whole = bytes_of(s.variable);
        const auto extent = static_cast<long long>(shape_of(s.variable).front());
        const std::uint64_t row = whole / static_cast<std::uint64_t>(extent);
        needs.extents.push_back(extent);
        needs.at_once.push_back(std::min<long long>(extent, std::max(s.rows_at_once(), s.before)));
        needs.host.whole.push_back(whole);
        needs.device.whole.push_back(device ? of_rank(whole) : 0);
        // A window is filled from a buffer of its size, on the host the second one.
        needs.host.row.push_back(device && !s.input ? 0 : device ? row : product(row, s.input ? 2 : 1));
        needs.device.row.push_back(device ? row : 0);  // a window lies on one device
    }
    return needs;
}

Outcome<std::vector<long long>> choose_windows(const RunNeeds& needs, const Budget& budget,
                                               const std::vector<bool>& streamed) {
    std::vector<long long> rows(needs.extents.size(), 0);
    for (std::size_t i = 0; i < rows.size(); ++i) {
        if (streamed[i]) rows[i] = needs.extents[i];
    }
    if (fits(needs, budget, rows)) return success(std::move(rows));
    if (fits(needs, budget, windows_of(needs, 1))) return success(largest_windows(needs, budget));
    const bool on_host = fits(needs.host, budget.host, windows_of(needs, 1));
    return failure<std::vector<long long>>(on_host ? too_much("device", needs.device, needs.at_once, budget.device)
                                                   : too_much("machine", needs.host, needs.at_once, budget.host));
}

Budget default_budget(const Machine& machine, std::uint64_t limit) {
    const bool device = machine.target == emit::Target::cuda;
    const int processes = machine.processes != nullptr ? machine.processes->on_this_machine() : 1;
    const int of_device = (processes + machine.gpus - 1) / machine.gpus;
    const auto share = [](std::uint64_t bytes) {
        return static_cast<std::uint64_t>(usable_share * static_cast<double>(bytes));
    };
    Budget budget{share(runtime::available_memory_bytes()) / static_cast<std::uint64_t>(processes), UINT64_MAX};
    if (device) {
        const auto gpu = runtime::find_gpu(machine.gpu);
        if (gpu) budget.device = share(gpu->memory_bytes) / static_cast<std::uint64_t>(of_device);
    }
    if (limit > 0) (device ? budget.device : budget.host) = limit;
    return budget;
}

}  // namespace kasc::command
