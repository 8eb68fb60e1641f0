#pragma once
// Programs planned for tests, with kasc's own library and devices.

#include <map>
#include <stdexcept>
#include <string>

#include "driver/compilation.hpp"

namespace kasc::test {

inline CompileRequest request_of(const std::string& text, const std::map<std::string, double>& settings = {}) {
    CompileRequest made;
    made.source = make_source("p.kas", text);
    made.data_folder = KASC_SOURCE_DIR;
    made.settings = settings;
    return made;
}

/// Throws what stands against it.
inline Compilation planned(const CompileRequest& wanted) {
    auto compilation = compile(wanted);
    if (!compilation) throw std::runtime_error(render_text(compilation.diagnostics));
    return std::move(*compilation.value);
}

}  // namespace kasc::test
