#pragma once
// One kernel of the IR as a function of the target. Decides nothing: every name, index and barrier stands in the IR.

#include <set>
#include <string>
#include <vector>

#include "emit/target.hpp"
#include "emit/writer.hpp"
#include "kernel/kernel.hpp"

namespace kasc::emit {

/// What the kernel computes, a statement a line; what follows several times, as cells of a window do, once.
void write_comment(Writer& out, const kernel::Kernel& kernel);
void write_kernel(Writer& out, const kernel::Kernel& kernel, Target target, Blocks blocks = Blocks::all);
/// Writes the function of a kernel with at_store that cuFFT calls for each cell, and the struct of its arguments.
/// Requires: Target::cuda.
void write_at_store(Writer& out, const kernel::Kernel& kernel);
/// Writes two kernels beside that function: <name>_give writes the struct from a launch's arguments, <name>_behind does
/// with each cell what cuFFT would; it takes the words, their number and the struct.
void write_beside_store(Writer& out, const kernel::Kernel& kernel);
/// The array that the transform hands over word by word: no argument of what it calls.
[[nodiscard]] bool is_given(const kernel::Kernel& kernel, const kernel::Parameter& parameter);

/// A library function as a kernel needs it: where it is from, the constants that it is written over, its text.
void write_function(Writer& out, const kernel::FunctionVariant& function, Target target);
/// The same for code that checks or times the library and is not kept: of what is wrong in it the compiler names the
/// author's own line.
void write_checked_function(Writer& out, const kernel::FunctionVariant& function, const std::string& own_file,
                            Target target);

/// The helpers of its file that a function names, itself or through another.
struct UsedHelpers {
    std::vector<std::string> functions, macros;
};
[[nodiscard]] UsedHelpers used_helpers(const kernel::FunctionVariant& function);
/// The types that are named in the function's text or in that of its helpers.
[[nodiscard]] std::set<std::string> types_in(const kernel::FunctionVariant& function,
                                             const std::vector<std::string>& types);

/// X of "#define X …" or "#define X(a) …".
[[nodiscard]] std::string macro_name(const std::string& line);

/// The author's text with `float *` replaced by the checking pointer, `reinterpret_cast<float4 *>` by its vector form.
[[nodiscard]] std::string traced_text(const std::string& author_text);

}  // namespace kasc::emit
