#include "libcheck/traced_unit.hpp"

#include <dlfcn.h>

namespace kasc::libcheck {

TracedUnit load_traced_unit(const std::string& library) {
    TracedUnit unit;
    void* handle = dlopen(library.c_str(), RTLD_NOW | RTLD_LOCAL | RTLD_NODELETE);
    if (handle == nullptr) return unit;
    unit.trace = reinterpret_cast<decltype(unit.trace)>(dlsym(handle, "kasc_trace"));
    unit.refer = reinterpret_cast<decltype(unit.refer)>(dlsym(handle, "kasc_refer"));
    return unit;
}

}  // namespace kasc::libcheck
