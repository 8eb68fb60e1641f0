// Blocks of one or a few keys: the version, a type, a function.
//
//     /*# matrix3x3 metadata        /*# mvmul33 metadata
//     Shape = 3, 3                  Arguments = matrix3x3, vector3
//     #*/                           Result = vector3
//     typedef float *matrix3x3;     Flops = 15
//                                   #*/
//                                   inline void cpu_mvmul33(const float *m, const float *v, float *r) { … }

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

#include "library/definitions.hpp"

namespace kasc::library {

namespace {

constexpr int most_words = 4096;      // of one element: a third of a block's 48 KiB of shared memory
constexpr std::size_t most_axes = 8;  // of a type
constexpr std::size_t most_arguments = 16;
constexpr int most_flops = 1 << 30;
constexpr double least_accuracy = 0x1p-24, most_accuracy = 0.1;  // of a float32 result, relative

double read_accuracy(const Entry& entry, Faults& faults) {
    if (entry.value == "none") return 0;
    double value = 0;
    const char* end = entry.value.data() + entry.value.size();
    const auto [stop, error] = std::from_chars(entry.value.data(), end, value);
    if (error == std::errc() && stop == end && value >= least_accuracy && value <= most_accuracy) return value;
    faults.add("K0308", entry.value_span,
               fmt::format("expected a relative error from {:.0e} to {}", least_accuracy, most_accuracy), "",
               "write for example 'Accuracy = 1e-6'; without it, all implementations give the bits of the reference");
    return 0;
}

}  // namespace

std::optional<std::string> read_version(const MetadataBlock& block, Faults& faults) {
    const Keys keys(block, {"Format"}, faults);
    const Entry* format = keys.require("Format", "Format = 1");
    if (!format) return std::nullopt;
    if (format->value == "1") return format->value;
    faults.add("K0320", format->value_span, "this version of the library format is not known", "",
               "this kasc reads format 1");
    return std::nullopt;
}

namespace {

/// Names of an element's words, in order: xx, yy, zz.
std::vector<std::string> read_word_names(const Entry& entry, int words, Faults& faults) {
    std::vector<std::string> names;
    for (const Word& word : read_list(entry, faults)) {
        const bool small = std::all_of(word.text.begin(), word.text.end(), [](char c) { return c >= 'a' && c <= 'z'; });
        if (small && std::find(names.begin(), names.end(), word.text) == names.end()) {
            names.push_back(word.text);
            continue;
        }
        faults.add("K0308", word.span, fmt::format("'{}' cannot name a word", word.text), "",
                   "words have different names of small letters");
        return {};
    }
    if (names.size() == static_cast<std::size_t>(words)) return names;
    faults.add(
        "K0308", entry.value_span,
        fmt::format("{} for {}", counted(names.size(), "name"), counted(static_cast<std::size_t>(words), "word")), "",
        "name all words of the Shape, in order");
    return {};
}

}  // namespace

std::optional<StreamType> read_type(const MetadataBlock& block, const FileView& file, Faults& faults) {
    const Keys keys(block, {"Shape", "Words"}, faults);
    StreamType type;
    type.name = block.name;
    type.span = block.name_span;
    const auto& typedefs = file.code.typedefs;
    if (std::find(typedefs.begin(), typedefs.end(), block.name) == typedefs.end()) {
        faults.add("K0311", block.name_span, fmt::format("type '{}' has no typedef", block.name), "",
                   fmt::format("add 'typedef float *{};' after the block", block.name));
    }
    const Entry* shape = keys.require("Shape", "Shape = 3, 3");
    // A type whose shape is at fault stays known, so that its uses are not reported as well.
    if (!shape || shape->value == "scalar") return type;
    const std::vector<Word> extents = read_list(*shape, faults);
    if (extents.empty() || extents.size() > most_axes) {
        faults.add("K0308", shape->value_span, fmt::format("a shape has 1 to {} extents", most_axes), "",
                   "write for example 'Shape = 3, 3', or 'Shape = scalar' for a single word");
        return type;
    }
    for (const Word& word : extents) {
        const auto extent = read_integer(word, 1, most_words, faults);
        if (!extent) return type;
        type.shape.push_back(*extent);
        if (type.words > most_words / *extent) {
            faults.add("K0308", shape->value_span, fmt::format("an element has at most {} words", most_words), "",
                       "a block keeps whole elements in shared memory");
            return type;
        }
        type.words *= *extent;
    }
    if (const Entry* names = keys.find("Words")) type.word_names = read_word_names(*names, type.words, faults);
    return type;
}

std::optional<FunctionDefinition> read_function(const MetadataBlock& block, const FileView& file, Faults& faults) {
    const Keys keys(block, {"Arguments", "Result", "Flops", "Accuracy"}, faults);
    FunctionDefinition function;
    function.name = block.name;
    function.span = block.name_span;
    const Entry* arguments = keys.require("Arguments", "Arguments = matrix3x3, vector3");
    const Entry* result = keys.require("Result", "Result = vector3");
    if (!arguments || !result) return std::nullopt;
    const bool takes_none = arguments->value == "none";
    if (!takes_none) function.arguments = read_list(*arguments, faults);
    function.result = {result->value, result->value_span};
    if (function.arguments.empty() != takes_none || function.arguments.size() > most_arguments) {
        faults.add("K0308", arguments->value_span,
                   fmt::format("a function has 1 to {} arguments, or 'none'", most_arguments), "",
                   "name the types, separated by commas");
        return std::nullopt;
    }
    if (const Entry* flops = keys.find("Flops")) {
        function.flops = read_integer({flops->value, flops->value_span}, 0, most_flops, faults);
    }
    if (const Entry* accuracy = keys.find("Accuracy")) function.accuracy = read_accuracy(*accuracy, faults);
    if (const CodeFunction* code = file.function("cpu_" + block.name)) {
        function.reference = Reference{std::string(text_of(code->span)), code->span};
        if (code->parameters.size() != function.arguments.size() + 1) {
            faults.add("K0317", code->name_span,
                       fmt::format("'{}' takes {}, '{}' has {} and a result", code->name,
                                   counted(code->parameters.size(), "parameter"), block.name,
                                   counted(function.arguments.size(), "argument")),
                       "", "one 'const float *' an argument, then 'float *' for the result",
                       Note{arguments->value_span, "the arguments are named here"});
        }
    }
    return function;
}

}  // namespace kasc::library
