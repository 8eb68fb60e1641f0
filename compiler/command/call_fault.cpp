#include "command/call_fault.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

namespace kasc::command {

namespace {

/// The names of the braces in "--target: gpu not in {cuda,cpu}".
std::vector<std::string> values_of(const std::string& message) {
    std::vector<std::string> values;
    const std::size_t open = message.rfind('{'), close = message.rfind('}');
    if (open == std::string::npos || close == std::string::npos || close < open) return values;
    std::string name;
    for (std::size_t k = open + 1; k <= close; ++k) {
        if (message[k] != ',' && k != close) {
            name += message[k];
            continue;
        }
        values.push_back(std::move(name));
        name.clear();
    }
    return values;
}

/// In the same message, what stands in front of " not in {".
std::string given_value(const std::string& message) {
    const std::size_t end = message.rfind(" not in {");
    const std::size_t colon = message.rfind(": ", end);
    return end == std::string::npos || colon == std::string::npos ? "" : message.substr(colon + 2, end - colon - 2);
}

std::string help_of_value(const std::string& given, const std::vector<std::string>& values) {
    const bool gpu = given == "gpu" && std::find(values.begin(), values.end(), "cuda") != values.end();
    const auto near = gpu ? std::optional<std::string>("cuda") : nearest_name(given, values);
    return near ? fmt::format("did you mean '{}'?", *near) : fmt::format("it is one of {}", fmt::join(values, ", "));
}

const CLI::App* command_named(const CLI::App& app, const std::string& name) {
    const auto all = app.get_subcommands([&](const CLI::App* sub) { return sub->get_name() == name; });
    return all.empty() ? nullptr : all.front();
}

std::vector<std::string> commands(const CLI::App& app) {
    std::vector<std::string> names;
    for (const CLI::App* sub : app.get_subcommands([](const CLI::App*) { return true; }))
        names.push_back(sub->get_name());
    return names;
}

}  // namespace

DiagnosticsFormat wanted_format(const std::vector<std::string>& arguments) {
    const std::string flag = "--diagnostics";
    for (std::size_t k = 0; k < arguments.size(); ++k) {
        const bool apart = arguments[k] == flag && k + 1 < arguments.size() && arguments[k + 1] == "json";
        if (apart || arguments[k] == flag + "=json") return DiagnosticsFormat::json;
    }
    return DiagnosticsFormat::text;
}

Diagnostic call_fault(const CLI::App& app, const CLI::ParseError& error, const std::vector<std::string>& arguments) {
    const std::string first = arguments.empty() ? "" : arguments.front();
    const CLI::App* command = command_named(app, first);
    const std::string more = fmt::format("kasc {}--help says what there is", command ? first + " " : "");
    if (!command && !first.empty() && first.front() != '-') {
        const auto near = nearest_name(first, commands(app));
        return placeless("K0916", fmt::format("there is no command '{}'", first),
                         near ? fmt::format("did you mean '{}'?", *near)
                              : fmt::format("the commands are {}", fmt::join(commands(app), ", ")));
    }
    const std::string message = error.what();
    if (!command && first.empty()) return placeless("K0916", "no command is given", more);
    const std::vector<std::string> values = values_of(message);
    return placeless("K0916", message, values.empty() ? more : help_of_value(given_value(message), values));
}

}  // namespace kasc::command
