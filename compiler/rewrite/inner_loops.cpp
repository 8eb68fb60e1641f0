#include "rewrite/inner_loops.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <functional>
#include <set>

#include "frontend/expression_parts.hpp"
#include "frontend/make_expression.hpp"
#include "graph/linear_position.hpp"
#include "graph/loop_lines.hpp"
#include "rewrite/alike_cells.hpp"
#include "rewrite/looked_for.hpp"
#include "rewrite/loops_apart.hpp"
#include "rewrite/statements.hpp"
#include "rewrite/whole_numbers.hpp"

namespace kasc {

namespace {

using namespace rewriting;

/// Beyond, compilers take long over what a cell computes in one iteration. Each word of a cell with a shape is one.
constexpr std::size_t most_inner_statements = 256;

/// The host and a GPU round it alike.
bool rounds_alike(const Expression& e) {
    const auto* operation = std::get_if<BinaryOperation>(&e.node);
    if (operation != nullptr && operation->op == BinaryOperator::modulo) return e.kind == ScalarKind::integer;
    const auto* call = std::get_if<IntrinsicCall>(&e.node);
    if (call == nullptr) return true;
    switch (call->intrinsic) {
        case Intrinsic::sqrt:
        case Intrinsic::abs:
        case Intrinsic::floor:
        case Intrinsic::ceil:
        case Intrinsic::round:
        case Intrinsic::minimum:
        case Intrinsic::maximum:
        case Intrinsic::to_real:
            return true;
        default:
            return false;
    }
}

/// Every part of what is the same for all cells and moves with the loop is computed within the kernel, too.
bool computes_alike(const Expression& e, LoopId loop) {
    if (!is_uniform(e)) {
        bool alike = true;
        for_each_operand_part(e, [&](const Expression& part) { alike = alike && computes_alike(part, loop); });
        return alike;
    }
    if (!uses_loop(e, loop)) return true;
    return !any_part(e, [](const Expression& part) { return part.kind == ScalarKind::complex || !rounds_alike(part); });
}

/// Its reals, if it has any, are computed as the program's parameters say, not as a statement's precision does.
bool is_of_integers(const Expression& e) {
    return !any_part(e, [](const Expression& part) { return part.kind == ScalarKind::real; });
}

class Marking {
public:
    Marking(const Program& program, const std::function<Verdict(const InnerVerdict&)>& fits)
        : made_{program, {}, false}, fits_(fits) {}

    InnerLoops run() {
        made_.program.statements = with_lists(made_.program.statements, [&](const Statements& list) {
            Statements taken;
            for (const Statement& statement : list) take_apart(statement, taken);
            return taken;
        });
        Statements list = made_.program.statements;
        walk(list);
        made_.program.statements = std::move(list);
        return std::move(made_);
    }

private:
    InnerLoops made_;
    const std::function<Verdict(const InnerVerdict&)>& fits_;

    /// The statement, or where kernels may run its parts alone, the loops that it falls into.
    void take_apart(const Statement& statement, Statements& taken) {
        const auto* loop = std::get_if<std::shared_ptr<const LoopStatement>>(&statement);
        const bool of_fields =
            loop != nullptr && std::all_of((*loop)->body.begin(), (*loop)->body.end(), [](const Statement& s) {
                return std::holds_alternative<FieldStatement>(s);
            });
        std::vector<LoopStatement> parts;
        if (of_fields && !(*loop)->going && !made_.program.loops[(*loop)->loop].alive)
            for (Statements& body : bodies_apart(made_.program, **loop)) {
                parts.push_back(**loop);
                parts.back().body = std::move(body);
            }
        if (parts.size() < 2 || !std::all_of(parts.begin(), parts.end(), [&](const LoopStatement& part) {
                return static_cast<bool>(may_run_inside(part));
            })) {
            taken.push_back(statement);
            return;
        }
        for (LoopStatement& part : parts) {
            if (&part != &parts.front()) {
                part.loop = made_.program.loops.add(made_.program.loops[(*loop)->loop]);
                const ExpressionRef index = make_expression(LoopIndexUse{part.loop}, ScalarKind::integer, part.span);
                part.body = at_index(part.body, (*loop)->loop, index);
            }
            taken.emplace_back(std::make_shared<const LoopStatement>(std::move(part)));
        }
    }

    void walk(Statements& list) {
        Statements all;
        for (Statement& statement : list) {
            const auto* loop = std::get_if<std::shared_ptr<const LoopStatement>>(&statement);
            if (loop == nullptr) {
                all.push_back(std::move(statement));
            } else if (std::any_of((*loop)->body.begin(), (*loop)->body.end(), [](const Statement& s) {
                           return std::holds_alternative<std::shared_ptr<const LoopStatement>>(s);
                       })) {
                LoopStatement around = **loop;
                walk(around.body);
                all.emplace_back(std::make_shared<const LoopStatement>(std::move(around)));
            } else {
                mark(*loop, all);
            }
        }
        list = std::move(all);
    }

