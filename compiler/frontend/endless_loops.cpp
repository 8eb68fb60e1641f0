#include "frontend/endless_loops.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "frontend/ast_parts.hpp"
#include "frontend/cell_conditions.hpp"
#include "frontend/declared_names.hpp"

namespace kasc::frontend {

namespace {

using LoopRef = std::shared_ptr<const ast::Loop>;

/// In the order of the text.
void add_names(const ast::Expression& e, std::vector<std::string>& names) {
    const auto add = [&](const std::string& name) {
        if (std::find(names.begin(), names.end(), name) == names.end()) names.push_back(name);
    };
    if (const auto* use = std::get_if<ast::NameUse>(&e.node)) add(use->name);
    if (const auto* word = std::get_if<ast::WordUse>(&e.node)) add_names(*word->cell, names);
    if (const auto* access = std::get_if<ast::Access>(&e.node)) {
        add(access->variable.text);
        for (const ast::Index& index : access->indices) {
            if (index.value) add_names(*index.value, names);
        }
    }
    for_each_operand(e, [&](const ast::ExpressionRef& part) { add_names(*part, names); });
}

void add_assigned(const std::vector<ast::Statement>& statements, std::set<std::string>& names) {
    for (const ast::Statement& statement : statements) {
        if (const auto* loop = std::get_if<LoopRef>(&statement)) {
            add_assigned((*loop)->body, names);
            add_assigned((*loop)->otherwise, names);
        } else {
            names.insert(std::get<ast::Assignment>(statement).target.text);
        }
    }
}

class Endless {
public:
    Endless(const Ast& ast, Report& report) : ast_(ast), report_(report), declared_(declared_names(ast)) {}

    void look_through(const std::vector<ast::Statement>& statements) {
        for (const ast::Statement& statement : statements) {
            const auto* loop = std::get_if<LoopRef>(&statement);
            if (loop == nullptr) continue;
            if ((*loop)->condition && !(*loop)->once) look_at(**loop);
            look_through((*loop)->body);
            look_through((*loop)->otherwise);
        }
    }

private:
    const Ast& ast_;
    Report& report_;
    const std::set<std::string> declared_;

    [[nodiscard]] bool is_declared(const std::string& name) const {
        const auto has = [&](const auto& items) {
            return std::any_of(items.begin(), items.end(), [&](const auto& item) { return item.name.text == name; });
        };
        return has(ast_.declarations) || has(ast_.parameters) || has(ast_.options);
    }
    void look_at(const ast::Loop& loop) {
        std::vector<std::string> named;
        add_names(*loop.condition, named);
        std::set<std::string> changed;
        add_assigned(loop.body, changed);
        // What is not declared is said elsewhere.
        if (!std::all_of(named.begin(), named.end(), [&](const std::string& name) { return is_declared(name); }))
            return;
        const bool counted = loop.from != nullptr;
        if (counted) changed.insert(loop.variable.text);
        std::set<std::string> read;
        frontend::add_names(*loop.condition, ast_, read);
        if (std::any_of(read.begin(), read.end(), [&](const std::string& name) { return changed.contains(name); }))
            return;
        // What is no condition, or names what is not declared, is told of by itself.
        if (!std::includes(declared_.begin(), declared_.end(), read.begin(), read.end())) return;
        Diagnostic& d =
            counted ? report_.warning("K0262", "the condition is the same in every iteration", loop.condition->span)
                    : report_.error("K0262", "the loop never ends: its condition is the same in every iteration",
                                    loop.condition->span);
        std::vector<std::string> fields;
        std::copy_if(named.begin(), named.end(), std::back_inserter(fields), [&](const std::string& name) {
            return std::any_of(ast_.declarations.begin(), ast_.declarations.end(),
                               [&](const ast::Declaration& declared) { return declared.name.text == name; });
        });
        d.help = fields.empty() ? "let it compare a field that the body assigns"
                                : fmt::format("assign {} in the body, or put an if around the loop", fields.front());
    }
};

}  // namespace

void check_endless_loops(const Ast& ast, Report& report) { Endless(ast, report).look_through(ast.statements); }

}  // namespace kasc::frontend
