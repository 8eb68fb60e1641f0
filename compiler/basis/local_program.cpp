#include "basis/local_program.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

#include "basis/bell.hpp"
#include "basis/checks.hpp"
#include "basis/domains.hpp"
#include "basis/places.hpp"
#include "basis/wave_numbers.hpp"
#include "frontend/make_expression.hpp"
#include "frontend/new_field.hpp"
#include "graph/statements.hpp"

namespace kasc::basis {

namespace {

class Writer {
public:
    Writer(const Program& program, const Blocks& blocks, const Domains& domains)
        : program_(program), blocks_(blocks), domains_(domains), made_{program, {}, {}} {}

    LocalProgram run() {
        for (const CutAxis& cut : blocks_.axes) made_.parameters.push_back(add_parameters(cut.axis));
        Program& local = made_.program;
        for (const CutAxis& cut : blocks_.axes) {
            // What calls it says how long it is.
            local.axes[cut.axis].fallback_extent = nullptr;
            local.axes[cut.axis].declared = false;
        }
        local.requirements.clear();  // the grid's data are held against the grid's program
        Places places(program_, blocks_, domains_, made_.parameters);
        std::vector<Statement> statements = list(program_.statements, places);
        statements.insert(statements.begin(), bells_.begin(), bells_.end());
        local.statements = std::move(statements);
        make_outputs(places);
        return std::move(made_);
    }

private:
    const Program& program_;
    const Blocks& blocks_;
    const Domains& domains_;
    LocalProgram made_;
    std::map<std::pair<std::size_t, CellType>, VariableId> bell_of_;
    std::vector<Statement> bells_;
    std::map<VariableId, std::set<std::size_t>> fresh_;  ///< places of axes along which overlaps are as they should be

    BlockParameters add_parameters(AxisId axis) {
        const auto add = [&](const char* what) {
            std::string name = fmt::format("{}_{}", program_.axes[axis].name, what);
            for (const auto taken = [&](const auto& named) { return named.name == name; };
                 std::any_of(made_.program.parameters.begin(), made_.program.parameters.end(), taken) ||
                 std::any_of(made_.program.variables.begin(), made_.program.variables.end(), taken) ||
                 std::any_of(made_.program.axes.begin(), made_.program.axes.end(), taken);)
                name += "_";
            return made_.program.parameters.add({name, ScalarKind::integer, Precision::single, nullptr, {}});
        };
        return {add("first"), add("own"), add("low"), add("cells")};
    }

    std::vector<Statement> list(const std::vector<Statement>& from, const Places& places) {
        std::vector<Statement> all;
        for (const Statement& statement : from) {
            if (const auto* loop = std::get_if<std::shared_ptr<const LoopStatement>>(&statement)) {
                LoopStatement made = **loop;
                made.from = places.uniform(made.from);
                made.to = places.uniform(made.to);
                fresh_.clear();  // of what an iteration before has left
                made.body = list(made.body, places);
                fresh_.clear();
                all.emplace_back(std::make_shared<const LoopStatement>(std::move(made)));
            } else if (const auto* transform = std::get_if<TransformStatement>(&statement)) {
                add(*transform, all);
            } else {
                add(std::get<FieldStatement>(statement), places, all);
            }
        }
        return all;
    }

    // ---- statements ------------------------------------------------------------------------------------------------

    void add(const FieldStatement& s, const Places& places, std::vector<Statement>& all) {
        for (const Operand& operand : s.operands) {
            std::vector<std::size_t> along;
            const auto& axes = field_shape(program_, operand.variable).axes;
            for (std::size_t k = 0; k < axes.size(); ++k) {
                const auto* offset = std::get_if<Offset>(&operand.indices[k]);
                if (offset != nullptr && offset->cells != 0 && domains_.cut(axes[k]) != nullptr) along.push_back(k);
            }
            // Corners as well, which another operand may read.
            if (!along.empty()) renew(operand.variable, cell_places(operand.variable), s.span, all);
        }
        all.emplace_back(places.local(s));
        fresh_.erase(s.target);
    }
    [[nodiscard]] std::vector<std::size_t> cell_places(VariableId v) const {
        const auto& axes = field_shape(program_, v).axes;
        std::vector<std::size_t> places;
        for (std::size_t k = 0; k < axes.size(); ++k) {
            if (domains_.cut(axes[k]) != nullptr && domains_.along(v, k) == Along::cells) places.push_back(k);
        }
        return places;
    }
    void renew(VariableId v, const std::vector<std::size_t>& places, const Span& span, std::vector<Statement>& all) {
        if (!is_assigned(v)) return;  // blocks have read it with its overlaps
        std::set<std::size_t>& fresh = fresh_[v];
        if (std::all_of(places.begin(), places.end(), [&](std::size_t k) { return fresh.contains(k); })) return;
        fresh = {places.begin(), places.end()};
        all.emplace_back(TransformStatement{span, v, v, Direction::renew, places});
    }
    [[nodiscard]] bool is_assigned(VariableId v) const {
        return std::any_of(program_.statements.begin(), program_.statements.end(),
                           [&](const Statement& statement) { return statements::assigns(statement, v); });
    }

