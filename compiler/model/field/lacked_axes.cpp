#include "model/field/lacked_axes.hpp"

#include <algorithm>
#include <cmath>

#include "model/constants.hpp"

namespace kasc::model {

namespace {

/// What is read between two blocks that stand beside each other along this axis.
double bytes_of_step(const FieldFacts& facts, const std::vector<double>& tile, std::size_t axis) {
    double bytes = 0;
    for (const ReadValue& read : facts.reads) {
        double step = read.bytes;
        for (std::size_t k = axis; k < tile.size(); ++k)
            if (!read.lacks[k]) step /= std::max(1.0, facts.extents[k] / (k == axis ? tile[k] : 1));
        bytes += step;
    }
    return bytes;
}

}  // namespace

ReadAgain read_along_lacked(const FieldFacts& facts, const std::vector<double>& tile,
                            const std::function<double(double between)>& missed) {
    ReadAgain again;
    for (const ReadValue& read : facts.reads) {
        if (read.bytes <= held_by_multiprocessor) continue;
        double times = 1;
        for (std::size_t k = 0; k < tile.size(); ++k) {
            if (!read.lacks[k]) continue;
            const double blocks = std::ceil(facts.extents[k] / tile[k]), bytes = read.bytes * times * (blocks - 1);
            again.l2_bytes += bytes;
            again.missed_bytes += bytes * missed(bytes_of_step(facts, tile, k));
            times *= blocks;
        }
    }
    return again;
}

}  // namespace kasc::model
