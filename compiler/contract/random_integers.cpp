// Lists first, whose entries must be different cells: inputs of the same axes count through the cells of their ranges
// in steps that have no factor in common with how many these are. What is left is drawn one by one.
//
//     T[x = px, y = py] = e;   5 × 4 cells, steps of 13: cells 0, 13, 6, 19, 12, … are (0, 0), (3, 2), (1, 1), …

#include "contract/random_integers.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <map>
#include <numeric>
#include <optional>
#include <random>

#include "contract/check_data.hpp"

namespace kasc {

namespace {

constexpr unsigned seed = 20111;  // any; the same for ever, so that times can be compared

class Drawing {
public:
    Drawing(const Program& program, const std::vector<double>& parameters, const std::vector<long long>& extents)
        : program_(program), extents_(extents), ranges_(integer_ranges(program, parameters, extents)) {
        drawn_.resize(program.inputs.size());
        contract_ = contract_of(program);
    }

    Outcome<std::vector<std::vector<std::byte>>> run(const std::vector<double>& parameters) {
        for (std::size_t i = 0; i < ranges_.size(); ++i) {
            if (is_integer(shape_of(i).type) && ranges_[i].is_empty()) return refused(without_range(i));
        }
        for (const ListedCells& list : contract_.lists) draw_list(list);
        for (std::size_t i = 0; i < ranges_.size(); ++i) {
            if (is_integer(shape_of(i).type) && drawn_[i].empty()) draw(i);
        }
        std::vector<const void*> inputs;
        for (const auto& words : drawn_) inputs.push_back(words.empty() ? nullptr : words.data());
        const Diagnostics found = check_data(program_, contract_, {parameters, extents_, inputs, std::nullopt, {}});
        if (!found.empty()) return refused(found.front());
        return success(std::move(drawn_));
    }

private:
    const Program& program_;
    const std::vector<long long>& extents_;
    std::vector<IntegerRange> ranges_;
    Contract contract_;
    std::vector<std::vector<std::byte>> drawn_;

    [[nodiscard]] const FieldShape& shape_of(std::size_t input) const {
        return field_shape(program_, program_.inputs[input]);
    }
    [[nodiscard]] long long cells_of(std::size_t input) const {
        long long cells = 1;
        for (const AxisId axis : shape_of(input).axes) cells *= extents_.at(axis.index);
        return cells;
    }

    [[nodiscard]] Diagnostic without_range(std::size_t input) const {
        const Variable& variable = program_.variables[program_.inputs[input]];
        Diagnostic d;
        d.message = fmt::format("no integer is a position on all axes where '{}' stands", variable.name);
        d.span = variable.span;
        return d;
    }
    static Outcome<std::vector<std::vector<std::byte>>> refused(Diagnostic why) {
        why.code = "K0908";
        why.message = "random integers do not serve: " + why.message;
        why.help = "give the inputs with --in FILE.h5";
        return failure<std::vector<std::vector<std::byte>>>(why);
    }

    /// `next()` for each cell.
    template <class Next>
    void fill(std::size_t input, const Next& next) {
        const CellType type = shape_of(input).type;
        const auto cells = static_cast<std::size_t>(cells_of(input));
        drawn_[input].resize(cells * cell_bytes(type));
        const auto put = [&](auto example) {
            std::byte* to = drawn_[input].data();
            for (std::size_t i = 0; i < cells; ++i) {
                const auto word = static_cast<decltype(example)>(next());
                std::memcpy(to + i * sizeof(word), &word, sizeof(word));
            }
        };
        if (type == CellType::uint8) put(std::uint8_t{});
        if (type == CellType::int32) put(std::int32_t{});
        if (type == CellType::int64) put(std::int64_t{});
    }

    void draw(std::size_t input) {
        std::mt19937_64 generator(seed + static_cast<unsigned>(input));
        const IntegerRange range = ranges_[input];
        const auto size = static_cast<std::uint64_t>(range.size());
        fill(input, [&] { return range.low + static_cast<long long>(generator() % size); });
    }

    /// Where inputs by name are all that the positions are made of.
    void draw_list(const ListedCells& list) {
        std::map<std::vector<AxisId>, std::vector<std::size_t>> by_axes;
        for (const ExpressionRef& position : list.positions) {
            if (!position) continue;
            const auto* use = std::get_if<OperandUse>(&position->node);
            if (!use) return;
            const VariableId variable = list.operands[use->operand].variable;
            const auto at = std::find(program_.inputs.begin(), program_.inputs.end(), variable);
            std::vector<std::size_t>& inputs = by_axes[field_shape(program_, variable).axes];
            const auto input = static_cast<std::size_t>(at - program_.inputs.begin());
            if (std::find(inputs.begin(), inputs.end(), input) == inputs.end()) inputs.push_back(input);
        }
        for (const auto& [axes, inputs] : by_axes) {
            const bool fresh = std::all_of(inputs.begin(), inputs.end(), [&](auto i) { return drawn_[i].empty(); });
            if (fresh) draw_different(inputs);
        }
    }
    /// Where entries are more than cells, as in the rows of a loop, cells come again in the same order.
    void draw_different(const std::vector<std::size_t>& inputs) {
        long long cells = 1;
        for (const std::size_t input : inputs) cells *= ranges_[input].size();
        // The golden section of them spreads consecutive entries.
        auto step = static_cast<long long>(0.618 * static_cast<double>(cells)) + 1;
        while (std::gcd(step, cells) != 1) ++step;
        long long below = 1;  // cells of the ranges of the inputs before
        for (const std::size_t input : inputs) {
            const IntegerRange range = ranges_[input];
            long long cell = 0;
            fill(input, [&] {
                const long long place = range.low + cell / below % range.size();
                cell = (cell + step) % cells;
                return place;
            });
            below *= range.size();
        }
    }
};

}  // namespace

Outcome<std::vector<std::vector<std::byte>>> random_integers(const Program& program,
                                                             const std::vector<double>& parameters,
                                                             const std::vector<long long>& extents) {
    return Drawing(program, parameters, extents).run(parameters);
}

}  // namespace kasc
