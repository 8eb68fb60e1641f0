#include "driver/alternatives.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "rewrite/number_lists.hpp"
#include "rewrite/remake_fields.hpp"

namespace kasc {

namespace {

constexpr double any_time = std::numeric_limits<double>::infinity();
/// Fields that are made anew take no memory: of two plans as fast to a hundredth, theirs.
constexpr double worth_memory = 1.01;

/// Another program of the same results, and what the model says of it beside the one that is planned.
struct Alternative {
    bool taken = false;
    std::string verdict;
};

/// The plans of the other program, where they take less than so many times as long.
Alternative plan_alternative(Compilation& c, Program program, const PlanOptions& options, double at_most = 1) {
    CheckedProgram other{c.library, std::move(program), c.device, c.problem, {}};
    const auto graph = build_graph(other.program);
    if (graph) other.graph = *graph;
    const Plans plans = graph ? plan_with(other, options, c.riding) : Plans{};
    const double before = c.plans.front().time_ns, after = plans ? plans->front().time_ns : before;
    Alternative alternative{plans && after < at_most * before, {}};
    alternative.verdict = fmt::format("{}, {:.1f} % {} by the model", alternative.taken ? "done" : "left",
                                      std::abs(after / before - 1) * 100, after < before ? "faster" : "slower");
    if (alternative.taken) {
        if (!c.written)
            c.written =
                std::make_shared<const WrittenProgram>(WrittenProgram{std::move(c.program), std::move(c.graph)});
        static_cast<CheckedProgram&>(c) = std::move(other);
        c.plans = *plans;
    }
    return alternative;
}

bool some_transform_stores(const PlannedGraph& planned) {
    const auto stores = [&](const Launch& launch) {
        const auto* candidate = std::get_if<std::size_t>(&launch.what);
        if (candidate == nullptr) return false;
        const auto* transform = std::get_if<TransformSchedule>(&planned.costed->candidates[*candidate].schedule);
        return transform != nullptr && transform->stored;
    };
    return std::any_of(planned.launches.begin(), planned.launches.end(), stores) ||
           std::any_of(planned.loops.begin(), planned.loops.end(),
                       [](const auto& loop) { return some_transform_stores(*loop.second); });
}

}  // namespace

Plans plan_with(const CheckedProgram& c, const PlanOptions& options, Riding riding) {
    Plans plans = plan_graph(c.program, c.graph, c.library, c.device, c.problem, options);
    if (!plans || riding == Riding::never || c.program.kind == ProgramKind::stream) return plans;
    for (PlannedGraph& planned : *plans.value) {
        for (const Ride& ride : build_host_plan(c.program, c.library, planned, c.program.name).rides)
            planned.time_ns -= ride.saved_ns;
    }
    std::stable_sort(plans.value->begin(), plans.value->end(),
                     [](const PlannedGraph& a, const PlannedGraph& b) { return a.time_ns < b.time_ns; });
    return plans;
}

Compilation with_lists(Compilation c, const PlanOptions& options, Lists wanted) {
    NumberedLists numbered = number_lists(c.program);
    std::string chosen;
    if (numbered.changed)
        chosen =
            "; " +
            plan_alternative(c, std::move(numbered.program), options, wanted == Lists::cells ? any_time : 1).verdict;
    for (const ListVerdict& list : numbered.verdicts) {
        c.list_verdicts.push_back(fmt::format("{}: {}{}", list.statement, list.verdict ? "" : "a kernel of its own, ",
                                              list.verdict.reason()) +
                                  (list.verdict ? chosen : ""));
    }
    return c;
}

Compilation with_remade_fields(Compilation c, const PlanOptions& options) {
    RemadeFields remade = remake_fields(c.program);
    Alternative made;
    if (remade.changed) {
        Program for_transforms = remake_fields(c.program, MadeFor::transform).program;
        made = plan_alternative(c, std::move(remade.program), options, worth_memory);
        // Where no transform computes anything as it stores, none would with more of it.
        if (some_transform_stores(c.plans.front())) {
            Alternative apart = plan_alternative(c, std::move(for_transforms), options, 1 / worth_memory);
            if (apart.taken) made = std::move(apart);
        }
    }
    for (const RemadeVerdict& field : remade.verdicts) {
        const std::string why =
            field.verdict ? fmt::format("{}; {}", field.verdict.reason(), made.verdict) : field.verdict.reason();
        c.rewrites.push_back(
            {Rule::remake, field.field, made.taken && field.verdict ? Verdict::yes(why) : Verdict::no(why)});
    }
    return c;
}

}  // namespace kasc
