// Requirements, positions and lists in the order of the program, each over the cells that it speaks of:
//
//     require(beta >= 0);   beta = 1 2 -3 4 -5     2 of 5 cells; the first is x = 2, where beta is -3
//     T[x = px] += e;       px = 4 17 4, 16 cells  1 of 3 positions outside; entries 0 and 2 are the same cell

#include "contract/check_data.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "contract/reach.hpp"

namespace kasc {

using namespace contract;

namespace {

constexpr std::size_t most_values = 4;  // of operands, in one message

class DataCheck {
public:
    DataCheck(const Program& program, const BoundData& data) : program_(program), data_(data) {}

    void check(const Requirement& r) {
        if (!is_asked(r.operands, {r.condition})) return;
        const CellValues cells(program_, r.operands, r.precision, data_);
        Found broken;
        for_each_row(r.axes, data_, [&](const Cell& from, std::size_t count) {
            const auto holds = cells.evaluate(*r.condition, from, along(r.axes), count);
            for (std::size_t i = 0; i < count; ++i) broken.add(holds[i] == 0, from, r.axes, i);
            return true;
        });
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
        Found outside, kept;
        double first_outside = 0, first_kept = 0;
        for_each_row(p.axes, data_, [&](const Cell& from, std::size_t count) {
            const auto places = cells.evaluate(*p.position, from, along(p.axes), count);
            for (std::size_t i = 0; i < count; ++i) {
                const double at = places[i];
                const bool in = at >= 0 && at < static_cast<double>(extent);
                const bool computed = at >= p.kept_low && at < static_cast<double>(extent - p.kept_high);
                if (outside.add(!in, from, p.axes, i)) first_outside = at;
                if (kept.add(in && !computed, from, p.axes, i)) first_kept = at;
            }
            return true;
        });
        const std::string& axis = program_.axes[p.axis].name;
        const auto first = [&](const Found& found, double at) {
            const std::string where = place_text(found.first, p.axes);
            return fmt::format("{}{}; the first is {:g}{}", of_positions(found), rows_text(), at,
                               where.empty() ? "" : ", at " + where);
        };
        if (outside.count > 0) {
            say("K0742", fmt::format("positions lie outside of the axis '{}': {}", axis, first(outside, first_outside)),
                p.position->span, fmt::format("'{}' has {} cells, 0 to {}", axis, extent, extent - 1));
        }
        if (kept.count > 0) {
            const std::string& field = program_.variables[p.field].name;
            say("K0744",
                fmt::format("entries lie in layers that the boundary of '{}' keeps: {}", field,
                            first(kept, first_kept)),
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
            .help = "of two entries for one cell either may count: give each cell one entry";
    }

    [[nodiscard]] Diagnostics take() { return std::move(said_); }

private:
    struct Found {
        std::size_t count = 0, of = 0;
        Cell first;
        /// True: it is the first.
        bool add(bool is_one, const Cell& from, const std::vector<AxisId>& axes, std::size_t i) {
            ++of;
            if (!is_one || ++count > 1) return false;
            first = moved(from, axes, i);
            return true;
        }
    };

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
    static Cell moved(Cell from, const std::vector<AxisId>& axes, std::size_t i) {
        if (!axes.empty()) from[axes.front().index] += static_cast<long long>(i);
        return from;
    }

    /// "x = 3, y = 0".
    [[nodiscard]] std::string place_text(const Cell& cell, const std::vector<AxisId>& axes) const {
        std::string text;
        for (const AxisId axis : axes) {
            text += fmt::format("{}{} = {}", text.empty() ? "" : ", ", program_.axes[axis].name, cell.at(axis.index));
        }
        return text;
    }
    static std::string of_cells(const Found& f) { return fmt::format("{} of {} cells", f.count, f.of); }
    static std::string of_positions(const Found& f) { return fmt::format("{} of {}", f.count, f.of); }
    [[nodiscard]] std::string rows_text() const {
        if (!data_.window) return "";
        return fmt::format(" of {} = {} to {}", program_.axes[data_.window->axis].name, data_.window->first,
                           data_.window->first + data_.window->rows - 1);
    }

    /// As it is written where it is of no cells: options are numbers by now, and '1 == 0' says nothing.
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

    /// Calls `visit(key, entry, cell)` for the entries that are not left out; keys are equal where row and cell are.
    template <class Visit>
    void for_each_entry(const ListedCells& list, const Visit& visit) const {
        const CellValues cells(program_, list.operands, Precision::single, data_);
        const FieldShape& shape = field_shape(program_, list.field);
        for_each_row(list.axes, data_, [&](const Cell& from, std::size_t count) {
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
            return true;
        });
    }

    const Program& program_;
    const BoundData& data_;
    Diagnostics said_;
};

}  // namespace

Diagnostics check_data(const Program& program, const Contract& contract, const BoundData& data) {
    DataCheck check(program, data);
    for (const Requirement& requirement : program.requirements) check.check(requirement);
    for (const Positions& positions : contract.positions) check.check(positions);
    for (const ListedCells& list : contract.lists) check.check(list);
    return check.take();
}

Diagnostics check_numbers(const Program& program, const std::vector<double>& parameters) {
    const std::vector<long long> extents(program.axes.size(), 0);
    const BoundData data{parameters, extents, {}, std::nullopt, {}};
    DataCheck check(program, data);
    for (const Requirement& r : program.requirements) {
        if (r.axes.empty() && r.operands.empty() && is_uniform(*r.condition) && !reads_extents(*r.condition))
            check.check(r);
    }
    return check.take();
}

}  // namespace kasc
