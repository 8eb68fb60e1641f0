#include "runtime/hdf5/text_attribute.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <vector>

namespace kasc::runtime {

namespace {

std::string up_to_zero(const char* bytes, std::size_t size) {
    return {bytes, strnlen(bytes, std::min(size, longest_text_attribute))};
}

}  // namespace

std::optional<std::string> read_text_attribute(hid_t object, const std::string& name) {
    if (H5Aexists(object, name.c_str()) <= 0) return std::nullopt;
    const Hdf5Handle attribute(H5Aopen(object, name.c_str(), H5P_DEFAULT), H5Aclose);
    if (!attribute) return std::nullopt;
    const Hdf5Handle type(H5Aget_type(attribute.get()), H5Tclose), space(H5Aget_space(attribute.get()), H5Sclose);
    if (!type || !space || H5Sget_simple_extent_npoints(space.get()) != 1) return std::nullopt;
    const H5T_class_t type_class = H5Tget_class(type.get());
    if (type_class == H5T_INTEGER || type_class == H5T_FLOAT) {
        double number = 0;
        if (H5Aread(attribute.get(), H5T_NATIVE_DOUBLE, &number) < 0) return std::nullopt;
        return fmt::format("{}", number);
    }
    if (type_class != H5T_STRING) return std::nullopt;
    if (H5Tis_variable_str(type.get()) > 0) {
        char* value = nullptr;
        if (H5Aread(attribute.get(), type.get(), static_cast<void*>(&value)) < 0 || value == nullptr)
            return std::nullopt;
        std::string text = up_to_zero(value, longest_text_attribute);
        H5Dvlen_reclaim(type.get(), space.get(), H5P_DEFAULT, static_cast<void*>(&value));
        return text;
    }
    std::vector<char> value(H5Tget_size(type.get()) + 1, '\0');
    if (H5Aread(attribute.get(), type.get(), value.data()) < 0) return std::nullopt;
    if (H5Tget_strpad(type.get()) == H5T_STR_SPACEPAD) {
        for (std::size_t end = value.size() - 1; end > 0 && value[end - 1] == ' '; --end) value[end - 1] = '\0';
    }
    return up_to_zero(value.data(), value.size());
}

}  // namespace kasc::runtime
