#include "kernel/integer_machine.hpp"

#include <algorithm>
#include <cstdlib>
#include <set>
#include <string_view>
#include <utility>

// Operations on numbers that are known are done at once: with v = 1 in a loop that is written out,
//
//   4 + v          5
//   first + 2 * v  add(first's slot, 2)

namespace kasc::kernel {

namespace {

/// Integers that threads keep: of private arrays all assignments are looked at.
class KeptIntegers {
public:
    /// By array, its words.
    std::map<std::string, int> run(const Body& body) {
        look_at(body);
        // Some are made of words of others.
        std::size_t known = 0;
        do {
            known = arrays_.size();
            for (const auto& [array, value] : assigned_)
                if (!is_known(value)) arrays_.erase(array);
        } while (arrays_.size() < known);
        return std::move(arrays_);
    }

private:
    std::map<std::string, int> arrays_;
    std::vector<std::pair<std::string, ExprRef>> assigned_;
    std::set<std::string> changing_;  ///< names that are assigned

    void look_at(const Body& body) {
        for (const Statement& s : body) std::visit([&](const auto& node) { look_at(node); }, s.node);
    }
    template <class Node>
    void look_at(const Node&) {}
    void look_at(const PrivateArray& s) {
        if (s.type == Type::i32 || s.type == Type::i64) arrays_[s.name] = s.words;
    }
    void look_at(const Assign& s) {
        if (const auto* target = std::get_if<Element>(&s.target->node))
            assigned_.emplace_back(target->array, s.value);
        else
            changing_.insert(text_of(s.target));
    }
    void look_at(const LoadVector& s) { arrays_.erase(s.registers); }
    void look_at(const Exchange& s) { arrays_.erase(s.into); }
    void look_at(const For& s) { look_at(s.body); }
    void look_at(const If& s) { look_at(s.then), look_at(s.otherwise); }
    void look_at(const Threads& s) { look_at(s.body); }
    void look_at(const Cells& s) { look_at(s.body); }

