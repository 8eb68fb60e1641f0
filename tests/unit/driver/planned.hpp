#pragma once
// Programs planned for tests, with kasc's own library and devices.

#include <map>
#include <stdexcept>
#include <string>

#include "driver/compilation.hpp"
#include "support/temporary.hpp"

namespace kasc::test {

/// Text of a program of these tests' own. Throws where there is none.
inline std::string program_of(const std::string& name) {
    std::string text = read_file(std::string(KASC_SOURCE_DIR) + "/tests/unit/driver/programs/" + name);
    if (text.empty()) throw std::runtime_error("no program " + name);
    return text;
}

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
