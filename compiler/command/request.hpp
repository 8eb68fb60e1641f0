#pragma once
// Options → a compile request.

#include <map>
#include <string>
#include <vector>

#include "command/options.hpp"
#include "driver/compilation.hpp"
#include "runtime/files/check_places.hpp"

namespace kasc::command {

/// Reads the program's file and the settings. K0700 no such program file; K0901, K0902 for the call.
[[nodiscard]] Outcome<CompileRequest> make_request(const CommonOptions& options, const std::string& default_device);

/// The same of a text that is at hand.
[[nodiscard]] Outcome<CompileRequest> request_for(const SourceRef& source, const CommonOptions& options,
                                                  const std::string& default_device);

/// A program's text. K0700 no such file, or it cannot be read.
[[nodiscard]] Outcome<SourceRef> read_program_file(const std::string& path);

/// Files that are read for any of these options.
[[nodiscard]] std::vector<runtime::CallFile> read_files(const CommonOptions& options);
/// The files of the library in these folders.
[[nodiscard]] std::vector<runtime::CallFile> library_files(const std::vector<std::string>& libraries);

}  // namespace kasc::command
