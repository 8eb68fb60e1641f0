#include "rewrite/former_words.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>
#include <utility>

#include "frontend/make_expression.hpp"
#include "frontend/new_field.hpp"
#include "graph/linear_position.hpp"
#include "rewrite/known_values.hpp"
#include "rewrite/statements.hpp"
#include "rewrite/whole_numbers.hpp"

namespace kasc {

namespace {

using namespace rewriting;

/// A thread has a register for each of them.
constexpr int most_before = 4;

/// Words of a field that an iteration stands at, a word of each cell: what one statement makes, or what is given.
struct Walked {
    VariableId field{};
    std::vector<AxisIndex> indices;  ///< in this iteration
    bool made = false;               ///< in the loop: the word of the iteration before is at hand
    Span span{};
};

class HandingOn {
public:
    HandingOn(Program& program, const LoopStatement& loop) : program_(program), loop_(loop), made_(loop) {}

    /// What stands before the loop, and the loop.
    Statements run() {
        Statements all;
        for (const Walked& walked : walked_fields()) hand_on(walked, all);
        all.emplace_back(std::make_shared<const LoopStatement>(std::move(made_)));
        return all;
    }

private:
    Program& program_;
    const LoopStatement& loop_;
    LoopStatement made_;

    [[nodiscard]] static const FieldStatement& field_of(const Statement& s) { return std::get<FieldStatement>(s); }
    [[nodiscard]] std::vector<Walked> walked_fields() const {
        std::vector<Walked> all;
        for (const Statement& statement : loop_.body) {
            const FieldStatement& s = field_of(statement);
            const auto makes = [&](const Statement& other) { return assigns(other, s.target); };
            const Walked walked{s.target, s.target_indices, true, s.span};
            if (std::count_if(loop_.body.begin(), loop_.body.end(), makes) == 1 && is_walked(walked))
                all.push_back(walked);
        }
        std::vector<Walked> given;
        for (const Statement& statement : loop_.body)
            for (const Operand& operand : field_of(statement).operands) {
                const Walked walked{operand.variable, operand.indices, false, operand.span};
                const auto is_made = [&](const Statement& other) { return assigns(other, operand.variable); };
                if (is_walked(walked) && std::none_of(loop_.body.begin(), loop_.body.end(), is_made))
                    given.push_back(walked);
            }
        // The word that is read first, in the iteration that comes to it before all others.
        for (const Walked& walked : given) {
            const auto is_before = [&](const Walked& first) { return iterations_before(first, walked) > 0; };
            const auto is_known = [&](const Walked& other) { return is_of(other, walked, 0); };
            if (std::none_of(given.begin(), given.end(), is_before) && std::none_of(all.begin(), all.end(), is_known))
                all.push_back(walked);
        }
        return all;
    }
    /// Whether it has the loop's cells, a position that moves, and a type that a register can have.
    [[nodiscard]] bool is_walked(const Walked& walked) const {
        const FieldShape& shape = field_shape(program_, walked.field);
        bool moves = false;
        for (const AxisIndex& index : walked.indices) {
            const auto* own = std::get_if<Offset>(&index);
            const auto at = position(index);
            if (own != nullptr ? own->cells != 0 : !at) return false;
            moves = moves || (at && at->coefficient != 0);
        }
        std::vector<AxisId> own = cells_of(walked), all = free_axes(program_, field_of(loop_.body.front()));
        std::sort(own.begin(), own.end());
        std::sort(all.begin(), all.end());
        return moves && own == all && is_register_type(shape.type) && !(walked.made && shape.keeps_layers());
    }
    [[nodiscard]] std::vector<AxisId> cells_of(const Walked& walked) const {
        std::vector<AxisId> axes;
        for (std::size_t k = 0; k < walked.indices.size(); ++k)
            if (std::holds_alternative<Offset>(walked.indices[k]))
                axes.push_back(field_shape(program_, walked.field).axes[k]);
        return axes;
    }
    [[nodiscard]] std::optional<LinearPosition> position(const AxisIndex& index) const {
        const auto* absolute = std::get_if<Absolute>(&index);
        return absolute ? linear_position(*absolute->position, loop_.loop, program_) : std::nullopt;
    }

    /// How many iterations before this one stood at the word; 0: none of the last few.
    template <class Read>
    [[nodiscard]] int iterations_before(const Walked& walked, const Read& read) const {
        for (int before = 1; before <= most_before; ++before)
            if (is_of(walked, read, before)) return before;
        return 0;
    }
    [[nodiscard]] bool is_of(const Walked& walked, const Operand& read, int before) const {
        return is_of(walked, Walked{read.variable, read.indices}, before);
    }
    [[nodiscard]] bool is_of(const Walked& walked, const Walked& read, int before) const {
        if (read.field != walked.field) return false;
        for (std::size_t k = 0; k < read.indices.size(); ++k) {
            const auto* own = std::get_if<Offset>(&read.indices[k]);
            const bool beside = walked.made && std::holds_alternative<Computed>(read.indices[k]);
            const bool of_cell = own != nullptr && own->cells == 0;
            if ((of_cell || beside) && std::holds_alternative<Offset>(walked.indices[k])) continue;
            auto there = position(walked.indices[k]);
            const auto here = position(read.indices[k]);
            if (!there || !here) return false;
            for (int step = 0; step < before; ++step) there = there->before();
            if (*there != *here) return false;
        }
        return true;
    }

