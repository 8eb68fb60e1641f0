#pragma once
// What --set says, and datasets of one number in its place.

#include <map>
#include <string>

#include "frontend/program.hpp"
#include "model/prediction.hpp"

namespace kasc {

/// A dataset of an input file that has the name of an option, a parameter or a field `or uniform`.
struct SettingDataset {
    std::string place;  ///< "in.h5:/dt"
    std::string shape;  ///< "(3)" where it is not one number, and so no setting; else empty
};
using SettingDatasets = std::map<std::string, SettingDataset>;

/// Sets sizes and fallbacks by name. K0901 for a name that is neither, and for a value that fits no such parameter;
/// where a dataset has it K0717 and K0713. K0715 for a parameter whose dataset is not one number.
[[nodiscard]] Diagnostics apply_settings(Program& program, GivenSizes& given,
                                         const std::map<std::string, double>& settings,
                                         const SettingDatasets& datasets);

}  // namespace kasc
