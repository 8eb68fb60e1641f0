#pragma once
// Sine and cosine transforms along one axis, as statements with a Fourier transform among them.

#include <functional>
#include <map>
#include <string>
#include <vector>

#include "frontend/program.hpp"
#include "frontend/trigonometric.hpp"

namespace kasc::frontend {

/// One axis of a real field is transformed.
struct TrigonometricPass {
    TrigonometricTransform transform;
    VariableId source{};   ///< real, and not assigned by what follows
    std::size_t axis = 0;  ///< its position in the source's shape
    Span span;
};
/// Where a pass has its fields and axes from, and where its statements go.
struct PassParts {
    /// A field that the program does not name.
    std::function<VariableId(const std::string& wish, const std::vector<AxisId>& axes, CellType type)> field;
    std::function<bool(const std::string&)> taken;  ///< the program has, or will have, something of this name
    std::string stem;                               ///< of fields of the pass
    std::vector<Statement>& made;                   ///< what is computed where the pass stands,
    std::vector<Statement>& first;                  ///< and once, before all that the program says
    std::map<std::string, VariableId>& tables;      ///< of the latter, by what they hold
};
/// The result is a field like the source. Requires: a line has two cells at least where the type is dct1.
[[nodiscard]] VariableId add_trigonometric_pass(Program& program, const TrigonometricPass& pass, PassParts& parts);

}  // namespace kasc::frontend
