// Requirements, positions and lists in the order of the program, each over the cells that it speaks of:
//
//     require(beta >= 0);   beta = 1 2 -3 4 -5     2 of 5 cells; the first is x = 2, where beta is -3
//     T[x = px] += e;       px = 4 17 4, 16 cells  1 of 3 positions outside; entries 0 and 2 are the same cell

#include "contract/check_data.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "contract/found_cells.hpp"
#include "contract/reach.hpp"

namespace kasc {

using namespace contract;

namespace {

constexpr std::size_t most_values = 4;  // of operands, in one message

class DataCheck {
public:
    DataCheck(const Program& program, const BoundData& data) : program_(program), data_(data) {}

    /// Checks requirements of the same cells together: inputs that several of them read are read once.
    void check(const std::vector<Requirement>& requirements) {
        std::map<std::vector<AxisId>, std::vector<std::size_t>> by_axes;
        for (std::size_t k = 0; k < requirements.size(); ++k) {
            if (is_asked(requirements[k].operands, {requirements[k].condition}))
                by_axes[requirements[k].axes].push_back(k);
        }
        std::vector<FoundCells> broken(requirements.size());
        for (const auto& [axes, asked] : by_axes) {
            const auto found =
                find_cells(axes, data_, asked.size(), [&, &here = axes, &numbers = asked](const auto& block, auto& to) {
                    for (std::size_t k = 0; k < numbers.size(); ++k) {
                        const Requirement& r = requirements[numbers[k]];
                        const CellValues cells(program_, r.operands, r.precision, data_);
                        const auto holds = cells.evaluate(*r.condition, block.from, along(here), block.count);
                        to[k].add(block, here, [&](std::size_t i) { return holds[i] == 0; });
                    }
                });
            for (std::size_t k = 0; k < asked.size(); ++k) broken[asked[k]] = found[k];
        }
        for (std::size_t k = 0; k < requirements.size(); ++k) tell(requirements[k], broken[k]);
    }

    void tell(const Requirement& r, const FoundCells& broken) {
        if (broken.count == 0) return;
        const std::vector<std::string> texts = operand_texts(r, program_);
        std::string where = place_text(broken.first, r.axes);
        if (!where.empty()) where = fmt::format(" at {}{}; the first is {}", of_cells(broken), rows_text(), where);
        Diagnostic& d = say("K0741", fmt::format("the requirement '{}' is not met{}", condition_text(r, texts), where),
                            r.condition->span);
        d.label = values_there(r, texts, broken.first);
        d.help = "correct the data or the parameters: the program does not run without it";
    }

    void check(const Positions& p) {
        if (!is_asked(p.operands, {p.position})) return;
        const CellValues cells(program_, p.operands, Precision::single, data_);
        const long long extent = data_.extents.at(p.axis.index);
        const auto found = find_cells(p.axes, data_, 2, [&](const auto& block, auto& to) {
            const auto places = cells.evaluate(*p.position, block.from, along(p.axes), block.count);
            const auto in = [&](std::size_t i) { return places[i] >= 0 && places[i] < static_cast<double>(extent); };
            const auto computed = [&](std::size_t i) {
                return places[i] >= p.kept_low && places[i] < static_cast<double>(extent - p.kept_high);
            };
            to[0].add(block, p.axes, [&](std::size_t i) { return !in(i); });
            to[1].add(block, p.axes, [&](std::size_t i) { return in(i) && !computed(i); });
        });
        const FoundCells &outside = found[0], &kept = found[1];
        const std::string& axis = program_.axes[p.axis].name;
        const auto first = [&](const FoundCells& those) {
            const std::string where = place_text(those.first, p.axes);
            const double at = cells.evaluate(*p.position, those.first, std::nullopt, 1).front();
            return fmt::format("{}{}; the first is {}{}", of_positions(those), rows_text(), at,
                               where.empty() ? "" : ", at " + where);
        };
        if (outside.count > 0) {
            say("K0742", fmt::format("positions lie outside of the axis '{}': {}", axis, first(outside)),
                p.position->span, fmt::format("'{}' has {} cells, 0 to {}", axis, extent, extent - 1));
        }
        if (kept.count > 0) {
            const std::string& field = program_.variables[p.field].name;
            say("K0744", fmt::format("entries lie in layers that the boundary of '{}' keeps: {}", field, first(kept)),
                p.position->span,
                fmt::format("along '{}', cells {} to {} can be assigned", axis, p.kept_low, extent - p.kept_high - 1));
        }
    }

