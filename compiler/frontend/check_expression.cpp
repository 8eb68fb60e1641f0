#include "frontend/check_expression.hpp"

#include <fmt/format.h>

#include <stdexcept>

#include "frontend/constant.hpp"
#include "frontend/expansion_level.hpp"
#include "frontend/number_value.hpp"
#include "frontend/operators.hpp"
#include "frontend/power_text.hpp"

// Trees keep the order as written: nothing is folded. What a place wants (a real, a condition, an integer) is passed
// down, so that 1/2 is 0.5 in "T = 1/2*T" and 0 in "T[x = 1/2]".
//
// A function is expanded by checking its body in a new frame; a name that is an argument of it is checked as the
// argument's expression, in the frame of the caller:
//
//     function double(u) = u + u;    T = double(2*T);
//     real("double(2*T)") → frame {u: 2*T} → real("u + u") → real("u") → caller's frame: real("2*T") …

namespace kasc::frontend {

namespace {

/// A product of positive integers and lengths of axes.
bool is_positive(const Expression& e) {
    if (const auto* literal = std::get_if<Literal>(&e.node)) return literal->value > 0;
    if (std::holds_alternative<ExtentUse>(e.node)) return true;
    const auto* b = std::get_if<BinaryOperation>(&e.node);
    return b && b->op == BinaryOperator::multiply && is_positive(*b->left) && is_positive(*b->right);
}

ScalarKind complex_if(bool complex) { return complex ? ScalarKind::complex : ScalarKind::real; }

}  // namespace

Diagnostic& ExpressionChecker::error(const char* code, std::string message, const Span& span, std::string label) {
    Diagnostic& d = checking_.report.error(code, std::move(message), span, std::move(label));
    d.notes = expansions();
    if (beyond_)
        d.notes.push_back({beyond_->read, fmt::format("'{}' is read beyond its face here",
                                                      checking_.program.variables[beyond_->field].name)});
    return d;
}

std::vector<Note> ExpressionChecker::expansions() const {
    constexpr std::size_t most_calls = 3;  // enough to find the place; a chain may be hundreds long
    std::vector<Note> notes;
    for (const Frame* frame = frame_; frame && notes.size() < most_calls; frame = frame->caller) {
        notes.push_back(
            {frame->call, fmt::format("in the expansion of '{}'", checking_.ast.functions[frame->function].name.text)});
    }
    return notes;
}

ExpressionRef ExpressionChecker::real(const ast::Expression& expression) { return check(Wanted::real, expression); }
ExpressionRef ExpressionChecker::boolean(const ast::Expression& expression) {
    return check(Wanted::boolean, expression);
}
ExpressionRef ExpressionChecker::integer(const ast::Expression& expression) {
    return check(Wanted::integer, expression);
}

ExpressionRef ExpressionChecker::complex(const ast::Expression& expression) {
    return check(Wanted::complex, expression);
}

ExpressionRef ExpressionChecker::check(Wanted wanted, const ast::Expression& expression) {
    const Level level(*this, expression.span);
    if (!level) return nullptr;
    if (const auto* use = std::get_if<ast::NameUse>(&expression.node)) return name(wanted, use->name, expression.span);
    if (const auto* node = std::get_if<ast::Call>(&expression.node)) return call(wanted, *node, expression.span);
    switch (wanted) {
        case Wanted::real:
            return real_node(expression);
        case Wanted::boolean:
            return boolean_node(expression);
        case Wanted::integer:
            return integer_node(expression);
        case Wanted::complex:
            return complex_node(expression);
    }
    throw std::logic_error("an expression is wanted of no kind");
}

/// A real number serves as a complex one, and what is made of reals alone is real.
ExpressionRef ExpressionChecker::complex_node(const ast::Expression& expression) {
    const Span& span = expression.span;
    if (const auto* node = std::get_if<ast::Access>(&expression.node)) return access(Wanted::complex, *node, span);
    if (const auto* node = std::get_if<ast::Conditional>(&expression.node))
        return conditional(Wanted::complex, *node, span);
    if (const auto* node = std::get_if<ast::Unary>(&expression.node); node && node->op == UnaryOperator::negate) {
        ExpressionRef operand = complex(*node->operand);
        if (!operand) return nullptr;
        const ScalarKind kind = complex_if(operand->kind == ScalarKind::complex);
        return make_expression(UnaryOperation{node->op, std::move(operand)}, kind, span);
    }
    const auto* node = std::get_if<ast::Binary>(&expression.node);
    if (!node || !is_arithmetic(node->op)) return real_node(expression);
    ExpressionRef value = binary(Wanted::complex, ScalarKind::complex, *node, span);
    if (!value || node->op != BinaryOperator::modulo || value->kind != ScalarKind::complex) return value;
    error("K0251", "complex numbers have no remainder", node->op_span).help =
        "they know + - * / and ?:; 'real(z)' and 'imag(z)' take them apart";
    return nullptr;
}

ExpressionRef ExpressionChecker::real_node(const ast::Expression& expression) {
    const Span& span = expression.span;
    if (const auto* number = std::get_if<ast::Number>(&expression.node)) return real_number(*number, span);
    if (const auto* node = std::get_if<ast::Access>(&expression.node)) return access(Wanted::real, *node, span);
    if (const auto* node = std::get_if<ast::Conditional>(&expression.node))
        return conditional(Wanted::real, *node, span);
    if (const auto* node = std::get_if<ast::Unary>(&expression.node); node && node->op == UnaryOperator::negate) {
        ExpressionRef operand = real(*node->operand);
        return operand ? make_expression(UnaryOperation{node->op, std::move(operand)}, ScalarKind::real, span)
                       : nullptr;
    }
    if (const auto* node = std::get_if<ast::Binary>(&expression.node); node && is_arithmetic(node->op)) {
        return binary(Wanted::real, ScalarKind::real, *node, span);
    }
    if (has_bits(expression))
        return is_power(Wanted::real, expression) ? nullptr : as_wanted(Wanted::real, integer_node(expression));
    report_not_number(span);
    return nullptr;
}

void ExpressionChecker::report_not_number(const Span& span) {
    error("K0227", "a condition stands where a number is needed", span).help =
        "choose a number by it: 'condition ? 1 : 0'";
}

ExpressionRef ExpressionChecker::boolean_node(const ast::Expression& expression) {
    const Span& span = expression.span;
    if (const auto* node = std::get_if<ast::Unary>(&expression.node); node && node->op == UnaryOperator::logical_not) {
        ExpressionRef operand = boolean(*node->operand);
        return operand ? make_expression(UnaryOperation{node->op, std::move(operand)}, ScalarKind::boolean, span)
                       : nullptr;
    }
    const auto* node = std::get_if<ast::Binary>(&expression.node);
    if (node && is_logical(node->op)) return binary(Wanted::boolean, ScalarKind::boolean, *node, span);
    if (node && is_comparison(node->op)) {
        const bool whole = is_integer_expression(*node->left) && is_integer_expression(*node->right);
        if (whole) look_for_power(*node);
        return binary(whole ? Wanted::integer : Wanted::real, ScalarKind::boolean, *node, span);
    }
    if (node && is_bitwise(node->op) && !joins_bits(*node)) return nullptr;
    if (const auto* choice = std::get_if<ast::Conditional>(&expression.node))
        return conditional(Wanted::boolean, *choice, span);
    report_not_condition(span);
    return nullptr;
}

ExpressionRef ExpressionChecker::integer_node(const ast::Expression& expression) {
    const Span& span = expression.span;
    if (const auto* number = std::get_if<ast::Number>(&expression.node)) return integer_number(*number, span);
    if (is_power(Wanted::integer, expression) || report_real_part(expression)) return nullptr;
    if (const auto* node = std::get_if<ast::Unary>(&expression.node); node && node->op != UnaryOperator::logical_not) {
        ExpressionRef operand = integer(*node->operand);
        return operand ? make_expression(UnaryOperation{node->op, std::move(operand)}, ScalarKind::integer, span)
                       : nullptr;
    }
    const auto* operation = std::get_if<ast::Binary>(&expression.node);
    if (operation && (is_arithmetic(operation->op) || (is_bitwise(operation->op) && joins_bits(*operation))))
        return integer_binary(*operation, span);
    if (operation && is_bitwise(operation->op)) return nullptr;
    if (const auto* node = std::get_if<ast::Access>(&expression.node)) {
        ExpressionRef value = access(Wanted::integer, *node, span);
        if (!value || value->kind == ScalarKind::integer) return value;
        report_not_integer(span, "the value of this field is real");
        return nullptr;
    }
    if (const auto* node = std::get_if<ast::Conditional>(&expression.node))
        return conditional(Wanted::integer, *node, span);
    report_not_number(span);
    return nullptr;
}

/// As in C, & and | bind weaker than comparisons, which people forget.
bool ExpressionChecker::joins_bits(const ast::Binary& node) {
    const auto is_condition = [](const ast::Expression& e) {
        const auto* unary = std::get_if<ast::Unary>(&e.node);
        const auto* binary = std::get_if<ast::Binary>(&e.node);
        return (unary && unary->op == UnaryOperator::logical_not) ||
               (binary && (is_comparison(binary->op) || is_logical(binary->op)));
    };
    const bool left = is_condition(*node.left), right = is_condition(*node.right);
    if (!left && !right) return true;
    const char* op = symbol(node.op);
    const bool may_join = node.op == BinaryOperator::bit_and || node.op == BinaryOperator::bit_or;
    Diagnostic& d = error("K0227", fmt::format("'{}' is of the bits of integers, this is a condition", op),
                          (left ? node.left : node.right)->span);
    if (left && right && may_join)
        d.help = fmt::format("conditions are joined by '{0}{0}'", op);
    else if (node.op == BinaryOperator::bit_xor)
        d.help = help_for_power(power_at(node.op_span), false) + ", exclusive or '(a ^ b) == c'";
    else
        d.help = fmt::format("as in C, '{0}' binds weaker than a comparison: write '(a {0} b) == c'", op);
    return false;
}

/// What is computed of integers alone, wherever it stands.
bool ExpressionChecker::has_bits(const ast::Expression& expression) {
    const auto* unary = std::get_if<ast::Unary>(&expression.node);
    const auto* binary = std::get_if<ast::Binary>(&expression.node);
    return (unary && unary->op == UnaryOperator::complement) || (binary && is_bitwise(binary->op));
}

void ExpressionChecker::report_not_condition(const Span& span, const std::string& example) {
    error("K0227", "a number stands where a condition is needed", span).help =
        fmt::format("compare it, as in '{} > 0'", example);
}

ExpressionRef ExpressionChecker::real_number(const ast::Number& number, const Span& span) {
    const auto value = real_value(number.text);
    const bool dual = allowed_.operands || allowed_.precision == Precision::dual;
    if (!value || (!dual && !fits_float(*value))) {
        report_number_range(checking_.report, dual ? Precision::dual : Precision::single, span).notes = expansions();
        return nullptr;
    }
    // The precision of a statement is known when all of it has been read.
    if (allowed_.operands && !fits_float(*value)) allowed_.operands->add({span, expansions()});
    return make_expression(Literal{*value}, ScalarKind::real, span);
}

Diagnostic& report_number_range(Report& report, Precision precision, const Span& span) {
    if (precision == Precision::dual)
        return report.error("K0222", "the number does not fit a double", span,
                            "magnitudes from 4.9e-324 to 1.8e308 do");
    return report.error("K0222", "the number does not fit a float", span, "magnitudes from 1.4e-45 to 3.4e38 do");
}

ExpressionRef ExpressionChecker::integer_number(const ast::Number& number, const Span& span) {
    if (number.form == ast::NumberForm::real) {
        report_not_integer(span, "a real number");
        return nullptr;
    }
    if (const auto value = integer_value(number.text)) {
        return make_expression(Literal{static_cast<double>(*value)}, ScalarKind::integer, span);
    }
    constexpr const char *message = "the number does not fit an integer", *label = "integers go up to 2147483647";
    const auto longer = has_long_numbers() ? long_integer_value(number.text) : std::nullopt;
    if (!longer) {
        error("K0222", message, span,
              has_long_numbers() ? "integers go up to 2147483647, of 'int64' to 9007199254740991" : label);
        return nullptr;
    }
    // Whether integers are of 64 bits is known when all of the statement has been read.
    allowed_.operands->add(Operands::LongLiteral{span, message, label, expansions()});
    return make_expression(Literal{static_cast<double>(*longer)}, ScalarKind::integer, span);
}

ExpressionRef ExpressionChecker::integer_binary(const ast::Binary& node, const Span& span) {
    const auto* divisor = std::get_if<ast::Number>(&node.right->node);
    const bool divides = node.op == BinaryOperator::divide || node.op == BinaryOperator::modulo;
    if (divides && divisor && integer_value(divisor->text) == 0) {
        error("K0220", "an integer is divided by zero", node.right->span);
        return nullptr;
    }
    const bool shifts = node.op == BinaryOperator::shift_left || node.op == BinaryOperator::shift_right;
    if (shifts && !counts_bits(*node.right)) return nullptr;
    ExpressionRef whole = binary(Wanted::integer, ScalarKind::integer, node, span);
    // What each cell computes must have a value for every cell: a divisor of zero has none.
    const auto* operation = whole ? std::get_if<BinaryOperation>(&whole->node) : nullptr;
    if (operation && divides && !is_uniform(*whole) && !is_positive(*operation->right)) {
        error("K0220", "an integer that each cell computes is divided by what may be zero", node.right->span,
              "neither an integer literal nor an extent")
            .help = "divide by integer literals and extents; where a real may stand, by a real: 'x / (1.0 * n)'";
        return nullptr;
    }
    return whole;
}

/// A count that is written as a number: others are taken modulo the bits of an integer.
bool ExpressionChecker::counts_bits(const ast::Expression& count) {
    const auto known = constant_of(count, [](const std::string&) { return std::nullopt; });
    if (!known || !known->whole || (known->value >= 0 && known->value < 32)) return true;
    constexpr const char *message = "an integer has 32 bits", *label = "it can be shifted by 0 to 31";
    const bool of_long = has_long_numbers() && known->value >= 0 && known->value < 64;
    if (of_long)
        allowed_.operands->add(Operands::LongLiteral{count.span, message, label, expansions()});
    else
        error("K0222", message, count.span,
              has_long_numbers() ? "it can be shifted by 0 to 31, of 'int64' to 63" : label);
    return of_long;
}

/// a < b < c means two comparisons elsewhere; here the first is a condition, which is compared with nothing.
bool ExpressionChecker::is_chained(const ast::Binary& node) {
    const auto compared = [](const ast::ExpressionRef& e) -> const ast::Binary* {
        const auto* binary = std::get_if<ast::Binary>(&e->node);
        return binary && is_comparison(binary->op) ? binary : nullptr;
    };
    const ast::Binary* first = compared(node.left);
    if (!first || compared(node.right)) return false;
    const auto text = [](const ast::ExpressionRef& e) {
        return e->span.source->text.substr(e->span.begin, e->span.end - e->span.begin);
    };
    error("K0227", "comparisons do not go on from one to the next", node.left->span, "this is a condition already")
        .help = fmt::format("join two by '&&': '{} {} {} && {} {} {}'", text(first->left), symbol(first->op),
                            text(first->right), text(first->right), symbol(node.op), text(node.right));
    return true;
}

ExpressionRef ExpressionChecker::binary(Wanted of_operands, ScalarKind kind, const ast::Binary& node,
                                        const Span& span) {
    if (kind == ScalarKind::boolean && of_operands != Wanted::boolean && is_chained(node)) return nullptr;
    ExpressionRef left = check(of_operands, *node.left);
    ExpressionRef right = check(of_operands, *node.right);
    if (!left || !right) return nullptr;
    if (kind == ScalarKind::complex)
        kind = complex_if(left->kind == ScalarKind::complex || right->kind == ScalarKind::complex);
    const bool divides = node.op == BinaryOperator::divide && kind != ScalarKind::integer;
    const BinaryOperator op = divides ? quotient_operator(*left, *right) : node.op;
    return make_expression(BinaryOperation{op, std::move(left), std::move(right)}, kind, span);
}

const ast::Expression* ExpressionChecker::only_branch(const ast::Conditional& node) const {
    const auto known = constant_of(*node.condition, [&](const std::string& name) -> std::optional<Constant> {
        const Symbol* symbol = argument_index(name) ? nullptr : checking_.names.find(name);
        const auto* option = symbol ? std::get_if<OptionIndex>(&symbol->meaning) : nullptr;
        if (!option) return std::nullopt;
        const ast::Option& value = checking_.ast.options[option->index];
        return Constant{value.value, value.whole};
    });
    if (!known) return nullptr;
    return known->value != 0 ? node.then.get() : node.otherwise.get();
}

ExpressionRef ExpressionChecker::conditional(Wanted wanted, const ast::Conditional& node, const Span& span) {
    if (const ast::Expression* only = only_branch(node)) return check(wanted, *only);
    ExpressionRef condition = boolean(*node.condition);
    ExpressionRef then = check(wanted, *node.then);
    ExpressionRef otherwise = check(wanted, *node.otherwise);
    if (!condition || !then || !otherwise) return nullptr;
    const ScalarKind kind = wanted == Wanted::integer   ? ScalarKind::integer
                            : wanted == Wanted::boolean ? ScalarKind::boolean
                                                        : complex_if(then->kind == ScalarKind::complex ||
                                                                     otherwise->kind == ScalarKind::complex);
    return make_expression(Conditional{std::move(condition), std::move(then), std::move(otherwise)}, kind, span);
}

void report_long_literals(Checking& checking, const Operands& operands) {
    if (operands.computes_long()) return;
    for (const Operands::LongLiteral& literal : operands.long_literals()) {
        Diagnostic& d = checking.report.error("K0222", literal.message, literal.span, literal.label);
        d.notes = literal.expansions;
        d.help = "integers are of 64 bits where the statement's target or a field that it reads is of 'int64'";
    }
}

void report_precision(Checking& checking, const Operands& operands) {
    report_long_literals(checking, operands);
    if (operands.precision() == Precision::dual) {
        for (const Operands::LibraryCall& call : operands.library_calls()) {
            Diagnostic& d = checking.report.error(
                "K0260", fmt::format("'{}' computes in float, the statement in double", call.name), call.span);
            d.notes = call.expansions;
            d.help = "a statement is computed in double where its target or a field that it reads is of 'double'";
        }
        return;
    }
    for (const Operands::WideLiteral& literal : operands.wide_literals()) {
        Diagnostic& d = report_number_range(checking.report, Precision::single, literal.span);
        d.notes = literal.expansions;
        d.help = "a statement is computed in double where its target or a field that it reads is of 'double'";
    }
}

}  // namespace kasc::frontend
