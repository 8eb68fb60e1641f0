#pragma once
// The library's types beside the compiler's. Internal to this folder.

#include "driver/compilation.hpp"
#include "kasc/kasc.hpp"

namespace kasc::api {

[[nodiscard]] emit::Target emission(Target target);
[[nodiscard]] std::vector<File> files_of(const emit::EmittedCode& code);

/// K0901, K0902 for the call.
[[nodiscard]] Outcome<CompileRequest> request_of(const std::string& source, const std::string& name,
                                                 const Options& options);

/// Both forms of what there is to say.
template <class Said>
void say(Said& to, Diagnostics diagnostics) {
    diagnostics = tidy(std::move(diagnostics));
    to.diagnostics = render_text(diagnostics);
    to.diagnostics_json = render_json(diagnostics);
}

}  // namespace kasc::api
