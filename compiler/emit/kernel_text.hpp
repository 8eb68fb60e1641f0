#pragma once
// One kernel of the IR as a function of the target. Decides nothing: every name, index and barrier stands in the IR.

#include <string>

#include "emit/target.hpp"
#include "emit/writer.hpp"
#include "kernel/kernel.hpp"

namespace kasc::emit {

void write_kernel(Writer& out, const kernel::Kernel& kernel, Target target);
/// Of a kernel with at_store, what cuFFT calls for each cell, and the struct of its arguments. Requires: Target::cuda.
void write_at_store(Writer& out, const kernel::Kernel& kernel);
/// Of such a kernel <name>_give, which writes the struct from arguments of a launch, and <name>_behind, which does with
/// each cell what cuFFT would: of the words, how many there are and the struct.
void write_beside_store(Writer& out, const kernel::Kernel& kernel);
/// <name>_launch(void *const *arguments, const long long *grid): all blocks; of each argument its address.
void write_cpu_launch(Writer& out, const kernel::Kernel& kernel);
/// The array that the transform hands over word by word: no argument of what it calls.
[[nodiscard]] bool is_given(const kernel::Kernel& kernel, const kernel::Parameter& parameter);

/// A library function as a kernel needs it: macros, #line to the author's file, text, and back.
void write_function(Writer& out, const kernel::FunctionVariant& function, const std::string& own_file, Target target);

/// The author's text with `float *` replaced by the checking pointer, `reinterpret_cast<float4 *>` by its vector form.
[[nodiscard]] std::string traced_text(const std::string& author_text);

}  // namespace kasc::emit
