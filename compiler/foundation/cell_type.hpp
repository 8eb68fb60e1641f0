#pragma once
// What one cell of a field holds, in memory and in files.

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

#include "kasc_half.h"

namespace kasc {

/// A complex cell is two reals, the real part first. Files of live arrays name a type by its number.
enum class CellType { float32, float64, int32, uint8, complex64, complex128, float16, bfloat16, int64 };

/// All of them, in the order in which one tells them.
inline constexpr std::array cell_types{CellType::float32,  CellType::float64,   CellType::float16,
                                       CellType::bfloat16, CellType::complex64, CellType::complex128,
                                       CellType::int32,    CellType::int64,     CellType::uint8};

[[nodiscard]] constexpr std::size_t cell_bytes(CellType type) {
    switch (type) {
        case CellType::complex128:
            return 16;
        case CellType::float64:
        case CellType::complex64:
        case CellType::int64:
            return 8;
        case CellType::uint8:
            return 1;
        case CellType::float16:
        case CellType::bfloat16:
            return 2;
        default:
            return 4;
    }
}
/// Integers of 64 bits; its arithmetic is of as many.
[[nodiscard]] constexpr bool is_long(CellType type) { return type == CellType::int64; }
[[nodiscard]] constexpr bool is_integer(CellType type) {
    return type == CellType::int32 || type == CellType::uint8 || is_long(type);
}
/// Threads may add to one cell at once, in any order: devices have an instruction for it.
[[nodiscard]] constexpr bool adds_at_once(CellType type) { return type == CellType::int32 || is_long(type); }
[[nodiscard]] constexpr bool is_complex(CellType type) {
    return type == CellType::complex64 || type == CellType::complex128;
}
/// Numbers that a cell is made of.
[[nodiscard]] constexpr std::size_t parts_of_cell(CellType type) { return is_complex(type) ? 2 : 1; }
/// The type of a complex cell's parts; any other cell's own.
[[nodiscard]] constexpr CellType part_type(CellType type) {
    switch (type) {
        case CellType::complex64:
            return CellType::float32;
        case CellType::complex128:
            return CellType::float64;
        default:
            return type;
    }
}
/// A thread's register holds a word of this type as memory does.
[[nodiscard]] constexpr bool is_register_type(CellType type) {
    return type == CellType::float32 || type == CellType::float64 || type == CellType::int32 || is_long(type) ||
           type == CellType::complex64 || type == CellType::complex128;
}
/// Reals that are kept in 16 bits and computed with as floats.
[[nodiscard]] constexpr bool is_short(CellType type) { return type == CellType::float16 || type == CellType::bfloat16; }
/// Its arithmetic is that of double.
[[nodiscard]] constexpr bool is_dual(CellType type) {
    return type == CellType::float64 || type == CellType::complex128;
}

/// How far two results may differ, as a part of the largest, that differ before they are rounded to the type: its last
/// digit. 0: they differ by no more than they did.
[[nodiscard]] constexpr double last_digit(CellType type) {
    return type == CellType::float16 ? 1.0 / 1024 : type == CellType::bfloat16 ? 1.0 / 128 : 0;
}

/// As a program writes it.
[[nodiscard]] constexpr const char* name_of(CellType type) {
    switch (type) {
        case CellType::float64:
            return "double";
        case CellType::int32:
            return "int";
        case CellType::int64:
            return "int64";
        case CellType::uint8:
            return "uint8";
        case CellType::complex64:
            return "complex";
        case CellType::complex128:
            return "double_complex";
        case CellType::float16:
            return "half";
        case CellType::bfloat16:
            return "bfloat16";
        default:
            return "float";
    }
}
/// As CUDA writes it.
[[nodiscard]] constexpr const char* c_name_of(CellType type) {
    switch (type) {
        case CellType::int64:
            return "long long";
        case CellType::uint8:
            return "unsigned char";
        case CellType::complex64:
            return "float2";
        case CellType::complex128:
            return "double2";
        case CellType::float16:
            return "kasc_half";
        case CellType::bfloat16:
            return "kasc_bfloat16";
        default:
            return name_of(type);
    }
}
[[nodiscard]] constexpr std::optional<CellType> find_cell_type(std::string_view name) {
    for (const CellType type : cell_types) {
        if (name == name_of(type)) return type;
    }
    return std::nullopt;
}

/// The value of a cell, exactly, but for integers of more than 53 bits, which are rounded; of a complex one its real
/// part.
[[nodiscard]] inline double cell_value(CellType type, const void* cells, std::size_t index) {
    switch (type) {
        case CellType::float64:
            return static_cast<const double*>(cells)[index];
        case CellType::int32:
            return static_cast<const std::int32_t*>(cells)[index];
        case CellType::int64:
            return static_cast<double>(static_cast<const std::int64_t*>(cells)[index]);
        case CellType::uint8:
            return static_cast<const std::uint8_t*>(cells)[index];
        case CellType::complex64:
            return static_cast<double>(static_cast<const float*>(cells)[2 * index]);
        case CellType::complex128:
            return static_cast<const double*>(cells)[2 * index];
        case CellType::float16:
            return static_cast<double>(static_cast<const kasc_half*>(cells)[index]);
        case CellType::bfloat16:
            return static_cast<double>(static_cast<const kasc_bfloat16*>(cells)[index]);
        default:
            return static_cast<double>(static_cast<const float*>(cells)[index]);
    }
}

/// The real arithmetic of a statement: that of float or of double.
enum class Precision { single, dual };
/// How precise a value is that such a cell takes.
[[nodiscard]] constexpr Precision real_precision(CellType type) {
    return is_dual(type) ? Precision::dual : Precision::single;
}

}  // namespace kasc
