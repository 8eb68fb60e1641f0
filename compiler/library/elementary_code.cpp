// Words are looked for, not meanings: nothing is expanded or evaluated.
//
//     __device__ inline void d_f_1_compute(float *s_a, float *s_r, int tx) {
//         s_r[APOUT] = sum(s_a);             → the helper sum is looked into
//         WAIT                               → of '#define WAIT __syncthreads();' the word WAIT is at fault
//     }
//
// Whole kernels (cu_f_1) are not used, so they may hold what they like, and so may helpers of theirs.

#include "library/elementary_code.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>
#include <set>

#include "library/c_tokens.hpp"

namespace kasc::library {

namespace {

struct Primitive {
    std::string_view prefix;  ///< of the words; with '$' at its end the whole word
    const char* why;
    const char* mend;
};

constexpr const char* no_barrier = "a fused kernel has its own barriers, and knows what threads reach them";
constexpr const char* without_barrier =
    "leave it out: kasc puts barriers between functions, where their patterns ask for one; what needs one in between "
    "is "
    "two functions";
constexpr const char* no_warp = "which threads make a warp depends on the fused kernel";
constexpr const char* without_warp =
    "read what other threads hold from the argument: declare these words in its INPATTERN, with noreg 1";
constexpr const char* no_shared = "shared memory is placed by the fused kernel";
constexpr const char* without_shared =
    "arguments and the result are the shared arrays that there are; keep what a thread computes in local variables";
constexpr const char* no_atomic = "every word has one thread that writes it";
constexpr const char* without_atomic = "let one thread write each word, which the OUTPATTERN tells";
constexpr const char* no_index = "in a fused kernel other threads and blocks do the work";
constexpr const char* without_index =
    "take the coordinates tx, ty, tz, bx, by, bz as parameters; block dimensions are "
    "the macros <FUNCTION>_<N>_BX, _BY, _BZ";
constexpr const char* no_variable = "variables of the device are not emitted with a function";
constexpr const char* without_variable = "use #define lines, or constants in the function itself";
constexpr Primitive kept_variable{"static", "what stays from call to call is one for all threads of all blocks",
                                  "leave 'static' out, or write 'static const'"};

constexpr std::array primitives{
    Primitive{"__sync", no_barrier, without_barrier},
    Primitive{"__threadfence", no_barrier, without_barrier},
    Primitive{"cooperative_groups$", no_barrier, without_barrier},
    Primitive{"__shfl", no_warp, without_warp},
    Primitive{"__ballot", no_warp, without_warp},
    Primitive{"__any$", no_warp, without_warp},
    Primitive{"__all$", no_warp, without_warp},
    Primitive{"__any_sync$", no_warp, without_warp},
    Primitive{"__all_sync$", no_warp, without_warp},
    Primitive{"__uni_sync$", no_warp, without_warp},
    Primitive{"__match_", no_warp, without_warp},
    Primitive{"__reduce_", no_warp, without_warp},
    Primitive{"__activemask$", no_warp, without_warp},
    Primitive{"warpSize$", no_warp, without_warp},
    Primitive{"__shared__$", no_shared, without_shared},
    Primitive{"__pipeline_", no_shared, without_shared},
    Primitive{"atomicAdd", no_atomic, without_atomic},
    Primitive{"atomicSub", no_atomic, without_atomic},
    Primitive{"atomicExch", no_atomic, without_atomic},
    Primitive{"atomicMin", no_atomic, without_atomic},
    Primitive{"atomicMax", no_atomic, without_atomic},
    Primitive{"atomicInc", no_atomic, without_atomic},
    Primitive{"atomicDec", no_atomic, without_atomic},
    Primitive{"atomicCAS", no_atomic, without_atomic},
    Primitive{"atomicAnd", no_atomic, without_atomic},
    Primitive{"atomicOr", no_atomic, without_atomic},
    Primitive{"atomicXor", no_atomic, without_atomic},
    Primitive{"threadIdx$", no_index, without_index},
    Primitive{"blockIdx$", no_index, without_index},
    Primitive{"blockDim$", no_index, without_index},
    Primitive{"gridDim$", no_index, without_index},
    Primitive{"__constant__$", no_variable, without_variable},
    Primitive{"__managed__$", no_variable, without_variable},
};

const Primitive* find_primitive(std::string_view word) {
    const auto found = std::find_if(primitives.begin(), primitives.end(), [&](const Primitive& p) {
        const bool whole = p.prefix.back() == '$';
        return whole ? word == p.prefix.substr(0, p.prefix.size() - 1) : word.starts_with(p.prefix);
    });
    return found == primitives.end() ? nullptr : &*found;
}

/// NAME and body of "#define NAME body" or "#define NAME(a) body".
std::pair<std::string, std::string> split_macro(const std::string& line) {
    std::size_t at = line.find("define") + std::string_view("define").size();
    while (at < line.size() && !is_letter(line[at])) ++at;
    std::size_t end = at;
    while (end < line.size() && (is_letter(line[end]) || is_digit(line[end]))) ++end;
    return {line.substr(at, end - at), line.substr(end)};
}

struct CodeWord {
    std::string text;
    std::size_t begin = 0, end = 0;
    bool declares = false;     ///< the word before it is a type's, as of "int n"
    bool of_constant = false;  ///< the word behind it is const or constexpr
};

bool is_type(std::string_view word) {
    return word == "float" || word == "int" || word == "double" || word == "unsigned" || word == "const" ||
           word == "auto" || word == "char" || word == "long" || word == "short" || word == "bool";
}
bool goes_before_value(std::string_view word) {
    return word == "return" || word == "else" || word == "case" || word == "do" || word == "sizeof";
}

std::vector<CodeWord> words_of(const std::string& code) {
    Faults unheard(make_source("", code));
    const std::vector<Token> tokens = tokenize(unheard);
    std::vector<CodeWord> words;
    for (std::size_t i = 0; i < tokens.size(); ++i) {
        if (tokens[i].kind != TokenKind::word) continue;
        std::size_t before = i;
        while (before > 0 && tokens[before - 1].kind == TokenKind::punctuation &&
               std::string_view("*&").find(code[tokens[before - 1].begin]) != std::string_view::npos)
            --before;
        const bool follows_word = before > 0 && tokens[before - 1].kind == TokenKind::word;
        const std::string_view type = follows_word ? text_of(tokens[before - 1], code) : "";
        // "a * b" is a product, "float *b" a declaration.
        const bool declares = before < i ? is_type(type) : follows_word && !goes_before_value(type);
        const std::string_view next = i + 1 < tokens.size() ? text_of(tokens[i + 1], code) : "";
        words.push_back({std::string(text_of(tokens[i], code)), tokens[i].begin, tokens[i].end, declares,
                         next == "const" || next == "constexpr"});
    }
    return words;
}

class CodeCheck {
public:
    explicit CodeCheck(const Implementation& implementation) : implementation_(implementation) {
        for (const Macro& macro : implementation.macros) macros_.insert(split_macro(macro.text));
        for (const DeviceFunction& helper : implementation.helpers) helpers_.emplace(helper.name, &helper);
        for (const Span& name : implementation.variables) variables_.emplace(std::string(text_of(name)), name);
    }

