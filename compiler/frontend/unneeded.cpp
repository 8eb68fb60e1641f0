#include "frontend/unneeded.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

#include "frontend/ast_parts.hpp"
#include "frontend/constant.hpp"
#include "frontend/mentions.hpp"

namespace kasc::frontend {

namespace {

using NameSet = std::set<std::string>;

class Needs {
public:
    Needs(const Ast& ast, Report& report) : ast_(ast), report_(report) {}

    Ast run() {
        Ast made = ast_;
        for (const ast::Function& function : ast_.functions) reads(*function.body, needs_[called(function.name.text)]);
        for (const ast::Declaration& field : ast_.declarations) {
            if (!field.boundary) continue;
            for (const ast::Faces& faces : field.boundary->faces)
                for (const ast::Face* face : {&faces.low, &faces.high})
                    if (face->argument) reads(*face->argument, needs_[field.name.text]);
        }
        follow(ast_.statements, {});
        outputs(made);
        spread();
        inputs(made);
        made.statements = statements(ast_.statements);
        declarations(made);
        requirements(made);
        std::erase_if(made.axis_lengths, [&](const ast::AxisLength& a) { return left_axes_.contains(a.axis.text); });
        return made;
    }

private:
    const Ast& ast_;
    Report& report_;
    std::map<std::string, NameSet> needs_;  ///< by what is assigned, or by function
    NameSet assigned_;
    NameSet needed_;
    NameSet left_, left_axes_;

    static std::string called(const std::string& function) { return function + "()"; }

    template <class Items>
    [[nodiscard]] static bool has(const Items& items, const std::string& name) {
        return std::any_of(items.begin(), items.end(), [&](const auto& item) {
            if constexpr (requires { item.name; })
                return item.name.text == name;
            else
                return item.text == name;
        });
    }

    [[nodiscard]] std::optional<Constant> option(const std::string& name) const {
        for (const ast::Option& o : ast_.options)
            if (o.name.text == name) return Constant{o.value, o.whole};
        return std::nullopt;
    }

    /// Adds all names that the expression reads with these options. Trees may share parts: each is read once.
    void reads(const ast::Expression& e, NameSet& names) const {
        std::set<const ast::Expression*> seen;
        reads(e, names, seen);
    }
    void reads(const ast::Expression& e, NameSet& names, std::set<const ast::Expression*>& seen) const {
        if (!seen.insert(&e).second) return;
        if (const auto* use = std::get_if<ast::NameUse>(&e.node)) names.insert(use->name);
        if (const auto* call = std::get_if<ast::Call>(&e.node)) names.insert(called(call->callee.text));
        if (const auto* word = std::get_if<ast::WordUse>(&e.node)) reads(*word->cell, names, seen);
        if (const auto* access = std::get_if<ast::Access>(&e.node)) {
            names.insert(access->variable.text);
            for (const ast::Index& index : access->indices) reads(*index.value, names, seen);
        }
        if (const auto* choice = std::get_if<ast::Conditional>(&e.node)) {
            const auto known = constant_of(*choice->condition, [&](const std::string& name) { return option(name); });
            if (known) return reads(known->value != 0 ? *choice->then : *choice->otherwise, names, seen);
        }
        for_each_operand(e, [&](const ast::ExpressionRef& part) { reads(*part, names, seen); });
    }

    /// `around`: what bounds and conditions of the loops around read.
    void follow(const std::vector<ast::Statement>& all, const NameSet& around) {
        for (const ast::Statement& statement : all) {
            if (const auto* assignment = std::get_if<ast::Assignment>(&statement)) {
                NameSet& names = needs_[assignment->target.text];
                assigned_.insert(assignment->target.text);
                names.insert(around.begin(), around.end());
                reads(*assignment->value, names);
                for (const ast::Index& index : assignment->indices) reads(*index.value, names);
                continue;
            }
            const ast::Loop& loop = *std::get<std::shared_ptr<const ast::Loop>>(statement);
            NameSet inner = around;
            for (const ast::ExpressionRef& e : {loop.from, loop.to, loop.condition})
                if (e) reads(*e, inner);
            follow(loop.body, inner);
            follow(loop.otherwise, inner);
        }
    }

    void outputs(Ast& made) {
        std::erase_if(made.outputs, [&](const ast::Name& output) {
            if (assigned_.contains(output.text) || has(ast_.inputs, output.text)) return false;
            const bool elsewhere = is_among(output.text, ast_.mentions.assigned);
            if (elsewhere) made.left_out.push_back(output.text);
            return elsewhere;
        });
        for (const ast::Name& output : made.outputs) needed_.insert(output.text);
        if (!made.outputs.empty() || ast_.outputs.empty()) return;
        report_.error("K0112", "with these options, nothing that is returned is assigned", ast_.outputs.front().span)
            .help = "return something that all options compute, or set others: --set name=1";
    }

    void spread() {
        std::vector<std::string> open(needed_.begin(), needed_.end());
        while (!open.empty()) {
            const auto found = needs_.find(open.back());
            open.pop_back();
            if (found == needs_.end()) continue;
            for (const std::string& name : found->second)
                if (needed_.insert(name).second) open.push_back(name);
        }
    }

