#include "frontend/lets.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "frontend/ast_parts.hpp"

namespace kasc::frontend {

namespace {

void add_reads(const ast::Expression& e, std::map<std::string, std::vector<ast::Access>>& reads) {
    if (const auto* use = std::get_if<ast::NameUse>(&e.node)) reads[use->name].push_back({{use->name, e.span}, {}});
    if (const auto* access = std::get_if<ast::Access>(&e.node)) {
        reads[access->variable.text].push_back(*access);
        for (const ast::Index& index : access->indices) add_reads(*index.value, reads);
    }
    if (const auto* word = std::get_if<ast::WordUse>(&e.node)) add_reads(*word->cell, reads);
    for_each_operand(e, [&](const ast::ExpressionRef& operand) { add_reads(*operand, reads); });
}

/// k - 1: a name, or none, and an integer.
struct Place {
    std::string name;
    long long cells = 0;
};
std::optional<Place> place_of(const ast::Expression& e) {
    if (const auto* use = std::get_if<ast::NameUse>(&e.node)) return Place{use->name, 0};
    if (const auto* number = std::get_if<ast::Number>(&e.node)) {
        constexpr std::size_t most_digits = 9;
        if (number->form != ast::NumberForm::integer || number->text.size() > most_digits) return std::nullopt;
        return Place{"", std::stoll(number->text)};
    }
    const auto* b = std::get_if<ast::Binary>(&e.node);
    if (b == nullptr || (b->op != BinaryOperator::add && b->op != BinaryOperator::subtract)) return std::nullopt;
    const auto left = place_of(*b->left), right = place_of(*b->right);
    if (!left || !right || !right->name.empty()) return std::nullopt;
    return Place{left->name, left->cells + (b->op == BinaryOperator::add ? right->cells : -right->cells)};
}

/// The two are at different positions along an axis: one at k, the other at k - 1.
bool are_apart(const std::vector<ast::Index>& a, const std::vector<ast::Index>& b) {
    for (const ast::Index& one : a) {
        for (const ast::Index& other : b) {
            if (!one.axis || !other.axis || one.axis->text != other.axis->text) continue;
            const auto here = place_of(*one.value), there = place_of(*other.value);
            if (here && there && here->name == there->name && here->cells != there->cells) return true;
        }
    }
    return false;
}

}  // namespace

void Lets::leave_scope() {
    all_.resize(scopes_.back());
    scopes_.pop_back();
}

void Lets::declare(ast::Name name, ast::ExpressionRef value, std::size_t nodes, std::size_t depth) {
    Let let{std::move(name), std::move(value), nodes, depth, {}, time_, scope()};
    add_reads(*let.value, let.reads);
    all_.push_back(std::make_shared<const Let>(std::move(let)));
}

std::shared_ptr<const Lets::Let> Lets::find(const std::string& name) const {
    for (auto let = all_.rbegin(); let != all_.rend(); ++let)
        if ((*let)->name.text == name) return (*let)->value ? *let : nullptr;
    return nullptr;
}

const Lets::Assigned* Lets::assigned_since(std::size_t time, const Let& let, bool apart, std::string& field) const {
    for (const auto& [name, reads] : let.reads) {
        const auto all = assigned_.find(name);
        if (all == assigned_.end()) continue;
        for (auto by = all->second.rbegin(); by != all->second.rend() && by->time > time; ++by) {
            const bool touched = std::any_of(reads.begin(), reads.end(), [&](const ast::Access& read) {
                return !apart || !are_apart(read.indices, by->positions);
            });
            if (!touched) continue;
            field = name;
            return &*by;
        }
    }
    return nullptr;
}

void Lets::report_stale(const Let& let, const std::string& field, const Assigned& by, const Span& span,
                        Report& report) {
    Diagnostic& d = report.error(
        "K0119", fmt::format("'{}' would read '{}' as it is here, not as it was", let.name.text, field), span);
    d.notes.push_back({let.name.span, fmt::format("'{}' is a name for an expression, given here", let.name.text)});
    d.notes.push_back({by.span, fmt::format("'{}' is assigned here", field)});
    d.help = "a 'let' stores nothing: write it behind the assignment, or assign its value to a field";
}

void Lets::use(const std::shared_ptr<const Let>& let, const Span& span, Report& report) {
    std::string field;
    if (const Assigned* by = let->time == time_ ? nullptr : assigned_since(let->time, *let, true, field))
        return report_stale(*let, field, *by, span, report);
    if (!loops_.empty()) uses_.push_back({let, span});
}

void Lets::assign(const ast::Name& target, const std::vector<ast::Index>& positions) {
    assigned_[target.text].push_back({++time_, target.span, positions});
}

void Lets::leave_loop(Report& report) {
    const OpenLoop loop = loops_.back();
    loops_.pop_back();
    for (std::size_t k = loop.first_use; k < uses_.size(); ++k) {
        const Use& use = uses_[k];
        if (use.let->time >= loop.time) continue;  // of the body
        std::string field;
        // At k in one iteration is at k - 1 in the next.
        if (const Assigned* by = assigned_since(loop.time, *use.let, false, field))
            report_stale(*use.let, field, *by, use.span, report);
    }
    if (loops_.empty()) uses_.clear();
}

}  // namespace kasc::frontend
