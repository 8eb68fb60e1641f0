#pragma once
// Executes kernels of the IR over all blocks and threads of small problems, and objects to what no kernel may do: what
// its memory objects to (ir_memory.hpp), an unaligned vector, an integer that does not fit its type, arithmetic that
// mixes integers, floats and doubles. Covers what field kernels are made of.

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <complex>
#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include "kernel/kernel.hpp"
#include "support/few_numbers.hpp"
#include "support/field_arithmetic.hpp"
#include "support/ir_value.hpp"
#include "support/random_number.hpp"
#include "support/real_functions.hpp"
#include "support/stand_in_function.hpp"

namespace kasc::test {

class Interpreter {
public:
    explicit Interpreter(const kernel::Kernel& kernel) : kernel_(kernel), memory_(kernel) {
        for (const kernel::Statement& s : kernel.body) body_.push_back(compile(s));
        for (const kernel::ExprRef& g : kernel.grid) grid_.push_back(compile(g));
    }

    void scalar(const std::string& name, Scalar value) { slots_[slot(name)] = value; }
    void array(const kernel::Parameter& parameter, Cells& words, ArrayUse use) { memory_.array(parameter, words, use); }
    /// With what the last launch or share of one has done to it.
    [[nodiscard]] const Array& touched(const std::string& array) { return memory_.touched(array); }
    /// Traffic and work of all that was run.
    [[nodiscard]] Traffic traffic() const { return memory_.traffic(); }
    [[nodiscard]] const Work& work() const { return work_; }
    /// Blocks and threads run from the last to the first.
    void backwards(bool on) { backwards_ = on; }

    void run() { run_share({}, {grid_[0]().i, grid_[1]().i, grid_[2]().i}); }
    /// Runs so many blocks of the launch, from the first on.
    void run_share(const std::array<std::int64_t, 3>& first, const std::array<std::int64_t, 3>& blocks) {
        int number = 0;
        each(blocks, [&](const std::array<std::int64_t, 3>& block) {
            for (std::size_t k = 0; k < 3; ++k) block_[k] = first[k] + block[k];
            memory_.begin_block(number++);
            for (const Action& a : body_) a();
        });
    }

private:
    using Action = std::function<void()>;
    const kernel::Kernel& kernel_;
    KernelMemory memory_;
    bool backwards_ = false;
    Work work_;
    std::map<std::string, std::size_t> slot_of_;
    std::vector<Scalar> slots_ = std::vector<Scalar>(4096);  ///< values have addresses of them
    std::deque<Scalar> numbers_;                             ///< of the text
    std::vector<Action> body_;
    std::vector<Value> grid_;
    std::array<std::int64_t, 3> block_{}, thread_{};

    template <class Visit>
    void each(const std::array<std::int64_t, 3>& counts, const Visit& visit) const {
        const std::int64_t all = counts[0] * counts[1] * counts[2];
        for (std::int64_t k = 0; k < all; ++k) {
            const std::int64_t at = backwards_ ? all - 1 - k : k;
            visit({at % counts[0], at / counts[0] % counts[1], at / counts[0] / counts[1]});
        }
    }

    [[noreturn]] void fault(const std::string& text) const { memory_.fault(text); }

    std::size_t slot(const std::string& name) { return slot_of_.try_emplace(name, slot_of_.size()).first->second; }

    void check_type(kernel::Type type, const Scalar& v, const std::string& name) const {
        if (v.kind != Scalar::kind_of(type)) fault(fmt::format("'{}' gets a value of another kind", name));
        if (type == kernel::Type::i32 && (v.i < INT32_MIN || v.i > INT32_MAX))
            fault(fmt::format("'{}' overflows", name));
    }

    [[nodiscard]] int thread() const {
        return static_cast<int>((thread_[2] * kernel_.block[1] + thread_[1]) * kernel_.block[0] + thread_[0]);
    }
    // --- expressions ---

    Value compile(const kernel::ExprRef& e) {
        return std::visit([&](const auto& node) { return value(node); }, e->node);
    }
    static Scalar whole(std::int64_t i, bool is_long = false) { return Scalar::whole(i, is_long); }
    static Scalar of_two(const Scalar& a, const Scalar& b,
                         const std::int64_t& (*of)(const std::int64_t&, const std::int64_t&)) {
        return whole(of(a.i, b.i), a.is_long || b.is_long);
    }
    /// What one operation gives, rounded to the kind of its operands.
    static Scalar rounded(Scalar::Kind kind, double value) {
        return {kind, false, 0, kind == Scalar::Kind::single ? static_cast<double>(static_cast<float>(value)) : value};
    }

