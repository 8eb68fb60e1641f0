#include "rewrite/step_symbol.hpp"

#include <fmt/format.h>

#include <cmath>
#include <cstdlib>
#include <map>

#include "frontend/expressions_at.hpp"
#include "frontend/new_field.hpp"
#include "rewrite/expressions.hpp"
#include "rewrite/statements.hpp"

namespace kasc::rewriting {

namespace {

class Symbols {
public:
    Symbols(Program& program, const LoopStatement& loop, const LinearStep& step, const ModeAxes& axes,
            std::vector<Statement>& made)
        : program_(program), loop_(loop), step_(step), axes_(axes), made_(made), at_{loop.span} {}

    VariableId run() {
        for (const Statement& statement : loop_.body) add(std::get<FieldStatement>(statement));
        return symbols_.at(step_.field);
    }

private:
    Program& program_;
    const LoopStatement& loop_;
    const LinearStep& step_;
    const ModeAxes& axes_;
    std::vector<Statement>& made_;
    const ExpressionsAt at_;
    std::map<VariableId, VariableId> symbols_;                 ///< what is made of the field so far
    std::map<std::pair<std::size_t, int>, VariableId> waves_;  ///< by axis of the field, and how far
    std::vector<Operand> operands_;                            ///< of the symbol that is made

    [[nodiscard]] ScalarKind kind() const { return step_.is_real ? ScalarKind::real : ScalarKind::complex; }
    [[nodiscard]] CellType type() const { return step_.is_real ? CellType::float64 : CellType::complex128; }

    void add(const FieldStatement& statement) {
        // Waves stand before what uses them.
        for (const Operand& operand : statement.operands)
            for (std::size_t k = 0; k < operand.indices.size(); ++k)
                if (const int far = cells(operand, k); far != 0) wave(k, std::abs(far));
        operands_.clear();
        const ExpressionRef value = symbol_of(statement, statement.value);
        const VariableId target = new_field(program_, program_.variables[statement.target].name + "_symbol",
                                            axes_.waves, type(), statement.span);
        put(target, value, std::move(operands_));
        symbols_[statement.target] = target;
    }
    static int cells(const Operand& operand, std::size_t k) { return std::get<Offset>(operand.indices[k]).cells; }

    void put(VariableId target, const ExpressionRef& value, std::vector<Operand> operands) {
        made_.emplace_back(written(program_, target, value, std::move(operands), Precision::dual, loop_.span));
    }

    ExpressionRef symbol_of(const FieldStatement& s, const ExpressionRef& e) {
        if (is_uniform(*e)) return e;
        if (const auto* use = std::get_if<OperandUse>(&e->node)) return at_neighbour(s.operands.at(use->operand));
        if (const auto* u = std::get_if<UnaryOperation>(&e->node)) {
            const ExpressionRef of = symbol_of(s, u->operand);
            return make_expression(UnaryOperation{u->op, of}, of->kind, e->span);
        }
        const auto& b = std::get<BinaryOperation>(e->node);
        const ExpressionRef left = symbol_of(s, b.left), right = symbol_of(s, b.right);
        const auto* one = std::get_if<Literal>(&right->node);
        return b.op == BinaryOperator::multiply && one && one->value == 1 ? left : binary(b.op, left, right);
    }

    /// What the wave is there, as a multiple of what it was at the cell before the step.
    ExpressionRef at_neighbour(const Operand& operand) {
        ExpressionRef made;
        if (const auto known = symbols_.find(operand.variable); known != symbols_.end())
            made = read(known->second, axes_.waves.size());
        for (std::size_t k = 0; k < operand.indices.size(); ++k) {
            const int far = cells(operand, k);
            if (far == 0) continue;
            ExpressionRef factor = read(wave(k, std::abs(far)), 1);
            // Where both sides count alike, the two are conjugates of each other, and their mean is all that counts.
            if (far < 0 && !step_.is_real) factor = at_.call(Intrinsic::conjugate, {factor}, ScalarKind::complex);
            made = product(made, factor);
        }
        return made ? made : at_.number(1);
    }
    ExpressionRef read(VariableId field, std::size_t axes) {
        operands_.push_back({field, std::vector<AxisIndex>(axes, AxisIndex{Offset{0}}), loop_.span});
        return at_.operand(operands_.size() - 1, kind());
    }

    /// A field along one axis of waves: what they are so many cells further.
    VariableId wave(std::size_t k, int far) {
        const auto known = waves_.find({k, far});
        if (known != waves_.end()) return known->second;
        const AxisId cells = axes_.cells[k], along = axes_.waves[k];
        std::string name = program_.axes[cells].name + "_wave";
        if (far > 1) name += fmt::format("_{}_cells", far);
        const VariableId made = new_field(program_, name, {along}, type(), loop_.span);
        const ExpressionRef angle = at_.of_two(
            BinaryOperator::divide, at_.of_two(BinaryOperator::multiply, at_.number(far * full_turn), number_of(k)),
            at_.extent(cells));
        const ExpressionRef cosine = at_.call(Intrinsic::cos, {angle});
        put(made,
            step_.is_real
                ? cosine
                : at_.call(Intrinsic::make_complex, {cosine, at_.call(Intrinsic::sin, {angle})}, ScalarKind::complex),
            {});
        waves_[{k, far}] = made;
        return made;
    }
    /// How often a wave goes up and down along the axis: of the second half of a whole spectrum backwards, so that
    /// waves that are each other's conjugates get symbols that are, to the bit.
    [[nodiscard]] ExpressionRef number_of(std::size_t k) const {
        const AxisId along = axes_.waves[k];
        const ExpressionRef here = at_.coordinate(along), all = at_.extent(along);
        if (k == step_.first) return here;
        const ExpressionRef half = at_.whole(
            BinaryOperator::divide, at_.whole(BinaryOperator::add, all, at_.whole_number(1)), at_.whole_number(2));
        return at_.choice(at_.holds(BinaryOperator::less, here, half), here,
                          at_.of_two(BinaryOperator::subtract, here, all));
    }
};

}  // namespace

VariableId add_symbol(Program& program, const LoopStatement& loop, const LinearStep& step, const ModeAxes& axes,
                      std::vector<Statement>& made) {
    return Symbols(program, loop, step, axes, made).run();
}

}  // namespace kasc::rewriting
