#pragma once
// An expression of the IR as something that can be asked for its value. Most operands are names and numbers, which are
// where they lie: they cost no call.

#include <concepts>
#include <functional>
#include <utility>

#include "support/ir_memory.hpp"

namespace kasc::test {

class Value {
public:
    Value() = default;
    /// `at` outlives it.
    explicit Value(const Scalar* at) : at_(at) {}
    template <class Of>
    requires(!std::same_as<Of, Value> && std::invocable<Of>) Value(Of of) : of_(std::move(of)) {}

    Scalar operator()() const { return at_ != nullptr ? *at_ : of_(); }
    [[nodiscard]] explicit operator bool() const { return at_ != nullptr || of_; }

private:
    const Scalar* at_ = nullptr;
    std::function<Scalar()> of_;
};

}  // namespace kasc::test
