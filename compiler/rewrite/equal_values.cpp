// A transform of what was transformed already, a reduction of what was reduced, or a running sum of what was summed up
// so, whatever the names:
//
//     a_field = u * u;  a_fft = fft(a_field);      a_field = u * u;  a_fft = fft(a_field);
//     b_field = u * u;  b_fft = fft(b_field);      b_fft = a_fft;
//     v = … b_fft …                                v = … a_fft …
//
//     e = sum(u*u);  w = w/sum(u*u);               e = sum(u*u);  w = w/e;
//
// Values are numbered along one list of statements: two whole statements of the same text over values of the same
// numbers have the same value. It is the same transform, fold or running sum of the same words, so no word of a result
// differs.

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "frontend/make_expression.hpp"
#include "frontend/reduction.hpp"
#include "rewrite/rules.hpp"
#include "rewrite/statements.hpp"

namespace kasc::rewriting {

namespace {

class Numbering {
public:
    explicit Numbering(Rewriting& r) : r_(r) {}

    Statements run(Statements list) {
        for (Statement& statement : list) {
            if (auto* field = std::get_if<FieldStatement>(&statement)) {
                *field = with_first_names(*field);
                if (joins_cells(*field) && is_plain(Operand{field->target, field->target_indices, {}}))
                    statement = once(*field, field->fold ? fold_key(*field) : running_key(*field));
                else
                    assign(field->target, is_whole(r_.program, *field) ? key(*field) : "");
            } else if (auto* transform = std::get_if<TransformStatement>(&statement)) {
                transform->source = first_name(transform->source);
                statement = once(*transform, transform_key(*transform));
            } else {
                for (const VariableId v : targets(statement)) assign(v, "");
            }
        }
        return list;
    }

private:
    Rewriting& r_;
    std::map<VariableId, int> numbers_;        ///< the value that a variable has now
    std::map<std::string, int> known_;         ///< values by how they were computed
    std::map<VariableId, VariableId> copies_;  ///< of transforms: where the first one lies, while both hold it
    int next_ = 0;

    int number(VariableId v) { return numbers_.try_emplace(v, next_++).first->second; }

    /// An empty key: a value that is no other's.
    void assign(VariableId target, const std::string& key) {
        numbers_[target] = key.empty() ? next_++ : known_.try_emplace(key, next_++).first->second;
        std::erase_if(copies_, [&](const auto& c) { return c.first == target || c.second == target; });
    }
    [[nodiscard]] VariableId first_name(VariableId v) const {
        const auto copy = copies_.find(v);
        return copy == copies_.end() ? v : copy->second;
    }
    FieldStatement with_first_names(const FieldStatement& statement) const {
        if (copies_.empty()) return statement;
        return with_operands(statement, [&](std::size_t k) -> std::optional<OperandReplacement> {
            const auto copy = copies_.find(statement.operands[k].variable);
            if (copy == copies_.end() || !is_plain(statement.operands[k])) return std::nullopt;
            return OperandReplacement{nullptr, copy->second};
        });
    }

    std::string shape_key(VariableId v) const {
        const FieldShape& shape = field_shape(r_.program, v);
        std::string text = name_of(shape.type);
        for (const AxisId axis : shape.axes) text += fmt::format(" {}", axis.index);
        return text;
    }
    std::string key(const FieldStatement& statement) {
        std::vector<std::string> operands;
        for (const Operand& o : statement.operands) {
            // What is read beyond the grid is the variable's own matter.
            const std::string from = is_plain(o) ? "" : fmt::format("{} ", o.variable.index);
            operands.push_back(fmt::format("#{}({}{})", number(o.variable), from, to_text(o, r_.program, operands)));
            if (is_plain(o)) operands.back() = fmt::format("#{}", number(o.variable));
        }
        return fmt::format("{} {}: {}", shape_key(statement.target), static_cast<int>(statement.precision),
                           to_text(*statement.value, r_.program, operands));
    }

    std::string fold_key(const FieldStatement& statement) {
        std::string text = fmt::format("fold {}", static_cast<int>(statement.fold->op));
        for (const AxisId axis : statement.fold->axes) text += fmt::format(" {}", axis.index);
        return text + " of " + key(statement);
    }
    std::string running_key(const FieldStatement& statement) {
        const Running& running = *statement.running;
        return fmt::format("running {} {}{} of {}", static_cast<int>(running.op), running.backward ? "-" : "",
                           running.axis.index, key(statement));
    }
    std::string transform_key(const TransformStatement& transform) {
        std::string key =
            fmt::format("{} transform {}", shape_key(transform.target), static_cast<int>(transform.direction));
        for (const std::size_t axis : transform.axes) key += fmt::format(" {}", axis);
        for (const AxisId axis : transform.cells) key += fmt::format(" of {}", axis.index);
        return key + fmt::format(" #{}", number(transform.source));
    }

    /// The statement, or a copy of what the first of its like has made.
    template <class Made>
    Statement once(const Made& made, const std::string& key) {
        const auto first = known_.find(key);
        const auto holder = std::find_if(numbers_.begin(), numbers_.end(), [&](const auto& n) {
            return first != known_.end() && n.second == first->second && n.first != made.target;
        });
        assign(made.target, key);
        if (holder == numbers_.end()) return made;
        const VariableId kept = holder->first;
        copies_[made.target] = kept;
        r_.changed = true;
        // The verdict on a reduction is the second fold's, which has the result.
        if (!holds_parts(r_.program, r_.program.variables[made.target]))
            r_.verdicts.push_back({Rule::equal, statement_text(r_.program, made),
                                   Verdict::yes(fmt::format("{} holds it already", r_.program.variables[kept].name))});
        const FieldShape& shape = field_shape(r_.program, made.target);
        const ScalarKind kind = scalar_kind(shape.type);
        const std::vector<AxisIndex> here(shape.axes.size(), Offset{0});
        FieldStatement copy{made.span,
                            made.target,
                            here,
                            {{kept, here, made.span}},
                            make_expression(OperandUse{0}, kind, made.span),
                            real_precision(shape.type),
                            {},
                            nullptr};
        copy.span = written_span(r_.program, copy);
        return copy;
    }
};

}  // namespace

void equal_values(Rewriting& r) {
    r.program.statements = with_lists(r.program.statements, [&](Statements list) { return Numbering(r).run(list); });
}

}  // namespace kasc::rewriting
