// A layered medium has its worst cell in one layer, which an even spread may miss and the extremes of the inputs hit.
// 512 cells of a block are 8 along each axis, in the middle of as many equal parts; an axis that is shorter than its
// share leaves the rest to the others.

#include "stability/cells.hpp"

#include <algorithm>
#include <cmath>
#include <optional>

namespace kasc::stability {

namespace {

Cell middle(const std::vector<Range>& ranges) {
    Cell cell;
    for (const Range& range : ranges) cell.push_back((range.from + range.to) / 2);
    return cell;
}

/// The next cell along the axes, the first axis fastest; false behind the last.
bool advance(Cell& cell, const std::vector<std::size_t>& axes, const std::vector<Range>& ranges) {
    for (const std::size_t axis : axes) {
        if (++cell[axis] < ranges[axis].to) return true;
        cell[axis] = ranges[axis].from;
    }
    return false;
}

/// Calls `visit(cell, value)` for the cells of an input in the ranges, row by row along the first axis, which is
/// contiguous.
template <class Visit>
void for_each_value(const Program& program, std::size_t input, const Data& data, const std::vector<Range>& ranges,
                    const Visit& visit) {
    const FieldShape& shape = field_shape(program, program.inputs[input]);
    std::vector<std::size_t> axes;
    for (const AxisId axis : shape.axes) axes.push_back(axis.index);
    Cell cell = middle(ranges);
    for (const std::size_t axis : axes) cell[axis] = ranges[axis].from;
    if (axes.empty()) return visit(cell, cell_value(shape.type, data.inputs[input], 0));
    const Range row = ranges[axes.front()];
    const std::vector<std::size_t> outer(axes.begin() + 1, axes.end());
    do {
        long long address = 0, stride = 1;
        for (const std::size_t axis : axes) {
            address += (axis == axes.front() ? row.from : cell[axis]) * stride;
            stride *= data.extents[axis];
        }
        for (long long i = 0; i < row.to - row.from; ++i) {
            cell[axes.front()] = row.from + i;
            visit(cell, cell_value(shape.type, data.inputs[input], static_cast<std::size_t>(address + i)));
        }
    } while (advance(cell, outer, ranges));
}

/// Where it is largest and smallest; NaN is neither.
void add_extremes(const Program& program, std::size_t input, const Data& data, const std::vector<Range>& ranges,
                  std::vector<Cell>& cells) {
    double least = INFINITY, most = -INFINITY;
    std::optional<Cell> where_least, where_most;
    for_each_value(program, input, data, ranges, [&](const Cell& cell, double value) {
        if (value < least) {
            least = value;
            where_least = cell;
        }
        if (value > most) {
            most = value;
            where_most = cell;
        }
    });
    if (where_most) cells.push_back(*where_most);
    if (where_least) cells.push_back(*where_least);
}

void add_labels(const Program& program, std::size_t input, const Data& data, const std::vector<Range>& ranges,
                std::size_t most, std::vector<Cell>& cells) {
    std::set<double> seen;
    double last = std::nan("");
    for_each_value(program, input, data, ranges, [&](const Cell& cell, double value) {
        if (value == last || seen.size() == most) return;
        last = value;
        if (seen.insert(value).second) cells.push_back(cell);
    });
}

/// How many samples along each axis: the shortest axes first, so that what they cannot use goes to the longer ones.
std::vector<long long> shares(const std::vector<Range>& ranges, std::size_t most) {
    std::vector<std::size_t> order(ranges.size());
    for (std::size_t i = 0; i < order.size(); ++i) order[i] = i;
    const auto length = [&](std::size_t axis) { return ranges[axis].to - ranges[axis].from; };
    std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return length(a) < length(b); });
    std::vector<long long> counts(ranges.size());
    double rest = static_cast<double>(most);
    for (std::size_t i = 0; i < order.size(); ++i) {
        const double share = std::pow(rest, 1.0 / static_cast<double>(order.size() - i)) + 1e-9;  // 512^(1/3) is 8
        counts[order[i]] = std::clamp<long long>(static_cast<long long>(share), 1, length(order[i]));
        rest = std::max(1.0, rest / static_cast<double>(counts[order[i]]));
    }
    return counts;
}

}  // namespace

std::vector<Range> computed_ranges(const Program& program, const std::vector<VariableId>& fields,
                                   const std::vector<long long>& extents) {
    std::vector<Range> ranges(program.axes.size());
    std::vector<long long> kept_high(program.axes.size(), 0);
    for (const VariableId field : fields) {
        const FieldShape& shape = field_shape(program, field);
        for (std::size_t k = 0; k < shape.axes.size(); ++k) {
            Range& range = ranges[shape.axes[k].index];
            range.from = std::max<long long>(range.from, shape.faces[k].low.layers);
            kept_high[shape.axes[k].index] =
                std::max<long long>(kept_high[shape.axes[k].index], shape.faces[k].high.layers);
            range.to = extents[shape.axes[k].index] - kept_high[shape.axes[k].index];
        }
    }
    return ranges;
}

std::vector<Cell> sample_cells(const Program& program, const SampledInputs& inputs, const Data& data,
                               const std::vector<Range>& ranges, std::size_t most) {
    std::vector<Cell> cells;
    for (const Range& range : ranges) {
        if (range.from >= range.to) return cells;
    }
    for (const std::size_t input : inputs.extremes) {
        if (data.inputs[input]) add_extremes(program, input, data, ranges, cells);
    }
    for (const std::size_t input : inputs.labels) {
        if (data.inputs[input]) add_labels(program, input, data, ranges, most, cells);
    }
    const std::vector<long long> counts = shares(ranges, most);
    std::vector<Range> parts;
    Cell part(ranges.size(), 0);
    std::vector<std::size_t> all;
    for (std::size_t axis = 0; axis < ranges.size(); ++axis) {
        parts.push_back({0, counts[axis]});
        all.push_back(axis);
    }
    do {
        Cell cell;
        for (const std::size_t axis : all) {
            const Range& range = ranges[axis];
            cell.push_back(range.from + (2 * part[axis] + 1) * (range.to - range.from) / (2 * counts[axis]));
        }
        cells.push_back(cell);
    } while (advance(part, all, parts));
    return cells;
}

}  // namespace kasc::stability
