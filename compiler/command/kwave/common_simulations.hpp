#pragma once
// Simulations of the kinds that scripts have most: media, sources and records of k-Wave's and k-wave-python's own
// examples. Each is as small as it can be, for what is built of it serves all of its kind, whatever their sizes.

#include <set>
#include <string>
#include <vector>

#include "foundation/diagnostic.hpp"

namespace kasc::command {

/// What a number of the medium is: not there, the same everywhere, or a field.
enum class Extent { none, uniform, field };

struct CommonMedium {
    const char* name;
    Extent sound_speed, density;
    Extent absorption;    ///< by a power law; none: lossless
    Extent nonlinearity;  ///< B/A; none: linear
};

/// Signals: one for all cells, or one a cell.
enum class Signals { one, many };

struct CommonSource {
    enum class Kind { initial_pressure, pressure, velocity_x, velocity, transducer };
    const char* name;
    Kind kind;
    Signals signals = Signals::one;
    int mode = 2;  ///< 0: Dirichlet, 2: additive
};

struct CommonSimulation {
    int dimensions;
    const CommonMedium* medium;
    const CommonSource* source;
    std::set<std::string> recorded;  ///< as KwaveOptions has it

    /// "2d/varying-absorbing/p-one/p,p_final".
    [[nodiscard]] std::string name() const;
};

/// Two dimensions first, each once.
[[nodiscard]] std::vector<CommonSimulation> common_simulations();

/// Its input file. K0721.
[[nodiscard]] Diagnostics write_input(const CommonSimulation& simulation, const std::string& path);

}  // namespace kasc::command
