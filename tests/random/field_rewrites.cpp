#include "random/field_rewrites.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "rewrite/axis_tables.hpp"
#include "rewrite/axis_words.hpp"
#include "rewrite/boxes.hpp"
#include "rewrite/constant_positions.hpp"
#include "rewrite/copy_cells.hpp"
#include "rewrite/former_words.hpp"
#include "rewrite/gathered_fields.hpp"
#include "rewrite/inner_loops.hpp"
#include "rewrite/loop_blocks.hpp"
#include "rewrite/order_lists.hpp"
#include "rewrite/position_cells.hpp"
#include "rewrite/remake_fields.hpp"
#include "rewrite/remake_in_conditions.hpp"
#include "rewrite/rotated_loops.hpp"
#include "rewrite/running_pieces.hpp"
#include "rewrite/several_steps.hpp"
#include "rewrite/statements.hpp"
#include "rewrite/transform_passes.hpp"
#include "rewrite/whole_colours.hpp"
#include "rewrite/word_statements.hpp"

namespace kasc::random {

using rewriting::Statements;
using test::Cells;

namespace {

/// Roundings of double are 2^-53 of a word, about 1e-16; a transform of a thousand cells, or two in place of one, and
/// the operations around it add up some tens of them. This is five orders more: that a program's errors grow otherwise
/// from a disturbance than from roundings does not matter then, and a rule that is wrong differs by far more still.
constexpr double rounding_of_doubles = 1e-10;
/// Cells of an axis that becomes words, at most.
constexpr long long most_words = 9;

Statements in_double(const Statements& list);

Statement in_double(const Statement& statement) {
    if (const auto* field = std::get_if<FieldStatement>(&statement)) {
        FieldStatement made = *field;
        made.precision = Precision::dual;
        return made;
    }
    if (const auto* loop = std::get_if<std::shared_ptr<const LoopStatement>>(&statement)) {
        LoopStatement made = **loop;
        made.body = in_double(made.body);
        return std::make_shared<const LoopStatement>(std::move(made));
    }
    return statement;
}

Statements in_double(const Statements& list) {
    Statements all;
    for (const Statement& statement : list) all.push_back(in_double(statement));
    return all;
}

}  // namespace

Program in_double(Program program) {
    for (const VariableId v : program.variables.ids()) {
        CellType& type = std::get<FieldShape>(program.variables[v].shape).type;
        if (!is_integer(type)) type = is_complex(type) ? CellType::complex128 : CellType::float64;
    }
    program.statements = in_double(program.statements);
    return program;
}

namespace {

std::set<std::string> names_of(const Rewriting& rewriting) {
    std::set<std::string> names;
    for (const RewriteVerdict& v : rewriting.verdicts) {
        if (v.verdict) names.insert(name_of(v.rule));
    }
    return names;
}

}  // namespace

std::vector<RewrittenProgram> rewritten_programs(const Program& written) {
    std::vector<RewrittenProgram> all;
    const OrderedLists ordered = order_lists(written);
    const Program& program = ordered.program;
    if (ordered.changed) all.push_back({program, false, {"order"}});
    const Rewriting exact = rewrite(program, {Rule::inverse, Rule::linear}), full = rewrite(program);
    if (exact.changed) all.push_back({exact.program, exact.rounds, names_of(exact)});
    if (full.rounds) all.push_back({full.program, true, names_of(full)});
    for (const MadeFor shared_by : {MadeFor::kernel, MadeFor::transform}) {
        RemadeFields remade = remake_fields(full.program, shared_by);
        if (!remade.changed) continue;
        all.push_back({std::move(remade.program), full.rounds, names_of(full)});
        all.back().rules.insert(name_of(Rule::remake));
    }
    RemadeFields of_conditions = remake_in_conditions(program);
    if (of_conditions.changed) all.push_back({std::move(of_conditions.program), false, {name_of(Rule::remake)}});
    TransformPasses passes = transform_passes(program);
    AxisWords words = axis_words(program);
    if (words.changed) all.push_back({std::move(words.program), false, {name_of(Rule::words)}});
    AxisWords many_words = axis_words_of_loops(program);
    if (many_words.changed) all.push_back({std::move(many_words.program), false, {name_of(Rule::words)}});
    if (passes.changed) all.push_back({std::move(passes.program), true, {name_of(Rule::passes)}});
    CopiedCells copied = copy_cells(program, nullptr);
    if (copied.changed) all.push_back({std::move(copied.program), false, {name_of(Rule::copies)}});
    RunningPieces pieces = running_pieces(program, nullptr);
    if (pieces.changed) all.push_back({std::move(pieces.program), false, {name_of(Rule::pieces)}});
    GatheredFields gathered = gathered_fields(program);
    if (gathered.changed) all.push_back({std::move(gathered.program), false, {name_of(Rule::gather)}});
    AxisTables tables = axis_tables(program, [](const TablePart&) { return Verdict::yes(""); });
    if (tables.changed) all.push_back({std::move(tables.program), false, {name_of(Rule::tables)}});
    for (const Rotation& rotation : rotations(program))
        all.push_back({rotated(program, rotation), false, {name_of(Rule::rotate)}});
    WholeColours colours = whole_colours(program);
    if (colours.changed) all.push_back({std::move(colours.program), false, {name_of(Rule::colours)}});
    Boxes boxed = boxes(program);
    if (boxed.changed) all.push_back({std::move(boxed.program), false, {name_of(Rule::boxes)}});
    InnerLoops inner = inner_loops(program);
    if (inner.changed) {
        all.push_back({with_former_words(inner.program), false, {name_of(Rule::inside)}});
        all.push_back({std::move(inner.program), false, {name_of(Rule::inside)}});
    }
    const LoopBlocks blocks = loop_blocks(program, [](LoopId) { return true; });
    if (!blocks.iterations.empty()) {
        all.push_back({blocks.program, false, {"blocks"}});
        all.push_back({inner_loops(blocks.program).program, false, {"blocks"}});
    }
    if (SeveralSteps steps = several_steps(blocks.program, 2); !blocks.iterations.empty() && steps.changed)
        all.push_back({std::move(steps.program), false, {"blocks", name_of(Rule::steps)}});
    PositionCells positions = position_cells(program);
    for (const int together : {2, 3, 4}) {
        SeveralSteps steps = several_steps(together == 2 ? positions.program : program, together);
        if (steps.changed) all.push_back({std::move(steps.program), false, {name_of(Rule::steps)}});
    }
    if (positions.changed) all.push_back({std::move(positions.program), false, {name_of(Rule::steps)}});
    return all;
}

std::string difference(const Program& program, const std::vector<Cells>& expected, const std::vector<Cells>& found) {
    for (std::size_t o = 0; o < expected.size(); ++o) {
        const std::string& name = program.variables[program.outputs[o]].name;
        if (found[o].size() != expected[o].size()) return fmt::format("no {}", name);
        for (std::size_t i = 0; i < expected[o].size(); ++i) {
            if (!test::same_cell(expected[o][i], found[o][i]))
                return fmt::format("word {} of {} is {}, not {}", i, name, found[o][i], expected[o][i]);
        }
    }
    return "";
}

std::vector<double> allowed_differences(const Program& program, const FieldRunCase& run, double rounding) {
    const std::vector<Cells> is = run_field_reference(program, run);
    const std::vector<Cells> disturbed = run_field_reference(program, run, rounding);
    std::vector<double> allowed;
    for (std::size_t o = 0; o < is.size(); ++o) {
        double most = 0;
        for (std::size_t i = 0; i < is[o].size(); ++i) {
            const double by = std::abs(is[o][i] - disturbed[o][i]);
            if (!(by <= most)) most = by;
        }
        allowed.push_back(most);
    }
    return allowed;
}

std::string check_words(const Program& program, const Library& library, const FieldRunCase& run, std::size_t& words) {
    for (const AxisId axis : program.axes.ids()) {
        const long long cells = run.problem.extents.at(axis.index);
        if (program.axes[axis].own || cells > most_words) continue;
        rewriting::StatementsOfWords made = rewriting::statements_of_words(program, {{axis}, {cells}});
        if (!made.verdict) continue;
        made.program = rewriting::with_neighbours(std::move(made.program));
        ++words;
        const std::string wrong =
            difference(program, run_field_reference(program, run), run_field_reference(made.program, run));
        if (!wrong.empty())
            return fmt::format("words along {}, extents {}: {}\n{}", program.axes[axis].name,
                               fmt::join(run.problem.extents, " x "), wrong, print(made.program, library));
    }
    return "";
}

std::string check_rewritten(const Program& program, const RewrittenProgram& rewritten, const FieldRunCase& run) {
    if (!rewritten.rounds)
        return difference(program, run_field_reference(program, run), run_field_reference(rewritten.program, run));
    // Without transforms, programs compute what jumps with a real number.
    if (!has_transforms(program)) return "";
    const Program written = in_double(program);
    const std::vector<Cells> expected = run_field_reference(written, run);
    const std::vector<Cells> found = run_field_reference(in_double(rewritten.program), run);
    return far_off(written, expected, found, run);
}

std::string far_off(const Program& program, const std::vector<Cells>& expected, const std::vector<Cells>& found,
                    const FieldRunCase& run) {
    const std::vector<double> allowed = allowed_differences(program, run, rounding_of_doubles);
    double largest = 1;  // of numbers: what sums are made of
    for (const Cells& cells : expected) {
        for (const double x : cells) largest = x > largest ? x : -x > largest ? -x : largest;
    }
    for (std::size_t o = 0; o < expected.size(); ++o) {
        for (std::size_t i = 0; i < expected[o].size(); ++i) {
            const double by = std::abs(expected[o][i] - found[o][i]);
            // What grew beyond all numbers says nothing.
            if (std::isnan(allowed[o]) || !std::isfinite(expected[o][i])) continue;
            if (!(by <= allowed[o] + rounding_of_doubles * largest))
                return fmt::format("word {} of {} is {}, not {} within {}", i,
                                   program.variables[program.outputs[o]].name, found[o][i], expected[o][i], allowed[o]);
        }
    }
    return "";
}

}  // namespace kasc::random