    Value number(const Scalar& n) { return Value(&numbers_.emplace_back(n)); }
    Value value(const kernel::Integer& n) { return number(whole(n.value)); }
    Value value(const kernel::Real& n) {
        return number(n.precision == Precision::dual ? Scalar::dual(n.value)
                                                     : Scalar::single(static_cast<float>(n.value)));
    }
    Value value(const kernel::Name& n) { return Value(&slots_.at(slot(n.name))); }
    Value value(const kernel::ThreadIndex& n) {
        return [this, k = static_cast<std::size_t>(n.dimension)] { return whole(thread_[k]); };
    }
    Value value(const kernel::LinearThread&) {
        return [this] { return whole(thread()); };
    }
    Value value(const kernel::BlockIndex& n) {
        return [this, k = static_cast<std::size_t>(n.dimension)] { return whole(block_[k]); };
    }
    Value value(const kernel::Negate& n) {
        return [v = compile(n.operand)] {
            const Scalar s = v();
            return Scalar{s.kind, s.is_long, -s.i, -s.f};
        };
    }
    Value value(const kernel::Not& n) {
        return [v = compile(n.operand)] { return whole(v().i == 0); };
    }
    Value value(const kernel::Select& n) {
        return [c = compile(n.condition), t = compile(n.then), o = compile(n.otherwise)] {
            return c().i != 0 ? t() : o();
        };
    }
    Value value(const kernel::Element& n) {
        return [this, array = memory_.number(n.array), at = compile(n.index)] { return memory_.load(array, at().i); };
    }
    Value value(const kernel::Wide& n) {
        return [v = compile(n.operand)] { return whole(v().i, true); };
    }
    Value value(const kernel::Part&) { fault("takes a complex number apart"); }  // its arrays are of floats
    Value value(const kernel::Convert& n) {
        return [this, to = n.to, v = compile(n.operand)] {
            const Scalar from = v();
            const Scalar::Kind kind = Scalar::kind_of(to);
            if (kind == Scalar::Kind::whole && from.kind != kind) fault("makes an integer of a real");
            if (to == kernel::Type::u8) return whole(static_cast<std::uint8_t>(from.i));
            if (to == kernel::Type::i32) return whole(static_cast<std::int32_t>(from.i));
            return kind == Scalar::Kind::whole ? whole(from.i, to == kernel::Type::i64)
                                               : rounded(kind, in_memory(to, from.cell()));
        };
    }

    Value value(const kernel::Binary& n) {
        const Value l = compile(n.left), r = compile(n.right);
        if (n.op == "&&") return [l, r] { return whole(l().i != 0 && r().i != 0); };
        if (n.op == "||") return [l, r] { return whole(l().i != 0 || r().i != 0); };
        // Floats are computed in double and rounded once: what the operation gives in float (Figueroa, When is double
        // rounding innocuous?, 1995).
        const auto with = [this, l, r, op = n.op](auto of) -> Value {
            return [this, l, r, op, of] {
                const Scalar a = l(), b = r();
                if (a.kind != b.kind) fault(fmt::format("'{}' of two kinds of numbers", op));
                ++(a.kind == Scalar::Kind::whole ? work_.wholes : work_.reals);
                if (a.kind == Scalar::Kind::whole) return whole(of(a.i, b.i), a.is_long || b.is_long);
                if constexpr (std::invocable<decltype(of), double, double>) return rounded(a.kind, of(a.f, b.f));
                fault(fmt::format("'{}' of reals", op));
            };
        };
        if (n.op == "+") return with([](auto a, auto b) { return a + b; });
        if (n.op == "-") return with([](auto a, auto b) { return a - b; });
        if (n.op == "*") return with([](auto a, auto b) { return a * b; });
        if (n.op == "/") return with([](auto a, auto b) { return a / b; });
        if (n.op == "%") return with([](std::integral auto a, std::integral auto b) { return a % b; });
        if (n.op == "&") return with([](std::integral auto a, std::integral auto b) { return a & b; });
        if (n.op == "|") return with([](std::integral auto a, std::integral auto b) { return a | b; });
        if (n.op == "^") return with([](std::integral auto a, std::integral auto b) { return a ^ b; });
        if (n.op == "<<" || n.op == ">>") {
            return [this, l, r, left = n.op == "<<"] {
                const Scalar shifted = l();
                const std::int64_t a = shifted.i, count = r().i;
                if (count < 0 || count > (shifted.is_long ? 63 : 31)) fault("shifts by more bits than an integer has");
                ++work_.wholes;
                if (!left) return whole(a >> count, shifted.is_long);
                const std::uint64_t all = static_cast<std::uint64_t>(a) << count;
                return shifted.is_long ? whole(static_cast<std::int64_t>(all), true)
                                       : whole(static_cast<std::int32_t>(all));
            };
        }
        const auto compare = [this, l, r, op = n.op](auto holds) -> Value {
            return [this, l, r, op, holds] {
                const Scalar a = l(), b = r();
                if (a.kind != b.kind) fault(fmt::format("'{}' of two kinds of numbers", op));
                ++(a.kind == Scalar::Kind::whole ? work_.wholes : work_.reals);
                return whole(a.kind == Scalar::Kind::whole ? holds(a.i, b.i) : holds(a.f, b.f));
            };
        };
        if (n.op == "<") return compare([](auto a, auto b) { return a < b; });
        if (n.op == "<=") return compare([](auto a, auto b) { return a <= b; });
        if (n.op == ">") return compare([](auto a, auto b) { return a > b; });
        if (n.op == ">=") return compare([](auto a, auto b) { return a >= b; });
        if (n.op == "==") return compare([](auto a, auto b) { return a == b; });
        if (n.op == "!=") return compare([](auto a, auto b) { return a != b; });
        fault("unknown operator " + n.op);
    }

