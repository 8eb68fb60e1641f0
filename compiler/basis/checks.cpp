// What a program asks of its grid, statement by statement, that a block does not have.
#include "basis/checks.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>

#include "graph/field_target.hpp"
#include "graph/statements.hpp"

namespace kasc::basis {

namespace {

class Checks {
public:
    Checks(const Program& program, const Domains& domains) : program_(program), domains_(domains) {}

    Diagnostics run() {
        for (const TransformStatement* transform : domains_.contradictions()) {
            add("a field has cells along a cut axis in one place, and waves in another", transform->span,
                "what is transformed here stands beside it",
                "give what is made of cells and what is made of waves fields of their own");
        }
        if (!faults_.empty()) return std::move(faults_);
        for (const VariableId v : program_.inputs) check_face(v, "compute it from the numbers of the waves");
        for (const VariableId v : program_.outputs) check_face(v, "transform it back, and return that");
        statements::each_statement(program_.statements, [&](const Statement& statement) {
            if (const auto* field = std::get_if<FieldStatement>(&statement)) check(*field);
        });
        return std::move(faults_);
    }

private:
    const Program& program_;
    const Domains& domains_;
    Diagnostics faults_;

    void add(std::string message, const Span& span, std::string label, std::string help) {
        faults_.push_back(basis_fault(std::move(message), span, std::move(label), std::move(help)));
    }
    [[nodiscard]] const std::string& name(VariableId v) const { return program_.variables[v].name; }

    void check_face(VariableId v, const char* help) {
        if (!domains_.has_waves(v)) return;
        add(fmt::format("'{}' holds waves, of which each block has its own", name(v)), program_.variables[v].span,
            "along an axis that is cut", help);
    }
    void check(const FieldStatement& s) {
        const std::vector<AxisId> joined = s.fold      ? s.fold->axes
                                           : s.running ? std::vector<AxisId>{s.running->axis}
                                                       : std::vector<AxisId>{};
        std::string axes;
        for (const AxisId axis : joined) {
            if (domains_.cut(axis) != nullptr)
                axes += fmt::format("{}'{}'", axes.empty() ? "" : ", ", program_.axes[axis].name);
        }
        if (!axes.empty())
            add(fmt::format("all cells along {} are looked at, of which each process has a block", axes), s.span,
                "made of all of them", "leave it out, or compute it from what the run returns");
        check_walls(s);
        check_target(s);
        for (const Operand& operand : s.operands) check(operand);
    }
    /// Layers that keep their values lie at the faces of the grid, which most blocks do not have.
    void check_walls(const FieldStatement& s) {
        const FieldShape& shape = field_shape(program_, s.target);
        for (std::size_t k = 0; k < shape.axes.size(); ++k) {
            const Faces& faces = shape.faces[k];
            if (domains_.cut(shape.axes[k]) == nullptr || faces.low.layers + faces.high.layers == 0) continue;
            add(fmt::format("'{}' keeps layers along '{}', and blocks have no faces", name(s.target),
                            program_.axes[shape.axes[k]].name),
                program_.variables[s.target].span, "declared here", "choose the cells by their place in the statement");
            return;
        }
    }
    /// A number that is made of many cells, at one position along a cut axis.
    void check_target(const FieldStatement& s) {
        const auto& axes = field_shape(program_, s.target).axes;
        for (std::size_t k = 0; k < axes.size(); ++k) {
            if (!joins_cells(s) || !position_of(s.target_indices[k]) || domains_.cut(axes[k]) == nullptr) continue;
            add(fmt::format("a sum is assigned at one position of '{}', which one process alone has",
                            program_.axes[axes[k]].name),
                s.span, "all processes would compute it", "assign the sum to a field of its own first");
        }
    }
    void check(const Operand& operand) {
        const FieldShape& shape = field_shape(program_, operand.variable);
        for (std::size_t k = 0; k < shape.axes.size(); ++k) {
            const CutAxis* cut = domains_.cut(shape.axes[k]);
            const auto* offset = std::get_if<Offset>(&operand.indices[k]);
            if (cut == nullptr || (offset != nullptr && offset->cells == 0)) continue;
            const std::string& axis = program_.axes[shape.axes[k]].name;
            if (domains_.along(operand.variable, k) == Along::waves) {
                add(fmt::format("another wave of '{}' is read, and blocks have waves of their own",
                                name(operand.variable)),
                    operand.span, fmt::format("along '{}'", axis), "read the wave itself");
            } else if (offset != nullptr && shape.faces[k].crossed_by(offset->cells).kind != BoundaryKind::periodic) {
                add(fmt::format("'{}' ends at the faces of '{}', and blocks have none", name(operand.variable), axis),
                    operand.span, "a neighbour is read", "declare it 'boundary periodic', as transforms see it");
            } else if (offset != nullptr && std::abs(offset->cells) > cut->overlap) {
                add(fmt::format("a neighbour is {} cells away, and overlaps have {}", std::abs(offset->cells),
                                cut->overlap),
                    operand.span, "it lies beyond the overlap", "");
                faults_.back().flag_helps = {{{"--basis"}, "ask {} for a longer overlap"}};
            }
        }
    }
};

}  // namespace

Diagnostic basis_fault(std::string message, const Span& span, std::string label, std::string help) {
    Diagnostic d;
    d.code = "K0818";
    d.message = std::move(message);
    d.span = span;
    d.label = std::move(label);
    d.help = std::move(help);
    return d;
}

ExpressionRef position_of(const AxisIndex& index) {
    if (const auto* absolute = std::get_if<Absolute>(&index)) return absolute->position;
    if (const auto* computed = std::get_if<Computed>(&index)) return computed->position;
    return nullptr;
}

Diagnostics check_basis(const Program& program, const Domains& domains) {
    if (has_streams(program)) return {basis_fault("the program is of streams, which have no transforms", {}, "", "")};
    Diagnostics all = Checks(program, domains).run();
    if (!all.empty()) return tidy(std::move(all));  // what follows rests on it
    for (const Diagnostics& more : {check_spectra(program, domains), find_holders(program, domains).faults})
        all.insert(all.end(), more.begin(), more.end());
    return tidy(std::move(all));
}

}  // namespace kasc::basis
