#pragma once
// Programs of the same results beside the one that is asked for, each planned whole, and the one rule that takes one.

#include "driver/compilation.hpp"

namespace kasc {

using Plans = Outcome<std::vector<ProgramPlan>>;

/// Best first: the search's plans with what the host does, launches that small kernels are spared of taken off their
/// times. With CUDA graphs where the request wants them and the device is a GPU.
[[nodiscard]] Plans plan_whole(const CheckedProgram& checked, const CompileRequest& request,
                               const PlanOptions& options);

/// A program of the same results.
struct Variant {
    std::string name;  ///< "lists cell by cell"
    Program program;
    Graph graph;
    std::vector<ProgramPlan> plans;  ///< empty: there is none
    std::string fault;               ///< why there is none
    double memory_bytes = 0;         ///< of the first plan's own arrays
};
[[nodiscard]] Variant plan_variant(std::string name, Program program, const CheckedProgram& checked,
                                   const CompileRequest& request, const PlanOptions& options);

/// Memory of the arrays that are neither inputs nor outputs.
[[nodiscard]] double own_memory(const HostPlan& host, const Program& program, const Problem& problem);

/// The rule: of all variants the fastest by the model, but those within a hundredth of it are as fast, and of them the
/// one with the least memory, of such the first, is taken. Requires: the first has plans.
[[nodiscard]] std::size_t taken_of(const std::vector<Variant>& variants);

/// Plans the program, as the request's written plan says if there is one, with its lists by cells, and with fields made
/// anew in its loops, where the request leaves that open; what the model makes of each is among the verdicts.
[[nodiscard]] Outcome<Compilation> choose_variant(Compilation rewritten, const CompileRequest& request);
/// The same of the program, and of one whose loops of linear steps are products of waves (rewrite/modes): of the best
/// of both the faster. With a written plan the second where the plan is one of it, without pricing.
[[nodiscard]] Outcome<Compilation> choose_modes(Compilation rewritten, const CompileRequest& request);

}  // namespace kasc
