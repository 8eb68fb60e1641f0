#pragma once
// Fields along an axis of few cells, and what stands for each of their cells.

#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "frontend/program.hpp"

namespace kasc::rewriting {

/// Where a statement stands along the axes that have become words.
using Coordinates = std::map<AxisId, long long>;

/// Along an axis of few cells: a thread has a register for each. Loops that sum along it run within a kernel so, others
/// are fast without (64 words of prices in a loop take five seconds of search).
inline constexpr long long most_words = 32, most_words_summed_in_loops = 64;

/// An axis of few cells, or the axes of a window, of few cells together: folds alone run along these, and no field has
/// them beside others.
struct WordAxes {
    std::vector<AxisId> axes;
    std::vector<long long> lengths;
    bool window = false;
    [[nodiscard]] long long cells() const;
    /// Where its k-th cell is, the first axis fastest.
    [[nodiscard]] Coordinates at(long long k) const;
};

class WordFields {
public:
    /// What becomes words of a window are the parts of its folds; other fields stay.
    WordFields(Program& program, const WordAxes& of);

    /// Why a field along the axis cannot be words; empty: all can.
    [[nodiscard]] const std::string& fault() const { return fault_; }
    /// Cells of an axis that becomes words: the axis itself, and those of parts of its sums, which have one.
    [[nodiscard]] std::optional<long long> cells_of(AxisId axis) const;
    /// The place among a field's axes of the one that becomes words; none: it has no such axis. A list over several
    /// axes of a window: all of them.
    [[nodiscard]] std::optional<std::size_t> place_in(VariableId variable) const;
    [[nodiscard]] std::vector<std::size_t> places_in(VariableId variable) const;
    /// A field that stands for one cell of it; null: it stays, as what only inputs have.
    [[nodiscard]] std::optional<VariableId> word(VariableId variable, long long cell) const;
    /// A number of the text that the cell of a list is; null: it is none.
    [[nodiscard]] ExpressionRef constant(VariableId variable, const std::vector<long long>& cell) const;
    /// A list of numbers, whose assignments are done.
    [[nodiscard]] bool is_constant(VariableId variable) const { return constants_.contains(variable); }
    /// Cells along the axis are assigned and read in place: of a series of a loop, of what words of another axis are
    /// copied from and to, of lists that have what is folded of all cells of each word.
    [[nodiscard]] bool stays(VariableId variable) const { return in_place_.contains(variable); }
    /// The statement is over the axis, and neither assigns words nor reads any: lists that stay are all it knows.
    [[nodiscard]] bool is_of_lists(const FieldStatement& statement) const;
    /// Nothing assigns it: it is read in place.
    [[nodiscard]] bool is_given(VariableId variable) const;
    /// Fields that callers hand over or are handed, which words are copied from and to.
    [[nodiscard]] const std::vector<VariableId>& copied_in() const { return copied_in_; }
    [[nodiscard]] const std::vector<VariableId>& copied_out() const { return copied_out_; }
    /// What cell of the field a cell beyond its ends is; none: no other cell, or the field says nothing of it.
    [[nodiscard]] std::optional<long long> cell_at(VariableId variable, long long cell) const;
    /// A statement over the axes that have become words, or one that reads or assigns such a field.
    [[nodiscard]] bool concerns(const FieldStatement& statement) const;

    /// The statement with everything it reads at these coordinates; operands that nothing uses are left out. Says why
    /// not in `fault` where it reads words that no coordinate decides.
    [[nodiscard]] FieldStatement placed(const FieldStatement& statement, const Coordinates& at,
                                        std::string& fault) const;

private:
    Program& program_;
    std::map<AxisId, long long> cells_;
    std::map<VariableId, std::vector<VariableId>> words_;
    std::map<VariableId, std::map<std::vector<long long>, ExpressionRef>> constants_;
    std::set<VariableId> in_place_;
    bool lists_ = false;  ///< fields over the axis alone stay
    std::vector<VariableId> copied_in_, copied_out_;
    std::string fault_;

    /// What the statement assigns, which alone does so, where all of it are numbers of the text.
    void add_constants(const FieldStatement& statement);
    void make_words(VariableId variable);
};

}  // namespace kasc::rewriting