    void mark(const std::shared_ptr<const LoopStatement>& loop, Statements& list) {
        InnerVerdict made{loop->loop, to_text(*loop, made_.program), Verdict::no("")};
        AlikeCells with_others{{}, *loop, {}};
        if (!marked(with_others, made)) {
            Program as_it_was = made_.program;
            InnerVerdict again = made;
            auto alike = with_alike_cells(made_.program, *loop);
            if (alike && marked(*alike, again)) {
                made = std::move(again);
                with_others = std::move(*alike);
            } else {
                made_.program = std::move(as_it_was);
                with_others.loop = *loop;
            }
        }
        made_.changed = made_.changed || made.verdict;
        made_.verdicts.push_back(std::move(made));
        for (Statement& s : with_others.before) list.push_back(std::move(s));
        list.emplace_back(std::make_shared<const LoopStatement>(std::move(with_others.loop)));
        for (Statement& s : with_others.behind) list.push_back(std::move(s));
    }
    /// Whether a kernel may run the loop, which is written so that it can.
    bool marked(AlikeCells& of, InnerVerdict& made) {
        of.loop = with_cells_looked_for(made_.program, of.loop);
        made.verdict = may_run_inside(of.loop);
        if (made.verdict) {
            made.along = line_axes(made_.program, statements_of(of.loop));
            made.verdict = fits_(made);
        }
        if (made.verdict) made_.program.loops[of.loop.loop].inside = true;
        return static_cast<bool>(made.verdict);
    }

    /// Requires: its body has no others.
    [[nodiscard]] static std::vector<const FieldStatement*> statements_of(const LoopStatement& loop) {
        std::vector<const FieldStatement*> body;
        for (const Statement& s : loop.body) body.push_back(&std::get<FieldStatement>(s));
        return body;
    }

    [[nodiscard]] Verdict may_run_inside(const LoopStatement& loop) const {
        const Program& p = made_.program;
        const Loop& own = p.loops[loop.loop];
        const bool is_rest =
            std::any_of(p.loops.begin(), p.loops.end(), [&](const Loop& l) { return l.rest == loop.loop; });
        if (own.rest || is_rest) return Verdict::no("it is one loop with another");
        if (loop.going) return Verdict::no("whether another iteration runs is known after each");
        if (loop.body.empty()) return Verdict::no("it does nothing");
        if (loop.body.size() > most_inner_statements)
            return Verdict::no("an iteration computes too much for one thread");
        if (!std::all_of(loop.body.begin(), loop.body.end(),
                         [](const Statement& s) { return std::holds_alternative<FieldStatement>(s); }))
            return Verdict::no("an iteration transforms");
        std::set<VariableId> assigned;
        const std::vector<const FieldStatement*> body = statements_of(loop);
        for (const FieldStatement* statement : body) assigned.insert(statement->target);
        const std::vector<AxisId> axes = free_axes(p, *body.front());
        for (const Statement& s : loop.body) {
            const auto& statement = std::get<FieldStatement>(s);
            if (const std::string fault = fault_of(statement, loop.loop, axes, assigned); !fault.empty())
                return Verdict::no(fmt::format("'{}' {}", statement_text(p, s), fault));
        }
        const std::vector<AxisId> along = line_axes(p, body);
        if (along.empty()) return Verdict::yes("each cell runs its iterations by itself");
        if (own.alive) return Verdict::no("cells that end by themselves look at others");
        std::vector<std::string> names;
        for (const AxisId axis : along) names.push_back(p.axes[axis].name);
        return Verdict::yes(
            fmt::format("cells look at each other along {} alone: a block runs the iterations of whole "
                        "lines",
                        fmt::join(names, ", ")));
    }

    [[nodiscard]] std::string fault_of(const FieldStatement& statement, LoopId loop, const std::vector<AxisId>& axes,
                                       const std::set<VariableId>& assigned) const {
        const Program& p = made_.program;
        if (joins_cells(statement)) return "needs all cells of an iteration";
        if (statement.where || statement.adding || is_listed(statement)) return "assigns some cells, in each iteration";
        if (free_axes(p, statement) != axes) return "is over other cells than the first statement";
        if (!computes_alike(*statement.value, loop))
            return "has a function of the iteration, which the host rounds its own way";
        if (std::string fault = fault_of(statement.target_indices, statement.target, loop, axes, true); !fault.empty())
            return fault;
        for (const Operand& operand : statement.operands) {
            const bool own = assigned.contains(operand.variable);
            if (std::string fault = fault_of(operand.indices, operand.variable, loop, axes, own); !fault.empty())
                return fault;
        }
        return {};
    }

    /// `own`: the loop assigns the variable.
    [[nodiscard]] std::string fault_of(const std::vector<AxisIndex>& indices, VariableId variable, LoopId loop,
                                       const std::vector<AxisId>& axes, bool own) const {
        const FieldShape& shape = field_shape(made_.program, variable);
        const std::string& name = made_.program.variables[variable].name;
        for (std::size_t k = 0; k < indices.size(); ++k) {
            const bool of_cell = std::find(axes.begin(), axes.end(), shape.axes[k]) != axes.end();
            const auto* absolute = std::get_if<Absolute>(&indices[k]);
            if (own && of_cell && absolute != nullptr)
                return fmt::format(
                    "looks at one cell of {}, which the loop assigns, from all others, and may stand "
                    "beyond the grid",
                    name);
            if (own && !of_cell && absolute == nullptr)
                return fmt::format("looks for cells of {}, which the loop assigns", name);
            if (absolute == nullptr) {
                const auto* computed = std::get_if<Computed>(&indices[k]);
                if (computed != nullptr && !computes_alike(*computed->position, loop))
                    return "has a function of the iteration in a position";
                continue;
            }
            if (!uses_loop(*absolute->position, loop)) continue;
            const ExpressionRef& at = absolute->position;
            if (!is_of_integers(*at) ||
                (!linear_position(*at, loop, made_.program) && !position_range(at, loop, at, at)))
                return fmt::format("has a position in {} of which is not known how it goes with the iterations", name);
        }
        return {};
    }
};

}  // namespace

InnerLoops inner_loops(const Program& program, const std::function<Verdict(const InnerVerdict&)>& fits) {
    if (has_streams(program)) return {program, {}, false};  // their kernels run loops of calls
    return Marking(program, fits).run();
}

}  // namespace kasc
