// A table is one JSON object (print in measured_table.cpp). Bytes are bounded and nesting is tested before the parser
// sees them. The object and each of its entries are then read by the same rule: every key known, there, once, and of
// its type and range, with the place that json_places gives it.

#include <fmt/format.h>

#include <algorithm>
#include <fstream>
#include <nlohmann/json.hpp>
#include <set>
#include <tuple>

#include "model/device/json_places.hpp"
#include "model/device/measured_table.hpp"

namespace kasc {

namespace {

using nlohmann::json;

/// An entry is about 400 bytes: room for 40000 of them.
constexpr std::size_t largest_table = std::size_t{16} << 20U;
/// The object, its entries, an entry, its times.
constexpr int deepest_table_nesting = 4;
constexpr double largest_ns = 1e9, largest_bytes = 1e7, largest_count = 1e12;

class TableReader {
public:
    explicit TableReader(SourceRef source) : source_(std::move(source)) {}

    Outcome<MeasuredTable> run() {
        if (parse()) {
            const Object top =
                open({source_, 0, source_->text.size()}, document_,
                     {"version", "kasc", "device", "driver", "compiler", "date", "library", "size", "entries"});
            if (version_is_known(top)) read(top);
        }
        if (has_errors(faults_)) return failure<MeasuredTable>(tidy(std::move(faults_)));
        return success(std::move(table_));
    }

private:
    struct Object {
        Span span;
        const json& value;
        std::vector<JsonPlace> places;

        [[nodiscard]] Span place_of(const std::string& key) const {
            const auto at = std::find_if(places.begin(), places.end(), [&](const auto& p) { return p.key == key; });
            return at == places.end() ? span : at->value_span;
        }
    };
    SourceRef source_;
    json document_;
    MeasuredTable table_;
    Diagnostics faults_;

    void fault(const char* code, std::string message, Span span, std::string help = "") {
        faults_.push_back({Severity::error, code, std::move(message), std::move(span), "", {}, std::move(help)});
    }

    bool parse() {
        if (source_->text.size() > largest_table) {
            fault("K0511", "the table is larger than 16 MiB", {source_, 0, 1});
        } else if (const auto deep = nested_deeper(source_, deepest_table_nesting)) {
            fault("K0511", "a table is an object with a list of entries", *deep);
        } else {
            document_ = json::parse(source_->text, nullptr, false);
            if (!document_.is_object()) fault("K0511", "the table is no JSON object", {source_, 0, 1});
        }
        return faults_.empty();
    }

    /// Its keys checked against those that it must have.
    Object open(const Span& span, const json& value, const std::vector<std::string>& known) {
        Object object{span, value, json_places(span)};
        std::set<std::string> seen;
        for (const JsonPlace& place : object.places) {
            if (std::find(known.begin(), known.end(), place.key) == known.end()) {
                const auto near = nearest_name(place.key, known);
                fault("K0512", fmt::format("unknown key '{}'", place.key), place.key_span,
                      near ? fmt::format("did you mean '{}'?", *near) : "");
            } else if (!seen.insert(place.key).second) {
                fault("K0516", fmt::format("key '{}' stands twice", place.key), place.key_span);
            }
        }
        for (const std::string& key : known) {
            if (!seen.contains(key))
                fault("K0513", fmt::format("{} is missing", key), {span.source, span.begin, span.begin + 1});
        }
        return object;
    }

    bool version_is_known(const Object& top) {
        const auto version = top.value.find("version");
        if (version == top.value.end()) return false;
        if (version->is_number_integer() && *version == table_format_version) return true;
        fault("K0515", "this version of the table's format is not known", top.place_of("version"),
              fmt::format("this kasc reads version {}", table_format_version));
        return false;
    }

    std::string text(const Object& object, const char* key) {
        const auto value = object.value.find(key);
        if (value == object.value.end()) return "";
        if (value->is_string()) return *value;
        fault("K0514", fmt::format("{} is a text", key), object.place_of(key));
        return "";
    }
    long long integer(const Object& object, const char* key, double least, double most) {
        const auto value = object.value.find(key);
        if (value == object.value.end()) return static_cast<long long>(least);
        if (is_within(*value, least, most) && value->is_number_integer()) return *value;
        fault("K0514", fmt::format("{} is an integer from {} to {}", key, least, most), object.place_of(key));
        return static_cast<long long>(least);
    }
    static bool is_within(const json& value, double least, double most) {
        return value.is_number() && value.get<double>() >= least && value.get<double>() <= most;
    }

    /// As many as the entry has times.
    void numbers(const Object& o, const char* key, MeasuredEntry& to, double MeasuredTimes::*member, double most) {
        each(o, key, to, "numbers", most, [&](MeasuredTimes& t, const json& v) { t.*member = v.get<double>(); });
    }
    void integers(const Object& o, const char* key, MeasuredEntry& to, int MeasuredTimes::*member, double most) {
        each(o, key, to, "integers", most, [&](MeasuredTimes& t, const json& v) { t.*member = v.get<int>(); });
    }
    template <class Set>
    void each(const Object& object, const char* key, MeasuredEntry& to, const std::string& what, double most, Set set) {
        const auto list = object.value.find(key);
        if (list == object.value.end()) return;
        const bool is_list = list->is_array() && list->size() == to.times.size();
        const bool is_good = is_list && std::all_of(list->begin(), list->end(), [&](const json& v) {
                                 return is_within(v, 0, most) && (what == "numbers" || v.is_number_integer());
                             });
        if (!is_good) {
            fault("K0514", fmt::format("{} is a list of {} {} from 0 to {}", key, to.times.size(), what, most),
                  object.place_of(key));
            return;
        }
        for (std::size_t i = 0; i < to.times.size(); ++i) set(to.times[i], (*list)[i]);
    }

