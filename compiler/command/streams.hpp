#pragma once
// Standard output and standard error. That nobody can take what is said ends no command before its results are written;
// at its end it is an error.

#include <string_view>

#include "command/options.hpp"

namespace kasc::command {

/// A stream that is closed would be taken by the first file that is opened, and what is said would go into that file:
/// such streams lead to nowhere from here on. Failing writes are answered by whoever writes, not by a signal: a file
/// that may not grow (SIGXFSZ), a reader that has left, as `| head` does (SIGPIPE).
void settle_streams();

void tell(std::string_view text);        ///< on standard output
void tell_error(std::string_view text);  ///< on standard error

/// The status, or K0727's where standard output did not take all that it was told; a reader that has left is no error.
[[nodiscard]] int settle_output(int status, DiagnosticsFormat format);

}  // namespace kasc::command
