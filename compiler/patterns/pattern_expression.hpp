#pragma once
// The language of pattern expressions: C's integer arithmetic, so that the text means the same to the enumeration and
// to the device code, where it stands for APLS, APIN0, … Checked here letter by letter before muparserx sees it: what
// passes is short, shallow and free of everything else that muparserx could do (assignments, strings, matrices, calls).

#include <optional>
#include <string>
#include <vector>

#include "foundation/diagnostic.hpp"

namespace kasc::patterns {

/// What an expression says decides which names it may use.
enum class ExpressionRole { start, block, stride };

/// Names that an expression uses, of tx ty tz, and i.
struct UsedNames {
    bool tx = false, ty = false, tz = false, i = false;
};

struct CheckedExpression {
    std::optional<UsedNames> used;  ///< none: `diagnostic` says why
    Diagnostic diagnostic;
};

/// K0401 a letter or number out of place, K0402 an unknown name, K0405 a name that this role may not use. `macros` are
/// the block dimensions' names.
[[nodiscard]] CheckedExpression check_expression(const std::string& text, const Span& span, ExpressionRole role,
                                                 const std::vector<std::string>& macros);

/// Bytes [begin, end) of the expression; the whole span where it is not backed by text.
[[nodiscard]] Span part_of(const Span& span, std::size_t begin, std::size_t end);

[[nodiscard]] Diagnostic pattern_fault(const char* code, const Span& at, std::string message, std::string help);

}  // namespace kasc::patterns
