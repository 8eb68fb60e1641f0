#pragma once
// The steps of a block as statements.

#include <functional>
#include <string>
#include <vector>

#include "block/block_program.hpp"
#include "kernel/kernel.hpp"

namespace kasc::kernel {

/// Statements at block level, or where no barrier stands within a thread: `steps` holds those of each step of the
/// program, the For around its steps of a loop_begin, nothing of a loop_end. Barriers stand where the program has them.
[[nodiscard]] Body lower_block(const block::BlockProgram& program, std::vector<Body> steps);
/// The same with the statements of each step, asked for in order. None, where they stand with those of the step before.
[[nodiscard]] Body lower_block(const block::BlockProgram& program,
                               const std::function<Body(const block::Step&)>& statements);

/// The words of a row beside `width` of a thread's own, which begin at `own`: so many as lie before them, or behind,
/// from as many threads of the warp as hold them. `or_own`: of Exchange.
[[nodiscard]] Body exchanged_before(const std::string& row, int own, int width, int words, bool or_own = false);
[[nodiscard]] Body exchanged_behind(const std::string& row, int own, int width, int words, bool or_own = false);

/// An array for the region, of each thread where it lies in registers.
[[nodiscard]] Statement declare(const block::Region& region, const std::string& name, Type type);
/// The regions in shared memory, called `names`, and of `types`, one a region.
[[nodiscard]] Body declare_shared(const block::BlockProgram& program, const std::vector<std::string>& names,
                                  const std::vector<Type>& types);

}  // namespace kasc::kernel