    void read(const Object& top) {
        table_.kasc = text(top, "kasc");
        table_.device = text(top, "device");
        table_.driver = text(top, "driver");
        table_.compiler = text(top, "compiler");
        table_.date = text(top, "date");
        table_.library = text(top, "library");
        table_.size = integer(top, "size", 1, largest_count);
        const auto entries = top.value.find("entries");
        if (entries == top.value.end()) return;
        if (!entries->is_array()) {
            fault("K0514", "entries is a list", top.place_of("entries"));
            return;
        }
        const std::vector<Span> places = json_items(top.place_of("entries"));
        for (std::size_t i = 0; i < entries->size() && i < places.size(); ++i) read_entry(places[i], (*entries)[i]);
        sort_entries(top.place_of("entries"));
    }

    void read_entry(const Span& span, const json& value) {
        if (!value.is_object()) {
            fault("K0514", "an entry is an object", span);
            return;
        }
        const Object o = open(span, value,
                              {"implementation", "code", "elements", "extra_shared_bytes", "load_ns", "compute_ns",
                               "save_ns", "registers", "occupancy"});
        MeasuredEntry e;
        e.implementation = text(o, "implementation");
        e.code = text(o, "code");
        e.elements = static_cast<int>(integer(o, "elements", 1, largest_bytes));
        const auto extra = o.value.find("extra_shared_bytes");
        if (extra == o.value.end()) return;
        if (!extra->is_array() || extra->empty()) {
            fault("K0514", "extra_shared_bytes is a list of at least one number", o.place_of("extra_shared_bytes"));
            return;
        }
        e.times.resize(extra->size());
        integers(o, "extra_shared_bytes", e, &MeasuredTimes::extra_shared_bytes, largest_bytes);
        numbers(o, "load_ns", e, &MeasuredTimes::load_ns, largest_ns);
        numbers(o, "compute_ns", e, &MeasuredTimes::compute_ns, largest_ns);
        numbers(o, "save_ns", e, &MeasuredTimes::save_ns, largest_ns);
        integers(o, "registers", e, &MeasuredTimes::registers, 255);  // what an instruction can name
        numbers(o, "occupancy", e, &MeasuredTimes::occupancy, 1);
        const auto rises = [](const MeasuredTimes& a, const MeasuredTimes& b) {
            return a.extra_shared_bytes >= b.extra_shared_bytes;
        };
        if (std::adjacent_find(e.times.begin(), e.times.end(), rises) != e.times.end())
            fault("K0514", "extra_shared_bytes rises from entry to entry", o.place_of("extra_shared_bytes"));
        table_.entries.push_back(std::move(e));
    }

    void sort_entries(const Span& span) {
        const auto key = [](const MeasuredEntry& e) { return std::tie(e.implementation, e.elements); };
        std::sort(table_.entries.begin(), table_.entries.end(),
                  [&](const auto& a, const auto& b) { return key(a) < key(b); });
        const auto twice = std::adjacent_find(table_.entries.begin(), table_.entries.end(),
                                              [&](const auto& a, const auto& b) { return key(a) == key(b); });
        if (twice == table_.entries.end()) return;
        fault("K0516", fmt::format("{} with {} elements stands twice", twice->implementation, twice->elements),
              {span.source, span.begin, span.begin + 1});
    }
};

}  // namespace

Outcome<MeasuredTable> read_table_source(const SourceRef& source) { return TableReader(source).run(); }

Outcome<MeasuredTable> read_table(const std::filesystem::path& path) {
    std::error_code ignored;
    std::ifstream file;
    if (std::filesystem::is_regular_file(path, ignored)) file.open(path, std::ios::binary);
    if (!file.is_open()) {
        Diagnostic d;
        d.code = "K0510";
        d.message = fmt::format("no table '{}'", path.string());
        d.help = "kasc bench makes one";
        return failure<MeasuredTable>(d);
    }
    std::string text(largest_table + 1, '\0');  // one byte more than is accepted: the rest need not be read
    file.read(text.data(), static_cast<std::streamsize>(text.size()));
    text.resize(static_cast<std::size_t>(file.gcount()));
    return read_table_source(make_source(path.filename().string(), std::move(text)));
}

std::filesystem::path measured_table_path(const std::string& device_name_or_path,
                                          const std::filesystem::path& device_folder) {
    const std::filesystem::path given = device_name_or_path;
    const bool is_name = !given.has_parent_path() && given.extension() != ".json";
    const std::filesystem::path device = is_name ? device_folder / (device_name_or_path + ".json") : given;
    const std::filesystem::path table = device.parent_path() / "measured" / device.filename();
    std::error_code ignored;
    return std::filesystem::is_regular_file(table, ignored) ? table : std::filesystem::path();
}

}  // namespace kasc
