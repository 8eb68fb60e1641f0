#include "runtime/hdf5/attributes.hpp"

#include <algorithm>
#include <array>
#include <cstring>
#include <memory>

#include "runtime/hdf5/handle.hpp"
#include "runtime/hdf5/open.hpp"
#include "runtime/hdf5/survey.hpp"
#include "runtime/processes/child.hpp"
#include "runtime/processes/shared_memory.hpp"

namespace kasc::runtime {

namespace {

constexpr std::size_t longest_text = 255;

struct Text {
    bool there = false;
    std::array<char, longest_text + 1> bytes{};
};

void keep(Text& text, const char* bytes, std::size_t size) {
    std::memcpy(text.bytes.data(), bytes, std::min(strnlen(bytes, size), longest_text));
    text.there = true;
}

/// Texts of fixed length, and of any length as h5py writes them.
void read_text(hid_t file, const std::string& name, Text& text) {
    if (H5Aexists(file, name.c_str()) <= 0) return;
    const Hdf5Handle attribute(H5Aopen(file, name.c_str(), H5P_DEFAULT), H5Aclose);
    if (!attribute) return;
    const Hdf5Handle type(H5Aget_type(attribute.get()), H5Tclose), space(H5Aget_space(attribute.get()), H5Sclose);
    if (!type || !space || H5Tget_class(type.get()) != H5T_STRING || H5Sget_simple_extent_npoints(space.get()) != 1)
        return;
    if (H5Tis_variable_str(type.get()) > 0) {
        char* value = nullptr;
        if (H5Aread(attribute.get(), type.get(), static_cast<void*>(&value)) < 0 || value == nullptr) return;
        keep(text, value, longest_text);
        H5Dvlen_reclaim(type.get(), space.get(), H5P_DEFAULT, static_cast<void*>(&value));
        return;
    }
    std::vector<char> value(H5Tget_size(type.get()) + 1, '\0');
    if (H5Aread(attribute.get(), type.get(), value.data()) < 0) return;
    if (H5Tget_strpad(type.get()) == H5T_STR_SPACEPAD) {
        for (std::size_t end = value.size() - 1; end > 0 && value[end - 1] == ' '; --end) value[end - 1] = '\0';
    }
    keep(text, value.data(), value.size());
}

}  // namespace

Outcome<std::map<std::string, std::string>> read_attributes(const std::string& path,
                                                            const std::vector<std::string>& names) {
    using Found = std::map<std::string, std::string>;
    auto survey = survey_file(path, {});  // is it an HDF5 file?
    if (!survey) return failure<Found>(std::move(survey.diagnostics));
    const auto memory = SharedMemory::allocate(std::max<std::size_t>(names.size(), 1) * sizeof(Text));
    if (!memory) return failure<Found>(damaged_file(path, "", "no memory to look into it"));
    auto* texts = reinterpret_cast<Text*>(memory->data());
    std::uninitialized_fill_n(texts, names.size(), Text{});
    const ChildEnd end = run_in_child({}, [&] {
        silence_hdf5();
        const Hdf5Handle file = open_file(path);
        for (std::size_t i = 0; file && i < names.size(); ++i) read_text(file.get(), names[i], texts[i]);
        return static_cast<bool>(file);
    });
    if (end != ChildEnd::finished) return failure<Found>(damaged_file(path, "", "its attributes cannot be read"));
    Found found;
    for (std::size_t i = 0; i < names.size(); ++i) {
        texts[i].bytes.back() = '\0';
        if (texts[i].there) found[names[i]] = texts[i].bytes.data();
    }
    return success(std::move(found));
}

}  // namespace kasc::runtime
