#pragma once
// Stream programs drawn at random, as a small tree that can be shrunk and printed.

#include <string>
#include <vector>

#include "library/library.hpp"

namespace kasc::random {

struct RandomStatement {
    // A call: target = callee(arguments), by number of variable.
    std::string callee;
    int target = 0;
    std::vector<int> arguments;
    // A loop, where callee is empty.
    std::string bound;  ///< a literal, or the name of a parameter
    std::vector<RandomStatement> body;
};

struct RandomProgram {
    std::vector<std::string> types;  ///< by variable
    std::vector<int> parameters;     ///< their values when none is given: p0, p1, …
    std::vector<RandomStatement> statements;
    std::vector<int> outputs;
    bool requires_number = false;  ///< a further parameter, of which a requirement speaks and nothing else
};

[[nodiscard]] RandomProgram random_program(unsigned seed, const Library& library);

/// Source text. What is read, or returned, without certainly having a value is an input.
[[nodiscard]] std::string text_of(const RandomProgram& program);

/// The program without its k-th statement, a loop with its body counting as one before its body; none beyond the last.
[[nodiscard]] bool drop_statement(RandomProgram& program, std::size_t k);

}  // namespace kasc::random
