#include "runtime/hdf5/layout_objects.hpp"

#include <algorithm>
#include <bit>
#include <stdexcept>

#include "runtime/hdf5/complex_type.hpp"
#include "runtime/hdf5/short_type.hpp"

namespace kasc::runtime {

namespace {

static_assert(std::endian::native == std::endian::little);

/// A file that could not be stored stays half closed within HDF5 1.10, whose exit handler then reads freed memory. The
/// library must be told before it is first used; all that we open, we close.
[[maybe_unused]] const bool without_exit_handler = H5dont_atexit() >= 0;

/// Fixed-length text, a byte for each of its own: what many readers expect.
Hdf5Handle text_type(const std::string& text) {
    Hdf5Handle type(H5Tcopy(H5T_C_S1), H5Tclose);
    H5Tset_size(type.get(), std::max<std::size_t>(text.size(), 1));
    return type;
}

bool write_attribute(hid_t object, const std::string& name, const std::string& text) {
    const Hdf5Handle type = text_type(text), space(H5Screate(H5S_SCALAR), H5Sclose);
    Hdf5Handle attribute(H5Acreate2(object, name.c_str(), type.get(), space.get(), H5P_DEFAULT, H5P_DEFAULT), H5Aclose);
    return attribute && H5Awrite(attribute.get(), type.get(), text.c_str()) >= 0 && attribute.close();
}

bool create_groups(hid_t file, const std::string& name) {
    const Hdf5Handle creation(H5Pcreate(H5P_GROUP_CREATE), H5Pclose);
    H5Pset_obj_track_times(creation.get(), false);
    for (std::size_t end = name.find('/'); end != std::string::npos; end = name.find('/', end + 1)) {
        const std::string group = name.substr(0, end);
        if (H5Lexists(file, group.c_str(), H5P_DEFAULT) > 0) continue;
        Hdf5Handle made(H5Gcreate2(file, group.c_str(), H5P_DEFAULT, creation.get(), H5P_DEFAULT), H5Gclose);
        if (!made || !made.close()) return false;
    }
    return true;
}

}  // namespace

Hdf5Handle layout_access() {
    Hdf5Handle access(H5Pcreate(H5P_FILE_ACCESS), H5Pclose);
    H5Pset_libver_bounds(access.get(), H5F_LIBVER_V18, H5F_LIBVER_V18);
#if H5_VERSION_GE(1, 12, 1) || (H5_VERSION_GE(1, 10, 7) && !H5_VERSION_GE(1, 12, 0))
    // Whoever writes holds the file by a lock of his own (unfinished.hpp), which on a network file system is HDF5's
    // too.
    H5Pset_file_locking(access.get(), 0, 1);
#endif
    return access;
}

Hdf5Handle create_layout_file(const std::string& path) {
    const Hdf5Handle creation(H5Pcreate(H5P_FILE_CREATE), H5Pclose);
    H5Pset_obj_track_times(creation.get(), false);
    return {H5Fcreate(path.c_str(), H5F_ACC_TRUNC, creation.get(), layout_access().get()), H5Fclose};
}

hid_t stored_type(WordType type) {
    switch (type) {
        case WordType::float32:
            return H5T_IEEE_F32LE;
        case WordType::float64:
            return H5T_IEEE_F64LE;
        case WordType::int32:
            return H5T_STD_I32LE;
        case WordType::int64:
            return H5T_STD_I64LE;
        case WordType::uint8:
            return H5T_STD_U8LE;
        case WordType::complex64:
            return complex_type(H5T_IEEE_F32LE);
        case WordType::complex128:
            return complex_type(H5T_IEEE_F64LE);
        case WordType::float16:
        case WordType::bfloat16:
            return short_type(type);
    }
    throw std::logic_error("words of no type");
}

hid_t stored_type(const ConstantSpec& constant) {
    return std::holds_alternative<std::vector<float>>(constant.values) ? H5T_IEEE_F32LE : H5T_STD_U64LE;
}

Hdf5Handle dataset_creation() {
    Hdf5Handle creation(H5Pcreate(H5P_DATASET_CREATE), H5Pclose);
    H5Pset_obj_track_times(creation.get(), false);
    H5Pset_fill_time(creation.get(), H5D_FILL_TIME_NEVER);
    return creation;
}

Hdf5Handle create_dataset(hid_t file, const std::string& name, const Shape& shape, hid_t type,
                          const Hdf5Handle& creation) {
    const std::vector<hsize_t> dimensions(shape.begin(), shape.end());
    const Hdf5Handle space(dimensions.empty()
                               ? H5Screate(H5S_SCALAR)
                               : H5Screate_simple(static_cast<int>(dimensions.size()), dimensions.data(), nullptr),
                           H5Sclose);
    const bool good = create_groups(file, name);
    return {good ? H5Dcreate2(file, name.c_str(), type, space.get(), H5P_DEFAULT, creation.get(), H5P_DEFAULT) : -1,
            H5Dclose};
}

bool write_attributes(hid_t object, const Attributes& attributes) {
    return std::all_of(attributes.begin(), attributes.end(),
                       [&](const auto& a) { return write_attribute(object, a.first, a.second); });
}

bool amend_attribute(hid_t object, const std::string& name, const std::string& text) {
    const Hdf5Handle type = text_type(text);
    Hdf5Handle attribute(H5Aopen(object, name.c_str(), H5P_DEFAULT), H5Aclose);
    return attribute && H5Awrite(attribute.get(), type.get(), text.c_str()) >= 0 && attribute.close();
}

bool write_values(const Hdf5Handle& dataset, const ConstantSpec& constant) {
    const auto write = [&](hid_t type, const void* values) {
        return H5Dwrite(dataset.get(), type, H5S_ALL, H5S_ALL, H5P_DEFAULT, values) >= 0;
    };
    const auto* reals = std::get_if<std::vector<float>>(&constant.values);
    return reals != nullptr ? write(H5T_NATIVE_FLOAT, reals->data())
                            : write(H5T_NATIVE_UINT64, std::get<std::vector<std::uint64_t>>(constant.values).data());
}

}  // namespace kasc::runtime
