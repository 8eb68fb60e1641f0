#include "frontend/trigonometric.hpp"

#include <fmt/format.h>

namespace kasc::frontend {

std::optional<TrigonometricTransform> find_trigonometric(std::string_view name) {
    TrigonometricTransform found;
    found.inverse = name.starts_with('i');
    if (found.inverse) name.remove_prefix(1);
    found.sine = name.starts_with("dst");
    const bool named = name.size() == 4 && (found.sine || name.starts_with("dct"));
    if (!named || name[3] < '1' || name[3] > '4') return std::nullopt;
    found.type = name[3] - '0';
    return found;
}

std::vector<std::string> trigonometric_names() {
    std::vector<std::string> names;
    for (const char* kind : {"dct", "dst"}) {
        for (const char* way : {"", "i"}) {
            for (int type = 1; type <= 4; ++type) names.push_back(fmt::format("{}{}{}", way, kind, type));
        }
    }
    return names;
}

}  // namespace kasc::frontend
