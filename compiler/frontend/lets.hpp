#pragma once
// Names for expressions: `let g = u[x + 1] - u;`. Where the name stands, the expression is read, the same tree each
// time.
//
// A name is known to the end of its block or function. Trees of names in names could be deep, and large when each use
// is counted: what is made of them is bounded where it is written.

#include <cstddef>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "frontend/ast.hpp"
#include "frontend/report.hpp"

namespace kasc::frontend {

class Lets {
public:
    struct Let {
        ast::Name name;
        ast::ExpressionRef value;  ///< null: the name is something else in this scope
        std::size_t nodes = 1;     ///< of the tree, each use of a name counted
        std::size_t depth = 1;
        std::map<std::string, std::vector<ast::Access>> reads{};  ///< by name, where it is read
        std::size_t time = 0;
        std::size_t scope = 0;
    };

    void enter_scope() { scopes_.push_back(all_.size()); }
    void leave_scope();
    [[nodiscard]] std::size_t scope() const { return scopes_.size(); }
    void declare(ast::Name name, ast::ExpressionRef value, std::size_t nodes, std::size_t depth);
    /// An argument of a function has the name.
    void hide(const ast::Name& name) {
        all_.push_back(std::make_shared<const Let>(Let{name, nullptr, 1, 1, {}, 0, 0}));
    }
    /// Null: no let.
    [[nodiscard]] std::shared_ptr<const Let> find(const std::string& name) const;
    /// A let is used here: K0119 where a field that it reads was assigned since, so that it would mean something else
    /// than where it was written.
    void use(const std::shared_ptr<const Let>& let, const Span& span, Report& report);
    /// A field is assigned here, at these positions or as a whole.
    void assign(const ast::Name& target, const std::vector<ast::Index>& positions);
    /// The statements between stand in a loop: what an iteration assigns, the next one reads.
    void enter_loop() { loops_.push_back({++time_, uses_.size()}); }
    void leave_loop(Report& report);

private:
    struct Use {
        std::shared_ptr<const Let> let;
        Span span;
    };
    struct OpenLoop {
        std::size_t time, first_use;
    };
    struct Assigned {
        std::size_t time;
        Span span;
        std::vector<ast::Index> positions;
    };
    /// The first assignment since `time` of a field that the let reads; `apart`: of one of the cells that it reads.
    [[nodiscard]] const Assigned* assigned_since(std::size_t time, const Let& let, bool apart,
                                                 std::string& field) const;
    void report_stale(const Let& let, const std::string& field, const Assigned& by, const Span& span, Report& report);

    std::vector<std::shared_ptr<const Let>> all_;
    std::vector<std::size_t> scopes_;
    std::vector<OpenLoop> loops_;
    std::vector<Use> uses_;                                  ///< in loops
    std::map<std::string, std::vector<Assigned>> assigned_;  ///< in their order
    std::size_t time_ = 0;
};

}  // namespace kasc::frontend
