// One table, a row a measured plan; a key's members and the plan's text are the primary key. Times are a JSON array:
// nobody asks the database for a single one.

#include "tune/database.hpp"

#include <fmt/format.h>
#include <sqlite3.h>

#include <array>
#include <cstdlib>
#include <limits>
#include <map>
#include <nlohmann/json.hpp>

namespace kasc::tune {

namespace {

constexpr int schema_version = 1;
constexpr int application_id = 0x6b617363;  // "kasc", so that another program's database is known for one
constexpr int wait_ms = 10000;              // for another kasc that writes a result
constexpr std::size_t key_columns = 10;

constexpr const char* schema = R"(
create table result (
    program text, library text, sizes text, parameters text, target text, device text, model text, driver text,
    compiler text, kasc text, plan text,
    parts text, position integer, asked integer, predicted_ns real, invalidity text, message text, checked integer,
    compilation_s real, times_ns text, copy_gb_s real, minimum_bytes real, measured_at text default current_timestamp,
    primary key (program, library, sizes, parameters, target, device, model, driver, compiler, kasc, plan));
)";

constexpr const char* columns =
    "program, library, sizes, parameters, target, device, model, driver, compiler, kasc, plan, parts, position, asked, "
    "predicted_ns, invalidity, message, checked, compilation_s, times_ns, copy_gb_s, minimum_bytes";

/// Pointers to a key's members, in the order of the columns.
template <class Key>
auto members(Key& k) {
    return std::array{&k.program, &k.library, &k.sizes,  &k.parameters, &k.target,
                      &k.device,  &k.model,   &k.driver, &k.compiler,   &k.kasc};
}

/// A prepared statement; parameters and columns are counted for the caller.
class Query {
public:
    Query(sqlite3* handle, const std::string& text) {
        sqlite3_prepare_v2(handle, text.c_str(), -1, &statement_, nullptr);
    }
    ~Query() { sqlite3_finalize(statement_); }
    Query(const Query&) = delete;
    Query& operator=(const Query&) = delete;

    void give(const std::string& text) {
        sqlite3_bind_text(statement_, ++given_, text.data(), static_cast<int>(text.size()), SQLITE_TRANSIENT);
    }
    void give(double value) { sqlite3_bind_double(statement_, ++given_, value); }
    void give(int value) { sqlite3_bind_int(statement_, ++given_, value); }
    /// SQLITE_ROW, SQLITE_DONE, or what went wrong.
    int step() {
        taken_ = 0;
        return statement_ == nullptr ? SQLITE_ERROR : sqlite3_step(statement_);
    }
    std::string text() {
        const auto* bytes = sqlite3_column_text(statement_, taken_++);
        return bytes == nullptr ? "" : reinterpret_cast<const char*>(bytes);
    }
    double real() { return sqlite3_column_double(statement_, taken_++); }
    int integer() { return sqlite3_column_int(statement_, taken_++); }

private:
    sqlite3_stmt* statement_ = nullptr;
    int given_ = 0, taken_ = 0;
};

struct Row {
    TuningKey key;
    Measurement measurement;
};

Row read_row(Query& query) {
    Row row;
    for (std::string* member : members(row.key)) *member = query.text();
    Measurement& m = row.measurement;
    m.plan = query.text();
    m.parts = query.text();
    m.position = query.integer();
    m.asked = query.integer();
    m.predicted_ns = query.real();
    m.invalidity = query.text();
    m.message = query.text();
    m.checked = query.integer() != 0;
    m.compilation_s = query.real();
    const auto times = nlohmann::json::parse(query.text(), nullptr, false);
    for (const auto& time : times) {
        if (time.is_number()) m.times_ns.push_back(time.get<double>());
    }
    m.copy_gb_s = query.real();
    m.minimum_bytes = query.real();
    return row;
}

int pragma(sqlite3* handle, const char* name) {
    Query query(handle, fmt::format("pragma {}", name));
    return query.step() == SQLITE_ROW ? query.integer() : 0;
}

Diagnostic about(const std::filesystem::path& path, const char* code, std::string message, std::string help) {
    Diagnostic d;
    d.code = code;
    d.message = std::move(message);
    d.span.source = make_source(path.string());
    d.help = std::move(help);
    return d;
}

Diagnostic damaged(const std::filesystem::path& path, const std::string& why) {
    return about(path, "K0821", "the tuning database is damaged or no database of kasc's: " + why,
                 "move the file away, or name another with --db");
}

}  // namespace

void TuningDatabase::Close::operator()(sqlite3* handle) const { sqlite3_close_v2(handle); }

Diagnostic TuningDatabase::fault() const {
    const int code = sqlite3_errcode(handle_.get());
    const std::string why = handle_ ? sqlite3_errmsg(handle_.get()) : "out of memory";
    if (code == SQLITE_CORRUPT || code == SQLITE_NOTADB || code == SQLITE_ERROR || code == SQLITE_SCHEMA)
        return damaged(path_, why);
    return about(path_, "K0820", "the tuning database cannot be used: " + why,
                 "check its folder's permissions and room, or name another file with --db");
}