    Value value(const kernel::MathCall& n) {
        std::vector<Value> a;
        for (const kernel::ExprRef& e : n.arguments) a.push_back(compile(e));
        if (n.function == "min") return [a] { return of_two(a[0](), a[1](), std::min<std::int64_t>); };
        if (n.function == "max") return [a] { return of_two(a[0](), a[1](), std::max<std::int64_t>); };
        if (n.function == "kasc_kept") return a[0];
        if (n.function == "abs") return [a] { return whole(std::abs(a[0]().i), a[0]().is_long); };
        const bool cuts_long = n.function.starts_with("kasc_long");
        if (cuts_long || n.function.starts_with("kasc_int")) {
            const auto kind = n.function.ends_with("f") ? Scalar::Kind::single : Scalar::Kind::dual;
            return [this, a, kind, cuts_long] {
                const Scalar s = a[0]();
                if (s.kind != kind) fault("makes an integer of another kind of number");
                return whole(cut(s.f, cuts_long), cuts_long);
            };
        }
        if (n.function.starts_with(kernel::turn_of_unity))
            return [a, f = n.function] { return part_of_turn(f, a[0]().i, a[1]().i); };
        if (n.function == "kasc_random" || n.function == "kasc_randomf")
            return [a, dual = n.function == "kasc_random"] {
                std::array<std::uint32_t, 5> numbers{};
                for (std::size_t k = 0; k < 5; ++k) numbers[k] = static_cast<std::uint32_t>(a[k]().i);
                return dual ? Scalar::dual(random_number<double>(numbers))
                            : Scalar::single(random_number<float>(numbers));
            };
        if (const Value v = real_function<float>(n.function, a, "f", Scalar::Kind::single)) return v;
        if (const Value v = real_function<double>(n.function, a, "", Scalar::Kind::dual)) return v;
        fault("unknown function " + n.function);
    }
    template <class Real>
    Value real_function(const std::string& name, const std::vector<Value>& a, const std::string& ending,
                        Scalar::Kind kind) {
        const auto& one = functions_of_one<Real>();
        const auto& two = functions_of_two<Real>();
        const auto real = [this, name, a, kind](std::size_t k) {
            const Scalar s = a[k]();
            if (s.kind != kind) fault(fmt::format("{} of another kind of number", name));
            return static_cast<Real>(s.f);
        };
        const auto result = [this, kind](Real value, int operations = 1) {
            work_.reals += operations;
            return Scalar{kind, false, 0, static_cast<double>(value)};
        };
        if (name == "fma" + ending) {
            return [real, result] { return result(std::fma(real(0), real(1), real(2)), 2); };
        }
        if (name == kernel::over_number + ending) {
            if (a.size() == 2) return [real, result] { return result(over(real(0), real(1))); };
            return [real, result] { return result(over(real(0), real(1), real(2))); };
        }
        if (!name.ends_with(ending)) return {};
        const std::string plain = name.substr(0, name.size() - ending.size());
        if (const auto f = one.find(plain); f != one.end())
            return [real, result, g = f->second] { return result(g(real(0))); };
        if (const auto f = two.find(plain); f != two.end())
            return [real, result, g = f->second] { return result(g(real(0), real(1))); };
        return {};
    }

