#pragma once
// The words that each block of a kernel has before its cells.

#include <list>

#include "lower/rider.hpp"
#include "lower/walk/walk.hpp"

namespace kasc::kernel {

/// Where the kernel's cells find the words of its prologue, in place of memory. Before the walk.
void hold_prologue(FieldContext& context);
/// A call of a prologue, as a kernel of one cell within another.
struct PrologueContext {
    PrologueContext(const FieldContext& before, FieldSchedule alone)
        : within{std::move(alone), {}, {}, std::nullopt}, context(before, within) {}
    Rider within;
    FieldContext context;
};
/// Block level: what computes them. Adds to `contexts` one a call, each of which goes on with the names and parameters
/// of the one before it, the first with the kernel's. Requires: hold_prologue; `walked`: the kernel of this context.
[[nodiscard]] Body prologue_body(FieldContext& context, const Walked& walked, std::list<PrologueContext>& contexts);

}  // namespace kasc::kernel
