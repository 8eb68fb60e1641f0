#include "lsp/workspace.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "frontend/element_axis.hpp"
#include "frontend/parse.hpp"
#include "lsp/positions.hpp"

namespace kasc::lsp {

namespace fs = std::filesystem;

namespace {

/// So many schedules take a second at most; programs of few statements need fewer.
constexpr double most_schedules = 1000;

std::vector<std::string> strings_of(const Json& json) {
    std::vector<std::string> all;
    if (json.is_string()) all.push_back(json.get<std::string>());
    if (json.is_array())
        for (const Json& item : json)
            if (item.is_string()) all.push_back(item.get<std::string>());
    return all;
}

/// The files that a text imports, by its words alone.
std::vector<Outline> imports_of(const Outline& outline) {
    std::vector<Outline> all;
    (void)imported_texts(outline.source, [&](const SourceRef& text) {
        if (text != outline.source) all.push_back(outline_of(text));
        std::vector<fs::path> paths;
        for (const Span& import : (text == outline.source ? outline : all.back()).imports)
            paths.push_back(import_path(import));
        return paths;
    });
    return all;
}

}  // namespace

Settings settings_of(const Json& json) {
    Settings settings;
    if (!json.is_object()) return settings;
    settings.libraries = strings_of(json.value("libraries", Json()));
    if (const auto device = json.find("device"); device != json.end() && device->is_string())
        settings.device = device->get<std::string>();
    const Json set = json.value("settings", Json());
    settings.set = strings_of(set);
    if (set.is_object()) {
        for (const auto& [name, value] : set.items())
            settings.set.push_back(name + "=" + (value.is_string() ? value.get<std::string>() : value.dump()));
    }
    return settings;
}

void Workspace::set(const Settings& settings) {
    settings_ = given_;
    settings_.libraries.insert(settings_.libraries.end(), settings.libraries.begin(), settings.libraries.end());
    settings_.set.insert(settings_.set.end(), settings.set.begin(), settings.set.end());
    if (!settings.device.empty()) settings_.device = settings.device;
    library_.reset();
    library_outlines_.clear();
    forget();
}

void Workspace::forget() {
    for (auto& [uri, document] : documents_) open(uri, document.version, document.source->text);
}

void Workspace::open(const std::string& uri, const Json& version, std::string text) {
    const SourceRef source = make_source(path_of(uri), std::move(text));
    Document document{uri, version, source, outline_of(source), {}};
    document.imported = imports_of(document.outline);
    documents_.insert_or_assign(uri, std::move(document));
}

Document* Workspace::find(const std::string& uri) {
    const auto found = documents_.find(uri);
    return found == documents_.end() ? nullptr : &found->second;
}

Settings Workspace::settings_for(const Document& document) const {
    Settings settings = settings_;
    const auto& declared = document.outline.declared;
    const bool streams = is_of_streams(document.outline);
    std::erase_if(settings.set, [&](const std::string& setting) {
        const std::string name = setting.substr(0, setting.find('='));
        if ((name == "n" || name == frontend::element_axis) && streams) return false;
        return std::none_of(declared.begin(), declared.end(), [&](const Declared& d) {
            const bool settable = d.kind == Declared::Kind::axis || d.kind == Declared::Kind::parameter ||
                                  d.kind == Declared::Kind::option || d.kind == Declared::Kind::field;
            return settable && stands_for(d.name, name);
        });
    });
    return settings;
}

const Outcome<CheckedProgram>& Workspace::checked(Document& document) {
    if (document.checked) return *document.checked;
    auto request = request_of_(document.source, settings_for(document));
    if (!request) return document.checked.emplace(failure<CheckedProgram>(std::move(request.diagnostics)));
    document.request = std::move(*request.value);
    return document.checked.emplace(check_program(*document.request));
}

const Costs* Workspace::costs(Document& document) {
    if (document.costs) return &*document.costs;
    const auto& checked_program = checked(document);
    if (!checked_program) return nullptr;
    CompileRequest request = *document.request;
    request.plan.budget.schedules = most_schedules;
    document.costs = costs_of(plan_program(*checked_program, request));
    return &*document.costs;
}

const Library& Workspace::library() {
    if (library_) return *library_;
    const auto request = request_of_(make_source("none.kas"), settings_);
    std::vector<fs::path> folders;
    if (request) folders.push_back(request->data_folder / "elementlib");
    if (request) folders.insert(folders.end(), request->libraries.begin(), request->libraries.end());
    auto read = read_library(folders);
    return library_.emplace(read ? std::move(*read.value) : Library{});
}

const std::vector<Outline>& Workspace::library_outlines() {
    if (library_outlines_.empty())
        for (const FieldFunctions& file : library().field_functions)
            library_outlines_.push_back(outline_of(file.source));
    return library_outlines_;
}

}  // namespace kasc::lsp
