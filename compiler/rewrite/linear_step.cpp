#include "rewrite/linear_step.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>

#include "rewrite/linear_value.hpp"
#include "rewrite/statements.hpp"

namespace kasc::rewriting {

namespace {

const char* written_as(Wall wall) {
    switch (wall) {
        case Wall::none:
            return "nothing";
        case Wall::periodic:
            return "periodic";
        case Wall::even:
            return "mirror";
        case Wall::odd:
            return "-mirror";
        case Wall::zero:
            return "value(0)";
    }
    return "";
}

/// Each part of the question has a verdict; the first no is the answer.
class FindingStep {
public:
    FindingStep(const Program& program, const LoopStatement& loop) : program_(program), loop_(loop) {}

    FoundStep run() {
        for (const auto& part :
             {&FindingStep::runs_by_number, &FindingStep::assigns_whole_fields, &FindingStep::has_one_field,
              &FindingStep::hides_what_is_between, &FindingStep::adds_neighbours})
            if (Verdict verdict = (this->*part)(); !verdict) return {std::move(verdict), {}};
        const auto looks = [](Wall wall) { return wall != Wall::none; };
        const auto first = std::find_if(step_.walls.begin(), step_.walls.end(), looks);
        if (first == step_.walls.end()) return {Verdict::no("no cell looks at another"), {}};
        step_.first = static_cast<std::size_t>(first - step_.walls.begin());
        step_.last = step_.walls.size();
        while (!looks(step_.walls[--step_.last])) {}
        if (step_.last - step_.first >= most_axes_together)
            return {Verdict::no(fmt::format("steps look along more than {} axes", most_axes_together)), {}};
        if (Verdict verdict = counts_sides_alike(); !verdict) return {std::move(verdict), {}};
        return {Verdict::yes(fmt::format("what a step does to each wave of {}, as many times as there are steps",
                                         name(step_.field))),
                step_};
    }

private:
    const Program& program_;
    const LoopStatement& loop_;
    LinearStep step_;
    std::set<VariableId> assigned_;
    std::vector<LinearValue> values_;  ///< by statement
    /// Libraries transform as many at once.
    static constexpr std::size_t most_axes_together = 3;

    [[nodiscard]] const std::string& name(VariableId v) const { return program_.variables[v].name; }
    [[nodiscard]] const FieldShape& shape(VariableId v) const { return field_shape(program_, v); }
    [[nodiscard]] const FieldStatement& statement(std::size_t k) const {
        return std::get<FieldStatement>(loop_.body[k]);
    }

    [[nodiscard]] Verdict runs_by_number() {
        const kasc::Loop& loop = program_.loops[loop_.loop];
        if (loop_.going || loop.alive) return Verdict::no("whether another step runs is known after each");
        if (loop.by != 1 || loop.rest) return Verdict::no("several steps stand in its body already");
        return Verdict::yes("it has as many steps as its bounds say");
    }

    [[nodiscard]] Verdict assigns_whole_fields() {
        const auto assigns_field = [](const Statement& s) { return std::holds_alternative<FieldStatement>(s); };
        if (!std::all_of(loop_.body.begin(), loop_.body.end(), assigns_field))
            return Verdict::no("a step transforms, or has a loop of its own");
        for (const Statement& s : loop_.body) {
            const auto& field = std::get<FieldStatement>(s);
            const FieldShape& target = shape(field.target);
            if (joins_cells(field))
                return Verdict::no(fmt::format("'{}' is made of all cells of a step", statement_text(program_, s)));
            if (target.keeps_layers())
                return Verdict::no(fmt::format("{} keeps layers at its faces", name(field.target)));
            if (!is_whole(program_, field))
                return Verdict::no(fmt::format("'{}' assigns some cells in each step", statement_text(program_, s)));
            if (target.type != CellType::float32 && target.type != CellType::float64)
                return Verdict::no(fmt::format("{} is a field of {}", name(field.target), name_of(target.type)));
            assigned_.insert(field.target);
        }
        return Verdict::yes("its steps assign whole fields of reals");
    }

    /// What is read before the step has assigned it goes on from the step before.
    [[nodiscard]] Verdict has_one_field() {
        std::set<VariableId> made;
        std::vector<VariableId> handed_on;
        for (const Statement& s : loop_.body) {
            const auto& field = std::get<FieldStatement>(s);
            for (const Operand& o : field.operands) {
                const bool known = std::find(handed_on.begin(), handed_on.end(), o.variable) != handed_on.end();
                if (assigned_.contains(o.variable) && !made.contains(o.variable) && !known)
                    handed_on.push_back(o.variable);
            }
            made.insert(field.target);
        }
        if (handed_on.empty()) return Verdict::no("no step goes on from the one before");
        if (handed_on.size() > 1)
            return Verdict::no(
                fmt::format("{} and {} go on from step to step together", name(handed_on[0]), name(handed_on[1])));
        step_.field = handed_on.front();
        step_.walls.assign(shape(step_.field).axes.size(), Wall::none);
        for (const VariableId v : assigned_)
            if (shape(v).axes != shape(step_.field).axes)
                return Verdict::no(fmt::format("{} and {} have other axes", name(v), name(step_.field)));
        return Verdict::yes("one field goes on from step to step");
    }