    void check(const ListedCells& list) {
        if (!is_asked(list.operands, list.positions)) return;
        std::vector<long long> keys;
        for_each_entry(list, [&](long long key, const Cell&, const Cell&) { keys.push_back(key); });
        std::sort(keys.begin(), keys.end());
        const auto twice = std::adjacent_find(keys.begin(), keys.end());
        if (twice == keys.end()) return;
        std::vector<std::string> entries;
        std::string assigned;
        for_each_entry(list, [&](long long key, const Cell& entry, const Cell& cell) {
            if (key != *twice || entries.size() == 2) return;
            entries.push_back(place_text(entry, list.axes));
            assigned = place_text(cell, listed_axes(list));
        });
        say("K0743",
            fmt::format("two entries of a list are the same cell of '{}': {} and {}",
                        program_.variables[list.field].name, entries.at(0), entries.at(1)),
            list.span, fmt::format("both are {}", assigned))
            .help = "of two entries for one cell either may count: give each cell one entry" + folded_instead(list);
    }

    [[nodiscard]] Diagnostics take() { return std::move(said_); }

private:
    Diagnostic& say(const char* code, std::string message, const Span& span, std::string label = {}) {
        Diagnostic d;
        d.code = code;
        d.message = std::move(message);
        d.span = span;
        d.label = std::move(label);
        return said_.emplace_back(std::move(d));
    }

    [[nodiscard]] bool is_asked(const std::vector<Operand>& operands, const std::vector<ExpressionRef>& parts) const {
        bool of_window = false;
        for (const auto& [input, operand] : input_uses(program_, operands, parts)) {
            if (data_.inputs.at(input) == nullptr) return false;
            if (!data_.window || !data_.windowed.at(input)) continue;
            if (!std::holds_alternative<Offset>(operand->indices.back())) return false;
            of_window = true;
        }
        return of_window || !data_.window;
    }

    static std::optional<AxisId> along(const std::vector<AxisId>& axes) {
        return axes.empty() ? std::nullopt : std::optional(axes.front());
    }
    /// "x = 3, y = 0".
    [[nodiscard]] std::string place_text(const Cell& cell, const std::vector<AxisId>& axes) const {
        std::string text;
        for (const AxisId axis : axes) {
            text += fmt::format("{}{} = {}", text.empty() ? "" : ", ", program_.axes[axis].name, cell.at(axis.index));
        }
        return text;
    }
    static std::string of_cells(const FoundCells& f) { return fmt::format("{} of {} cells", f.count, f.of); }
    static std::string of_positions(const FoundCells& f) { return fmt::format("{} of {}", f.count, f.of); }
    [[nodiscard]] std::string rows_text() const {
        if (!data_.window) return "";
        return fmt::format(" of {} = {} to {}", program_.axes[data_.window->axis].name, data_.window->first,
                           data_.window->first + data_.window->rows - 1);
    }

    /// The condition as it is written where it is of no cells: options are numbers by now, and '1 == 0' says nothing.
    [[nodiscard]] std::string condition_text(const Requirement& r, const std::vector<std::string>& texts) const {
        const std::string_view written = text_of(r.condition->span);
        const bool of_cells = !r.operands.empty() || !r.axes.empty();
        if (of_cells || written.empty() || written.find('\n') != std::string_view::npos)
            return to_text(*r.condition, program_, texts);
        return std::string(written);
    }
    [[nodiscard]] std::string values_there(const Requirement& r, const std::vector<std::string>& texts,
                                           const Cell& cell) const {
        const CellValues cells(program_, r.operands, Precision::dual, data_);
        std::string text;
        for (std::size_t k = 0; k < std::min(r.operands.size(), most_values); ++k) {
            const bool whole = is_integer(field_shape(program_, r.operands[k].variable).type);
            const Expression use{OperandUse{k}, whole ? ScalarKind::integer : ScalarKind::real, {}};
            text += fmt::format("{}{} is {:.9g}", text.empty() ? "there " : ", ", texts[k],
                                cells.evaluate(use, cell, std::nullopt, 1).front());
        }
        return text;
    }