    void add(const TransformStatement& t, std::vector<Statement>& all) {
        TransformStatement made = t;
        const auto& axes = field_shape(program_, t.source).axes;
        std::vector<std::size_t> cut;
        for (const std::size_t k : t.axes) {
            if (domains_.cut(axes.at(k)) != nullptr) cut.push_back(k);
        }
        if (t.direction == Direction::forward && !cut.empty()) {
            renew(t.source, cut, t.span, all);
            made.source = weighted(t, cut, all);
        }
        all.emplace_back(std::move(made));
        fresh_.erase(t.target);
    }
    VariableId weighted(const TransformStatement& t, const std::vector<std::size_t>& cut, std::vector<Statement>& all) {
        const FieldShape shape = field_shape(program_, t.source);
        const Precision precision = is_dual(shape.type) ? Precision::dual : Precision::single;
        FieldStatement made{t.span, {}, {}, {}, nullptr, precision, {}, nullptr};
        made.target_indices.assign(shape.axes.size(), Offset{0});
        ExpressionRef weight;
        for (const std::size_t k : cut) {
            made.operands.push_back({bell(shape.axes[k], precision), {Offset{0}}, t.span});
            const ExpressionRef one = make_expression(OperandUse{made.operands.size() - 1}, ScalarKind::real, t.span);
            weight = weight ? make_expression(BinaryOperation{BinaryOperator::multiply, weight, one}, ScalarKind::real,
                                              t.span)
                            : one;
        }
        made.operands.push_back({t.source, made.target_indices, t.span});
        const ScalarKind kind = scalar_kind(shape.type);
        const ExpressionRef cell = make_expression(OperandUse{made.operands.size() - 1}, kind, t.span);
        made.value = make_expression(BinaryOperation{BinaryOperator::multiply, weight, cell}, kind, t.span);
        made.target =
            new_field(made_.program, program_.variables[t.source].name + "_weighted", shape.axes, shape.type, t.span);
        all.emplace_back(made);
        return made.target;
    }
    VariableId bell(AxisId axis, Precision precision) {
        const CellType type = precision == Precision::dual ? CellType::float64 : CellType::float32;
        const auto cut = static_cast<std::size_t>(blocks_.find(axis) - blocks_.axes.data());
        if (const auto known = bell_of_.find({cut, type}); known != bell_of_.end()) return known->second;
        const VariableId made =
            new_field(made_.program, "bell_" + program_.axes[axis].name, {axis}, type, program_.axes[axis].span);
        const BlockParameters& p = made_.parameters[cut];
        bells_.emplace_back(FieldStatement{
            program_.axes[axis].span, made, {Offset{0}}, {}, bell_value(axis, p.own, p.low), precision, {}, nullptr});
        return bell_of_[{cut, type}] = made;
    }

    // ---- outputs ---------------------------------------------------------------------------------------------------

    void make_outputs(const Places& places) {
        const Holders holders = find_holders(program_, domains_);
        std::map<std::map<AxisId, std::string>, std::pair<std::size_t, std::vector<AxisId>>> known;
        for (const VariableId v : program_.outputs) {
            BlockOutput output;
            const auto& axes = field_shape(program_, v).axes;
            for (const AxisId axis : axes) {
                const CutAxis* cut = blocks_.find(axis);
                output.cut.push_back(cut == nullptr ? std::nullopt : std::optional(cut - blocks_.axes.data()));
            }
            if (const auto at = holders.known.find(v); at != holders.known.end()) {
                auto [place, added] = known.try_emplace(at->second.at);
                if (added) {
                    FieldStatement own = places.own_entries(at->second, made_.program);
                    place->second = {made_.program.outputs.size(), field_shape(made_.program, own.target).axes};
                    made_.program.outputs.push_back(own.target);
                    made_.program.statements.emplace_back(std::move(own));
                }
                output.own = place->second.first;
                for (const AxisId axis : place->second.second)
                    output.own_axes.push_back(
                        static_cast<std::size_t>(std::find(axes.begin(), axes.end(), axis) - axes.begin()));
            }
            made_.outputs.push_back(std::move(output));
        }
    }
};

}  // namespace

Outcome<LocalProgram> local_program(const Program& program, const Blocks& blocks, const std::vector<long long>& extents,
                                    const std::vector<double>& parameters) {
    const Domains domains(program, blocks);
    Diagnostics bad = check_basis(program, domains);
    if (bad.empty()) bad = check_wave_numbers(program, domains, extents, parameters);
    if (!bad.empty()) return failure<LocalProgram>(std::move(bad));
    return success(Writer(program, blocks, domains).run());
}

std::vector<double> block_parameters(const LocalProgram& local, const Blocks& blocks, int rank,
                                     std::vector<double> parameters) {
    parameters.resize(local.program.parameters.size());
    const std::vector<int> own = blocks.of_rank(rank);
    for (std::size_t k = 0; k < blocks.axes.size(); ++k) {
        const BlockPart part = part_of(blocks.axes[k], own[k]);
        const BlockParameters& p = local.parameters[k];
        parameters.at(p.first.index) = static_cast<double>(part.first);
        parameters.at(p.own.index) = static_cast<double>(part.own);
        parameters.at(p.low.index) = static_cast<double>(part.low);
        parameters.at(p.cells.index) = static_cast<double>(blocks.axes[k].cells);
    }
    return parameters;
}

}  // namespace kasc::basis
