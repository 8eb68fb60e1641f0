#include "rewrite/whole_colours.hpp"

#include <algorithm>

#include "frontend/make_expression.hpp"
#include "rewrite/repeated_body.hpp"
#include "rewrite/statements.hpp"
#include "rewrite/whole_numbers.hpp"

namespace kasc {

namespace {

using namespace rewriting;

/// Each is a pass over all cells, for a part of them.
constexpr long long most_colours = 4;

/// Its body updates the cells that meet a condition.
bool is_of_colours(const LoopStatement& loop) {
    return !loop.going && !loop.body.empty() &&
           std::all_of(loop.body.begin(), loop.body.end(), [](const Statement& statement) {
               const auto* field = std::get_if<FieldStatement>(&statement);
               return field && field->where && field->listed.empty() && !field->adding && !field->fold;
           });
}

/// Cells that do not meet the condition are assigned what they were.
FieldStatement of_all_cells(const Program& program, FieldStatement s) {
    const FieldShape& shape = field_shape(program, s.target);
    const ExpressionRef former = make_expression(OperandUse{s.operands.size()}, scalar_kind(shape.type), s.value->span);
    s.operands.push_back({s.target, std::vector<AxisIndex>(shape.axes.size(), AxisIndex{Offset{0}}), s.span});
    s.value = make_expression(Conditional{s.where, s.value, former}, s.value->kind, s.value->span);
    s.where = nullptr;
    return with_equal_operands_once(s);
}

}  // namespace

WholeColours whole_colours(const Program& program) {
    WholeColours result{program, {}, false};
    const auto written = [&](const Statements& list) {
        Statements made;
        for (const Statement& statement : list) {
            const auto* loop = std::get_if<std::shared_ptr<const LoopStatement>>(&statement);
            if (!loop || !is_of_colours(**loop)) {
                made.push_back(statement);
                continue;
            }
            const auto from = whole_number_of((*loop)->from), to = whole_number_of((*loop)->to);
            const bool few = from == 0 && to && *to <= most_colours;
            result.verdicts.push_back({statement_text(program, (*loop)->body.front()),
                                       few ? Verdict::yes("each turn assigns the whole field")
                                           : Verdict::no("each of so many turns would assign the whole field")});
            if (!few) {
                made.push_back(statement);
                continue;
            }
            LoopStatement of_whole = **loop;
            for (Statement& update : of_whole.body)
                update = of_all_cells(result.program, std::get<FieldStatement>(update));
            repeat_body(result.program, of_whole, {*to, *to}, made);
            result.changed = true;
        }
        return made;
    };
    result.program.statements = with_lists(program.statements, written);
    return result;
}

}  // namespace kasc
