// Any text that is open in an editor, and any bytes as a message: kasc lsp answers each request once, and goes on.

#include <cstdint>
#include <cstdlib>
#include <string>

#include "lsp/server.hpp"

namespace {

using kasc::lsp::Json;

std::string request(const char* method, std::size_t line, std::size_t character) {
    const Json place{{"line", line}, {"character", character}};
    return Json{{"id", 1},
                {"method", method},
                {"params", {{"textDocument", {{"uri", "file:///fuzz.kas"}}}, {"position", place}}}}
        .dump();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const std::string text(data, data + size);
    const auto request_of = [](const kasc::SourceRef& source, const kasc::lsp::Settings&) {
        kasc::CompileRequest made;
        made.source = source;
        made.data_folder = KASC_SOURCE_DIR;
        return kasc::success(std::move(made));
    };
    std::size_t answers = 0;
    kasc::lsp::Session session(request_of, {}, "fuzz", [&](const Json& message) {
        if (message.dump(-1, ' ', false, Json::error_handler_t::replace).empty()) std::abort();
        answers += message.contains("id") ? 1 : 0;
    });
    session.take(R"({"id": 0, "method": "initialize"})");
    const Json item{{"uri", "file:///fuzz.kas"}, {"text", text}};
    session.take(Json{{"method", "textDocument/didOpen"}, {"params", {{"textDocument", item}}}}.dump(
        -1, ' ', false, Json::error_handler_t::replace));
    session.publish();
    std::size_t asked = 1;
    for (const char* method : {"textDocument/hover", "textDocument/definition", "textDocument/completion",
                               "textDocument/formatting", "textDocument/documentSymbol"}) {
        const std::size_t line = size > 1 ? data[0] % 16 : 0, character = size > 1 ? data[1] % 64 : 0;
        session.take(request(method, line, character));
        ++asked;
    }
    if (answers != asked) std::abort();
    session.take(text);
    return 0;
}