Outcome<TuningDatabase> TuningDatabase::open(const std::filesystem::path& path) {
    TuningDatabase database(path);
    std::error_code ignored;
    if (path.has_parent_path()) std::filesystem::create_directories(path.parent_path(), ignored);
    sqlite3* handle = nullptr;
    const int status =
        sqlite3_open_v2(path.string().c_str(), &handle, SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE, nullptr);
    database.handle_.reset(handle);
    if (status != SQLITE_OK) return failure<TuningDatabase>(database.fault());
    sqlite3_busy_timeout(handle, wait_ms);
    Diagnostics faults = database.prepare_schema();
    if (!faults.empty()) return failure<TuningDatabase>(faults);
    return success(std::move(database));
}

Diagnostics TuningDatabase::prepare_schema() {
    sqlite3* handle = handle_.get();
    // Two that open a new file at once: one makes the table, the other waits here and finds it.
    if (sqlite3_exec(handle, "begin immediate", nullptr, nullptr, nullptr) != SQLITE_OK) return {fault()};
    const int id = pragma(handle, "application_id"), version = pragma(handle, "user_version");
    Diagnostics faults;
    if (id == 0 && version == 0 && pragma(handle, "schema_version") == 0) {
        const std::string marks =
            fmt::format("pragma application_id = {}; pragma user_version = {}", application_id, schema_version);
        if (sqlite3_exec(handle, (schema + marks).c_str(), nullptr, nullptr, nullptr) != SQLITE_OK)
            faults.push_back(fault());
    } else if (id != application_id) {
        faults.push_back(damaged(path_, "another program made it"));
    } else if (version > schema_version) {
        faults.push_back(about(path_, "K0822", fmt::format("the tuning database has version {}", version),
                               fmt::format("this kasc knows version {}: use a newer one, or name another file with "
                                           "--db",
                                           schema_version)));
    }
    const char* end = faults.empty() ? "commit" : "rollback";
    if (sqlite3_exec(handle, end, nullptr, nullptr, nullptr) != SQLITE_OK && faults.empty()) faults.push_back(fault());
    return faults;
}

Diagnostics TuningDatabase::store(const TuningKey& key, const Measurement& m) {
    std::string marks = "?";
    for (std::size_t i = 1; i < key_columns + 12; ++i) marks += ", ?";
    Query query(handle_.get(), fmt::format("insert or replace into result ({}) values ({})", columns, marks));
    for (const std::string* member : members(key)) query.give(*member);
    query.give(m.plan);
    query.give(m.parts);
    query.give(m.position);
    query.give(m.asked);
    query.give(m.predicted_ns);
    query.give(m.invalidity);
    query.give(m.message);
    query.give(m.checked ? 1 : 0);
    query.give(m.compilation_s);
    query.give(nlohmann::json(m.times_ns).dump());
    query.give(m.copy_gb_s);
    query.give(m.minimum_bytes);
    return query.step() == SQLITE_DONE ? Diagnostics{} : Diagnostics{fault()};
}

Outcome<std::vector<Measurement>> TuningDatabase::load(const TuningKey& key) const {
    Query query(handle_.get(),
                fmt::format("select {} from result where program = ? and library = ? and sizes = ? and parameters = ? "
                            "and target = ? and device = ? and model = ? and driver = ? and compiler = ? and kasc = ? "
                            "order by position, plan",
                            columns));
    for (const std::string* member : members(key)) query.give(*member);
    std::vector<Measurement> all;
    int status = query.step();
    for (; status == SQLITE_ROW; status = query.step()) all.push_back(read_row(query).measurement);
    if (status != SQLITE_DONE) return failure<std::vector<Measurement>>(fault());
    return success(std::move(all));
}

Outcome<std::optional<BestMeasured>> TuningDatabase::best(const TuningKey& key) const {
    Query query(handle_.get(), fmt::format("select {} from result where program = ? and library = ? and target = ? and "
                                           "model = ? and invalidity = ? order by sizes, position, plan",
                                           columns));
    for (const std::string* member : {&key.program, &key.library, &key.target, &key.model}) query.give(*member);
    query.give(std::string(correct));
    std::optional<BestMeasured> best;
    // Times of other parameters, such as fewer steps, say which plan is best, but stand behind those of the same.
    std::pair<double, bool> nearest{std::numeric_limits<double>::infinity(), true};
    int status = query.step();
    for (; status == SQLITE_ROW; status = query.step()) {
        Row row = read_row(query);
        if (!row.measurement.valid() || (!key.device.empty() && key.device != row.key.device)) continue;
        const double distance = size_distance(key.sizes, row.key.sizes);
        const std::pair near{distance, row.key.parameters != key.parameters};
        if (near > nearest || distance == std::numeric_limits<double>::infinity()) continue;
        const int measured = best && near == nearest ? best->measured + 1 : 1;
        const bool better = !best || near < nearest || row.measurement.median_ns() < best->measurement.median_ns();
        nearest = near;
        if (better) best = BestMeasured{row.key, row.measurement, 0};
        best->measured = measured;
    }
    if (status != SQLITE_DONE) return failure<std::optional<BestMeasured>>(fault());
    return success(std::move(best));
}

std::filesystem::path default_database() {
    std::filesystem::path data;
    if (const char* named = std::getenv("XDG_DATA_HOME"); named != nullptr && *named == '/') {
        data = named;
    } else if (const char* home = std::getenv("HOME"); home != nullptr && *home != '\0') {
        data = std::filesystem::path(home) / ".local" / "share";
    }
    return data.empty() ? std::filesystem::path("tuning.sqlite") : data / "kasc" / "tuning.sqlite";
}

}  // namespace kasc::tune
