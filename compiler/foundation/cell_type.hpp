#pragma once
// What one cell of a field holds, in memory and in files.

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

namespace kasc {

enum class CellType { float32, float64, int32, uint8 };

[[nodiscard]] constexpr std::size_t cell_bytes(CellType type) {
    switch (type) {
        case CellType::float64:
            return 8;
        case CellType::uint8:
            return 1;
        default:
            return 4;
    }
}
[[nodiscard]] constexpr bool is_integer(CellType type) { return type == CellType::int32 || type == CellType::uint8; }

/// As a program writes it.
[[nodiscard]] constexpr const char* name_of(CellType type) {
    switch (type) {
        case CellType::float64:
            return "double";
        case CellType::int32:
            return "int";
        case CellType::uint8:
            return "uint8";
        default:
            return "float";
    }
}
/// As C writes it.
[[nodiscard]] constexpr const char* c_name_of(CellType type) {
    return type == CellType::uint8 ? "unsigned char" : name_of(type);
}
[[nodiscard]] constexpr std::optional<CellType> find_cell_type(std::string_view name) {
    for (const CellType type : {CellType::float32, CellType::float64, CellType::int32, CellType::uint8}) {
        if (name == name_of(type)) return type;
    }
    return std::nullopt;
}

/// The value of a cell, exactly.
[[nodiscard]] inline double cell_value(CellType type, const void* cells, std::size_t index) {
    switch (type) {
        case CellType::float64:
            return static_cast<const double*>(cells)[index];
        case CellType::int32:
            return static_cast<const std::int32_t*>(cells)[index];
        case CellType::uint8:
            return static_cast<const std::uint8_t*>(cells)[index];
        default:
            return static_cast<double>(static_cast<const float*>(cells)[index]);
    }
}

/// The real arithmetic of a statement: that of float or of double.
enum class Precision { single, dual };

}  // namespace kasc
