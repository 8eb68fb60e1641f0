#pragma once
// The same mathematics with less work: a program written anew by named rules, each of which says where it was applied
// and where not, and why. In exact arithmetic the results are the same; in floating point they may differ by rounding.

#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "foundation/verdict.hpp"
#include "frontend/program.hpp"

namespace kasc {

/// In the order in which they are tried.
///   uniform  a field that was assigned one number for all cells is that number where it is read; rounds where a
///            product in a sum becomes a number
///   equal    a transform that was computed already is not computed again
///   inverse  the transform of an inverse transform is what that was made of: F(a F⁻¹(X) + b F⁻¹(Y)) = n (a X + b Y)
///   linear   a sum of transforms is the transform of the sum: a F(x) + b F(y) = F(a x + b y), a and b uniform
///   unroll   iterations of a loop that stays at its cell stand one behind the other, some at a time
///   copies   entries of a list that add integers to few cells add to copies of them, which are summed up; done where
///            that pays (rewrite/copy_cells.hpp), by the driver
///   words    an axis of few cells is words of the cells along the others; done where the model finds it faster
///            (rewrite/axis_words.hpp), by the driver
///   pieces   running sums along few long lines are of pieces that stand side by side; done where the model finds it
///            faster (rewrite/running_pieces.hpp), by the driver
///   gather   a field that is read at positions alone is made where it is read; done where the model finds it faster
///            (rewrite/gathered_fields.hpp), by the driver
///   tables   a part of a statement that is the same along some of its axes is computed once into a field over the
///            others; done where the model finds it faster (rewrite/axis_tables.hpp), by the driver
///   rotate   numbers that a step begins with, made of sums of what the step before has made, are made at its end; done
///            where the model finds it faster (rewrite/rotated_loops.hpp), by the driver
///   colours  updates in turns are statements of whole fields, which may stand in one kernel; done where the model
///            finds it faster (rewrite/whole_colours.hpp), by the driver
///   boxes    a statement that leaves cells as they were by a condition on coordinates updates the others in place;
///            done where the model finds it faster (rewrite/boxes.hpp), by the driver
///   remake   a field that was made before a loop of lines and numbers is made anew where the loop reads it; done where
///            the model finds it faster (rewrite/remake_fields.hpp), by the driver
///   inside   a loop whose iterations stay at a cell, or go along a line that is each cell's own, runs inside a kernel;
///            done where the model finds it faster (rewrite/inner_loops.hpp), by the driver
///   passes   a transform over several axes is one along each, where kernels transform lines; done where the model
///            finds it faster (rewrite/transform_passes.hpp), by the driver
///   steps    several steps of a loop that reads neighbours stand one behind the other, as many as the model finds best
///            (rewrite/several_steps.hpp), by the driver
///   modes    n linear steps that are the same in all cells are a product of a field's waves with the n-th power of a
///            number each; done where it is asked for, and the model finds it faster (rewrite/modes.hpp), by the driver
enum class Rule {
    uniform,
    equal,
    inverse,
    linear,
    unroll,
    copies,
    words,
    pieces,
    gather,
    tables,
    rotate,
    colours,
    boxes,
    passes,
    remake,
    inside,
    steps,
    modes
};

[[nodiscard]] const char* name_of(Rule rule);
[[nodiscard]] std::vector<std::string> rule_names();
[[nodiscard]] std::optional<Rule> find_rule(std::string_view name);
/// Names of rules that are left alone unless they are asked for: they round otherwise than steps do, and none asked.
[[nodiscard]] std::vector<std::string> asked_rule_names();
/// Rules by name; "all" is every one, other names are passed over.
[[nodiscard]] std::set<Rule> rules_of(const std::vector<std::string>& names);
/// Their names in one text: of programs with other rules, results may be others. Empty for none.
[[nodiscard]] std::string left_out_text(const std::set<Rule>& rules);
/// The same of rules that were asked for.
[[nodiscard]] std::string asked_text(const std::set<Rule>& rules);

struct RewriteVerdict {
    Rule rule = Rule::uniform;
    std::string statement;  ///< that was, or was not, written anew
    Verdict verdict;
};

struct Rewriting {
    /// Ids of the program stay, new variables and loops have the last; inputs, outputs, parameters and axes are
    /// the same.
    Program program;
    std::vector<RewriteVerdict> verdicts;  ///< in the order of rules, then of statements
    bool changed = false;
    bool rounds = false;  ///< results may differ from the program's as written in their last places
};

/// Requires: a program over fields; others stay as they are.
[[nodiscard]] Rewriting rewrite(const Program& program, const std::set<Rule>& left_out = {});

/// By how much results may differ, relative to the largest of them: 0 unless `rounds`.
[[nodiscard]] double rounding_tolerance(const Rewriting& rewriting);

}  // namespace kasc
