// kasc lsp: the server of the language, over standard input and output.
#include <unistd.h>

#include "command/request.hpp"
#include "lsp/server.hpp"

namespace kasc::command {

int lsp_command(const LspOptions& options) {
    const auto request_of = [](const SourceRef& source, const lsp::Settings& settings) {
        CommonOptions common;
        common.libraries = settings.libraries;
        common.device = settings.device;
        common.settings = settings.set;
        return request_for(source, common, "h100");
    };
    const lsp::Settings given{options.libraries, options.device, options.settings};
    return lsp::serve(STDIN_FILENO, STDOUT_FILENO, request_of, given, KASC_VERSION);
}

}  // namespace kasc::command
