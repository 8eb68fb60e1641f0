// A stream schedule as kernel IR: the statements of each step, put together as the block program says. Steps between
// two barriers stand in one region of threads:
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

#include "frontend/same_expression.hpp"
#include "kernel/host_names.hpp"
#include "lower/block.hpp"
#include "lower/lower.hpp"
#include "lower/stream/functions.hpp"

namespace kasc::kernel {

namespace {

constexpr std::array<Dimension, 3> thread_dimensions{Dimension::x, Dimension::y, Dimension::z};
constexpr std::array<const char*, 3> coordinate_names{"tx", "ty", "tz"};

bool is_known(const Body& lets, const std::string& variable) {
    return std::any_of(lets.begin(), lets.end(), [&](const Statement& s) {
        const Let* let = std::get_if<Let>(&s.node);
        return let != nullptr && let->name == variable;
    });
}

/// The lets of both in front, each once; what the two do under one condition stands under it together.
void join_threads(Body& into, Body more) {
    const auto is_let = [](const Statement& s) { return std::holds_alternative<Let>(s.node); };
    for (Statement& s : more) {
        const auto first_action = std::find_if_not(into.begin(), into.end(), is_let);
        If* last = into.empty() ? nullptr : std::get_if<If>(&into.back().node);
        const If* next = std::get_if<If>(&s.node);
        if (const Let* let = std::get_if<Let>(&s.node)) {
            if (!is_known(into, let->name)) into.insert(first_action, std::move(s));
        } else if (last != nullptr && next != nullptr && last->condition == next->condition) {
            last->then.insert(last->then.end(), next->then.begin(), next->then.end());
        } else {
            into.push_back(std::move(s));
        }
    }
}

/// Threads that no barrier parts become one region of threads.
Body joined_threads(Body body) {
    Body joined;
    for (Statement& s : body) {
        if (For* loop = std::get_if<For>(&s.node)) loop->body = joined_threads(std::move(loop->body));
        Threads* before = joined.empty() ? nullptr : std::get_if<Threads>(&joined.back().node);
        Threads* threads = std::get_if<Threads>(&s.node);
        if (before != nullptr && threads != nullptr)
            join_threads(before->body, std::move(threads->body));
        else
            joined.push_back(std::move(s));
    }
    return joined;
}

class StreamLowering {
public:
    StreamLowering(const StreamSchedule& schedule, const Program& program, const Graph& graph, const Library& library)
        : schedule_(schedule), program_(program), graph_(graph), library_(library) {}

