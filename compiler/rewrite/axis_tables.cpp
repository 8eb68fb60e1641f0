#include "rewrite/axis_tables.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

#include "frontend/expression_parts.hpp"
#include "frontend/make_expression.hpp"
#include "frontend/new_field.hpp"
#include "frontend/rewrite_expression.hpp"
#include "rewrite/statements.hpp"

namespace kasc {

namespace {

using namespace rewriting;
using LoopRef = std::shared_ptr<const LoopStatement>;

/// Along which axes parts of one statement are not the same in all cells.
class AxesOf {
public:
    explicit AxesOf(const FieldStatement& statement, const Program& program)
        : statement_(statement), program_(program) {}

    const std::set<AxisId>& operator()(const Expression& e) {
        if (const auto known = axes_.find(&e); known != axes_.end()) return known->second;
        std::set<AxisId> all;
        const auto add = [&](const std::set<AxisId>& more) { all.insert(more.begin(), more.end()); };
        for_each_operand_part(e, [&](const Expression& part) { add((*this)(part)); });
        if (const auto* at = std::get_if<CoordinateUse>(&e.node)) all.insert(at->axis);
        if (const auto* use = std::get_if<OperandUse>(&e.node)) add(of(statement_.operands.at(use->operand)));
        return axes_.emplace(&e, std::move(all)).first->second;
    }

    /// The same axes in the order in which the operand of the part that has most of them lies in memory.
    [[nodiscard]] std::vector<AxisId> in_memory(const Expression& e) {
        std::vector<AxisId> most;
        for_each_part(e, [&](const Expression& part) {
            const auto* use = std::get_if<OperandUse>(&part.node);
            std::vector<AxisId> axes = use ? in_order(statement_.operands.at(use->operand)) : std::vector<AxisId>{};
            if (axes.size() > most.size()) most = std::move(axes);
        });
        for (const AxisId axis : (*this)(e))
            if (std::find(most.begin(), most.end(), axis) == most.end()) most.push_back(axis);
        return most;
    }

private:
    const FieldStatement& statement_;
    const Program& program_;
    std::map<const Expression*, std::set<AxisId>> axes_;

    [[nodiscard]] std::vector<AxisId> in_order(const Operand& operand) {
        std::vector<AxisId> all;
        const auto add = [&](AxisId axis) {
            if (std::find(all.begin(), all.end(), axis) == all.end()) all.push_back(axis);
        };
        const std::vector<AxisId>& own = field_shape(program_, operand.variable).axes;
        for (std::size_t k = 0; k < own.size(); ++k) {
            if (std::holds_alternative<Offset>(operand.indices[k])) add(own[k]);
            if (const auto* computed = std::get_if<Computed>(&operand.indices[k]))
                for (const AxisId axis : (*this)(*computed->position)) add(axis);
        }
        return all;
    }
    [[nodiscard]] std::set<AxisId> of(const Operand& operand) {
        const std::vector<AxisId> all = in_order(operand);
        return {all.begin(), all.end()};
    }
};

class Tabulating {
public:
    Tabulating(const Program& program, const TableWorth& worth) : worth_(worth) { result_.program = program; }

    AxisTables run() {
        result_.program.statements = list(result_.program.statements);
        return std::move(result_);
    }

private:
    struct Known {
        VariableId field;
        std::set<VariableId> made_of;
    };

    const TableWorth& worth_;
    AxisTables result_;
    std::set<std::string> told_;
    std::set<VariableId> tables_;
    std::vector<const LoopStatement*> loops_;  ///< around the list at hand

    [[nodiscard]] const Program& program() const { return result_.program; }

    Statements list(const Statements& statements) {
        Statements made;
        std::map<std::string, Known> known;
        for (const Statement& statement : statements) {
            if (const auto* loop = std::get_if<LoopRef>(&statement)) {
                loops_.push_back(loop->get());
                LoopStatement around = **loop;
                around.body = list(around.body);
                loops_.pop_back();
                move_out(around, made);
                made.emplace_back(std::make_shared<const LoopStatement>(std::move(around)));
            } else if (const auto* field = std::get_if<FieldStatement>(&statement)) {
                made.emplace_back(with_tables(*field, made, known));
            } else {
                made.push_back(statement);
            }
            for (const VariableId target : targets(statement))
                std::erase_if(known, [&](const auto& k) { return k.second.made_of.contains(target); });
        }
        return made;
    }

