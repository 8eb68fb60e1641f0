#include "rewrite/loops_apart.hpp"

#include <algorithm>

#include "graph/field_target.hpp"
#include "graph/linear_position.hpp"
#include "graph/statements.hpp"

namespace kasc {

namespace {

struct Body {
    std::vector<AxisId> axes;              ///< sorted
    std::vector<const Statement*> list{};  ///< of the loop's body
};

const FieldStatement& field_in(const Statement* statement) { return std::get<FieldStatement>(*statement); }

/// What the statement `maker` assigns where `read` looks is there when the statement `reader` runs, and no later
/// iteration assigns it: there is one axis along which the maker goes on, and the reader stays behind it or beside it.
bool is_made_before(const Program& program, LoopId loop, const Statement* maker, const Statement* reader,
                    const Operand& read) {
    const std::vector<AxisIndex>& made = field_in(maker).target_indices;
    bool behind = false;
    for (std::size_t k = 0; k < made.size(); ++k) {
        const auto* to = std::get_if<Absolute>(&made[k]);
        if (to == nullptr) continue;
        const auto* from = std::get_if<Absolute>(&read.indices[k]);
        const auto at = linear_position(*to->position, loop, program);
        if (!at || from == nullptr) return false;
        if (at->coefficient == 0) continue;
        auto of_read = linear_position(*from->position, loop, program);
        if (!of_read || of_read->coefficient != at->coefficient || of_read->terms != at->terms) return false;
        const long long ahead = of_read->constant - at->constant;
        if (ahead % at->coefficient != 0) return false;
        // So many iterations later the maker assigns what is read. Statements lie in the loop's own list.
        const long long iterations = ahead / at->coefficient;
        if (iterations > 0 || (iterations == 0 && maker > reader)) return false;
        behind = true;
    }
    return behind;
}

/// The loop over `first` may end before that over `second` begins.
bool may_come_first(const Program& program, LoopId loop, const Body& first, const Body& second) {
    for (const Statement* later : second.list) {
        for (const Statement* earlier : first.list) {
            const VariableId made = field_in(later).target;
            if (statements::reads(*earlier, made) || statements::assigns(*earlier, made)) return false;
            for (const Operand& read : field_in(later).operands)
                if (read.variable == field_in(earlier).target && !is_made_before(program, loop, earlier, later, read))
                    return false;
        }
    }
    return true;
}

/// Each is over some of the axes of the one behind it, not all.
bool grow(const std::vector<Body>& bodies) {
    return std::adjacent_find(bodies.begin(), bodies.end(), [](const Body& a, const Body& b) {
               return a.axes.size() == b.axes.size() ||
                      !std::includes(b.axes.begin(), b.axes.end(), a.axes.begin(), a.axes.end());
           }) == bodies.end();
}

}  // namespace

std::vector<std::vector<Statement>> bodies_apart(const Program& program, const LoopStatement& loop) {
    std::vector<Body> bodies;
    for (const Statement& statement : loop.body) {
        std::vector<AxisId> axes = free_axes(program, std::get<FieldStatement>(statement));
        std::sort(axes.begin(), axes.end());
        auto own = std::find_if(bodies.begin(), bodies.end(), [&](const Body& body) { return body.axes == axes; });
        if (own == bodies.end()) own = bodies.insert(bodies.end(), {std::move(axes)});
        own->list.push_back(&statement);
    }
    std::stable_sort(bodies.begin(), bodies.end(),
                     [](const Body& a, const Body& b) { return a.axes.size() < b.axes.size(); });
    bool apart = grow(bodies);
    for (std::size_t second = 1; second < bodies.size(); ++second)
        for (std::size_t first = 0; first < second; ++first)
            apart = apart && may_come_first(program, loop.loop, bodies[first], bodies[second]);
    if (!apart) return {loop.body};
    std::vector<std::vector<Statement>> made;
    for (const Body& body : bodies) {
        made.emplace_back();
        for (const Statement* statement : body.list) made.back().push_back(*statement);
    }
    return made;
}

}  // namespace kasc
