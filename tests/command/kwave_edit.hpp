#pragma once
// Changes to an HDF5 file that make it a bad one.

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "runtime/hdf5/handle.hpp"

namespace kasc::test {

class KwaveEdit {
public:
    explicit KwaveEdit(const std::string& path) : file_(H5Fopen(path.c_str(), H5F_ACC_RDWR, H5P_DEFAULT), H5Fclose) {
        EXPECT_TRUE(file_) << path;
    }

    void remove(const std::string& name) { EXPECT_GE(H5Ldelete(file_.get(), name.c_str(), H5P_DEFAULT), 0) << name; }

    /// Values into a dataset that is there, from its first word on; the others stay.
    void set(const std::string& name, const std::vector<double>& values) {
        const runtime::Hdf5Handle dataset(H5Dopen2(file_.get(), name.c_str(), H5P_DEFAULT), H5Dclose);
        ASSERT_TRUE(dataset) << name;
        const runtime::Hdf5Handle space(H5Dget_space(dataset.get()), H5Sclose);
        std::vector<double> all(static_cast<std::size_t>(H5Sget_simple_extent_npoints(space.get())));
        ASSERT_GE(H5Dread(dataset.get(), H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, all.data()), 0);
        ASSERT_LE(values.size(), all.size());
        std::copy(values.begin(), values.end(), all.begin());
        ASSERT_GE(H5Dwrite(dataset.get(), H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, all.data()), 0);
    }

    /// In place of what is there, if anything.
    void replace(const std::string& name, const std::vector<hsize_t>& shape, const std::vector<double>& values) {
        if (H5Lexists(file_.get(), name.c_str(), H5P_DEFAULT) > 0) remove(name);
        const runtime::Hdf5Handle space(H5Screate_simple(static_cast<int>(shape.size()), shape.data(), nullptr),
                                        H5Sclose);
        const runtime::Hdf5Handle dataset(
            H5Dcreate2(file_.get(), name.c_str(), H5T_IEEE_F32LE, space.get(), H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT),
            H5Dclose);
        ASSERT_GE(H5Dwrite(dataset.get(), H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, values.data()), 0);
    }

    /// Empty: it has none any more. Blanks at the end are what HDF5 pads a text with.
    void attribute(const std::string& name, const std::string& text) {
        H5Adelete(file_.get(), name.c_str());
        if (text.empty()) return;
        const runtime::Hdf5Handle type(H5Tcopy(H5T_C_S1), H5Tclose), space(H5Screate(H5S_SCALAR), H5Sclose);
        H5Tset_size(type.get(), text.size());
        if (text.back() == ' ') H5Tset_strpad(type.get(), H5T_STR_SPACEPAD);
        const runtime::Hdf5Handle attribute(
            H5Acreate2(file_.get(), name.c_str(), type.get(), space.get(), H5P_DEFAULT, H5P_DEFAULT), H5Aclose);
        ASSERT_GE(H5Awrite(attribute.get(), type.get(), text.c_str()), 0);
    }

private:
    runtime::Hdf5Handle file_;
};

}  // namespace kasc::test
