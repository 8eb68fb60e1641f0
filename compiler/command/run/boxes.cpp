#include "command/run/boxes.hpp"

namespace kasc::command {

namespace {

struct BoxWalk {
    const BoxRuns& runs;
    const std::vector<long long>&from_strides, &to_strides;
    const std::function<void(long long, long long, long long)>& visit;

    /// The last axis outermost. `axis`: the one before which all places are known; 0: all.
    void along(std::size_t axis, long long from, long long to) const {
        if (axis == 0) return visit(from, to, 1);
        const std::size_t k = axis - 1;
        for (const AxisRun& run : runs[k]) {
            if (k == 0) {
                visit(from + run.from, to + run.to, run.cells);
                continue;
            }
            for (long long i = 0; i < run.cells; ++i)
                along(k, from + (run.from + i) * from_strides[k], to + (run.to + i) * to_strides[k]);
        }
    }
};

}  // namespace

std::vector<long long> strides_of(const std::vector<long long>& lengths) {
    std::vector<long long> all;
    long long stride = 1;
    for (const long long length : lengths) {
        all.push_back(stride);
        stride *= length;
    }
    return all;
}

void each_row(const BoxRuns& runs, const std::vector<long long>& from_strides, const std::vector<long long>& to_strides,
              const std::function<void(long long, long long, long long)>& visit) {
    BoxWalk{runs, from_strides, to_strides, visit}.along(runs.size(), 0, 0);
}

}  // namespace kasc::command