    Kernel run(const std::string& kernel_name) {
        for (const std::string& known : host_names_.parameters) names_.take(known);
        kernel_.name = names_.fresh(kernel_name);
        kernel_.block = schedule_.shape;
        kernel_.shared_words = shared_words(block_);
        add_comment(schedule_.fusion.calls, "");
        add_functions();
        add_parameters();
        add_places();
        if (schedule_.choice.batch == 1) {
            add_round(kernel_.body, block_index(Dimension::x));
        } else {
            For rounds{"round", integer(0), integer(schedule_.choice.batch), 1, 0, {}, {}, true};
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
    const block::BlockProgram& block_ = schedule_.block;
    Kernel kernel_;
    Names names_;
    std::map<ValueId, std::string> global_;               ///< names of parameters
    std::vector<std::string> local_;                      ///< by region: of shared or private arrays
    std::map<std::string, std::string> coordinate_name_;  ///< by wish: the same in every region
    std::map<int, ExprRef> guards_;                       ///< by number of threads
    std::string count_, first_, linear_;
    const HostNames host_names_ = host_names(program_);
    std::vector<std::pair<ExpressionRef, std::string>> bounds_;  ///< of loops, that the host computes

    [[nodiscard]] const std::string& variable_name(ValueId value) const {
        return program_.variables[graph_.values[value].variable].name;
    }
    [[nodiscard]] FunctionVariant variant(std::size_t step) const {
        return variant_of(schedule_, step, implementation_of(schedule_, graph_, library_, schedule_.calls[step].node));
    }

    void add_comment(const std::vector<NodeId>& nodes, const std::string& indent) {
        for (const NodeId node : nodes) {
            kernel_.comment.push_back(indent + node_text(graph_, program_, node));
            const auto loop = graph_.inner.find(node);
            if (loop != graph_.inner.end()) add_comment(loop->second.body, indent + "    ");
        }
    }

    void add_functions() {
        for (std::size_t k = 0; k < block_.steps.size(); ++k) {
            if (!calls_a_function(block_.steps[k])) continue;
            FunctionVariant called = variant(k);
            const bool known = std::any_of(kernel_.functions.begin(), kernel_.functions.end(),
                                           [&](const FunctionVariant& f) { return f.name == called.name; });
            if (known) continue;
            (void)names_.fresh(called.name);  // no parameter may hide it
            kernel_.functions.push_back(std::move(called));
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
        // The last block is moved back to end with the stream.
        BlockSpan& span = kernel_.span.emplace();
        span.cells = integer(served), span.blocks = integer(1);
        span.reach = static_cast<int>(served);
        span.near = schedule_.fusion.inputs;
        span.near.insert(span.near.end(), schedule_.fusion.outputs.begin(), schedule_.fusion.outputs.end());
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
        for (std::size_t k = 0; k < block_.regions.size(); ++k) {
            const block::Region& region = block_.regions[k];
            const char* prefix = region.where == Residence::shared ? "s_" : "r_";
            local_.push_back(names_.fresh(prefix + variable_name(schedule_.values[k].value)));
            kernel_.body.push_back(declare(region, local_.back(), Type::f32));
        }
        first_ = names_.fresh("first");
        linear_ = names_.fresh("linear");
    }

    void add_round(Body& body, ExprRef group) {
        const ExprRef own = multiply(wide(std::move(group)), integer(schedule_.elements));
        const ExprRef last = subtract(wide(name(count_)), integer(schedule_.elements));
        body.push_back({Let{Type::i64, first_, minimum(own, last)}});
        std::vector<Body> steps;
        for (std::size_t k = 0; k < block_.steps.size(); ++k) steps.push_back(statements(k));
        append(body, joined_threads(lower_block(block_, std::move(steps))));
    }

    Body statements(std::size_t k) {
        const StepKind kind = block_.steps[k].kind;
        if (kind == StepKind::loop_end) return {};
        if (kind != StepKind::loop_begin) return {{Threads{step(k)}}};
        const auto loop = std::find_if(schedule_.loops.begin(), schedule_.loops.end(),
                                       [&](const ScheduledLoop& l) { return l.begin == static_cast<int>(k); });
        return {{For{names_.fresh(program_.loops[loop->what.loop].name),
                     bound_of(loop->what.from),
                     bound_of(loop->what.to),
                     1,
                     0,
                     {}}}};
    }

    /// The work of one step's threads: coordinates, then what they do, under a condition where they are not all.
    Body step(std::size_t k) {
        const block::Step& does = block_.steps[k];
        const StepCall& calls = schedule_.calls[k];
        Body lets, actions;
        if (does.kind == StepKind::compute) actions.push_back({Comment{node_text(graph_, program_, calls.node)}});
        actions.push_back(copies_together(does) ? stage(does) : call(k, lets));
        if (calls.guard_threads) actions = {{If{guard(lets, thread_count(calls.shape)), std::move(actions), {}}}};
        append(lets, std::move(actions));
        return lets;
    }

    static void let_once(Body& lets, const std::string& variable, const ExprRef& value) {
        if (!is_known(lets, variable)) lets.push_back({Let{Type::i32, variable, value}});
    }

    ExprRef linear(Body& lets) {
        let_once(lets, linear_, linear_thread());
        return name(linear_);
    }

    /// Steps with as many threads have one condition.
    const ExprRef& guard(Body& lets, int threads) {
        const ExprRef own = linear(lets);
        ExprRef& known = guards_[threads];
        if (known == nullptr) known = binary("<", own, integer(threads));
        return known;
    }

    /// A coordinate of the step's threads; the kernel's own where they are equal.
    ExprRef coordinate(Body& lets, const BlockShape& shape, Coordinate wanted) {
        const auto d = static_cast<std::size_t>(wanted);
        if (d >= thread_dimensions.size()) return integer(0);
        if (!coordinates_differ(shape, schedule_.shape)[d]) return thread_index(thread_dimensions[d]);
        const std::int64_t below = d == 0 ? 1 : d == 1 ? shape[0] : std::int64_t{shape[0]} * shape[1];
        ExprRef value = divide(linear(lets), integer(below));
        // The step's threads end with its block: its last dimension larger than 1 needs no remainder.
        const bool last =
            std::all_of(shape.begin() + static_cast<std::ptrdiff_t>(d) + 1, shape.end(), [](int n) { return n == 1; });
        if (!last) value = modulo(value, integer(shape[d]));
        if (d == 0 && last) return value;
        const std::string wish = fmt::format("{}_{}_{}_{}", coordinate_names[d], shape[0], shape[1], shape[2]);
        if (!coordinate_name_.contains(wish)) coordinate_name_[wish] = names_.fresh(wish);
        let_once(lets, coordinate_name_[wish], value);
        return name(coordinate_name_[wish]);
    }

    /// The value of a region, in memory.
    ArrayArgument tile(const block::Touch& touch) {
        const ValueId value = schedule_.values[touch.region].value;
        const auto& stream = std::get<StreamShape>(program_.variables[graph_.values[value].variable].shape);
        return {global_.at(value), multiply(name(first_), integer(library_.types[stream.type].words))};
    }

    Statement stage(const block::Step& copy) {
        const block::Touch& touch = copy.touches.front();
        const TilePitch& pitch = block_.regions[touch.region].pitch;
        const ArrayArgument global = tile(touch);
        return {Stage{touch.writes ? StageDirection::into_shared : StageDirection::out_of_shared,
                      local_.at(touch.region), global.array, global.offset, touch.copied_words, pitch.element_words,
                      pitch.padding}};
    }

    Statement call(std::size_t k, Body& lets) {
        const block::Step& does = block_.steps[k];
        const FunctionVariant called = variant(k);
        Call made;
        made.function = called.name;
        if (does.kind == StepKind::copy) made.arguments.emplace_back(tile(does.touches.front()));
        for (const block::Touch& touch : does.touches) {
            made.arguments.emplace_back(ArrayArgument{local_.at(touch.region), nullptr});
            made.touches.push_back({local_.at(touch.region), *touch.words, touch.writes});
        }
        if (does.kind == StepKind::store) made.arguments.emplace_back(tile(does.touches.front()));
        for (const Coordinate wanted : called.function.coordinates)
            made.arguments.emplace_back(coordinate(lets, schedule_.calls[k].shape, wanted));
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
