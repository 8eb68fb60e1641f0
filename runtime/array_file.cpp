// Time stamps are off and the format's version is pinned, so that the bytes depend on the data alone. Words are stored
// as the machine holds them, little-endian on all that kasc runs on.

#include "runtime/array_file.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

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

/// Contiguous, at a place of its own from now on, and without any data written: the file is longer there, that is all.
bool lay_out(hid_t file, const ArraySpec& array, std::vector<std::uint64_t>& places) {
    const std::vector<hsize_t> dimensions(array.shape.begin(), array.shape.end());
    const Hdf5Handle space(dimensions.empty()
                               ? H5Screate(H5S_SCALAR)
                               : H5Screate_simple(static_cast<int>(dimensions.size()), dimensions.data(), nullptr),
                           H5Sclose);
    const Hdf5Handle creation(H5Pcreate(H5P_DATASET_CREATE), H5Pclose);
    H5Pset_obj_track_times(creation.get(), false);
    H5Pset_layout(creation.get(), H5D_CONTIGUOUS);
    H5Pset_alloc_time(creation.get(), H5D_ALLOC_TIME_EARLY);
    H5Pset_fill_time(creation.get(), H5D_FILL_TIME_NEVER);
    Hdf5Handle dataset(H5Dcreate2(file, array.name.c_str(), stored_type(array.type), space.get(), H5P_DEFAULT,
                                  creation.get(), H5P_DEFAULT),
                       H5Dclose);
    if (!dataset) return false;
    const haddr_t place = H5Dget_offset(dataset.get());
    if (place == HADDR_UNDEF) return false;
    places.push_back(place);
    return dataset.close();
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

Outcome<ArrayFile> ArrayFile::create(const std::string& path, const std::vector<ArraySpec>& arrays,
                                     const Attributes& attributes) {
    silence_hdf5();
    std::vector<std::uint64_t> places;
    Hdf5Handle file = create_file(path);
    bool good = static_cast<bool>(file);
    for (const auto& [name, text] : attributes) good = good && write_attribute(file.get(), name, text);
    for (const ArraySpec& array : arrays) good = good && lay_out(file.get(), array, places);
    if (!file.close() || !good) return failure<ArrayFile>(not_stored(path, 0));
    return reopen(path, std::move(places));
}

Outcome<ArrayFile> ArrayFile::reopen(const std::string& path, std::vector<std::uint64_t> places) {
    const int descriptor = open(path.c_str(), O_RDWR | O_CLOEXEC);
    if (descriptor < 0) {
        Diagnostic d;
        d.code = "K0701";
        d.message = fmt::format("cannot open '{}': {}", path, std::strerror(errno));
        return failure<ArrayFile>(std::move(d));
    }
    return success(ArrayFile(path, descriptor, std::move(places)));
}

ArrayFile::ArrayFile(ArrayFile&& other) noexcept
    : path_(std::move(other.path_)),
      descriptor_(std::exchange(other.descriptor_, -1)),
      places_(std::move(other.places_)) {}

ArrayFile::~ArrayFile() {
    if (descriptor_ >= 0) close(descriptor_);
}

std::uint64_t ArrayFile::bytes() const {
    struct stat info {};
    return fstat(descriptor_, &info) == 0 ? static_cast<std::uint64_t>(info.st_size) : 0;
}

Diagnostics ArrayFile::write(std::size_t array, std::uint64_t offset, const void* data, std::uint64_t bytes) {
    const auto* from = static_cast<const char*>(data);
    std::uint64_t at = places_.at(array) + offset;
    while (bytes > 0) {
        const ssize_t stored = pwrite(descriptor_, from, bytes, static_cast<off_t>(at));
        if (stored < 0 && errno == EINTR) continue;
        if (stored <= 0) return {not_stored(path_, stored < 0 ? errno : ENOSPC)};
        from += stored;
        at += static_cast<std::uint64_t>(stored);
        bytes -= static_cast<std::uint64_t>(stored);
    }
    return {};
}

bool ArrayFile::read(std::size_t array, std::uint64_t offset, void* data, std::uint64_t bytes) const {
    auto* to = static_cast<char*>(data);
    std::uint64_t at = places_.at(array) + offset;
    while (bytes > 0) {
        const ssize_t found = pread(descriptor_, to, bytes, static_cast<off_t>(at));
        if (found < 0 && errno == EINTR) continue;
        if (found <= 0) return false;
        to += found;
        at += static_cast<std::uint64_t>(found);
        bytes -= static_cast<std::uint64_t>(found);
    }
    return true;
}

Diagnostics ArrayFile::sync() {
    if (fsync(descriptor_) != 0) return {not_stored(path_, errno)};
    return {};
}

}  // namespace kasc::runtime
