#include "random/field_run.hpp"

#include <algorithm>
#include <numeric>
#include <set>
#include <vector>

#include "frontend/axis_lengths.hpp"
#include "rewrite/statements.hpp"
#include "support/field_reference.hpp"

namespace kasc::random {

using namespace test;
using test::Problem;  // not the model's

namespace {

/// Positions that are literals lie on every axis: it has two cells or more. In programs with transforms they are 0
/// (Terms::position).
int draw_extent(const std::string& axis, bool transforms, Draw& draw) {
    if (axis == "m") return draw.between(2, 4);
    if (axis == "p") return draw.between(2, 5);
    if (axis == "j") return draw.between(2, 3);
    if (axis == "t") return 3;
    if (transforms) return draw.of<int>({1, 2, 3, 4, 4, 5, 6, 7, 8, 9});
    return draw.of<int>({3, 4, 4, 5, 6, 7, 8, 8, 12});
}

bool is_grid(const std::string& axis) { return axis == "x" || axis == "y" || axis == "z" || axis == "elements"; }

/// The cells of the grid and of one layer around it.
long long cells_around(const Program& program, const Problem& problem) {
    long long n = 1;
    for (const AxisId a : program.axes.ids()) n *= is_grid(program.axes[a].name) ? problem.extents[a.index] + 2 : 1;
    return n;
}

/// Some running sums go along lines of several pieces (Running, program.hpp).
void lengthen_lines(const Program& program, Problem& problem, Draw& draw) {
    std::optional<AxisId> along;
    rewriting::each_statement(program.statements, [&](const Statement& statement) {
        const auto* field = std::get_if<FieldStatement>(&statement);
        if (field && field->running && is_grid(program.axes[field->running->axis].name)) along = field->running->axis;
    });
    if (!along || draw.percent(50)) return;
    long long& length = problem.extents[along->index];
    // Every plan is interpreted cell by cell: the grid stays small, however long its lines are.
    constexpr long long most_cells = 1000;
    const long long lines = cells_around(program, problem) / (length + 2);
    const auto fits = [&](int most) { return lines * most <= most_cells; };
    if (!fits(40)) return;
    length = fits(290) && draw.percent(50) ? draw.of<int>({257, 290}) : draw.of<int>({16, 17, 33, 40});
}

/// Some grids are long along the axis that ranks share them along: blocks at the cuts are a part of their own then.
void lengthen_grid(const Program& program, Problem& problem, Draw& draw) {
    std::optional<AxisId> outermost;
    for (const AxisId a : program.axes.ids()) {
        const std::string& name = program.axes[a].name;
        if (is_grid(name) && (!outermost || name > program.axes[*outermost].name)) outermost = a;
    }
    if (!outermost || !draw.percent(25)) return;
    long long& length = problem.extents[outermost->index];
    constexpr long long most_cells = 1500;
    const long long longer = draw.of<int>({28, 33, 40});
    if (cells_around(program, problem) / (length + 2) * longer <= most_cells) length = longer;
}

/// Some folds go along lines of several parts (Fold, program.hpp).
void lengthen_folds(const Program& program, Problem& problem, Draw& draw) {
    std::set<AxisId> folded;
    rewriting::each_statement(program.statements, [&](const Statement& statement) {
        const auto* field = std::get_if<FieldStatement>(&statement);
        if (!field || !field->fold) return;
        for (const AxisId axis : field->fold->axes)
            if (is_grid(program.axes[axis].name)) folded.insert(axis);
    });
    if (folded.empty() || !draw.percent(20)) return;
    const AxisId along = draw.of(std::vector<AxisId>(folded.begin(), folded.end()));
    // Parts of rows have 512 cells, of columns 256; the other axes are as short as positions allow.
    Problem longer = problem;
    for (const AxisId a : program.axes.ids())
        if (is_grid(program.axes[a].name)) longer.extents[a.index] = 3;
    longer.extents[along.index] = draw.of<int>({257, 260, 300, 520, 530, 1030});
    constexpr long long most_cells = 1500;
    if (cells_around(program, longer) <= most_cells) problem = longer;
}

class Inputs {
public:
    Inputs(const Program& program, const Problem& problem, Draw& draw)
        : program_(program), problem_(problem), draw_(draw) {
        std::vector<int> all(static_cast<std::size_t>(cells_around(program, problem)));
        std::iota(all.begin(), all.end(), 0);
        draw_.shuffle(all);
        around_ = std::move(all);
    }

    Cells cells(VariableId variable) {
        const std::string& name = program_.variables[variable].name;
        const FieldShape& shape = field_shape(program_, variable);
        const Role role = role_of(name);
        Cells cells(word_count(problem_, shape));
        if (role == Role::distinct) return distinct(cells.size(), extent(listed_axis(name)));
        for (std::size_t i = 0; i < cells.size(); ++i) {
            const double value = role == Role::list     ? listed(i, listed_axis(name))
                                 : role == Role::labels ? draw_.between(0, 4)
                                                        : plain(shape.type);
            cells[i] = stored(shape.type, value);
        }
        return cells;
    }

private:
    const Program& program_;
    const Problem& problem_;
    Draw& draw_;
    std::vector<int> around_;  ///< numbers of cells of the grid and one layer around it, in random order