    Diagnostics run() {
        for (const Transfer& load : implementation_.loads) look_into(load.function);
        look_into(implementation_.compute);
        look_into(implementation_.save.function);
        return std::move(said_);
    }

private:
    const Implementation& implementation_;
    std::map<std::string, std::string> macros_, inside_;  ///< bodies; primitives that they stand for
    std::map<std::string, const DeviceFunction*> helpers_;
    std::map<std::string, Span> variables_;
    std::set<const DeviceFunction*> seen_;
    Diagnostics said_;

    void look_into(const DeviceFunction& function) {
        if (!seen_.insert(&function).second) return;
        const std::vector<CodeWord> words = words_of(function.text);
        std::set<std::string> told, own;
        const std::size_t body = function.text.find('{');
        for (const CodeWord& word : words)
            if (word.declares) own.insert(word.text);
        for (const CodeWord& word : words) {
            if (told.contains(word.text)) continue;
            if (const auto helper = helpers_.find(word.text); helper != helpers_.end()) look_into(*helper->second);
            const Span at{function.span.source, function.span.begin + word.begin, function.span.begin + word.end};
            if (word.text == "static" && word.begin > body && !word.of_constant) {
                add(function, at, word.text, kept_variable);
            } else if (const Primitive* primitive = find_primitive(word.text)) {
                add(function, at, word.text, *primitive);
            } else if (const std::string inside = primitive_in_macro(word.text); !inside.empty()) {
                add(function, at, word.text, *find_primitive(inside));
                said_.back().label = fmt::format("stands for '{}'", inside);
            } else if (const auto variable = variables_.find(word.text);
                       variable != variables_.end() && !own.contains(word.text)) {
                add(function, at, word.text, {"", no_variable, without_variable});
                said_.back().notes.push_back({variable->second, "declared here"});
            } else {
                continue;
            }
            told.insert(word.text);
        }
    }

    void add(const DeviceFunction& function, const Span& at, const std::string& word, const Primitive& primitive) {
        said_.push_back(fault("K0426", at,
                              fmt::format("'{}' cannot stand in {}: {}", word, function.name, primitive.why), "",
                              primitive.mend));
    }

    /// Empty: none. Macros may name macros, and themselves.
    std::string primitive_in_macro(const std::string& name) {
        const auto macro = macros_.find(name);
        if (macro == macros_.end()) return {};
        const auto [known, inserted] = inside_.emplace(name, "");
        if (!inserted) return known->second;
        for (const CodeWord& word : words_of(macro->second)) {
            const std::string inside = find_primitive(word.text) != nullptr ? word.text : primitive_in_macro(word.text);
            if (!inside.empty()) return known->second = inside;
        }
        return {};
    }
};

}  // namespace

Diagnostics elementary_faults(const Implementation& implementation) { return CodeCheck(implementation).run(); }

}  // namespace kasc::library
