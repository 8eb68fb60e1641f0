#pragma once
// What plans are timed on: sizes, parameters, inputs.

#include <cstddef>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "driver/compilation.hpp"
#include "runtime/runs/inputs.hpp"

namespace kasc::command {

struct TuneBinding {
    runtime::ProgramInterface face;
    std::vector<double> parameters;
    std::vector<long long> extents;
    std::optional<runtime::LoadedArrays> inputs;   ///< none: random data, of which
    std::vector<std::vector<std::byte>> integers;  ///< these are drawn already: words by input, none of reals
};

/// Sizes are those of the inputs in the file `path`, of `settings`, else the program's as it is planned for. The data
/// must be such that the program can be run on them; what `kasc run --allow` knows is a warning. Diagnostics as of
/// `kasc run`; where `path` is empty, those of random_integers.
[[nodiscard]] Outcome<TuneBinding> bind_tuning(const CheckedProgram& checked, const std::string& path,
                                               const std::map<std::string, double>& settings);

}  // namespace kasc::command
