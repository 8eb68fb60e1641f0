#pragma once
// What the host computes for a program over fields.

#include "support/field_evaluation.hpp"

namespace kasc::test {

/// What the host computes for a uniform expression.
class Host {
public:
    Host(const Program& program, const Problem& problem) : evaluation_(program, problem, none(), {}) {}
    [[nodiscard]] long long integer(const Expression& e) const { return evaluation_.integer(e, {}); }
    [[nodiscard]] bool condition(const Expression& e) const { return evaluation_.condition(e, {}); }
    template <class Real>
    [[nodiscard]] Real real(const Expression& e) const {
        return evaluation_.real<Real>(e, {});
    }

private:
    StatementEvaluation evaluation_;
    [[nodiscard]] static const FieldStatement& none() {
        static const FieldStatement statement{};
        return statement;
    }
};

}  // namespace kasc::test
