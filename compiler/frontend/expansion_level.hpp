#pragma once
// One level of recursion of the expression checker: counts nodes and depth, so that neither a function that doubles its
// argument over and over nor a chain of calls can exhaust memory or the stack.

#include "frontend/check_expression.hpp"

namespace kasc::frontend {

class ExpressionChecker::Level {
public:
    Level(ExpressionChecker& checker, const Span& span);
    ~Level() { --checker_.depth_; }
    Level(const Level&) = delete;
    Level& operator=(const Level&) = delete;
    /// False: there is too much, which has been reported; nothing more is to be made.
    [[nodiscard]] explicit operator bool() const { return !checker_.exhausted_ && !checker_.checking_.report.full(); }

private:
    ExpressionChecker& checker_;
};

}  // namespace kasc::frontend
