// A stream schedule as kernel IR. Steps between two barriers stand in one region of threads:
//
//     shared s_A, s_B, s_M   private r_F
//     let i64 first = min(group * elements, n - elements)
//     threads                            loads, called with A + first * 9
//     barrier                            with the schedule's reason
//     threads
//       call mmul33 … s_A, s_B, s_M
//
// Every block is full: the last one is moved back to the end of the data, and what it shares with its neighbour is
// computed twice, to the same result (what n must be: lower.hpp). The block's place is in the
// pointers that the author's functions get; their bx, by, bz are 0, so that their 32-bit indices stay within a tile.

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "kernel/host_names.hpp"
#include "lower/lower.hpp"
#include "lower/stream/functions.hpp"
#include "schedule/field/expressions.hpp"

namespace kasc::kernel {

namespace {

constexpr std::array<Dimension, 3> thread_dimensions{Dimension::x, Dimension::y, Dimension::z};
constexpr std::array<const char*, 3> coordinate_names{"tx", "ty", "tz"};

class StreamLowering {
public:
    StreamLowering(const StreamSchedule& schedule, const Program& program, const Graph& graph, const Library& library)
        : schedule_(schedule), program_(program), graph_(graph), library_(library) {}

    Kernel run(const std::string& kernel_name) {
        for (const std::string& known : host_names_.parameters) names_.take(known);
        kernel_.name = names_.fresh(kernel_name);
        kernel_.block = schedule_.block;
        kernel_.shared_words = schedule_.shared_words;
        add_comment(schedule_.fusion.calls, "");
        add_functions();
        add_parameters();
        add_places();
        if (schedule_.choice.batch == 1) {
            add_round(kernel_.body, block_index(Dimension::x));
        } else {
            For rounds{names_.fresh("round"), integer(0), integer(schedule_.choice.batch), 1, 0, {}, {}, true};
            add_round(rounds.body,
                      add(multiply(block_index(Dimension::x), integer(schedule_.choice.batch)), name(rounds.variable)));
            kernel_.body.push_back({rounds});
        }
        return std::move(kernel_);
    }

private:
    const StreamSchedule& schedule_;
    const Program& program_;
    const Graph& graph_;
    const Library& library_;
    Kernel kernel_;
    Names names_;
    std::map<ValueId, std::string> global_, local_;       ///< names of parameters, and of shared or private arrays
    std::map<std::string, std::string> coordinate_name_;  ///< by wish: the same in every region
    std::string count_, first_, linear_;
    const HostNames host_names_ = host_names(program_);
    std::vector<std::pair<ExpressionRef, std::string>> bounds_;  ///< of loops, that the host computes
    bool copies_fly_ = false;                                    ///< staged loads were started since the last barrier

    [[nodiscard]] const std::string& variable_name(ValueId value) const {
        return program_.variables[graph_.values[value].variable].name;
    }
    [[nodiscard]] const Implementation& how(const Step& step) const {
        return implementation_of(schedule_, graph_, library_, step.call);
    }

    void add_comment(const std::vector<NodeId>& nodes, const std::string& indent) {
        for (const NodeId node : nodes) {
            kernel_.comment.push_back(indent + node_text(graph_, program_, node));
            const auto loop = graph_.inner.find(node);
            if (loop != graph_.inner.end()) add_comment(loop->second.body, indent + "    ");
        }
    }

    static bool is_mark(const Step& step) {
        return step.kind == StepKind::loop_begin || step.kind == StepKind::loop_end;
    }

    void add_functions() {
        for (const Step& step : schedule_.steps) {
            if (step.staged_words > 0 || is_mark(step)) continue;
            FunctionVariant variant = variant_of(schedule_, step, how(step));
            const bool known = std::any_of(kernel_.functions.begin(), kernel_.functions.end(),
                                           [&](const FunctionVariant& f) { return f.name == variant.name; });
            if (known) continue;
            (void)names_.fresh(variant.name);  // no parameter may hide it
            kernel_.functions.push_back(std::move(variant));
        }
    }

    void add_parameters() {
        for (const ValueId value : schedule_.fusion.inputs) global_[value] = names_.fresh(variable_name(value));
        for (const ValueId value : schedule_.fusion.outputs) global_[value] = names_.fresh(variable_name(value));
        count_ = names_.fresh("n");
        kernel_.parameters.push_back({Type::i32, count_, ElementCount{}});
        for (const ValueId value : schedule_.fusion.inputs)
            kernel_.parameters.push_back({Type::f32, global_[value], ArrayIn{value}});
        for (const ValueId value : schedule_.fusion.outputs)
            kernel_.parameters.push_back({Type::f32, global_[value], ArrayOut{value}});
        for (const ScheduledLoop& loop : schedule_.loops)
            for (const ExpressionRef& bound : {loop.what.from, loop.what.to}) add_bound(bound);
        const std::int64_t served = std::int64_t{schedule_.elements} * schedule_.choice.batch;
        // (n - 1) / served + 1: n + served - 1 could leave 32 bits.
        kernel_.grid = {add(divide(subtract(name(count_), integer(1)), integer(served)), integer(1)), integer(1),
                        integer(1)};
    }

