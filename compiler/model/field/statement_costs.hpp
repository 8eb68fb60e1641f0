#pragma once
// What statements take by themselves, in whichever kernels they stand: looked at once for all fusions of a graph.

#include <cstdint>
#include <map>
#include <utility>
#include <vector>

#include "graph/graph.hpp"

namespace kasc::model {

/// A part of a statement's value, or of a position that cells compute for one of its operands.
struct CodePart {
    enum class Kind : std::uint8_t { uniform, word, coordinate, operation };
    const Expression* part = nullptr;
    Kind kind = Kind::operation;
    double instructions = 0;                ///< its own; none: it is a product that is added to something
    std::vector<std::uint32_t> operands{};  ///< of an operation, or a word's computed positions: parts before it
};

struct StatementCost {
    double instructions = 0;  ///< instruction_count
    int slow_paths = 0;
};

class StatementCosts {
public:
    /// Statements' values must live as long as this.
    [[nodiscard]] const StatementCost& of(const FieldStatement& statement);
    /// Each part once, behind its own.
    [[nodiscard]] const std::vector<CodePart>& code_of(const FieldStatement& statement);

private:
    using Key = std::pair<const Expression*, Precision>;
    std::map<Key, StatementCost> known_;
    std::map<Key, std::vector<CodePart>> code_;
};

}  // namespace kasc::model
