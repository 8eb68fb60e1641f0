#pragma once
// A session of the Language Server Protocol 3.17: messages in, messages out. Whatever comes, it answers and goes on,
// until 'exit' or the end of the input.

#include <functional>
#include <string>

#include "lsp/workspace.hpp"

namespace kasc::lsp {

class Session {
public:
    /// `send`: takes whole messages, in order.
    Session(RequestOf request_of, const Settings& given, std::string version, std::function<void(const Json&)> send);

    /// A message's text. Bytes that are none are answered by an error without an id.
    void take(const std::string& text);
    /// Says that bytes came which are no message.
    void malformed(const std::string& what);
    /// Tells what is at fault in texts that have changed: when nothing else waits, as it takes longer than typing.
    void publish();

    [[nodiscard]] bool ended() const { return ended_; }
    /// Exit status of the process: 0 where 'shutdown' came before the end.
    [[nodiscard]] int status() const { return shut_down_ ? 0 : 1; }

private:
    void request(const Json& id, const std::string& method, const Json& parameters);
    void notification(const std::string& method, const Json& parameters);
    [[nodiscard]] Json initialize(const Json& parameters);
    [[nodiscard]] Json answer(const std::string& method, const Json& parameters);
    void change(const Json& parameters);
    void say_nothing_of(const std::string& uri);
    void fail(const Json& id, int code, const std::string& message);
    void log(const std::string& text);

    Workspace workspace_;
    std::string version_;
    std::function<void(const Json&)> send_;
    bool initialized_ = false, shut_down_ = false, ended_ = false;
};

/// Reads from one descriptor, writes to another; the status of the process.
int serve(int input, int output, RequestOf request_of, const Settings& given, const std::string& version);

}  // namespace kasc::lsp
