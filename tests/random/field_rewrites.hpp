#pragma once
// What rules write anew of a program (rewrite/rewrite.hpp), compared with the program as written, both evaluated
// statement by statement.

#include <set>
#include <string>
#include <vector>

#include "random/field_run.hpp"
#include "rewrite/rewrite.hpp"

namespace kasc::random {

struct RewrittenProgram {
    Program program;
    bool rounds = false;            ///< its results may differ in their last places
    std::set<std::string> rules{};  ///< that were applied, for the reader
};
/// The program by the rules that do not round, by all, and what remakes fields of the last; those that differ.
[[nodiscard]] std::vector<RewrittenProgram> rewritten_programs(const Program& program);

/// Empty, or what is wrong: the results differ, to the bit where no rule rounds, else by more than rounding can do.
[[nodiscard]] std::string check_rewritten(const Program& program, const RewrittenProgram& rewritten,
                                          const FieldRunCase& run);
/// The same of the program with each axis as words that may be (rewrite/axis_words.hpp), which counts `words`.
[[nodiscard]] std::string check_words(const Program& program, const Library& library, const FieldRunCase& run,
                                      std::size_t& words);

/// The same with all of its reals in double.
[[nodiscard]] Program in_double(Program program);
/// Results in double that are far off, beside results of other transforms of the same; what grew beyond all numbers
/// says nothing.
[[nodiscard]] std::string far_off(const Program& program, const std::vector<test::Cells>& expected,
                                  const std::vector<test::Cells>& found, const FieldRunCase& run);

/// By how much results may differ, output by output, where every transform's rounding may make up `rounding` of its
/// largest word: what a disturbance of so much changes. Not a number where that is not finite.
[[nodiscard]] std::vector<double> allowed_differences(const Program& program, const FieldRunCase& run, double rounding);

/// Empty, or the first word that differs; to the bit.
[[nodiscard]] std::string difference(const Program& program, const std::vector<test::Cells>& expected,
                                     const std::vector<test::Cells>& found);

}  // namespace kasc::random
