#pragma once
// What a thread does at its cell in one iteration of the loop, and what iterations hand on to each other.

#include <map>
#include <memory>
#include <set>
#include <string>

#include "lower/field/expression.hpp"
#include "lower/walk/walk.hpp"
#include "schedule/loop/schedule.hpp"

namespace kasc::kernel {

class LoopCells {
public:
    LoopCells(const LoopSchedule& schedule, const Program& program, const Graph& graph);

protected:
    const LoopSchedule& schedule_;
    const LoopWork& work_;
    const Program& program_;
    const Graph& graph_;
    std::unique_ptr<FieldContext> context_;
    /// Where the thread has what a tile holds of its line for this iteration; null: nothing is held in tiles.
    std::function<ExprRef(const LoopTile&)> tile_word_;
    Body words_of_threads_;  ///< declarations of what iterations hand on, where these are arrays of the threads

    [[nodiscard]] FieldContext& c() { return *context_; }

    /// The name of the array of a value of the body, or of one that it stores into.
    std::string array_of(ValueId value);
    ExprRef bound(const ExpressionRef& e);

    ExprRef cells();
    ExprRef number() { return name(c().once("number of the cell", "cell")); }
    /// The coordinates of the thread's cell.
    Body place();

    /// Calls before the loop, and those behind it.
    Body calls_before(Kernel& kernel);
    Body calls_behind(Kernel& kernel);
    /// Before the first iteration: what it is handed.
    Body words_before();
    Body former_before();
    /// Whether this cell goes on, in a loop that cells end by themselves (Loop::alive). Null: another loop.
    Body alive_before();
    ExprRef goes_on();
    /// All statements, and what they hand on; positions that they stand at are checked by the host.
    Body iteration(Kernel& kernel);
    /// Behind the last: words that are results.
    Body words_after();

    void go_on_with(const FieldSchedule& part);
    ExprRef own_cell(VariableId variable);
    [[nodiscard]] Type type_of(VariableId variable) const;
    /// What the first iteration is handed of a word.
    ExprRef first_of(const HandedWord& word);
    /// The word that memory has where the first iteration reads a walked field.
    ExprRef first_of(const FieldRead& read);
    /// There is a first iteration.
    ExprRef runs() { return binary("<", bound(work_.loop.from), bound(work_.loop.to)); }
    /// A read of what one iteration has left to the next. Null: there is none.
    [[nodiscard]] const FieldRead* read_of_former(const WalkedField& field) const;
    void check_positions(Kernel& kernel, const FieldPlan& plan, bool beside) const;

private:
    std::set<std::string> registers_;                  ///< of an iteration, and of what is around it
    std::set<std::string> registers_before_;           ///< of the calls before the loop, which those behind it see
    std::map<const WalkedField*, ExprRef> this_word_;  ///< that this iteration has made

    [[nodiscard]] std::map<ValueId, ValueId> arrays() const;
    [[nodiscard]] std::set<ValueId> stored_into() const;
    ExprRef handed(const std::string& key, const std::string& wish);
    void declare(Body& body, VariableId variable, const ExprRef& word, const ExprRef& first);
    ExprRef word_of_loop(const HandedWord& word);
    ExprRef former_word(const WalkedField& field);
    [[nodiscard]] bool body_made(ValueId value) const;
    Body statement(std::size_t k, Kernel& kernel);
    Body call_beside(std::size_t k, Kernel& kernel);
    [[nodiscard]] bool is_read_behind(std::size_t k) const;
    ExprRef at_hand(std::size_t k, const FieldRead& read);
    Body handed_on();
    [[nodiscard]] std::optional<ValueId> alive() const;
    [[nodiscard]] ExpressionRef with_number(const ExpressionRef& e, const ExpressionRef& number) const;
};

}  // namespace kasc::kernel
