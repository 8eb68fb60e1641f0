// Waves of a block are those of its cells with their overlaps, weighted. They tell of the grid's in one way: what is
// linear in them, transformed back, is right inside. So
//
//   ifft(ik * fft(u))            right
//   ifft(fft(u) * fft(v))        a convolution: all cells of u meet all cells of v
//   U = U + dt * fft(f(u))       the overlaps of U are never renewed: what comes from beyond them is missed
#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <set>

#include "basis/checks.hpp"
#include "basis/scales.hpp"
#include "frontend/expression_parts.hpp"
#include "graph/statements.hpp"

namespace kasc::basis {

namespace {

/// How an expression is made of spectra: of none (zero), linear in them (one), or otherwise (none), which was said.
enum class Degree { none, zero, one };

class Spectra {
public:
    Spectra(const Program& program, const Domains& domains) : program_(program), domains_(domains) {}

    Diagnostics run() {
        const auto each = [&](const auto& visit) { statements::each_statement(program_.statements, visit); };
        for (std::size_t before = 1, now = 0; before != now;) {
            before = now;
            each([&](const Statement& statement) { spread(statement); });
            now = spectra_.size() + 1;
        }
        each([&](const Statement& statement) {
            const auto* field = std::get_if<FieldStatement>(&statement);
            if (field != nullptr && domains_.runs_along_waves(*field)) static_cast<void>(degree(*field, field->value));
        });
        for (const BackScale& scale : scales_back(program_)) check_scale(scale);
        check_loops(program_.statements);
        return std::move(faults_);
    }

private:
    const Program& program_;
    const Domains& domains_;
    std::set<VariableId> spectra_;  ///< linear in what a forward transform along a cut axis has made
    std::set<VariableId> told_;
    Diagnostics faults_;

    [[nodiscard]] bool is_cut(const TransformStatement& t) const {
        const auto& axes = field_shape(program_, t.source).axes;
        return transforms(t.direction) && std::any_of(t.axes.begin(), t.axes.end(), [&](std::size_t k) {
                   return domains_.cut(axes.at(k)) != nullptr;
               });
    }
    void spread(const Statement& statement) {
        if (const auto* t = std::get_if<TransformStatement>(&statement)) {
            if (t->direction == Direction::forward && is_cut(*t)) spectra_.insert(t->target);
            // Along other axes alone, or of waves along some of them.
            if (spectra_.contains(t->source) && domains_.has_waves(t->target)) spectra_.insert(t->target);
            return;
        }
        const auto* field = std::get_if<FieldStatement>(&statement);
        if (field == nullptr || !domains_.has_waves(field->target)) return;
        if (std::any_of(field->operands.begin(), field->operands.end(),
                        [&](const Operand& o) { return spectra_.contains(o.variable); }))
            spectra_.insert(field->target);
    }

    void add(std::string message, const Span& span, std::string label, std::string help) {
        faults_.push_back(basis_fault(std::move(message), span, std::move(label), std::move(help)));
    }
    Degree not_linear(const Expression& e) {
        add("waves of a field are multiplied with each other, or taken apart, and a block has waves of its own", e.span,
            "not linear in a transform",
            "multiply a transform with numbers, complex(0, k) * U, add, and transform it "
            "back: all else is for cells");
        return Degree::none;
    }
    [[nodiscard]] static bool is_zero(const Expression& e) {
        if (const auto* literal = std::get_if<Literal>(&e.node)) return literal->value == 0;
        const auto* call = std::get_if<IntrinsicCall>(&e.node);
        return call != nullptr && call->intrinsic == Intrinsic::make_complex && is_zero(*call->arguments[0]) &&
               is_zero(*call->arguments[1]);
    }
    /// Terms that stand for each other, or are added.
    Degree alike(const FieldStatement& s, const ExpressionRef& whole, const ExpressionRef& a, const ExpressionRef& b) {
        const Degree left = degree(s, a), right = degree(s, b);
        if (left == Degree::none || right == Degree::none) return Degree::none;
        if (left == right) return left;
        return is_zero(left == Degree::zero ? *a : *b) ? Degree::one : not_linear(*whole);
    }
    Degree degree(const FieldStatement& s, const ExpressionRef& e) {
        if (const auto* use = std::get_if<OperandUse>(&e->node))
            return spectra_.contains(s.operands.at(use->operand).variable) ? Degree::one : Degree::zero;
        if (const auto* u = std::get_if<UnaryOperation>(&e->node)) {
            const Degree of = degree(s, u->operand);
            return of == Degree::one && u->op != UnaryOperator::negate ? not_linear(*e) : of;
        }
        if (const auto* b = std::get_if<BinaryOperation>(&e->node)) {
            if (b->op == BinaryOperator::add || b->op == BinaryOperator::subtract)
                return alike(s, e, b->left, b->right);
            const Degree left = degree(s, b->left), right = degree(s, b->right);
            if (left == Degree::none || right == Degree::none) return Degree::none;
            if (left == Degree::zero && right == Degree::zero) return Degree::zero;
            const bool times = b->op == BinaryOperator::multiply && left != right;
            const bool divided = is_quotient(b->op) && right == Degree::zero;
            return times || divided ? Degree::one : not_linear(*e);
        }
        if (const auto* c = std::get_if<Conditional>(&e->node)) {
            const Degree condition = degree(s, c->condition);
            if (condition == Degree::one) return not_linear(*c->condition);
            return condition == Degree::none ? condition : alike(s, e, c->then, c->otherwise);
        }
        return of_arguments(s, *e);
    }
    Degree of_arguments(const FieldStatement& s, const Expression& e) {
        std::vector<ExpressionRef> arguments;
        if (const auto* call = std::get_if<IntrinsicCall>(&e.node)) arguments = call->arguments;
        if (const auto* call = std::get_if<FunctionWord>(&e.node)) arguments = call->arguments;
        for (const ExpressionRef& argument : arguments) {
            const Degree of = degree(s, argument);
            if (of != Degree::zero) return of == Degree::none ? of : not_linear(e);
        }
        return Degree::zero;
    }

