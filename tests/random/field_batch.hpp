#pragma once
// Field programs of consecutive seeds, checked: every plan of a program against the language's own definition, the
// program printed and read back, and its cells against their words.

#include <map>
#include <string>
#include <vector>

#include "random/field_counts.hpp"

namespace kasc::random {

struct FieldTally {
    std::size_t programs = 0, fusions = 0, refused = 0, plans = 0, kernels = 0, riders = 0, completed = 0;
    std::size_t transforms = 0, cells = 0;       ///< programs that have any
    std::size_t lines = 0;                       ///< plans with kernels that transform lines
    std::size_t loops_of_lines = 0;              ///< kernels that run a loop for whole lines
    std::size_t sums_across = 0;                 ///< kernels that fold rows and across them
    std::size_t words = 0;                       ///< axes, each of a grid, whose cells became words
    std::size_t prologues = 0;                   ///< kernels whose blocks have words before their cells
    std::size_t storing = 0;                     ///< kernels that a transform computes as it stores
    std::map<std::string, std::size_t> rules{};  ///< programs that each rule wrote anew
    CountTally counts{};
    void add(const FieldTally& other);
};

struct FieldReport {
    FieldTally tally;
    std::vector<std::string> faults;  ///< a seed, its program shrunk, the plan and what went wrong
};

[[nodiscard]] FieldReport check_field_programs(unsigned first, unsigned count);
/// One program, with choices and inputs of so many seeds.
[[nodiscard]] FieldReport check_field_text(const std::string& text, unsigned seeds);

}  // namespace kasc::random
