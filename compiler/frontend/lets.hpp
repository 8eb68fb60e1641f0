#pragma once
// Names for expressions: `let g = u[x + 1] - u;`. Where the name stands, the expression is read, the same tree each
// time.
//
// A name is known to the end of its block or function. Trees of names in names could be deep, and large when each use
// is counted: what is made of them is bounded where it is written.
//
// A name means what its fields were where it was written. Where a field is assigned as a whole between a name and its
// use, what the field was is kept by a statement of its own:
//
//     let rain = min(c, k*c);        qc_before = qc;
//     qc = qc - rain;                qc = qc - min(c, k*c);           of qc itself
//     qr = qr + rain;                qr = qr + min(c, k*c);           of qc_before

#include <cstddef>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "frontend/ast.hpp"
#include "frontend/report.hpp"

namespace kasc::frontend {

class Lets {
public:
    using Statements = std::vector<ast::Statement>;

    /// `names`: all that the program's texts say.
    Lets(Ast& ast, const std::set<std::string>& names) : ast_(ast), names_(names), lists_{&ast.statements} {}

    struct Let {
        ast::Name name;
        ast::ExpressionRef value;  ///< null: the name is something else in this scope
        std::size_t nodes = 1;     ///< of the tree, each use of a name counted
        std::size_t depth = 1;
        std::map<std::string, std::vector<ast::Access>> reads{};  ///< by name, where it is read
        std::set<std::string> within{};                           ///< names that functions read which it calls
        std::size_t time = 0;
        std::size_t scope = 0;
        Statements* list = nullptr;  ///< in which it stands
    };

    void enter_scope() { scopes_.push_back(all_.size()); }
    void leave_scope();
    [[nodiscard]] std::size_t scope() const { return scopes_.size(); }
    void declare(ast::Name name, ast::ExpressionRef value, std::size_t nodes, std::size_t depth);
    /// An argument of a function has the name.
    void hide(const ast::Name& name) { all_.push_back(std::make_shared<const Let>(Let{name, nullptr})); }
    /// Null: no let.
    [[nodiscard]] std::shared_ptr<const Let> find(const std::string& name) const;
    /// A let is used here, and reads what the result says: where a field was assigned since, what that was before.
    /// K0119 where nothing keeps that, so that the name would mean something else than where it was written.
    [[nodiscard]] std::shared_ptr<const Let> use(std::shared_ptr<const Let> let, const Span& span, Report& report);
    /// A field is assigned here, at these positions or as a whole, by the next statement of the list.
    void assign(const ast::Name& target, const std::vector<ast::Index>& positions);
    /// The statements between stand in a list of their own.
    void enter_list(Statements& list) { lists_.push_back(&list); }
    void leave_list() { lists_.pop_back(); }
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
        std::map<const Statements*, std::size_t> places;  ///< where it stands in each list around
        std::string before{};                             ///< the field that keeps what was there; empty: none
    };
    /// The first assignment since `time` of a field that the let reads; `apart`: of one of the cells that it reads.
    [[nodiscard]] Assigned* assigned_since(std::size_t time, const Let& let, bool apart, std::string& field);
    /// The let with what the field was before the assignment in its place; null: nothing can keep that.
    [[nodiscard]] std::shared_ptr<const Let> kept(const std::shared_ptr<const Let>& let, const std::string& field,
                                                  Assigned& by);
    /// Declares a field for what this one was, and assigns it ahead of the assignment; false: it is no such field.
    [[nodiscard]] bool keep(const std::string& field, Assigned& by, Statements& list);
    [[nodiscard]] std::string free_name(const std::string& wish) const;
    void add_reads(const ast::Expression& e, Let& let) const;
    void add_reads_within(const ast::Call& call, std::set<std::string>& names, std::set<std::string>& seen) const;
    void report_stale(const Let& let, const std::string& field, const Assigned& by, const Span& span, Report& report);

    Ast& ast_;
    const std::set<std::string>& names_;
    std::vector<Statements*> lists_;  ///< those around, the innermost last
    std::vector<std::shared_ptr<const Let>> all_;
    std::vector<std::size_t> scopes_;
    std::vector<OpenLoop> loops_;
    std::vector<Use> uses_;                                  ///< in loops
    std::map<std::string, std::vector<Assigned>> assigned_;  ///< in their order
    std::size_t time_ = 0;
};

}  // namespace kasc::frontend
