#include "runtime/files/check_places.hpp"

#include <algorithm>

#include "runtime/files/output_place.hpp"
#include "runtime/files/replacement.hpp"

namespace kasc::runtime {

Diagnostics check_places(const std::vector<CallFile>& written, const std::vector<CallFile>& others) {
    std::vector<CallFile> known = others;
    for (const CallFile& file : written) {
        if (file.path.empty()) continue;
        const auto same = std::find_if(known.begin(), known.end(), [&](const CallFile& other) {
            return !other.path.empty() && same_place(file.path, other.path);
        });
        if (same != known.end()) {
            Diagnostic d = cannot_write("K0720", file.path, "it is " + same->what);
            d.span = {};
            d.help = "give another name";
            return {d};
        }
        if (Diagnostics bad = check_writable(file.path); !bad.empty()) return bad;
        known.push_back(file);
    }
    return {};
}

}  // namespace kasc::runtime
