#pragma once
// The emitted files, one function each.

#include <string>
#include <vector>

#include "emit/emit.hpp"
#include "emit/interface_names.hpp"
#include "emit/writer.hpp"

namespace kasc::emit {

/// <program>.h: the C API.
[[nodiscard]] std::string header_text(const Program& program, const Library& library, const HostPlan& plan,
                                      const InterfaceNames& names, Target target);
/// <prefix>_kernels.{cuh,hpp}: library functions and kernels.
[[nodiscard]] std::string kernels_text(const HostPlan& plan, const std::string& prefix,
                                       const std::string& support_header, Target target);
/// The same kernels as translation units for whoever launches them by name: those of CUDA, and of each with at_store
/// the two that write_beside_store makes. Units are of like size, so that as many compilers are done sooner.
[[nodiscard]] std::vector<std::string> module_texts(const HostPlan& plan, const std::string& prefix, Blocks blocks);
/// What transforms compute as they store, for cuFFT's linker; KASC_EXTENT(axis, value) is whoever's who compiles it.
[[nodiscard]] std::string at_store_text(const HostPlan& plan);
/// Kernels that order lists, for NVRTC.
[[nodiscard]] std::string orders_module_text();
/// For the CPU: <kernel>_launch(arguments, grid), of each precision that has transforms kasc_transform_<precision>,
/// and, where lists are ordered, kasc_order_entries.
[[nodiscard]] std::string cpu_module_text(const HostPlan& plan, const std::vector<Precision>& transforms, bool orders);
/// The host side: one launch function a kernel, what is prepared, the header's functions. `prefix` is the program's
/// name, or <program>_reference, of which <prefix>_compute alone is called.
[[nodiscard]] std::string host_side_text(const Program& program, const Library& library, const HostPlan& plan,
                                         const InterfaceNames& names, const std::string& prefix,
                                         const std::string& kernels_file, Target target);
/// <prefix>_entry.cpp: the header's functions with arrays and values by position.
[[nodiscard]] std::string entry_text(const Program& program, const InterfaceNames& names, const std::string& prefix);
/// <program>_reference.cpp of a stream program: element by element with the library's reference functions; where a
/// function has none, a file that says so and returns <program>_no_reference.
[[nodiscard]] std::string stream_reference_text(const Program& program, const Library& library,
                                                const InterfaceNames& names);
/// <program>_main.cpp: random data, both sides, the first element that differs.
[[nodiscard]] std::string main_text(const EmitRequest& request, const InterfaceNames& names);
/// CMakeLists.txt of code whose libraries are known.
[[nodiscard]] std::string build_file_text(const EmitRequest& request, const EmittedCode& code);

}  // namespace kasc::emit