    /// Tables that no iteration changes stand before their loop.
    void move_out(LoopStatement& loop, Statements& before) {
        for (auto s = loop.body.begin(); s != loop.body.end();) {
            const auto* field = std::get_if<FieldStatement>(&*s);
            if (field == nullptr || !tables_.contains(field->target) || !is_same_in(loop, *field, *field->value)) {
                ++s;
                continue;
            }
            before.push_back(std::move(*s));
            s = loop.body.erase(s);
        }
    }
    /// No iteration of the loop changes what the part is made of.
    [[nodiscard]] static bool is_same_in(const LoopStatement& loop, const FieldStatement& from, const Expression& e) {
        return !any_read(from, e, [&](const Expression& part, const Operand* operand) {
            const auto* index = std::get_if<LoopIndexUse>(&part.node);
            if (index != nullptr && index->loop == loop.loop) return true;
            return operand != nullptr && std::any_of(loop.body.begin(), loop.body.end(),
                                                     [&](const Statement& s) { return assigns(s, operand->variable); });
        });
    }
    /// Some leaf that the part is made of is so, those of positions among them.
    template <class Is>
    static bool any_read(const FieldStatement& from, const Expression& e, const Is& is) {
        return any_part(e, [&](const Expression& part) {
            const auto* use = std::get_if<OperandUse>(&part.node);
            const Operand* operand = use ? &from.operands.at(use->operand) : nullptr;
            if (is(part, operand)) return true;
            return operand != nullptr &&
                   std::any_of(operand->indices.begin(), operand->indices.end(), [&](const AxisIndex& index) {
                       if (const auto* absolute = std::get_if<Absolute>(&index))
                           return any_read(from, *absolute->position, is);
                       const auto* computed = std::get_if<Computed>(&index);
                       return computed != nullptr && any_read(from, *computed->position, is);
                   });
        });
    }

    /// What is at hand while one statement is written anew.
    struct Place {
        FieldStatement& statement;
        AxesOf axes;
        std::vector<AxisId> cells;
        Statements& before;
        std::map<std::string, Known>& known;
    };

    FieldStatement with_tables(FieldStatement statement, Statements& before, std::map<std::string, Known>& known) {
        // Coordinates may be places of a list there, and operands what no expression has.
        const bool of_ordered = statement.adding && statement.adding->part != Adding::Part::entries;
        if (of_ordered || (statement.running && statement.running->carries)) return statement;
        const FieldStatement from = statement;
        Place place{statement, AxesOf(from, program()), cell_axes(program(), from), before, known};
        // A chained sum adds a product without a rounding of its own.
        const ExpressionRef value = with_tables(from.value, place, from.fold && from.fold->chained);
        std::vector<std::vector<AxisIndex>> read_at;
        for (const Operand& operand : from.operands) read_at.push_back(with_tables(operand.indices, place));
        std::vector<AxisIndex> target_at = with_tables(from.target_indices, place);
        if (statement.operands.size() == from.operands.size()) return statement;
        statement.value = value;
        statement.target_indices = std::move(target_at);
        for (std::size_t k = 0; k < read_at.size(); ++k) statement.operands[k].indices = std::move(read_at[k]);
        return with_equal_operands_once(statement);
    }
    std::vector<AxisIndex> with_tables(std::vector<AxisIndex> indices, Place& place) {
        for (AxisIndex& index : indices)
            if (const auto* computed = std::get_if<Computed>(&index))
                index = Computed{with_tables(computed->position, place, false)};
        return indices;
    }
    /// `added`: a product at this place is not rounded by itself.
    ExpressionRef with_tables(const ExpressionRef& e, Place& place, bool added) {
        if (is_leaf(*e)) return e;
        const std::set<AxisId>& axes = place.axes(*e);
        if (axes.empty()) return e;
        const bool real = e->kind == ScalarKind::real || e->kind == ScalarKind::complex;
        if (real && axes.size() < place.cells.size() && !(added && fusing_product(*e) != nullptr)) {
            if (const auto table = table_of(e, axes, place)) return *table;
        }
        const auto* sum = std::get_if<BinaryOperation>(&e->node);
        const bool adds = sum && (sum->op == BinaryOperator::add || sum->op == BinaryOperator::subtract);
        bool changed = false;
        const ExpressionRef made = with_parts(e, [&](const ExpressionRef& part, bool) {
            const ExpressionRef now = with_tables(part, place, adds);
            changed = changed || now != part;
            return now;
        });
        return changed ? made : e;
    }

