#include "rewrite/word_statements.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

#include "frontend/make_expression.hpp"
#include "frontend/new_field.hpp"
#include "rewrite/known_values.hpp"
#include "rewrite/statements.hpp"
#include "rewrite/word_fields.hpp"
#include "rewrite/word_folds.hpp"
#include "rewrite/word_running.hpp"
#include "rewrite/written_out.hpp"

namespace kasc::rewriting {

namespace {

/// What a search of seconds goes through (search/connections.hpp), shared with what else the program has.
constexpr std::size_t most_statements = 600;
/// The same where loops are written out, in which each statement waits for the ones before it: 512 of a Cholesky
/// factorization take ten seconds of search.
constexpr std::size_t most_written_out_words = 256;
/// Cells of a window that are more than a word are statements of their own.
constexpr std::size_t most_of_window = 512;

class Writing {
public:
    Writing(Program program, const WordAxes& axes)
        : program_(std::move(program)), axes_(axes), fields_(program_, axes), cells_(axes.cells()) {}

    StatementsOfWords run() {
        if (!fields_.fault().empty()) return {std::move(program_), Verdict::no(fields_.fault())};
        Statements made;
        for (const VariableId field : fields_.copied_in())
            for (long long k = 0; k < cells_; ++k) made.emplace_back(copy(field, k, true));
        program_.statements = list(program_.statements, std::move(made));
        for (const VariableId field : fields_.copied_out())
            for (long long k = 0; k < cells_; ++k) program_.statements.emplace_back(copy(field, k, false));
        if (count_ > most_statements)
            refuse(fmt::format("it would take {} statements, more than {}", count_, most_statements));
        if (!fault_.empty()) return {std::move(program_), Verdict::no(std::move(fault_))};
        const char* what = axes_.window ? "cells of a window" : "words of a cell";
        return {std::move(program_), Verdict::yes(fmt::format("{} {}", cells_, what))};
    }

private:
    Program program_;
    const WordAxes& axes_;
    WordFields fields_;
    long long cells_;
    std::string fault_;
    std::size_t count_ = 0;

    void refuse(std::string why) {
        if (fault_.empty()) fault_ = std::move(why);
    }

    /// A word of a field that the caller has, from there or back.
    FieldStatement copy(VariableId field, long long k, bool in) {
        const FieldShape& shape = field_shape(program_, field);
        const Span span = program_.variables[field].span;
        std::vector<AxisIndex> whole(shape.axes.size(), AxisIndex{Offset{0}});
        const std::vector<AxisIndex> own(shape.axes.size() - 1, AxisIndex{Offset{0}});
        whole[*fields_.place_in(field)] = Absolute{number(static_cast<double>(k), ScalarKind::integer, span)};
        const Operand outside{field, whole, span}, word{*fields_.word(field, k), own, span};
        ++count_;
        return in ? handed(outside, word, shape.type) : handed(word, outside, shape.type);
    }

    /// What assigns the cells of `to` those of `from`, as they are.
    [[nodiscard]] static FieldStatement handed(const Operand& from, const Operand& to, CellType type) {
        return {to.span,
                to.variable,
                to.indices,
                {from},
                make_expression(OperandUse{0}, scalar_kind(type), to.span),
                is_dual(type) ? Precision::dual : Precision::single,
                {},
                nullptr};
    }

    Statements list(const Statements& from, Statements made = {}) {
        for (const Statement& statement : from) {
            if (!fault_.empty()) break;
            if (const auto* loop = std::get_if<std::shared_ptr<const LoopStatement>>(&statement)) {
                made.emplace_back(again(**loop));
            } else if (const auto* field = std::get_if<FieldStatement>(&statement);
                       field && concerns(*field) && !fields_.is_of_lists(*field)) {
                if (!fields_.is_constant(field->target)) add(*field, made);
            } else {
                if (const auto* transform = std::get_if<TransformStatement>(&statement))
                    if (fields_.place_in(transform->target) || fields_.place_in(transform->source))
                        refuse(fmt::format("{} is transformed with all its cells", name(transform->source)));
                made.push_back(statement);
                ++count_;
            }
        }
        return made;
    }
    std::shared_ptr<const LoopStatement> again(const LoopStatement& loop) {
        const kasc::Loop& of = program_.loops[loop.loop];
        if (of.inside || (of.alive && fields_.place_in(*of.alive))) refuse("a loop in its cells is marked already");
        LoopStatement made = loop;
        made.body = list(loop.body);
        return std::make_shared<const LoopStatement>(std::move(made));
    }

    [[nodiscard]] const std::string& name(VariableId variable) const { return program_.variables[variable].name; }
    /// Where they are a window, its folds alone, and what joins their parts.
    [[nodiscard]] bool concerns(const FieldStatement& s) const {
        if (!axes_.window) return fields_.concerns(s);
        return s.fold && (s.fold->axes == axes_.axes || (s.fold->axes.size() == 1 && joins(s.fold->axes.front())));
    }
    [[nodiscard]] bool joins(AxisId axis) const {
        const auto& parts = program_.axes[axis].parts;
        return parts && parts->of == axes_.axes;
    }
    [[nodiscard]] bool is_of_words(AxisId axis) const { return fields_.cells_of(axis).has_value(); }

