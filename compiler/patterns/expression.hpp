#pragma once
// The language of pattern expressions: C's integer arithmetic, so that the text means the same to the enumeration and
// to the device code, where it stands for APLS, APIN0, … Checked here letter by letter before muparserx sees it: what
// passes is short, shallow and free of everything else that muparserx could do (assignments, strings, matrices, calls).

#include <array>
#include <optional>
#include <string>
#include <vector>

#include "foundation/diagnostic.hpp"
#include "library/library.hpp"

namespace kasc::patterns {

/// What an expression says decides which names it may use.
enum class ExpressionRole { start, block, stride };

/// As expressions write them, in the order of Coordinate.
inline constexpr std::array<const char*, 6> coordinate_names{"tx", "ty", "tz", "bx", "by", "bz"};

/// <IMPLEMENTATION>_BX, _BY, _BZ: the block's dimensions.
[[nodiscard]] std::vector<std::string> dimension_names(const std::string& implementation);

/// The coordinates that an expression uses, and whether it uses i, the number of the round.
struct UsedNames {
    std::array<bool, 6> coordinates{};
    bool round = false;
    [[nodiscard]] bool uses(Coordinate c) const { return coordinates[static_cast<std::size_t>(c)]; }
};

struct CheckedExpression {
    std::optional<UsedNames> used;  ///< none: `diagnostic` says why
    Diagnostic diagnostic;
};

/// K0401 a letter or number out of place, K0402 an unknown name, K0405 a name that this role may not use. `dimensions`
/// are the block dimensions' names.
[[nodiscard]] CheckedExpression check_expression(const std::string& text, const Span& span, ExpressionRole role,
                                                 const std::vector<std::string>& dimensions);

/// Bytes [begin, end) of the expression; the whole span where it is not backed by text.
[[nodiscard]] Span part_of(const Span& span, std::size_t begin, std::size_t end);

[[nodiscard]] Diagnostic pattern_fault(const char* code, const Span& at, std::string message, std::string help);

}  // namespace kasc::patterns
