#pragma once
// Processes of one user that take turns: of those that measure one at a time, while others read, plan and build.

#include <filesystem>
#include <functional>

#include "runtime/files/descriptor.hpp"

namespace kasc::runtime {

/// Held from here until its end, or the process's, however that comes.
class Turn {
public:
    /// Waits for it; `stop` is asked some ten times a second and ends that. `file` is made where missing; where it
    /// cannot be, nobody waits.
    explicit Turn(const std::filesystem::path& file, const std::function<bool()>& stop = {});

private:
    Descriptor held_;
};

}  // namespace kasc::runtime
