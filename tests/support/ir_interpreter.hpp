#pragma once
// Executes kernels of the IR over all blocks and threads of small problems, and objects to what no kernel may do: an
// access outside an array, an unaligned vector, a register word read before it is written, a word of memory written
// twice, an integer that does not fit its type, arithmetic that mixes integers, floats and doubles; of shared memory a
// word that nothing wrote, and one that two threads touch, one of them writing, with no barrier between; of an array
// that is updated in place a word that one thread reads and another writes.
//
// Covers what field kernels are made of.

#include <fmt/format.h>

#include <cmath>
#include <cstdint>
#include <functional>
#include <map>
#include <stdexcept>
#include <string>
#include <vector>

#include "kernel/kernel.hpp"
#include "support/field_values.hpp"

namespace kasc::test {

struct KernelFault : std::runtime_error {
    using std::runtime_error::runtime_error;
};

/// How an array of memory may be used.
enum class ArrayUse { input, output, in_place };

struct Array {
    Cells* words = nullptr;
    kernel::Type type = kernel::Type::f32;
    ArrayUse use = ArrayUse::input;
    std::vector<char> written;          ///< how often
    std::vector<int> writer, reader{};  ///< in place: the thread of the launch that did so; -1 none, -2 several
};

struct Scalar {
    enum class Kind { whole, single, dual } kind = Kind::whole;
    std::int64_t i = 0;
    double f = 0;  ///< of single: what a float holds

    [[nodiscard]] static Scalar whole(std::int64_t value) { return {Kind::whole, value, 0}; }
    [[nodiscard]] static Scalar single(float value) { return {Kind::single, 0, static_cast<double>(value)}; }
    [[nodiscard]] static Scalar dual(double value) { return {Kind::dual, 0, value}; }
    [[nodiscard]] static Kind kind_of(kernel::Type type) {
        return type == kernel::Type::f32 ? Kind::single : type == kernel::Type::f64 ? Kind::dual : Kind::whole;
    }
    /// A word of an array.
    [[nodiscard]] static Scalar word(kernel::Type type, double value) {
        const Kind kind = kind_of(type);
        return {kind, kind == Kind::whole ? static_cast<std::int64_t>(value) : 0, kind == Kind::whole ? 0 : value};
    }
    [[nodiscard]] double cell() const { return kind == Kind::whole ? static_cast<double>(i) : f; }
};

class Interpreter {
public:
    explicit Interpreter(const kernel::Kernel& kernel) : kernel_(kernel) {
        for (const kernel::Statement& s : kernel.body) body_.push_back(compile(s));
        for (const kernel::ExprRef& g : kernel.grid) grid_.push_back(compile(g));
    }

    void scalar(const std::string& name, Scalar value) { slots_[slot(name)] = value; }
    void array(const kernel::Parameter& parameter, Cells& words, ArrayUse use) {
        Array a{&words, parameter.type, use, {}, {}, {}};
        if (use != ArrayUse::input) a.written.assign(words.size(), 0);
        if (use == ArrayUse::in_place) a.writer.assign(words.size(), -1), a.reader = a.writer;
        arrays_[parameter.name] = std::move(a);
    }
    /// Blocks and threads run from the last to the first.
    void backwards(bool on) { backwards_ = on; }

    void run() {
        std::array<std::int64_t, 3> n{};
        for (std::size_t k = 0; k < 3; ++k) n[k] = grid_[k]().i;
        each(n, [&](const std::array<std::int64_t, 3>& block) {
            block_ = block;
            linear_block_ = static_cast<int>((block[2] * n[1] + block[1]) * n[0] + block[0]);
            shared_.clear();
            private_.clear();
            interval_ = 0;
            in_thread_ = false;
            for (const Action& a : body_) a();
        });
    }

private:
    using Value = std::function<Scalar()>;
    using Action = std::function<void()>;
    struct Registers {
        std::vector<double> words;
        std::vector<char> set;
        kernel::Type type = kernel::Type::f32;
    };

    /// A word of shared memory, and the threads that touched it last.
    struct SharedWord {
        double value = 0;
        int writer = -1, written_in = -1, reader = -1, read_in = -1;
        bool several_readers = false;
    };

