#include "frontend/conditions.hpp"

#include <algorithm>
#include <set>

#include "frontend/ast_parts.hpp"
#include "frontend/cell_conditions.hpp"
#include "frontend/declared_names.hpp"
#include "frontend/reduction.hpp"

namespace kasc::frontend {

namespace {

using LoopRef = std::shared_ptr<const ast::Loop>;
using NamedParts = std::vector<std::pair<std::string, ast::ExpressionRef>>;

ast::ExpressionRef whole(const char* text, const Span& span) { return made(ast::Number{text}, span); }

/// The expression, where `by` stands for a name.
ast::ExpressionRef with_name(const ast::ExpressionRef& e, const std::string& name, const ast::ExpressionRef& by) {
    const auto again = [&](const ast::ExpressionRef& part) { return with_name(part, name, by); };
    auto node = e->node;
    if (const auto* use = std::get_if<ast::NameUse>(&node)) return use->name == name ? by : e;
    if (auto* access = std::get_if<ast::Access>(&node))
        for (ast::Index& index : access->indices) index.value = again(index.value);
    if (auto* call = std::get_if<ast::Call>(&node))
        std::transform(call->arguments.begin(), call->arguments.end(), call->arguments.begin(), again);
    if (auto* unary = std::get_if<ast::Unary>(&node)) unary->operand = again(unary->operand);
    if (auto* both = std::get_if<ast::Binary>(&node)) both->left = again(both->left), both->right = again(both->right);
    if (auto* choice = std::get_if<ast::Conditional>(&node)) {
        choice->condition = again(choice->condition);
        choice->then = again(choice->then);
        choice->otherwise = again(choice->otherwise);
    }
    if (auto* word = std::get_if<ast::WordUse>(&node)) word->cell = again(word->cell);
    return made(std::move(node), e->span);
}

bool is_the_number(const ast::Expression& e, const char* text) {
    const auto* number = std::get_if<ast::Number>(&e.node);
    return number != nullptr && number->text == text;
}
bool is_use(const ast::Expression& e, const std::string& name) {
    const auto* use = std::get_if<ast::NameUse>(&e.node);
    return use != nullptr && use->name == name;
}

/// All assignments to the name, in loops too.
void add_assignments(const std::vector<ast::Statement>& statements, const std::string& name,
                     std::vector<const ast::Assignment*>& all) {
    for (const ast::Statement& statement : statements) {
        if (const auto* loop = std::get_if<LoopRef>(&statement)) {
            add_assignments((*loop)->body, name, all);
        } else if (const auto& a = std::get<ast::Assignment>(statement); a.target.text == name) {
            all.push_back(&a);
        }
    }
}

/// As it is written where conditions are settled: 1 or 0 before the loop; at the end of the body one more, or negated.
bool counts(const std::string& name, const std::vector<ast::Statement>& before,
            const std::vector<ast::Statement>& body) {
    std::vector<const ast::Assignment*> first, next;
    add_assignments(before, name, first);
    add_assignments(body, name, next);
    const auto* last = body.empty() ? nullptr : std::get_if<ast::Assignment>(&body.back());
    if (first.empty() || next.size() != 1 || next.front() != last) return false;
    // Not of a loop that may not run.
    const bool at_hand = std::any_of(before.begin(), before.end(), [&](const ast::Statement& s) {
        return std::get_if<ast::Assignment>(&s) == first.back();
    });
    const auto* begins = std::get_if<ast::Conditional>(&first.back()->value->node);
    const auto* goes_on = std::get_if<ast::Conditional>(&last->value->node);
    if (!at_hand || begins == nullptr || goes_on == nullptr) return false;
    const auto* more = std::get_if<ast::Binary>(&goes_on->then->node);
    const auto* ended = std::get_if<ast::Unary>(&goes_on->otherwise->node);
    return is_the_number(*begins->then, "1") && is_the_number(*begins->otherwise, "0") && more != nullptr &&
           more->op == BinaryOperator::add && is_use(*more->left, name) && is_the_number(*more->right, "1") &&
           ended != nullptr && ended->op == UnaryOperator::negate && is_use(*ended->operand, name);
}

class Settling {
public:
    Settling(Ast ast, const Library& library, Report& report)
        : ast_(std::move(ast)), library_(library), report_(report), taken_(declared_names(ast_)) {
        for (const ast::Name& input : ast_.inputs) valued_.insert(input.text);
    }

