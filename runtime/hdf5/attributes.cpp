#include "runtime/hdf5/attributes.hpp"

#include <algorithm>
#include <array>
#include <cstring>
#include <memory>

#include "runtime/hdf5/open.hpp"
#include "runtime/hdf5/survey.hpp"
#include "runtime/hdf5/text_attribute.hpp"
#include "runtime/processes/child.hpp"
#include "runtime/processes/shared_memory.hpp"

namespace kasc::runtime {

namespace {

struct Text {
    bool there = false;
    std::array<char, longest_text_attribute + 1> bytes{};
};

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
        for (std::size_t i = 0; file && i < names.size(); ++i) {
            const auto text = read_text_attribute(file.get(), names[i]);
            texts[i].there = text.has_value();
            if (text) std::copy(text->begin(), text->end(), texts[i].bytes.begin());
        }
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
