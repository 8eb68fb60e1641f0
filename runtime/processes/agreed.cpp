#include "runtime/processes/agreed.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace kasc::runtime {

Diagnostics agreed(Communicator* processes, Diagnostics own, const char* code) {
    if (processes == nullptr) return own;
    const std::vector<std::string> texts = gather_texts(*processes, own.empty() ? "" : own.front().message);
    if (!own.empty()) return own;
    const auto bad = std::find_if(texts.begin(), texts.end(), [](const std::string& text) { return !text.empty(); });
    if (bad == texts.end()) return {};
    return {placeless(code, fmt::format("rank {} of {}: {}", bad - texts.begin(), texts.size(), *bad))};
}

}  // namespace kasc::runtime
