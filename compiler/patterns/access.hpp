#pragma once
// The one notion of access: for an argument of a call, which addresses it touches. Whether two calls may share a kernel
// is decided from pairs of these. Sources: the table in docs/architecture.md.

#include <string>
#include <variant>
#include <vector>

#include "foundation/id.hpp"
#include "foundation/verdict.hpp"
#include "frontend/program.hpp"

namespace kasc {

struct ElementAccess {};  ///< stream argument; the words are the implementation's patterns
struct PointAccess {};    ///< the cell itself
struct NearAccess {
    std::vector<std::vector<int>> offsets;
};  ///< distinct, sorted; one entry an axis
struct SliceAccess {
    std::vector<std::pair<AxisId, ExpressionRef>> fixed;
};                      ///< some axes at a uniform position, offset 0 elsewhere
struct WholeAccess {};  ///< anything: the producer must be complete
using Access = std::variant<ElementAccess, PointAccess, NearAccess, SliceAccess, WholeAccess>;

/// Read off one operand of a field statement.
[[nodiscard]] Access access_of(const Program& program, const FieldStatement& statement, const Operand& operand);
[[nodiscard]] std::string print(const Access& access, const Program& program);

}  // namespace kasc
