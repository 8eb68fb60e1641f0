#pragma once
// Procedures: what a definition says of its names, and what stands for them in a call.
//
//     procedure smooth(u, f) { float r[x]; r = f - laplace2(u, 1); u = u + 0.1*r; }
//     smooth(T, q);      →      float smooth_r[x]; smooth_r = q - laplace2(T, 1); T = T + 0.1*smooth_r;

#include <KascParser.h>

#include <optional>

#include "frontend/building.hpp"
#include "frontend/replaced_names.hpp"

namespace kasc::frontend {

/// Adds it; K0108 at what cannot stand in one.
void define_procedure(grammar::KascParser::ProcedureContext* context, const SourceRef& source, Building& building);

struct ProcedureCall {
    std::size_t procedure;  ///< into Building::procedures
    Replacements replacements;
};
/// None, with an error: no procedure of the name above, other arguments than it takes, or the variable of a loop that
/// it would see without being given it.
[[nodiscard]] std::optional<ProcedureCall> called(grammar::KascParser::CallStatementContext* context,
                                                  const SourceRef& source, Building& building);

}  // namespace kasc::frontend
