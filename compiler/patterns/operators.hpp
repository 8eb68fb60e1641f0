#pragma once
// muparserx with C's integer operators and nothing else. (Its own '/' is a division of reals: "tx/2*2" would be tx.)

#include <mpParser.h>

#include <stdexcept>

namespace kasc::patterns {

/// Thrown by an operator; leaves the evaluator as a diagnostic.
struct ArithmeticFault : std::runtime_error {
    using std::runtime_error::runtime_error;
};

/// A parser that knows decimal integers, + - * / % < <= > >= == !=, unary minus, ?: and parentheses. Results that do
/// not fit C's int, and divisions by zero, throw ArithmeticFault.
void define_integer_arithmetic(mup::ParserX& parser);

}  // namespace kasc::patterns
