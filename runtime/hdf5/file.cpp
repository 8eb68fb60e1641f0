#include "runtime/hdf5/file.hpp"

#include "runtime/files/replacement.hpp"

namespace kasc::runtime {

Diagnostics write_hdf5(const std::string& path, const std::vector<ArrayView>& arrays, const Attributes& attributes) {
    Outcome<ReplacementFile> target = ReplacementFile::create(path);
    if (!target) return target.diagnostics;
    FileLayout layout{{}, attributes};
    for (const ArrayView& array : arrays) layout.arrays.push_back({array.name, array.shape, array.values.type()});
    Outcome<ArrayFile> file = ArrayFile::create(target->temporary_path(), layout);
    if (!file) return {not_stored(path, 0)};
    for (std::size_t i = 0; i < arrays.size(); ++i) {
        const Diagnostics bad = file.value->write(i, 0, arrays[i].values.data(), arrays[i].values.size_bytes());
        if (!bad.empty()) return target.value->named(bad);
    }
    return target.value->commit();
}

}  // namespace kasc::runtime
