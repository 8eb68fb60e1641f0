#pragma once
// The functions of a library file, found by their tokens.

#include <string>
#include <vector>

#include "library/c_tokens.hpp"
#include "library/library.hpp"

namespace kasc::library {

struct CodeParameter {
    std::vector<std::string> words;  ///< identifiers in order, the last is the name: {"const", "float", "s_v"}
    bool pointer = false;            ///< holds '*', '&' or '['
    Span span;
};

enum class CodeFunctionKind { device, kernel, host };

struct CodeFunction {
    CodeFunctionKind kind = CodeFunctionKind::host;
    std::string name;
    Span name_span;
    Span span;  ///< first token to closing brace
    std::vector<CodeParameter> parameters;
};

struct FileCode {
    std::vector<CodeFunction> functions;  ///< definitions at file level, in order
    std::vector<Macro> macros;            ///< #define lines at file level, in order
    std::vector<Span> includes;           ///< x.cuh of `#include "x.cuh"`, in order
    std::vector<Span> variables;          ///< names of variables at file level, in order
    std::vector<std::string> typedefs;    ///< names X of `typedef float *X;`
    std::vector<Token> metadata;          ///< blocks in order
};

/// Faults: a brace that is not closed before the next metadata block or the end (K0318).
[[nodiscard]] FileCode scan_declarations(const std::vector<Token>& tokens, Faults& faults);

}  // namespace kasc::library
