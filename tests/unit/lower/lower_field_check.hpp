#pragma once
// Runs lowered field kernels in the interpreter of the IR and compares every word with the reference.

#include <gtest/gtest.h>

#include <cstring>
#include <limits>

#include "graph/field_target.hpp"
#include "lower/lower.hpp"
#include "support/choice.hpp"
#include "support/field_case.hpp"
#include "support/field_kernel.hpp"
#include "support/field_reference.hpp"
#include "support/of_the_day.hpp"

namespace kasc::test {

/// Small blocks: tiny extents then meet every region of every walk.
inline const std::vector<FieldChoice>& small_choices() {
    static const std::vector<FieldChoice> choices{
        {Walk::grid, 4, 2, 1, 1},   {Walk::grid, 2, 2, 4, 1},   {Walk::grid, 8, 1, 1, 1},   {Walk::grid, 3, 1, 4, 1},
        {Walk::column, 4, 2, 1, 3}, {Walk::column, 2, 2, 4, 4}, {Walk::column, 4, 1, 1, 2}, {Walk::column, 2, 1, 4, 3},
        {Walk::flat, 7, 1, 1, 1},   {Walk::flat, 4, 1, 1, 1},   {Walk::row, 5, 1, 1, 1},    {Walk::row, 64, 1, 1, 1},
        {Walk::grid, 1, 1, 1, 1},   {Walk::row, 1, 1, 1, 1},    {Walk::row, 4, 2, 1, 1},    {Walk::row, 16, 3, 1, 1},
        {Walk::row, 2, 5, 1, 1}};
    return choices;
}

/// The rest of the space in small blocks: rows, groups of two, blocks of three dimensions, and each way to find
/// neighbours with each way to treat borders.
inline const std::vector<FieldChoice>& more_choices() {
    static const std::vector<FieldChoice> choices = [] {
        std::vector<FieldChoice> all;
        for (const char* walk :
             {"grid 4x2 vector 2", "grid 4x2 rows 2", "grid 2x2 vector 4 rows 3", "grid 2x2x2",
              "grid 1x3x2 vector 2 rows 2", "column 4x2 chunk 3 rows 2", "column 2x2 vector 4 rows 2 chunk 4 unroll 2",
              "column 2x1 vector 2 chunk 2", "column 2x1 vector 4 rows 4 chunk 5 unroll 3", "column 5x1 chunk 3",
              "grid 5x1", "grid 2x1 vector 4", "grid 2x1 vector 8", "grid 1x2x2 vector 8 rows 2",
              "grid 2x2 vector 8"}) {
            for (const char* neighbours : {"registers", "cache", "shared"}) {
                for (const char* borders : {"cell", "mapped", "uniform"})
                    all.push_back(choice(fmt::format("{} neighbours {} borders {}", walk, neighbours, borders)));
            }
        }
        for (const char* walk : {"warp 32x1 chunk 3", "warp 64x1 chunk 2 unroll 2", "warp 32x1 vector 4 chunk 4",
                                 "warp 32x1 vector 2 chunk 1", "histogram 32x1 chunk 3 unroll 2",
                                 "histogram 64x1 vector 4 chunk 1 unroll 1", "histogram 32x1 vector 2 chunk 2 unroll 4",
                                 "histogram 32x1 vector 8 chunk 1 unroll 1", "staged 4x1", "staged 3x1", "staged 1x1"})
            all.push_back(choice(walk));
        return all;
    }();
    return choices;
}

inline Problem make_problem(const FieldCase& c, std::vector<long long> extents,
                            const std::map<std::string, double>& values) {
    Problem problem;
    problem.extents = std::move(extents);
    for (const Parameter& p : c.program.parameters) {
        const auto given = values.find(p.name);
        problem.parameters.push_back(given != values.end() ? given->second
                                     : p.kind == ScalarKind::integer
                                         ? static_cast<double>(Host(c.program, problem).integer(*p.fallback))
                                         : Host(c.program, problem).real<double>(*p.fallback));
    }
    return problem;
}

/// What an output's memory holds before the launch. Not a number where the schedule claims that every word is stored.
inline Cells prepared_output(const FieldCase& c, const FieldSchedule& schedule, const FieldReference& reference,
                             ValueId value) {
    const auto store = std::find_if(schedule.work->stores.begin(), schedule.work->stores.end(),
                                    [&](const FieldStore& s) { return s.value == value; });
    if (store->former) return reference.value(*store->former);
    const auto& update = std::get<FieldUpdate>(c.graph.nodes[store->call].what);
    const bool series = assigns_slice(update.statement) && !update.former;
    return Cells(reference.words(value), series ? 0.0 : std::numeric_limits<double>::quiet_NaN());
}

/// One kernel against the reference, or an explanation. `prepared`: what an output's memory holds before.
inline std::string run_and_compare(const FieldCase& c, const Fusion& fusion, const kernel::Kernel& kernel,
                                   const FieldReference& reference, const Problem& problem,
                                   const std::function<Cells(ValueId)>& prepared) {
    if (std::string fault = kernel::verify(kernel); !fault.empty()) return "verify: " + fault;
    std::map<ValueId, Cells> cells;
    for (const kernel::Parameter& p : kernel.parameters) {
        if (const auto* in = std::get_if<kernel::ArrayIn>(&p.source)) cells[in->value] = reference.value(in->value);
        if (const auto* out = std::get_if<kernel::ArrayOut>(&p.source)) cells[out->value] = prepared(out->value);
    }
    try {
        Interpreter interpreter(kernel);
        run_kernel(
            interpreter, kernel, c.program, problem, [&](ValueId v) -> Cells& { return cells.at(v); },
            [&](ValueId v) { return use_of_output(c.program, c.graph, v); });
    } catch (const std::exception& e) {
        return e.what();
    }
    for (const ValueId v : fusion.outputs) {
        const Cells& made = cells[v];
        const Cells& wanted = reference.value(v);
        if (made.size() != wanted.size()) return "an output is missing";
        for (std::size_t i = 0; i < made.size(); ++i) {
            if (same_cell(made[i], wanted[i])) continue;
            return fmt::format("{}[{}] = {}, wanted {}", value_name(c.graph, c.program, v), i, made[i], wanted[i]);
        }
    }
    return {};
}

inline std::string run_and_compare(const FieldCase& c, const FieldSchedule& schedule, const kernel::Kernel& kernel,
                                   const FieldReference& reference, const Problem& problem) {
    return run_and_compare(c, schedule.fusion(), kernel, reference, problem,
                           [&](ValueId v) { return prepared_output(c, schedule, reference, v); });
}

struct CheckCount {
    int kernels = 0, vectors = 0, eights = 0, fused = 0;
};

/// One in six of all pairs of a kernel and extents, in which each kernel meets a sixth of the extents, each extents a
/// sixth of the kernels, and each program others: the interpreter is slow. With KASC_FULL in the environment all.
[[nodiscard]] inline bool is_sampled(const std::string& text, std::size_t kernel, std::size_t extents) {
    return (text.size() + kernel + extents) % one_of(6) == 0;
}
/// Some of the extents meet the kernel: another need not be lowered.
[[nodiscard]] inline bool is_sampled_at_any(const std::string& text, std::size_t kernel, std::size_t all_extents) {
    for (std::size_t e = 0; e < all_extents; ++e)
        if (is_sampled(text, kernel, e)) return true;
    return false;
}

/// Every run of consecutive calls that can be one kernel, with these choices and those of field_choices where `all`.
inline CheckCount check_program(const std::string& text, const std::vector<std::vector<long long>>& extents,
                                const std::map<std::string, double>& values = {}, bool all = false) {
    const FieldCase c(text);
    CheckCount count;
    const std::size_t calls = c.graph.nodes.size();
    struct Made {
        std::size_t number;
        FieldSchedule schedule;
        kernel::Lowered lowered;
    };
    std::vector<Made> made;
    std::size_t number = 0;
    for (std::size_t first = 0; first < calls; ++first) {
        for (std::size_t last = first + 1; last <= calls; ++last) {
            const Fusion fusion = c.fusion(first, last);
            std::vector<FieldChoice> choices = small_choices();
            choices.insert(choices.end(), more_choices().begin(), more_choices().end());
            if (all) {
                const FieldScheduler scheduler(c.program, c.graph, fusion);
                choices = field_choices({scheduler.axes(), false, access_cells(scheduler.work())});
                for (const FieldChoice& cpu : field_choices({scheduler.axes(), true})) choices.push_back(cpu);
            }
            bool feasible = false;
            for (const FieldChoice& choice : choices) {
                const FieldScheduleResult s = schedule_field(c.program, c.graph, fusion, choice);
                if (!s.value) continue;
                feasible = true;
                if (!is_sampled_at_any(text, number++, extents.size())) continue;
                made.push_back(
                    {number - 1, *s.value,
                     lower_field(field_alternatives(*s.value, c.program, c.graph), c.program, c.graph, "k0")});
            }
            if (last == first + 1) {
                EXPECT_TRUE(feasible) << node_text(c.graph, c.program, fusion.calls[0]);
            }
            if (feasible && last > first + 1) ++count.fused;
        }
    }
    for (std::size_t e = 0; e < extents.size(); ++e) {
        const std::vector<long long>& n = extents[e];
        const Problem problem = make_problem(c, n, values);
        std::optional<FieldReference> reference;
        for (const Made& m : made) {
            if (!is_sampled(text, m.number, e)) continue;
            for (const kernel::Kernel& kernel : m.lowered.alternatives) {
                if (kernel.requirement && !kernel.requirement->holds(n)) continue;
                if (!positions_hold(kernel, c.program, problem)) continue;
                if (!reference) {
                    try {
                        reference.emplace(c.program, c.graph, problem);
                    } catch (const std::out_of_range&) {
                        break;  // another call's position
                    }
                }
                const std::string fault = run_and_compare(c, m.schedule, kernel, *reference, problem);
                EXPECT_EQ(fault, "") << fmt::format("extents {}\n", fmt::join(n, " x "))
                                     << print(m.schedule, c.program, c.graph) << kernel::print(kernel);
                if (!fault.empty()) return count;
                ++count.kernels;
                if (kernel.requirement) ++count.vectors;
                if (kernel.requirement && kernel.requirement->multiple == 8) ++count.eights;
            }
        }
    }
    return count;
}

inline std::vector<std::vector<long long>> extents_1d() {
    return {{1}, {2}, {3}, {4}, {5}, {7}, {8}, {12}, {16}, {33}};
}
inline std::vector<std::vector<long long>> extents_2d() {
    return {{1, 1}, {1, 3}, {2, 2},  {3, 1},   {4, 1},  {4, 5},  {5, 4}, {7, 8},
            {8, 7}, {8, 2}, {12, 9}, {16, 16}, {33, 5}, {3, 33}, {68, 4}};
}
inline std::vector<std::vector<long long>> extents_3d() {
    return {{1, 1, 1}, {2, 3, 1}, {3, 2, 5}, {4, 1, 2},  {4, 4, 4}, {5, 3, 7},
            {8, 5, 6}, {8, 8, 9}, {7, 7, 7}, {12, 6, 5}, {16, 5, 8}};
}

}  // namespace kasc::test
