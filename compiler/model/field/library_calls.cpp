//   l.x = eigsym33(S).x    170 operations
//   l.y = eigsym33(S).y    none: they were done before
#include "model/field/library_calls.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <unordered_set>

#include "frontend/expression_parts.hpp"

namespace kasc::model {

namespace {

/// Calls `visit` with each call, one that stands in several places once, that stands in no argument of one that `visit`
/// wants no more of.
template <class Visit>
void each_call(const Expression& e, const Visit& visit) {
    std::unordered_set<const Expression*> seen;
    const auto into = [&](const auto& self, const Expression& part) -> void {
        if (!seen.insert(&part).second) return;
        if (const auto* call = std::get_if<FunctionWord>(&part.node); call && !visit(part, *call)) return;
        for_each_operand_part(part, [&](const Expression& inner) { self(self, inner); });
    };
    into(into, e);
}

}  // namespace

int LibraryCalls::done_before(NodeId update, const std::vector<int>& offset) {
    const Node& node = graph_.nodes[update];
    const FieldStatement& statement = std::get<FieldUpdate>(node.what).statement;
    if (!calls_library(*statement.value)) return 0;
    std::vector<std::string> operands = operand_texts(statement, program_);
    for (std::size_t k = 0; k < operands.size(); ++k) operands[k] += fmt::format(" {}", node.reads.at(k).index);
    int before = 0;
    each_call(*statement.value, [&](const Expression& whole, const FunctionWord& call) {
        const std::string text =
            function_word_text(program_.cell_functions[call.function], 0, call.arguments,
                               [&](const ExpressionRef& argument) { return to_text(*argument, program_, operands); });
        const bool is_new = done_.insert(fmt::format("{} {}", fmt::join(offset, " "), text)).second;
        if (!is_new) before += operation_count(whole);
        return is_new;
    });
    return before;
}

double called_words(const Expression& expression, const Program& program) {
    std::size_t most = 0;
    if (!calls_library(expression)) return 0;
    each_call(expression, [&](const Expression&, const FunctionWord& call) {
        const CellFunction& function = program.cell_functions[call.function];
        std::size_t words = function.words.size();
        for (const CellFunction::Argument& argument : function.arguments)
            words += static_cast<std::size_t>(argument.words);
        most = std::max(most, words);
        return true;
    });
    return static_cast<double>(most);
}

double sharable_operations(const Expression& expression, const Program& program) {
    double sharable = 0;
    if (!calls_library(expression)) return sharable;
    each_call(expression, [&](const Expression& whole, const FunctionWord& call) {
        const auto words = static_cast<double>(program.cell_functions[call.function].words.size());
        sharable += operation_count(whole) * (1 - 1 / words);
        return false;
    });
    return sharable;
}

}  // namespace kasc::model
