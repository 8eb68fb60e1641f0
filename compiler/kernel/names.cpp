#include <algorithm>
#include <array>
#include <cctype>
#include <string_view>

#include "frontend/real_function.hpp"
#include "kernel/kernel.hpp"

namespace kasc::kernel {

namespace {

/// Words that an emitted name must not be: C++20's keywords, what CUDA and <cmath> put in the global namespace and a
/// user may well call a variable, and the names that the printers themselves use.
constexpr std::array<std::string_view, 197> reserved{
    "alignas",      "alignof",     "and",          "and_eq",    "asm",      "auto",         "bitand",
    "bitor",        "bool",        "break",        "case",      "catch",    "char",         "char8_t",
    "char16_t",     "char32_t",    "class",        "compl",     "concept",  "const",        "consteval",
    "constexpr",    "constinit",   "const_cast",   "continue",  "co_await", "co_return",    "co_yield",
    "decltype",     "default",     "delete",       "do",        "double",   "dynamic_cast", "else",
    "enum",         "explicit",    "export",       "extern",    "false",    "float",        "for",
    "friend",       "goto",        "if",           "inline",    "int",      "long",         "mutable",
    "namespace",    "new",         "noexcept",     "not",       "not_eq",   "nullptr",      "operator",
    "or",           "or_eq",       "private",      "protected", "public",   "register",     "reinterpret_cast",
    "requires",     "return",      "short",        "signed",    "sizeof",   "static",       "static_assert",
    "static_cast",  "struct",      "switch",       "template",  "this",     "thread_local", "throw",
    "true",         "try",         "typedef",      "typeid",    "typename", "union",        "unsigned",
    "using",        "virtual",     "void",         "volatile",  "wchar_t",  "while",        "xor",
    "xor_eq",       "threadIdx",   "blockIdx",     "blockDim",  "gridDim",  "warpSize",     "dim3",
    "uint3",        "float2",      "float3",       "float4",    "int2",     "int4",         "double2",
    "size_t",       "exp",         "log",          "sqrt",      "pow",      "sin",          "cos",
    "tan",          "tanh",        "abs",          "floor",     "min",      "max",          "fmaf",
    "fminf",        "fmaxf",       "expf",         "logf",      "sqrtf",    "powf",         "sinf",
    "cosf",         "tanf",        "tanhf",        "fabsf",     "floorf",   "y0",           "y1",
    "yn",           "j0",          "j1",           "jn",        "gamma",    "index",        "remove",
    "main",         "std",         "signal",       "time",      "div",      "rand",         "read",
    "write",        "shared",      "thread",       "NULL",      "BUFSIZ",   "EOF",          "assert",
    "errno",        "stdin",       "stdout",       "stderr",    "linux",    "unix",         "INFINITY",
    "NAN",          "M_PI",        "fmodf",        "block",     "block_x",  "block_y",      "block_z",
    "thread_x",     "thread_y",    "thread_z",     "load4",     "store4",   "copy_tile_in", "copy_tile_out",
    "padded_word",  "by_16_bytes", "await_copies", "fetch",     "HUGE",     "OVERFLOW",     "UNDERFLOW",
    "DOMAIN",       "MAXFLOAT",    "alloca",       "offsetof",  "WNOHANG",  "WUNTRACED",    "NZERO",
    "SNAN",         "L_tmpnam",    "load2",        "load8",     "store2",   "store8",       "prefetch",
    "commit_copies"};

/// What the headers of C and CUDA define as macros looks so: M_PI, INT_MAX, EIO, E2BIG, _Complex.
bool is_like_a_macro(const std::string& name) {
    const auto upper = [](char c) { return std::isupper(static_cast<unsigned char>(c)) != 0; };
    const auto lower = [](char c) { return std::islower(static_cast<unsigned char>(c)) != 0; };
    if (name.starts_with("M_") || (name.size() > 1 && name[0] == '_' && upper(name[1]))) return true;
    if (name.size() < 3 || std::any_of(name.begin(), name.end(), lower)) return false;
    for (std::size_t k = 1; k < name.size(); ++k) {
        if (name[k - 1] == '_' && upper(name[k])) return true;
    }
    return name[0] == 'E';
}

/// The function is the mathematics library's, in either precision.
bool is_function_of_c(std::string_view name) {
    if (name == "fma" || real_function(name) != nullptr) return true;
    return name.ends_with('f') && real_function(name.substr(0, name.size() - 1)) != nullptr;
}

bool is_reserved(const std::string& name) {
    return is_function_of_c(name) || name.starts_with("kasc") || name.starts_with("__") || name.starts_with("cuda") ||
           name.starts_with("omp_") || std::find(reserved.begin(), reserved.end(), name) != reserved.end();
}

}  // namespace

Names::Names() = default;

std::string Names::fresh(const std::string& wish) {
    std::string base = wish.empty() ? "v" : wish;
    for (char& c : base) {
        if (std::isalnum(static_cast<unsigned char>(c)) == 0 && c != '_') c = '_';
    }
    if (std::isdigit(static_cast<unsigned char>(base.front())) != 0) base.insert(0, "v");
    if (is_reserved(base)) base.append("_");
    if (is_reserved(base) || is_like_a_macro(base)) base.insert(0, "v_");
    const auto [former, is_free] = taken_.try_emplace(base, 2);
    if (is_free) return base;
    // A thousand loops may count by one name: numbers that were taken once are not tried again.
    int k = former->second;
    while (taken_.contains(base + "_" + std::to_string(k))) ++k;
    former->second = k + 1;
    std::string numbered = base + "_" + std::to_string(k);
    taken_.try_emplace(numbered, 2);
    return numbered;
}

}  // namespace kasc::kernel