    [[nodiscard]] long long extent(const std::string& axis) const {
        for (const AxisId a : program_.axes.ids()) {
            if (program_.axes[a].name == axis) return problem_.extents[a.index];
        }
        return 1;
    }
    /// The coordinate of the list's cell, -1 and the extent among them.
    [[nodiscard]] double listed(std::size_t entry, const std::string& along) const {
        long long rest = around_.at(entry);
        for (const Axis& axis : program_.axes) {
            if (!is_grid(axis.name)) continue;
            const long long n = extent(axis.name) + 2;
            if (axis.name == along || (axis.name == "elements" && along == "x"))
                return static_cast<double>(rest % n - 1);  // px is a list of elements, too
            rest /= n;
        }
        throw std::logic_error("a list of an axis that is not the grid's");
    }
    Cells distinct(std::size_t count, long long n) {
        std::vector<int> all(static_cast<std::size_t>(n + 2));
        std::iota(all.begin(), all.end(), -1);
        draw_.shuffle(all);
        return {all.begin(), all.begin() + static_cast<std::ptrdiff_t>(count)};
    }
    /// What is transformed is compared to the digits of its largest number: all are of one size.
    [[nodiscard]] bool transforms() const {
        return std::any_of(program_.variables.begin(), program_.variables.end(), [](const Variable& v) {
            const auto* field = std::get_if<FieldShape>(&v.shape);
            return field != nullptr && is_complex(field->type);
        });
    }
    double plain(CellType type) {
        if (type == CellType::uint8) return draw_.between(0, 255);
        if (type == CellType::int32) return draw_.between(-9, 40);
        if (type == CellType::int64)
            return draw_.between(-9, 40) * (draw_.percent(50) || transforms() ? 1.0 : 2147483659.0);
        return stored(type, draw_.between(-1000, 2000) / 1000.0);
    }
};

/// Settles the lengths of axes that follow from others, which inputs may have, too.
void settle_extents(const Program& program, Problem& problem) {
    const auto settle = [&](AxisId axis) {
        problem.extents[axis.index] = Host(program, problem).integer(*program.axes[axis].fallback_extent);
    };
    const auto settle_declared = [&] {
        for (const AxisId axis : program.axes.ids())
            if (program.axes[axis].declared && program.axes[axis].fallback_extent) settle(axis);
    };
    // Parts of what inputs have follow from its declared length, and declared lengths from others.
    settle_declared();
    for (const AxisId axis : axes_by_length(program)) settle(axis);
    settle_declared();
    for (const AxisId axis : program.axes.ids()) {
        if (const auto& whole = program.axes[axis].half_of)
            problem.extents[axis.index] = problem.extents[whole->index] / 2 + 1;
    }
}

/// Its position; none: no item of that name.
template <class Items>
std::optional<std::size_t> find_name(const Items& items, const std::string& name) {
    for (std::size_t k = 0; const auto& item : items) {
        if (item.name == name) return k;
        ++k;
    }
    return std::nullopt;
}

}  // namespace

FieldRunCase draw_field_case(const Program& program, Draw& draw) {
    FieldRunCase run;
    const bool transforms = has_transforms(program);
    for (const Axis& axis : program.axes) run.problem.extents.push_back(draw_extent(axis.name, transforms, draw));
    if (!transforms) lengthen_lines(program, run.problem, draw);
    if (!transforms) lengthen_grid(program, run.problem, draw);
    if (!transforms) lengthen_folds(program, run.problem, draw);
    for (const Parameter& p : program.parameters) {
        const Host host(program, run.problem);
        if (!p.fallback) {
            run.problem.parameters.push_back(p.kind == ScalarKind::integer ? draw.between(1, 3) : 0.25);
            continue;
        }
        run.problem.parameters.push_back(p.kind == ScalarKind::integer ? static_cast<double>(host.integer(*p.fallback))
                                                                       : host.real<double>(*p.fallback));
    }
    settle_extents(program, run.problem);
    // The cells of a list differ: it has no more than there are.
    for (const AxisId a : program.axes.ids()) {
        long long& entries = run.problem.extents[a.index];
        if (program.axes[a].name == "p") entries = std::min(entries, cells_around(program, run.problem));
    }
    Inputs inputs(program, run.problem, draw);
    for (const VariableId v : program.inputs) run.inputs.push_back(inputs.cells(v));
    return run;
}

bool has_transforms(const Program& program) {
    bool any = false;
    rewriting::each_statement(program.statements, [&](const Statement& statement) {
        any = any || std::holds_alternative<TransformStatement>(statement);
    });
    return any;
}

std::vector<Cells> run_field_reference(const Program& program, const FieldRunCase& run, double disturbance) {
    const ProgramReference reference(program, run.problem, run.inputs, disturbance);
    std::vector<Cells> outputs;
    for (const VariableId v : program.outputs) outputs.push_back(reference.value(v));
    return outputs;
}

std::vector<Cells> run_of_names(const Program& program, const FieldRunCase& run, const Program& other) {
    FieldRunCase its;
    for (const Axis& axis : other.axes) {
        const auto same = find_name(program.axes, axis.name);
        its.problem.extents.push_back(same ? run.problem.extents[*same] : 1);
    }
    for (const Parameter& parameter : other.parameters)
        its.problem.parameters.push_back(
            run.problem.parameters.at(find_name(program.parameters, parameter.name).value()));
    settle_extents(other, its.problem);
    std::vector<std::string> inputs, outputs;
    for (const VariableId v : program.inputs) inputs.push_back(program.variables[v].name);
    for (const VariableId v : other.inputs) {
        const auto same = std::find(inputs.begin(), inputs.end(), other.variables[v].name);
        its.inputs.push_back(run.inputs.at(static_cast<std::size_t>(same - inputs.begin())));
    }
    for (const VariableId v : other.outputs) outputs.push_back(other.variables[v].name);
    std::vector<Cells> found = run_field_reference(other, its), ordered;
    for (const VariableId v : program.outputs) {
        const auto same = std::find(outputs.begin(), outputs.end(), program.variables[v].name);
        ordered.push_back(found.at(static_cast<std::size_t>(same - outputs.begin())));
    }
    return ordered;
}

}  // namespace kasc::random
