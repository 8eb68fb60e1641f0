// Helpers that several files use stand in a header beside them:
//
//     words4.cuh   __device__ inline void take_words4(…) { … }
//     svmul3.cu    #include "words4.cuh"          →  svmul3_1, svmul3_2 … carry take_words4 before svmul3.cu's own
//
// Emission writes one text once, so that a kernel of functions from two such files holds the header's helpers once.

#include <fmt/format.h>

#include <filesystem>
#include <map>
#include <set>

#include "library/definitions.hpp"

namespace kasc::library {

namespace {

constexpr std::size_t most_carried_bytes = 64U << 20;  // copies that all implementations of a folder hold together

std::string beside(const Span& include) {
    const std::filesystem::path folder = std::filesystem::path(include.source->name).parent_path();
    return (folder / std::string(text_of(include))).lexically_normal().generic_string();
}

class Includer {
public:
    explicit Includer(const std::vector<SourceRef>& sources) {
        for (const SourceRef& source : sources) {
            const std::filesystem::path path(source->name);
            by_path_.emplace(path.lexically_normal().generic_string(), source);
        }
    }

    void add(FileDefinitions& file) {
        HelperCode all;
        std::set<std::string> done;
        for (const Span& include : file.includes) {
            const std::string path = beside(include);
            const auto found = by_path_.find(path);
            if (found == by_path_.end() || found->second->name == include.source->name || !done.insert(path).second)
                continue;
            const HelperCode& helpers = helpers_of(found->second, file.diagnostics);
            all.functions.insert(all.functions.end(), helpers.functions.begin(), helpers.functions.end());
            all.macros.insert(all.macros.end(), helpers.macros.begin(), helpers.macros.end());
            all.variables.insert(all.variables.end(), helpers.variables.begin(), helpers.variables.end());
            all.bytes += helpers.bytes;
            carried_ += helpers.bytes * file.implementations.size();
            if (all.bytes > most_helper_bytes || carried_ > most_carried_bytes) {
                file.diagnostics.push_back(fault(
                    "K0319", include,
                    fmt::format("the headers of a file hold at most {} bytes of helpers, all implementations of a "
                                "folder carry {} MiB",
                                most_helper_bytes, most_carried_bytes >> 20U),
                    "", "split the header: each implementation carries a copy of what its file includes"));
                return;
            }
        }
        for (ImplementationDefinition& definition : file.implementations) {
            Implementation& implementation = definition.implementation;
            implementation.helpers.insert(implementation.helpers.begin(), all.functions.begin(), all.functions.end());
            implementation.macros.insert(implementation.macros.begin(), all.macros.begin(), all.macros.end());
            implementation.variables.insert(implementation.variables.end(), all.variables.begin(), all.variables.end());
        }
    }

private:
    const HelperCode& helpers_of(const SourceRef& source, Diagnostics& diagnostics) {
        const auto known = helpers_.find(source->name);
        if (known != helpers_.end()) return known->second;
        Faults faults(source);
        HelperCode helpers = read_helpers(faults);
        for (Diagnostic& d : faults.take()) diagnostics.push_back(std::move(d));
        return helpers_.emplace(source->name, std::move(helpers)).first->second;
    }

    std::map<std::string, SourceRef> by_path_;
    std::map<std::string, HelperCode> helpers_;
    std::size_t carried_ = 0;
};

}  // namespace

void add_included_helpers(std::vector<FileDefinitions>& files, const std::vector<SourceRef>& sources) {
    Includer includer(sources);
    for (FileDefinitions& file : files) includer.add(file);
}

}  // namespace kasc::library
