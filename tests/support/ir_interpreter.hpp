#pragma once
// Executes kernels of the IR over all blocks and threads of small problems, and objects to what no kernel may do: an
// access outside an array, an unaligned vector, a register word read before it is written, a word of memory written
// twice, an integer that does not fit its type, arithmetic that mixes integers and reals; of shared memory a word that
// nothing wrote, and one that two threads touch, one of them writing, with no barrier between.
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

namespace kasc::testing {

struct KernelFault : std::runtime_error {
    using std::runtime_error::runtime_error;
};

struct Array {
    std::vector<float>* words = nullptr;
    bool output = false;
    std::vector<char> written;  ///< output: how often
};

struct Scalar {
    bool real = false;
    std::int64_t i = 0;
    float f = 0;
};

class Interpreter {
public:
    explicit Interpreter(const kernel::Kernel& kernel) : kernel_(kernel) {
        for (const kernel::Statement& s : kernel.body) body_.push_back(compile(s));
        for (const kernel::ExprRef& g : kernel.grid) grid_.push_back(compile(g));
    }

    void scalar(const std::string& name, Scalar value) { slots_[slot(name)] = value; }
    void input(const std::string& name, std::vector<float>& words) { arrays_[name] = {&words, false, {}}; }
    void output(const std::string& name, std::vector<float>& words) {
        arrays_[name] = {&words, true, std::vector<char>(words.size(), 0)};
    }

    void run() {
        std::array<std::int64_t, 3> n{};
        for (std::size_t k = 0; k < 3; ++k) n[k] = grid_[k]().i;
        for (block_[2] = 0; block_[2] < n[2]; ++block_[2]) {
            for (block_[1] = 0; block_[1] < n[1]; ++block_[1]) {
                for (block_[0] = 0; block_[0] < n[0]; ++block_[0]) {
                    shared_.clear();
                    private_.clear();
                    interval_ = 0;
                    for (const Action& a : body_) a();
                }
            }
        }
    }

private:
    using Value = std::function<Scalar()>;
    using Action = std::function<void()>;
    struct Registers {
        std::vector<float> words;
        std::vector<char> set;
    };

    /// A word of shared memory, and the threads that touched it last.
    struct SharedWord {
        float value = 0;
        int writer = -1, written_in = -1, reader = -1, read_in = -1;
        bool several_readers = false;
    };

    const kernel::Kernel& kernel_;
    std::map<std::string, std::vector<SharedWord>> shared_;  ///< of the block that runs
    std::map<std::string, std::vector<Registers>> private_;  ///< by thread of the block
    int interval_ = 0;
    std::map<std::string, std::size_t> slot_of_;
    std::vector<Scalar> slots_ = std::vector<Scalar>(4096);
    std::map<std::string, Array> arrays_;
    std::map<std::string, Registers> registers_;
    std::vector<Action> body_;
    std::vector<Value> grid_;
    std::array<std::int64_t, 3> block_{}, thread_{};

    [[noreturn]] void fault(const std::string& text) const { throw KernelFault(kernel_.name + ": " + text); }

    std::size_t slot(const std::string& name) { return slot_of_.try_emplace(name, slot_of_.size()).first->second; }

