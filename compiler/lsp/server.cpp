#include "lsp/server.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <exception>
#include <string_view>

#include "lsp/framing.hpp"
#include "lsp/positions.hpp"
#include "lsp/requests.hpp"

namespace kasc::lsp {

namespace {

// JSON-RPC's numbers of errors, and the protocol's.
constexpr int parse_error = -32700, invalid_request = -32600, method_not_found = -32601, invalid_params = -32602,
              internal_error = -32603, not_initialized = -32002;

/// Thrown at a request that the server does not have.
struct NoSuchMethod {};

/// Values are copied and written by recursion: what nests deeper than any message of the protocol is none.
bool nests_deeply(std::string_view text) {
    constexpr int deepest = 200;
    int depth = 0;
    bool quoted = false;
    for (std::size_t i = 0; i < text.size(); ++i) {
        if (text[i] == '"') quoted = !quoted;
        if (quoted && text[i] == '\\') ++i;
        if (quoted) continue;
        if (text[i] == '[' || text[i] == '{') ++depth;
        if (text[i] == ']' || text[i] == '}') --depth;
        if (depth > deepest) return true;
    }
    return false;
}

const Json& text_document(const Json& parameters) { return parameters.at("textDocument"); }

std::string uri_in(const Json& parameters) { return text_document(parameters).at("uri").get<std::string>(); }

/// Null where it has none.
Json version_in(const Json& parameters) {
    const Json version = text_document(parameters).value("version", Json());
    return version.is_number() ? version : Json();
}

/// The text after an edit of one range, or of all.
std::string edited(const std::string& text, const Json& change) {
    std::string put = change.at("text").get<std::string>();
    const auto range = change.find("range");
    if (range == change.end() || range->is_null()) return put;
    const std::size_t begin = offset_at(text, position_of(range->at("start")));
    const std::size_t end = std::max(begin, offset_at(text, position_of(range->at("end"))));
    return text.substr(0, begin) + put + text.substr(end);
}

}  // namespace

Session::Session(RequestOf request_of, const Settings& given, std::string version,
                 std::function<void(const Json&)> send)
    : workspace_(std::move(request_of), given), version_(std::move(version)), send_(std::move(send)) {}

void Session::fail(const Json& id, int code, const std::string& message) {
    send_({{"jsonrpc", "2.0"}, {"id", id}, {"error", {{"code", code}, {"message", message}}}});
}

void Session::malformed(const std::string& what) { fail(nullptr, parse_error, what); }

void Session::log(const std::string& text) {
    constexpr int warning = 2;
    send_({{"jsonrpc", "2.0"}, {"method", "window/logMessage"}, {"params", {{"type", warning}, {"message", text}}}});
}

void Session::take(const std::string& text) {
    if (nests_deeply(text)) return malformed("a message that nests too deeply");
    Json message;
    try {
        message = Json::parse(text);
    } catch (const Json::exception& e) {
        return malformed(e.what());
    }
    if (!message.is_object()) return fail(nullptr, invalid_request, "a message is an object");
    const Json id = message.value("id", Json());
    if (id.is_structured()) return fail(nullptr, invalid_request, "an id is a number or a text");
    const auto method = message.find("method");
    if (method == message.end() && (message.contains("result") || message.contains("error"))) return;  // an answer
    if (method == message.end() || !method->is_string()) return fail(id, invalid_request, "a message has a method");
    Json parameters = message.value("params", Json());
    if (parameters.is_null()) parameters = Json::object();
    if (message.contains("id")) return request(id, method->get<std::string>(), parameters);
    notification(method->get<std::string>(), parameters);
}

void Session::request(const Json& id, const std::string& method, const Json& parameters) {
    if (!initialized_ && method != "initialize") return fail(id, not_initialized, "'initialize' comes first");
    if (shut_down_) return fail(id, invalid_request, "the server was shut down");
    try {
        send_({{"jsonrpc", "2.0"}, {"id", id}, {"result", answer(method, parameters)}});
    } catch (const NoSuchMethod&) {
        fail(id, method_not_found, fmt::format("'{}' is not supported", method));
    } catch (const Json::exception& e) {
        fail(id, invalid_params, e.what());
    } catch (const std::exception& e) {
        fail(id, internal_error, e.what());
    }
}

Json Session::initialize(const Json& parameters) {
    constexpr int incremental = 2;
    initialized_ = true;
    workspace_.set(settings_of(parameters.value("initializationOptions", Json())));
    const Json sync{{"openClose", true}, {"change", incremental}, {"save", true}};
    return {{"capabilities",
             {{"positionEncoding", "utf-16"},
              {"textDocumentSync", sync},
              {"hoverProvider", true},
              {"definitionProvider", true},
              {"completionProvider", {{"triggerCharacters", {"["}}}},
              {"documentSymbolProvider", true},
              {"documentFormattingProvider", true}}},
            {"serverInfo", {{"name", "kasc"}, {"version", version_}}}};
}

Json Session::answer(const std::string& method, const Json& parameters) {
    if (method == "initialize") return initialize(parameters);
    if (method == "shutdown") {
        shut_down_ = true;
        return nullptr;
    }
    const bool at_place =
        method == "textDocument/hover" || method == "textDocument/definition" || method == "textDocument/completion";
    if (!at_place && method != "textDocument/formatting" && method != "textDocument/documentSymbol")
        throw NoSuchMethod{};
    Document* document = workspace_.find(uri_in(parameters));
    if (!document) return nullptr;
    if (method == "textDocument/formatting") return formatting(*document);
    if (method == "textDocument/documentSymbol") return document_symbols(*document);
    const std::size_t offset = offset_at(document->source->text, position_of(parameters.at("position")));
    if (method == "textDocument/hover") return hover(workspace_, *document, offset);
    if (method == "textDocument/definition") return definition(workspace_, *document, offset);
    return completion(workspace_, *document, offset);
}

void Session::notification(const std::string& method, const Json& parameters) {
    if (method == "exit") {
        ended_ = true;
        return;
    }
    if (!initialized_ || shut_down_) return;
    try {
        if (method == "textDocument/didOpen") {
            const Json& item = text_document(parameters);
            workspace_.open(uri_in(parameters), version_in(parameters), item.at("text").get<std::string>());
        } else if (method == "textDocument/didChange") {
            change(parameters);
        } else if (method == "textDocument/didClose") {
            workspace_.close(uri_in(parameters));
            say_nothing_of(uri_in(parameters));
        } else if (method == "textDocument/didSave" || method == "workspace/didChangeWatchedFiles") {
            workspace_.forget();
        } else if (method == "workspace/didChangeConfiguration") {
            const Json settings = parameters.value("settings", Json());
            workspace_.set(settings_of(settings.is_object() ? settings.value("kasc", settings) : settings));
        }
    } catch (const std::exception& e) {
        log(fmt::format("{}: {}", method, e.what()));
    }
}

void Session::change(const Json& parameters) {
    const std::string uri = uri_in(parameters);
    const Document* document = workspace_.find(uri);
    if (!document) return;
    std::string text = document->source->text;
    for (const Json& one : parameters.at("contentChanges")) text = edited(text, one);
    workspace_.open(uri, version_in(parameters), std::move(text));
}

void Session::say_nothing_of(const std::string& uri) {
    send_({{"jsonrpc", "2.0"},
           {"method", "textDocument/publishDiagnostics"},
           {"params", {{"uri", uri}, {"diagnostics", Json::array()}}}});
}

void Session::publish() {
    for (auto& [uri, document] : workspace_.documents()) {
        if (document.said) continue;
        document.said = true;
        try {
            send_({{"jsonrpc", "2.0"},
                   {"method", "textDocument/publishDiagnostics"},
                   {"params", diagnostics_json(workspace_, document)}});
        } catch (const std::exception& e) {
            log(fmt::format("{}: {}", uri, e.what()));
        }
    }
}

int serve(int input, int output, RequestOf request_of, const Settings& given, const std::string& version) {
    bool written = true;
    const auto send = [&](const Json& message) {
        const std::string text = framed(message.dump(-1, ' ', false, Json::error_handler_t::replace));
        for (std::size_t at = 0; written && at < text.size();) {
            const ssize_t n = ::write(output, text.data() + at, text.size() - at);
            if (n < 0 && errno == EINTR) continue;
            written = n > 0;
            if (written) at += static_cast<std::size_t>(n);
        }
    };
    Session session(std::move(request_of), given, version, send);
    MessageReader reader(input);
    while (!session.ended() && written) {
        if (!reader.has_more()) session.publish();
        const Incoming next = reader.read();
        if (next.kind == Incoming::Kind::ended) break;
        if (next.kind == Incoming::Kind::message) session.take(next.text);
        if (next.kind == Incoming::Kind::malformed) session.malformed(next.text);
    }
    return session.ended() ? session.status() : 1;
}

}  // namespace kasc::lsp
