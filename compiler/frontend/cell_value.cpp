#include "frontend/cell_value.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>

#include "frontend/check_expression.hpp"
#include "frontend/operators.hpp"

namespace kasc::frontend {

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

/// Of a call one thing is said: what else is wrong in its text follows from it mostly.
Diagnostic& CellExpressions::error(const char* code, std::string message, const Span& span) {
    const Frame* outermost = frame_;
    while (outermost && outermost->caller) outermost = outermost->caller;
    if (outermost && !said_of_.insert(outermost->call.begin).second) return unsaid_ = {};
    const auto expansion_of = [&](const Frame* frame) {
        return fmt::format("in the expansion of '{}'", ast_.functions[frame->function].name.text);
    };
    // In the text of the library nobody has to look for what is wrong with the program.
    if (outermost && span.source != ast_.source) {
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

std::optional<std::size_t> CellExpressions::word(const CellShape& shape, const ast::Name& name) {
    const auto found = find_word(shape, name.text);
    if (found) return found;
    if (shape.is_number()) {
        error("K0257", fmt::format("a number has no word '{}'", name.text), name.span).help =
            "cells of fields of 'vector3', 'matrix3x3' or a 'type' of the program have words";
    } else {
        error("K0257", fmt::format("a cell of {} has no word '{}'", text_of(shape), name.text), name.span).help =
            fmt::format("its words are '.{}' to '.{}'", word_name(shape, 0), word_name(shape, shape.words() - 1));
    }
    return std::nullopt;
}

std::optional<std::size_t> CellExpressions::argument(const std::string& name) const {
    if (!frame_) return std::nullopt;
    const std::vector<ast::Name>& all = ast_.functions[frame_->function].arguments;
    const auto found = std::find_if(all.begin(), all.end(), [&](const ast::Name& a) { return a.text == name; });
    if (found == all.end()) return std::nullopt;
    return static_cast<std::size_t>(found - all.begin());
}

/// What an argument that is a name is in the text of the program.
ast::Name CellExpressions::outermost(ast::Name name) const {
    CellExpressions view(ast_, fields_, report_);
    view.frame_ = frame_;
    while (const auto index = view.argument(name.text)) {
        const auto* use = std::get_if<ast::NameUse>(&(*view.frame_->arguments)[*index]->node);
        if (!use) break;
        name.text = use->name;
        view.frame_ = view.frame_->caller;
    }
    return name;
}

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

CellValue CellExpressions::together(const std::vector<CellValue>& parts, const std::vector<ast::ExpressionRef>& old,
                                    const ast::ExpressionRef& own, const Word& make_word) {
    CellValue made;
    bool same = true;
    for (std::size_t k = 0; k < parts.size(); ++k) {
        const CellValue& part = parts[k];
        if (part.is_faulty()) return {};
        same = same && part.shape.is_number() && part.words.front() == old[k];
        if (part.shape.is_number() || part.shape == made.shape) continue;
        if (!made.shape.is_number()) {
            error("K0256", fmt::format("a cell of {} meets one of {}", text_of(made.shape), text_of(part.shape)),
                  own->span)
                .help = "cells of one shape go together word by word, and with numbers";
            return {};
        }
        made.shape = part.shape;
    }
    if (same && frame_ == nullptr) return {{}, {own}};
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

CellValue CellExpressions::evaluate(const ast::NameUse& use, const ast::ExpressionRef& own) {
    if (const auto index = argument(use.name)) {
        const Frame* frame = std::exchange(frame_, frame_->caller);
        CellValue made = evaluate((*frame->arguments)[*index]);
        frame_ = frame;
        return made;
    }
    if (is_hidden(use.name, own->span)) return {};
    const CellField* field = fields_.find(use.name);
    if (!field) return {{}, {own}};
    CellValue made{field->shape, {}};
    for (const std::string& word : field->words) made.words.push_back(make(ast::NameUse{word}, own->span));
    return made;
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
    if (frame_ && name.text == access.variable.text && argument(name.text)) {
        error("K0229", fmt::format("'{}' is an expression here, which has no neighbours", name.text), own->span).help =
            "assign it to a field first, and pass that";
        return {};
    }
    if (is_hidden(name.text, access.variable.span)) return {};
    const CellField* field = fields_.find(name.text);
    bool same = !field && frame_ == nullptr;
    for (std::size_t k = 0; k < at.size(); ++k) same = same && at[k].value == access.indices[k].value;
    if (same) return {{}, {own}};
    if (!field) return {{}, {make(ast::Access{name, std::move(at)}, own->span)}};
    CellValue made{field->shape, {}};
    for (const std::string& word : field->words)
        made.words.push_back(make(ast::Access{{word, name.span}, at}, own->span));
    return made;
}

CellValue CellExpressions::evaluate(const ast::WordUse& use) {
    const CellValue cell = evaluate(use.cell);
    if (cell.is_faulty()) return {};
    const auto at = word(cell.shape, use.word);
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
    const bool language =
        !fields_.is_of_fields() || intrinsic || is_transform(name) || name == extent_name || name == axis_sum_name;
    const auto code = language ? std::nullopt : fields_.library().find_function(name);
    if (code) return call_library(fields_.library().functions[*code], call, arguments, own->span);
    return each_word(call, arguments, own);
}

CellValue CellExpressions::call_library(const Function& function, const ast::Call& call,
                                        const std::vector<CellValue>& arguments, const Span& span) {
    const Table<TypeId, StreamType>& types = fields_.library().types;
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
    std::vector<ast::ExpressionRef> words;
    for (std::size_t k = 0; k < arguments.size(); ++k) {
        const StreamType& type = types[function.arguments[k]];
        if (!(arguments[k].shape == cell_shape(type))) {
            Diagnostic& d =
                error("K0256",
                      fmt::format("'{}' takes a cell of {} here, this is {}{}", call.callee.text,
                                  text_of(cell_shape(type)), arguments[k].shape.is_number() ? "a number" : "one of ",
                                  arguments[k].shape.is_number() ? "" : text_of(arguments[k].shape)),
                      call.arguments[k]->span);
            d.notes.push_back({function.span, "the library declares it here"});
            return {};
        }
        words.insert(words.end(), arguments[k].words.begin(), arguments[k].words.end());
    }
    CellValue made{cell_shape(types[function.result]), {}};
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

/// vector3(a, b, c); of one number, all words alike.
CellValue CellExpressions::construct(const ast::Call& call, const CellShape& shape, const Span& span) {
    CellValue made{shape, {}};
    if (call.arguments.size() != 1 && call.arguments.size() != shape.words()) {
        error("K0205",
              fmt::format("'{}' takes {}, or one for all words", call.callee.text, counted(shape.words(), "number")),
              span);
        return {};
    }
    for (const ast::ExpressionRef& argument : call.arguments) {
        made.words.push_back(number(argument));
        if (!made.words.back()) return {};
    }
    if (call.arguments.size() == 1) made.words.assign(shape.words(), ast::ExpressionRef(made.words.front()));
    return made;
}

/// sum(u), maximum(u), …: over the words of each cell, from the first; with axes, of each word over them.
CellValue CellExpressions::fold_words(const Reduction& called, const ast::Call& call, const ast::ExpressionRef& own) {
    const CellValue folded = evaluate(call.arguments.front());
    if (folded.is_faulty()) return {};
    if (folded.shape.is_number() || call.arguments.size() > 1) {
        std::vector<CellValue> arguments{folded};
        for (std::size_t k = 1; k < call.arguments.size(); ++k) arguments.push_back(evaluate(call.arguments[k]));
        // As in each_word, the library's text means this reduction whatever the program calls so.
        return together(arguments, call.arguments, own, [&](const std::vector<ast::ExpressionRef>& words) {
            return make(ast::Call{call.callee, words, std::nullopt, &called}, own->span);
        });
    }
    const bool condition = called.gives == Reduction::Gives::condition;
    const auto word_of = [&](std::size_t k) {
        return condition ? folded.words[k] : folded_of(called, folded.words[k]);
    };
    ast::ExpressionRef made = word_of(0);
    for (std::size_t word = 1; word < folded.words.size(); ++word) {
        // Of two products in a sum the first is fused: it is the second word's, so that each step upwards is one fmaf.
        const bool turned = called.op == FoldOperator::sum && word == 1;
        const ast::ExpressionRef next = word_of(word);
        made = joined(called, turned ? next : made, turned ? made : next, call.callee.span, own->span);
    }
    if (called.gives == Reduction::Gives::root)
        made = make(ast::Call{{name_of(Intrinsic::sqrt), call.callee.span}, {made}}, own->span);
    if (called.gives == Reduction::Gives::mean) {
        const auto words = make(ast::Number{std::to_string(folded.words.size()), ast::NumberForm::real}, own->span);
        made = make(ast::Binary{BinaryOperator::divide, made, words, call.callee.span}, own->span);
    }
    return {{}, {made}};
}

ast::ExpressionRef CellExpressions::joined(const Reduction& called, const ast::ExpressionRef& left,
                                           const ast::ExpressionRef& right, const Span& callee, const Span& span) {
    const bool condition = called.gives == Reduction::Gives::condition;
    const auto binary = [&](BinaryOperator op) { return make(ast::Binary{op, left, right, callee}, span); };
    const auto of_two = [&](Intrinsic f) { return make(ast::Call{{name_of(f), callee}, {left, right}}, span); };
    switch (called.op) {
        case FoldOperator::sum:
            return binary(BinaryOperator::add);
        case FoldOperator::product:
            return binary(BinaryOperator::multiply);
        case FoldOperator::minimum:
            return condition ? binary(BinaryOperator::logical_and) : of_two(Intrinsic::minimum);
        case FoldOperator::maximum:
            return condition ? binary(BinaryOperator::logical_or) : of_two(Intrinsic::maximum);
    }
    throw std::logic_error("words are folded by no operator");
}

/// axis_sum(a, u, e): the axes are those of any word of u.
CellValue CellExpressions::sum_over_axes(const ast::Call& call, const ast::ExpressionRef& own) {
    ast::ExpressionRef axes = call.arguments[1];
    if (const auto* use = std::get_if<ast::NameUse>(&axes->node)) {
        const ast::Name name = outermost({use->name, axes->span});
        const CellField* field = fields_.find(name.text);
        if (field || name.text != use->name)
            axes = make(ast::NameUse{field ? field->words.front() : name.text}, axes->span);
    }
    const CellValue summed = evaluate(call.arguments[2]);
    return together({summed}, {call.arguments[2]}, own, [&](const std::vector<ast::ExpressionRef>& words) {
        return make(ast::Call{call.callee, {call.arguments[0], axes, words[0]}}, own->span);
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
    // What is wrong with the call itself is said where it is checked.
    // A function of the library that the program's hides has its meaning in the library's text alone.
    const bool hidden = frame_ && called.hidden;
    const bool expands = call.arguments.size() == called.arguments.size() && (!frame_ || function < frame_->function) &&
                         (hidden || speaks_of_shapes(function, of_shapes));
    if (!expands) return each_word(call, arguments, own);
    expanded_.insert(function);
    frames_.push_back({function, &call.arguments, frame_, own->span});
    const Frame* frame = std::exchange(frame_, &frames_.back());
    CellValue made = evaluate(called.body);
    frame_ = frame;
    return made;
}

}  // namespace kasc::frontend
