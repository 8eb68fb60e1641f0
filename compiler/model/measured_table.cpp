// Entries of mmul33_1 with 64 elements at 0 and 8192 extra bytes, 1.0 and 2.0 ns: at 2048 bytes it is 1.25 ns.

#include "model/measured_table.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <nlohmann/json.hpp>

namespace kasc {

namespace {

double between(double a, double b, double share) { return a + share * (b - a); }

std::string quoted(const std::string& text) {
    return nlohmann::json(text).dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
}

}  // namespace

std::optional<MeasuredEntry> MeasuredTable::find(const std::string& implementation, int elements,
                                                 int extra_shared_bytes) const {
    const MeasuredEntry *below = nullptr, *above = nullptr;
    for (const MeasuredEntry& e : entries) {
        if (e.implementation != implementation || e.elements != elements) continue;
        if (e.extra_shared_bytes <= extra_shared_bytes) below = &e;
        if (e.extra_shared_bytes >= extra_shared_bytes && above == nullptr) above = &e;
    }
    if (below == nullptr && above == nullptr) return std::nullopt;
    if (below == nullptr) below = above;
    if (above == nullptr) above = below;
    MeasuredEntry found = *below;
    found.extra_shared_bytes = extra_shared_bytes;
    const int gap = above->extra_shared_bytes - below->extra_shared_bytes;
    if (gap <= 0) return found;
    const double share = static_cast<double>(extra_shared_bytes - below->extra_shared_bytes) / gap;
    for (double MeasuredEntry::*member :
         {&MeasuredEntry::load_ns, &MeasuredEntry::compute_ns, &MeasuredEntry::save_ns, &MeasuredEntry::occupancy})
        found.*member = between(below->*member, above->*member, share);
    return found;
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
            "{}    {{\"implementation\": {}, \"elements\": {}, \"extra_shared_bytes\": {}, \"load_ns\": "
            "{:.6g}, \"compute_ns\": {:.6g}, \"save_ns\": {:.6g}, \"registers\": {}, \"occupancy\": {:.6g}}}",
            separator, quoted(e.implementation), e.elements, e.extra_shared_bytes, e.load_ns, e.compute_ns, e.save_ns,
            e.registers, e.occupancy);
        separator = ",\n";
    }
    return out + "\n  ]\n}\n";
}

}  // namespace kasc
