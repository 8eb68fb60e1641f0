// One look at the file in a child process: is it HDF5, which datasets has the root group, and of each input its type
// and dimensions. Example: names {T, beta} of a file with T (4, 8) and betta (8) gives {good (4, 8)}, {missing} and
// the names {T, betta}.

#include "runtime/hdf5/survey.hpp"
#include "runtime/hdf5/complex_type.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <memory>
#include <new>
#include <sstream>

#include "runtime/hdf5/look_into.hpp"
#include "runtime/hdf5/open.hpp"
#include "runtime/hdf5/text_attribute.hpp"

namespace kasc::runtime {

namespace {

constexpr std::size_t most_names = 32;    // what a help can list and be read
constexpr std::size_t longest_name = 64;  // longer ones are left out of the list

struct SurveyPage {
    std::size_t name_count = 0;
    std::array<std::array<char, longest_name + 1>, most_names> names{};
};

herr_t collect_name(hid_t group, const char* name, const H5L_info_t*, void* page_pointer) {
    auto& page = *static_cast<SurveyPage*>(page_pointer);
    if (page.name_count == most_names) return 1;
    const std::size_t length = std::strlen(name);
    H5O_info_t object;
    if (length > longest_name ||
        H5Oget_info_by_name2(group, name, &object, H5O_INFO_BASIC, refuse_external_links().get()) < 0 ||
        object.type != H5O_TYPE_DATASET) {
        return 0;
    }
    std::memcpy(page.names.at(page.name_count++).data(), name, length + 1);
    return 0;
}

const char* type_name(H5T_class_t type) {
    switch (type) {
        case H5T_STRING:
            return "text";
        case H5T_COMPOUND:
            return "compound values";
        case H5T_ENUM:
            return "enumerated values";
        case H5T_REFERENCE:
            return "references";
        case H5T_ARRAY:
            return "arrays";
        case H5T_VLEN:
            return "lists";
        case H5T_TIME:
            return "times";
        default:
            return "opaque values";
    }
}

/// What h5py and PyTables write of NumPy's bool: HDF5 reads it as the integers 0 and 1.
bool is_boolean_type(hid_t type) {
    return H5Tget_class(type) == H5T_ENUM && H5Tget_nmembers(type) == 2 && H5Tget_member_index(type, "FALSE") == 0 &&
           H5Tget_member_index(type, "TRUE") == 1;
}

/// Cut where it is too long: with a zero behind it.
template <std::size_t size>
void copy_text(const std::optional<std::string>& text, std::array<char, size>& to) {
    if (text) std::copy_n(text->begin(), std::min(text->size(), size - 1), to.begin());
}

int told_cell_dimensions(const Hdf5Handle& dataset, const Shape& shape) {
    std::vector<std::uint64_t> cell;
    std::istringstream text(read_text_attribute(dataset.get(), "cell_shape").value_or(""));
    for (std::uint64_t extent = 0; text >> extent;) cell.push_back(extent);
    const bool fits = cell.size() <= shape.size() && std::equal(cell.rbegin(), cell.rend(), shape.rbegin());
    return fits ? static_cast<int>(cell.size()) : 0;
}

DatasetFacts look_at(hid_t file, const std::string& name) {
    using State = DatasetFacts::State;
    DatasetFacts facts;
    H5L_info_t link;
    if (H5Lexists(file, name.c_str(), H5P_DEFAULT) <= 0) return facts;
    facts.state = State::damaged;
    if (H5Lget_info(file, name.c_str(), &link, H5P_DEFAULT) < 0) return facts;
    if (link.type == H5L_TYPE_EXTERNAL) {
        facts.state = State::external;
        return facts;
    }
    H5O_info_t object;
    if (H5Oget_info_by_name2(file, name.c_str(), &object, H5O_INFO_BASIC, refuse_external_links().get()) < 0)
        return facts;
    if (object.type != H5O_TYPE_DATASET) {
        facts.state = State::not_a_dataset;
        return facts;
    }
    const Hdf5Handle dataset = open_dataset(file, name);
    if (!dataset) return facts;
    if (stored_elsewhere(dataset)) {
        facts.state = State::external;
        return facts;
    }
    const Hdf5Handle type(H5Dget_type(dataset.get()), H5Tclose);
    const Hdf5Handle space(H5Dget_space(dataset.get()), H5Sclose);
    if (!type || !space) return facts;
    const H5T_class_t type_class = H5Tget_class(type.get());
    if (type_class == H5T_NO_CLASS) return facts;
    const int rank = H5Sget_simple_extent_ndims(space.get());
    std::array<hsize_t, H5S_MAX_RANK> dimensions{};
    if (rank < 0 || H5Sget_simple_extent_dims(space.get(), dimensions.data(), nullptr) != rank) return facts;
    if (H5Sget_simple_extent_type(space.get()) == H5S_NULL) {
        facts.rank = 1;  // no cells: shown as shape (0,)
    } else {
        facts.rank = rank;
        std::copy_n(dimensions.begin(), rank, facts.dimensions.begin());
        facts.cell_dimensions = told_cell_dimensions(dataset, facts.shape());
        copy_text(read_text_attribute(dataset.get(), "axes"), facts.axes);
        copy_text(read_text_attribute(dataset.get(), "units"), facts.units);
        facts.series = H5Aexists(dataset.get(), "series_axis") > 0 ? 1 : 0;
    }
    const bool number = type_class == H5T_INTEGER || type_class == H5T_FLOAT || is_boolean_type(type.get());
    const bool complex = is_complex_type(type.get());
    facts.state = number ? State::good : complex ? State::complex : State::not_a_number;
    if (!number && !complex)
        fmt::format_to_n(facts.type_name.data(), facts.type_name.size() - 1, "{}", type_name(type_class));
    return facts;
}

/// The page was written by a process that damaged bytes may have led astray: nothing in it is taken on trust.
FileSurvey to_survey(const SurveyPage& page, const DatasetFacts* facts, std::size_t count, const FileStamp& stamp) {
    FileSurvey survey;
    survey.stamp = stamp;
    for (std::size_t i = 0; i < count; ++i) {
        DatasetFacts& checked = survey.datasets.emplace_back(facts[i]);
        checked.type_name.back() = checked.axes.back() = checked.units.back() = 0;
        if (checked.rank < 0 || checked.rank > static_cast<int>(checked.dimensions.size()) ||
            checked.cell_dimensions < 0 || checked.cell_dimensions > checked.rank ||
            checked.state > DatasetFacts::State::good) {
            checked = DatasetFacts{};
            checked.state = DatasetFacts::State::damaged;
        }
    }
    for (std::size_t i = 0; i < std::min(page.name_count, most_names); ++i) {
        const auto& name = page.names.at(i);
        survey.names.emplace_back(name.begin(), std::find(name.begin(), name.end(), '\0'));
    }
    return survey;
}

}  // namespace

Outcome<FileSurvey> survey_file(const std::string& path, const std::vector<std::string>& names,
                                const Purpose& purpose) {
    const std::size_t bytes = sizeof(SurveyPage) + names.size() * sizeof(DatasetFacts);
    const auto facts_of = [](std::byte* memory) {
        return reinterpret_cast<DatasetFacts*>(memory + sizeof(SurveyPage));
    };
    const auto looked = look_into(path, purpose, bytes, [&](hid_t file, std::byte* memory) {
        auto* page = new (memory) SurveyPage;
        std::uninitialized_fill_n(facts_of(memory), names.size(), DatasetFacts{});
        hsize_t position = 0;
        H5Literate(file, H5_INDEX_NAME, H5_ITER_INC, &position, collect_name, page);
        for (std::size_t i = 0; i < names.size(); ++i) facts_of(memory)[i] = look_at(file, names[i]);
    });
    if (!looked) return failure<FileSurvey>(looked.diagnostics);
    const auto& page = *reinterpret_cast<const SurveyPage*>(looked->memory.data());
    return success(to_survey(page, facts_of(looked->memory.data()), names.size(), looked->stamp));
}

}  // namespace kasc::runtime