    void add(const FieldStatement& s, Statements& made) {
        const std::size_t before = made.size();
        if (s.adding || (s.fold && s.fold->pieces))
            return refuse(fmt::format("{} is added up along lists", name(s.target)));
        if (std::any_of(s.listed.begin(), s.listed.end(), [&](AxisId axis) { return is_of_words(axis); }))
            return refuse(fmt::format("{} is assigned at a list along it", name(s.target)));
        const bool folds =
            s.fold && std::any_of(s.fold->axes.begin(), s.fold->axes.end(), [&](AxisId a) { return is_of_words(a); });
        if (folds && s.fold->axes.size() > 1 && !axes_.window)
            return refuse(fmt::format("{} is folded along others with it", name(s.target)));
        if (folds)
            add_fold_of_words(program_, fields_, s, made, fault_);
        else if (s.fold && fields_.stays(s.target) && along(s))
            add_folds_to_list(s, made);
        else if (s.running && is_of_words(s.running->axis))
            add_running_of_words(program_, fields_, s, made, fault_);
        else
            add_words(s, made);
        const std::size_t more = made.size() - before;
        if (axes_.window && more > most_of_window)
            refuse(fmt::format("a fold would take {} statements, more than {}", more, most_of_window));
        count_ += more;
    }

    /// The axis along which the target's cells are all assigned.
    [[nodiscard]] std::optional<AxisId> along(const FieldStatement& s) const {
        const auto place = fields_.place_in(s.target);
        if (!place || !std::holds_alternative<Offset>(s.target_indices[*place])) return std::nullopt;
        return field_shape(program_, s.target).axes[*place];
    }

    void add_words(const FieldStatement& s, Statements& made) {
        const auto axis = along(s);
        if (!axis) {
            made.emplace_back(fields_.placed(s, {}, fault_));
            return;
        }
        const long long cells = *fields_.cells_of(*axis);
        if (!reads_other_words(s)) {
            for (long long k = 0; k < cells; ++k) made.emplace_back(fields_.placed(s, {{*axis, k}}, fault_));
            return;
        }
        // All are computed of former values, before one of them is assigned.
        if (!is_whole(program_, s)) return refuse(fmt::format("some cells of {} are made of others", name(s.target)));
        std::vector<FieldStatement> handed_on;
        for (long long k = 0; k < cells; ++k) {
            FieldStatement next = fields_.placed(s, {{*axis, k}}, fault_);
            if (!fault_.empty()) return;
            const VariableId word = next.target;
            const FieldShape shape = field_shape(program_, word);
            next.target = new_field(program_, name(word) + "_next", shape.axes, shape.type, s.span);
            handed_on.push_back(
                handed({next.target, next.target_indices, s.span}, {word, next.target_indices, s.span}, shape.type));
            made.emplace_back(std::move(next));
        }
        for (FieldStatement& hands : handed_on) made.emplace_back(std::move(hands));
    }

    /// All cells of each word are folded, into parts of its own: kernels fold several fields beside each other, and one
    /// field at several places one place after the other. Then the parts go to the list.
    void add_folds_to_list(const FieldStatement& s, Statements& made) {
        const AxisId axis = *along(s);
        const auto place = static_cast<std::ptrdiff_t>(*fields_.place_in(s.target));
        FieldShape shape = field_shape(program_, s.target);
        shape.axes.erase(shape.axes.begin() + place);
        Statements copies;
        for (long long k = 0; k < *fields_.cells_of(axis); ++k) {
            FieldStatement folded = fields_.placed(s, {{axis, k}}, fault_);
            if (!fault_.empty()) return;
            const Operand in_list{folded.target, folded.target_indices, s.span};
            folded.target =
                new_field(program_, fmt::format("{}_{}", name(s.target), k), shape.axes, shape.type, s.span);
            folded.target_indices.erase(folded.target_indices.begin() + place);
            copies.emplace_back(handed({folded.target, folded.target_indices, s.span}, in_list, shape.type));
            made.emplace_back(std::move(folded));
        }
        made.insert(made.end(), std::make_move_iterator(copies.begin()), std::make_move_iterator(copies.end()));
    }

    /// The statement reads words of its target besides the one at hand.
    [[nodiscard]] bool reads_other_words(const FieldStatement& s) const {
        const std::size_t place = *fields_.place_in(s.target);
        return std::any_of(s.operands.begin(), s.operands.end(), [&](const Operand& operand) {
            if (operand.variable != s.target) return false;
            const auto* offset = std::get_if<Offset>(&operand.indices[place]);
            return offset == nullptr || offset->cells != 0;
        });
    }
};

}  // namespace

StatementsOfWords statements_of_words(const Program& program, const WordAxes& axes) {
    StatementsOfWords made = Writing(program, axes).run();
    if (made.verdict) return made;
    auto written = with_loops_written_out(program, axes);
    if (!written) return made;
    made = Writing(std::move(*written), axes).run();
    std::size_t statements = 0;
    each_statement(made.program.statements, [&](const Statement&) { ++statements; });
    if (made.verdict && statements > most_written_out_words)
        made.verdict =
            Verdict::no(fmt::format("it would take {} statements, more than {}", statements, most_written_out_words));
    const std::string why = made.verdict.reason() + ", with loops along them written out";
    made.verdict = made.verdict ? Verdict::yes(why) : Verdict::no(why);
    return made;
}

}  // namespace kasc::rewriting