    /// But for the field itself, nothing that a step assigns is looked at from outside.
    [[nodiscard]] Verdict hides_what_is_between() {
        for (const VariableId v : assigned_) {
            if (v == step_.field) continue;
            const bool returned =
                std::find(program_.outputs.begin(), program_.outputs.end(), v) != program_.outputs.end();
            if (returned || reads_in(program_.statements, v) > reads_in(loop_.body, v))
                return Verdict::no(fmt::format("{} is asked for behind the loop, or before it", name(v)));
        }
        return Verdict::yes("what is between is the loop's own");
    }
    [[nodiscard]] static long reads_in(const Statements& list, VariableId v) {
        long count = 0;
        each_statement(list, [&](const Statement& s) { count += reads(s, v) ? 1 : 0; });
        return count;
    }

    [[nodiscard]] Verdict adds_neighbours() {
        for (std::size_t k = 0; k < loop_.body.size(); ++k) {
            values_.push_back(linear_value(program_, statement(k), loop_.loop));
            if (!values_.back().fault.empty()) return Verdict::no(values_.back().fault);
            for (const LinearTerm& term : values_.back().terms) {
                const Operand& operand = statement(k).operands.at(term.operand);
                if (!assigned_.contains(operand.variable))
                    return Verdict::no(
                        fmt::format("{} is no sum of {} alone", name(operand.variable), name(step_.field)));
                if (Verdict verdict = looks_over_walls(operand); !verdict) return verdict;
            }
        }
        return Verdict::yes("its steps add cells with factors that are the same for all");
    }

    [[nodiscard]] Verdict looks_over_walls(const Operand& operand) {
        const FieldShape& read = shape(operand.variable);
        for (std::size_t k = 0; k < operand.indices.size(); ++k) {
            const auto* offset = std::get_if<Offset>(&operand.indices[k]);
            if (offset == nullptr) return Verdict::no(fmt::format("{} is read at positions", name(operand.variable)));
            if (offset->cells == 0) continue;
            const Wall wall = wall_of(read.faces.at(k));
            const std::string& axis = program_.axes[read.axes[k]].name;
            if (wall == Wall::none)
                return Verdict::no(
                    fmt::format("no wave goes on beyond the faces of {} along {}: both periodic, mirror, -mirror or "
                                "value(0) is what has waves",
                                name(operand.variable), axis));
            if (wall == Wall::zero && std::abs(offset->cells) > 1)
                return Verdict::no(fmt::format(
                    "along {} a step looks {} cells away, where value(0) is no image of {}: that is -mirror", axis,
                    std::abs(offset->cells), name(operand.variable)));
            Wall& known = step_.walls.at(k);
            if (known != Wall::none && known != wall)
                return Verdict::no(
                    fmt::format("beyond the faces along {} are {} and {}", axis, written_as(known), written_as(wall)));
            known = wall;
        }
        return Verdict::yes("waves go on beyond its faces");
    }
    [[nodiscard]] static Wall wall_of(const Faces& faces) {
        const Face &low = faces.low, &high = faces.high;
        if (low.kind != high.kind || low.odd != high.odd) return Wall::none;
        if (low.kind == BoundaryKind::periodic) return Wall::periodic;
        if (low.kind == BoundaryKind::mirror) return low.odd ? Wall::odd : Wall::even;
        return low.kind == BoundaryKind::value && is_zero(low) && is_zero(high) ? Wall::zero : Wall::none;
    }
    [[nodiscard]] static bool is_zero(const Face& face) {
        const auto* literal = face.value ? std::get_if<Literal>(&face.value->node) : nullptr;
        return literal != nullptr && literal->value == 0;
    }

    /// A mirror image of a field is one of what a step makes of it where the step knows no side.
    [[nodiscard]] Verdict counts_sides_alike() {
        step_.is_real = true;
        for (std::size_t axis = 0; axis < step_.walls.size(); ++axis) {
            if (step_.walls[axis] == Wall::none) continue;
            for (std::size_t k = 0; k < loop_.body.size(); ++k) {
                if (is_symmetric(program_, statement(k), values_[k], axis)) continue;
                step_.is_real = false;
                if (step_.walls[axis] != Wall::periodic)
                    return Verdict::no(fmt::format(
                        "along {}, which has walls, neighbours on both sides are not written with the same factors",
                        program_.axes[shape(step_.field).axes[axis]].name));
            }
        }
        return Verdict::yes("walls are mirrors of its steps");
    }
};

}  // namespace

FoundStep linear_step(const Program& program, const LoopStatement& loop) { return FindingStep(program, loop).run(); }

}  // namespace kasc::rewriting