    void hand_on(const Walked& walked, Statements& before_loop) {
        int farthest = 0;
        for (const Statement& statement : loop_.body)
            for (const Operand& operand : field_of(statement).operands)
                farthest = std::max(farthest, iterations_before(walked, operand));
        const int nearest = walked.made ? 2 : 1;
        if (farthest < nearest) return;
        std::map<int, VariableId> words;
        for (int before = nearest; before <= farthest; ++before) {
            words[before] = new_word(walked, fmt::format("{}_before", before));
            const ExpressionRef first = arithmetic(BinaryOperator::subtract, loop_.from, counted(before));
            before_loop.emplace_back(copy(words.at(before), word_at(walked, first, true), walked.span));
        }
        // What is given is read once in an iteration.
        if (!walked.made) words[0] = new_word(walked, "now");
        for (Statement& statement : made_.body) read_words(walked, words, std::get<FieldStatement>(statement));
        for (int before = farthest; before > nearest; --before)
            made_.body.emplace_back(copy(words.at(before), own(words.at(before - 1), walked.span), walked.span));
        const ExpressionRef n = make_expression(LoopIndexUse{loop_.loop}, ScalarKind::integer, loop_.span);
        if (walked.made) {
            const ExpressionRef former = arithmetic(BinaryOperator::subtract, n, counted(1));
            made_.body.emplace_back(copy(words.at(2), word_at(walked, former, false), walked.span));
        } else {
            made_.body.emplace_back(copy(words.at(1), own(words.at(0), walked.span), walked.span));
            made_.body.insert(made_.body.begin(), copy(words.at(0), word_at(walked, n, false), walked.span));
        }
    }

    [[nodiscard]] VariableId new_word(const Walked& walked, const std::string& what) {
        const Variable& of = program_.variables[walked.field];
        const CellType type = std::get<FieldShape>(of.shape).type;
        return new_field(program_, of.name + "_" + what, cells_of(walked), type, walked.span);
    }
    void read_words(const Walked& walked, const std::map<int, VariableId>& words, FieldStatement& reader) const {
        bool changed = false;
        for (Operand& operand : reader.operands) {
            const int before = is_of(walked, operand, 0) ? 0 : iterations_before(walked, operand);
            const auto word = words.find(before);
            if (word == words.end() || (before == 0 && !is_of(walked, operand, 0))) continue;
            operand = {word->second, along_cells(walked, operand.indices), operand.span};
            changed = true;
        }
        if (changed) reader = with_equal_operands_once(reader);
    }

    /// Where a read stands along the loop's cells: at the own one, or in lines at one beside it.
    [[nodiscard]] static std::vector<AxisIndex> along_cells(const Walked& walked, const std::vector<AxisIndex>& read) {
        std::vector<AxisIndex> cells;
        for (std::size_t k = 0; k < read.size(); ++k)
            if (std::holds_alternative<Offset>(walked.indices[k])) cells.push_back(read[k]);
        return cells;
    }
    [[nodiscard]] Operand own(VariableId word, const Span& span) const {
        return {word, std::vector<AxisIndex>(field_shape(program_, word).axes.size(), AxisIndex{Offset{0}}), span};
    }
    /// The word that iteration `n` stands at. `on_grid`: where there is no such iteration, the nearest cell.
    [[nodiscard]] Operand word_at(const Walked& walked, const ExpressionRef& n, bool on_grid) const {
        Operand word{walked.field, walked.indices, walked.span};
        for (std::size_t k = 0; k < word.indices.size(); ++k) {
            auto* absolute = std::get_if<Absolute>(&word.indices[k]);
            if (absolute == nullptr) continue;
            absolute->position = with_known_values(at_index(absolute->position, loop_.loop, n), Precision::dual);
            if (!on_grid || whole_number_of(absolute->position) == 0) continue;
            const AxisId axis = field_shape(program_, walked.field).axes[k];
            const ExpressionRef cells = make_expression(ExtentUse{axis}, ScalarKind::integer, walked.span);
            absolute->position = larger(
                counted(0), smaller(absolute->position, arithmetic(BinaryOperator::subtract, cells, counted(1))));
        }
        return word;
    }
    [[nodiscard]] FieldStatement copy(VariableId to, Operand from, const Span& span) const {
        const CellType type = field_shape(program_, to).type;
        return written(program_, to, make_expression(OperandUse{0}, scalar_kind(type), span), {std::move(from)},
                       is_dual(type) ? Precision::dual : Precision::single, span);
    }
};

}  // namespace

Program with_former_words(Program program) {
    program.statements = with_lists(program.statements, [&](const Statements& list) {
        Statements all;
        for (const Statement& statement : list) {
            const auto* loop = std::get_if<std::shared_ptr<const LoopStatement>>(&statement);
            if (loop == nullptr || !program.loops[(*loop)->loop].inside || program.loops[(*loop)->loop].alive) {
                all.push_back(statement);
                continue;
            }
            for (Statement& s : HandingOn(program, **loop).run()) all.push_back(std::move(s));
        }
        return all;
    });
    return program;
}

}  // namespace kasc
