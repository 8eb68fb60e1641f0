#pragma once
// Names of the parts of an implementation: <function>_<implementation>, _load_<k>, _compute, _save.

#include <optional>
#include <string>
#include <string_view>

namespace kasc::library {

enum class Part { kernel, load, compute, save };

struct PartName {
    std::string function;
    int implementation = 0;
    Part part = Part::kernel;
    int argument = 0;  ///< of a load, from 1

    [[nodiscard]] std::string implementation_name() const { return function + "_" + std::to_string(implementation); }
};

/// "svmul3_1_load_2" → {svmul3, 1, load, 2}; none where the name has another form. Numbers have no leading zero and at
/// most four digits.
[[nodiscard]] std::optional<PartName> parse_part_name(std::string_view name);

}  // namespace kasc::library
