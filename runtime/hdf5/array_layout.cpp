#include "runtime/hdf5/array_layout.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <map>

#include "runtime/hdf5/layout_objects.hpp"

namespace kasc::runtime {

namespace {

/// Contiguous, at a place of its own from now on, and without any data written: the file is longer there, that is all.
Hdf5Handle placed_creation() {
    Hdf5Handle creation = dataset_creation();
    H5Pset_layout(creation.get(), H5D_CONTIGUOUS);
    H5Pset_alloc_time(creation.get(), H5D_ALLOC_TIME_EARLY);
    return creation;
}

bool place(hid_t file, const ArraySpec& array, std::vector<std::uint64_t>& places) {
    if (!array.parts.empty()) {
        return std::all_of(array.parts.begin(), array.parts.end(),
                           [&](const ArraySpec& part) { return place(file, part, places); });
    }
    Hdf5Handle dataset = create_dataset(file, array.name, array.shape, stored_type(array.type), placed_creation());
    if (!dataset || !write_attributes(dataset.get(), array.attributes)) return false;
    const haddr_t at = H5Dget_offset(dataset.get());
    if (at == HADDR_UNDEF) return false;
    places.push_back(at);
    return dataset.close();
}

bool place(hid_t file, const ConstantSpec& constant) {
    Hdf5Handle dataset = create_dataset(file, constant.name, constant.shape, stored_type(constant), placed_creation());
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
    Hdf5Handle file = create_layout_file(path);
    bool good = file && write_attributes(file.get(), layout.attributes);
    std::map<std::string, std::uint64_t> of_cells;  // datasets of which a word was met
    for (const ArraySpec& array : layout.arrays) {
        const auto met = of_cells.find(array.name);
        if (met != of_cells.end()) places.push_back(met->second);
        good = good && (met != of_cells.end() || place(file.get(), array, places));
        if (good && array.cell_words > 1) of_cells[array.name] = places.back();
    }
    for (const ConstantSpec& constant : layout.constants) good = good && place(file.get(), constant);
    if (!file.close() || !good) return failure<std::vector<std::uint64_t>>(not_stored(path, 0));
    return success(std::move(places));
}

Diagnostics amend(const std::string& path, const Attributes& attributes, const std::vector<ConstantSpec>& constants) {
    silence_hdf5();
    Hdf5Handle file(H5Fopen(path.c_str(), H5F_ACC_RDWR, layout_access().get()), H5Fclose);
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
