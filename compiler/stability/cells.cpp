// A layered medium has its worst cell in one layer, which an even spread may miss and the extremes of the inputs hit.
// 512 cells of a block are 8 along each axis, in the middle of as many equal parts; an axis that is shorter than its
// share leaves the rest to the others.

#include "stability/cells.hpp"

#include <algorithm>
#include <cmath>
#include <optional>
#include <set>
#include <utility>

#include "foundation/extremes.hpp"
#include "foundation/parallel.hpp"

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

/// The cells of an input in the ranges, in runs that lie together.
class InputRuns {
public:
    InputRuns(const Program& program, std::size_t input, const Data& data, const std::vector<Range>& ranges)
        : shape_(field_shape(program, program.inputs[input])),
          extents_(data.extents),
          cells_(data.inputs[input]),
          blocks_(middle(ranges), ranges_of(shape_, ranges), most_cells) {}

    struct Run {
        Cell first;
        const void* cells;
        std::size_t count;
    };
    [[nodiscard]] std::size_t size() const { return blocks_.size(); }
    [[nodiscard]] CellType type() const { return shape_.type; }
    [[nodiscard]] Run operator[](std::size_t number) const {
        auto [first, count] = blocks_[number];
        long long address = 0, stride = 1;
        for (const AxisId axis : shape_.axes) {
            address += first[axis.index] * stride;
            stride *= extents_[axis.index];
        }
        const auto* bytes = static_cast<const std::byte*>(cells_);
        return {std::move(first), bytes + static_cast<std::size_t>(address) * cell_bytes(shape_.type), count};
    }
    /// A cell of a run.
    [[nodiscard]] Cell cell(const Run& run, std::size_t number) const {
        Cell cell = run.first;
        if (!shape_.axes.empty()) cell[shape_.axes.front().index] += static_cast<long long>(number);
        return cell;
    }

private:
    static constexpr long long most_cells = 4096;
    static std::vector<AxisRange> ranges_of(const FieldShape& shape, const std::vector<Range>& ranges) {
        std::vector<AxisRange> of_input;
        for (const AxisId axis : shape.axes) of_input.push_back({axis, ranges[axis.index].from, ranges[axis.index].to});
        return of_input;
    }

    const FieldShape& shape_;
    const std::vector<long long>& extents_;
    const void* cells_;
    CellBlocks blocks_;
};

/// Calls `look(run, found)` for all runs, by all cores; what is found in the order of the runs, some at a time.
template <class Found, class Look>
std::vector<Found> look_through(const InputRuns& runs, const Look& look) {
    constexpr std::size_t runs_a_piece = 64;
    std::vector<Found> found((runs.size() + runs_a_piece - 1) / runs_a_piece);
    parallel_for(found.size(), [&](std::size_t piece) {
        const std::size_t end = std::min((piece + 1) * runs_a_piece, runs.size());
        for (std::size_t run = piece * runs_a_piece; run < end; ++run) look(runs[run], found[piece]);
    });
    return found;
}

/// An extreme, and the first cell that has it.
struct Extreme {
    double value = 0;
    std::optional<Cell> cell{};
};

/// Where it is largest, then where it is smallest; NaN is neither, nor is infinity the smallest.
std::vector<Cell> find_extremes(const Program& program, std::size_t input, const Data& data,
                                const std::vector<Range>& ranges) {
    const InputRuns runs(program, input, data, ranges);
    struct Both {
        Extreme least{INFINITY}, most{-INFINITY};
    };
    const auto first_of = [&](const InputRuns::Run& run, double value) {
        std::size_t i = 0;
        while (cell_value(runs.type(), run.cells, i) != value) ++i;
        return runs.cell(run, i);
    };
    Both all;
    for (Both& piece : look_through<Both>(runs, [&](const InputRuns::Run&run, Both&both) {
             const Extremes here = extremes_of(runs.type(), run.cells, run.count);
             if (here.least < both.least.value) both.least = {here.least, first_of(run, here.least)};
             if (here.most > both.most.value) both.most = {here.most, first_of(run, here.most)};
         })) {
        if (piece.least.value < all.least.value) all.least = std::move(piece.least);
        if (piece.most.value > all.most.value) all.most = std::move(piece.most);
    }
    std::vector<Cell> cells;
    for (const Extreme* extreme : {&all.most, &all.least}) {
        if (extreme->cell) cells.push_back(*extreme->cell);
    }
    return cells;
}

void add_extremes(const Program& program, std::size_t input, const Data& data, const std::vector<Range>& ranges,
                  std::vector<Cell>& cells) {
    const auto [at, added] = data.known->try_emplace({input, ranges});
    if (added) at->second = find_extremes(program, input, data, ranges);
    cells.insert(cells.end(), at->second.begin(), at->second.end());
}

/// Where each value is first, of so many of them.
class Labels {
public:
    void add(double value, Cell cell, std::size_t most) {
        if (seen_.size() < most && seen_.insert(value).second) first_.emplace_back(value, std::move(cell));
    }
    [[nodiscard]] const std::vector<std::pair<double, Cell>>& first() const { return first_; }

private:
    std::set<double> seen_;
    std::vector<std::pair<double, Cell>> first_;
};

void add_labels(const Program& program, std::size_t input, const Data& data, const std::vector<Range>& ranges,
                std::size_t most, std::vector<Cell>& cells) {
    const InputRuns runs(program, input, data, ranges);
    const auto pieces = look_through<Labels>(runs, [&](const InputRuns::Run& run, Labels& labels) {
        double last = std::nan("");
        for (std::size_t i = 0; i < run.count; ++i) {
            const double value = cell_value(runs.type(), run.cells, i);
            if (value != last && !std::isnan(value)) labels.add(value, runs.cell(run, i), most);
            last = value;
        }
    });
    Labels all;
    for (const Labels& piece : pieces) {
        for (const auto& [value, cell] : piece.first()) all.add(value, cell, most);
    }
    for (const auto& label : all.first()) cells.push_back(label.second);
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

std::vector<Range> known_ranges(const Program& program, const Data& data, std::vector<Range> ranges) {
    for (std::size_t input = 0; input < data.rows.size(); ++input) {
        if (!data.rows[input]) continue;
        Range& range = ranges[field_shape(program, program.inputs[input]).axes.back().index];
        range.from = std::max(range.from, data.rows[input]->from);
        range.to = std::min(range.to, data.rows[input]->to);
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
