// A device file is one flat JSON object:
//
//   { "version": 1, "name": "…", "kind": "gpu", "compute_capability": "9.0", "multiprocessors": 132, …,
//     "origin": { "copy_gb_s": "cudaMemcpy, device to device" } }
//
// Bytes are bounded and nesting is tested before the parser sees them. Each key is then read with the place that
// json_places gives it; "origin" is for people and is checked for its shape only.

#include <fmt/format.h>

#include <algorithm>
#include <fstream>
#include <nlohmann/json.hpp>
#include <set>

#include "model/device/device.hpp"
#include "model/device/fields.hpp"
#include "model/device/json_places.hpp"

namespace kasc {

namespace {

using nlohmann::json;

/// A device file is about 2 kB; above this it is something else.
constexpr std::size_t largest_device_file = 1 << 20;
/// The object and its "origin".
constexpr int deepest_nesting = 2;

class Reader {
public:
    explicit Reader(SourceRef source) : source_(std::move(source)) {}

    Outcome<Device> run() {
        if (parse()) {
            places_ = json_places(source_);
            check_keys();
            if (read_version() && read_kind()) {
                read_texts();
                read_numbers();
                report_missing();
            }
        }
        if (has_errors(diagnostics_)) return failure<Device>(tidy(std::move(diagnostics_)));
        return success(std::move(device_));
    }

private:
    bool parse() {
        if (source_->text.size() > largest_device_file) {
            error("K0502", "the device file is larger than 1 MiB", {source_, 0, 1}, "");
        } else if (const auto deep = nested_deeper(source_, deepest_nesting)) {
            error("K0502", "a device file is one flat object", *deep, "nested too deep");
        } else {
            try {
                document_ = json::parse(source_->text);
            } catch (const json::parse_error& fault) {
                // fault.byte counts from 1 and stands behind the last byte that was read.
                const std::size_t at = std::min<std::size_t>(fault.byte > 1 ? fault.byte - 2 : 0, source_->text.size());
                error("K0502", "the device file is not valid JSON", {source_, at, at + 1}, expectation(fault.what()));
            } catch (const json::exception&) {
                error("K0502", "the device file is not valid JSON", {source_, 0, 1}, "a number is out of range");
            }
            if (diagnostics_.empty() && !document_.is_object()) {
                error("K0502", "a device file is a JSON object", {source_, 0, 1}, "");
            }
        }
        return diagnostics_.empty();
    }

    /// "… syntax error while parsing object - unexpected string literal; expected '}'": what follows the dash, without
    /// the bytes that were read last, which may be anything.
    static std::string expectation(std::string what) {
        what.resize(std::min(what.size(), what.find("; last read")));
        const std::size_t dash = what.rfind(" - ");
        return dash == std::string::npos ? "unexpected" : what.substr(dash + 3);
    }

    void check_keys() {
        std::vector<std::string> known{"version", "name", "kind", "compute_capability", "origin"};
        for (const DeviceField& field : device_fields()) known.emplace_back(field.key);
        std::set<std::string> seen;
        for (const JsonPlace& place : places_) {
            if (std::find(known.begin(), known.end(), place.key) == known.end()) {
                const auto near = nearest_name(place.key, known);
                error("K0503", fmt::format("unknown key '{}'", place.key), place.key_span, "",
                      near ? fmt::format("did you mean '{}'?", *near) : "");
            } else if (!seen.insert(place.key).second) {
                error("K0508", fmt::format("key '{}' stands twice", place.key), place.key_span, "the second",
                      "remove one of the two");
            }
        }
    }

    bool read_version() {
        const json* version = find("version");
        if (version != nullptr && version->is_number_integer() && version->get<double>() == device_format_version)
            return true;
        if (version == nullptr) {
            missing_.emplace_back("version");
            report_missing();
            return false;
        }
        error("K0507", "this version of the device format is not known", value_of("version"), "",
              fmt::format("this kasc reads version {}", device_format_version));
        return false;
    }

    /// What a file must have depends on its kind.
    bool read_kind() {
        const json* value = need("kind");
        std::string kind;
        if (value == nullptr) report_missing();
        if (value == nullptr) return false;
        if (!text("kind", *value, kind)) return false;
        if (kind != "gpu" && kind != "cpu") {
            error("K0506", "kind is \"gpu\" or \"cpu\"", value_of("kind"), "");
            return false;
        }
        device_.kind = kind == "cpu" ? DeviceKind::cpu : DeviceKind::gpu;
        return true;
    }

    void read_texts() {
        if (const json* name = need("name")) text("name", *name, device_.name);
        const json* capability =
            device_.kind == DeviceKind::gpu ? need("compute_capability") : find("compute_capability");
        if (capability != nullptr && text("compute_capability", *capability, device_.compute_capability)) {
            if (!is_capability(device_.compute_capability)) {
                error("K0506", "compute_capability is two numbers such as \"9.0\"", value_of("compute_capability"), "");
            }
        }
        if (const json* origin = find("origin")) {
            const bool texts = origin->is_object() &&
                               std::all_of(origin->begin(), origin->end(), [](const json& v) { return v.is_string(); });
            if (!texts && !origin->is_string()) {
                error("K0505", "origin is a text, or an object of texts", value_of("origin"), "");
            }
        }
    }

