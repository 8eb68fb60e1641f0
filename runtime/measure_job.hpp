#pragma once
// What a measuring process is asked, and what it answers line by line. kasc measures in a process of its own, since a
// candidate may crash, hang or poison the GPU's context: then that process ends, and kasc starts another for the rest.

#include <optional>
#include <string>
#include <vector>

#include "runtime/build.hpp"
#include "runtime/interface.hpp"

namespace kasc::runtime {

/// A program's array as a file of words (word_file.hpp).
struct RawArray {
    std::string name, path;
    WordType type = WordType::float32;
};

struct MeasureJob {
    BuildTarget target = BuildTarget::cpu;
    std::string program;  ///< its entry is <program>_entry
    std::vector<long long> extents;
    std::vector<double> parameters;
    std::vector<RawArray> inputs;
    std::vector<RawArray> outputs;  ///< what the reference computed
    bool check = true;              ///< false: the outputs' files give sizes alone
    float tolerance = 0;            ///< of the comparison, see compare.hpp
    int repeats = 20;
    int limit_seconds = 120;  ///< for one step of one candidate
    struct Candidate {
        int number = 0;
        std::string library;
    };
    std::vector<Candidate> candidates;
};

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

[[nodiscard]] std::string to_json(const MeasureJob& job);
/// None: the text is no job.
[[nodiscard]] std::optional<MeasureJob> job_from_json(const std::string& text);
/// One line, without its end.
[[nodiscard]] std::string to_json(const MeasureEvent& event);
/// None: the line is no event; emitted code and libraries may print what they like.
[[nodiscard]] std::optional<MeasureEvent> event_from_json(const std::string& line);

}  // namespace kasc::runtime
