#pragma once
// A number of an interpreted kernel.

#include <cstdint>

#include "kernel/kernel.hpp"
#include "support/field_values.hpp"

namespace kasc::test {

struct Scalar {
    enum class Kind { whole, single, dual } kind = Kind::whole;
    bool is_long = false;  ///< of whole: it has 64 bits
    union {                // in two registers, which is what most calls of an interpreted kernel return
        std::int64_t i = 0;
        double f;  ///< of single: what a float holds
    };

    [[nodiscard]] static Scalar whole(std::int64_t value, bool is_long = false) {
        Scalar s;
        s.is_long = is_long;
        s.i = value;
        return s;
    }
    [[nodiscard]] static Scalar real(Kind kind, double value) {
        Scalar s;
        s.kind = kind;
        s.f = value;
        return s;
    }
    [[nodiscard]] static Scalar single(float value) { return real(Kind::single, static_cast<double>(value)); }
    [[nodiscard]] static Scalar dual(double value) { return real(Kind::dual, value); }
    [[nodiscard]] static Kind kind_of(kernel::Type type) {
        if (type == kernel::Type::f16 || type == kernel::Type::bf16) return Kind::single;
        return type == kernel::Type::f32 ? Kind::single : type == kernel::Type::f64 ? Kind::dual : Kind::whole;
    }
    /// A word of an array.
    [[nodiscard]] static Scalar word(kernel::Type type, double value) {
        const Kind kind = kind_of(type);
        if (kind != Kind::whole) return real(kind, value);
        // The largest integer, from which minima begin, is rounded up as a double.
        return whole(value < 0x1p63 ? static_cast<std::int64_t>(value) : INT64_MAX, type == kernel::Type::i64);
    }
    [[nodiscard]] double cell() const { return kind == Kind::whole ? static_cast<double>(i) : f; }
};

/// What is left of a real in a word of this type.
[[nodiscard]] inline double in_memory(kernel::Type type, double value) {
    return type == kernel::Type::f16    ? stored(CellType::float16, value)
           : type == kernel::Type::bf16 ? stored(CellType::bfloat16, value)
                                        : value;
}

}  // namespace kasc::test
