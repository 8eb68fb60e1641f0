#pragma once
// Executes kernels of the IR over all blocks and threads of small problems, and objects to what no kernel may do: what
// its memory objects to (ir_memory.hpp), an unaligned vector, an integer that does not fit its type, arithmetic that
// mixes integers, floats and doubles. Covers what field kernels are made of.

#include <fmt/format.h>

#include <array>
#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include "kernel/kernel.hpp"
#include "support/ir_value.hpp"

namespace kasc::test {

class Interpreter {
public:
    explicit Interpreter(const kernel::Kernel& kernel);

    void scalar(const std::string& name, Scalar value) { *slot(name) = value; }
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
    void run_share(const std::array<std::int64_t, 3>& first, const std::array<std::int64_t, 3>& blocks);

private:
    using Action = std::function<void()>;
    const kernel::Kernel& kernel_;
    KernelMemory memory_;
    bool backwards_ = false;
    Work work_;
    std::map<std::string, Scalar> slots_;  ///< values have addresses of them
    std::deque<Scalar> numbers_;           ///< of the text
    std::vector<Action> body_;
    std::vector<Value> grid_;
    std::array<std::int64_t, 3> block_{}, thread_{};

    template <class Visit>
    void each(const std::array<std::int64_t, 3>& counts, const Visit& visit) const {
        const auto turned = [&](std::size_t k, std::int64_t at) { return backwards_ ? counts[k] - 1 - at : at; };
        for (std::int64_t z = 0; z < counts[2]; ++z)
            for (std::int64_t y = 0; y < counts[1]; ++y)
                for (std::int64_t x = 0; x < counts[0]; ++x) visit({turned(0, x), turned(1, y), turned(2, z)});
    }

    [[noreturn]] void fault(const std::string& text) const { memory_.fault(text); }

    Scalar* slot(const std::string& name) { return &slots_[name]; }

    void check_type(kernel::Type type, const Scalar& v, const std::string& name) const {
        if (v.kind != Scalar::kind_of(type)) fault(fmt::format("'{}' gets a value of another kind", name));
        if (type == kernel::Type::i32 && (v.i < INT32_MIN || v.i > INT32_MAX))
            fault(fmt::format("'{}' overflows", name));
    }

    [[nodiscard]] int thread() const {
        return static_cast<int>((thread_[2] * kernel_.block[1] + thread_[1]) * kernel_.block[0] + thread_[0]);
    }
    // --- expressions ---

    Value compile(const kernel::ExprRef& e);
    static Scalar whole(std::int64_t i, bool is_long = false) { return Scalar::whole(i, is_long); }
    static Scalar of_two(const Scalar& a, const Scalar& b,
                         const std::int64_t& (*of)(const std::int64_t&, const std::int64_t&)) {
        return whole(of(a.i, b.i), a.is_long || b.is_long);
    }
    /// What one operation gives, rounded to the kind of its operands.
    static Scalar rounded(Scalar::Kind kind, double value) {
        return kind == Scalar::Kind::single ? Scalar::single(static_cast<float>(value)) : Scalar::real(kind, value);
    }

    Value number(const Scalar& n) { return Value(&numbers_.emplace_back(n)); }
    Value value(const kernel::Integer& n) { return number(whole(n.value)); }
    Value value(const kernel::Real& n);
    Value value(const kernel::Name& n) { return Value(slot(n.name)); }
    Value value(const kernel::ThreadIndex& n);
    Value value(const kernel::LinearThread&);
    Value value(const kernel::BlockIndex& n);
    Value value(const kernel::Negate& n);
    Value value(const kernel::Not& n);
    Value value(const kernel::Select& n);
    Value value(const kernel::Element& n);
    Value value(const kernel::Wide& n);
    Value value(const kernel::Part&) { fault("takes a complex number apart"); }  // its arrays are of floats
    Value value(const kernel::Convert& n);

    Value value(const kernel::Binary& n);

    Value value(const kernel::MathCall& n);
    template <class Real>
    Value real_function(const std::string& name, const std::vector<Value>& a, const std::string& ending,
                        Scalar::Kind kind);

    // --- statements ---

    Action compile(const kernel::Statement& s);
    Action compile(const kernel::Body& body);
    template <class Node>
    Action action(const Node&) {
        fault("a statement that no field kernel has");
    }
    const Action nothing_ = [] {};
    Action action(const kernel::Comment&) { return nothing_; }
    Action action(const kernel::CommitCopies&) { return nothing_; }
    Action let(kernel::Type type, const std::string& name, const kernel::ExprRef& e);
    Action action(const kernel::Let& s) { return let(s.type, s.name, s.value); }
    Action action(const kernel::Variable& s) { return let(s.type, s.name, s.value); }
    Action action(const kernel::RegisterArray& s);
    /// A function of the library, of words of a cell.
    Action action(const kernel::Call& s);
    Action action(const kernel::PrivateArray& s);
    Action action(const kernel::SharedArray& s);
    Action action(const kernel::Barrier&);
    Action action(const kernel::CountBlock& s);
    Action action(const kernel::Exchange& s);
    Action action(const kernel::Assign& s);
    Action action(const kernel::Fetch& s);
    Action action(const kernel::Prefetch& s);
    Action action(const kernel::Butterfly& s);
    Action action(const kernel::LoadVector& s);
    Action action(const kernel::StoreVector& s);
    Action action(const kernel::For& s);
    Action action(const kernel::If& s);
    void for_threads(const Action& body);
    Action action(const kernel::Threads& s);
    Action action(const kernel::Cells& s);
};

}  // namespace kasc::test
