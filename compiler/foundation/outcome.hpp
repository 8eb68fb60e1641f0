#pragma once
// What a stage returns: a value, or none, and what there is to say about it. A value may come with warnings.

#include <optional>
#include <utility>

#include "foundation/diagnostic.hpp"

namespace kasc {

template <class T>
struct Outcome {
    std::optional<T> value;
    Diagnostics diagnostics;

    [[nodiscard]] explicit operator bool() const { return value.has_value(); }
    [[nodiscard]] const T& operator*() const { return *value; }
    [[nodiscard]] const T* operator->() const { return &*value; }
};

template <class T>
[[nodiscard]] Outcome<T> success(T value, Diagnostics warnings = {}) {
    return {std::move(value), std::move(warnings)};
}
template <class T>
[[nodiscard]] Outcome<T> failure(Diagnostics diagnostics) {
    return {std::nullopt, std::move(diagnostics)};
}
template <class T>
[[nodiscard]] Outcome<T> failure(Diagnostic diagnostic) {
    return {std::nullopt, {std::move(diagnostic)}};
}

}  // namespace kasc
