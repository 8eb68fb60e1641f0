#pragma once
// What one cell of a field holds, in memory and in files.

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

namespace kasc {

/// A complex cell is two reals, the real part first.
enum class CellType { float32, float64, int32, uint8, complex64, complex128 };

[[nodiscard]] constexpr std::size_t cell_bytes(CellType type) {
    switch (type) {
        case CellType::complex128:
            return 16;
        case CellType::float64:
        case CellType::complex64:
            return 8;
        case CellType::uint8:
            return 1;
        default:
            return 4;
    }
}
[[nodiscard]] constexpr bool is_integer(CellType type) { return type == CellType::int32 || type == CellType::uint8; }
[[nodiscard]] constexpr bool is_complex(CellType type) {
    return type == CellType::complex64 || type == CellType::complex128;
}
/// Its arithmetic is that of double.
[[nodiscard]] constexpr bool is_dual(CellType type) {
    return type == CellType::float64 || type == CellType::complex128;
}

/// As a program writes it.
[[nodiscard]] constexpr const char* name_of(CellType type) {
    switch (type) {
        case CellType::float64:
            return "double";
        case CellType::int32:
            return "int";
        case CellType::uint8:
            return "uint8";
        case CellType::complex64:
            return "complex";
        case CellType::complex128:
            return "double_complex";
        default:
            return "float";
    }
}
/// As CUDA writes it.
[[nodiscard]] constexpr const char* c_name_of(CellType type) {
    switch (type) {
        case CellType::uint8:
            return "unsigned char";
        case CellType::complex64:
            return "float2";
        case CellType::complex128:
            return "double2";
        default:
            return name_of(type);
    }
}
[[nodiscard]] constexpr std::optional<CellType> find_cell_type(std::string_view name) {
    for (const CellType type : {CellType::float32, CellType::float64, CellType::int32, CellType::uint8,
                                CellType::complex64, CellType::complex128}) {
        if (name == name_of(type)) return type;
    }
    return std::nullopt;
}

/// The value of a cell, exactly; of a complex one its real part.
[[nodiscard]] inline double cell_value(CellType type, const void* cells, std::size_t index) {
    switch (type) {
        case CellType::float64:
            return static_cast<const double*>(cells)[index];
        case CellType::int32:
            return static_cast<const std::int32_t*>(cells)[index];
        case CellType::uint8:
            return static_cast<const std::uint8_t*>(cells)[index];
        case CellType::complex64:
            return static_cast<double>(static_cast<const float*>(cells)[2 * index]);
        case CellType::complex128:
            return static_cast<const double*>(cells)[2 * index];
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
