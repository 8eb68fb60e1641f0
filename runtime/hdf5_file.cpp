// Time stamps are off and the format's version is pinned, so that the bytes depend on the data alone.

#include "runtime/hdf5_file.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "runtime/hdf5_handle.hpp"
#include "runtime/replacement_file.hpp"

namespace kasc::runtime {

namespace {

/// A file that could not be stored stays half closed within HDF5 1.10, whose exit handler then reads freed memory. The
/// library must be told before it is first used; all that we open, we close.
[[maybe_unused]] const bool without_exit_handler = H5dont_atexit() >= 0;

/// The format of HDF5 1.8 (2008): every reader in use knows it.
Hdf5Handle create_file(const std::string& path) {
    const Hdf5Handle creation(H5Pcreate(H5P_FILE_CREATE), H5Pclose);
    H5Pset_obj_track_times(creation.get(), false);
    const Hdf5Handle access(H5Pcreate(H5P_FILE_ACCESS), H5Pclose);
    H5Pset_libver_bounds(access.get(), H5F_LIBVER_V18, H5F_LIBVER_V18);
    return {H5Fcreate(path.c_str(), H5F_ACC_TRUNC, creation.get(), access.get()), H5Fclose};
}

bool write_attribute(hid_t file, const std::string& name, const std::string& text) {
    const Hdf5Handle type(H5Tcopy(H5T_C_S1), H5Tclose);
    H5Tset_size(type.get(), std::max<std::size_t>(text.size(), 1));
    const Hdf5Handle space(H5Screate(H5S_SCALAR), H5Sclose);
    Hdf5Handle attribute(H5Acreate2(file, name.c_str(), type.get(), space.get(), H5P_DEFAULT, H5P_DEFAULT), H5Aclose);
    return attribute && H5Awrite(attribute.get(), type.get(), text.c_str()) >= 0 && attribute.close();
}

bool write_array(hid_t file, const ArrayView& array) {
    const std::vector<hsize_t> dimensions(array.shape.begin(), array.shape.end());
    const Hdf5Handle space(dimensions.empty()
                               ? H5Screate(H5S_SCALAR)
                               : H5Screate_simple(static_cast<int>(dimensions.size()), dimensions.data(), nullptr),
                           H5Sclose);
    const Hdf5Handle creation(H5Pcreate(H5P_DATASET_CREATE), H5Pclose);
    H5Pset_obj_track_times(creation.get(), false);
    Hdf5Handle dataset(
        H5Dcreate2(file, array.name.c_str(), H5T_IEEE_F32LE, space.get(), H5P_DEFAULT, creation.get(), H5P_DEFAULT),
        H5Dclose);
    return dataset &&
           H5Dwrite(dataset.get(), H5T_NATIVE_FLOAT, H5S_ALL, H5S_ALL, H5P_DEFAULT, array.values.data()) >= 0 &&
           dataset.close();
}

}  // namespace

Diagnostics write_hdf5(const std::string& path, const std::vector<ArrayView>& arrays, const Attributes& attributes) {
    silence_hdf5();
    Outcome<ReplacementFile> target = ReplacementFile::create(path);
    if (!target) return target.diagnostics;
    Hdf5Handle file = create_file(target->temporary_path());
    bool good = static_cast<bool>(file);
    for (const auto& [name, text] : attributes) good = good && write_attribute(file.get(), name, text);
    for (const ArrayView& array : arrays) good = good && write_array(file.get(), array);
    if (!file.close() || !good) {
        Diagnostic d;
        d.code = "K0721";
        d.message = fmt::format("cannot write '{}': the data could not be stored", path);
        d.help = "is the disk full?";
        return {d};
    }
    return target.value->commit();
}

}  // namespace kasc::runtime
