// One look at the file in a child process: is it HDF5, which datasets has the root group, and of each input its type
// and dimensions. Example: names {T, beta} of a file with T (4, 8) and betta (8) gives {good (4, 8)}, {missing} and
// the names {T, betta}.

#include "runtime/survey.hpp"

#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <new>

#include "runtime/child.hpp"
#include "runtime/hdf5_handle.hpp"
#include "runtime/hdf5_open.hpp"
#include "runtime/shared_memory.hpp"

namespace kasc::runtime {

namespace {

constexpr std::size_t most_names = 32;    // what a help can list and be read
constexpr std::size_t longest_name = 64;  // longer ones are left out of the list
constexpr unsigned survey_cpu_seconds = 2;

struct SurveyPage {
    enum class FileState : std::uint8_t { unknown, not_hdf5, damaged, open };
    FileState file = FileState::unknown;
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
    }
    const bool number = type_class == H5T_INTEGER || type_class == H5T_FLOAT;
    facts.state = number ? State::good : State::not_a_number;
    if (!number) fmt::format_to_n(facts.type_name.data(), facts.type_name.size() - 1, "{}", type_name(type_class));
    return facts;
}

/// In the child. False never: what goes wrong is a state of the page.
bool fill(const std::string& path, const std::vector<std::string>& names, SurveyPage& page, DatasetFacts* facts) {
    silence_hdf5();
    if (H5Fis_hdf5(path.c_str()) <= 0) {
        page.file = SurveyPage::FileState::not_hdf5;
        return true;
    }
    const Hdf5Handle file = open_file(path);
    if (!file) {
        page.file = SurveyPage::FileState::damaged;
        return true;
    }
    hsize_t position = 0;
    H5Literate(file.get(), H5_INDEX_NAME, H5_ITER_INC, &position, collect_name, &page);
    for (std::size_t i = 0; i < names.size(); ++i) facts[i] = look_at(file.get(), names[i]);
    page.file = SurveyPage::FileState::open;
    return true;
}

/// The page was written by a process that damaged bytes may have led astray: nothing in it is taken on trust.
FileSurvey to_survey(const SurveyPage& page, const DatasetFacts* facts, std::size_t count, std::uint64_t file_bytes) {
    FileSurvey survey;
    survey.file_bytes = file_bytes;
    for (std::size_t i = 0; i < count; ++i) {
        DatasetFacts& checked = survey.datasets.emplace_back(facts[i]);
        checked.type_name.back() = 0;
        if (checked.rank < 0 || checked.rank > static_cast<int>(checked.dimensions.size()) ||
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

Diagnostic file_fault(const std::string& path, std::string code, std::string message, std::string help) {
    Diagnostic d;
    d.span = {make_source(path), 0, 0};
    d.code = std::move(code);
    d.message = std::move(message);
    d.help = std::move(help);
    return d;
}

std::optional<Diagnostic> fault_before_opening(const std::string& path, struct stat& info) {
    const auto cannot = [&](const std::string& why) {
        return file_fault(path, "K0701", fmt::format("cannot open '{}': {}", path, why),
                          "--in names an HDF5 file that holds the program's inputs as datasets");
    };
    if (path.empty()) {
        Diagnostic d = file_fault(path, "K0701", "no input file is named",
                                  "pass --in FILE.h5, an HDF5 file that holds the program's inputs as datasets");
        d.span = {};
        return d;
    }
    if (path.find('\0') != std::string::npos) return cannot("the name holds a zero byte");
    if (stat(path.c_str(), &info) != 0) return cannot(std::strerror(errno));
    if (S_ISDIR(info.st_mode)) return cannot("it is a folder");
    if (!S_ISREG(info.st_mode)) return cannot("it is no regular file");
    if (access(path.c_str(), R_OK) != 0) return cannot(std::strerror(errno));
    return std::nullopt;
}

}  // namespace

Span dataset_place(const std::string& path, const std::string& dataset) {
    return {make_source(fmt::format("{}:/{}", path, dataset)), 0, 0};
}

Diagnostic damaged_file(const std::string& path, const std::string& dataset, const std::string& why) {
    Diagnostic d = file_fault(
        path, "K0703",
        dataset.empty() ? fmt::format("'{}' is a damaged HDF5 file", path)
                        : fmt::format("dataset '{}' of '{}' is damaged", dataset, path),
        "it may be cut short, or still be open in the program that writes it; h5dump shows what can be read");
    if (!why.empty()) d.notes.push_back({{}, why});
    if (!dataset.empty()) d.span = dataset_place(path, dataset);
    return d;
}

Outcome<FileSurvey> survey_file(const std::string& path, const std::vector<std::string>& names) {
    struct stat info {};
    if (auto fault = fault_before_opening(path, info)) return failure<FileSurvey>(std::move(*fault));
    const auto memory = SharedMemory::allocate(sizeof(SurveyPage) + names.size() * sizeof(DatasetFacts));
    if (!memory) return failure<FileSurvey>(file_fault(path, "K0711", "no memory to look into the input file", ""));
    auto* page = new (memory->data()) SurveyPage;
    auto* facts = reinterpret_cast<DatasetFacts*>(memory->data() + sizeof(SurveyPage));
    std::uninitialized_fill_n(facts, names.size(), DatasetFacts{});

    ChildLimits limits;
    limits.cpu_seconds = survey_cpu_seconds;
    const ChildEnd end = run_in_child(limits, [&] { return fill(path, names, *page, facts); });
    if (end == ChildEnd::no_child)
        return failure<FileSurvey>(file_fault(path, "K0711", "no process to read the input file", ""));
    if (end == ChildEnd::out_of_time) {
        return failure<FileSurvey>(damaged_file(path, "", "the HDF5 library does not come to an end with it"));
    }
    if (page->file == SurveyPage::FileState::not_hdf5) {
        return failure<FileSurvey>(
            file_fault(path, "K0702", fmt::format("'{}' is not an HDF5 file", path),
                       "inputs are datasets of an HDF5 file, as h5py or MATLAB (-v7.3) write them"));
    }
    if (end != ChildEnd::finished || page->file != SurveyPage::FileState::open) {
        return failure<FileSurvey>(damaged_file(path, "", ""));
    }
    return success(to_survey(*page, facts, names.size(), static_cast<std::uint64_t>(info.st_size)));
}

}  // namespace kasc::runtime
