#include "lsp/library_text.hpp"

#include <fmt/format.h>

#include "lsp/meaning.hpp"

namespace kasc::lsp {

namespace {

std::string pattern_text(const Pattern& pattern) {
    return fmt::format("from `{}`, {} times `{}` words, `{}` apart", pattern.start, pattern.count, pattern.block,
                       pattern.stride);
}

std::string implementation_text(const Library& library, const Function& function, const Implementation& one) {
    std::string text = fmt::format("\n- `{}`", one.name);
    for (std::size_t k = 0; k < one.inputs.size() && k < function.arguments.size(); ++k)
        text += fmt::format("; {} {}", library.types[function.arguments[k]].name, pattern_text(one.inputs[k]));
    return text + "; result " + pattern_text(one.output);
}

}  // namespace

std::string signature(const Library& library, const Function& function) {
    std::string arguments;
    for (const TypeId type : function.arguments)
        arguments += (arguments.empty() ? "" : ", ") + library.types[type].name;
    return fmt::format("{}({}) -> {}", function.name, arguments, library.types[function.result].name);
}

std::string function_text(const Library& library, FunctionId id) {
    const Function& function = library.functions[id];
    std::string text = "```kasc\n" + signature(library, function) + "\n```";
    const std::string comment = comment_of(function);
    text += "\n\nfunction of the library" + (comment.empty() ? "" : "\n```text\n" + comment + "\n```");
    text += fmt::format("\n\n{} operations an element", function.flops);
    if (!function.implementations.empty()) text += "; words that a thread touches:";
    constexpr std::size_t most = 4;
    for (std::size_t k = 0; k < std::min(most, function.implementations.size()); ++k)
        text += implementation_text(library, function, function.implementations[k]);
    if (function.implementations.size() > most)
        text += fmt::format("\n- and {} more", function.implementations.size() - most);
    return text;
}

std::string type_text(const StreamType& type) {
    return fmt::format("```kasc\n{}\n```\n\ntype of the library: {} word{} of float", type.name, type.words,
                       type.words == 1 ? "" : "s");
}

}  // namespace kasc::lsp
