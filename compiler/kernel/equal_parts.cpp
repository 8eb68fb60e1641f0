// Each object is met once, however many have it as a part: first all that is computed in any case, then what conditions
// may leave out. Whoever is met tells its operands, so that an object is told as often as it would be printed if all
// others had names. Then the expression is made anew from its leaves up.
#include "kernel/equal_parts.hpp"

#include <string_view>
#include <unordered_map>
#include <unordered_set>

namespace kasc::kernel {

namespace {

constexpr int least_operations = 2;

template <class Node, class Then>
Expr with_operands(const Node& node, Then then) {
    Node made = node;
    if constexpr (std::is_same_v<Node, Binary>) {
        made.left = then(node.left, true);
        made.right = then(node.right, node.op != "&&" && node.op != "||");
    } else if constexpr (std::is_same_v<Node, Select>) {
        made.condition = then(node.condition, true);
        made.then = then(node.then, false);
        made.otherwise = then(node.otherwise, false);
    } else if constexpr (std::is_same_v<Node, MathCall>) {
        for (ExprRef& a : made.arguments) a = then(a, true);
    } else if constexpr (std::is_same_v<Node, Element>) {
        made.index = then(node.index, true);
    } else if constexpr (std::is_same_v<Node, Negate> || std::is_same_v<Node, Not> || std::is_same_v<Node, Wide> ||
                         std::is_same_v<Node, Convert> || std::is_same_v<Node, Part>) {
        made.operand = then(node.operand, true);
    }
    return {std::move(made)};
}

/// The expression with then(operand, whether it is computed wherever the expression is) in place of each operand.
template <class Then>
Expr with_operands(const Expr& e, Then then) {
    return std::visit([&](const auto& node) { return with_operands(node, then); }, e.node);
}

template <class Look>
void for_each_operand(const Expr& e, Look look) {
    (void)with_operands(e, [&](const ExprRef& operand, bool always) {
        look(operand, always);
        return operand;
    });
}

bool is_operation(const Expr& e) {
    return std::holds_alternative<Binary>(e.node) || std::holds_alternative<Negate>(e.node) ||
           std::holds_alternative<Select>(e.node) || std::holds_alternative<MathCall>(e.node);
}

bool joins_conditions(const Expr& e) {
    const auto* binary = std::get_if<Binary>(&e.node);
    return binary != nullptr && (binary->op == "&&" || binary->op == "||");
}

class EqualParts {
public:
    EqualParts(const std::function<std::optional<Type>(const Expr*)>& type,
               const std::function<ExprRef(Type, const ExprRef&)>& hold)
        : type_(type), hold_(hold) {}

    ExprRef run(const ExprRef& e) {
        meet(e, true);
        // Those that they leave out in turn are appended.
        for (std::size_t k = 0; k < left_out_.size(); ++k) meet(ExprRef(left_out_[k]), false);
        return made(e);
    }

private:
    const std::function<std::optional<Type>(const Expr*)>& type_;
    const std::function<ExprRef(Type, const ExprRef&)>& hold_;
    struct Part {
        int told = 0;
        bool in_any_case = false;
    };
    std::unordered_map<const Expr*, Part> parts_;
    std::unordered_map<const Expr*, int> operations_;
    std::unordered_map<const Expr*, ExprRef> made_;
    std::vector<ExprRef> left_out_;
    std::unordered_set<const Expr*> met_;

    void meet(const ExprRef& e, bool in_any_case) {
        if (!met_.insert(e.get()).second) return;
        parts_[e.get()].in_any_case = in_any_case;
        for_each_operand(*e, [&](const ExprRef& operand, bool always) {
            ++parts_[operand.get()].told;
            const bool anyway = always || (joins_conditions(*e) && costs_little(*operand));
            if (in_any_case && anyway) return meet(operand, true);
            left_out_.push_back(operand);
        });
    }

    /// Comparisons of reals that are computed of names: what is computed where a condition before has decided costs
    /// less than what several of its parts are computed for. Integers might overflow there, and words might not be.
    [[nodiscard]] bool costs_little(const Expr& e) const {
        static const std::unordered_set<std::string_view> quick{"fmaf",   "fma",   "fabsf",      "fabs",     "fminf",
                                                                "fmin",   "fmaxf", "fmax",       "roundf",   "round",
                                                                "floorf", "floor", "kasc_overf", "kasc_over"};
        if (std::holds_alternative<Element>(e.node)) return false;
        const auto* binary = std::get_if<Binary>(&e.node);
        const auto* call = std::get_if<MathCall>(&e.node);
        const bool compares =
            binary != nullptr && (joins_conditions(e) || binary->op.find_first_of("<>=") == 0 || binary->op == "!=");
        if (binary != nullptr && !compares && (!type_(&e) || binary->op == "/")) return false;
        if (call != nullptr && (!type_(&e) || !quick.contains(call->function))) return false;
        bool all = true;
        for_each_operand(e, [&](const ExprRef& operand, bool) { all = all && costs_little(*operand); });
        return all;
    }

    /// So many or more. Where a word stands is none: words are read, or in registers, under names.
    int operations(const Expr& e) {
        if (std::holds_alternative<Element>(e.node)) return 0;
        const auto known = operations_.find(&e);
        if (known != operations_.end()) return known->second;
        int count = is_operation(e) ? 1 : 0;
        for_each_operand(e, [&](const ExprRef& operand, bool) {
            if (count < least_operations) count += operations(*operand);
        });
        return operations_[&e] = count;
    }

    ExprRef made(const ExprRef& e) {
        const auto known = made_.find(e.get());
        if (known != made_.end()) return known->second;
        bool same = true;
        Expr anew = with_operands(*e, [&](const ExprRef& operand, bool) {
            ExprRef of_names = made(operand);
            same = same && of_names == operand;
            return of_names;
        });
        ExprRef result = same ? e : std::make_shared<const Expr>(std::move(anew));
        const Part& part = parts_.at(e.get());
        if (part.told > 1 && part.in_any_case && operations(*e) >= least_operations)
            if (const auto type = type_(e.get())) result = hold_(*type, result);
        return made_[e.get()] = result;
    }
};

}  // namespace

ExprRef with_equal_parts_named(const ExprRef& expression, const std::function<std::optional<Type>(const Expr*)>& type,
                               const std::function<ExprRef(Type, const ExprRef&)>& hold) {
    return EqualParts(type, hold).run(expression);
}

}  // namespace kasc::kernel
