#include <fmt/format.h>

#include <algorithm>
#include <cctype>

#include "frontend/check_expression.hpp"
#include "frontend/token_words.hpp"

// What is said of brackets that hold no offsets: T[i, j], T[2*x], T[x + dt], T[0, 0, 0] of two axes.

namespace kasc::frontend {

namespace {

/// The name that the text begins with.
std::string leading_name(const std::string& text) {
    const auto end =
        std::find_if_not(text.begin(), text.end(), [](unsigned char c) { return std::isalnum(c) != 0 || c == '_'; });
    return {text.begin(), end};
}

/// Between the cells of a field.
std::string interpolated(const std::string& field, const std::string& axis, const std::string& place) {
    return fmt::format(
        "between cells: 'between({0}, {2})' with 'function between(u, p) = u[{1} = int(floor(p))] + (p - "
        "floor(p))*(u[{1} = int(floor(p)) + 1] - u[{1} = int(floor(p))]);'",
        field, axis, place.empty() ? "..." : place);
}

}  // namespace

/// Known when the program is compiled, as far as its words tell.
bool ExpressionChecker::may_be_offset(const ast::Expression& e) const {
    if (++checking_.whole_steps > most_nodes_of_statement) return true;
    if (const auto* number = std::get_if<ast::Number>(&e.node)) return number->form == ast::NumberForm::integer;
    if (const auto* unary = std::get_if<ast::Unary>(&e.node))
        return unary->op == UnaryOperator::negate && may_be_offset(*unary->operand);
    if (const auto* binary = std::get_if<ast::Binary>(&e.node)) {
        const bool kept = binary->op == BinaryOperator::add || binary->op == BinaryOperator::subtract ||
                          binary->op == BinaryOperator::multiply;
        return kept && may_be_offset(*binary->left) && may_be_offset(*binary->right);
    }
    const auto* use = std::get_if<ast::NameUse>(&e.node);
    if (!use) return false;
    if (const auto argument = argument_index(use->name)) {
        ExpressionChecker caller = *this;
        caller.frame_ = frame_->caller;
        return caller.may_be_offset(*frame_->arguments[*argument]);
    }
    const Symbol* symbol = checking_.names.find(use->name);
    if (!symbol) return !axis_named(use->name);  // of what is nothing it is said elsewhere
    return std::holds_alternative<OptionIndex>(symbol->meaning) || std::holds_alternative<Faulty>(symbol->meaning);
}

/// T[i, j] of numbers that are no constants: places, whose axes have to be named.
bool ExpressionChecker::report_places(const ast::Name& field, const std::vector<std::string>& axes,
                                      const std::vector<ast::Index>& given) {
    checking_.whole_steps = 0;
    const auto named =
        std::find_if(given.begin(), given.end(), [&](const ast::Index& index) { return !may_be_offset(*index.value); });
    if (given.size() != axes.size() || named == given.end()) return false;
    Diagnostic& d = error("K0225", fmt::format("{} must be known when the program is compiled", offset_text),
                          named->value->span, "integer literals, options, + - and * can make it");
    std::string places;
    for (std::size_t k = 0; k < axes.size(); ++k) {
        const std::string place = short_text(given[k].value->span);
        checking_.whole_steps = 0;
        const bool cut = has_real(*given[k].value) && !place.empty();
        places += fmt::format("{}{} = {}", k == 0 ? "" : ", ", axes[k],
                              place.empty() ? "..."
                              : cut         ? fmt::format("int({})", place)
                                            : place);
    }
    d.help = fmt::format("a position names its axis: '{}[{}]'", field.text, places);
    if (std::holds_alternative<ast::NameUse>(named->value->node))
        d.help += fmt::format(", or, from the cell on, '{0}[{1} = {1} + ...]'", field.text, axes.front());
    return true;
}

/// T[x + dt], T[x - k]: a step that is no constant.
bool ExpressionChecker::report_step(AxisId axis, const ast::Index& index) {
    checking_.whole_steps = 0;
    const ast::Expression* at_fault = nullptr;
    const ast::Expression* left = index.value.get();
    while (const auto* sum = std::get_if<ast::Binary>(&left->node)) {
        if (!may_be_offset(*sum->right)) at_fault = sum->right.get();
        left = sum->left.get();
    }
    if (!at_fault) return false;
    const std::string text = short_text(index.value->span);
    std::string name = leading_name(text);
    if (name.empty()) name = checking_.program.axes[axis].name;
    checking_.whole_steps = 0;
    const bool between = has_real(*at_fault);
    Diagnostic& d = error("K0225", fmt::format("{} must be known when the program is compiled", offset_text),
                          at_fault->span, "integer literals, options, + - and * can make it");
    const std::string field = indexed_.empty() ? "T" : indexed_;
    d.help = between
                 ? "offsets are integers; " + interpolated(field, name, text)
                 : fmt::format("a position may be computed, and sees the nearest cell beyond the grid: '{}[{} = {}]'",
                               field, name, text.empty() ? name + " + k" : text);
    return true;
}

void ExpressionChecker::report_offsets(const ast::Name& field, const std::vector<std::string>& axes,
                                       const std::vector<ast::Index>& given) {
    const Span& first = given.front().value->span;
    Diagnostic& d =
        error("K0215", fmt::format("'{}' needs {}, one an axis", field.text, counted(axes.size(), "offset")),
              Span{first.source, first.begin, given.back().value->span.end}, fmt::format("{} given", given.size()));
    d.notes.push_back({field.span, fmt::format("the axes of '{}' are {}", field.text, name_list(axes))});
    d.help = fmt::format("or name the axis: '{}[{} - 1]'", field.text, axes.front());
}

void ExpressionChecker::report_no_axes(const Variable& variable, const std::vector<ast::Index>& all) {
    const Span& first = all.front().axis ? all.front().axis->span : all.front().value->span;
    const Span bracket{first.source, first.begin, all.back().value->span.end};
    Diagnostic& d = error("K0215", fmt::format("'{}' has no axes", variable.name), bracket);
    d.notes.push_back({variable.span, "declared here"});
    d.help = fmt::format("it is one number: write '{}'", variable.name);
}

void ExpressionChecker::report_unnamed_index(const ast::Name& field, const std::vector<std::string>& axes,
                                             const std::vector<ast::Index>& all, const ast::Index& index) {
    Diagnostic& d = error("K0111", "this index names no axis, another one does", index.value->span);
    d.help = fmt::format("name it too, as in '{}[{} - 1]' or '{}[{} = 0]'", field.text, axes.front(), field.text,
                         axes.back());
    checking_.whole_steps = 0;
    if (all.size() != axes.size() || may_be_offset(*index.value)) return;
    // T[2*x, y + 1]: what is no name of an axis is a place along the one in its turn.
    std::string places;
    for (std::size_t k = 0; k < axes.size(); ++k) {
        const std::string place = short_text(all[k].value->span);
        const bool moves = !all[k].axis && axis_of_offset(*all[k].value);
        if (place.empty() || (moves && place == axes[k])) continue;
        const std::string axis = all[k].axis ? all[k].axis->text : axes[k];
        places += (places.empty() ? "" : ", ") + (moves ? place : fmt::format("{} = {}", axis, place));
    }
    d.help = fmt::format("name it too: '{}[{}]'", field.text, places);
}

}  // namespace kasc::frontend