    void read_numbers() {
        for (const DeviceField& field : device_fields()) {
            const bool needed = field.needed_by == NeededBy::both ||
                                (field.needed_by == NeededBy::gpu && device_.kind == DeviceKind::gpu);
            const json* value = needed ? need(field.key) : find(field.key);
            if (value == nullptr) continue;
            const bool real = std::holds_alternative<double Device::*>(field.member);
            if (!(real ? value->is_number() : value->is_number_integer())) {
                error("K0505", fmt::format("{} is {}", field.key, real ? "a number" : "an integer"),
                      value_of(field.key), "");
                continue;
            }
            const auto number = value->get<double>();
            if (!(number >= field.least && number <= field.most)) {
                error("K0506", fmt::format("{} is out of range", field.key), value_of(field.key),
                      fmt::format("{} to {}", field.least, field.most));
                continue;
            }
            std::visit(
                [&](auto member) { device_.*member = static_cast<std::decay_t<decltype(device_.*member)>>(number); },
                field.member);
        }
    }

    static bool is_capability(const std::string& text) {
        const auto digit = [](char c) { return c >= '0' && c <= '9'; };
        return (text.size() == 3 && digit(text[0]) && text[1] == '.' && digit(text[2])) ||
               (text.size() == 4 && digit(text[0]) && digit(text[1]) && text[2] == '.' && digit(text[3]));
    }

    bool text(const char* key, const json& value, std::string& into) {
        if (!value.is_string() || value.get<std::string>().empty()) {
            error("K0505", fmt::format("{} is a text", key), value_of(key), "");
            return false;
        }
        into = value.get<std::string>();
        return true;
    }

    [[nodiscard]] const json* find(const char* key) const {
        const auto at = document_.find(key);
        return at == document_.end() ? nullptr : &*at;
    }

    const json* need(const char* key) {
        const json* value = find(key);
        if (value == nullptr) missing_.emplace_back(key);
        return value;
    }

    void report_missing() {
        if (missing_.empty()) return;
        const std::size_t brace = source_->text.find('{');
        error("K0504", fmt::format("{} {} missing", fmt::join(missing_, ", "), missing_.size() == 1 ? "is" : "are"),
              {source_, brace, brace + 1}, "", "the files in kasc's folder devices show each key with its unit");
    }

    [[nodiscard]] Span value_of(const std::string& key) const {
        const auto at = std::find_if(places_.begin(), places_.end(), [&](const JsonPlace& p) { return p.key == key; });
        return at == places_.end() ? Span{source_, 0, 1} : at->value_span;
    }

    void error(const char* code, std::string message, Span span, std::string label, std::string help = {}) {
        diagnostics_.push_back(
            {Severity::error, code, std::move(message), std::move(span), std::move(label), {}, std::move(help)});
    }

    SourceRef source_;
    json document_;
    std::vector<JsonPlace> places_;
    std::vector<std::string> missing_;
    Device device_;
    Diagnostics diagnostics_;
};

std::vector<std::string> device_names(const std::filesystem::path& folder) {
    std::vector<std::string> names;
    std::error_code ignored;
    for (std::filesystem::directory_iterator it(folder, ignored), end; !ignored && it != end; it.increment(ignored)) {
        if (it->path().extension() == ".json") names.push_back(it->path().stem().string());
    }
    std::sort(names.begin(), names.end());
    return names;
}

}  // namespace

Outcome<Device> read_device_source(const SourceRef& source) { return Reader(source).run(); }

Outcome<Device> read_device(const std::string& name_or_path, const std::filesystem::path& device_folder) {
    std::error_code ignored;
    std::filesystem::path path = device_folder / (name_or_path + ".json");
    const bool is_name = name_or_path.find('/') == std::string::npos && std::filesystem::is_regular_file(path, ignored);
    if (!is_name) path = name_or_path;
    std::ifstream file;
    if (std::filesystem::is_regular_file(path, ignored)) file.open(path, std::ios::binary);
    if (!file.is_open()) {
        const std::vector<std::string> names = device_names(device_folder);
        const auto near = nearest_name(name_or_path, names);
        Diagnostic d{Severity::error,
                     "K0501",
                     fmt::format("no device '{}'", name_or_path),
                     {},
                     "",
                     {},
                     fmt::format("known are {}, or give the path of a device file", fmt::join(names, ", "))};
        if (near) d.help = fmt::format("did you mean '{}'?", *near);
        return failure<Device>(std::move(d));
    }
    std::string text(largest_device_file + 1, '\0');  // one byte more than is accepted: the rest need not be read
    file.read(text.data(), static_cast<std::streamsize>(text.size()));
    text.resize(static_cast<std::size_t>(file.gcount()));
    return read_device_source(make_source(is_name ? path.filename().string() : name_or_path, std::move(text)));
}

}  // namespace kasc
