// kasc lsp: the server of the language, over standard input and output.
#include <unistd.h>

#include "command/request.hpp"
#include "lsp/server.hpp"

namespace kasc::command {

int lsp_command(const LspOptions& options) {
    const auto request_of = [&](const SourceRef& source, const lsp::Settings& settings) {
        CommonOptions common;
        common.libraries = options.libraries;
        common.libraries.insert(common.libraries.end(), settings.libraries.begin(), settings.libraries.end());
        common.device = settings.device.empty() ? options.device : settings.device;
        common.settings = options.settings;
        common.settings.insert(common.settings.end(), settings.set.begin(), settings.set.end());
        return request_for(source, common, "h100");
    };
    return lsp::serve(STDIN_FILENO, STDOUT_FILENO, request_of, KASC_VERSION);
}

}  // namespace kasc::command