    [[nodiscard]] bool is_required(const std::string& name) const {
        return std::any_of(ast_.requirements.begin(), ast_.requirements.end(), [&](const ast::ExpressionRef& r) {
            NameSet names;
            reads(*r, names);
            return names.contains(name);
        });
    }

    void inputs(Ast& made) {
        const auto is_left = [&](const std::string& name) {
            return !needed_.contains(name) && is_among(name, ast_.mentions.read);
        };
        std::erase_if(made.inputs, [&](const ast::Name& input) {
            if (needed_.contains(input.text)) return false;
            if (is_left(input.text)) {
                made.left_out.push_back(input.text);
                return true;
            }
            if (!is_required(input.text) && !is_among(input.text, ast_.mentions.returned))
                report_.warning("K0241", fmt::format("the input '{}' is never used", input.text), input.span);
            needed_.insert(input.text);
            return false;
        });
        std::erase_if(made.uniform, [&](const ast::Declaration& field) {
            if (!is_left(field.name.text)) return false;
            made.left_out.push_back(field.name.text);
            std::erase_if(made.parameters, [&](const ast::Parameter& p) { return p.name.text == field.name.text; });
            return true;
        });
        std::erase_if(made.may_be_uniform, [&](const ast::Name& name) { return is_left(name.text); });
    }

    [[nodiscard]] bool is_mentioned(const std::string& name) const {
        return is_among(name, ast_.mentions.read) || is_among(name, ast_.mentions.returned);
    }

    std::vector<ast::Statement> statements(const std::vector<ast::Statement>& all) {
        std::vector<ast::Statement> kept;
        for (const ast::Statement& statement : all) {
            if (const auto* assignment = std::get_if<ast::Assignment>(&statement)) {
                const std::string& target = assignment->target.text;
                const bool unknown = !has(ast_.declarations, target) && !has(ast_.uniform, target);
                if (needed_.contains(target) || unknown) {
                    kept.push_back(statement);
                } else if (!is_mentioned(target)) {
                    Diagnostic& d = report_.warning("K0245", fmt::format("this value of '{}' is never needed", target),
                                                    assignment->span, "nothing that is returned depends on it");
                    d.help = "remove it, or return what it computes";
                }
                continue;
            }
            auto loop = std::make_shared<ast::Loop>(*std::get<std::shared_ptr<const ast::Loop>>(statement));
            const bool empty = loop->body.empty() && loop->otherwise.empty();
            loop->body = statements(loop->body);
            loop->otherwise = statements(loop->otherwise);
            if (empty || !loop->body.empty() || !loop->otherwise.empty()) kept.emplace_back(std::move(loop));
        }
        return kept;
    }

    void declarations(Ast& made) {
        NameSet kept_axes, gone_axes;
        std::erase_if(made.declarations, [&](const ast::Declaration& field) {
            const std::string& name = field.name.text;
            const bool said = is_mentioned(name) || is_among(name, ast_.mentions.assigned);
            const bool goes = !needed_.contains(name) && (said || assigned_.contains(name));
            if (goes) left_.insert(name);
            if (!goes && !said && !needed_.contains(name))
                report_.warning("K0240", fmt::format("'{}' is never used", name), field.name.span);
            for (const ast::Name& axis : field.axes) (goes ? gone_axes : kept_axes).insert(axis.text);
            return goes;
        });
        for (const ast::Declaration& field : made.uniform)
            for (const ast::Name& axis : field.axes) kept_axes.insert(axis.text);
        // One that no field has is that of reductions, or of lengths.
        for (const ast::AxisLength& length : made.axis_lengths) reads(*length.length, kept_axes);
        for (const ast::AxisLength& length : made.axis_lengths)
            if (is_mentioned(length.axis.text)) gone_axes.insert(length.axis.text);
        kept_axes.insert(needed_.begin(), needed_.end());
        std::set_difference(gone_axes.begin(), gone_axes.end(), kept_axes.begin(), kept_axes.end(),
                            std::inserter(left_axes_, left_axes_.end()));
    }

    void requirements(Ast& made) {
        std::erase_if(made.requirements, [&](const ast::ExpressionRef& requirement) {
            NameSet names;
            reads(*requirement, names);
            // Functions that it calls read by names, too.
            std::vector<std::string> open(names.begin(), names.end());
            while (!open.empty()) {
                const std::string name = open.back();
                open.pop_back();
                if (name.size() < 2 || name.substr(name.size() - 2) != "()") continue;
                if (const auto found = needs_.find(name); found != needs_.end())
                    for (const std::string& inner : found->second)
                        if (names.insert(inner).second) open.push_back(inner);
            }
            return std::any_of(names.begin(), names.end(), [&](const std::string& name) {
                return left_.contains(name) || left_axes_.contains(name) || has(made.left_out, name);
            });
        });
    }
    [[nodiscard]] static bool has(const std::vector<std::string>& all, const std::string& name) {
        return std::find(all.begin(), all.end(), name) != all.end();
    }
};

}  // namespace

Ast without_unneeded(Ast ast, Report& report) {
    if (ast.options.empty() || report.has_errors()) return ast;
    return Needs(ast, report).run();
}

}  // namespace kasc::frontend
