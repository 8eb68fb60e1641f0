#include <fmt/format.h>

#include <stdexcept>

#include "frontend/cell_value.hpp"
#include "frontend/check_expression.hpp"

// Cells of their words, words of cells folded, and sums over axes word by word.

namespace kasc::frontend {

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

/// sum(u), maximum(u), …: over the words of each cell, from the first; with axes, of each word over them. Running sums
/// are of each word.
CellValue CellExpressions::fold_words(const Reduction& called, const ast::Call& call, const ast::ExpressionRef& own) {
    const CellValue folded = evaluate(call.arguments.front());
    if (folded.is_faulty() || (folded.is_unknown && call.arguments.size() == 1 && !called.running)) return folded;
    if (folded.shape.is_number() || call.arguments.size() > 1 || called.running) {
        std::vector<CellValue> arguments{folded};
        for (std::size_t k = 1; k < call.arguments.size(); ++k) arguments.push_back(evaluate(call.arguments[k]));
        // As in each_word, the library's text means this reduction whatever the program calls so.
        return together(arguments, call.arguments, own, [&](const std::vector<ast::ExpressionRef>& words) {
            return make(ast::Call{call.callee, words, std::nullopt, &called}, own->span);
        });
    }
    if (gives_position(called)) {
        error("K0254", fmt::format("'{}' is a position along an axis", call.callee.text), own->span).help =
            "the words of a cell stand at none";
        return {};
    }
    const bool condition = called.gives == Reduction::Gives::condition;
    const auto word_of = [&](std::size_t k) {
        return condition ? folded.words[k] : folded_of(called, folded.words[k]);
    };
    ast::ExpressionRef made = word_of(0);
    for (std::size_t word = 1; word < folded.words.size(); ++word) {
        // The first of two products in a sum is fused: it is the second word's, so that each step upwards is one fmaf.
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
    if (const auto* bound = std::get_if<ast::NameUse>(&call.arguments[0]->node)) names_.insert(bound->name);
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

}  // namespace kasc::frontend