    struct SharedWords {
        std::vector<SharedWord> words;
        kernel::Type type = kernel::Type::f32;
    };

    const kernel::Kernel& kernel_;
    std::map<std::string, SharedWords> shared_;              ///< of the block that runs
    std::map<std::string, std::vector<Registers>> private_;  ///< by thread of the block
    int interval_ = 0, linear_block_ = 0;
    bool backwards_ = false, in_thread_ = false;
    std::map<std::string, std::size_t> slot_of_;
    std::vector<Scalar> slots_ = std::vector<Scalar>(4096);
    std::map<std::string, Array> arrays_;
    std::map<std::string, Registers> registers_;
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

    [[noreturn]] void fault(const std::string& text) const { throw KernelFault(kernel_.name + ": " + text); }

    std::size_t slot(const std::string& name) { return slot_of_.try_emplace(name, slot_of_.size()).first->second; }

    void check_type(kernel::Type type, const Scalar& v, const std::string& name) const {
        if (v.kind != Scalar::kind_of(type)) fault(fmt::format("'{}' gets a value of another kind", name));
        if (type == kernel::Type::i32 && (v.i < INT32_MIN || v.i > INT32_MAX))
            fault(fmt::format("'{}' overflows", name));
    }

    // --- memory ---

    [[nodiscard]] int thread() const {
        return static_cast<int>((thread_[2] * kernel_.block[1] + thread_[1]) * kernel_.block[0] + thread_[0]);
    }
    SharedWord& shared_word(std::vector<SharedWord>& words, const std::string& array, std::int64_t at) {
        if (at < 0 || at >= static_cast<std::int64_t>(words.size()))
            fault(fmt::format("touches {}[{}] of {}", array, at, words.size()));
        return words[static_cast<std::size_t>(at)];
    }
    double load_shared(std::vector<SharedWord>& words, const std::string& array, std::int64_t at) {
        SharedWord& w = shared_word(words, array, at);
        if (w.writer < 0) fault(fmt::format("reads {}[{}], which nothing wrote", array, at));
        if (w.written_in == interval_ && w.writer != thread())
            fault(fmt::format("reads {}[{}] with no barrier after the write", array, at));
        w.several_readers = w.read_in == interval_ && (w.several_readers || w.reader != thread());
        w.reader = thread();
        w.read_in = interval_;
        return w.value;
    }
    void store_shared(std::vector<SharedWord>& words, const std::string& array, std::int64_t at, double value) {
        SharedWord& w = shared_word(words, array, at);
        const bool other_reads = w.read_in == interval_ && (w.several_readers || w.reader != thread());
        const bool other_writes = w.written_in == interval_ && w.writer != thread();
        if (other_reads || other_writes)
            fault(fmt::format("writes {}[{}] with no barrier after another thread's access", array, at));
        w.value = value;
        w.writer = thread();
        w.written_in = interval_;
    }
    Registers& registers(const std::string& array) {
        const auto own = private_.find(array);
        return own == private_.end() ? registers_.at(array) : own->second.at(static_cast<std::size_t>(thread()));
    }

