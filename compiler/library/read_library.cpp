// Folders → files in sorted order → definitions → one library. Sizes are bounded, so that pointing kasc at a home
// folder ends in a diagnostic and not in swapping.

#include <fmt/format.h>

#include <algorithm>
#include <fstream>
#include <set>

#include "library/assemble.hpp"
#include "library/elementary_code.hpp"
#include "library/library.hpp"
#include "library/variants.hpp"

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

/// The files of a folder: in CUDA C++ definitions of streams, in the kasc language functions for fields.
struct FolderTexts {
    std::vector<SourceRef> streams, fields;
};

FolderTexts sorted_by_language(const std::vector<SourceRef>& sources) {
    FolderTexts texts;
    for (const SourceRef& source : sources)
        (source->name.ends_with(field_functions) ? texts.fields : texts.streams).push_back(source);
    return texts;
}

library::Layer layer_of(const std::vector<SourceRef>& streams, const library::Wanted& wanted,
                        std::vector<std::string>& unread) {
    library::Layer layer;
    for (const SourceRef& source : streams) {
        if (wanted) {
            const library::Headings headings = library::headings_of(source->text);
            bool reads = headings.has_others;
            for (const std::string& function : headings.functions) {
                const bool here = library::is_wanted(wanted, function);
                reads = reads || here;
                if (!here) unread.push_back(function);
            }
            if (!reads) continue;
        }
        library::Variants variants = library::variants_of(source, wanted);
        for (const SourceRef& text : variants.texts) layer.push_back(library::read_definitions(text));
        if (variants.diagnostics.empty()) continue;
        layer.emplace_back();
        layer.back().diagnostics = std::move(variants.diagnostics);
    }
    library::add_included_helpers(layer, streams);
    for (library::FileDefinitions& file : layer)
        for (library::ImplementationDefinition& definition : file.implementations)
            definition.implementation.faults = library::elementary_faults(definition.implementation);
    return layer;
}

class FolderReader {
public:
    explicit FolderReader(Diagnostics& diagnostics) : diagnostics_(diagnostics) {}

    FolderTexts read(const fs::path& folder) {
        std::vector<SourceRef> sources;
        for (const fs::path& path : files_below(folder)) {
            if (auto source = read_file(path)) sources.push_back(std::move(source));
        }
        return sorted_by_language(sources);
    }

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
    std::uintmax_t total_ = 0;
};

/// What a program can call of the first of these folders.
library::Wanted wanted_by(const Source& program, const std::vector<FolderTexts>& folders) {
    std::vector<SourceRef> fields;
    for (const FolderTexts& folder : folders) fields.insert(fields.end(), folder.fields.begin(), folder.fields.end());
    library::Wanted wanted = library::called_by_fields(fields);
    library::add_words(program.text, *wanted);
    for (std::size_t k = 1; k < folders.size(); ++k)
        for (const SourceRef& source : folders[k].streams) wanted->merge(library::headings_of(source->text).functions);
    return wanted;
}

/// The functions of all folders, with what the code of later ones replaces: a reference says what a function computes,
/// an implementation alone is one more way to compute it.
std::vector<FieldFunctions> field_functions_of(const std::vector<FolderTexts>& folders,
                                               const std::vector<library::Layer>& layers) {
    std::vector<FieldFunctions> all;
    std::set<std::string> replaced;
    for (std::size_t k = folders.size(); k-- > 0;) {
        std::vector<FieldFunctions> here;
        for (const SourceRef& source : folders[k].fields) here.push_back({source, replaced});
        all.insert(all.begin(), std::make_move_iterator(here.begin()), std::make_move_iterator(here.end()));
        for (const library::FileDefinitions& file : layers[k])
            for (const library::FunctionDefinition& function : file.functions)
                if (function.reference) replaced.insert(function.name);
    }
    return all;
}

/// For all programs, or for one.
Outcome<Library> read_folders(const std::vector<fs::path>& folders, const Source* program) {
    Diagnostics diagnostics;
    FolderReader reader(diagnostics);
    std::vector<FolderTexts> texts;
    std::vector<std::string> names, unread;
    std::set<fs::path> seen;
    for (const fs::path& folder : folders) {
        std::error_code error;
        const fs::path canonical = fs::weakly_canonical(folder, error);
        if (!error && !seen.insert(canonical).second) continue;  // named twice is not defined twice
        names.push_back(folder.generic_string());
        texts.push_back(reader.read(folder));
    }
    if (program && !texts.empty()) {
        std::vector<std::string_view> callers{program->text};
        for (std::size_t k = 1; k < texts.size(); ++k)
            for (const SourceRef& source : texts[k].fields) callers.push_back(source->text);
        texts.front().fields = library::called_files(texts.front().fields, callers, unread);
    }
    const library::Wanted wanted = program ? wanted_by(*program, texts) : library::Wanted();
    std::vector<library::Layer> layers;
    for (const FolderTexts& folder : texts)
        layers.push_back(layer_of(folder.streams, layers.empty() ? wanted : library::Wanted(), unread));
    std::vector<FieldFunctions> fields = field_functions_of(texts, layers);
    Outcome<Library> outcome = library::assemble(std::move(layers));
    outcome.diagnostics.insert(outcome.diagnostics.begin(), diagnostics.begin(), diagnostics.end());
    if (has_errors(diagnostics)) outcome.value.reset();
    if (outcome.value) {
        outcome.value->folders = std::move(names);
        outcome.value->field_functions = std::move(fields);
        outcome.value->unread = std::move(unread);
    }
    return outcome;
}

}  // namespace

Outcome<Library> read_library(const std::vector<fs::path>& folders) { return read_folders(folders, nullptr); }

Outcome<Library> read_library_for(const Source& program, const std::vector<fs::path>& folders) {
    return read_folders(folders, &program);
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
    FolderTexts texts = sorted_by_language(sources);
    std::vector<std::string> unread;
    std::vector<library::Layer> layers;
    layers.push_back(layer_of(texts.streams, {}, unread));
    Outcome<Library> outcome = library::assemble(std::move(layers));
    if (outcome.value)
        for (SourceRef& source : texts.fields) outcome.value->field_functions.push_back({std::move(source)});
    return outcome;
}

}  // namespace kasc
