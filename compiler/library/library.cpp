#include "library/library.hpp"

#include "library/parameters.hpp"

namespace kasc {

std::optional<TypeId> Library::find_type(const std::string& name) const {
    for (const TypeId id : types.ids()) {
        if (library::same_name(types[id].name, name)) return id;
    }
    return std::nullopt;
}

std::optional<FunctionId> Library::find_function(const std::string& name) const {
    for (const FunctionId id : functions.ids()) {
        if (functions[id].name == name) return id;
    }
    return std::nullopt;
}

}  // namespace kasc
