// "make the grid smaller" with {"--memory"}, "or allow more with {}" becomes "make the grid smaller, or allow more with
// --memory". With {"--checkpoint", "--restart"}, kasc kwave, which calls both --checkpoint_file, makes "leave
// --checkpoint_file out" of "leave {} out".

#include "foundation/flag_words.hpp"

#include <algorithm>

namespace kasc {

namespace {

/// "a", "a and b", "a, b and c".
std::string listed(const std::vector<std::string>& names) {
    std::string text;
    for (std::size_t i = 0; i < names.size(); ++i)
        text += (i == 0 ? "" : i + 1 == names.size() ? " and " : ", ") + names[i];
    return text;
}

std::string with_names(std::string text, const std::vector<std::string>& names) {
    const std::size_t place = text.find("{}");
    return place == std::string::npos ? text : text.replace(place, 2, listed(names));
}

void append(std::string& help, const std::string& more) {
    if (more.empty() || help.find(more) != std::string::npos) return;
    if (!help.empty()) help += more.starts_with("or ") ? ", " : "; ";
    help += more;
}

std::string said(const FlagHelp& help, const FlagWords& words) {
    std::vector<std::string> names;
    for (const std::string& flag : help.flags) {
        const auto word = words.find(flag);
        if (word == words.end()) continue;
        if (!word->second.instead.empty() && help.flags.size() == 1) return word->second.instead;
        const std::string& name = word->second.name;
        if (!name.empty() && std::find(names.begin(), names.end(), name) == names.end()) names.push_back(name);
    }
    return names.empty() ? "" : with_names(help.text, names);
}

}  // namespace

Diagnostics in_words_of(const FlagWords& words, Diagnostics diagnostics) {
    for (Diagnostic& d : diagnostics) {
        for (const FlagHelp& help : d.flag_helps) append(d.help, said(help, words));
        d.flag_helps.clear();
        if (d.help.starts_with("or ")) d.help.erase(0, 3);  // what it was the other choice to is left out
    }
    return diagnostics;
}

std::string help_text(const Diagnostic& diagnostic) {
    std::string text = diagnostic.help;
    for (const FlagHelp& help : diagnostic.flag_helps) append(text, with_names(help.text, help.flags));
    return text;
}

}  // namespace kasc
