// 8 x 6 x 10 cells over 2 ranks, in which x and y are passed by planes, z by columns:
//
//   rank 0   planes 0 … 4    columns  0 … 31 of 48 in each of the planes 0 … 9
//   rank 1   planes 5 … 9    columns 32 … 47
#include "ranks/passes.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "ranks/shares.hpp"

namespace kasc::ranks {

std::vector<Pass> passes_of(const TransformAxes& t) {
    const std::size_t fastest = t.lengths.size() - 1;
    const long long n = t.lengths[fastest], half = t.from_real || t.to_real ? n / 2 + 1 : n;
    const auto by_columns = [&](std::size_t axis) { return t.cut_along && axis == 0; };
    const auto outer = [&](std::size_t axis) {
        long long all = t.outer;
        for (std::size_t k = 0; k < axis; ++k) all *= t.lengths[k];
        return all;
    };
    const Side complex_side = t.to_real ? Side::from : Side::to;
    std::vector<Pass> passes;
    long long inner = t.inner * half;
    for (std::size_t k = fastest; k-- > 0; inner *= t.lengths[k])
        passes.push_back({k, complex_side, complex_side, outer(k), inner, t.lengths[k], t.lengths[k], by_columns(k)});
    const Pass pass{fastest,
                    Side::from,
                    Side::to,
                    outer(fastest),
                    t.inner,
                    t.from_real ? n : half,
                    t.to_real ? n : half,
                    by_columns(fastest)};
    passes.insert(t.to_real ? passes.end() : passes.begin(), pass);
    return passes;
}

std::vector<PassShare> share_pass(const Pass& pass, long long planes, int ranks) {
    std::vector<PassShare> shares;
    const long long together = std::min(pass.inner, columns_together);
    long long low = 0;
    for (const long long end : cut_cells(pass.by_columns ? (pass.inner + together - 1) / together : planes, ranks)) {
        if (pass.by_columns)
            shares.push_back(
                {0, pass.outer, std::min(low * together, pass.inner), std::min(end * together, pass.inner)});
        else
            shares.push_back({pass.outer / planes * low, pass.outer / planes * end, 0, pass.inner});
        low = end;
    }
    return shares;
}

Verdict can_share(const TransformAxes& transform) {
    if (transform.planes < 2) return Verdict::no("it has one plane along the outermost axis");
    for (const Pass& pass : passes_of(transform)) {
        if (pass.by_columns && pass.inner <= columns_together)
            return Verdict::no(fmt::format("its lines lie along the outermost axis, {} beside each other", pass.inner));
    }
    return Verdict::yes(transform.cut_along ? "lines along the outermost axis by columns, others by planes"
                                            : "lines by planes");
}

std::vector<ByteRange> bytes_of(const PassShare& share, const Pass& pass, long long rows, long long cell_bytes) {
    const long long row = pass.inner * cell_bytes;
    if (share.empty()) return {};
    if (share.column_low == 0 && share.column_high == pass.inner)
        return {{share.outer_low * rows * row, share.outer_high * rows * row}};
    std::vector<ByteRange> ranges;
    for (long long k = share.outer_low * rows; k < share.outer_high * rows; ++k)
        ranges.push_back({k * row + share.column_low * cell_bytes, k * row + share.column_high * cell_bytes});
    return ranges;
}

}  // namespace kasc::ranks
