#include "command/run/together.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <nlohmann/json.hpp>
#include <set>

#include "foundation/flag_words.hpp"
#include "runtime/mpi/processes.hpp"
#include "runtime/processes/host.hpp"

namespace kasc::command {

namespace {

using nlohmann::json;

json to_json(const Span& span) {
    if (!span.source) return nullptr;
    return {{"name", span.source->name}, {"text", span.source->text}, {"begin", span.begin}, {"end", span.end}};
}

Span span_from(const json& text) {
    if (text.is_null()) return {};
    return {make_source(text.at("name"), text.at("text")), text.at("begin"), text.at("end")};
}

json to_json(const Diagnostic& d) {
    json notes = json::array(), flags = json::array();
    for (const Note& note : d.notes) notes.push_back({{"span", to_json(note.span)}, {"text", note.text}});
    for (const FlagHelp& help : d.flag_helps) flags.push_back({{"flags", help.flags}, {"text", help.text}});
    return {{"severity", static_cast<int>(d.severity)},
            {"code", d.code},
            {"message", d.message},
            {"span", to_json(d.span)},
            {"label", d.label},
            {"notes", notes},
            {"help", d.help},
            {"flags", flags}};
}

Diagnostic diagnostic_from(const json& text) {
    Diagnostic d;
    d.severity = static_cast<Severity>(text.at("severity").get<int>());
    text.at("code").get_to(d.code);
    text.at("message").get_to(d.message);
    d.span = span_from(text.at("span"));
    text.at("label").get_to(d.label);
    for (const json& note : text.at("notes")) d.notes.push_back({span_from(note.at("span")), note.at("text")});
    text.at("help").get_to(d.help);
    for (const json& help : text.at("flags"))
        d.flag_helps.push_back({help.at("flags").get<std::vector<std::string>>(), help.at("text")});
    return d;
}

/// What is said of one place with one code is said of the same thing, of whatever rows.
std::string subject_of(const Diagnostic& d) {
    if (!d.span.source) return d.code + " " + d.message;
    return fmt::format("{} {} {} {}", d.code, d.span.source->name, d.span.begin, d.span.end);
}

}  // namespace

Outcome<std::unique_ptr<runtime::Communicator>> join_launched() {
    if (!runtime::started_by_launcher()) return success<std::unique_ptr<runtime::Communicator>>(nullptr);
    return runtime::join_processes();
}

bool speaks(const runtime::Communicator* processes) { return processes == nullptr || processes->rank() == 0; }

Diagnostics check_together(const RunOptions& options, const runtime::Communicator& processes) {
    if (options.ranks > 1 && options.ranks != processes.ranks())
        return {flag_fault("K0917", fmt::format("--ranks, and {} processes were started", processes.ranks()),
                           {{{"--ranks"}, "leave {} out: all of them share the run"}})};
    if (options.check)
        return {flag_fault("K0917", "--check compares the run of one process",
                           {{{"--check"}, "leave {} out, or start one process"}})};
    return {};
}

Diagnostics said_by_any(runtime::Communicator& processes, const Diagnostics& own) {
    json said = json::array();
    for (const Diagnostic& d : own) said.push_back(to_json(as_given(d)));
    // Names of files and texts of programs are any bytes.
    const std::string text = said.dump(-1, ' ', false, json::error_handler_t::replace);
    const std::vector<std::string> texts = gather_texts(processes, text);
    Diagnostics all;
    std::set<std::string> known;
    for (std::size_t rank = 0; rank < texts.size(); ++rank) {
        for (const json& one : json::parse(texts[rank])) {
            Diagnostic d = diagnostic_from(one);
            if (!known.insert(subject_of(d)).second && rank > 0) continue;
            if (rank > 0) d.notes.push_back({{}, fmt::format("so says rank {} of {}", rank, texts.size())});
            all.push_back(std::move(d));
        }
    }
    return all;
}

namespace {

/// What a process says of itself.
struct Figures {
    std::uint64_t peak_bytes = 0, exchanges = 0, bytes_sent = 0;
    double exchange_seconds = 0;
};

std::string text_of_messages(const std::vector<Figures>& all, const std::string& way) {
    const auto most = [&](const auto& of) {
        return std::max_element(all.begin(), all.end(), [&](const auto& a, const auto& b) { return of(a) < of(b); });
    };
    const auto times = most([](const Figures& f) { return f.exchanges; });
    const auto bytes = most([](const Figures& f) { return f.bytes_sent; });
    const auto slowest = most([](const Figures& f) { return f.exchange_seconds; });
    if (times->exchanges == 0) return "messages: none\n";
    return fmt::format(
        "messages: {}, {} exchanges and {:.1f} MB from one process at most; they took rank {} {:.3f} s\n", way,
        times->exchanges, 1e-6 * static_cast<double>(bytes->bytes_sent), slowest - all.begin(),
        slowest->exchange_seconds);
}

}  // namespace

std::string figures_of_all(runtime::Communicator& processes) {
    const runtime::Exchanged& own = processes.exchanged();
    const Figures figures{runtime::peak_memory_bytes(), own.times, own.bytes_sent, own.seconds};
    std::vector<std::byte> bytes(sizeof(figures));
    std::memcpy(bytes.data(), &figures, sizeof(figures));
    std::vector<Figures> all;
    for (const auto& of_rank : processes.gather(bytes))
        std::memcpy(&all.emplace_back(), of_rank.data(), sizeof(figures));
    const auto most = std::max_element(all.begin(), all.end(),
                                       [](const auto& a, const auto& b) { return a.peak_bytes < b.peak_bytes; });
    const auto mb = [](std::uint64_t count) { return 1e-6 * static_cast<double>(count); };
    return fmt::format("{}memory: {:.1f} MB in one process at most, rank {}; rank 0 has had {:.1f} MB\n",
                       text_of_messages(all, own.way), mb(most->peak_bytes), most - all.begin(),
                       mb(all.front().peak_bytes));
}

}  // namespace kasc::command
