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
    using kasc::lsp::Session;
    const std::string text(data, data + size);
    const auto request_of = [](const kasc::SourceRef& source, const kasc::lsp::Settings&) {
        kasc::CompileRequest made;
        made.source = source;
        made.data_folder = KASC_SOURCE_DIR;
        return kasc::success(std::move(made));
    };
    static std::size_t answers = 0;
    const auto send = [](const Json& message) {
        if (message.dump(-1, ' ', false, Json::error_handler_t::replace).empty()) std::abort();
        answers += message.contains("id") ? 1 : 0;
    };
    // The session has read the library, which takes longer than all else.
    static Session session(request_of, {}, "fuzz", send);
    static const bool begun = (session.take(R"({"id": 0, "method": "initialize"})"), true);
    if (!begun) std::abort();
    const Json item{{"uri", "file:///fuzz.kas"}, {"text", text}};
    session.take(Json{{"method", "textDocument/didOpen"}, {"params", {{"textDocument", item}}}}.dump(
        -1, ' ', false, Json::error_handler_t::replace));
    session.publish();
    for (const char* method : {"textDocument/hover", "textDocument/definition", "textDocument/completion",
                               "textDocument/formatting", "textDocument/documentSymbol"}) {
        const std::size_t before = answers;
        session.take(request(method, size > 1 ? data[0] % 16 : 0, size > 1 ? data[1] % 64 : 0));
        if (answers != before + 1) std::abort();
    }
    Session(request_of, {}, "fuzz", send).take(text);
    return 0;
}
