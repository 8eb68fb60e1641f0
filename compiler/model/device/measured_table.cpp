// Entries of mmul33_1 with 64 elements at 0 and 8192 extra bytes, 1.0 and 2.0 ns: at 2048 bytes it is 1.25 ns.

#include "model/device/measured_table.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <map>
#include <nlohmann/json.hpp>
#include <tuple>

#include "library/identity.hpp"

namespace kasc {

namespace {

double between(double a, double b, double share) { return a + share * (b - a); }

std::string quoted(const std::string& text) {
    return nlohmann::json(text).dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
}

/// "load_ns": [0.0269, 0.0275]
template <class T>
std::string list(const char* key, const MeasuredEntry& entry, T MeasuredTimes::*member) {
    std::string out = fmt::format("\"{}\": [", key);
    for (const MeasuredTimes& t : entry.times) {
        if (&t != &entry.times.front()) out += ", ";
        if constexpr (std::is_same_v<T, double>)
            out += fmt::format("{:.4g}", t.*member);  // no measurement has more digits that mean something
        else
            out += fmt::format("{}", t.*member);
    }
    return out + "]";
}

}  // namespace

std::optional<MeasuredTimes> MeasuredTable::find(const std::string& implementation, int elements,
                                                 int extra_shared_bytes) const {
    const auto entry =
        std::lower_bound(entries.begin(), entries.end(), std::tie(implementation, elements),
                         [](const MeasuredEntry& e, const std::tuple<const std::string&, const int&>& k) {
                             return std::tie(e.implementation, e.elements) < k;
                         });
    if (entry == entries.end() || entry->implementation != implementation || entry->elements != elements) return {};
    const auto above = std::find_if(entry->times.begin(), entry->times.end(),
                                    [&](const MeasuredTimes& t) { return t.extra_shared_bytes >= extra_shared_bytes; });
    if (above == entry->times.end()) return entry->times.back();
    if (above == entry->times.begin() || above->extra_shared_bytes == extra_shared_bytes) return *above;
    const MeasuredTimes& below = *std::prev(above);
    MeasuredTimes found = below;
    found.extra_shared_bytes = extra_shared_bytes;
    const double share = static_cast<double>(extra_shared_bytes - below.extra_shared_bytes) /
                         (above->extra_shared_bytes - below.extra_shared_bytes);
    for (double MeasuredTimes::*member :
         {&MeasuredTimes::load_ns, &MeasuredTimes::compute_ns, &MeasuredTimes::save_ns, &MeasuredTimes::occupancy})
        found.*member = between(below.*member, (*above).*member, share);
    return found;
}

MeasuredTable entries_of(const MeasuredTable& table, const Library& library) {
    std::map<std::string, std::string> codes;
    for (const Function& function : library.functions) {
        for (const Implementation& i : function.implementations) codes[i.name] = hash_of(identity_text(i, library));
    }
    MeasuredTable of = table;
    std::erase_if(of.entries, [&](const MeasuredEntry& e) {
        const auto code = codes.find(e.implementation);
        return code == codes.end() || code->second != e.code;
    });
    return of;
}

std::string print(const MeasuredTable& t) {
    std::string out = fmt::format(
        "{{\n  \"version\": {},\n  \"kasc\": {},\n  \"device\": {},\n  \"driver\": {},\n  \"compiler\": {},\n"
        "  \"date\": {},\n  \"library\": {},\n  \"size\": {},\n  \"entries\": [",
        table_format_version, quoted(t.kasc), quoted(t.device), quoted(t.driver), quoted(t.compiler), quoted(t.date),
        quoted(t.library), t.size);
    const char* separator = "\n";
    for (const MeasuredEntry& e : t.entries) {
        fmt::format_to(
            std::back_inserter(out),
            "{}    {{\"implementation\": {}, \"code\": {}, \"elements\": {},\n     {},\n     {},\n     {},\n     "
            "{},\n     {},\n     {}}}",
            separator, quoted(e.implementation), quoted(e.code), e.elements,
            list("extra_shared_bytes", e, &MeasuredTimes::extra_shared_bytes),
            list("load_ns", e, &MeasuredTimes::load_ns), list("compute_ns", e, &MeasuredTimes::compute_ns),
            list("save_ns", e, &MeasuredTimes::save_ns), list("registers", e, &MeasuredTimes::registers),
            list("occupancy", e, &MeasuredTimes::occupancy));
        separator = ",\n";
    }
    return out + "\n  ]\n}\n";
}

}  // namespace kasc
