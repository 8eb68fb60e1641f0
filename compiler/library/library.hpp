#pragma once
// The library of elementary functions as its metadata describe it. Reading a library parses and checks metadata; it
// evaluates no pattern (see patterns/). The format is described in docs/library.md.

#include <array>
#include <filesystem>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "foundation/id.hpp"
#include "foundation/outcome.hpp"

namespace kasc {

/// A fixed shape of float32 words. Names match in upper or lower case.
struct StreamType {
    std::string name;
    std::vector<int> shape;  ///< {} scalar, {3}, {3, 3} …; row-major, the last index is contiguous
    int words = 1;
    Span span;
    std::vector<std::string> word_names{};  ///< in programs over fields; none: letters along the extents, or numbers
};

/// Words of an argument that a thread touches: in round i (0 … count-1) `block` words from the current address, which
/// starts at `start` and moves on by `stride` a round. Expressions in the syntax of muparserx.
struct Pattern {
    std::string start, block, stride;
    int count = 1;
    bool noreg = false;
    Span span;  ///< the whole entry
    Span start_span, block_span, stride_span;
};

/// A dimension of a block or grid: fixed, or free (`size`).
struct Extent {
    std::optional<int> fixed;
    std::optional<int> recommended;  ///< of a free one
};

/// A coordinate that a device function takes, in the order of its parameters.
enum class Coordinate { tx, ty, tz, bx, by, bz };

/// A device function as its author wrote it.
struct DeviceFunction {
    std::string name;  ///< d_mmul33_1_load_1
    std::string text;  ///< from its first token to the closing brace
    Span span;
    std::vector<Coordinate> coordinates;  ///< trailing coordinate parameters
};

struct Transfer {  ///< a load or the save
    DeviceFunction function;
    TypeId type;
    Pattern pattern;  ///< LSPATTERN
};

/// A "#define" line of the author's file.
struct Macro {
    std::string text;
    Span span;
};

struct Implementation {
    std::string name;  ///< mmul33_1
    SourceRef source;
    std::vector<Transfer> loads;  ///< one an argument, in order
    Transfer save;
    DeviceFunction compute;
    std::vector<Pattern> inputs;        ///< INPATTERN, one an argument
    Pattern output;                     ///< OUTPATTERN
    std::array<Extent, 3> grid, block;  ///< at most one free each
    Extent batch;                       ///< elements one thread group serves one after another
    /// #define lines and device functions of the file that are no part of an implementation, in order: helpers.
    std::vector<DeviceFunction> helpers;
    std::vector<Macro> macros;
    std::vector<Span> variables;  ///< names of the file's variables, which are not emitted
    Diagnostics faults;           ///< K0426: why no kernel can hold its code; empty: nothing is known against it
};

/// CPU code of a function: `void cpu_<function>(const float *a0, …, float *r)`, one element.
struct Reference {
    std::string text;
    Span span;
};

struct Function {
    std::string name;
    std::vector<TypeId> arguments;
    TypeId result;
    std::vector<Implementation> implementations;  ///< by number
    std::optional<Reference> reference;
    /// Floating-point operations an element; where the library does not say, the words read and written.
    int flops = 0;
    /// The relative error by which implementations may differ from the reference on another machine; 0: not a bit.
    double accuracy = 0;
    Span span;
};

/// Functions for programs over fields, in the kasc language.
struct FieldFunctions {
    SourceRef source;
    /// Names among them that a later folder computes by code of its own: the program means that.
    std::set<std::string> replaced{};
};

struct Library {
    std::vector<std::string> folders;
    std::string version;  ///< of the library format
    Table<TypeId, StreamType> types;
    Table<FunctionId, Function> functions;
    std::vector<FieldFunctions> field_functions;  ///< later ones take the place of earlier ones
    std::vector<std::string> unread;              ///< names of functions that were left out

    [[nodiscard]] std::optional<TypeId> find_type(const std::string& name) const;  ///< in either case
    [[nodiscard]] std::optional<FunctionId> find_function(const std::string& name) const;
};

/// Reads every *.cu, *.cuh, *.h and *.kas below the folders, in sorted order. A later folder adds functions,
/// implementations and types, and its implementations and references take the place of earlier folders' of the same
/// name (a warning says so); defining the same thing twice in one folder is an error. Diagnostics K03xx, with a caret
/// in the library file.
[[nodiscard]] Outcome<Library> read_library(const std::vector<std::filesystem::path>& folders);

/// As read_library, for one program: of the first folder, which is kasc's own, files of functions that the program and
/// the other folders do not name are left out (Library::unread), since reading them takes longer than compiling.
[[nodiscard]] Outcome<Library> read_library_for(const Source& program,
                                                const std::vector<std::filesystem::path>& folders);

/// As read_library, from texts that stand for the files of one folder (for tests and fuzzing).
[[nodiscard]] Outcome<Library> read_library_sources(const std::vector<SourceRef>& sources);

}  // namespace kasc
