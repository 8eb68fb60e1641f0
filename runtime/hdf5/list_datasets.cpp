// The list is text in shared memory: names, each with a zero byte behind it, and an empty one at the end.

#include <algorithm>
#include <cstring>

#include "runtime/hdf5/look_into.hpp"
#include "runtime/hdf5/open.hpp"
#include "runtime/hdf5/survey.hpp"

namespace kasc::runtime {

namespace {

constexpr std::size_t list_bytes = 128 * most_listed;

struct List {
    char* text;
    std::size_t length = 0, count = 0;
};

herr_t collect(hid_t, const char* name, const H5O_info_t* object, void* list_pointer) {
    auto& list = *static_cast<List*>(list_pointer);
    const std::size_t length = std::strlen(name);
    if (object->type != H5O_TYPE_DATASET) return 0;
    if (list.count == most_listed || list.length + length + 1 >= list_bytes) return 1;
    std::memcpy(list.text + list.length, name, length + 1);
    list.length += length + 1;
    ++list.count;
    return 0;
}

}  // namespace

Outcome<std::vector<std::string>> list_datasets(const std::string& path, const Purpose& purpose) {
    const auto looked = look_into(path, purpose, list_bytes, [](hid_t file, std::byte* memory) {
        List list{reinterpret_cast<char*>(memory)};
        H5Ovisit2(file, H5_INDEX_NAME, H5_ITER_INC, collect, &list, H5O_INFO_BASIC);
    });
    if (!looked) return failure<std::vector<std::string>>(looked.diagnostics);
    const auto* at = reinterpret_cast<const char*>(looked->memory.data());
    const char* const end = at + list_bytes;
    std::vector<std::string> names;
    for (const char* zero = std::find(at, end, '\0'); zero != end && zero != at && names.size() < most_listed;
         zero = std::find(at, end, '\0')) {
        names.emplace_back(at, zero);
        at = zero + 1;
    }
    return success(std::move(names));
}

}  // namespace kasc::runtime
