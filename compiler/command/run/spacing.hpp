#pragma once
// How far apart the cells of a program's axes are: what pictures and files say of it.

#include <map>
#include <string>
#include <vector>

#include "runtime/hdf5/array_layout.hpp"
#include "runtime/interface.hpp"
#include "runtime/pictures/frame.hpp"

namespace kasc::command {

/// In metres, by the names of parameters, `parameters` being their values: dx of x, dy of y, dz of z. Where one length
/// is all that there is, dx or h, it is that of x, y and z. A length of 1 says nothing: it counts cells. Nor does dt,
/// which is milliseconds in one program and seconds in another.
[[nodiscard]] std::map<std::string, double> spacings(const runtime::ProgramInterface& program,
                                                     const std::vector<double>& parameters);

/// For the file of the results: spacing_x = 0.001.
[[nodiscard]] runtime::Attributes spacing_attributes(const std::map<std::string, double>& spacings);

/// The axis of a picture.
[[nodiscard]] runtime::PictureAxis picture_axis(const std::string& name, const std::map<std::string, double>& spacings);

}  // namespace kasc::command
