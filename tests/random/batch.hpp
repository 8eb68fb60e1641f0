#pragma once
// Programs of consecutive seeds, checked: every plan of a program against the reference functions.

#include <string>
#include <vector>

#include "random/random_program.hpp"

namespace kasc::random {

/// Programs of these many consecutive seeds share a random library, whose functions are compiled together.
constexpr unsigned programs_a_library = 125;

struct Tally {
    std::size_t programs = 0, with_loops = 0, fusions = 0, refused = 0, kernels = 0, plans = 0, functions = 0,
                barriers = 0, rounds = 0;
    void add(const Tally& other);
};

struct BatchReport {
    Tally tally;
    std::vector<std::string> faults;  ///< a seed, its program shrunk, the plan and what went wrong
};

/// Requires: the seeds first … first + count - 1 have one library, the one of first / programs_a_library.
[[nodiscard]] BatchReport check_batch(unsigned first, unsigned count);

/// The library that the seed's program uses, with those that kasc brings, and the program.
struct SeededProgram {
    std::string library_text;
    Library library;
    RandomProgram program;
};
[[nodiscard]] SeededProgram seeded_program(unsigned seed);

}  // namespace kasc::random
