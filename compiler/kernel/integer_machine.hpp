#pragma once
// The integers of a kernel as it runs: names in numbered slots, expressions as closures over them. Floats are not
// computed: they are 0.

#include <array>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include "kernel/kernel.hpp"

namespace kasc::kernel {

class IntegerMachine {
protected:
    using Number = std::function<long long()>;

    explicit IntegerMachine(const Kernel& kernel) : kernel_(kernel) {}

    const Kernel& kernel_;
    std::map<std::string, std::size_t> slots_;
    std::vector<long long> numbers_ = std::vector<long long>(1024, 0);
    std::array<long long, 3> block_{}, thread_{};

    std::size_t slot(const std::string& name) {
        const std::size_t at = slots_.try_emplace(name, slots_.size()).first->second;
        if (at >= numbers_.size()) numbers_.resize(2 * at, 0);
        return at;
    }
    [[nodiscard]] int thread() const {
        return static_cast<int>((thread_[2] * kernel_.block[1] + thread_[1]) * kernel_.block[0] + thread_[0]);
    }
    [[nodiscard]] Number number(const ExprRef& e);

private:
    [[nodiscard]] Number value(const Integer& n);
    [[nodiscard]] Number value(const Name& n);
    [[nodiscard]] Number value(const ThreadIndex& n);
    [[nodiscard]] Number value(const LinearThread&);
    [[nodiscard]] Number value(const BlockIndex& n);
    [[nodiscard]] Number value(const Negate& n);
    [[nodiscard]] Number value(const Not& n);
    [[nodiscard]] Number value(const Select& n);
    [[nodiscard]] Number value(const Wide& n);
    [[nodiscard]] Number value(const MathCall& n);
    [[nodiscard]] Number value(const Binary& n);
    /// The number that stands for a float.
    [[nodiscard]] static Number unknown();
    [[nodiscard]] Number value(const Real&);
    [[nodiscard]] Number value(const Element&);
    [[nodiscard]] Number value(const Convert& n);
    [[nodiscard]] Number value(const Part&);
};

}  // namespace kasc::kernel