    void check_type(kernel::Type type, const Scalar& v, const std::string& name) const {
        if (v.real != (type == kernel::Type::f32)) fault(fmt::format("'{}' gets a value of another kind", name));
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
    float load_shared(std::vector<SharedWord>& words, const std::string& array, std::int64_t at) {
        SharedWord& w = shared_word(words, array, at);
        if (w.writer < 0) fault(fmt::format("reads {}[{}], which nothing wrote", array, at));
        if (w.written_in == interval_ && w.writer != thread())
            fault(fmt::format("reads {}[{}] with no barrier after the write", array, at));
        w.several_readers = w.read_in == interval_ && (w.several_readers || w.reader != thread());
        w.reader = thread();
        w.read_in = interval_;
        return w.value;
    }
    void store_shared(std::vector<SharedWord>& words, const std::string& array, std::int64_t at, float value) {
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

    float load(const std::string& array, std::int64_t at) {
        const auto shared = shared_.find(array);
        if (shared != shared_.end()) return load_shared(shared->second, array, at);
        const auto memory = arrays_.find(array);
        if (memory == arrays_.end()) return load_register(array, at);
        if (memory->second.output) fault(fmt::format("reads its output '{}'", array));
        if (at < 0 || at >= static_cast<std::int64_t>(memory->second.words->size())) {
            fault(fmt::format("reads {}[{}] of {}", array, at, memory->second.words->size()));
        }
        return (*memory->second.words)[static_cast<std::size_t>(at)];
    }
    float load_register(const std::string& array, std::int64_t at) {
        Registers& r = registers(array);
        if (at < 0 || at >= static_cast<std::int64_t>(r.words.size()))
            fault(fmt::format("reads register {}[{}]", array, at));
        if (!r.set[static_cast<std::size_t>(at)]) fault(fmt::format("reads {}[{}] before it is written", array, at));
        return r.words[static_cast<std::size_t>(at)];
    }
    void store(const std::string& array, std::int64_t at, float value) {
        const auto shared = shared_.find(array);
        if (shared != shared_.end()) return store_shared(shared->second, array, at, value);
        const auto memory = arrays_.find(array);
        if (memory == arrays_.end()) {
            Registers& r = registers(array);
            if (at < 0 || at >= static_cast<std::int64_t>(r.words.size()))
                fault(fmt::format("writes register {}[{}]", array, at));
            r.words[static_cast<std::size_t>(at)] = value;
            r.set[static_cast<std::size_t>(at)] = 1;
            return;
        }
        Array& a = memory->second;
        if (!a.output) fault(fmt::format("writes its input '{}'", array));
        if (at < 0 || at >= static_cast<std::int64_t>(a.words->size())) {
            fault(fmt::format("writes {}[{}] of {}", array, at, a.words->size()));
        }
        if (a.written[static_cast<std::size_t>(at)]++) fault(fmt::format("writes {}[{}] twice", array, at));
        (*a.words)[static_cast<std::size_t>(at)] = value;
    }

    // --- expressions ---

    Value compile(const kernel::ExprRef& e) {
        return std::visit([&](const auto& node) { return value(node); }, e->node);
    }
    static Scalar whole(std::int64_t i) { return {false, i, 0}; }
    static Scalar number(float f) { return {true, 0, f}; }

    Value value(const kernel::Integer& n) {
        return [v = n.value] { return whole(v); };
    }
    Value value(const kernel::Real& n) {
        return [v = static_cast<float>(n.value)] { return number(v); };
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
            return s.real ? number(-s.f) : whole(-s.i);
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
        return [this, array = n.array, at = compile(n.index)] { return number(load(array, at().i)); };
    }
    Value value(const kernel::Wide& n) { return compile(n.operand); }
    Value value(const kernel::Part&) { fault("takes a complex number apart"); }  // its arrays are of floats
    Value value(const kernel::Convert& n) {
        if (n.to != kernel::Type::f32) fault("converts to another type than float");  // its arrays are of floats
        return [v = compile(n.operand)] { return number(static_cast<float>(v().i)); };
    }

    Value value(const kernel::Binary& n) {
        const Value l = compile(n.left), r = compile(n.right);
        if (n.op == "&&") return [l, r] { return whole(l().i != 0 && r().i != 0); };
        if (n.op == "||") return [l, r] { return whole(l().i != 0 || r().i != 0); };
        const auto with = [this, l, r, op = n.op](auto compute) -> Value {
            return [this, l, r, op, compute] {
                const Scalar a = l(), b = r();
                if (a.real != b.real) fault(fmt::format("'{}' of an integer and a real", op));
                return compute(a, b);
            };
        };
        if (n.op == "+") return with([](Scalar a, Scalar b) { return a.real ? number(a.f + b.f) : whole(a.i + b.i); });
        if (n.op == "-") return with([](Scalar a, Scalar b) { return a.real ? number(a.f - b.f) : whole(a.i - b.i); });
        if (n.op == "*") return with([](Scalar a, Scalar b) { return a.real ? number(a.f * b.f) : whole(a.i * b.i); });
        if (n.op == "/") return with([](Scalar a, Scalar b) { return a.real ? number(a.f / b.f) : whole(a.i / b.i); });
        if (n.op == "%") return with([](Scalar a, Scalar b) { return whole(a.i % b.i); });
        if (n.op == "<") return with([](Scalar a, Scalar b) { return whole(a.real ? a.f < b.f : a.i < b.i); });
        if (n.op == "<=") return with([](Scalar a, Scalar b) { return whole(a.real ? a.f <= b.f : a.i <= b.i); });
        if (n.op == ">") return with([](Scalar a, Scalar b) { return whole(a.real ? a.f > b.f : a.i > b.i); });
        if (n.op == ">=") return with([](Scalar a, Scalar b) { return whole(a.real ? a.f >= b.f : a.i >= b.i); });
        if (n.op == "==") return with([](Scalar a, Scalar b) { return whole(a.real ? a.f == b.f : a.i == b.i); });
        if (n.op == "!=") return with([](Scalar a, Scalar b) { return whole(a.real ? a.f != b.f : a.i != b.i); });
        fault("unknown operator " + n.op);
    }

    Value value(const kernel::MathCall& n) {
        std::vector<Value> a;
        for (const kernel::ExprRef& e : n.arguments) a.push_back(compile(e));
        if (n.function == "min") return [a] { return whole(std::min(a[0]().i, a[1]().i)); };
        if (n.function == "max") return [a] { return whole(std::max(a[0]().i, a[1]().i)); };
        if (n.function == "fmaf") {
            return [this, a] {
                const Scalar x = a[0](), y = a[1](), z = a[2]();
                if (!x.real || !y.real || !z.real) fault("fmaf of an integer");
                return number(std::fma(x.f, y.f, z.f));
            };
        }
        static const std::map<std::string, float (*)(float)> one{
            {"expf", [](float x) { return std::exp(x); }},    {"logf", [](float x) { return std::log(x); }},
            {"sqrtf", [](float x) { return std::sqrt(x); }},  {"sinf", [](float x) { return std::sin(x); }},
            {"cosf", [](float x) { return std::cos(x); }},    {"tanf", [](float x) { return std::tan(x); }},
            {"tanhf", [](float x) { return std::tanh(x); }},  {"fabsf", [](float x) { return std::fabs(x); }},
            {"floorf", [](float x) { return std::floor(x); }}};
        static const std::map<std::string, float (*)(float, float)> two{
            {"powf", [](float x, float y) { return std::pow(x, y); }},
            {"fmodf", [](float x, float y) { return std::fmod(x, y); }},
            {"fminf", [](float x, float y) { return std::fmin(x, y); }},
            {"fmaxf", [](float x, float y) { return std::fmax(x, y); }}};
        if (const auto f = one.find(n.function); f != one.end())
            return [a, g = f->second] { return number(g(a[0]().f)); };
        if (const auto f = two.find(n.function); f != two.end()) {
            return [a, g = f->second] { return number(g(a[0]().f, a[1]().f)); };
        }
        fault("unknown function " + n.function);
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
        return [this, n = s.name, words = static_cast<std::size_t>(s.words)] {
            registers_[n] = {std::vector<float>(words), std::vector<char>(words, 0)};
        };
    }
    Action action(const kernel::PrivateArray& s) {
        return [this, n = s.name, words = static_cast<std::size_t>(s.words)] {
            const auto threads = static_cast<std::size_t>(thread_count(kernel_.block));
            private_[n].assign(threads, {std::vector<float>(words), std::vector<char>(words, 0)});
        };
    }
    Action action(const kernel::SharedArray& s) {
        return [this, n = s.name, words = static_cast<std::size_t>(s.words)] { shared_[n].assign(words, {}); };
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
            if (!value.real) fault("stores an integer");
            store(array, at().i, value.f);
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
        return [this, step = s.step, k = slot(s.variable), from = compile(s.from), to = compile(s.to),
                body = compile(s.body)] {
            const std::int64_t end = to().i;
            for (std::int64_t i = from().i; i < end; i += step) {
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
        for (thread_[2] = 0; thread_[2] < kernel_.block[2]; ++thread_[2]) {
            for (thread_[1] = 0; thread_[1] < kernel_.block[1]; ++thread_[1]) {
                for (thread_[0] = 0; thread_[0] < kernel_.block[0]; ++thread_[0]) {
                    registers_.clear();
                    body();
                }
            }
        }
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

}  // namespace kasc::testing
