#pragma once
// The expressions of one implementation at one block shape, evaluated with muparserx: each is parsed once, its
// variables are bound once, an evaluation is about 100 ns.

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "patterns/expression.hpp"
#include "patterns/operators.hpp"
#include "patterns/pattern.hpp"

namespace kasc::patterns {

class PatternEvaluator {
public:
    PatternEvaluator(const BlockShape& block, const std::string& implementation_name);
    PatternEvaluator(const PatternEvaluator&) = delete;
    PatternEvaluator& operator=(const PatternEvaluator&) = delete;

    /// Values of a start expression for every thread, x fastest.
    [[nodiscard]] Outcome<std::vector<std::int32_t>> starts(const std::string& text, const Span& span);
    /// Values of a block or stride expression for i = 0 … rounds-1.
    [[nodiscard]] Outcome<std::vector<std::int32_t>> rounds(const std::string& text, const Span& span,
                                                            ExpressionRole role, int rounds);
    [[nodiscard]] const BlockShape& block() const { return block_; }

private:
    /// Parses, so that evaluate() can follow. None: `faults` says why.
    std::optional<UsedNames> parse(const std::string& text, const Span& span, ExpressionRole role, Diagnostics& faults);
    std::optional<std::int32_t> evaluate(const std::string& text, const Span& span, Diagnostics& faults);

    BlockShape block_;
    std::vector<std::string> dimensions_;  ///< their names
    std::array<mup::Value, 3> dimension_values_, thread_;
    mup::Value zero_, round_;
    mup::ParserX parser_;
};

}  // namespace kasc::patterns