    Scalar load(const std::string& array, std::int64_t at) {
        const auto shared = shared_.find(array);
        if (shared != shared_.end())
            return Scalar::word(shared->second.type, load_shared(shared->second.words, array, at));
        const auto memory = arrays_.find(array);
        if (memory == arrays_.end()) return load_register(array, at);
        Array& a = memory->second;
        if (a.use == ArrayUse::output) fault(fmt::format("reads its output '{}'", array));
        const std::size_t i = checked(a, array, at, "reads");
        if (a.use == ArrayUse::in_place) {
            if (a.writer[i] != -1 && a.writer[i] != agent())
                fault(fmt::format("reads {}[{}], which another thread writes", array, at));
            a.reader[i] = a.reader[i] == -1 || a.reader[i] == agent() ? agent() : -2;
        }
        return Scalar::word(a.type, (*a.words)[i]);
    }
    std::size_t checked(const Array& a, const std::string& array, std::int64_t at, const char* what) const {
        if (at < 0 || at >= static_cast<std::int64_t>(a.words->size()))
            fault(fmt::format("{} {}[{}] of {}", what, array, at, a.words->size()));
        return static_cast<std::size_t>(at);
    }
    /// The thread, apart from those of all other blocks; all threads of a block together are one more.
    [[nodiscard]] int agent() const {
        if (!in_thread_) return -3 - linear_block_;
        return linear_block_ * static_cast<int>(thread_count(kernel_.block)) + thread();
    }
    Scalar load_register(const std::string& array, std::int64_t at) {
        Registers& r = registers(array);
        if (at < 0 || at >= static_cast<std::int64_t>(r.words.size()))
            fault(fmt::format("reads register {}[{}]", array, at));
        if (!r.set[static_cast<std::size_t>(at)]) fault(fmt::format("reads {}[{}] before it is written", array, at));
        return Scalar::word(r.type, r.words[static_cast<std::size_t>(at)]);
    }
    void check_stored(kernel::Type type, const Scalar& value, const std::string& array) const {
        if (value.kind != Scalar::kind_of(type)) fault(fmt::format("stores a value of another kind in '{}'", array));
        if (type == kernel::Type::u8 && (value.i < 0 || value.i > 255)) fault(fmt::format("'{}' overflows", array));
    }
    void store(const std::string& array, std::int64_t at, const Scalar& value) {
        const auto shared = shared_.find(array);
        if (shared != shared_.end()) {
            check_stored(shared->second.type, value, array);
            return store_shared(shared->second.words, array, at, value.cell());
        }
        const auto memory = arrays_.find(array);
        if (memory == arrays_.end()) {
            Registers& r = registers(array);
            if (at < 0 || at >= static_cast<std::int64_t>(r.words.size()))
                fault(fmt::format("writes register {}[{}]", array, at));
            // A register may hold a byte's word as an integer of any width.
            check_stored(r.type == kernel::Type::u8 ? kernel::Type::i32 : r.type, value, array);
            r.words[static_cast<std::size_t>(at)] = value.cell();
            r.set[static_cast<std::size_t>(at)] = 1;
            return;
        }
        Array& a = memory->second;
        if (a.use == ArrayUse::input) fault(fmt::format("writes its input '{}'", array));
        const std::size_t i = checked(a, array, at, "writes");
        check_stored(a.type, value, array);
        if (a.written[i]++) fault(fmt::format("writes {}[{}] twice", array, at));
        if (a.use == ArrayUse::in_place) {
            if (a.reader[i] != -1 && a.reader[i] != agent())
                fault(fmt::format("writes {}[{}], which another thread reads", array, at));
            a.writer[i] = agent();
        }
        (*a.words)[i] = value.cell();
    }

    // --- expressions ---

    Value compile(const kernel::ExprRef& e) {
        return std::visit([&](const auto& node) { return value(node); }, e->node);
    }
    static Scalar whole(std::int64_t i) { return Scalar::whole(i); }
    /// What one operation gives, rounded to the kind of its operands.
    static Scalar rounded(Scalar::Kind kind, double value) {
        return {kind, 0, kind == Scalar::Kind::single ? static_cast<double>(static_cast<float>(value)) : value};
    }

    Value value(const kernel::Integer& n) {
        return [v = n.value] { return whole(v); };
    }
    Value value(const kernel::Real& n) {
        const Scalar v =
            n.precision == Precision::dual ? Scalar::dual(n.value) : Scalar::single(static_cast<float>(n.value));
        return [v] { return v; };
    }
    Value value(const kernel::Name& n) {
        return [this, k = slot(n.name)] { return slots_[k]; };
    }
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
            return Scalar{s.kind, -s.i, -s.f};
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
        return [this, array = n.array, at = compile(n.index)] { return load(array, at().i); };
    }
    Value value(const kernel::Wide& n) { return compile(n.operand); }
    Value value(const kernel::Part&) { fault("takes a complex number apart"); }  // its arrays are of floats
    Value value(const kernel::Convert& n) {
        return [this, to = n.to, v = compile(n.operand)] {
            const Scalar from = v();
            const Scalar::Kind kind = Scalar::kind_of(to);
            if (kind == Scalar::Kind::whole && from.kind != kind) fault("makes an integer of a real");
            if (to == kernel::Type::u8) return whole(static_cast<std::uint8_t>(from.i));
            if (to == kernel::Type::i32) return whole(static_cast<std::int32_t>(from.i));
            return kind == Scalar::Kind::whole ? from : rounded(kind, from.cell());
        };
    }

