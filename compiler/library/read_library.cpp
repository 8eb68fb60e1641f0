// Folders → files in sorted order → definitions → one library. Sizes are bounded, so that pointing kasc at a home
// folder ends in a diagnostic and not in swapping.

#include <fmt/format.h>

#include <algorithm>
#include <fstream>
#include <set>

#include "library/assemble.hpp"
#include "library/elementary_code.hpp"
#include "library/library.hpp"

namespace kasc {

namespace {

namespace fs = std::filesystem;

constexpr std::uintmax_t most_file_bytes = 4U << 20;  // a library file is some KiB
constexpr std::uintmax_t most_total_bytes = 64U << 20;
constexpr std::size_t most_entries = 100000;  // files and folders seen below one folder

Diagnostic at_path(const char* code, const fs::path& path, std::string message, std::string help) {
    return library::fault(code, {make_source(path.generic_string()), 0, 0}, std::move(message), "", std::move(help));
}

constexpr std::string_view field_functions = ".kas";

/// Texts in CUDA C++ are definitions of streams; those in the kasc language go to `fields`.
library::Layer layer_of(const std::vector<SourceRef>& sources, std::vector<SourceRef>& fields) {
    library::Layer layer;
    std::vector<SourceRef> streams;
    for (const SourceRef& source : sources)
        (source->name.ends_with(field_functions) ? fields : streams).push_back(source);
    for (const SourceRef& source : streams) layer.push_back(library::read_definitions(source));
    library::add_included_helpers(layer, streams);
    for (library::FileDefinitions& file : layer)
        for (library::ImplementationDefinition& definition : file.implementations)
            definition.implementation.faults = library::elementary_faults(definition.implementation);
    return layer;
}

class FolderReader {
public:
    explicit FolderReader(Diagnostics& diagnostics) : diagnostics_(diagnostics) {}

    library::Layer read(const fs::path& folder) {
        std::vector<SourceRef> sources;
        for (const fs::path& path : files_below(folder)) {
            if (auto source = read_file(path)) sources.push_back(std::move(source));
        }
        return layer_of(sources, fields_);
    }
    [[nodiscard]] std::vector<SourceRef> take_fields() { return std::move(fields_); }

private:
    std::vector<fs::path> files_below(const fs::path& folder) {
        std::vector<fs::path> files;
        std::error_code error;
        if (!fs::is_directory(folder, error)) {
            diagnostics_.push_back(
                at_path("K0301", folder, "there is no such library folder", "check the path after --lib"));
            return files;
        }
        std::size_t seen = 0;
        fs::recursive_directory_iterator entry(folder, error);
        while (!error && entry != fs::recursive_directory_iterator()) {
            if (++seen > most_entries) {
                diagnostics_.push_back(at_path("K0319", folder,
                                               fmt::format("a library folder has at most {} entries", most_entries),
                                               "name the folder of the library itself"));
                return {};
            }
            const fs::path extension = entry->path().extension();
            if (extension == ".cu" || extension == ".cuh" || extension == ".h" || extension == field_functions)
                files.push_back(entry->path());
            entry.increment(error);
        }
        if (error) {
            diagnostics_.push_back(at_path("K0301", folder, "the library folder cannot be read: " + error.message(),
                                           "check its permissions"));
        }
        std::sort(files.begin(), files.end(),
                  [](const fs::path& a, const fs::path& b) { return a.generic_string() < b.generic_string(); });
        return files;
    }

    SourceRef read_file(const fs::path& path) {
        std::error_code error;
        if (fs::is_directory(path, error)) return nullptr;
        const std::uintmax_t bytes = fs::is_regular_file(path, error) ? fs::file_size(path, error) : 0;
        std::ifstream in(path, std::ios::binary);
        if (error || !fs::is_regular_file(path, error) || !in) {
            diagnostics_.push_back(at_path("K0302", path, "the library file cannot be read",
                                           "check its permissions, and where it leads if it is a link"));
            return nullptr;
        }
        if (bytes > most_file_bytes || total_ + bytes > most_total_bytes) {
            const bool one = bytes > most_file_bytes;
            diagnostics_.push_back(
                at_path("K0319", path,
                        fmt::format("{} more than {} MiB", one ? "the library file has" : "the library's files have",
                                    (one ? most_file_bytes : most_total_bytes) >> 20U),
                        "name the folder of the library itself"));
            return nullptr;
        }
        total_ += bytes;
        std::string text(bytes, '\0');
        in.read(text.data(), static_cast<std::streamsize>(bytes));
        text.resize(static_cast<std::size_t>(in.gcount()));
        return make_source(path.generic_string(), std::move(text));
    }

    Diagnostics& diagnostics_;
    std::vector<SourceRef> fields_;
    std::uintmax_t total_ = 0;
};

}  // namespace

Outcome<Library> read_library(const std::vector<fs::path>& folders) {
    Diagnostics diagnostics;
    FolderReader reader(diagnostics);
    std::vector<library::Layer> layers;
    std::vector<std::string> names;
    std::set<fs::path> seen;
    for (const fs::path& folder : folders) {
        std::error_code error;
        const fs::path canonical = fs::weakly_canonical(folder, error);
        if (!error && !seen.insert(canonical).second) continue;  // named twice is not defined twice
        names.push_back(folder.generic_string());
        layers.push_back(reader.read(folder));
    }
    Outcome<Library> outcome = library::assemble(std::move(layers));
    outcome.diagnostics.insert(outcome.diagnostics.begin(), diagnostics.begin(), diagnostics.end());
    if (has_errors(diagnostics)) outcome.value.reset();
    if (outcome.value) {
        outcome.value->folders = std::move(names);
        outcome.value->field_functions = reader.take_fields();
    }
    return outcome;
}

Outcome<Library> read_library_sources(const std::vector<SourceRef>& sources) {
    Diagnostics diagnostics;
    for (const SourceRef& source : sources) {
        if (source->text.size() > most_file_bytes) {
            diagnostics.push_back(at_path("K0319", source->name,
                                          fmt::format("the library file has more than {} MiB", most_file_bytes >> 20U),
                                          "split the file"));
        }
    }
    if (has_errors(diagnostics)) return failure<Library>(std::move(diagnostics));
    std::vector<SourceRef> fields;
    std::vector<library::Layer> layers;
    layers.push_back(layer_of(sources, fields));
    Outcome<Library> outcome = library::assemble(std::move(layers));
    if (outcome.value) outcome.value->field_functions = std::move(fields);
    return outcome;
}

}  // namespace kasc
