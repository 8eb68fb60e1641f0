#pragma once
// HDF5 files as users have them, written straight with the library's API.

#include <hdf5.h>

#include <string>
#include <vector>

namespace kasc::runtime {

using Dimensions = std::vector<hsize_t>;

class SampleFile {
public:
    explicit SampleFile(const std::string& path)
        : file_(H5Fcreate(path.c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT)) {}
    SampleFile(const SampleFile&) = delete;
    SampleFile& operator=(const SampleFile&) = delete;
    ~SampleFile() { H5Fclose(file_); }

    [[nodiscard]] hid_t id() const { return file_; }

    /// `stored` is the type in the file, T a type that `memory` names.
    template <class T>
    SampleFile& add(const std::string& name, const Dimensions& dimensions, const std::vector<T>& values, hid_t memory,
                    hid_t stored, hid_t creation = H5P_DEFAULT) {
        const hid_t space = dimensions.empty()
                                ? H5Screate(H5S_SCALAR)
                                : H5Screate_simple(static_cast<int>(dimensions.size()), dimensions.data(), nullptr);
        const hid_t dataset = H5Dcreate2(file_, name.c_str(), stored, space, H5P_DEFAULT, creation, H5P_DEFAULT);
        if (!values.empty()) H5Dwrite(dataset, memory, H5S_ALL, H5S_ALL, H5P_DEFAULT, values.data());
        H5Dclose(dataset);
        H5Sclose(space);
        return *this;
    }
    SampleFile& floats(const std::string& name, const Dimensions& dimensions, std::vector<float> values = {}) {
        if (values.empty()) values = counting(dimensions);
        return add(name, dimensions, values, H5T_NATIVE_FLOAT, H5T_IEEE_F32LE);
    }
    SampleFile& doubles(const std::string& name, const Dimensions& dimensions, const std::vector<double>& values) {
        return add(name, dimensions, values, H5T_NATIVE_DOUBLE, H5T_IEEE_F64LE);
    }
    /// 0, 1, 2 …
    static std::vector<float> counting(const Dimensions& dimensions) {
        std::size_t count = 1;
        for (const hsize_t dimension : dimensions) count *= dimension;
        std::vector<float> values(count);
        for (std::size_t i = 0; i < count; ++i) values[i] = static_cast<float>(i);
        return values;
    }

private:
    hid_t file_;
};

}  // namespace kasc::runtime
