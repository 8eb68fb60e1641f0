#pragma once
// What the names of a program stand for. Parameters, variables and functions share one space, loop variables live as
// long as their loop; axes are apart, so that a field x over an axis x is possible.

#include <map>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "foundation/id.hpp"
#include "frontend/ast.hpp"
#include "frontend/report.hpp"

namespace kasc::frontend {

/// A declaration at fault: its name is known, so that its uses are not reported again.
struct Faulty {};
struct FunctionIndex {
    std::size_t index;
};  ///< into Ast::functions
struct OptionIndex {
    std::size_t index;
};  ///< into Ast::options
using Meaning = std::variant<Faulty, ParameterId, VariableId, FunctionIndex, LoopId, OptionIndex>;

struct Symbol {
    Meaning meaning;
    Span span;
    bool used = false;
};

class Names {
public:
    /// Reports a name that is declared twice; the first declaration stays.
    void declare(const ast::Name& name, Meaning meaning, Report& report);
    void enter_loop(const ast::Name& name, LoopId loop, Report& report);
    void leave_loop(const ast::Name& name, LoopId loop);

    /// Null: never declared. Marks the name as used.
    [[nodiscard]] const Symbol* use(const std::string& name);
    [[nodiscard]] const Symbol* find(const std::string& name) const;
    /// All names in order, for suggestions.
    [[nodiscard]] std::vector<std::string> all() const;

private:
    std::map<std::string, Symbol> symbols_;
};

/// "a parameter", "a field" …
[[nodiscard]] const char* describe(const Meaning& meaning, const Program& program);

}  // namespace kasc::frontend