    /// None: it stays where it is.
    std::optional<ExpressionRef> table_of(const ExpressionRef& e, const std::set<AxisId>& axes, Place& place) {
        TablePart part{*e, place.statement.precision, {}, {}, loops_};
        const auto& fold = place.statement.fold;
        const auto is_folded = [&](AxisId axis) {
            return fold && std::find(fold->axes.begin(), fold->axes.end(), axis) != fold->axes.end();
        };
        part.of_pairs = fold && fold->chained && std::any_of(axes.begin(), axes.end(), is_folded);
        // Threads go along what is folded: compilers take what stays the same out of their loops.
        std::copy_if(place.cells.begin(), place.cells.end(), std::back_inserter(part.cells),
                     [&](AxisId axis) { return !is_folded(axis) || axes.contains(axis); });
        std::copy_if(place.cells.begin(), place.cells.end(), std::back_inserter(part.axes),
                     [&](AxisId axis) { return axes.contains(axis); });
        if (part.axes.size() != axes.size() || part.axes.size() == part.cells.size()) return std::nullopt;
        if (part.of_pairs) part.axes = place.axes.in_memory(*e);
        std::optional<Verdict> verdict = worth_(part);
        if (!verdict) return std::nullopt;
        if (*verdict && !may_stand_before(place.statement, *e))
            verdict = Verdict::no("it changes in a loop that a kernel runs");
        const std::string text = to_text(*e, program(), operand_texts(place.statement, program()));
        if (told_.insert(text).second) result_.verdicts.push_back({text, *verdict});
        if (!*verdict) return std::nullopt;
        result_.changed = true;
        FieldStatement from = place.statement;
        std::vector<AxisIndex> read(part.axes.size(), AxisIndex{Offset{0}});
        for (std::size_t k = 0; part.of_pairs && k < part.axes.size(); ++k)
            if (const auto own = axis_of_reads(*e, from, part.axes[k])) {
                read[k] = Computed{make_expression(CoordinateUse{part.axes[k]}, ScalarKind::integer, e->span)};
                read_along(from, part.axes[k]);
                part.axes[k] = *own;
            }
        const VariableId field = field_of(e, part.axes, from, place);
        place.statement.operands.push_back({field, std::move(read), e->span});
        return make_expression(OperandUse{place.statement.operands.size() - 1}, e->kind, e->span);
    }

    /// The axis along which all of the part that goes along `axis` is read at that place, `u[f = i] - m[f = i]`: a
    /// field over that one is the same along any other axis in the place of i.
    [[nodiscard]] std::optional<AxisId> axis_of_reads(const Expression& e, const FieldStatement& from,
                                                      AxisId axis) const {
        std::set<AxisId> own;
        const bool else_where = any_part(e, [&](const Expression& part) {
            const auto* at = std::get_if<CoordinateUse>(&part.node);
            const auto* use = std::get_if<OperandUse>(&part.node);
            if (use == nullptr) return at != nullptr && at->axis == axis;
            const Operand& operand = from.operands.at(use->operand);
            const std::vector<AxisId>& axes = field_shape(program(), operand.variable).axes;
            bool other = false;
            for (std::size_t k = 0; k < axes.size(); ++k) {
                if (is_place(operand.indices[k], axis))
                    own.insert(axes[k]);
                else
                    other = other || along(operand.indices[k], axes[k], axis, from);
            }
            return other;
        });
        return else_where || own.size() != 1 ? std::nullopt : std::optional(*own.begin());
    }
    [[nodiscard]] static bool is_place(const AxisIndex& index, AxisId axis) {
        const auto* computed = std::get_if<Computed>(&index);
        const auto* at = computed ? std::get_if<CoordinateUse>(&computed->position->node) : nullptr;
        return at != nullptr && at->axis == axis;
    }
    [[nodiscard]] bool along(const AxisIndex& index, AxisId own, AxisId axis, const FieldStatement& from) const {
        if (std::holds_alternative<Offset>(index)) return own == axis;
        const auto* computed = std::get_if<Computed>(&index);
        return computed != nullptr && AxesOf(from, program())(*computed->position).contains(axis);
    }
    /// Reads at the place along `axis` become reads of the cell itself.
    static void read_along(FieldStatement& from, AxisId axis) {
        for (Operand& operand : from.operands)
            for (AxisIndex& index : operand.indices)
                if (is_place(index, axis)) index = Offset{0};
    }
    [[nodiscard]] bool may_stand_before(const FieldStatement& from, const Expression& e) const {
        return std::all_of(loops_.begin(), loops_.end(), [&](const LoopStatement* loop) {
            return !program().loops[loop->loop].inside || is_same_in(*loop, from, e);
        });
    }
    /// `from`: what the part's operands are of.
    VariableId field_of(const ExpressionRef& e, const std::vector<AxisId>& axes, const FieldStatement& from,
                        Place& place) {
        std::string key = fmt::format("{}:", static_cast<int>(from.precision)), name = "_of";
        for (const AxisId axis : axes) {
            key += fmt::format(" {}", axis.index);
            name += "_" + program().axes[axis].name;
        }
        key += " " + to_text(*e, program(), operand_texts(from, program()));
        if (const auto found = place.known.find(key); found != place.known.end()) return found->second.field;
        const bool dual = from.precision == Precision::dual;
        const CellType type = e->kind == ScalarKind::complex ? (dual ? CellType::complex128 : CellType::complex64)
                              : dual                         ? CellType::float64
                                                             : CellType::float32;
        const VariableId field =
            new_field(result_.program, program().variables[from.target].name + name, axes, type, e->span);
        tables_.insert(field);
        std::set<VariableId> made_of;
        any_read(from, *e, [&](const Expression&, const Operand* operand) {
            if (operand != nullptr) made_of.insert(operand->variable);
            return false;
        });
        place.before.emplace_back(written(program(), field, e, from.operands, from.precision, e->span));
        place.known.emplace(std::move(key), Known{field, std::move(made_of)});
        return field;
    }
};

}  // namespace

AxisTables axis_tables(const Program& program, const TableWorth& worth) { return Tabulating(program, worth).run(); }

}  // namespace kasc
