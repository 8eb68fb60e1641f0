// What an operand of a field statement touches, read off its indices.
//
//   A[0,0,0]      (or a broadcast bias[x])   point
//   A[-1,0,0]                                near, offset (-1, 0, 0): one entry an axis of A
//   A[x,y,z=pz]                              slice, fixed z
//   A[-1,0,z=pz]                             whole: neighbours inside a slice are left to a kernel of their own
//   A[x=px] with px[p]                       whole: any cell
//
// A near access has one offset here, since one operand is one read; the set of offsets at which a call reads a value is
// the union over its operands (search/legality).

#include "patterns/access.hpp"

#include <fmt/format.h>

#include <iterator>

namespace kasc {

Access access_of(const Program& program, const FieldStatement&, const Operand& operand) {
    const auto& shape = std::get<FieldShape>(program.variables[operand.variable].shape);
    std::vector<int> offset;
    SliceAccess slice;
    bool moved = false;
    for (std::size_t i = 0; i < operand.indices.size(); ++i) {
        if (const auto* absolute = std::get_if<Absolute>(&operand.indices[i])) {
            slice.fixed.emplace_back(shape.axes.at(i), absolute->position);
            offset.push_back(0);
        } else if (std::holds_alternative<Computed>(operand.indices[i])) {
            return WholeAccess{};
        } else {
            offset.push_back(std::get<Offset>(operand.indices[i]).cells);
            moved = moved || offset.back() != 0;
        }
    }
    if (!slice.fixed.empty()) return moved ? Access{WholeAccess{}} : Access{std::move(slice)};
    if (moved) return NearAccess{{std::move(offset)}};
    return PointAccess{};
}

namespace {

struct Printer {
    const Program& program;

    std::string operator()(const ElementAccess&) const { return "element"; }
    std::string operator()(const PointAccess&) const { return "point"; }
    std::string operator()(const WholeAccess&) const { return "whole"; }
    std::string operator()(const NearAccess& near) const {
        std::string text = "near";
        for (const std::vector<int>& offset : near.offsets) {
            fmt::format_to(std::back_inserter(text), " ({})", fmt::join(offset, ","));
        }
        return text;
    }
    std::string operator()(const SliceAccess& slice) const {
        std::string text = "slice";
        for (const auto& [axis, position] : slice.fixed) {
            fmt::format_to(std::back_inserter(text), " {}={}", program.axes[axis].name,
                           position ? to_text(*position, program, {}) : "?");
        }
        return text;
    }
};

}  // namespace

std::string print(const Access& access, const Program& program) { return std::visit(Printer{program}, access); }

}  // namespace kasc
