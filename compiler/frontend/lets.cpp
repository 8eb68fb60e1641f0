#include "frontend/lets.hpp"

#include <fmt/format.h>

#include "frontend/ast_parts.hpp"

namespace kasc::frontend {

namespace {

void add_names(const ast::Expression& e, std::set<std::string>& names) {
    if (const auto* use = std::get_if<ast::NameUse>(&e.node)) names.insert(use->name);
    if (const auto* access = std::get_if<ast::Access>(&e.node)) {
        names.insert(access->variable.text);
        for (const ast::Index& index : access->indices) add_names(*index.value, names);
    }
    if (const auto* word = std::get_if<ast::WordUse>(&e.node)) add_names(*word->cell, names);
    for_each_operand(e, [&](const ast::ExpressionRef& operand) { add_names(*operand, names); });
}

}  // namespace

void Lets::leave_scope() {
    all_.resize(scopes_.back());
    scopes_.pop_back();
}

void Lets::declare(ast::Name name, ast::ExpressionRef value, std::size_t nodes, std::size_t depth) {
    Let let{std::move(name), std::move(value), nodes, depth, {}, time_, scope()};
    add_names(*let.value, let.reads);
    all_.push_back(std::make_shared<const Let>(std::move(let)));
}

std::shared_ptr<const Lets::Let> Lets::find(const std::string& name) const {
    for (auto let = all_.rbegin(); let != all_.rend(); ++let)
        if ((*let)->name.text == name) return (*let)->value ? *let : nullptr;
    return nullptr;
}

void Lets::report_stale(const Let& let, const std::string& field, const Span& span, Report& report) {
    Diagnostic& d = report.error(
        "K0119", fmt::format("'{}' would read '{}' as it is here, not as it was", let.name.text, field), span);
    d.notes.push_back({let.name.span, fmt::format("'{}' is a name for an expression, given here", let.name.text)});
    d.notes.push_back({assigned_.at(field).span, fmt::format("'{}' is assigned here", field)});
    d.help = "a 'let' stores nothing: write it behind the assignment, or assign its value to a field";
}

void Lets::use(const std::shared_ptr<const Let>& let, const Span& span, Report& report) {
    for (const std::string& name : let->reads) {
        if (let->time == time_) break;  // nothing was assigned
        const auto assigned = assigned_.find(name);
        if (assigned == assigned_.end() || assigned->second.time <= let->time) continue;
        return report_stale(*let, name, span, report);
    }
    if (!loops_.empty()) uses_.push_back({let, span});
}

void Lets::assign(const ast::Name& target) { assigned_[target.text] = {++time_, target.span}; }

void Lets::leave_loop(Report& report) {
    const OpenLoop loop = loops_.back();
    loops_.pop_back();
    for (std::size_t k = loop.first_use; k < uses_.size(); ++k) {
        const Use& use = uses_[k];
        if (use.let->time >= loop.time) continue;  // of the body
        for (const std::string& name : use.let->reads) {
            const auto assigned = assigned_.find(name);
            if (assigned == assigned_.end() || assigned->second.time <= loop.time) continue;
            report_stale(*use.let, name, use.span, report);
            break;
        }
    }
    if (loops_.empty()) uses_.clear();
}

}  // namespace kasc::frontend
