// A kernel becomes closures over numbered slots, once; then they run for every block:
//
//     Let first = min(block_x * 8, n - 8)          numbers[3] = …
//     Threads { Call d_f(s_A, r_M, thread_x) }     for each thread in the order that the checking mode draws:
//                                                      code({places[0], private_at(places[1], thread)}, {thread_x})

#include "random/kernel_machine.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>

namespace kasc::random {

namespace {

template <class... Cases>
struct Overloaded : Cases... {
    using Cases::operator()...;
};
template <class... Cases>
Overloaded(Cases...) -> Overloaded<Cases...>;

[[noreturn]] void unknown(const char* what) {
    throw std::logic_error(fmt::format("the interpreter of kernels does not know {}", what));
}

}  // namespace

KernelMachine::KernelMachine(const kernel::Kernel& kernel, const DeviceCode& code)
    : kernel_(kernel), code_(code), memory_(code.memory()) {
    order_.resize(static_cast<std::size_t>(thread_count(kernel.block)));
    body_ = actions(kernel.body);
    for (const kernel::ExprRef& extent : kernel.grid) grid_.push_back(number(extent));
    for (const kernel::Parameter& p : kernel.parameters)
        (void)(p.is_array() ? place_slot(p.name) : number_slot(p.name));
}

void KernelMachine::run(const std::map<ValueId, void*>& arrays, long long elements,
                        const std::function<long long(const ExpressionRef&)>& integers) {
    for (const kernel::Parameter& p : kernel_.parameters) {
        std::visit(
            Overloaded{[&](const kernel::ElementCount&) { numbers_[number_slot(p.name)] = elements; },
                       [&](const kernel::HostExpression& e) { numbers_[number_slot(p.name)] = integers(e.expression); },
                       [&](const kernel::ArrayIn& a) {
                           memory_.array_pointer(arrays.at(a.value), &places_[place_slot(p.name)].pointer);
                       },
                       [&](const kernel::ArrayOut& a) {
                           memory_.array_pointer(arrays.at(a.value), &places_[place_slot(p.name)].pointer);
                       },
                       [&](const kernel::AxisExtent&) { unknown("an axis of a stream program"); },
                       [&](const kernel::RiderCells&) { unknown("a rider in a stream program"); },
                       [&](const kernel::FinishedBlocks&) { unknown("a count of blocks in a stream program"); }},
            p.source);
    }
    memory_.begin_launch();
    const auto x = static_cast<int>(grid_[0]()), y = static_cast<int>(grid_[1]()), z = static_cast<int>(grid_[2]());
    for (group_[2] = 0; group_[2] < z; ++group_[2])
        for (group_[1] = 0; group_[1] < y; ++group_[1])
            for (group_[0] = 0; group_[0] < x; ++group_[0]) run_block();
}

void KernelMachine::run_block() {
    block_ = memory_.block_new(kernel_.name.c_str(), thread_count(kernel_.block), group_[0], group_[1], group_[2],
                               kernel_.shared_words);
    for (const Action& a : body_) a();
    for (void* array : private_arrays_) memory_.private_delete(array);
    private_arrays_.clear();
    memory_.block_delete(block_);
}

std::size_t KernelMachine::number_slot(const std::string& name) {
    const auto [at, added] = number_slots_.try_emplace(name, numbers_.size());
    if (added) numbers_.push_back(0);
    return at->second;
}
std::size_t KernelMachine::place_slot(const std::string& name) {
    const auto [at, added] = place_slots_.try_emplace(name, places_.size());
    if (added) places_.emplace_back();
    return at->second;
}

KernelMachine::Number KernelMachine::number(const kernel::ExprRef& e) {
    const BlockShape b = kernel_.block;
    return std::visit(
        Overloaded{
            [](const kernel::Integer& n) -> Number { return [v = n.value] { return v; }; },
            [this](const kernel::Name& n) -> Number { return [this, k = number_slot(n.name)] { return numbers_[k]; }; },
            [this, b](const kernel::ThreadIndex& n) -> Number {
                if (n.dimension == kernel::Dimension::x) return [this, b] { return thread_ % b[0]; };
                if (n.dimension == kernel::Dimension::y) return [this, b] { return thread_ / b[0] % b[1]; };
                return [this, b] { return thread_ / (b[0] * b[1]); };
            },
            [this](const kernel::LinearThread&) -> Number { return [this] { return thread_; }; },
            [this](const kernel::BlockIndex& n) -> Number {
                return [this, d = static_cast<std::size_t>(n.dimension)] { return group_[d]; };
            },
            [this](const kernel::Negate& n) -> Number { return [v = number(n.operand)] { return -v(); }; },
            [this](const kernel::Not& n) -> Number { return [v = number(n.operand)] { return v() == 0; }; },
            [this](const kernel::Wide& n) -> Number { return number(n.operand); },
            [this](const kernel::Binary& n) -> Number { return binary(n); },
            [this](const kernel::Select& n) -> Number {
                return [c = number(n.condition), t = number(n.then), o = number(n.otherwise)] {
                    return c() != 0 ? t() : o();
                };
            },
            [this](const kernel::MathCall& n) -> Number {
                if (n.function != "min" && n.function != "max") unknown(n.function.c_str());
                return [a = number(n.arguments.at(0)), b = number(n.arguments.at(1)), least = n.function == "min"] {
                    return least ? std::min(a(), b()) : std::max(a(), b());
                };
            },
            [](const auto&) -> Number { unknown("an expression of fields"); }},
        e->node);
}

KernelMachine::Number KernelMachine::binary(const kernel::Binary& e) {
    const Number l = number(e.left), r = number(e.right);
    if (e.op == "+") return [l, r] { return l() + r(); };
    if (e.op == "-") return [l, r] { return l() - r(); };
    if (e.op == "*") return [l, r] { return l() * r(); };
    if (e.op == "/") return [l, r] { return l() / r(); };
    if (e.op == "%") return [l, r] { return l() % r(); };
    if (e.op == "<") return [l, r] { return l() < r(); };
    if (e.op == "<=") return [l, r] { return l() <= r(); };
    if (e.op == ">") return [l, r] { return l() > r(); };
    if (e.op == ">=") return [l, r] { return l() >= r(); };
    if (e.op == "==") return [l, r] { return l() == r(); };
    if (e.op == "!=") return [l, r] { return l() != r(); };
    if (e.op == "&&") return [l, r] { return l() != 0 && r() != 0; };
    if (e.op == "||") return [l, r] { return l() != 0 || r() != 0; };
    unknown(e.op.c_str());
}

std::vector<KernelMachine::Action> KernelMachine::actions(const kernel::Body& body) {
    std::vector<Action> all;
    for (const kernel::Statement& s : body) all.push_back(action(s));
    return all;
}

KernelMachine::Action KernelMachine::action(const kernel::Statement& statement) {
    const auto all = [](const std::vector<Action>& several) {
        for (const Action& a : several) a();
    };
    return std::visit(
        Overloaded{[](const kernel::Comment&) -> Action { return [] {}; },
                   [this](const kernel::Let& s) -> Action {
                       return [this, k = number_slot(s.name), v = number(s.value)] { numbers_[k] = v(); };
                   },
                   [this](const kernel::SharedArray& s) -> Action {
                       return [this, s, k = place_slot(s.name)] {
                           memory_.block_shared(block_, *s.offset, s.words, &places_[k].pointer);
                       };
                   },
                   [this](const kernel::PrivateArray& s) -> Action {
                       return [this, s, k = place_slot(s.name)] {
                           private_arrays_.push_back(memory_.private_new(block_, s.name.c_str(), s.words));
                           places_[k].private_array = private_arrays_.back();
                       };
                   },
                   [this, all](const kernel::For& s) -> Action {
                       return [this, all, k = number_slot(s.variable), from = number(s.from), to = number(s.to),
                               step = s.step, body = actions(s.body)] {
                           const std::int64_t end = to();
                           for (std::int64_t i = from(); i < end; i += step) {
                               numbers_[k] = i;
                               all(body);
                           }
                       };
                   },
                   [this, all](const kernel::If& s) -> Action {
                       return [all, c = number(s.condition), then = actions(s.then), otherwise = actions(s.otherwise)] {
                           all(c() != 0 ? then : otherwise);
                       };
                   },
                   [this](const kernel::Barrier&) -> Action { return [this] { memory_.block_barrier(block_); }; },
                   [this](const kernel::Threads& s) -> Action { return threads(s); },
                   [this](const kernel::Call& s) -> Action { return call(s); },
                   [this](const kernel::Stage& s) -> Action { return stage(s); },
                   [](const auto&) -> Action { unknown("a statement of fields"); }},
        statement.node);
}

KernelMachine::Action KernelMachine::threads(const kernel::Threads& region) {
    return [this, body = actions(region.body)] {
        memory_.block_order(block_, order_.data());
        for (const int thread : order_) {
            thread_ = thread;
            memory_.block_enter(block_, thread);
            for (const Action& a : body) a();
        }
    };
}

std::function<Pointer()> KernelMachine::argument(const std::string& array, const kernel::ExprRef& offset) {
    const std::size_t k = place_slot(array);
    const Number words = offset ? number(offset) : Number();
    return [this, k, words] {
        Pointer pointer = places_[k].pointer;
        if (places_[k].private_array != nullptr) memory_.private_at(places_[k].private_array, thread_, &pointer);
        if (words) memory_.advance(&pointer, words());
        return pointer;
    };
}

KernelMachine::Action KernelMachine::call(const kernel::Call& call) {
    const auto variant = std::find_if(kernel_.functions.begin(), kernel_.functions.end(),
                                      [&](const kernel::FunctionVariant& f) { return f.name == call.function; });
    std::vector<std::function<Pointer()>> arrays;
    std::vector<Number> integers;
    for (const kernel::CallArgument& a : call.arguments) {
        if (const auto* array = std::get_if<kernel::ArrayArgument>(&a))
            arrays.push_back(argument(array->array, array->offset));
        else
            integers.push_back(number(std::get<kernel::ExprRef>(a)));
    }
    return [arrays, integers, code = code_.function(*variant)] {
        std::array<Pointer, 16> pointers;
        std::array<int, 8> values{};
        for (std::size_t k = 0; k < arrays.size(); ++k) pointers.at(k) = arrays[k]();
        for (std::size_t k = 0; k < integers.size(); ++k) values.at(k) = static_cast<int>(integers[k]());
        code(pointers.data(), values.data());
    };
}

KernelMachine::Action KernelMachine::stage(const kernel::Stage& stage) {
    const bool in = stage.direction == kernel::StageDirection::into_shared;
    const auto shared = argument(stage.shared, nullptr), global = argument(stage.global, stage.global_offset);
    return [this, in, shared, global, code = code_.stage(stage, thread_count(kernel_.block))] {
        const std::array<Pointer, 2> pointers{in ? shared() : global(), in ? global() : shared()};
        code(pointers.data(), &thread_);
    };
}

}  // namespace kasc::random
