#include "runtime/hdf5/open.hpp"

namespace kasc::runtime {

namespace {

herr_t refuse(const char*, const char*, const char*, const char*, unsigned*, hid_t, void*) { return -1; }

}  // namespace

Hdf5Handle open_file(const std::string& path) { return {H5Fopen(path.c_str(), H5F_ACC_RDONLY, H5P_DEFAULT), H5Fclose}; }

// A dataset access list is a link access list too.
Hdf5Handle refuse_external_links() {
    Hdf5Handle access(H5Pcreate(H5P_DATASET_ACCESS), H5Pclose);
    H5Pset_elink_cb(access.get(), refuse, nullptr);
    return access;
}

Hdf5Handle open_dataset(hid_t file, const std::string& name) {
    return {H5Dopen2(file, name.c_str(), refuse_external_links().get()), H5Dclose};
}

bool stored_elsewhere(const Hdf5Handle& dataset) {
    const Hdf5Handle creation(H5Dget_create_plist(dataset.get()), H5Pclose);
    if (!creation) return false;
    const H5D_layout_t layout = H5Pget_layout(creation.get());
    return layout == H5D_VIRTUAL || (layout == H5D_CONTIGUOUS && H5Pget_external_count(creation.get()) > 0);
}

}  // namespace kasc::runtime
