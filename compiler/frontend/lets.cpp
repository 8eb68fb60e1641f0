#include "frontend/lets.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "frontend/ast_parts.hpp"

namespace kasc::frontend {

namespace {

/// Where the expression says a name by itself, as an access with no indices, or reads one, and what it calls; also in
/// positions and cells.
template <class Read, class Called>
void for_each_read(const ast::Expression& e, const Read& read, const Called& called) {
    const auto within = [&](const ast::ExpressionRef& part) { for_each_read(*part, read, called); };
    if (const auto* use = std::get_if<ast::NameUse>(&e.node)) read(ast::Access{{use->name, e.span}, {}});
    if (const auto* access = std::get_if<ast::Access>(&e.node)) {
        read(*access);
        for (const ast::Index& index : access->indices) within(index.value);
    }
    if (const auto* word = std::get_if<ast::WordUse>(&e.node)) within(word->cell);
    if (const auto* call = std::get_if<ast::Call>(&e.node)) called(*call, e.span);
    for_each_operand(e, within);
}

/// The expression with another name for a field.
ast::ExpressionRef with_name(const ast::ExpressionRef& e, const std::string& name, const std::string& other) {
    const auto again = [&](const ast::ExpressionRef& part) { return part ? with_name(part, name, other) : part; };
    ast::Expression copy = *e;
    if (auto* use = std::get_if<ast::NameUse>(&copy.node)) {
        if (use->name != name) return e;
        use->name = other;
    } else if (auto* access = std::get_if<ast::Access>(&copy.node)) {
        if (access->variable.text == name) access->variable.text = other;
        for (ast::Index& index : access->indices) index.value = again(index.value);
    } else if (auto* call = std::get_if<ast::Call>(&copy.node)) {
        for (ast::ExpressionRef& argument : call->arguments) argument = again(argument);
    } else if (auto* unary = std::get_if<ast::Unary>(&copy.node)) {
        unary->operand = again(unary->operand);
    } else if (auto* binary = std::get_if<ast::Binary>(&copy.node)) {
        binary->left = again(binary->left);
        binary->right = again(binary->right);
    } else if (auto* choice = std::get_if<ast::Conditional>(&copy.node)) {
        choice->condition = again(choice->condition);
        choice->then = again(choice->then);
        choice->otherwise = again(choice->otherwise);
    } else if (auto* word = std::get_if<ast::WordUse>(&copy.node)) {
        word->cell = again(word->cell);
    } else {
        return e;
    }
    return std::make_shared<const ast::Expression>(std::move(copy));
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
    Let let{std::move(name), std::move(value), nodes, depth};
    let.time = time_;
    let.scope = scope();
    let.list = lists_.back();
    add_reads(*let.value, let);
    all_.push_back(std::make_shared<const Let>(std::move(let)));
}

void Lets::add_reads(const ast::Expression& e, Let& let) const {
    for_each_read(
        e, [&](const ast::Access& read) { let.reads[read.variable.text].push_back(read); },
        [&](const ast::Call& call, const Span& span) {
            std::set<std::string> names, seen;
            add_reads_within(call, names, seen);
            for (const std::string& name : names) {
                let.reads[name].push_back({{name, span}, {}});
                let.within.insert(name);
            }
        });
}

/// What the functions' texts say that the program calls so, but for their arguments.
void Lets::add_reads_within(const ast::Call& call, std::set<std::string>& names, std::set<std::string>& seen) const {
    const auto function = std::find_if(ast_.functions.begin(), ast_.functions.end(),
                                       [&](const ast::Function& f) { return f.name.text == call.callee.text; });
    if (function == ast_.functions.end() || !function->body || !seen.insert(call.callee.text).second) return;
    const auto is_argument = [&](const std::string& name) {
        return std::any_of(function->arguments.begin(), function->arguments.end(),
                           [&](const ast::Name& argument) { return argument.text == name; });
    };
    for_each_read(
        *function->body,
        [&](const ast::Access& read) {
            if (!is_argument(read.variable.text)) names.insert(read.variable.text);
        },
        [&](const ast::Call& inner, const Span&) { add_reads_within(inner, names, seen); });
}

std::shared_ptr<const Lets::Let> Lets::find(const std::string& name) const {
    for (auto let = all_.rbegin(); let != all_.rend(); ++let)
        if ((*let)->name.text == name) return (*let)->value ? *let : nullptr;
    return nullptr;
}

Lets::Assigned* Lets::assigned_since(std::size_t time, const Let& let, bool apart, std::string& field) {
    for (const auto& [name, reads] : let.reads) {
        const auto all = assigned_.find(name);
        if (all == assigned_.end()) continue;
        for (auto by = all->second.begin(); by != all->second.end(); ++by) {
            if (by->time <= time) continue;
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

std::string Lets::free_name(const std::string& wish) const {
    const auto is_taken = [&](const std::string& name) {
        return names_.contains(name) || std::any_of(ast_.declarations.begin(), ast_.declarations.end(),
                                                    [&](const ast::Declaration& d) { return d.name.text == name; });
    };
    if (!is_taken(wish)) return wish;
    for (int number = 2;; ++number)
        if (std::string name = fmt::format("{}_{}", wish, number); !is_taken(name)) return name;
}

bool Lets::keep(const std::string& field, Assigned& by, Statements& list) {
    const auto declared = std::find_if(ast_.declarations.begin(), ast_.declarations.end(),
                                       [&](const ast::Declaration& d) { return d.name.text == field; });
    const auto place = by.places.find(&list);
    if (declared == ast_.declarations.end() || !declared->is_field || !by.positions.empty() || place == by.places.end())
        return false;
    ast::Declaration own = *declared;
    by.before = free_name(field + "_before");
    own.name.text = by.before;
    own.or_uniform = false;
    own.layout.reset();
    if (own.boundary)
        for (ast::Faces& faces : own.boundary->faces)
            for (ast::Face* face : {&faces.low, &faces.high})
                if (face->kind == BoundaryKind::keep) face->argument = made(ast::Number{"0"}, face->span);
    ast_.declarations.push_back(std::move(own));
    ast_.mentions.read.insert(by.before);
    ast_.mentions.assigned.insert(by.before);
    ast::Assignment copy;
    copy.target = {by.before, by.span};
    copy.value = made(ast::NameUse{field}, by.span);
    copy.span = by.span;
    const std::size_t at = place->second;
    list.insert(list.begin() + static_cast<std::ptrdiff_t>(at), std::move(copy));
    for (auto& [name, all] : assigned_)
        for (Assigned& other : all)
            if (const auto behind = other.places.find(&list); behind != other.places.end() && behind->second >= at)
                ++behind->second;
    return true;
}

std::shared_ptr<const Lets::Let> Lets::kept(const std::shared_ptr<const Let>& let, const std::string& field,
                                            Assigned& by) {
    if (let->within.contains(field) || let->list == nullptr) return nullptr;
    if (by.before.empty() && !keep(field, by, *let->list)) return nullptr;
    Let other = *let;
    other.value = with_name(let->value, field, by.before);
    other.reads.erase(field);
    for (ast::Access& read : other.reads[by.before] = let->reads.at(field)) read.variable.text = by.before;
    auto made = std::make_shared<const Let>(std::move(other));
    std::replace(all_.begin(), all_.end(), let, std::shared_ptr<const Let>(made));
    return made;
}

std::shared_ptr<const Lets::Let> Lets::use(std::shared_ptr<const Let> let, const Span& span, Report& report) {
    std::string field;
    while (Assigned* by = let->time == time_ ? nullptr : assigned_since(let->time, *let, true, field)) {
        auto former = kept(let, field, *by);
        if (!former) {
            report_stale(*let, field, *by, span, report);
            return let;
        }
        let = std::move(former);
    }
    if (!loops_.empty()) uses_.push_back({let, span});
    return let;
}

void Lets::assign(const ast::Name& target, const std::vector<ast::Index>& positions) {
    Assigned assigned{++time_, target.span, positions, {}};
    for (const Statements* list : lists_) assigned.places[list] = list->size();
    assigned_[target.text].push_back(std::move(assigned));
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
