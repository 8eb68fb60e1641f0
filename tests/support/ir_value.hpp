#pragma once
// An expression of the IR as something that can be asked for its value. Most operands are names and numbers, which are
// where they lie: they cost no call.

#include <concepts>
#include <memory>
#include <utility>

#include "support/ir_memory.hpp"

namespace kasc::test {

class Value {
public:
    Value() = default;
    /// `at` outlives it.
    explicit Value(const Scalar* at) : at_(at) {}
    template <class Of>
    requires(!std::same_as<Of, Value> && std::invocable<Of>) Value(Of of)
        : computed_(std::make_shared<Computed<Of>>(std::move(of))) {}

    Scalar operator()() const { return at_ != nullptr ? *at_ : computed_->value(); }
    [[nodiscard]] explicit operator bool() const { return at_ != nullptr || computed_; }

private:
    struct AnyComputed {
        virtual ~AnyComputed() = default;
        [[nodiscard]] virtual Scalar value() const = 0;
    };
    template <class Of>
    struct Computed final : AnyComputed {
        explicit Computed(Of o) : of(std::move(o)) {}
        [[nodiscard]] Scalar value() const override { return of(); }
        const Of of;
    };

    const Scalar* at_ = nullptr;
    std::shared_ptr<const AnyComputed> computed_;  ///< shared, so that copies cost little
};

}  // namespace kasc::test
