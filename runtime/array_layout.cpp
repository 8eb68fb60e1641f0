// Time stamps are off and the format's version is pinned, so that the bytes depend on the data alone. Words are stored
// as the machine holds them, little-endian on all that kasc runs on.

#include "runtime/array_layout.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cerrno>
#include <cstring>

#include "runtime/complex_type.hpp"
#include "runtime/hdf5_handle.hpp"

namespace kasc::runtime {

namespace {

static_assert(std::endian::native == std::endian::little);

/// A file that could not be stored stays half closed within HDF5 1.10, whose exit handler then reads freed memory. The
/// library must be told before it is first used; all that we open, we close.
[[maybe_unused]] const bool without_exit_handler = H5dont_atexit() >= 0;

/// The format of HDF5 1.8 (2008): every reader in use knows it.
Hdf5Handle access_list() {
    Hdf5Handle access(H5Pcreate(H5P_FILE_ACCESS), H5Pclose);
    H5Pset_libver_bounds(access.get(), H5F_LIBVER_V18, H5F_LIBVER_V18);
    return access;
}

Hdf5Handle create_file(const std::string& path) {
    const Hdf5Handle creation(H5Pcreate(H5P_FILE_CREATE), H5Pclose);
    H5Pset_obj_track_times(creation.get(), false);
    return {H5Fcreate(path.c_str(), H5F_ACC_TRUNC, creation.get(), access_list().get()), H5Fclose};
}

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

bool write_attributes(hid_t object, const Attributes& attributes) {
    return std::all_of(attributes.begin(), attributes.end(),
                       [&](const auto& a) { return write_attribute(object, a.first, a.second); });
}

bool amend_attribute(hid_t object, const std::string& name, const std::string& text) {
    const Hdf5Handle type = text_type(text);
    Hdf5Handle attribute(H5Aopen(object, name.c_str(), H5P_DEFAULT), H5Aclose);
    return attribute && H5Awrite(attribute.get(), type.get(), text.c_str()) >= 0 && attribute.close();
}

hid_t stored_type(WordType type) {
    switch (type) {
        case WordType::float32:
            return H5T_IEEE_F32LE;
        case WordType::float64:
            return H5T_IEEE_F64LE;
        case WordType::int32:
            return H5T_STD_I32LE;
        case WordType::uint8:
            return H5T_STD_U8LE;
        case WordType::complex64:
            return complex_type(H5T_IEEE_F32LE);
        case WordType::complex128:
            return complex_type(H5T_IEEE_F64LE);
    }
    return -1;
}

/// Those of the name: of "a/b/c" a and a/b, where they are not there yet.
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

/// Contiguous, at a place of its own from now on, and without any data written: the file is longer there, that is all.
Hdf5Handle create_dataset(hid_t file, const std::string& name, const Shape& shape, hid_t type) {
    const std::vector<hsize_t> dimensions(shape.begin(), shape.end());
    const Hdf5Handle space(dimensions.empty()
                               ? H5Screate(H5S_SCALAR)
                               : H5Screate_simple(static_cast<int>(dimensions.size()), dimensions.data(), nullptr),
                           H5Sclose);
    const Hdf5Handle creation(H5Pcreate(H5P_DATASET_CREATE), H5Pclose);
    H5Pset_obj_track_times(creation.get(), false);
    H5Pset_layout(creation.get(), H5D_CONTIGUOUS);
    H5Pset_alloc_time(creation.get(), H5D_ALLOC_TIME_EARLY);
    H5Pset_fill_time(creation.get(), H5D_FILL_TIME_NEVER);
    return {H5Dcreate2(file, name.c_str(), type, space.get(), H5P_DEFAULT, creation.get(), H5P_DEFAULT), H5Dclose};
}

bool place(hid_t file, const ArraySpec& array, std::vector<std::uint64_t>& places) {
    if (!array.parts.empty()) {
        return std::all_of(array.parts.begin(), array.parts.end(),
                           [&](const ArraySpec& part) { return place(file, part, places); });
    }
    if (!create_groups(file, array.name)) return false;
    Hdf5Handle dataset = create_dataset(file, array.name, array.shape, stored_type(array.type));
    if (!dataset || !write_attributes(dataset.get(), array.attributes)) return false;
    const haddr_t at = H5Dget_offset(dataset.get());
    if (at == HADDR_UNDEF) return false;
    places.push_back(at);
    return dataset.close();
}

bool write_values(const Hdf5Handle& dataset, const ConstantSpec& constant) {
    const auto write = [&](hid_t type, const void* values) {
        return H5Dwrite(dataset.get(), type, H5S_ALL, H5S_ALL, H5P_DEFAULT, values) >= 0;
    };
    const auto* reals = std::get_if<std::vector<float>>(&constant.values);
    return reals != nullptr ? write(H5T_NATIVE_FLOAT, reals->data())
                            : write(H5T_NATIVE_UINT64, std::get<std::vector<std::uint64_t>>(constant.values).data());
}

bool place(hid_t file, const ConstantSpec& constant) {
    const bool real = std::holds_alternative<std::vector<float>>(constant.values);
    Hdf5Handle dataset = create_dataset(file, constant.name, constant.shape, real ? H5T_IEEE_F32LE : H5T_STD_U64LE);
    return dataset && write_attributes(dataset.get(), constant.attributes) && write_values(dataset, constant) &&
           dataset.close();
}

}  // namespace

Diagnostic not_stored(const std::string& path, int error) {
    Diagnostic d;
    d.code = "K0721";
    d.message =
        fmt::format("cannot write '{}': {}", path, error == 0 ? "the data could not be stored" : std::strerror(error));
    if (error == 0 || error == ENOSPC || error == EFBIG || error == EDQUOT) d.help = "is the disk full?";
    return d;
}

Outcome<std::vector<std::uint64_t>> lay_out(const std::string& path, const FileLayout& layout) {
    silence_hdf5();
    std::vector<std::uint64_t> places;
    Hdf5Handle file = create_file(path);
    bool good = file && write_attributes(file.get(), layout.attributes);
    for (const ArraySpec& array : layout.arrays) good = good && place(file.get(), array, places);
    for (const ConstantSpec& constant : layout.constants) good = good && place(file.get(), constant);
    if (!file.close() || !good) return failure<std::vector<std::uint64_t>>(not_stored(path, 0));
    return success(std::move(places));
}

Diagnostics amend(const std::string& path, const Attributes& attributes, const std::vector<ConstantSpec>& constants) {
    silence_hdf5();
    Hdf5Handle file(H5Fopen(path.c_str(), H5F_ACC_RDWR, access_list().get()), H5Fclose);
    bool good = static_cast<bool>(file);
    for (const auto& [name, text] : attributes) good = good && amend_attribute(file.get(), name, text);
    for (const ConstantSpec& constant : constants) {
        Hdf5Handle dataset(good ? H5Dopen2(file.get(), constant.name.c_str(), H5P_DEFAULT) : -1, H5Dclose);
        good = good && dataset && write_values(dataset, constant) && dataset.close();
    }
    if (!file.close() || !good) return {not_stored(path, 0)};
    return {};
}

}  // namespace kasc::runtime
