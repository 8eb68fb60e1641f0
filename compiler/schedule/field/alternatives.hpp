#pragma once
// What a kernel over fields comes with for extents that its own schedule does not serve.

#include <optional>
#include <set>
#include <string>

#include "schedule/field/schedule.hpp"

namespace kasc {

/// Cells of which the rows of a half spectrum are a multiple where nobody outside sees it: 128 bytes of complex
/// numbers.
inline constexpr int padded_row_multiple = 16;

/// Groups of cells need rows that start where a group may: others have the same walk over single cells. Threads that
/// are counted through the rows of a plane count in 32 bits: larger planes have a grid.
struct FieldAlternatives {
    FieldSchedule schedule;
    std::optional<FieldSchedule> otherwise{};
    std::string suffix{};  ///< of the name of the other's kernel
    int registers = 0;     ///< of a thread, as the model says; 0: it was not asked
    /// Values whose rows in memory are a multiple of padded_row_multiple cells apart.
    std::set<ValueId> padded{};
};
[[nodiscard]] FieldAlternatives field_alternatives(const FieldSchedule& schedule, const Program& program,
                                                   const Graph& graph);

/// The schedule of a kernel whose cells another one takes along, a thread each; the reason where its threads share
/// cells.
[[nodiscard]] FieldScheduleResult schedule_rider(const FieldSchedule& alone, const Program& program,
                                                 const Graph& graph);

}  // namespace kasc
