// Options may stand in branches that other options open, so that the program is read again as words are settled.
#include "driver/option_words.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "frontend/parse.hpp"
#include "frontend/report.hpp"

namespace kasc {

namespace {

Diagnostic fault_of(const std::string& setting, std::string message, std::string help) {
    Diagnostic d = placeless("K0901", std::move(message), std::move(help));
    d.span.source = make_source("--set " + setting);
    return d;
}

}  // namespace

void set_words(const SourceRef& program, const std::vector<std::string>& words, std::map<std::string, double>& settings,
               Diagnostics& faults) {
    std::vector<std::string> open = words;
    for (bool found = true; found && !open.empty();) {
        found = false;
        const Outcome<Ast> ast = parse(program, settings);
        if (!ast) return;
        std::erase_if(open, [&](const std::string& setting) {
            const std::size_t equals = std::min(setting.find('='), setting.size());
            const std::string name = setting.substr(0, equals);
            const auto option = std::find_if(ast->options.begin(), ast->options.end(), [&](const ast::Option& o) {
                return o.name.text == name && !o.is_word && !o.words.empty();
            });
            if (option == ast->options.end() || equals == setting.size()) return false;
            const std::string word = setting.substr(equals + 1);
            const auto number = std::find(option->words.begin(), option->words.end(), word);
            if (number == option->words.end()) {
                faults.push_back(fault_of(setting, fmt::format("the option '{}' is never '{}'", name, word),
                                          fmt::format("it is one of {}", frontend::name_list(option->words))));
            } else {
                settings[name] = static_cast<double>(number - option->words.begin());
            }
            return found = true;
        });
    }
    for (const std::string& setting : open)
        faults.push_back(fault_of(setting, "a setting is a name and a number", "write --set name=value"));
}

}  // namespace kasc