    /// A loop's bound is a literal, or the host computes it. Its name is the host's own.
    void add_bound(const ExpressionRef& bound) {
        if (std::holds_alternative<Literal>(bound->node)) return;
        const auto* parameter = std::get_if<ParameterUse>(&bound->node);
        const bool known =
            std::any_of(bounds_.begin(), bounds_.end(), [&](const auto& b) { return same_expression(b.first, bound); });
        if (known) return;
        bounds_.emplace_back(bound, parameter != nullptr ? host_names_.parameters.at(parameter->parameter.index)
                                                         : names_.fresh(fmt::format("c{}", bounds_.size())));
        kernel_.parameters.push_back({Type::i32, bounds_.back().second, HostExpression{bound}});
    }

    [[nodiscard]] ExprRef bound_of(const ExpressionRef& bound) const {
        if (const auto* literal = std::get_if<Literal>(&bound->node))
            return integer(static_cast<std::int64_t>(literal->value));
        const auto at = std::find_if(bounds_.begin(), bounds_.end(),
                                     [&](const auto& b) { return same_expression(b.first, bound); });
        return name(at->second);
    }

    void add_places() {
        for (const Placement& p : schedule_.placements) {
            const bool shared = p.where == Residence::shared;
            local_[p.value] = names_.fresh((shared ? "s_" : "r_") + variable_name(p.value));
            if (shared) {
                kernel_.body.push_back(
                    {SharedArray{local_[p.value], p.offset, p.words, value_name(graph_, program_, p.value)}});
            } else {
                kernel_.body.push_back({PrivateArray{local_[p.value], p.words}});
            }
        }
        first_ = names_.fresh("first");
        linear_ = names_.fresh("linear");
    }

    /// Statements of one region of threads, with the coordinates that they share.
    struct Region {
        Body lets, steps;
        int guard = 0;  ///< threads of the condition that `steps` ends with; 0: none
    };

    void add_round(Body& body, ExprRef group) {
        const ExprRef own = multiply(wide(std::move(group)), integer(schedule_.elements));
        const ExprRef last = subtract(wide(name(count_)), integer(schedule_.elements));
        body.push_back({Let{Type::i64, first_, minimum(own, last)}});
        Region region;
        add_steps(region, body, 0, schedule_.steps.size());
        pass(region, body, schedule_.steps.size());
        close(region, body);
    }

    /// The steps from … to - 1; what is left open at their end stays in `region`.
    void add_steps(Region& region, Body& body, std::size_t from, std::size_t to) {
        for (std::size_t k = from; k < to; ++k) {
            pass(region, body, k);
            const Step& step = schedule_.steps[k];
            if (step.kind == StepKind::loop_begin) {
                close(region, body);
                k = add_loop(body, k);
                continue;
            }
            add_step(region, step);
            copies_fly_ = copies_fly_ || (step.staged_words > 0 && step.kind == StepKind::load);
        }
    }

    /// The loop that begins with step `k`; returns its last step.
    std::size_t add_loop(Body& body, std::size_t k) {
        const auto loop = std::find_if(schedule_.loops.begin(), schedule_.loops.end(),
                                       [&](const ScheduledLoop& l) { return l.begin == static_cast<int>(k); });
        const auto end = static_cast<std::size_t>(loop->end);
        For iterations{names_.fresh(program_.loops[loop->what.loop].name),
                       bound_of(loop->what.from),
                       bound_of(loop->what.to),
                       1,
                       0,
                       {}};
        const bool flew = copies_fly_;
        Region region;
        add_steps(region, iterations.body, k + 1, end);
        pass(region, iterations.body, end);
        close(region, iterations.body);
        body.push_back({std::move(iterations)});
        copies_fly_ = copies_fly_ || (flew && loop->what.may_skip);
        return end;
    }

    void pass(Region& region, Body& body, std::size_t before) {
        const BarrierDecision* barrier = needed_before(schedule_.barriers, before);
        if (!barrier) return;
        close(region, body);
        body.push_back({Barrier{barrier->waits, copies_fly_}});
        copies_fly_ = false;
    }