    // --- statements ---

    Action compile(const kernel::Statement& s) {
        return std::visit([&](const auto& node) { return action(node); }, s.node);
    }
    Action compile(const kernel::Body& body) {
        std::vector<Action> all;
        for (const kernel::Statement& s : body) all.push_back(compile(s));
        return [all] {
            for (const Action& a : all) a();
        };
    }
    template <class Node>
    Action action(const Node&) {
        fault("a statement that no field kernel has");
    }
    const Action nothing_ = [] {};
    Action action(const kernel::Comment&) { return nothing_; }
    Action action(const kernel::CommitCopies&) { return nothing_; }
    Action let(kernel::Type type, const std::string& name, const kernel::ExprRef& e) {
        return [this, type, name, k = slot(name), v = compile(e)] {
            slots_[k] = v();
            check_type(type, slots_[k], name);
            slots_[k].is_long = type == kernel::Type::i64;
        };
    }
    Action action(const kernel::Let& s) { return let(s.type, s.name, s.value); }
    Action action(const kernel::Variable& s) { return let(s.type, s.name, s.value); }
    Action action(const kernel::RegisterArray& s) {
        std::vector<Value> values;
        for (const kernel::ExprRef& e : s.values) values.push_back(compile(e));
        return [this, s, array = memory_.number(s.name), values] {
            memory_.declare_registers(array, s.type, static_cast<std::size_t>(s.words));
            for (std::size_t k = 0; k < values.size(); ++k) {
                const Scalar value = values[k]();
                check_type(s.type, value, s.name);
                memory_.store(array, static_cast<std::int64_t>(k), value);
            }
        };
    }
    /// A function of the library, of words of a cell.
    Action action(const kernel::Call& s) {
        const auto called = std::find_if(kernel_.functions.begin(), kernel_.functions.end(),
                                         [&](const kernel::FunctionVariant& f) { return f.name == s.function; });
        if (called == kernel_.functions.end() || !called->of_cell) fault("calls what is no function of cells");
        const kernel::ExprRef& offset = std::get<kernel::ArrayArgument>(s.arguments.back()).offset;
        const Value first = offset ? compile(offset) : [] { return whole(0); };
        return [this, s, first, operations = called->operations, of_result = called->words] {
            work_.reals += operations;
            std::vector<double> words;
            const auto array = [&](std::size_t k) {
                return memory_.number(std::get<kernel::ArrayArgument>(s.arguments.at(k)).array);
            };
            for (std::size_t k = 0; k + 1 < s.arguments.size(); ++k) {
                for (std::size_t word = 0; word < memory_.register_words(array(k)); ++word)
                    words.push_back(memory_.load(array(k), static_cast<std::int64_t>(word)).f);
            }
            const std::size_t result = array(s.arguments.size() - 1);
            const std::int64_t begin = first().i;
            for (int word = 0; word < of_result; ++word)
                memory_.store(result, begin + word,
                              Scalar::single(stand_in_word(words, static_cast<std::size_t>(word))));
        };
    }
    Action action(const kernel::PrivateArray& s) {
        return [this, s, array = memory_.number(s.name)] { memory_.declare_private(array, s.type, s.words); };
    }
    Action action(const kernel::SharedArray& s) {
        return [this, s, array = memory_.number(s.name)] { memory_.declare_shared(array, s.type, s.words); };
    }
    Action action(const kernel::Barrier&) {
        return [this] { memory_.barrier(); };
    }
    Action action(const kernel::CountBlock& s) {
        return [this, array = memory_.number(s.into), at = compile(s.index), blocks = compile(s.blocks)] {
            memory_.store(array, at().i, whole(memory_.count_block(blocks().i)));
        };
    }
    Action action(const kernel::Exchange& s) {
        return [this, s] { memory_.exchange(s); };
    }
    Action action(const kernel::Assign& s) {
        const Value v = compile(s.value);
        if (const auto* name = std::get_if<kernel::Name>(&s.target->node))
            return [this, k = slot(name->name), v] { slots_[k] = v(); };
        const auto& e = std::get<kernel::Element>(s.target->node);
        return [this, array = memory_.number(e.array), at = compile(e.index), v, adds = s.adds] {
            adds ? memory_.add(array, at().i, v()) : memory_.store(array, at().i, v());
        };
    }
    Action action(const kernel::Fetch& s) {
        return [this, array = memory_.number(s.from), into = memory_.number(s.into), &s, to = compile(s.into_index),
                from = compile(s.from_index)] {
            for (int k = 0; k < s.words; ++k) memory_.store(into, to().i + k, memory_.load(array, from().i + k));
        };
    }
    Action action(const kernel::Prefetch& s) {
        return [this, array = memory_.number(s.array), at = compile(s.index), last = s.words - 1] {
            memory_.find(array, at().i), memory_.find(array, at().i + last);
        };
    }
    Action action(const kernel::Butterfly& s) {
        std::vector<Value> turn;
        for (const char* part : {".x", ".y"})
            if (s.turn) turn.push_back(compile(kernel::name(kernel::text_of(s.turn) + part)));
        return [this, s, turn, array = memory_.number(s.registers)] {
            const std::complex<double> step(turn.empty() ? 1 : turn[0]().f, turn.empty() ? 0 : turn[1]().f);
            work_.reals += few_numbers(memory_, array, s, step);
        };
    }
    Action action(const kernel::LoadVector& s) {
        return [this, s, array = memory_.number(s.array), registers = memory_.number(s.registers),
                first = compile(s.first), at = compile(s.index)] {
            const std::int64_t from = at().i, to = first().i;
            if (from % s.width != 0) fault(fmt::format("unaligned load of {}[{}]", s.array, from));
            for (int k = 0; k < s.width; ++k) memory_.store(registers, to + k, memory_.load(array, from + k));
        };
    }
    Action action(const kernel::StoreVector& s) {
        return [this, s, array = memory_.number(s.array), registers = memory_.number(s.registers),
                first = compile(s.first), at = compile(s.index)] {
            const std::int64_t to = at().i, from = first().i;
            if (to % s.width != 0) fault(fmt::format("unaligned store of {}[{}]", s.array, to));
            for (int k = 0; k < s.width; ++k) memory_.store(array, to + k, memory_.load(registers, from + k));
        };
    }
    Action action(const kernel::For& s) {
        return [this, step = compile(s.stride ? s.stride : kernel::integer(s.step)), k = slot(s.variable),
                from = compile(s.from), to = compile(s.to), body = compile(s.body),
                going = compile(s.going ? s.going : kernel::integer(1))] {
            const std::int64_t end = to().i, forward = step().i;
            if (forward <= 0) fault("a loop does not move forward");
            for (std::int64_t i = from().i; i < end && going().i != 0; i += forward) {
                slots_[k] = whole(i);
                body();
            }
        };
    }
    Action action(const kernel::If& s) {
        return [c = compile(s.condition), then = compile(s.then), otherwise = compile(s.otherwise)] {
            c().i != 0 ? then() : otherwise();
        };
    }
    void for_threads(const Action& body) {
        each({kernel_.block[0], kernel_.block[1], kernel_.block[2]}, [&](const std::array<std::int64_t, 3>& at) {
            thread_ = at;
            memory_.begin_thread(thread());
            body();
        });
        memory_.end_threads();
    }
    Action action(const kernel::Threads& s) {
        return [this, body = compile(s.body)] { for_threads(body); };
    }
    Action action(const kernel::Cells& s) {
        struct Axis {
            std::size_t slot;
            Value origin, low, high;
            std::optional<std::size_t> dimension;
            int count, step;
        };
        std::vector<Axis> axes;
        for (const kernel::CellAxis& a : s.axes) {
            std::optional<std::size_t> d;
            if (a.dimension) d = static_cast<std::size_t>(*a.dimension);
            if (d && a.count != kernel_.block[*d]) fault("cells and block disagree");
            axes.push_back({slot(a.name), compile(a.origin), compile(a.low), compile(a.high), d, a.count, a.step});
        }
        return [this, axes, body = compile(s.body)] {
            for_threads([&] {
                for (const Axis& a : axes) {
                    const std::int64_t at = a.origin().i + (a.dimension ? thread_[*a.dimension] * a.step : 0);
                    slots_[a.slot] = whole(at);
                    if (at < a.low().i || at >= a.high().i) return;
                }
                body();
            });
        };
    }
};

}  // namespace kasc::test
