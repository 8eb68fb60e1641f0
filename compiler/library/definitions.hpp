#pragma once
// What one library file defines, before the files are put together: types are still names.

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "library/declarations.hpp"
#include "library/library.hpp"
#include "library/metadata.hpp"
#include "library/part_name.hpp"
#include "library/values.hpp"

namespace kasc::library {

struct FunctionDefinition {
    std::string name;
    Span span;  ///< of the name in its block's heading
    std::vector<Word> arguments;
    Word result;
    std::optional<int> flops;
    double accuracy = 0;  ///< as in Function
    std::optional<Reference> reference;
};

/// A type as a transfer's metadata name it, and the parameter that should have it.
struct TypeUse {
    Word type;
    CodeParameter parameter;
};

struct ImplementationDefinition {
    std::string function;
    int number = 0;
    Span span;                      ///< of the name in the kernel block's heading
    Implementation implementation;  ///< its transfers' types are not set yet
    std::vector<TypeUse> load_types;
    TypeUse save_type;
};

/// Code that no part of an implementation is, but that parts may use.
struct HelperCode {
    std::vector<DeviceFunction> functions;
    std::vector<Macro> macros;
    std::vector<Span> variables;  ///< their names: parts cannot use them
    std::size_t bytes = 0;
};

constexpr std::size_t most_helper_bytes =
    std::size_t{64} * 1024;  // of one file with its headers, since every implementation holds a copy

struct FileDefinitions {
    std::optional<std::string> version;
    std::vector<StreamType> types;
    std::vector<FunctionDefinition> functions;
    std::vector<ImplementationDefinition> implementations;
    std::vector<Span> includes;  ///< as in FileCode
    Diagnostics diagnostics;
};

/// Everything in one file. A file without a metadata block is empty, whatever else it holds.
[[nodiscard]] FileDefinitions read_definitions(const SourceRef& source);

/// The helpers of a header, whether it holds metadata or not (K0303, K0318, K0319).
[[nodiscard]] HelperCode read_helpers(Faults& faults);

/// Implementations get the helpers of the headers that their files include, in front of their own. A header is looked
/// for beside the file that includes it, among `sources`; one that is not there is none of the library's. Headers that
/// a header includes are not followed.
void add_included_helpers(std::vector<FileDefinitions>& files, const std::vector<SourceRef>& sources);

/// What the readers of definitions see of a file. Of two blocks or functions with one name the first is found.
struct FileView {
    std::vector<MetadataBlock> blocks;
    FileCode code;
    std::map<std::string, std::size_t> block_index, function_index;

    [[nodiscard]] const MetadataBlock* block(const std::string& name) const;
    [[nodiscard]] const CodeFunction* function(const std::string& name) const;
};

/// An implementation as the names in a file tell of it.
struct ImplementationSketch {
    std::string function;
    int number = 0;
    Span first;                 ///< the first place that names it
    std::map<int, Span> loads;  ///< by number, as named
    [[nodiscard]] std::string name() const { return function + "_" + std::to_string(number); }
};

// The kinds of block, one reader each (simple_blocks.cpp, implementation_blocks.cpp).
[[nodiscard]] std::optional<StreamType> read_type(const MetadataBlock& block, const FileView& file, Faults& faults);
[[nodiscard]] std::optional<std::string> read_version(const MetadataBlock& block, Faults& faults);
[[nodiscard]] std::optional<FunctionDefinition> read_function(const MetadataBlock& block, const FileView& file,
                                                              Faults& faults);
/// All parts of one implementation (K0311 to K0314, K0317, and the readers' own).
[[nodiscard]] std::optional<ImplementationDefinition> read_implementation(const ImplementationSketch& sketch,
                                                                          const FileView& file, Faults& faults);

/// The function as the emitted code takes it over.
[[nodiscard]] DeviceFunction device_function(const CodeFunction& code);

}  // namespace kasc::library
