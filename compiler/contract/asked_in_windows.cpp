// A window holds rows of one axis: what reads two cells of it at a time can be told if both stand in the same row.
//
//     require(q < r)          q[x, t], r[x, t]: yes, rows of both come together
//     require(q[t = 0] > 0)   no: row 0 is gone when the others come

#include <fmt/format.h>

#include <set>

#include "contract/check_data.hpp"
#include "contract/reach.hpp"

namespace kasc {

using namespace contract;

namespace {

/// Whether the windowed inputs that a clause reads are all read row by row of one axis; else K0745.
class WindowedUse {
public:
    WindowedUse(const Program& program, const std::vector<bool>& windowed)
        : program_(program), windowed_(windowed), asked_(windowed.size(), false) {}

    void note(const std::vector<Operand>& operands, const std::vector<ExpressionRef>& parts, const Span& span) {
        std::set<AxisId> axes;
        bool row_by_row = true;
        std::string name;
        for (const auto& [input, operand] : input_uses(program_, operands, parts)) {
            if (!windowed_.at(input)) continue;
            asked_[input] = true;
            name = program_.variables[program_.inputs[input]].name;
            axes.insert(field_shape(program_, operand->variable).axes.back());
            row_by_row = row_by_row && std::holds_alternative<Offset>(operand->indices.back());
        }
        if (axes.size() <= 1 && row_by_row) return;
        Diagnostic d;
        d.code = "K0745";
        d.message =
            fmt::format("'{}' passes through memory row by row, and this needs more than a row at a time", name);
        d.span = span;
        d.help = "allow more with --memory, or ask for less: a condition of one cell of a series";
        said_.push_back(std::move(d));
    }
    [[nodiscard]] Outcome<std::vector<bool>> take() {
        if (!said_.empty()) return failure<std::vector<bool>>(std::move(said_));
        return success(std::move(asked_));
    }

private:
    const Program& program_;
    const std::vector<bool>& windowed_;
    std::vector<bool> asked_;
    Diagnostics said_;
};

}  // namespace

Outcome<std::vector<bool>> asked_in_windows(const Program& program, const Contract& contract,
                                            const std::vector<bool>& windowed) {
    WindowedUse use(program, windowed);
    for (const Requirement& r : program.requirements) use.note(r.operands, {r.condition}, r.condition->span);
    for (const Positions& p : contract.positions) use.note(p.operands, {p.position}, p.position->span);
    for (const ListedCells& list : contract.lists) use.note(list.operands, list.positions, list.span);
    return use.take();
}

}  // namespace kasc
