#include "model/field/warp.hpp"

#include <algorithm>

#include "model/constants.hpp"

namespace kasc::model {

WarpTraffic warp_traffic(const WarpParts& warp, ValueId value) {
    WarpTraffic traffic;
    for (const WarpRows& field : warp.fields) {
        if (field.read->value != value) continue;
        traffic.loads += 1;
        traffic.rows += static_cast<double>(field.rows.size() - 1);
        for (const WarpRow& row : field.rows) {
            traffic.exchanged += (row.takes_low ? row.low : 0) + (row.takes_high ? row.high : 0);
            traffic.beside += row.low + row.high;
        }
    }
    return traffic;
}

bool holds(const WarpParts& warp, const FieldRead& read, const std::vector<int>& at) {
    return std::any_of(warp.fields.begin(), warp.fields.end(), [&](const WarpRows& field) {
        return field.z == (at.size() > 2 ? at[2] : 0) && reads_alike(*field.read, read);
    });
}

double sector_bytes(double bytes, double step) { return bytes + l2_sector_bytes - std::min(step, l2_sector_bytes); }

}  // namespace kasc::model
