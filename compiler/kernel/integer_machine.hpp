#pragma once
// The integers of a kernel as it runs: names in numbered slots, expressions as trees over them. Floats are not
// computed: they are 0.

#include <array>
#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "kernel/kernel.hpp"

namespace kasc::kernel {

class IntegerMachine {
protected:
    struct Node;
    /// What an expression is when it is asked for.
    class Number {
    public:
        Number() : at_(nullptr) {}
        /// A slot, which must outlive it.
        explicit Number(const long long* at) : at_(at) {}
        explicit Number(std::shared_ptr<const Node> node);

        long long operator()() const { return at_ != nullptr ? *at_ : computed(*node_); }
        [[nodiscard]] std::optional<long long> constant() const;

    private:
        std::shared_ptr<const Node> node_;
        const long long* at_;  ///< where it stands; null: it is computed
    };
    enum class Operation : std::uint8_t {
        constant,
        negate,
        logical_not,
        absolute,
        choose,
        least,
        most,
        add,
        subtract,
        multiply,
        divide,
        remainder,
        bit_and,
        bit_or,
        bit_xor,
        shift_left,
        shift_right,
        less,
        at_most,
        greater,
        at_least,
        equal,
        unequal,
        logical_and,
        logical_or,
        of_thread
    };
    struct Node {
        Operation operation = Operation::constant;
        Number a, b, c;
        long long value = 0;                            ///< of a constant; words of an array of threads
        const std::vector<long long>* words = nullptr;  ///< of all threads
    };

    explicit IntegerMachine(const Kernel& kernel);
    IntegerMachine(const IntegerMachine&) = delete;
    IntegerMachine& operator=(const IntegerMachine&) = delete;
    ~IntegerMachine() = default;

    const Kernel& kernel_;
    std::map<std::string, std::size_t> slots_;
    std::deque<long long> numbers_;                ///< by slot; they stay where they are
    std::deque<bool> used_;                        ///< by slot: what is run asks for it
    std::vector<std::vector<std::size_t>> parts_;  ///< by slot, of which others its value is made
    std::map<std::string, long long> constants_;   ///< names that are numbers in what is compiled now
    std::set<std::string> of_data_;                ///< names of numbers that data decide
    std::array<long long, 3> block_{}, thread_{};
    long long linear_thread_ = 0;
    /// Private arrays of integers that are assigned nothing but numbers that are known here, at one word each.
    struct OfThreads {
        int words = 1;  ///< of a thread
        std::vector<long long> numbers;
    };
    std::map<std::string, OfThreads> of_threads_;

    std::size_t slot(const std::string& name) {
        const std::size_t at = slots_.try_emplace(name, slots_.size()).first->second;
        if (at >= numbers_.size()) numbers_.resize(at + 1, 0), used_.resize(at + 1, false), parts_.resize(at + 1);
        return at;
    }
    [[nodiscard]] int thread() const { return static_cast<int>(linear_thread_); }
    [[nodiscard]] Number number(const ExprRef& e);
    /// Whether an expression is made of floats or words of memory, which are not known here.
    [[nodiscard]] bool of_data(const ExprRef& e) const;
    /// The value of a slot, which need not be known where nothing asks for the slot.
    [[nodiscard]] Number number_of_slot(std::size_t slot, const ExprRef& value);
    /// The thread's word of such an array gets the value; null: another array.
    [[nodiscard]] std::function<void()> keep_number(const Element& target, const ExprRef& value);
    /// Parts of what is asked for are asked for, too. Once all is compiled.
    void use_parts();

private:
    std::vector<std::size_t>* asked_ = nullptr;  ///< slots that an expression asks for; null: what is run does

    [[nodiscard]] static long long computed(const Node& node);
    [[nodiscard]] static Number made(Operation operation, const Number& a, const Number& b = Number(),
                                     const Number& c = Number());
    [[nodiscard]] static Number constant(long long value);
    [[nodiscard]] static Number value(const Integer& n) { return constant(n.value); }
    [[nodiscard]] Number value(const Name& n);
    [[nodiscard]] Number value(const ThreadIndex& n);
    [[nodiscard]] Number value(const LinearThread&) { return Number(&linear_thread_); }
    [[nodiscard]] Number value(const BlockIndex& n);
    [[nodiscard]] Number value(const Negate& n) { return made(Operation::negate, number(n.operand)); }
    [[nodiscard]] Number value(const Not& n) { return made(Operation::logical_not, number(n.operand)); }
    [[nodiscard]] Number value(const Select& n);
    [[nodiscard]] Number value(const Wide& n) { return number(n.operand); }
    [[nodiscard]] Number value(const Convert& n) { return number(n.operand); }
    [[nodiscard]] Number value(const MathCall& n);
    [[nodiscard]] Number value(const Binary& n);
    /// The number that stands for a float.
    [[nodiscard]] static Number unknown() { return constant(0); }
    [[nodiscard]] static Number value(const Real&) { return unknown(); }
    [[nodiscard]] Number value(const Element& n);
    [[nodiscard]] static Number value(const Part&) { return unknown(); }
};

}  // namespace kasc::kernel