    // ---- scales ----------------------------------------------------------------------------------------------------

    /// What is not scaled before its first pass is, wherever it is read.
    void check_scale(const BackScale& scale) {
        if (scale.where_made ||
            std::none_of(scale.axes.begin(), scale.axes.end(), [&](AxisId a) { return domains_.cut(a) != nullptr; }))
            return;
        bool all = true;
        statements::each_statement(program_.statements, [&](const Statement& reader) {
            const auto* field = std::get_if<FieldStatement>(&reader);
            if (field != nullptr) all = all && reads_scaled(*field, *field->value, scale);
        });
        if (all) return;
        add("the transform back is not scaled, and a block has cells of its own number", scale.last->span,
            "its scale is the whole grid's", "write 'ifft', which divides by the number of cells that it has");
    }
    [[nodiscard]] static bool reads_scaled(const FieldStatement& s, const Expression& e, const BackScale& scale) {
        const auto reads = [&](const Expression& part) {
            const auto* use = std::get_if<OperandUse>(&part.node);
            return use != nullptr && s.operands.at(use->operand).variable == scale.last->target;
        };
        const auto* product = std::get_if<BinaryOperation>(&e.node);
        if (product != nullptr && reads(*product->right) && is_scaled(e, scale.axes)) return true;
        if (reads(e)) return false;
        bool all = true;
        for_each_operand_part(e, [&](const Expression& part) { all = all && reads_scaled(s, part, scale); });
        return all;
    }

    // ---- loops -----------------------------------------------------------------------------------------------------

    void check_loops(const std::vector<Statement>& list) {
        for (const Statement& statement : list) {
            const auto* loop = std::get_if<std::shared_ptr<const LoopStatement>>(&statement);
            if (loop == nullptr) continue;
            std::set<VariableId> assigned;
            const std::set<VariableId> all = statements::targets(statement);
            each_read_first((*loop)->body, assigned, [&](VariableId v, const Span& span) {
                if (!spectra_.contains(v) || !all.contains(v) || !told_.insert(v).second) return;
                add(fmt::format("the waves of '{}' go from one iteration to the next, and their overlaps are never "
                                "renewed",
                                program_.variables[v].name),
                    span, "as the iteration before left them", "keep the cells, and transform them in each iteration");
            });
            check_loops((*loop)->body);
        }
    }
    /// What the list reads before it assigns it.
    void each_read_first(const std::vector<Statement>& list, std::set<VariableId>& assigned,
                         const std::function<void(VariableId, const Span&)>& visit) const {
        const auto read = [&](VariableId v, const Span& span) {
            if (!assigned.contains(v)) visit(v, span);
        };
        for (const Statement& statement : list) {
            if (const auto* loop = std::get_if<std::shared_ptr<const LoopStatement>>(&statement)) {
                std::set<VariableId> inside = assigned;  // it may run no iteration
                each_read_first((*loop)->body, inside, visit);
            } else if (const auto* t = std::get_if<TransformStatement>(&statement)) {
                read(t->source, t->span);
                assigned.insert(t->target);
            } else if (const auto* s = std::get_if<FieldStatement>(&statement)) {
                for (const Operand& operand : s->operands) read(operand.variable, operand.span);
                assigned.insert(s->target);
            }
        }
    }
};

}  // namespace

Diagnostics check_spectra(const Program& program, const Domains& domains) { return Spectra(program, domains).run(); }

}  // namespace kasc::basis
