#pragma once
// What a measuring process tells, line by line. kasc measures in a process of its own, since a candidate may crash,
// hang or poison the GPU's context: then that process ends, and kasc starts another for the rest.

#include <optional>
#include <string>
#include <vector>

namespace kasc::runtime {

/// A line of the answer.
struct MeasureEvent {
    enum class Kind {
        copy,      ///< gb_s: the device's copy rate
        begun,     ///< what follows, good or bad, is of this candidate
        invalid,   ///< invalidity and message
        measured,  ///< times_ns: of every repeat
        ended,     ///< the whole job is done
    };
    Kind kind = Kind::ended;
    int candidate = 0;
    double gb_s = 0;
    std::string invalidity, message;
    std::vector<double> times_ns;
};

/// One line, without its end.
[[nodiscard]] std::string to_json(const MeasureEvent& event);
/// None: the line is no event; emitted code and libraries may print what they like.
[[nodiscard]] std::optional<MeasureEvent> event_from_json(const std::string& line);

}  // namespace kasc::runtime
