// "ty*3+tx" over a block 3×32: 96 evaluations. "tx*9" over 3×32: 3 evaluations, repeated 32 times, since ty is not
// used.

#include "patterns/evaluator.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace kasc::patterns {

namespace {

/// muparserx says `Unexpected variable "tx" found at position 3.`; the caret says where.
std::string without_position(std::string message) {
    const std::size_t at = message.find(" found at position");
    if (at != std::string::npos) message.resize(at);
    while (!message.empty() && message.back() == '.') message.pop_back();
    if (!message.empty() && message.front() >= 'A' && message.front() <= 'Z') {
        message.front() = static_cast<char>(message.front() - 'A' + 'a');
    }
    return message;
}

}  // namespace

PatternEvaluator::PatternEvaluator(const BlockShape& block, const std::string& implementation_name)
    : block_(block),
      dimensions_(dimension_names(implementation_name)),
      zero_(mup::int_type(0)),
      round_(mup::int_type(0)),
      parser_(0U) {
    define_integer_arithmetic(parser_);
    for (std::size_t d = 0; d < 3; ++d) {
        dimension_values_[d] = mup::Value(mup::int_type(block[d]));
        thread_[d] = mup::Value(mup::int_type(0));
        parser_.DefineVar(coordinate_names[d], mup::Variable(&thread_[d]));
        parser_.DefineVar(coordinate_names[3 + d], mup::Variable(&zero_));  // the tile of block 0 is every block's
        parser_.DefineVar(dimensions_[d], mup::Variable(&dimension_values_[d]));
    }
    parser_.DefineVar("i", mup::Variable(&round_));
}

std::optional<UsedNames> PatternEvaluator::parse(const std::string& text, const Span& span, ExpressionRole role,
                                                 Diagnostics& faults) {
    CheckedExpression checked = check_expression(text, span, role, dimensions_);
    if (checked.used) {
        std::string blanks = text;  // muparserx skips blanks but no tabs
        std::replace(blanks.begin(), blanks.end(), '\t', ' ');
        parser_.SetExpr(blanks);
    } else {
        faults.push_back(std::move(checked.diagnostic));
    }
    return checked.used;
}

std::optional<std::int32_t> PatternEvaluator::evaluate(const std::string& text, const Span& span, Diagnostics& faults) {
    try {
        const mup::IValue& value = parser_.Eval();
        if (value.GetType() == 'i') return static_cast<std::int32_t>(value.GetInteger());
        faults.push_back(pattern_fault("K0401", span, fmt::format("'{}' is a condition, not a number", text),
                                       "choose a number by it: condition ? a : b"));
    } catch (const mup::ParserError& error) {
        const auto at = static_cast<std::size_t>(std::max(error.GetPos(), 0));
        const Span place = error.GetPos() < 0 || at >= text.size() ? span : part_of(span, at, at + 1);
        faults.push_back(pattern_fault("K0401", place, fmt::format("the expression '{}' cannot be read", text),
                                       without_position(error.GetMsg())));
    } catch (const std::exception& error) {
        faults.push_back(
            pattern_fault("K0406", span, fmt::format("'{}' cannot be evaluated: {}", text, error.what()),
                          fmt::format("it happens for tx = {}, ty = {}, tz = {}, i = {} in a block of {} x {} x {}",
                                      thread_[0].GetInteger(), thread_[1].GetInteger(), thread_[2].GetInteger(),
                                      round_.GetInteger(), block_[0], block_[1], block_[2])));
    }
    return std::nullopt;
}

Outcome<std::vector<std::int32_t>> PatternEvaluator::starts(const std::string& text, const Span& span) {
    Diagnostics faults;
    const auto used = parse(text, span, ExpressionRole::start, faults);
    if (!used) return failure<std::vector<std::int32_t>>(std::move(faults));
    const bool tx = used->uses(Coordinate::tx), ty = used->uses(Coordinate::ty), tz = used->uses(Coordinate::tz);
    const BlockShape varied{tx ? block_[0] : 1, ty ? block_[1] : 1, tz ? block_[2] : 1};
    std::vector<std::int32_t> distinct;
    for (int z = 0; z < varied[2]; ++z) {
        thread_[2] = mup::int_type(z);
        for (int y = 0; y < varied[1]; ++y) {
            thread_[1] = mup::int_type(y);
            for (int x = 0; x < varied[0]; ++x) {
                thread_[0] = mup::int_type(x);
                const auto value = evaluate(text, span, faults);
                if (!value) return failure<std::vector<std::int32_t>>(std::move(faults));
                distinct.push_back(*value);
            }
        }
    }
    std::vector<std::int32_t> all;
    all.reserve(static_cast<std::size_t>(thread_count(block_)));
    for (int z = 0; z < block_[2]; ++z) {
        for (int y = 0; y < block_[1]; ++y) {
            for (int x = 0; x < block_[0]; ++x) {
                const int index = ((tz ? z : 0) * varied[1] + (ty ? y : 0)) * varied[0] + (tx ? x : 0);
                all.push_back(distinct[static_cast<std::size_t>(index)]);
            }
        }
    }
    return success(std::move(all));
}

Outcome<std::vector<std::int32_t>> PatternEvaluator::rounds(const std::string& text, const Span& span,
                                                            ExpressionRole role, int rounds) {
    Diagnostics faults;
    const auto used = parse(text, span, role, faults);
    if (!used) return failure<std::vector<std::int32_t>>(std::move(faults));
    std::vector<std::int32_t> values;
    for (int i = 0; i < rounds; ++i) {
        if (i > 0 && !used->round) {
            values.resize(static_cast<std::size_t>(rounds), values.front());
            break;
        }
        round_ = mup::int_type(i);
        const auto value = evaluate(text, span, faults);
        if (!value) return failure<std::vector<std::int32_t>>(std::move(faults));
        values.push_back(*value);
    }
    return success(std::move(values));
}

}  // namespace kasc::patterns
