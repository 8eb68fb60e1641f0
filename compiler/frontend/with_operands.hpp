#pragma once
// A statement over fields with its operands numbered anew.

#include <functional>
#include <optional>

#include "frontend/program.hpp"

namespace kasc::frontend {

/// In the order of the text, some of them replaced by uniform expressions or by other operands; null: it stays. Equal
/// operands become one.
struct OperandReplacement {
    ExpressionRef value;
    std::optional<VariableId> variable;
};
[[nodiscard]] FieldStatement with_operands(
    const FieldStatement& statement, const std::function<std::optional<OperandReplacement>(std::size_t)>& replace);

/// The same with none replaced: a statement that was written anew, whose operands stand in no order yet.
[[nodiscard]] FieldStatement with_equal_operands_once(const FieldStatement& statement);

}  // namespace kasc::frontend
