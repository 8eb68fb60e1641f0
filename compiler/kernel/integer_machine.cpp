#include "kernel/integer_machine.hpp"

#include <algorithm>
#include <cstdlib>

namespace kasc::kernel {

IntegerMachine::Number IntegerMachine::number(const ExprRef& e) {
    return std::visit([&](const auto& node) { return value(node); }, e->node);
}

IntegerMachine::Number IntegerMachine::value(const Integer& n) {
    return [v = n.value] { return static_cast<long long>(v); };
}

IntegerMachine::Number IntegerMachine::value(const Name& n) {
    return [this, k = slot(n.name)] { return numbers_[k]; };
}

IntegerMachine::Number IntegerMachine::value(const ThreadIndex& n) {
    return [this, k = static_cast<std::size_t>(n.dimension)] { return thread_[k]; };
}

IntegerMachine::Number IntegerMachine::value(const LinearThread&) {
    return [this] { return static_cast<long long>(thread()); };
}

IntegerMachine::Number IntegerMachine::value(const BlockIndex& n) {
    return [this, k = static_cast<std::size_t>(n.dimension)] { return block_[k]; };
}

IntegerMachine::Number IntegerMachine::value(const Negate& n) {
    return [v = number(n.operand)] { return -v(); };
}

IntegerMachine::Number IntegerMachine::value(const Not& n) {
    return [v = number(n.operand)] { return static_cast<long long>(v() == 0); };
}

IntegerMachine::Number IntegerMachine::value(const Select& n) {
    return [c = number(n.condition), t = number(n.then), o = number(n.otherwise)] { return c() != 0 ? t() : o(); };
}

IntegerMachine::Number IntegerMachine::value(const Wide& n) { return number(n.operand); }
IntegerMachine::Number IntegerMachine::value(const MathCall& n) {
    if (n.function == whole_function::kept) return number(n.arguments[0]);
    if (n.function == whole_function::absolute) return [a = number(n.arguments[0])] { return std::abs(a()); };
    const bool least = n.function == whole_function::minimum;
    if (!least && n.function != whole_function::maximum) return unknown();
    return [a = number(n.arguments[0]), b = number(n.arguments[1]), least] {
        return least ? std::min(a(), b()) : std::max(a(), b());
    };
}

IntegerMachine::Number IntegerMachine::value(const Binary& n) {
    const Number l = number(n.left), r = number(n.right);
    if (n.op == "+") return [l, r] { return l() + r(); };
    if (n.op == "-") return [l, r] { return l() - r(); };
    if (n.op == "*") return [l, r] { return l() * r(); };
    if (n.op == "/")
        return [l, r] {
            const long long d = r();
            return d == 0 ? 0 : l() / d;
        };
    if (n.op == "%")
        return [l, r] {
            const long long d = r();
            return d == 0 ? 0 : l() % d;
        };
    if (n.op == "&") return [l, r] { return l() & r(); };
    if (n.op == "|") return [l, r] { return l() | r(); };
    if (n.op == "^") return [l, r] { return l() ^ r(); };
    // What is lowered counts less than 32; a number that is not known may be anything.
    if (n.op == "<<")
        return [l, r] { return static_cast<long long>(static_cast<unsigned long long>(l()) << (r() & 31)); };
    if (n.op == ">>") return [l, r] { return l() >> (r() & 31); };
    if (n.op == "<") return [l, r] { return static_cast<long long>(l() < r()); };
    if (n.op == "<=") return [l, r] { return static_cast<long long>(l() <= r()); };
    if (n.op == ">") return [l, r] { return static_cast<long long>(l() > r()); };
    if (n.op == ">=") return [l, r] { return static_cast<long long>(l() >= r()); };
    if (n.op == "==") return [l, r] { return static_cast<long long>(l() == r()); };
    if (n.op == "!=") return [l, r] { return static_cast<long long>(l() != r()); };
    if (n.op == "&&") return [l, r] { return static_cast<long long>(l() != 0 && r() != 0); };
    return [l, r] { return static_cast<long long>(l() != 0 || r() != 0); };
}

IntegerMachine::Number IntegerMachine::unknown() {
    return [] { return 0LL; };
}

IntegerMachine::Number IntegerMachine::value(const Real&) { return unknown(); }

IntegerMachine::Number IntegerMachine::value(const Element&) { return unknown(); }

IntegerMachine::Number IntegerMachine::value(const Convert& n) { return number(n.operand); }

IntegerMachine::Number IntegerMachine::value(const Part&) { return unknown(); }

}  // namespace kasc::kernel