    Value value(const kernel::Binary& n) {
        const Value l = compile(n.left), r = compile(n.right);
        if (n.op == "&&") return [l, r] { return whole(l().i != 0 && r().i != 0); };
        if (n.op == "||") return [l, r] { return whole(l().i != 0 || r().i != 0); };
        using Whole = std::int64_t (*)(std::int64_t, std::int64_t);
        // Of floats in double and rounded once: what the operation gives in float (Figueroa, When is double rounding
        // innocuous?, 1995).
        using Real = double (*)(double, double);
        const auto with = [this, l, r, op = n.op](Whole of_whole, Real of_real) -> Value {
            return [this, l, r, op, of_whole, of_real] {
                const Scalar a = l(), b = r();
                if (a.kind != b.kind) fault(fmt::format("'{}' of two kinds of numbers", op));
                if (a.kind == Scalar::Kind::whole) return whole(of_whole(a.i, b.i));
                if (!of_real) fault(fmt::format("'{}' of reals", op));
                return rounded(a.kind, of_real(a.f, b.f));
            };
        };
        if (n.op == "+") return with([](auto a, auto b) { return a + b; }, [](auto a, auto b) { return a + b; });
        if (n.op == "-") return with([](auto a, auto b) { return a - b; }, [](auto a, auto b) { return a - b; });
        if (n.op == "*") return with([](auto a, auto b) { return a * b; }, [](auto a, auto b) { return a * b; });
        if (n.op == "/") return with([](auto a, auto b) { return a / b; }, [](auto a, auto b) { return a / b; });
        if (n.op == "%") return with([](auto a, auto b) { return a % b; }, nullptr);
        const auto compare = [this, l, r, op = n.op](auto holds) -> Value {
            return [this, l, r, op, holds] {
                const Scalar a = l(), b = r();
                if (a.kind != b.kind) fault(fmt::format("'{}' of two kinds of numbers", op));
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
        if (n.function == "min") return [a] { return whole(std::min(a[0]().i, a[1]().i)); };
        if (n.function == "max") return [a] { return whole(std::max(a[0]().i, a[1]().i)); };
        if (const Value v = real_function<float>(n.function, a, "f", Scalar::Kind::single)) return v;
        if (const Value v = real_function<double>(n.function, a, "", Scalar::Kind::dual)) return v;
        fault("unknown function " + n.function);
    }
    template <class Real>
    Value real_function(const std::string& name, const std::vector<Value>& a, const std::string& ending,
                        Scalar::Kind kind) {
        static const std::map<std::string, Real (*)(Real)> one{
            {"exp", [](Real x) { return std::exp(x); }},   {"exp2", [](Real x) { return std::exp2(x); }},
            {"log", [](Real x) { return std::log(x); }},   {"sqrt", [](Real x) { return std::sqrt(x); }},
            {"sin", [](Real x) { return std::sin(x); }},   {"cos", [](Real x) { return std::cos(x); }},
            {"tan", [](Real x) { return std::tan(x); }},   {"tanh", [](Real x) { return std::tanh(x); }},
            {"fabs", [](Real x) { return std::fabs(x); }}, {"floor", [](Real x) { return std::floor(x); }}};
        static const std::map<std::string, Real (*)(Real, Real)> two{
            {"pow", [](Real x, Real y) { return std::pow(x, y); }},
            {"fmod", [](Real x, Real y) { return std::fmod(x, y); }},
            {"fmin", [](Real x, Real y) { return std::fmin(x, y); }},
            {"fmax", [](Real x, Real y) { return std::fmax(x, y); }}};
        const auto real = [this, name, a, kind](std::size_t k) {
            const Scalar s = a[k]();
            if (s.kind != kind) fault(fmt::format("{} of another kind of number", name));
            return static_cast<Real>(s.f);
        };
        const auto result = [kind](Real value) { return Scalar{kind, 0, static_cast<double>(value)}; };
        if (name == "fma" + ending) return [real, result] { return result(std::fma(real(0), real(1), real(2))); };
        if (!name.ends_with(ending)) return nullptr;
        const std::string plain = name.substr(0, name.size() - ending.size());
        if (const auto f = one.find(plain); f != one.end())
            return [real, result, g = f->second] { return result(g(real(0))); };
        if (const auto f = two.find(plain); f != two.end())
            return [real, result, g = f->second] { return result(g(real(0), real(1))); };
        return nullptr;
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
    Action action(const kernel::Comment&) {
        return [] {};
    }
    Action let(kernel::Type type, const std::string& name, const kernel::ExprRef& e) {
        return [this, type, name, k = slot(name), v = compile(e)] {
            slots_[k] = v();
            check_type(type, slots_[k], name);
        };
    }
    Action action(const kernel::Let& s) { return let(s.type, s.name, s.value); }
    Action action(const kernel::Variable& s) { return let(s.type, s.name, s.value); }
    Action action(const kernel::RegisterArray& s) {
        return [this, n = s.name, t = s.type, words = static_cast<std::size_t>(s.words)] {
            registers_[n] = {std::vector<double>(words), std::vector<char>(words, 0), t};
        };
    }
    Action action(const kernel::PrivateArray& s) {
        return [this, n = s.name, t = s.type, words = static_cast<std::size_t>(s.words)] {
            const auto threads = static_cast<std::size_t>(thread_count(kernel_.block));
            private_[n].assign(threads, {std::vector<double>(words), std::vector<char>(words, 0), t});
        };
    }
    Action action(const kernel::SharedArray& s) {
        return [this, n = s.name, t = s.type, words = static_cast<std::size_t>(s.words)] {
            shared_[n] = {std::vector<SharedWord>(words), t};
        };
    }
    Action action(const kernel::Barrier&) {
        return [this] { ++interval_; };
    }
    Action action(const kernel::Assign& s) {
        const Value v = compile(s.value);
        if (const auto* name = std::get_if<kernel::Name>(&s.target->node)) {
            return [this, k = slot(name->name), v] { slots_[k] = v(); };
        }
        const auto& e = std::get<kernel::Element>(s.target->node);
        return [this, array = e.array, at = compile(e.index), v] {
            const Scalar value = v();
            store(array, at().i, value);
        };
    }
    Action action(const kernel::LoadVector& s) {
        return [this, s, first = compile(s.first), at = compile(s.index)] {
            const std::int64_t from = at().i, to = first().i;
            if (from % s.width != 0) fault(fmt::format("unaligned load of {}[{}]", s.array, from));
            for (int k = 0; k < s.width; ++k) store(s.registers, to + k, load(s.array, from + k));
        };
    }
    Action action(const kernel::StoreVector& s) {
        return [this, s, first = compile(s.first), at = compile(s.index)] {
            const std::int64_t to = at().i, from = first().i;
            if (to % s.width != 0) fault(fmt::format("unaligned store of {}[{}]", s.array, to));
            for (int k = 0; k < s.width; ++k) store(s.array, to + k, load(s.registers, from + k));
        };
    }
    Action action(const kernel::For& s) {
        return [this, step = compile(s.stride ? s.stride : kernel::integer(s.step)), k = slot(s.variable),
                from = compile(s.from), to = compile(s.to), body = compile(s.body)] {
            const std::int64_t end = to().i, forward = step().i;
            if (forward <= 0) fault("a loop does not move forward");
            for (std::int64_t i = from().i; i < end; i += forward) {
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
        in_thread_ = true;
        each({kernel_.block[0], kernel_.block[1], kernel_.block[2]}, [&](const std::array<std::int64_t, 3>& thread) {
            thread_ = thread;
            registers_.clear();
            body();
        });
        in_thread_ = false;
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
