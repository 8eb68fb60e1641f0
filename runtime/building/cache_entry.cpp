#include "runtime/building/cache_entry.hpp"

#include <nlohmann/json.hpp>

namespace kasc::runtime {

namespace {

constexpr const char* format_name = "kasc built 1";
constexpr std::size_t key_digits = 64;

/// The second line, and where the artefact begins.
struct HeadLine {
    nlohmann::json json;
    std::size_t end = 0;
};

std::optional<HeadLine> head_line(std::string_view bytes) {
    if (bytes.size() <= key_digits || bytes[key_digits] != '\n') return std::nullopt;
    const std::size_t end = bytes.find('\n', key_digits + 1);
    if (end == std::string_view::npos) return std::nullopt;
    HeadLine head{nlohmann::json::parse(bytes.substr(key_digits + 1, end - key_digits - 1), nullptr, false), end + 1};
    if (!head.json.is_object() || head.json.value("format", "") != format_name) return std::nullopt;
    return head;
}

}  // namespace

std::string pack_entry(const BuildKey& key, const Artefact& artefact) {
    nlohmann::json said = nlohmann::json::array();
    for (const Diagnostic& d : artefact.said) {
        nlohmann::json notes = nlohmann::json::array();
        for (const Note& note : d.notes) notes.push_back(note.text);
        said.push_back({{"code", d.code}, {"message", d.message}, {"notes", notes}, {"help", d.help}});
    }
    const nlohmann::json head{{"format", format_name},
                              {"key", key.digest()},
                              {"title", key.title()},
                              {"target", key.target()},
                              {"said", said}};
    // Words of a compiler may be in any encoding.
    const std::string line = head.dump(-1, ' ', true, nlohmann::json::error_handler_t::replace) + "\n";
    Sha256 digest;
    digest.add(line);
    digest.add(artefact.bytes);
    return digest.text() + "\n" + line + artefact.bytes;
}

std::optional<Artefact> unpack_entry(std::string bytes, const std::string& key) {
    const auto head = head_line(bytes);
    const std::string_view all = bytes;
    if (!head || sha256_text(all.substr(key_digits + 1)) != all.substr(0, key_digits)) return std::nullopt;
    // What follows was written by pack_entry(), but for a forger, who has the user's own rights.
    try {
        if (head->json.at("key").get<std::string>() != key) return std::nullopt;
        Artefact artefact;
        for (const auto& one : head->json.at("said")) {
            Diagnostic d;
            d.severity = Severity::warning;
            d.code = one.at("code").get<std::string>();
            d.message = one.at("message").get<std::string>();
            for (const auto& note : one.at("notes")) d.notes.push_back({{}, note.get<std::string>()});
            d.help = one.at("help").get<std::string>();
            artefact.said.push_back(std::move(d));
        }
        bytes.erase(0, head->end);
        artefact.bytes = std::move(bytes);
        return artefact;
    } catch (const nlohmann::json::exception&) {
        return std::nullopt;
    }
}

std::optional<EntryHead> head_of_entry(std::string_view first_bytes) {
    const auto head = head_line(first_bytes);
    if (!head) return std::nullopt;
    const auto text = [&](const char* name) {
        const auto at = head->json.find(name);
        return at != head->json.end() && at->is_string() ? at->get<std::string>() : std::string();
    };
    return EntryHead{text("key"), text("title"), text("target")};
}

}  // namespace kasc::runtime