    Ast run() {
        ast_.statements = statements(ast_.statements);
        return std::move(ast_);
    }

private:
    Ast ast_;
    const Library& library_;
    Report& report_;
    std::set<std::string> taken_;
    std::set<std::string> valued_;     ///< fields that inputs or statements so far give a value
    std::vector<std::string> around_;  ///< variables of the loops around

    std::string fresh(const std::string& wish) {
        std::string name = wish;
        for (int k = 2; !taken_.insert(name).second; ++k) name = wish + "_" + std::to_string(k);
        return name;
    }

    std::vector<ast::Statement> statements(const std::vector<ast::Statement>& all) {
        std::vector<ast::Statement> settled;
        for (const ast::Statement& statement : all) {
            if (const auto* loop = std::get_if<LoopRef>(&statement)) {
                (*loop)->once ? choose(**loop, settled) : repeat(**loop, settled);
            } else {
                valued_.insert(std::get<ast::Assignment>(statement).target.text);
                settled.push_back(statement);
            }
        }
        return settled;
    }

    std::vector<ast::Statement> body(const ast::Loop& loop, const std::vector<ast::Statement>& all) {
        around_.push_back(loop.variable.text);
        std::vector<ast::Statement> settled = statements(all);
        around_.pop_back();
        return settled;
    }

    void repeat(const ast::Loop& loop, std::vector<ast::Statement>& all) {
        if (loop.condition && differs_between_cells(*loop.condition, ast_, library_)) return repeat_in_cells(loop, all);
        auto settled = std::make_shared<ast::Loop>(loop);
        settled->condition = nullptr;
        if (!loop.from) {
            const Span& span = loop.condition->span;
            settled->variable = {fresh("iteration"), span};
            settled->from = whole("0", span);
            settled->to = whole("2147483647", span);
        }
        settled->body = body(*settled, loop.body);
        if (loop.condition) {
            settled->going = as_it_is(*loop.condition);
            if (settled->going)
                settled->counts = counts(settled->going->text, all, settled->body);
            else
                repeat_while(loop, *settled, all);
        }
        all.emplace_back(std::move(settled));
    }

    /// Where nothing else ends the loop, one around it looks whether any cell goes on.
    void repeat_in_cells(const ast::Loop& loop, std::vector<ast::Statement>& all) {
        const Span& span = loop.condition->span;
        ast::Loop cells = loop;
        if (!loop.from) {
            cells.variable = {fresh("iteration"), span};
            cells.from = whole("0", span);
            cells.to = made(ast::Number{std::to_string(iterations_of_cells)}, span);
        }
        auto ended = ended_by_cells(cells, fresh("alive"), valued_, ast_, report_);
        if (!ended) {
            cells.condition = nullptr;
            return repeat(cells, all);
        }
        ast_.declarations.push_back(ended->alive);
        for (const std::vector<ast::Statement>* part : {&ended->before, &ended->loop.body})
            for (const ast::Statement& s : *part) valued_.insert(std::get<ast::Assignment>(s).target.text);
        for (ast::Statement& s : ended->before) all.push_back(std::move(s));
        auto settled = std::make_shared<const ast::Loop>(std::move(ended->loop));
        if (loop.from) {
            all.emplace_back(std::move(settled));
            return;
        }
        ast::Loop around;
        around.span = loop.span;
        around.condition = made(ast::Call{{"any", span}, {loop.condition}, {}, find_reduction("any")}, span);
        around.body.emplace_back(std::move(settled));
        repeat(around, all);
    }

    /// The condition is computed before the loop, and at the end of each iteration for the next.
    void repeat_while(const ast::Loop& loop, ast::Loop& settled, std::vector<ast::Statement>& all) {
        const Span& span = loop.condition->span;
        settled.going = new_count(span);
        settled.counts = true;
        const auto at = [&](const ast::ExpressionRef& variable) {
            return loop.from ? with_name(loop.condition, loop.variable.text, variable) : loop.condition;
        };
        const ast::ExpressionRef count = made(ast::NameUse{settled.going->text}, span);
        const ast::ExpressionRef next = made(
            ast::Binary{BinaryOperator::add, made(ast::NameUse{settled.variable.text}, span), whole("1", span), span},
            span);
        const ast::ExpressionRef more = made(ast::Binary{BinaryOperator::add, count, whole("1", span), span}, span);
        assign(*settled.going, at(settled.from), whole("1", span), whole("0", span), all);
        assign(*settled.going, at(next), more, made(ast::Unary{UnaryOperator::negate, count}, span), settled.body);
    }

