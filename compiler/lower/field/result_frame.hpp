#pragma once
// A kernel that completes folds within its block: what it folds in parts, joins, and makes of the results.

#include <memory>
#include <string>
#include <vector>

#include "lower/field/fold.hpp"

namespace kasc::kernel {

/// The kernel while it is written. Its parts, folded cells, joins and words of results, go on with one context.
class ResultFrame {
protected:
    /// `first`: the part that is written first.
    ResultFrame(const FieldSchedule& first, const Fusion& fusion, const Program& program, const Graph& graph)
        : program_(program), context_(std::make_unique<FieldContext>(first, program, graph)), fusion_(fusion) {}

    const Program& program_;
    std::unique_ptr<FieldContext> context_;
    Body private_;                           ///< what each thread has across barriers
    std::vector<std::string> region_names_;  ///< of the block program's in shared memory, in its order
    std::vector<Type> region_types_;

    [[nodiscard]] FieldContext& c() { return *context_; }
    void go_on_with(const FieldSchedule& part);
    [[nodiscard]] const std::string& variable_name(ValueId value);
    [[nodiscard]] Type word_register(ValueId value);
    [[nodiscard]] std::string coordinate(AxisId axis);
    void name_region(const std::string& n, Type type);
    /// A word of the parts' array.
    [[nodiscard]] ExprRef part_word(const FoldedCall& f, const ExprRef& sum);
    /// The word of a result in a register of its own, which calls behind it read; its store, where others need it.
    ExprRef keep_result(Body& body, Body& stores, const FieldCall& call, const ExprRef& value);
    /// What is made of results, each call's value in turn.
    [[nodiscard]] std::vector<std::pair<const FieldCall*, ExprRef>> words_made(Body& body, const FieldSchedule& words);

private:
    const Fusion& fusion_;
};

[[nodiscard]] bool holds(const std::vector<ValueId>& values, ValueId value);

}  // namespace kasc::kernel
