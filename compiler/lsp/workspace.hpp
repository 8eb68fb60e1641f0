#pragma once
// The texts that are open in the editor, and what is known of each: found when it is first asked for, kept until the
// text changes.

#include <functional>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "driver/compilation.hpp"
#include "lsp/costs.hpp"
#include "lsp/outline.hpp"

namespace kasc::lsp {

using Json = nlohmann::json;

/// As the editor gives them: "initializationOptions", "workspace/didChangeConfiguration".
struct Settings {
    std::vector<std::string> libraries;  ///< folders, as of --lib
    std::string device;                  ///< empty: the command's default
    std::vector<std::string> set;        ///< "x=512", as of --set
};
/// Members that are missing or of another type are passed over.
[[nodiscard]] Settings settings_of(const Json& json);

/// How a text is compiled with these settings.
using RequestOf = std::function<Outcome<CompileRequest>(const SourceRef&, const Settings&)>;

struct Document {
    std::string uri;
    Json version;
    SourceRef source;  ///< its name is the file's path
    Outline outline;
    std::vector<Outline> imported;  ///< of the files that it imports, and those that they do
    bool said = false;              ///< what is at fault has been told
    std::optional<CompileRequest> request{};
    std::optional<Outcome<CheckedProgram>> checked{};
    std::optional<Costs> costs{};
};

class Workspace {
public:
    /// `given`: of the call, to which the editor's settings are added.
    Workspace(RequestOf request_of, const Settings& given)
        : request_of_(std::move(request_of)), given_(given), settings_(given) {}

    void set(const Settings& settings);
    void open(const std::string& uri, const Json& version, std::string text);
    void close(const std::string& uri) { documents_.erase(uri); }
    /// Null: it is not open.
    [[nodiscard]] Document* find(const std::string& uri);
    [[nodiscard]] std::map<std::string, Document>& documents() { return documents_; }
    /// A file on disk has changed: what is known of others may hold no longer.
    void forget();

    [[nodiscard]] const Outcome<CheckedProgram>& checked(Document& document);
    /// Null: the program is at fault.
    [[nodiscard]] const Costs* costs(Document& document);
    /// kasc's own and the settings' folders, whole; empty where one is at fault.
    [[nodiscard]] const Library& library();
    /// The library's files of functions in the language.
    [[nodiscard]] const std::vector<Outline>& library_outlines();

private:
    /// The settings of what the program has: they are made for many programs.
    [[nodiscard]] Settings settings_for(const Document& document) const;

    RequestOf request_of_;
    Settings given_, settings_;
    std::map<std::string, Document> documents_;
    std::optional<Library> library_;
    std::vector<Outline> library_outlines_;
};

}  // namespace kasc::lsp