    static void close(Region& region, Body& body) {
        Threads threads{std::move(region.lets)};
        threads.body.insert(threads.body.end(), region.steps.begin(), region.steps.end());
        if (!threads.body.empty()) body.push_back({std::move(threads)});
        region = {};
    }

    static void let_once(Region& region, const std::string& variable, const ExprRef& value) {
        const bool known = std::any_of(region.lets.begin(), region.lets.end(),
                                       [&](const Statement& s) { return std::get<Let>(s.node).name == variable; });
        if (!known) region.lets.push_back({Let{Type::i32, variable, value}});
    }

    ExprRef linear(Region& region) {
        let_once(region, linear_, linear_thread());
        return name(linear_);
    }

    /// A coordinate of the step's block; the kernel's own where they are equal.
    ExprRef coordinate(Region& region, const BlockShape& block, Coordinate wanted) {
        const auto d = static_cast<std::size_t>(wanted);
        if (d >= thread_dimensions.size()) return integer(0);
        if (!coordinates_differ(block, schedule_.block)[d]) return thread_index(thread_dimensions[d]);
        const std::int64_t below = d == 0 ? 1 : d == 1 ? block[0] : std::int64_t{block[0]} * block[1];
        ExprRef value = divide(linear(region), integer(below));
        // The step's threads end with its block: its last dimension larger than 1 needs no remainder.
        const bool last =
            std::all_of(block.begin() + static_cast<std::ptrdiff_t>(d) + 1, block.end(), [](int n) { return n == 1; });
        if (!last) value = modulo(value, integer(block[d]));
        if (d == 0 && last) return value;
        const std::string wish = fmt::format("{}_{}_{}_{}", coordinate_names[d], block[0], block[1], block[2]);
        if (!coordinate_name_.contains(wish)) coordinate_name_[wish] = names_.fresh(wish);
        let_once(region, coordinate_name_[wish], value);
        return name(coordinate_name_[wish]);
    }

    ArrayArgument tile(ValueId value) {
        const auto& stream = std::get<StreamShape>(program_.variables[graph_.values[value].variable].shape);
        return {global_.at(value), multiply(name(first_), integer(library_.types[stream.type].words))};
    }

    void add_step(Region& region, const Step& step) {
        Body actions;
        if (step.kind == StepKind::call) actions.push_back({Comment{node_text(graph_, program_, step.call)}});
        actions.push_back(step.staged_words > 0 ? stage(step) : call(region, step));
        const int guard = step.guard_threads ? thread_count(step.block) : 0;
        if (guard != 0 && guard != region.guard)
            region.steps.push_back({If{binary("<", linear(region), integer(guard)), {}, {}}});
        region.guard = guard;
        Body& target = guard != 0 ? std::get<If>(region.steps.back().node).then : region.steps;
        target.insert(target.end(), actions.begin(), actions.end());
    }

    Statement stage(const Step& step) {
        const bool load = step.kind == StepKind::load;
        const ValueId value = load ? *step.writes : step.reads.front();
        const ArrayArgument global = tile(value);
        return {Stage{load ? StageDirection::into_shared : StageDirection::out_of_shared, local_.at(value),
                      global.array, global.offset, step.staged_words, step.staged_pitch.element_words,
                      step.staged_pitch.padding}};
    }

    Statement call(Region& region, const Step& step) {
        Call made;
        const FunctionVariant variant = variant_of(schedule_, step, how(step));
        made.function = variant.name;
        const auto local = [this](ValueId value) { return ArrayArgument{local_.at(value), nullptr}; };
        if (step.kind == StepKind::load) made.arguments.emplace_back(tile(*step.writes));
        for (const ValueId value : step.reads) made.arguments.emplace_back(local(value));
        if (step.writes) made.arguments.emplace_back(local(*step.writes));
        if (step.kind == StepKind::save) made.arguments.emplace_back(tile(step.reads.front()));
        for (const Coordinate wanted : variant.function.coordinates)
            made.arguments.emplace_back(coordinate(region, step.block, wanted));
        for (std::size_t k = 0; k < step.reads.size(); ++k)
            made.touches.push_back({local_.at(step.reads[k]), step.read_sets[k], false});
        if (step.writes) made.touches.push_back({local_.at(*step.writes), *step.write_set, true});
        return {std::move(made)};
    }
};

}  // namespace

}  // namespace kasc::kernel

namespace kasc {

kernel::Lowered lower_stream(const StreamSchedule& schedule, const Program& program, const Graph& graph,
                             const Library& library, const std::string& kernel_name) {
    return {{kernel::StreamLowering(schedule, program, graph, library).run(kernel_name)}};
}

}  // namespace kasc