    /// The axes of the field at which the list stands.
    [[nodiscard]] std::vector<AxisId> listed_axes(const ListedCells& list) const {
        std::vector<AxisId> axes;
        for (std::size_t k = 0; k < list.positions.size(); ++k) {
            if (list.positions[k]) axes.push_back(field_shape(program_, list.field).axes[k]);
        }
        return axes;
    }

    /// What a cell of several entries may take of them, as the program would say it; empty: where that is not short.
    [[nodiscard]] std::string folded_instead(const ListedCells& list) const {
        std::string chosen, axes;
        for (std::size_t k = 0; k < list.positions.size(); ++k) {
            const auto* use = list.positions[k] ? std::get_if<OperandUse>(&list.positions[k]->node) : nullptr;
            if (!use) return {};
            chosen += fmt::format("{}{} == {}", chosen.empty() ? "" : " && ",
                                  program_.variables[list.operands[use->operand].variable].name,
                                  program_.axes[field_shape(program_, list.field).axes[k]].name);
        }
        for (const AxisId axis : list.axes) axes += ", " + program_.axes[axis].name;
        const bool whole = is_integer(field_shape(program_, list.field).type);
        return fmt::format("; '+=' adds them, 'minimum({} ? ... : {}{})' is the least of a cell's", chosen,
                           whole ? "2147483647" : "3e38", axes);
    }

    /// Calls `visit(key, entry, cell)` for the entries that are not left out; keys are equal where row and cell are.
    template <class Visit>
    void for_each_entry(const ListedCells& list, const Visit& visit) const {
        const CellValues cells(program_, list.operands, Precision::single, data_);
        const FieldShape& shape = field_shape(program_, list.field);
        const CellBlocks blocks = blocks_of(list.axes, data_);
        for (std::size_t b = 0; b < blocks.size(); ++b) {
            const auto [from, count] = blocks[b];
            std::vector<std::vector<double>> places(list.positions.size());
            for (std::size_t k = 0; k < places.size(); ++k) {
                if (list.positions[k]) places[k] = cells.evaluate(*list.positions[k], from, along(list.axes), count);
            }
            for (std::size_t i = 0; i < count; ++i) {
                const Cell entry = moved(from, list.axes, i);
                Cell cell(entry.size(), 0);
                long long key = 0;
                bool assigned = true;
                for (const AxisId row : list.rows) key = key * data_.extents.at(row.index) + entry.at(row.index);
                for (std::size_t k = 0; k < places.size(); ++k) {
                    if (places[k].empty()) continue;
                    const auto place = static_cast<long long>(places[k][i]);
                    const long long extent = data_.extents.at(shape.axes[k].index);
                    assigned =
                        assigned && place >= shape.faces[k].low.layers && place < extent - shape.faces[k].high.layers;
                    cell[shape.axes[k].index] = place;
                    key = key * extent + place;
                }
                if (assigned) visit(key, entry, cell);
            }
        }
    }

    const Program& program_;
    const BoundData& data_;
    Diagnostics said_;
};

}  // namespace

Diagnostics check_data(const Program& program, const Contract& contract, const BoundData& data) {
    DataCheck check(program, data);
    check.check(program.requirements);
    for (const Positions& positions : contract.positions) check.check(positions);
    for (const ListedCells& list : contract.lists) check.check(list);
    return check.take();
}

Diagnostics check_numbers(const Program& program, const std::vector<double>& parameters) {
    const std::vector<long long> extents(program.axes.size(), 0);
    const BoundData data{parameters, extents, {}, std::nullopt, {}};
    DataCheck check(program, data);
    std::vector<Requirement> of_numbers;
    for (const Requirement& r : program.requirements) {
        if (r.axes.empty() && r.operands.empty() && is_uniform(*r.condition) && !reads_extents(*r.condition))
            of_numbers.push_back(r);
    }
    check.check(of_numbers);
    return check.take();
}

}  // namespace kasc
