#include "runtime/hdf5/complex_type.hpp"

#include <map>

namespace kasc::runtime {

hid_t complex_type(hid_t real) {
    static std::map<hid_t, hid_t> made;
    const auto known = made.find(real);
    if (known != made.end()) return known->second;
    const std::size_t bytes = H5Tget_size(real);
    const hid_t type = H5Tcreate(H5T_COMPOUND, 2 * bytes);
    H5Tinsert(type, "r", 0, real);
    H5Tinsert(type, "i", bytes, real);
    return made[real] = type;
}

bool is_complex_type(hid_t type) {
    return H5Tget_class(type) == H5T_COMPOUND && H5Tget_nmembers(type) == 2 && H5Tget_member_index(type, "r") >= 0 &&
           H5Tget_member_index(type, "i") >= 0 && H5Tget_member_class(type, 0) == H5T_FLOAT &&
           H5Tget_member_class(type, 1) == H5T_FLOAT;
}

}  // namespace kasc::runtime