    void choose(const ast::Loop& loop, std::vector<ast::Statement>& all) {
        const Span& span = loop.condition->span;
        const ast::ExpressionRef one = whole("1", span), none = whole("0", span);
        ast::Loop then = loop, otherwise = loop;
        for (ast::Loop* branch : {&then, &otherwise}) {
            branch->condition = nullptr;
            branch->otherwise.clear();
            branch->variable = {fresh("once"), span};
            branch->from = none;
            branch->to = one;
        }
        if (is_of_host(*loop.condition)) {
            then.to = made(ast::Conditional{loop.condition, one, none}, span);
            otherwise.to = made(ast::Conditional{loop.condition, none, one}, span);
        } else {
            then.going = as_it_is(*loop.condition);
            if (!then.going) {
                then.going = new_count(span);
                assign(*then.going, loop.condition, one, none, all);
            }
            if (!loop.otherwise.empty()) {
                otherwise.going = new_count(span);
                const ast::ExpressionRef count = made(ast::NameUse{then.going->text}, span);
                assign(*otherwise.going, made(ast::Binary{BinaryOperator::greater, count, none, span}, span), none, one,
                       all);
            }
        }
        then.body = body(then, loop.body);
        otherwise.body = body(otherwise, loop.otherwise);
        all.emplace_back(std::make_shared<const ast::Loop>(std::move(then)));
        if (!otherwise.body.empty()) all.emplace_back(std::make_shared<const ast::Loop>(std::move(otherwise)));
    }

    /// The condition is a count already: the name of a field without axes.
    [[nodiscard]] std::optional<ast::Name> as_it_is(const ast::Expression& condition) const {
        const auto* use = std::get_if<ast::NameUse>(&condition.node);
        const bool field =
            use && std::any_of(ast_.declarations.begin(), ast_.declarations.end(), [&](const ast::Declaration& d) {
                return d.name.text == use->name && d.is_field && d.axes.empty() && d.type.text == "int";
            });
        return field ? std::optional(ast::Name{use->name, condition.span}) : std::nullopt;
    }

    /// The host knows it: numbers, parameters, lengths of axes, variables of the loops around.
    [[nodiscard]] bool is_of_host(const ast::Expression& e) const {
        if (const auto* use = std::get_if<ast::NameUse>(&e.node)) return is_of_host(use->name);
        if (const auto* word = std::get_if<ast::WordUse>(&e.node)) return is_of_host(*word->cell);
        if (std::holds_alternative<ast::Access>(e.node)) return false;
        if (const auto* call = std::get_if<ast::Call>(&e.node)) {
            const bool own = std::any_of(ast_.functions.begin(), ast_.functions.end(),
                                         [&](const ast::Function& f) { return f.name.text == call->callee.text; });
            if (call->callee.text == "extent") return true;
            if (own || (call->callee.text != "min" && call->callee.text != "max" && call->callee.text != "abs"))
                return false;
        }
        bool all = true;
        for_each_operand(e, [&](const ast::ExpressionRef& part) { all = all && is_of_host(*part); });
        return all;
    }
    [[nodiscard]] bool is_of_host(const std::string& name) const {
        const auto has = [&](const auto& items) {
            return std::any_of(items.begin(), items.end(), [&](const auto& item) { return item.name.text == name; });
        };
        return has(ast_.parameters) || has(ast_.options) ||
               std::find(around_.begin(), around_.end(), name) != around_.end();
    }

    ast::Name new_count(const Span& span) {
        const ast::Name name{fresh("goes_on"), span};
        ast::Declaration count{{"int", span}, name, {}, std::nullopt};
        count.is_field = true;
        ast_.declarations.push_back(std::move(count));
        return name;
    }
    static void assign(const ast::Name& count, const ast::ExpressionRef& condition, const ast::ExpressionRef& then,
                       const ast::ExpressionRef& otherwise, std::vector<ast::Statement>& all) {
        ast::Assignment item;
        item.decides = true;
        item.target = count;
        item.span = condition->span;
        item.value = made(ast::Conditional{condition, then, otherwise}, condition->span);
        all.emplace_back(std::move(item));
    }
};

}  // namespace

Ast with_settled_conditions(Ast ast, const Library& library, Report& report) {
    return Settling(std::move(ast), library, report).run();
}

}  // namespace kasc::frontend