    [[nodiscard]] bool is_known(const ExprRef& e) const {
        return std::visit([&](const auto& node) { return known(node); }, e->node);
    }
    template <class Node>
    [[nodiscard]] bool known(const Node&) const {
        return false;
    }
    [[nodiscard]] bool known(const Integer&) const { return true; }
    [[nodiscard]] bool known(const ThreadIndex&) const { return true; }
    [[nodiscard]] bool known(const LinearThread&) const { return true; }
    [[nodiscard]] bool known(const BlockIndex&) const { return true; }
    [[nodiscard]] bool known(const Name& n) const { return !changing_.contains(n.name); }
    [[nodiscard]] bool known(const Element& n) const { return arrays_.contains(n.array) && is_known(n.index); }
    [[nodiscard]] bool known(const Negate& n) const { return is_known(n.operand); }
    [[nodiscard]] bool known(const Not& n) const { return is_known(n.operand); }
    [[nodiscard]] bool known(const Wide& n) const { return is_known(n.operand); }
    [[nodiscard]] bool known(const Binary& n) const { return is_known(n.left) && is_known(n.right); }
    [[nodiscard]] bool known(const Select& n) const {
        return is_known(n.condition) && is_known(n.then) && is_known(n.otherwise);
    }
    [[nodiscard]] bool known(const MathCall& n) const {
        return std::all_of(n.arguments.begin(), n.arguments.end(), [&](const ExprRef& a) { return is_known(a); });
    }
};

}  // namespace

IntegerMachine::IntegerMachine(const Kernel& kernel) : kernel_(kernel) {
    const auto threads = static_cast<std::size_t>(thread_count(kernel.block));
    for (const auto& [array, words] : KeptIntegers().run(kernel.body))
        of_threads_[array] = {words, std::vector<long long>(threads * static_cast<std::size_t>(words), 0)};
}

IntegerMachine::Number IntegerMachine::value(const Element& n) {
    const auto kept = of_threads_.find(n.array);
    if (kept == of_threads_.end()) return unknown();
    Node node{Operation::of_thread, Number(&linear_thread_), number(n.index), {},
              kept->second.words,   &kept->second.numbers};
    return Number(std::make_shared<const Node>(std::move(node)));
}

bool IntegerMachine::of_data(const ExprRef& e) const {
    if (const auto* n = std::get_if<Element>(&e->node)) return !of_threads_.contains(n->array);
    if (const auto* n = std::get_if<Name>(&e->node)) return of_data_.contains(n->name);
    if (std::holds_alternative<Real>(e->node)) return true;
    if (const auto* n = std::get_if<Binary>(&e->node)) return of_data(n->left) || of_data(n->right);
    if (const auto* n = std::get_if<Select>(&e->node))
        return of_data(n->condition) || of_data(n->then) || of_data(n->otherwise);
    if (const auto* n = std::get_if<MathCall>(&e->node))
        return std::any_of(n->arguments.begin(), n->arguments.end(), [&](const ExprRef& a) { return of_data(a); });
    if (const auto* n = std::get_if<Convert>(&e->node)) return of_data(n->operand);
    if (const auto* n = std::get_if<Wide>(&e->node)) return of_data(n->operand);
    if (const auto* n = std::get_if<Negate>(&e->node)) return of_data(n->operand);
    const auto* n = std::get_if<Not>(&e->node);
    return n != nullptr && of_data(n->operand);
}

std::function<void()> IntegerMachine::keep_number(const Element& target, const ExprRef& value) {
    const auto kept = of_threads_.find(target.array);
    if (kept == of_threads_.end()) return {};
    return [this, &words = kept->second, at = number(target.index), value = number(value)] {
        words.numbers[static_cast<std::size_t>(linear_thread_ * words.words + at())] = value();
    };
}

IntegerMachine::Number::Number(std::shared_ptr<const Node> node)
    : node_(std::move(node)), at_(node_->operation == Operation::constant ? &node_->value : nullptr) {}

std::optional<long long> IntegerMachine::Number::constant() const {
    return node_ && node_->operation == Operation::constant ? std::optional(node_->value) : std::nullopt;
}

IntegerMachine::Number IntegerMachine::constant(long long value) {
    return Number(std::make_shared<const Node>(Node{Operation::constant, {}, {}, {}, value, nullptr}));
}

IntegerMachine::Number IntegerMachine::made(Operation operation, const Number& a, const Number& b, const Number& c) {
    Node node{operation, a, b, c};
    const bool unary =
        operation == Operation::negate || operation == Operation::logical_not || operation == Operation::absolute;
    const bool known = operation != Operation::choose && a.constant() && (unary || b.constant());
    return known ? constant(computed(node)) : Number(std::make_shared<const Node>(std::move(node)));
}

IntegerMachine::Number IntegerMachine::number(const ExprRef& e) {
    return std::visit([&](const auto& node) { return value(node); }, e->node);
}

IntegerMachine::Number IntegerMachine::value(const Name& n) {
    if (const auto known = constants_.find(n.name); known != constants_.end()) return constant(known->second);
    const std::size_t k = slot(n.name);
    if (asked_ != nullptr)
        asked_->push_back(k);
    else
        used_[k] = true;
    return Number(&numbers_[k]);
}

IntegerMachine::Number IntegerMachine::number_of_slot(std::size_t slot, const ExprRef& value) {
    std::vector<std::size_t> asked;
    asked_ = &asked;
    Number made = number(value);
    asked_ = nullptr;
    parts_[slot].insert(parts_[slot].end(), asked.begin(), asked.end());
    return made;
}

void IntegerMachine::use_parts() {
    std::vector<std::size_t> left;
    for (std::size_t k = 0; k < used_.size(); ++k)
        if (used_[k]) left.push_back(k);
    while (!left.empty()) {
        const std::size_t of = left.back();
        left.pop_back();
        for (const std::size_t part : parts_[of])
            if (!std::exchange(used_[part], true)) left.push_back(part);
    }
}

IntegerMachine::Number IntegerMachine::value(const ThreadIndex& n) {
    return Number(&thread_[static_cast<std::size_t>(n.dimension)]);
}

IntegerMachine::Number IntegerMachine::value(const BlockIndex& n) {
    return Number(&block_[static_cast<std::size_t>(n.dimension)]);
}

IntegerMachine::Number IntegerMachine::value(const Select& n) {
    const Number condition = number(n.condition);
    if (const auto known = condition.constant()) return number(*known != 0 ? n.then : n.otherwise);
    return made(Operation::choose, condition, number(n.then), number(n.otherwise));
}

IntegerMachine::Number IntegerMachine::value(const MathCall& n) {
    if (n.function == whole_function::kept) return number(n.arguments[0]);
    if (n.function == whole_function::absolute) return made(Operation::absolute, number(n.arguments[0]));
    const bool least = n.function == whole_function::minimum;
    if (!least && n.function != whole_function::maximum) return unknown();
    return made(least ? Operation::least : Operation::most, number(n.arguments[0]), number(n.arguments[1]));
}

IntegerMachine::Number IntegerMachine::value(const Binary& n) {
    static constexpr std::pair<std::string_view, Operation> operations[] = {
        {"+", Operation::add},          {"-", Operation::subtract},     {"*", Operation::multiply},
        {"/", Operation::divide},       {"%", Operation::remainder},    {"&", Operation::bit_and},
        {"|", Operation::bit_or},       {"^", Operation::bit_xor},      {"<<", Operation::shift_left},
        {">>", Operation::shift_right}, {"<", Operation::less},         {"<=", Operation::at_most},
        {">", Operation::greater},      {">=", Operation::at_least},    {"==", Operation::equal},
        {"!=", Operation::unequal},     {"&&", Operation::logical_and}, {"||", Operation::logical_or}};
    const auto* found =
        std::find_if(std::begin(operations), std::end(operations), [&](const auto& o) { return o.first == n.op; });
    if (found == std::end(operations)) return unknown();
    return made(found->second, number(n.left), number(n.right));
}

long long IntegerMachine::computed(const Node& n) {
    switch (n.operation) {
        case Operation::constant:
            return n.value;
        case Operation::of_thread:
            return (*n.words)[static_cast<std::size_t>(n.a() * n.value + n.b())];
        case Operation::negate:
            return -n.a();
        case Operation::logical_not:
            return static_cast<long long>(n.a() == 0);
        case Operation::absolute:
            return std::abs(n.a());
        case Operation::choose:
            return n.a() != 0 ? n.b() : n.c();
        case Operation::least:
            return std::min(n.a(), n.b());
        case Operation::most:
            return std::max(n.a(), n.b());
        case Operation::add:
            return n.a() + n.b();
        case Operation::subtract:
            return n.a() - n.b();
        case Operation::multiply:
            return n.a() * n.b();
        case Operation::divide: {
            const long long d = n.b();
            return d == 0 ? 0 : n.a() / d;
        }
        case Operation::remainder: {
            const long long d = n.b();
            return d == 0 ? 0 : n.a() % d;
        }
        case Operation::bit_and:
            return n.a() & n.b();
        case Operation::bit_or:
            return n.a() | n.b();
        case Operation::bit_xor:
            return n.a() ^ n.b();
        // What is lowered counts less than 32; a number that is not known may be anything.
        case Operation::shift_left:
            return static_cast<long long>(static_cast<unsigned long long>(n.a()) << (n.b() & 31));
        case Operation::shift_right:
            return n.a() >> (n.b() & 31);
        case Operation::less:
            return static_cast<long long>(n.a() < n.b());
        case Operation::at_most:
            return static_cast<long long>(n.a() <= n.b());
        case Operation::greater:
            return static_cast<long long>(n.a() > n.b());
        case Operation::at_least:
            return static_cast<long long>(n.a() >= n.b());
        case Operation::equal:
            return static_cast<long long>(n.a() == n.b());
        case Operation::unequal:
            return static_cast<long long>(n.a() != n.b());
        case Operation::logical_and:
            return static_cast<long long>(n.a() != 0 && n.b() != 0);
        case Operation::logical_or:
            return static_cast<long long>(n.a() != 0 || n.b() != 0);
    }
    return 0;
}

}  // namespace kasc::kernel
