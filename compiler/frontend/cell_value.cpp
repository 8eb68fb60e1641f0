#include "frontend/cell_value.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "frontend/cell_arguments.hpp"
#include "frontend/check_expression.hpp"
#include "frontend/declared_names.hpp"
#include "frontend/foreign_words.hpp"
#include "frontend/library_functions.hpp"
#include "frontend/operators.hpp"
#include "frontend/token_words.hpp"

namespace kasc::frontend {

CellExpressions::CellExpressions(const Ast& ast, const CellFields& fields, Report& report)
    : ast_(ast), fields_(fields), report_(report), names_(declared_names(ast)) {
    for (const ast::Option& option : ast.options) names_.insert(option.name.text);
    for (const ast::AxisLength& axis : ast.axis_lengths) names_.insert(axis.axis.text);
    for (const auto* declared : {&ast.declarations, &ast.uniform})
        for (const ast::Declaration& field : *declared)
            for (const ast::Name& axis : field.axes) names_.insert(axis.text);
}

ast::ExpressionRef CellExpressions::make(decltype(ast::Expression::node) node, const Span& span) {
    if (++nodes_ > most_nodes_of_program && !exhausted_) {
        exhausted_ = true;
        error("K0231",
              fmt::format("with its cells taken apart, the program has more than {} operations", most_nodes_of_program),
              span)
            .help = "assign parts of its expressions to fields";
    }
    return std::make_shared<const ast::Expression>(ast::Expression{std::move(node), span});
}

/// Reports one error of a call: what else is wrong in its text follows from it mostly.
Diagnostic& CellExpressions::error(const char* code, std::string message, const Span& span) {
    const Frame* outermost = frame_;
    while (outermost && outermost->caller) outermost = outermost->caller;
    if (outermost && !said_of_.insert(outermost->call.begin).second) return unsaid_ = {};
    const auto expansion_of = [&](const Frame* frame) {
        return fmt::format("in the expansion of '{}'", ast_.functions[frame->function].name.text);
    };
    // In the text of the library nobody has to look for what is wrong with the program.
    if (outermost && ast_.functions[frame_->function].of_library) {
        Diagnostic& d = report_.error(code, std::move(message), outermost->call, expansion_of(outermost));
        d.notes.push_back({span, "here"});
        return d;
    }
    Diagnostic& d = report_.error(code, std::move(message), span);
    for (const Frame* frame = frame_; frame; frame = frame->caller)
        d.notes.push_back({frame->call, expansion_of(frame)});
    return d;
}

void CellExpressions::forget() {
    known_.clear();
    frames_.clear();
    said_of_.clear();
}

CellValue CellExpressions::value(const ast::ExpressionRef& expression) { return evaluate(expression); }

ast::ExpressionRef CellExpressions::number(const ast::ExpressionRef& expression) {
    CellValue made = evaluate(expression);
    if (made.is_faulty()) return nullptr;
    if (made.shape.is_number()) return made.words.front();
    error("K0256", fmt::format("a cell of {} stands where a number is needed", text_of(made.shape)), expression->span)
        .help = fmt::format("its words are numbers: '.{}' to '.{}'", word_name(made.shape, 0),
                            word_name(made.shape, made.shape.words() - 1));
    return nullptr;
}

/// An axis is one of its own.
std::vector<std::string> CellExpressions::declared_axes(const std::string& name) const {
    const auto field = std::find_if(ast_.declarations.begin(), ast_.declarations.end(),
                                    [&](const ast::Declaration& d) { return d.name.text == name; });
    std::vector<std::string> axes;
    if (field != ast_.declarations.end())
        for (const ast::Name& axis : field->axes) axes.push_back(axis.text);
    for (const ast::Declaration& d : ast_.declarations)
        for (const ast::Name& axis : d.axes)
            if (axes.empty() && axis.text == name) axes.push_back(name);
    return axes;
}

std::optional<std::size_t> CellExpressions::word(const CellShape& shape, const ast::Name& name,
                                                 const std::string& owner) {
    const auto found = find_word(shape, name.text);
    if (found) return found;
    if (shape.is_number()) {
        const std::string help = word_here(name.text, owner, declared_axes(owner));
        error("K0257", fmt::format("a number has no word '{}'", name.text), name.span).help =
            help.empty() ? "cells of fields of 'vector3', 'matrix3x3' or a 'type' of the program have words" : help;
    } else {
        error("K0257", fmt::format("a cell of {} has no word '{}'", text_of(shape), name.text), name.span).help =
            fmt::format("its words are '.{}' to '.{}'", word_name(shape, 0), word_name(shape, shape.words() - 1));
    }
    return std::nullopt;
}

std::optional<std::size_t> CellExpressions::argument(const Frame* frame, const std::string& name) const {
    if (!frame) return std::nullopt;
    const std::vector<ast::Name>& all = ast_.functions[frame->function].arguments;
    const auto found = std::find_if(all.begin(), all.end(), [&](const ast::Name& a) { return a.text == name; });
    if (found == all.end()) return std::nullopt;
    return static_cast<std::size_t>(found - all.begin());
}

std::optional<ast::Name> CellExpressions::passed_name(ast::Name name) const {
    const Frame* frame = frame_;
    while (const auto index = argument(frame, name.text)) {
        const auto* use = std::get_if<ast::NameUse>(&(*frame->arguments)[*index]->node);
        if (!use) return std::nullopt;
        name.text = use->name;
        frame = frame->caller;
    }
    return name;
}

ast::Name CellExpressions::outermost(ast::Name name) const { return passed_name(name).value_or(name); }

CellValue CellExpressions::evaluate(const ast::ExpressionRef& expression) {
    if (exhausted_) return {};
    const auto key = std::pair(expression.get(), frame_);
    if (const auto known = known_.find(key); known != known_.end()) return known->second;
    CellValue made;
    const Span& span = expression->span;
    if (std::holds_alternative<ast::Number>(expression->node)) {
        made.words = {expression};
    } else if (const auto* use = std::get_if<ast::NameUse>(&expression->node)) {
        made = evaluate(*use, expression);
    } else if (const auto* access = std::get_if<ast::Access>(&expression->node)) {
        made = evaluate(*access, expression);
    } else if (const auto* call = std::get_if<ast::Call>(&expression->node)) {
        made = evaluate(*call, expression);
    } else if (const auto* part = std::get_if<ast::WordUse>(&expression->node)) {
        made = evaluate(*part);
    } else if (const auto* unary = std::get_if<ast::Unary>(&expression->node)) {
        made = together({evaluate(unary->operand)}, {unary->operand}, expression, [&](const auto& words) {
            return make(ast::Unary{unary->op, words[0]}, span);
        });
    } else if (const auto* binary = std::get_if<ast::Binary>(&expression->node)) {
        made = together({evaluate(binary->left), evaluate(binary->right)}, {binary->left, binary->right}, expression,
                        [&](const auto& words) {
                            return make(ast::Binary{binary->op, words[0], words[1], binary->op_span}, span);
                        });
    } else if (const auto* choice = std::get_if<ast::Conditional>(&expression->node)) {
        made = together({evaluate(choice->condition), evaluate(choice->then), evaluate(choice->otherwise)},
                        {choice->condition, choice->then, choice->otherwise}, expression, [&](const auto& words) {
                            return make(ast::Conditional{words[0], words[1], words[2]}, span);
                        });
    }
    known_.emplace(key, made);
    return made;
}

/// A*u of a matrix and a vector, by the habit of other languages; empty: none that the library has.
static std::string product_meant(const ast::ExpressionRef& own, const CellShape& left, const CellShape& right) {
    const auto* product = std::get_if<ast::Binary>(&own->node);
    const std::vector<int>& rows = left.extents;
    const bool fits = rows.size() == 2 && rows[0] == rows[1] && right.extents == std::vector<int>{rows[0]};
    if (product == nullptr || product->op != BinaryOperator::multiply || !fits || rows[0] > 6) return {};
    return fmt::format("; a matrix times a vector is 'mvmul{0}{0}(A, u)'", rows[0]);
}

CellValue CellExpressions::together(const std::vector<CellValue>& parts, const std::vector<ast::ExpressionRef>& old,
                                    const ast::ExpressionRef& own, const Word& make_word) {
    CellValue made;
    made.is_unknown = std::any_of(parts.begin(), parts.end(), [](const CellValue& part) { return part.is_unknown; });
    bool same = true;
    for (std::size_t k = 0; k < parts.size(); ++k) {
        const CellValue& part = parts[k];
        if (part.is_faulty()) return {};
        same = same && part.shape.is_number() && part.words.front() == old[k];
        if (made.is_unknown || part.shape.is_number() || part.shape == made.shape) continue;
        if (!made.shape.is_number()) {
            error("K0256", fmt::format("a cell of {} meets one of {}", text_of(made.shape), text_of(part.shape)),
                  own->span)
                .help = "cells of one shape go together word by word, and with numbers" +
                        product_meant(own, made.shape, part.shape);
            return {};
        }
        made.shape = part.shape;
    }
    if (same && frame_ == nullptr) return {{}, {own}, made.is_unknown};
    for (std::size_t word = 0; word < made.shape.words(); ++word) {
        std::vector<ast::ExpressionRef> words;
        for (const CellValue& part : parts) words.push_back(part.words[part.shape.is_number() ? 0 : word]);
        made.words.push_back(make_word(words));
    }
    return made;
}

bool CellExpressions::is_hidden(const std::string& name, const Span& span) {
    if (fields_.is_of_unknown_type(name)) return true;
    const auto word = fields_.word(name);
    if (!word) return false;
    error("K0257", fmt::format("'{}' is no name of the program", name), span).help =
        fmt::format("a word of a cell is '{}'", *word);
    return true;
}

bool CellExpressions::is_parameter(const ast::Name& name) {
    const CellParameter* found = fields_.find_parameter(name.text);
    if (!found) return false;
    error("K0213", fmt::format("'{}' is a parameter, not a field", name.text), name.span)
        .notes.push_back({found->parameter->name.span, "declared here"});
    return true;
}

CellValue CellExpressions::evaluate(const ast::NameUse& use, const ast::ExpressionRef& own) {
    if (const auto index = argument(frame_, use.name)) {
        const Frame* frame = std::exchange(frame_, frame_->caller);
        CellValue made = evaluate((*frame->arguments)[*index]);
        frame_ = frame;
        return made;
    }
    if (is_hidden(use.name, own->span)) return {};
    const auto cell = [&](const auto& of) {
        CellValue made{of.shape, {}};
        for (const std::string& word : of.words) made.words.push_back(make(ast::NameUse{word}, own->span));
        return made;
    };
    if (const CellParameter* parameter = fields_.find_parameter(use.name)) return cell(*parameter);
    const CellField* field = fields_.find(use.name);
    return field ? cell(*field) : CellValue{{}, {own}, !names_.contains(use.name)};
}

std::vector<ast::Index> CellExpressions::indices(const std::vector<ast::Index>& all) {
    std::vector<ast::Index> made;
    for (const ast::Index& index : all) {
        ast::Index item = index;
        if (item.axis) item.axis = outermost(*item.axis);
        item.value = number(index.value);
        if (!item.value) return {};
        made.push_back(std::move(item));
    }
    return made;
}

CellValue CellExpressions::evaluate(const ast::Access& access, const ast::ExpressionRef& own) {
    std::vector<ast::Index> at = indices(access.indices);
    if (at.empty()) return {};
    const ast::Name name = outermost(access.variable);
    if (!passed_name(access.variable)) {
        error("K0229", fmt::format("'{}' is an expression here, which has no neighbours", name.text), own->span).help =
            "assign it to a field first, and pass that";
        return {};
    }
    if (is_hidden(name.text, access.variable.span) || is_parameter(name)) return {};
    const CellField* field = fields_.find(name.text);
    bool same = !field && frame_ == nullptr;
    for (std::size_t k = 0; k < at.size(); ++k) same = same && at[k].value == access.indices[k].value;
    const bool unknown = !field && !names_.contains(name.text);
    if (same) return {{}, {own}, unknown};
    if (!field) return {{}, {make(ast::Access{name, std::move(at)}, own->span)}, unknown};
    CellValue made{field->shape, {}};
    for (const std::string& word : field->words)
        made.words.push_back(make(ast::Access{{word, name.span}, at}, own->span));
    return made;
}

CellValue CellExpressions::evaluate(const ast::WordUse& use) {
    const CellValue cell = evaluate(use.cell);
    if (cell.is_faulty() || cell.is_unknown) return cell;
    const auto at = word(cell.shape, use.word, short_text(use.cell->span));
    if (!at) return {};
    return {{}, {cell.words[*at]}};
}

CellValue CellExpressions::evaluate(const ast::Call& call, const ast::ExpressionRef& own) {
    const std::string& name = call.callee.text;
    if (name == axis_sum_name && call.arguments.size() == 3) return sum_over_axes(call, own);
    const Reduction* reduction = find_reduction(name);
    if (reduction && !call.arguments.empty()) return fold_words(*reduction, call, own);
    const auto intrinsic = find_intrinsic(name);
    const auto function = intrinsic ? std::nullopt : find_function(name);
    if (function) return call_function(*function, call, own);
    if (const auto shape = intrinsic ? std::nullopt : fields_.type(name)) return construct(call, *shape, own->span);
    std::vector<CellValue> arguments;
    for (const ast::ExpressionRef& argument : call.arguments) arguments.push_back(evaluate(argument));
    if (std::any_of(arguments.begin(), arguments.end(), [](const CellValue& a) { return a.is_faulty(); })) return {};
    const bool language = intrinsic || is_transform(name) || name == extent_name || name == axis_sum_name;
    if (language) return each_word(call, arguments, own);
    if (const auto code = fields_.library().find_function(name))
        return call_library(fields_.library().functions[*code], call, arguments, own->span);
    for (CellValue& argument : arguments) argument.is_unknown = true;
    CellValue made = each_word(call, arguments, own);
    made.is_unknown = true;
    return made;
}

bool CellExpressions::fits(const Function& function, const ast::Call& call, const std::vector<CellValue>& arguments) {
    const Library& library = fields_.library();
    for (std::size_t k = 0; k < arguments.size(); ++k) {
        const CellShape& given = arguments[k].shape;
        if (arguments[k].is_unknown || takes(library.types[function.arguments[k]], given)) continue;
        const Diagnostic wrong = wrong_argument(library, function, k, given, function_names(ast_, library));
        Diagnostic& d = error("K0256", wrong.message, call.arguments[k]->span);
        if (d.label.empty()) d.label = wrong.label;
        d.help = wrong.help;
        return false;
    }
    return true;
}

const Function* CellExpressions::typed(const ast::Function& function) const {
    if (!function.of_library) return nullptr;
    const auto of_streams = fields_.library().find_function(function.name.text);
    return of_streams ? &fields_.library().functions[*of_streams] : nullptr;
}

CellValue CellExpressions::call_library(const Function& function, const ast::Call& call,
                                        const std::vector<CellValue>& arguments, const Span& span) {
    if (arguments.size() != function.arguments.size()) {
        Diagnostic& d = error(
            "K0205", fmt::format("'{}' takes {}", call.callee.text, counted(function.arguments.size(), "argument")),
            call.callee.span);
        d.notes.push_back({function.span, "the library declares it here"});
        return {};
    }
    if (!function.reference) {
        error("K0259", fmt::format("'{}' has no reference, which cells call", call.callee.text), call.callee.span)
            .help = fmt::format("the library says what it computes by a function 'cpu_{}'", function.name);
        return {};
    }
    if (!fits(function, call, arguments)) return {};
    std::vector<ast::ExpressionRef> words;
    for (const CellValue& argument : arguments) {
        if (argument.is_unknown) return argument;
        words.insert(words.end(), argument.words.begin(), argument.words.end());
    }
    CellValue made{cell_shape(fields_.library().types[function.result]), {}};
    for (std::size_t word = 0; word < made.shape.words(); ++word)
        made.words.push_back(make(ast::Call{call.callee, words, word}, span));
    return made;
}

CellValue CellExpressions::each_word(const ast::Call& call, const std::vector<CellValue>& arguments,
                                     const ast::ExpressionRef& own) {
    return together(arguments, call.arguments, own, [&](const std::vector<ast::ExpressionRef>& words) {
        // In a statement the name may be a function of the program's: what the library's text says stays this.
        return make(ast::Call{call.callee, words, std::nullopt, nullptr, find_intrinsic(call.callee.text)}, own->span);
    });
}

CellValue CellExpressions::call_function(std::size_t function, const ast::Call& call, const ast::ExpressionRef& own) {
    const ast::Function& called = ast_.functions[function];
    std::vector<CellValue> arguments;
    bool of_shapes = false;
    for (const ast::ExpressionRef& argument : call.arguments) {
        arguments.push_back(evaluate(argument));
        if (arguments.back().is_faulty()) return {};
        of_shapes = of_shapes || !arguments.back().shape.is_number();
    }
    const bool complete = call.arguments.size() == called.arguments.size();
    const Function* of_streams = complete ? typed(called) : nullptr;
    if (of_streams && of_streams->arguments.size() == arguments.size() && !fits(*of_streams, call, arguments))
        return {};
    // What is wrong with the call itself is said where it is checked.
    // A function of the library that the program's hides has its meaning in the library's text alone.
    const bool hidden = frame_ && called.hidden;
    const bool expands =
        complete && (!frame_ || function < frame_->function) && (hidden || speaks_of_shapes(function, of_shapes));
    if (!expands) return each_word(call, arguments, own);
    expanded_.insert(function);
    frames_.push_back({function, &call.arguments, frame_, own->span});
    const Frame* frame = std::exchange(frame_, &frames_.back());
    CellValue made = evaluate(called.body);
    frame_ = frame;
    return made;
}

}  // namespace kasc::frontend
